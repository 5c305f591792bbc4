"""What the generators share: the draw is a matter of settings and a seed, and needs no file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Splits
from tkae.data.files import Files
from tkae.fields import setting
from tkae.seeding import stream


@dataclass
class Generated(Dataset):
    """A new draw a seed, unless `draw` fixes one for all seeds."""

    generator: ClassVar[str] = ""  # the name of its random streams, which presets share; else its own
    version: ClassVar[int] = 1  # raised whenever the generator gives other numbers

    train: int = setting(200, at_least=1, at_most=1_000_000)  # series
    test: int = setting(1000, at_least=1, at_most=1_000_000)
    standardise: str = setting("variate", one_of=("variate", "series", "none"))
    # variate: as the protocol says; series: each variate of each series over its own steps; none: as they are
    draw: int | None = setting(None, at_least=0)  # one draw for all runs; null: draw number s for run s

    def chance(self, seed: int, *names: str | int) -> np.random.Generator:
        """The random stream of these names in the draw that a run with `seed` sees.

        A preset (ODE5) draws as the generator (ODE) itself: the same settings give the same series by
        whatever name.
        """
        draw = seed if self.draw is None else self.draw
        return stream(draw, "dataset", self.generator or self.name, *names)

    @property
    def series(self) -> int:
        return max(self.train, self.test)

    def at_most(self, series: int | None) -> Self:
        most = self.series if series is None else series
        return replace(self, train=min(self.train, most), test=min(self.test, most))

    def finished(self, train: Collection, test: Collection, classes: tuple[str, ...] = ()) -> Splits:
        """The splits, standardised as the settings say."""
        if self.standardise == "series":
            train, test = standardised(train), standardised(test)
        return Splits(train, test, classes, scaled=self.standardise != "variate")

    def fingerprint(self, files: Files) -> str:
        return f"generator {self.version}"


def standardised(x: Collection) -> Collection:
    """Every variate of every series with mean 0 and standard deviation 1 over its own steps."""
    count = x.lengths[:, None, None]
    mean = np.where(x.valid, x.values, 0.0).sum(axis=1, keepdims=True) / count
    square = np.where(x.valid, (x.values - mean) ** 2, 0.0).sum(axis=1, keepdims=True) / count
    deviation = np.sqrt(square)
    return x.replace((x.values - mean) / np.where(deviation > 0, deviation, 1.0))
