"""The store: one small JSON record a cell, written in one step when the cell ends.

A record carries its key and a checksum of its content. One that is cut short, edited or copied from
elsewhere is not trusted: it is reported and computed again. Beside it are the arrays that belong to it: the
outcome of each test series, training curves, and what a figure draws.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tkae.errors import DataError, UserError
from tkae.runs.cell import Cell
from tkae.runs.entry import Entry, Record
from tkae.runs.packed import Arrays, Packed, packed_in
from tkae.runs.record import parsed, written
from tkae.storage import load_arrays, refuse_special, save_arrays, write_atomically

MARKER = ".reference"  # a file that says: what stands here is evidence, no run writes here


def refuse_reference(folder: Path) -> None:
    """No run writes into evidence, by whatever name it is called, nor where a file is."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file, not a folder for results")
    inside = folder.iterdir() if folder.is_dir() else ()
    for place in (folder, *(path for path in inside if path.is_symlink())):
        real = place.resolve()
        for parent in (real, *real.parents):
            if (parent / MARKER).exists():
                raise UserError(f"{place}: {parent} holds the reference results; choose another folder")


@dataclass
class Store:
    """Records below `<results_dir>/records`; several processes may use one folder at the same time.

    Packed records (see `tkae.runs.packed`) in the same folder are shown as well, but never written.
    """

    results: Path
    distrusted: dict[str, str] = field(default_factory=dict)  # records that were passed over, and why
    _packed: dict[Path, Packed] = field(default_factory=dict, repr=False)

    @property
    def folder(self) -> Path:
        return self.results / "records"

    def path(self, entry: Entry) -> Path:
        parts = (entry.story[name] for name in ("experiment", "dataset", "model"))
        return self.folder.joinpath(*parts, f"{entry.key}.json")

    def read(self, cell: Cell) -> Record | None:
        """The cell's record if there is one that can be trusted; its story is brought up to date.

        What an experiment's own settings are may have changed since it was computed; its numbers have not.
        But a row of ours or of the ablations stays one, though a user may come upon its settings as well.
        """
        own = cell.entry()
        found = self._trusted(self.path(own), cell.key)
        if found is None or found.record is None:
            return None
        record = found.record
        ours = record["story"]["control"] or record["story"].get("line")
        stays = ours and cell.changed and not cell.line
        if record["story"] != json.loads(json.dumps(cell.story)) and not stays:
            record = {**record, "story": cell.story}
            with suppress(DataError):  # in a folder that can only be read, the old story stays
                write_atomically(self.path(own), written(replace(own, record=record), indent=1))
        return record

    def entries(self, experiment: str = "*") -> Iterator[Entry]:
        """All that is stored, of one experiment or of all, each key once; single records come first."""
        seen: set[str] = set()
        for path in sorted(self.folder.glob(f"{experiment}/*/*/*.json")):
            entry = self._trusted(path, path.stem)
            if entry is not None:
                seen.add(entry.key)
                yield entry
        for path in packed_in(self.folder, experiment):
            packed = self._packed.setdefault(path, Packed.read(path))
            self.distrusted |= packed.distrusted
            yield from (entry for entry in packed.entries if entry.key not in seen)

    def arrays(self, entry: Entry, kind: str = "") -> Arrays:
        """What is kept beside a record, all or of one kind: `outcome`, `figure` or `curve`; nothing where
        that is lost or damaged.
        """
        names = [name for name in (entry.record or {}).get("arrays", []) if name.startswith(f"{kind}.")]
        if kind:
            kept = self.arrays(entry) if names else {}
            return {name.partition(".")[2]: kept[name] for name in names if name in kept}
        if entry.record is None or not entry.record.get("arrays"):
            return {}
        path = self.path(entry).with_suffix(".safetensors")
        try:
            if path.exists():
                return load_arrays(path, entry.key)[0]
        except DataError as error:
            path.unlink(missing_ok=True)  # so the next run computes the cell again
            self.distrusted[str(path)] = f"is damaged and was removed ({error})"
            return {}
        packed = self._packed.get(self.folder / f"{entry.experiment}.{entry.protocol}.jsonl")
        return packed.arrays(entry.key) if packed is not None else {}

    def has(self, key: str) -> bool:
        """Whether there is a record of this name, of whatever experiment."""
        return any(self.folder.glob(f"*/*/*/{key}.json"))

    def write(self, entry: Entry, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Keep an entry with its record and what belongs to that, which is written first."""
        record = {**(entry.record or {}), "identity": entry.identity, "story": entry.story}
        record["arrays"] = sorted(arrays)
        if arrays:
            save_arrays(self.path(entry).with_suffix(".safetensors"), dict(arrays), {}, entry.key)
        write_atomically(self.path(entry), written(replace(entry, record=record), indent=1))

    def _trusted(self, path: Path, key: str) -> Entry | None:
        """The entry at `path`, if it is whole and its own."""
        try:
            refuse_special(path)
            found = parsed(path.read_text(encoding="utf-8"), key)
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, DataError) as error:
            found = f"cannot be read ({error.__class__.__name__})"
        if isinstance(found, Entry) and found.record is not None:
            if not found.record.get("arrays") or path.with_suffix(".safetensors").exists():
                return found
            found = "has lost its arrays"
        self.distrusted[str(path)] = str(found)
        return None
