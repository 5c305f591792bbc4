"""Applies a dataclass as a schema: a wrong key or value fails with one line that says what fits."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from tkae.errors import UserError, nearest
from tkae.fields import allowed, expected, settings

T = TypeVar("T")


def build(cls: type[T], given: Mapping[str, Any], where: str) -> T:
    """An instance of a settings dataclass from config values; `where` is the prefix of their keys."""
    try:
        written = json.dumps(given)
    except (TypeError, ValueError, RecursionError) as error:  # a config file may hold bytes, or itself
        raise UserError(f"{where}: {error}; settings are texts, numbers, lists and mappings") from None
    # The points of a grid ask for the same things again and again, and checking is slow.
    made: T = copy.copy(_built(cls, written, where))  # type: ignore[arg-type]
    return made


@cache
def _built(cls: Any, written: str, where: str) -> Any:
    given = json.loads(written)
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    specs = {spec.name: spec for spec in settings(cls)}
    holder = copy.deepcopy(_empty(cls))
    for key, value in given.items():
        if key not in specs:
            raise unknown_key(f"{where}.{key}" if where else key, key, specs)
        try:
            holder[key] = value
        except OmegaConfBaseException:
            raise _wrong(where, key, value, expected(specs[key])) from None
    values: Any = OmegaConf.to_container(holder)
    for key, spec in specs.items():
        refers = OmegaConf.is_missing(holder, key) or OmegaConf.is_interpolation(holder, key)
        if refers or not _as_said(given.get(key, values[key]), values[key]) or not allowed(spec, values[key]):
            raise _wrong(where, key, given.get(key, values[key]), expected(spec))
    return cls(**values)


@cache
def _empty(cls: Any) -> Any:
    """A holder with the defaults of a class: copies are made much quicker than it is."""
    from omegaconf import OmegaConf

    return OmegaConf.structured(cls)


def _as_said(given: Any, made: Any) -> bool:
    """Whether a value was taken for what it is: OmegaConf makes 5 of 5.9, and true of -1."""
    return (
        isinstance(given, str) or isinstance(made, str) or (given == made and _truth(given) == _truth(made))
    )


def _truth(value: Any) -> bool:
    return isinstance(value, bool)


def unknown_key(full: str, key: str, known: Mapping[str, Any]) -> UserError:
    """The sentence for a key that does not exist."""
    rest = f"; known here: {', '.join(known)}" if known else "; it has no settings"
    return UserError(f"unknown key '{full}'{nearest(key, known)}{rest}")


def _wrong(where: str, key: str, value: Any, wanted: str) -> UserError:
    full = f"{where}.{key}" if where else key
    shown = "null" if value is None else str(value).lower() if _truth(value) else value
    hint = nearest(str(value), wanted.removeprefix("one of ").split(", ")) if "one of" in wanted else ""
    return UserError(f"{full}={shown} is not allowed{hint}: it takes {wanted}")
