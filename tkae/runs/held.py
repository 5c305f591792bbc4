"""What many records tell alike is held once: a sweep of 100 000 cells has few stories and environments."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from sys import intern
from typing import Any

WHOLE = ("environment", "story")  # parts of a record that many share as they are


class Held:
    """Parts of records by what they hold; equal ones become one object."""

    def __init__(self) -> None:
        self._known: dict[bytes, Any] = {}

    def one(self, part: Any) -> Any:
        """The part that was seen first of those that are equal to this one, down to types and order."""
        return self._known.setdefault(marshal.dumps(part, 2), part)

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The same record, made of what is held already where others have it as well."""
        found = {intern(name): self.one(part) if name in WHOLE else part for name, part in record.items()}
        found["identity"] = {intern(name): self.one(part) for name, part in record["identity"].items()}
        for name, part in found.items():
            if name not in WHOLE and name != "identity" and isinstance(part, dict):
                found[name] = {intern(key): value for key, value in part.items()}
        return found
