"""Sinusoids: y(t) = sin(a t + b) with random frequency and phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tkae.data.collection import Collection, refuse_too_large
from tkae.data.dataset import Splits
from tkae.data.files import Files
from tkae.data.sets.generated import Generated
from tkae.fields import setting


@dataclass
class Sinusoids(Generated):
    """The paper says a, b ~ N(0, 1) and t in [0, 100]; its program drew from U(0, 1) with t = 0..99."""

    name: ClassVar[str] = "sinusoids"
    generator: ClassVar[str] = "sinusoids"
    title: ClassVar[str] = "Sinusoids"
    labelled: ClassVar[bool] = False

    standardise: str = setting(
        "none", one_of=("variate", "series", "none")
    )  # the printed errors are of these
    coefficients: str = setting("normal", one_of=("normal", "uniform"))  # of a and b
    steps: int = setting(101, at_least=1, at_most=100_000)  # t = 0, 1, ..., steps - 1

    def load(self, files: Files, seed: int) -> Splits:
        return self.finished(self._split(seed, "train", self.train), self._split(seed, "test", self.test))

    def _split(self, seed: int, split: str, count: int) -> Collection:
        refuse_too_large(count, self.steps, 1)
        rng = self.chance(seed, split)
        a, b = rng.standard_normal((2, count)) if self.coefficients == "normal" else rng.random((2, count))
        return Collection(np.sin(a[:, None] * np.arange(self.steps) + b[:, None])[:, :, None])
