"""YAML that somebody wrote: the value of a word `KEY=VALUE`, and how large a text is when it is read."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import yaml

from tkae.errors import UserError

LARGEST = 100_000  # values that a text may stand for: by references, nine lines are more than memory holds


def plain(cls: type, key: str, text: str) -> Any:
    """What `text` stands for as the setting `key` of a dataclass: itself, if that takes texts."""
    kinds = {spec.name: str(spec.type) for spec in fields(cls)}
    if kinds.get(key, "").startswith("str") and text != "null":
        return text
    try:
        if unfolded(text) > LARGEST:
            raise ValueError("references that never end")
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise UserError(f"'{key}={text}': {text} is no value") from None


def unfolded(text: str) -> float:
    """How many values a text has when its references (`&a`, `*a`) are written out."""
    sizes: dict[str, float] = {}
    within: list[tuple[str | None, list[float]]] = [(None, [])]  # anchors and sizes of what has begun
    for event in yaml.parse(text, yaml.SafeLoader):
        anchor, size = getattr(event, "anchor", None), 1.0
        if isinstance(event, yaml.CollectionStartEvent):
            within.append((anchor, [1.0]))
            continue
        if isinstance(event, yaml.AliasEvent):
            size = sizes.get(str(anchor), math.inf)  # of what it stands in
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, inside = within.pop()
            size = sum(inside)
        elif not isinstance(event, yaml.ScalarEvent):
            continue
        within[-1][1].append(size)
        if anchor and not isinstance(event, yaml.AliasEvent):
            sizes[anchor] = size
    return sum(within[0][1])
