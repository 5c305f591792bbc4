"""The store: one small JSON record a cell, written in one step when the cell ends.

A record carries its key and a checksum of its content. One that is cut short, edited or copied from
elsewhere is not trusted: it is reported and computed again. Beside it are the arrays that belong to it: the
outcome of each test series, training curves, and what a figure draws.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from glob import glob
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tkae.errors import DataError, UserError
from tkae.runs.cell import Cell
from tkae.runs.entry import Entry, Record
from tkae.runs.held import Held
from tkae.runs.index import WORTH, Read, read_index, stamp, write_index
from tkae.runs.packed import Arrays, Packed, packed_in
from tkae.runs.record import parsed, written
from tkae.storage import LARGE, load_arrays, save_arrays, write_atomically

MARKER = ".reference"  # a file that says: what stands here is evidence, no run writes here
# The folders that a run writes into. Links to files lead it nowhere: they are replaced.
WRITTEN = ("*", "*/*", "records/*/*", "records/*/*/*")


def refuse_reference(folder: Path) -> None:
    """No run writes into evidence, by whatever name it is called, nor where a file is."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file, not a folder for results")
    links = (path for pattern in WRITTEN for path in folder.glob(pattern) if _leads_away(path))
    for place in (folder, *links):
        real = Path(os.path.realpath(place))  # of a link to itself, too
        for parent in (real, *real.parents):
            if (parent / MARKER).exists():
                raise UserError(f"{place}: {parent} holds the reference results; choose another folder")


def _leads_away(path: Path) -> bool:
    return path.is_symlink() and path.is_dir()


@dataclass
class Store:
    """Records below `<results_dir>/records`; several processes may use one folder at the same time.

    Packed records (see `tkae.runs.packed`) in the same folder are shown as well, but never written.
    """

    results: Path
    distrusted: dict[str, str] = field(default_factory=dict)  # records that were passed over, and why
    _packed: dict[Path, Packed] = field(default_factory=dict, repr=False)
    _held: Held = field(default_factory=Held, repr=False)
    _read: Read = field(default_factory=dict, repr=False)  # records that were found whole, by path
    _parsed: int = field(default=0, repr=False)  # of these, what was not taken from the index

    @cached_property
    def folder(self) -> Path:
        return self.results / "records"

    def path(self, entry: Entry) -> Path:
        return Path(self._place(entry.key, entry.story))

    def model_path(self, entry: Entry) -> Path:
        """Where the fitted model of a cell is, if it was kept."""
        return self.path(entry).with_suffix(".model.safetensors")

    def has_model(self, entry: Entry) -> bool:
        return self.model_path(entry).exists()

    def _place(self, key: str, story: Mapping[str, Any]) -> str:
        """The path of a record; as text, since there may be very many."""
        return f"{self.folder}/{story['experiment']}/{story['dataset']}/{story['model']}/{key}.json"

    def read(self, cell: Cell) -> Record | None:
        """The cell's record if there is one that can be trusted; its story is brought up to date.

        What an experiment's own settings are may have changed since it was computed; its numbers have not.
        But a row of ours or of the ablations stays one, though a user may come upon its settings as well.
        """
        path = self._place(cell.key, cell.story)
        found = self._trusted(path, cell.key)
        if found is None or found.record is None:
            return None
        record = found.record
        ours = record["story"]["control"] or record["story"].get("line")
        stays = ours and cell.changed and not cell.line
        told = self._held.one_of(cell.told)
        if told is not record["story"] and told != record["story"] and not stays:
            record = {**record, "story": cell.story}
            with suppress(DataError):  # in a folder that can only be read, the old story stays
                write_atomically(Path(path), written(cell.entry(record), indent=1))
        return record

    def entries(self, experiment: str = "*") -> Iterator[Entry]:
        """All that is stored, of one experiment or of all, each key once; single records come first."""
        seen: set[str] = set()
        folders = glob(f"{experiment}/*/*/", root_dir=self.folder)
        for folder in sorted(folders, key=lambda folder: folder.split(os.sep)):
            for name in sorted(os.listdir(self.folder / folder)):
                if name.endswith(".json") and not name.startswith("."):
                    entry = self._trusted(f"{self.folder}/{folder}{name}", name.removesuffix(".json"))
                    if entry is not None:
                        seen.add(entry.key)
                        yield entry
        for path in packed_in(self.folder, experiment):
            if path not in self._packed:
                self._packed[path] = Packed.read(path, self._held)
            packed = self._packed[path]
            self.distrusted |= packed.distrusted
            new = [entry for entry in packed.entries if entry.key not in seen]
            seen |= {entry.key for entry in new}
            yield from new

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

    def recall(self) -> None:
        """Take what an earlier command kept, where all or most of it will be read."""
        self._read = read_index(self.folder, self._held)

    def remember(self) -> None:
        """Keep what was read for the next command, if it was much."""
        if self._parsed >= WORTH:
            write_index(self.folder, self._read)
            self._parsed = 0

    def has(self, key: str) -> bool:
        """Whether there is a record of this name, of whatever experiment."""
        return any(self.folder.glob(f"*/*/*/{key}.json"))

    def has_done(self, key: str) -> bool:
        """Whether one of these is whole, and of a cell that did not fail."""
        found = (self._trusted(str(path), key) for path in self.folder.glob(f"*/*/*/{key}.json"))
        return any(entry is not None and entry.done for entry in found)

    def write(self, entry: Entry, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Keep an entry with its record and what belongs to that, which is written first."""
        record = {**(entry.record or {}), "identity": entry.identity, "story": entry.story}
        record["arrays"] = sorted(arrays)
        if arrays:
            save_arrays(self.path(entry).with_suffix(".safetensors"), dict(arrays), {}, entry.key)
        write_atomically(self.path(entry), written(replace(entry, record=record), indent=1))

    def _trusted(self, path: str, key: str) -> Entry | None:
        """The entry at `path`, if it is whole and its own; read again only if the file has changed."""
        try:
            about = os.stat(path)
            if not stat.S_ISREG(about.st_mode):  # a pipe would never end
                raise DataError("not a plain file")
            if about.st_size > LARGE:  # a thousand times as large as any is
                raise DataError("too large")
            now = stamp(about)
            known, found = self._read.get(path, (None, ""))
            if known != now:
                with open(path, encoding="utf-8") as file:
                    found = parsed(file.read(), key, self._held)
        except FileNotFoundError:
            return None
        except DataError as error:
            found = f"cannot be read ({error})"
        except (OSError, UnicodeDecodeError) as error:
            found = f"cannot be read ({error.__class__.__name__})"
        if isinstance(found, Entry) and found.record is not None:
            if not found.record.get("arrays") or os.path.exists(f"{path.removesuffix('.json')}.safetensors"):
                if known != now:
                    self._read[path] = now, found
                    self._parsed += 1
                return found
            found = "has lost its arrays"
        self.distrusted[path] = str(found)
        return None
