"""Settings as dataclass fields that carry their limits, so that a config value is checked where it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import MISSING, Field, field, fields
from numbers import Integral, Real
from typing import Any

_UNSAID = object()
# By a part of a type's name, the first that fits: what it is in words.
KINDS = {
    "dict[str, dict": "a mapping of mappings",
    "list[dict": "a list of mappings",
    "dict": "a mapping",
    "list": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
}


def setting(
    default: Any,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    one_of: Sequence[Any] | None = None,
    identity: bool | None = None,
    absent: Any = _UNSAID,
    alias: str | None = None,
) -> Any:
    """A dataclass field with a default and the values that it may take.

    `identity=False` marks a setting that changes no number, such as a path: two cells that differ only
    there are the same cell. The other two keep the keys of stored cells as they are: `absent` is the value
    that a key without this setting stands for (its default, unless that was changed since), and `alias` the
    name that a renamed setting had before.
    """
    limits = {
        "at_least": at_least,
        "at_most": at_most,
        "one_of": one_of,
        "identity": identity,
        "alias": alias,
    }
    metadata = {key: value for key, value in limits.items() if value is not None}
    if absent is not _UNSAID:
        metadata["absent"] = absent
    return field(default=default, metadata=metadata)


def parameter(default: Any, *, at_least: float | None = None, at_most: float | None = None) -> Any:
    """A dataclass field beside the settings: what a user of the library says of a model, and no experiment.

    It is in no config file, no key and no comparison.
    """
    limits = {"at_least": at_least, "at_most": at_most}
    metadata = {key: value for key, value in limits.items() if value is not None}
    beside = {"parameter": True, "omegaconf_ignore": True}
    return field(default=default, kw_only=True, compare=False, metadata=metadata | beside)


def settings(thing: Any) -> tuple[Field[Any], ...]:
    """The fields of a dataclass or an instance that are settings."""
    return tuple(spec for spec in fields(thing) if "parameter" not in spec.metadata)


def values(thing: Any) -> dict[str, Any]:
    """The settings of a dataclass instance by name."""
    return {spec.name: getattr(thing, spec.name) for spec in settings(thing)}


def expected(spec: Field[Any]) -> str:
    """What a field takes, in words for an error message."""
    kind = str(spec.type)
    limits = spec.metadata
    if "one_of" in limits:
        return "one of " + ", ".join(str(value) for value in limits["one_of"])
    words = next((words for part, words in KINDS.items() if part in kind), "text")
    if "at_least" in limits and "at_most" in limits:
        words += f" from {limits['at_least']} to {limits['at_most']}"
    elif "at_least" in limits:
        words += f" of at least {limits['at_least']}"
    elif "at_most" in limits:
        words += f" of at most {limits['at_most']}"
    return words + (" or null" if "None" in kind else "")


def allowed(spec: Field[Any], value: Any) -> bool:
    """Whether a value is of the field's type and within its limits."""
    limits, kind = spec.metadata, str(spec.type)
    if value is None:
        return "None" in kind or kind == "Any"
    if not _of_kind(kind, value):
        return False
    if "one_of" in limits:
        return value in limits["one_of"]
    if isinstance(value, Real) and not math.isfinite(value):
        return False
    if not isinstance(value, (int, float)):  # limits are of numbers
        return "at_least" not in limits and "at_most" not in limits
    if "at_least" in limits and value < limits["at_least"]:
        return False
    return not ("at_most" in limits and value > limits["at_most"])


def _of_kind(kind: str, value: Any) -> bool:
    """Whether a value is of the type that a field's annotation names; NumPy's numbers are numbers, too."""
    if "dict" in kind or "list" in kind or "Any" in kind:
        return True
    if "bool" in kind:
        return type(value).__name__ in ("bool", "bool_")  # NumPy's, which takes long to import, has had both
    if "float" in kind or "int" in kind:
        return isinstance(value, Real if "float" in kind else Integral) and not isinstance(value, bool)
    return isinstance(value, str)


def identity(thing: Any) -> dict[str, Any]:
    """The settings of a dataclass instance that decide what it computes."""
    specs = [spec for spec in settings(thing) if spec.metadata.get("identity", True)]
    return {spec.name: getattr(thing, spec.name) for spec in specs}


def absent(spec: Field[Any]) -> Any:
    """The value that a key without this setting stands for."""
    if "absent" in spec.metadata:
        return spec.metadata["absent"]
    return spec.default if spec.default_factory is MISSING else spec.default_factory()


def keyed(thing: Any, idle: frozenset[str] = frozenset()) -> dict[str, Any]:
    """What of a dataclass instance enters a key: the settings that decide what it computes, but for those
    that are as a key without them says, and for the `idle` ones, which change nothing beside the others.
    """
    specs = {spec.name: spec for spec in settings(thing) if spec.name not in idle}
    return {
        specs[name].metadata.get("alias", name): value
        for name, value in identity(thing).items()
        if name in specs and value != absent(specs[name])
    }
