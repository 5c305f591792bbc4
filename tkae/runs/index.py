"""What was read of single records, kept for the next command, so that 100 000 files are parsed once.

It is a shortcut and no store: a record is taken from it only while its file is the one that was read (by
times, size and inode), and else read again. Without it, or where it is damaged, all are read again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from tkae.errors import DataError
from tkae.runs import record
from tkae.runs.entry import Entry
from tkae.runs.form import misformed, misformed_own
from tkae.runs.held import Held
from tkae.storage import MISTAKEN, refuse_special, write_atomically

FORMAT = [2, record.FORMAT]
NAME = ".index"
WORTH = 1000  # records that were parsed by one command: of fewer, nobody notices

Stamp = tuple[int, int, int, int]
Read = dict[str, tuple[Stamp, Entry]]  # by path


def stamp(about: os.stat_result) -> Stamp:
    """What tells a file from another that takes its place, and from itself before it was edited."""
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino


def write_index(folder: Path, read: Read) -> None:
    """Keep what was read below `folder`; where that cannot be written, the next command reads it again."""
    with suppress(DataError, OSError, MemoryError):
        body = _body(folder, read)
        head = json.dumps({"format": FORMAT, "sha256": _digest(body)})
        write_atomically(folder / NAME, f"{head}\n{body}\n")


def _body(folder: Path, read: Read) -> str:
    parts: list[Any] = []
    numbers: dict[tuple[object, ...], int] = {}

    def number(part: Any, name: tuple[object, ...]) -> int:
        if name not in numbers:
            numbers[name] = len(parts)
            parts.append(part)
        return numbers[name]

    records = []
    for path, (now, entry) in read.items():
        if entry.record is None or not os.path.exists(path):
            continue
        own = dict(entry.record)
        identity, story, environment = map(own.pop, ("identity", "story", "environment"))
        alike = {name: part for name, part in identity.items() if name != "seed"}
        shared = (
            number(alike, tuple((name, id(part)) for name, part in alike.items())),
            number(story, (id(story),)),
            number(environment, (id(environment),)),
        )
        records.append([os.path.relpath(path, folder), now, identity["seed"], shared, own])
    return json.dumps({"parts": parts, "records": records}, separators=(",", ":"))


def read_index(folder: Path, held: Held) -> Read:
    """What the last command kept; nothing where that is damaged, or of another format."""
    try:
        refuse_special(folder / NAME, copies=10)
        with open(folder / NAME, encoding="utf-8") as file:
            head, body = json.loads(file.readline(200)), file.readline().rstrip("\n")
        if head != {"format": FORMAT, "sha256": _digest(body)}:
            return {}
        told = json.loads(body)
        return dict(_entries(folder, told["parts"], told["records"], held))
    except (DataError, OSError, RecursionError, *MISTAKEN):
        return {}


def _entries(
    folder: Path, parts: list[Any], records: list[Any], held: Held
) -> Iterator[tuple[str, tuple[Stamp, Entry]]]:
    """Of right form and made of held parts, as those that are parsed."""
    known: dict[tuple[int, ...], list[Any]] = {}
    root = str(folder)
    for place, now, seed, numbers, own in records:
        shared, wrong = known.get(tuple(numbers)), misformed_own
        if shared is None:  # the first that has these parts
            same, *whole = (parts[number] for number in numbers)
            alike = {name: held.one(part) for name, part in same.items()}
            shared, wrong = [alike, *map(held.one, whole)], partial(misformed, right=held.right)
            known[tuple(numbers)] = shared
        own["identity"] = {**shared[0], "seed": seed}
        own["story"], own["environment"] = shared[1:]
        if wrong(own):
            raise DataError(f"{root}/{NAME}: not what is kept of records")
        key = place.rpartition("/")[2].removesuffix(".json")
        yield f"{root}/{place}", (tuple(now), Entry.of(key, own))


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
