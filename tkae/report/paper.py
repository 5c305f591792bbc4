"""The paper is data: every number that it prints, with its place, as rows of `paper_numbers.csv`.

A printed number may hold for several methods or datasets ("TAE, TKAE", "ODE5 to ODE20"); its row then names
them all, with spaces between. Numbers stay text as printed, since 0.04 and 0.040 claim different precision.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

NUMBERS_FILE = Path(__file__).with_name("paper_numbers.csv")

Key = tuple[str, str, str, str, str]  # experiment, dataset, method, metric, and where on a sweep


@dataclass(frozen=True)
class PaperNumber:
    """One printed number (or word, with unit `text`) and where it stands in the paper."""

    experiment: str
    place: str  # the LaTeX label of its table or figure, else `text:` and a name for the paragraph
    dataset: str  # one or several names; empty where it holds for none in particular
    method: str  # one or several names; empty where it holds for none in particular
    metric: str
    value: str  # as printed
    spread: str  # the printed +-, empty if there is none
    decimals: int  # printed decimals of the value
    unit: str
    note: str  # known misprints and contradictions
    measured_on: str = ""  # the dataset that it is of, where that is another than the paper says
    at: str = ""  # the point of a sweep that it belongs to, as `missingness.rate=0.9`

    @property
    def number(self) -> float:
        """The value in its unit; a word raises ValueError."""
        return float(self.value)

    @property
    def std(self) -> float | None:
        """The printed spread, which the paper never defines; taken as a standard deviation."""
        return float(self.spread) if self.spread else None

    @property
    def misprint(self) -> bool:
        """A number that cannot be what was meant."""
        return self.note.startswith("misprint")

    @property
    def half_last_digit(self) -> float:
        """How far rounding may have moved the value: 0.05 for 83.5."""
        return 0.5 * 10.0**-self.decimals

    def answers(self) -> list[Key]:
        """Every key that the number answers for."""
        datasets, methods = self.dataset.split() or [""], self.method.split() or [""]
        return [(self.experiment, d, m, self.metric, self.at) for d, m in product(datasets, methods)]


@cache
def load_paper() -> tuple[PaperNumber, ...]:
    """All rows of the file, in the file's order."""
    with NUMBERS_FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            PaperNumber(**{**row, "decimals": int(row["decimals"])})  # type: ignore[arg-type]
            for row in csv.DictReader(file)
        )


@cache
def _by_key() -> dict[Key, PaperNumber]:
    return {key: number for number in load_paper() for key in number.answers()}


def printed(
    experiment: str, dataset: str, method: str, metric: str, point: Mapping[str, Any] | None = None
) -> PaperNumber | None:
    """What the paper prints for this, or None; pass "" for a dataset or method that does not apply.

    `point` has the values of what the experiment sweeps, if it sweeps anything.
    """
    at = " ".join(f"{key}={value}" for key, value in (point or {}).items())
    return _by_key().get((experiment, dataset, method, metric, at))


@cache
def compared(experiment: str, dataset: str, metrics: tuple[str, ...]) -> frozenset[str]:
    """The methods that the paper compares here: it prints one of these figures for them."""
    return frozenset(key[2] for key in _by_key() if key[:2] == (experiment, dataset) and key[3] in metrics)
