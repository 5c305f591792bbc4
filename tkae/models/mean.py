"""Mean imputation: a missing entry becomes the variate's mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection, Floats
from tkae.data.inputs import Series
from tkae.fields import parameter
from tkae.models.base import Model
from tkae.models.contract import completed
from tkae.models.filling import observed_means


@dataclass
class MeanFill(Model):
    """A missing entry becomes the mean of its variate.

    Parameters
    ----------
    value : float, optional
        What stands there in place of the training mean, in the units of the series.

    The others are those of `Estimator`; `scale` is off, since means need no scaling.
    """

    name: ClassVar[str] = "mean"
    title: ClassVar[str] = "Mean Imp."
    fitted: ClassVar[tuple[str, ...]] = ("means_",)

    value: float | None = None
    scale: bool = parameter(False)

    def learn(self, train: Collection, seed: int = 0) -> Self:
        width = train.shape[2]
        self.means_ = observed_means(train) if self.value is None else np.full(width, float(self.value))
        return self

    def transform(self, X: Series) -> Any:
        """The series completed, in the form in which they are given: what an imputer does in a pipeline."""
        return self.impute(X)

    def fit_transform(self, X: Series, y: npt.ArrayLike | None = None) -> Any:
        """`fit`, and the training series completed."""
        return self.fit(X).impute(X)

    def complete(self, x: Collection) -> Collection:
        means: Floats = self._for(x, self._learned("means_"))
        return completed(x, np.broadcast_to(means, x.shape))
