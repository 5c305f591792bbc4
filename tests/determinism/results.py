"""What a results folder holds that must not depend on the surroundings, and how two of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.runs.stored import numbers


@dataclass(frozen=True)
class Results:
    """Of every cell all but times and the machine, with the arrays beside it; of the tables all bytes."""

    cells: Mapping[str, Any]  # by key: the record, and the arrays
    files: Mapping[str, bytes]  # tables, and the numbers that figures draw

    @classmethod
    def of(cls, folder: Path) -> Results:
        written = [*folder.glob("tables/*"), *folder.glob("figures/*.csv")]
        files = {str(path.relative_to(folder)): path.read_bytes() for path in written}
        return cls(numbers(folder), files)

    @property
    def arrays(self) -> int:
        return sum(len(arrays) for _, arrays in self.cells.values())


def differences(ours: Results, others: Results) -> list[str]:
    """A line for each cell and each file that is not the same in both, with what of it is not."""
    lines = []
    for key in sorted({*ours.cells, *others.cells}):
        pair = [results.cells.get(key) for results in (ours, others)]
        if None in pair:
            lines.append(f"cell {key}: only in {'the first' if pair[0] else 'the second'}")
        elif pair[0] != pair[1]:
            story = pair[0][0]["story"]
            what = f"{story['experiment']}.{story['protocol']} {story['dataset']} {story['method']}"
            lines.append(f"cell {key} ({what}): {', '.join(_parts(*pair))}")
    for name in sorted({*ours.files, *others.files}):
        texts = [results.files.get(name) for results in (ours, others)]
        if None in texts:
            lines.append(f"{name}: only in {'the first' if texts[0] is not None else 'the second'}")
        elif texts[0] != texts[1]:
            lines.append(f"{name}: {_line(*texts)}")
    return lines


def _parts(ours: Any, others: Any) -> Iterator[str]:
    """The names of the figures, arrays and other parts that differ between two cells."""
    for mine, its in zip(ours, others, strict=True):
        for name in _unlike(mine, its):
            one, other = mine.get(name), its.get(name)
            inside = _unlike(one, other) if isinstance(one, dict) and isinstance(other, dict) else []
            yield from (f"{name}.{part}" for part in inside) if inside else [name]


def _unlike(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]


def _line(ours: bytes, others: bytes) -> str:
    """The first line in which two files differ."""
    both = zip(ours.split(b"\n"), others.split(b"\n"), strict=False)
    pair = next((pair for pair in both if pair[0] != pair[1]), (b"", b"(as long as the shorter)"))
    return " / ".join(line.decode(errors="replace") for line in pair)
