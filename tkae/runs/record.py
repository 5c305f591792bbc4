"""The form of a record: JSON with its key, and a checksum over all that it tells."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tkae.runs.entry import Entry, Record
from tkae.runs.form import misformed

FORMAT = 2


def key_of(identity: Mapping[str, Any]) -> str:
    """The key of the cell that is identified so."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]


def written(entry: Entry, indent: int | None = None) -> str:
    """A stored entry as text; without an indent, one line."""
    stored = {"format": FORMAT, "key": entry.key, "sha256": digest(entry.record), "record": entry.record}
    return json.dumps(stored, indent=indent, sort_keys=True) + "\n"


def parsed(text: str, key: str | None = None) -> Entry | str:
    """What `written` wrote; or why it cannot be trusted, or is not of the cell with this `key`."""
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        return "is cut short or not JSON"
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        return f"is not a record of format {FORMAT}"
    record, own = stored.get("record"), stored.get("key")
    if not isinstance(record, dict) or stored.get("sha256") != digest(record):
        return "was changed after it was written (its checksum is wrong)"
    if place := misformed(record):
        return f"does not tell {place} as a record does"
    if key_of(record["identity"]) != own or key not in (None, own):
        return "belongs to another cell"
    return Entry.of(str(own), record)


def digest(record: Record | None) -> str:
    """The checksum of all that a record tells."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
