"""What many records tell alike is held and looked at once: a sweep of 100 000 cells has few stories."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from sys import intern
from typing import Any, TypeVar, cast

from tkae.runs.form import WHOLE
from tkae.runs.identity import around_seed, key_around

T = TypeVar("T")


class Held:
    """Parts of records by what they hold; equal ones become one object, which lives as long as this."""

    def __init__(self) -> None:
        self.right: set[tuple[str, int]] = set()  # parts whose form was looked at: see `misformed`
        self._known: dict[bytes, Any] = {}
        self._lasting: dict[int, tuple[Any, Any]] = {}
        self._around: dict[tuple[object, ...], tuple[str, str]] = {}

    def one(self, part: T) -> T:
        """The part that was seen first of those that are equal to this one, down to types and order."""
        known: T = self._known.setdefault(marshal.dumps(cast(Any, part), 2), part)
        return known

    def one_of(self, lasting: T) -> T:
        """The same of an object that is asked for again and again, and kept for that."""
        if id(lasting) not in self._lasting:
            self._lasting[id(lasting)] = lasting, self.one(lasting)
        known: T = self._lasting[id(lasting)][1]
        return known

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The same record, made of what is held already where others have it as well."""
        found = {intern(name): self.one(part) if name in WHOLE else part for name, part in record.items()}
        found["identity"] = {intern(name): self.one(part) for name, part in record["identity"].items()}
        for name, part in found.items():
            if name not in WHOLE and name != "identity" and isinstance(part, dict):
                found[name] = {intern(key): value for key, value in part.items()}
        return found

    def key(self, identity: Mapping[str, Any]) -> str:
        """The key of an identity whose parts are held."""
        parts = tuple((name, id(part)) for name, part in identity.items() if name != "seed")
        if parts not in self._around:
            self._around[parts] = around_seed(identity)
        return key_around(*self._around[parts], identity["seed"])
