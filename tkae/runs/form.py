"""What a record must tell, and of which kind. Whoever wrote it, its names become paths, columns and titles.

A record whose checksum is right may still come from anywhere: a checksum is no signature.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Fits = Callable[[Any], bool]

NAME = re.compile(r"\w[\w.+-]*")  # of an experiment, dataset, model or protocol: no way into another folder
HALF = re.compile("[\ud800-\udfff]")  # of a sign of two: by itself it is none, and no file can hold it
LARGEST = 10**9  # of what is counted
FIGURE = 1e100  # of what was measured: sums of squares of such figures are numbers yet
FLOAT = sys.float_info.max
WHOLE = ("environment", "story")  # parts that many records have alike; of an identity it is each of its parts


def _name(value: Any) -> bool:
    return isinstance(value, str) and NAME.fullmatch(value) is not None and len(value) <= 100


def _text(value: Any) -> bool:
    return isinstance(value, str) and (value.isascii() or HALF.search(value) is None)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _truth(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _seed(value: Any) -> bool:
    return type(value) is int and 0 <= value <= FLOAT


def _figure(value: Any) -> bool:
    """A number of a bearable size, or one that says that there is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return True
    return type(value) in (int, float) and -FIGURE <= value <= FIGURE


def _counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_count, value.values()))


def _figures(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(map(_text, value))
        and all(one is None or _figure(one) for one in value.values())
    )


def _seconds(value: Any) -> bool:
    return _figures(value) and type(value.get("total")) in (int, float) and 0 <= value["total"] <= FIGURE


def _plain(value: Any) -> bool:
    """A mapping of settings to single values."""
    return (
        isinstance(value, dict)
        and not any(isinstance(one, (dict, list)) for one in value.values())
        and writable(value)
    )


def writable(value: Any) -> bool:
    """Whether files and tables can hold it: texts that are UTF-8, and numbers that fit a float."""
    left = [value]  # no recursion: it may be nested as deeply as JSON is read
    while left:
        one = left.pop()
        if isinstance(one, str):
            if not _text(one):
                return False
        elif isinstance(one, dict):
            left += one
            left += one.values()
        elif isinstance(one, list):
            left += one
        elif type(one) is int and not -FLOAT <= one <= FLOAT:
            return False
    return True


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
    "seconds": _seconds,
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
KEYS = {place: place.split(".") for place in FORM}
ENDS = {"metrics": "done", "error": "failed"}  # which end of a cell is told by it
OPTIONAL = {"masks", "kernel", "seconds", "environment.blas", "story.line", "story.searched"}
OPTIONAL |= {
    f"identity.{part}" for part in ("experiment", "dataset", "model", "protocol", "data", "versions")
}


def _shared(place: str) -> str:
    """The part that a place belongs to, of those that many records have alike; nothing if it is one's own."""
    head, _, tail = place.partition(".")
    if head == "identity":
        return f"identity.{tail.partition('.')[0]}" if tail not in ("", "seed") else ""
    return head if head in WHOLE else ""


PARTS: dict[str, list[str]] = {}
for _place in FORM:
    PARTS.setdefault(_shared(_place), []).append(_place)
OWN = PARTS.pop("")


def misformed(record: Mapping[str, Any], right: set[tuple[str, int]]) -> str:
    """The place of the first thing that a record lacks or tells otherwise; nothing if there is none.

    A shared part whose id is in `right` was right before; those that are found to be so are added to it.
    """
    if place := misformed_own(record):
        return place
    for part, places in PARTS.items():
        whole = _at(record, KEYS[part])
        if (part, id(whole)) in right:
            continue
        if place := _first_fault(record, places):
            return place
        if not writable(whole):
            return part
        if whole is not _ABSENT:
            right.add((part, id(whole)))
    return ""


def misformed_own(record: Mapping[str, Any]) -> str:
    """The same of what a record does not share with others."""
    return _first_fault(record, OWN)


def _first_fault(record: Mapping[str, Any], places: Sequence[str]) -> str:
    for place in places:
        value = _at(record, KEYS[place])
        if value is not _ABSENT:
            right = FORM[place](value)
        else:
            right = place in OPTIONAL or ENDS.get(place, record.get("status")) != record.get("status")
        if not right:
            return place
    return ""


def _at(record: Mapping[str, Any], keys: Sequence[str]) -> Any:
    value: Any = record
    for key in keys:
        value = value.get(key, _ABSENT)
        if value is _ABSENT:
            break
    return value


_ABSENT = object()
