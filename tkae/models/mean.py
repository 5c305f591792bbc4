"""Mean imputation: a missing entry becomes the variate's mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.models.base import Model
from tkae.models.contract import completed
from tkae.models.filling import observed_means


@dataclass
class MeanFill(Model):
    """Fills with `value`, or with the training mean of each variate where `value` is null."""

    name: ClassVar[str] = "mean"
    title: ClassVar[str] = "Mean Imp."
    fitted: ClassVar[tuple[str, ...]] = ("means_",)

    value: float | None = None

    def learn(self, train: Collection, seed: int = 0) -> Self:
        width = train.shape[2]
        self.means_ = observed_means(train) if self.value is None else np.full(width, float(self.value))
        return self

    def complete(self, x: Collection) -> Collection:
        means: Floats = self._for(x, self._learned("means_"))
        return completed(x, np.broadcast_to(means, x.shape))
