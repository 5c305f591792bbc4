"""Evidence in few files: the records of an experiment under a protocol, a line each, and their arrays.

    records/classification.paper.jsonl          one record a line, in the order of their rows and seeds
    records/classification.paper.safetensors    what is kept beside them, by key

Such files can be committed, compared and merged: a new cell is a new line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tkae.errors import DataError
from tkae.runs.entry import Entry
from tkae.runs.held import Held
from tkae.runs.record import parsed, written
from tkae.storage import load_arrays, refuse_special, save_arrays, write_atomically

Arrays = dict[str, npt.NDArray[Any]]


def packed_in(folder: Path, experiment: str = "*") -> list[Path]:
    """The files with packed records of an experiment, or of all."""
    return sorted(path for path in folder.glob(f"{experiment}.*.jsonl") if path.is_file())


@dataclass
class Packed:
    """One such file."""

    path: Path
    entries: list[Entry] = field(default_factory=list)
    distrusted: dict[str, str] = field(default_factory=dict)  # by the place of a line, why it was passed over

    @classmethod
    def read(cls, path: Path, held: Held | None = None) -> Packed:
        packed = cls(path)
        try:
            refuse_special(path, copies=10)
        except DataError as error:
            packed.distrusted[str(path)] = f"cannot be read ({error})"
            return packed
        lines = path.read_bytes().decode(errors="replace").splitlines()
        first: dict[str, tuple[int, Entry]] = {}  # a merge of two files may leave a line twice
        for number, line in enumerate(lines, start=1):
            found = parsed(line, held=held)
            if isinstance(found, Entry):
                known, entry = first.setdefault(found.key, (number, found))
                if entry.record == found.record:
                    continue
                found = f"is another record of the cell in line {known}"
            packed.distrusted[f"{path}, line {number}"] = found
        packed.entries += [entry for _, entry in first.values()]
        return packed

    @classmethod
    def write(cls, path: Path, entries: Sequence[Entry], arrays: Mapping[str, Arrays]) -> None:
        """The records in the order of their rows; `arrays` by key, where some are kept."""
        lines = sorted(entries, key=lambda entry: (entry.row, entry.runs_of, entry.seed, entry.key))
        flat = {f"{key}/{name}": array for key, own in arrays.items() for name, array in own.items()}
        if flat:
            beside = path.with_suffix(".safetensors")
            save_arrays(beside, dict(sorted(flat.items())), {}, beside.name)
        write_atomically(path, "".join(written(entry) for entry in lines))

    def arrays(self, key: str) -> Arrays:
        """What is kept beside one record; nothing where that is lost."""
        return self._arrays.get(key, {})

    @cached_property
    def _arrays(self) -> dict[str, Arrays]:
        """By key; nothing where they are damaged, which is said."""
        beside = self.path.with_suffix(".safetensors")
        try:
            flat = load_arrays(beside, beside.name)[0] if beside.exists() else {}
        except DataError as error:
            self.distrusted[str(beside)] = str(error)
            return {}
        found: dict[str, Arrays] = {}
        for full, array in flat.items():
            key, _, name = full.partition("/")
            found.setdefault(key, {})[name] = array
        return found
