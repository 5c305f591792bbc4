"""Packs results folders into few files and unpacks them again; what is stored is never dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tkae.errors import UserError
from tkae.runs.entry import Entry
from tkae.runs.packed import Arrays, Packed
from tkae.runs.store import Store


@dataclass
class Tally:
    """What packing or unpacking did."""

    records: int = 0
    differing: list[str] = field(default_factory=list)  # stored twice with other figures: the first stands
    distrusted: dict[str, str] = field(default_factory=dict)


def pack(sources: Sequence[Path], target: Path) -> Tally:
    """All records of the sources, and those that the target has, as packed files in the target.

    What the target has stands, and then what an earlier source has; but a finished cell takes the place of
    a failed one, and the same figures with arrays that of those without.
    """
    tally = Tally()
    held: dict[str, Entry] = {}
    arrays: dict[str, Arrays] = {}
    for folder in (target, *sources):
        store = _store(folder, must_exist=folder != target)
        for entry in store.entries():
            known, own = held.get(entry.key), store.arrays(entry)
            if known is not None and known.done and entry.done and _figures(known) != _figures(entry):
                tally.differing.append(entry.label)
                continue
            if known is None or (entry.done and not known.done) or (own and entry.key not in arrays):
                held[entry.key] = entry
                arrays |= {entry.key: own} if own else {}
        tally.distrusted |= store.distrusted
    files: dict[str, list[Entry]] = {}
    for entry in held.values():
        files.setdefault(f"{entry.experiment}.{entry.protocol}", []).append(entry)
    for stem, entries in files.items():
        keys = {entry.key for entry in entries}
        own_arrays = {key: own for key, own in arrays.items() if key in keys}
        Packed.write(target / "records" / f"{stem}.jsonl", entries, own_arrays)
    tally.records = len(held)
    return tally


def unpack(source: Path, target: Path) -> Tally:
    """Every record of the source as one of its own in the target, so that a run goes on with them."""
    store, goal = _store(source, must_exist=True), Store(target)
    tally = Tally()
    known = {entry.key for entry in goal.entries() if entry.done}
    for entry in store.entries():
        if entry.key not in known:
            goal.write(entry, store.arrays(entry))
            tally.records += 1
    tally.distrusted = store.distrusted
    return tally


def _store(folder: Path, must_exist: bool) -> Store:
    store = Store(folder)
    if must_exist and not store.folder.is_dir():
        raise UserError(f"{folder} has no folder records/: is it a results folder?")
    return store


def _figures(entry: Entry) -> object:
    return entry.record.get("metrics") if entry.record else None
