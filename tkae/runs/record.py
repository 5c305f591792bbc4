"""The form of a record: JSON with its key, and a checksum over all that it tells."""

from __future__ import annotations

import hashlib
import json
import re

from tkae.runs.entry import Entry, Record
from tkae.runs.form import misformed
from tkae.runs.held import Held

FORMAT = 2
BREAK = re.compile(r"\n *")  # within a text it would be escaped
RECORD = '"record": '


def written(entry: Entry, indent: int | None = None) -> str:
    """A stored entry as text; without an indent, one line."""
    stored = {"format": FORMAT, "key": entry.key, "sha256": digest(entry.record), "record": entry.record}
    return json.dumps(stored, indent=indent, sort_keys=True) + "\n"


def parsed(text: str, key: str | None = None, held: Held | None = None) -> Entry | str:
    """What `written` wrote; or why it cannot be trusted, or is not of the cell with this `key`.

    Parts that are `held` already are taken from there, and not looked at again.
    """
    held = held or Held()
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        return "is cut short or not JSON"
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        return f"is not a record of format {FORMAT}"
    record, own = stored.get("record"), stored.get("key")
    if not isinstance(record, dict) or not _whole(text, record, stored.get("sha256")):
        return "was changed after it was written (its checksum is wrong)"
    if isinstance(record.get("identity"), dict):
        try:
            record = held.record(record)
        except ValueError:
            return "is nested too deeply"
    if place := misformed(record, held.right):
        return f"does not tell {place} as a record does"
    if held.key(record["identity"]) != own or key not in (None, own):
        return "belongs to another cell"
    return Entry.of(str(own), record)


def _whole(text: str, record: Record, sha256: object) -> bool:
    """Whether the checksum is that of the record.

    As a rule the text is as `written` made it, and the record's is what stands in it without the breaks of
    lines, which is found faster than it is written again.
    """
    line = BREAK.sub("", text.replace(",\n", ", \n"))
    start, stop = line.find(RECORD) + len(RECORD), line.rfind(', "sha256": "')
    as_it_stands = hashlib.sha256(line[start:stop].encode()).hexdigest()
    return sha256 == as_it_stands or sha256 == digest(record)


def digest(record: Record | None) -> str:
    """The checksum of all that a record tells."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
