"""What a record must tell, and of which kind. Whoever wrote it, its names become paths, columns and titles.

A record whose checksum is right may still come from anywhere: a checksum is no signature.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Fits = Callable[[Any], bool]

NAME = re.compile(r"\w[\w.+-]*")  # of an experiment, dataset, model or protocol: no way into another folder
LARGEST = 10**9  # of what is counted


def _name(value: Any) -> bool:
    return isinstance(value, str) and NAME.fullmatch(value) is not None and len(value) <= 100


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _truth(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _seed(value: Any) -> bool:
    return type(value) is int and value >= 0


def _number(value: Any) -> bool:
    return type(value) in (int, float)


def _counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_count, value.values()))


def _figures(value: Any) -> bool:
    return isinstance(value, dict) and all(one is None or _number(one) for one in value.values())


def _plain(value: Any) -> bool:
    """A mapping of settings to single values."""
    return isinstance(value, dict) and not any(isinstance(one, (dict, list)) for one in value.values())


def _or_null(fits: Fits) -> Fits:
    return lambda value: value is None or fits(value)


# By the dotted place; what stands in `OPTIONAL` may be left out.
FORM: dict[str, Fits] = {
    "status": lambda value: value in ("done", "failed"),
    "error": _text,
    "metrics": _figures,
    "masks": _text,
    "kernel": _text,
    "arrays": _texts,
    "seconds": _mapping,
    "environment": _mapping,
    "environment.packages": _mapping,
    "environment.blas": _texts,
    "identity": _mapping,
    "identity.seed": _seed,
    "identity.missingness": _mapping,
    "identity.missingness.name": _name,
    "identity.experiment": _mapping,
    "identity.dataset": _mapping,
    "identity.model": _mapping,
    "identity.protocol": _mapping,
    "identity.data": _mapping,
    "identity.versions": _counts,
    "story": _mapping,
    **{f"story.{key}": _name for key in ("experiment", "protocol", "dataset", "model", "stands_for")},
    **{f"story.{key}": _text for key in ("dataset_title", "dataset_note", "method", "method_title", "holes")},
    **{f"story.{key}": _truth for key in ("control", "shortened")},
    **{f"story.{key}": _texts for key in ("told_by", "changed")},
    "story.line": _text,
    "story.searched": _count,
    "story.settings": _mapping,
    "story.axes": _plain,
    "story.series": _or_null(_count),
    "story.seeds": _count,
    "story.budget": _mapping,
    "story.budget.name": _name,
    **{f"story.budget.{key}": _count for key in ("epochs", "seeds", "mixtures")},
    "story.budget.series": _or_null(_count),
}
KEYS = [place.split(".") for place in FORM]
OPTIONAL = {"error", "masks", "kernel", "seconds", "environment.blas", "story.line", "story.searched"}
OPTIONAL |= {
    f"identity.{part}" for part in ("experiment", "dataset", "model", "protocol", "data", "versions")
}


def misformed(record: Mapping[str, Any]) -> str:
    """The place of the first thing that a record lacks or tells otherwise; nothing if there is none."""
    for (place, fits), keys in zip(FORM.items(), KEYS, strict=True):
        value: Any = record
        for key in keys:
            value = value.get(key, _ABSENT)
            if value is _ABSENT:
                break
        if value is _ABSENT:
            failed = place == "metrics" and record.get("status") == "failed"
            if place in OPTIONAL or failed:
                continue
            return place
        if not fits(value):
            return place
    return ""


_ABSENT = object()
