"""YAML that somebody wrote: the value of a word `KEY=VALUE`, and how large a text is when it is read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import yaml

from tkae.errors import UserError

REFERENCE = re.compile(r"\$\{([^${}]*)(\$?)")  # `${a.b}`, and whether another one stands in it
PARTS = re.compile(r"[^.:,\[\]\s]+")  # of what it refers to
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


def written_out(whole: Any) -> float:
    """How many signs a config has at the most when Hydra's references (`${a.b}`) are written out.

    What a reference leads to is told by the last part of it alone: the longest that has this name. It is
    the longest of all where that part is itself looked up.
    """
    named: dict[str, list[Any]] = {}
    for key, value in _items(whole):
        named.setdefault(key, []).append(value)
    sizes: dict[int, float] = {}

    def size(value: Any) -> float:
        if id(value) not in sizes:
            sizes[id(value)] = 0.0  # of what leads back to itself, which Hydra refuses
            text = value if isinstance(value, str) else ""
            led_to = sum(target(*found) for found in REFERENCE.findall(text))
            sizes[id(value)] = 1.0 + len(text) + led_to + sum(size(one) for _, one in _children(value))
        return sizes[id(value)]

    def target(written: str, nested: str) -> float:
        parts = PARTS.findall(written)
        found = named.get(parts[-1], []) if parts and not nested else [one for _, one in _items(whole)]
        return max(map(size, found), default=0.0)

    return size(whole)


def _children(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(str(key), one) for key, one in value.items()]
    return [(str(i), one) for i, one in enumerate(value)] if isinstance(value, list) else []


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    """All that has a name or a number, at whatever depth."""
    for key, one in _children(value):
        yield key, one
        yield from _items(one)
