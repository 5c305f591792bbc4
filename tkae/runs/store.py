"""The store: one small JSON record a cell, written in one step when the cell ends.

A record carries its key and a checksum of its content. One that is cut short, edited or copied from
elsewhere is not trusted: it is reported and computed again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from tkae.runs.cell import Cell
from tkae.storage import load_arrays, save_arrays, write_atomically

FORMAT = 1


@dataclass
class Store:
    """Records below `<results_dir>/records`; several processes may use one folder at the same time."""

    results: Path
    distrusted: dict[Path, str] = field(default_factory=dict)  # records that were passed over, and why

    def path(self, cell: Cell) -> Path:
        parts = (cell.experiment.name, cell.dataset.name, cell.model.name)
        return self.results.joinpath("records", *parts, f"{cell.key}.json")

    def read(self, cell: Cell) -> dict[str, Any] | None:
        """The cell's record if there is one that can be trusted."""
        path = self.path(cell)
        try:
            content = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            self.distrusted[path] = f"cannot be read ({error.__class__.__name__})"
            return None
        try:
            stored = json.loads(content)
            reason = _distrust(stored, cell)
        except ValueError:
            stored, reason = {}, "is cut short or not JSON"
        if reason:
            self.distrusted[path] = reason
            return None
        record: dict[str, Any] = stored["record"]
        if "arrays" in record and self._checksum(cell) != record["arrays"]:
            self.distrusted[path] = "has lost its arrays, or they were changed"
            return None
        return record

    def arrays_path(self, cell: Cell) -> Path:
        """Where what a figure draws of the cell is kept."""
        return self.path(cell).with_suffix(".safetensors")

    def arrays(self, cell: Cell) -> dict[str, npt.NDArray[Any]]:
        """What a figure draws of a cell that is stored."""
        return load_arrays(self.arrays_path(cell), cell.key)[0]

    def write_arrays(self, cell: Cell, arrays: Mapping[str, npt.NDArray[Any]]) -> str:
        """Keep arrays beside the record, which is written after them and holds this checksum."""
        save_arrays(self.arrays_path(cell), dict(arrays), {}, cell.key)
        return self._checksum(cell)

    def _checksum(self, cell: Cell) -> str:
        """Of the cell's arrays; empty where there are none."""
        try:
            return hashlib.sha256(self.arrays_path(cell).read_bytes()).hexdigest()
        except OSError:
            return ""

    def has(self, key: str) -> bool:
        """Whether there is a record of this name, of whatever experiment."""
        return any(self.results.glob(f"records/*/*/*/{key}.json"))

    def write(self, cell: Cell, record: dict[str, Any]) -> None:
        """Keep what a cell gave: `status`, `metrics` or `error`, and where and how it was computed."""
        full = {"identity": cell.identity, **record}
        stored = {"format": FORMAT, "key": cell.key, "sha256": _digest(full), "record": full}
        write_atomically(self.path(cell), json.dumps(stored, indent=1, sort_keys=True) + "\n")


def _distrust(stored: Any, cell: Cell) -> str:
    """Why a record is not this cell's, or nothing."""
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        return f"is not a record of format {FORMAT}"
    if stored.get("key") != cell.key:
        return "belongs to another cell"
    record = stored.get("record")
    if not isinstance(record, dict) or stored.get("sha256") != _digest(record):
        return "was changed after it was written (its checksum is wrong)"
    if json.dumps(record.get("identity"), sort_keys=True) != json.dumps(cell.identity, sort_keys=True):
        return "belongs to another cell"
    return ""


def _digest(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
