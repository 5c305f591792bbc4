"""PCA of the series unfolded into vectors of T·V numbers, gaps filled and padding 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Bools, Collection, Floats, Ints
from tkae.errors import DataError
from tkae.fields import setting
from tkae.models.base import Model
from tkae.models.filling import FILLS, in_steps, within


@dataclass
class PCA(Model):
    """The code is the projection on the first principal components.

    Steps beyond the longest training series have no weight: they do not enter the code and are
    reconstructed as 0. Where the training series span fewer dimensions, the rest of the code is 0.

    Parameters
    ----------
    code_size : int
        D_z, the number of components.
    fill : {"zero", "locf"}
        What stands at missing entries: 0, the mean of standardised series, or the last observed value.

    The others are those of `Estimator`.
    """

    name: ClassVar[str] = "pca"
    title: ClassVar[str] = "PCA"
    growth: ClassVar[float] = 1.5  # of a singular value decomposition, from few series to many
    fitted: ClassVar[tuple[str, ...]] = ("mean_", "components_")

    code_size: int = setting(10, at_least=1, at_most=10_000)
    fill: str = setting("zero", one_of=tuple(FILLS))

    def learn(self, train: Collection, seed: int = 0) -> Self:
        steps, width = int(train.lengths.max()), train.shape[2]
        vectors = in_steps(FILLS[self.fill](train), steps).reshape(len(train), steps * width)
        mean = vectors.mean(axis=0)
        _, singular, axes = np.linalg.svd(vectors - mean, full_matrices=False)
        rounding = singular.max(initial=0.0) * max(vectors.shape) * np.finfo(float).eps
        rank = min(self.code_size, int((singular > rounding).sum()))
        components = np.zeros((self.code_size, steps * width))
        components[:rank] = _signed(axes[:rank])
        self.mean_: Floats = mean.reshape(steps, width)
        self.components_: Floats = components.reshape(self.code_size, steps, width)
        return self

    def encode(self, x: Collection) -> Floats:
        mean = self._for(x, self._learned("mean_"))
        vectors = in_steps(FILLS[self.fill](x), len(mean))
        return (vectors - mean).reshape(len(x), -1) @ self._axes().T

    def reconstruct(self, x: Collection) -> Floats:
        mean = self._for(x, self._learned("mean_"))
        vectors = (self.encode(x) @ self._axes()).reshape(len(x), *mean.shape) + mean
        return np.where(x.valid, in_steps(vectors, x.shape[1]), 0.0)

    def decode(self, codes: Floats, lengths: Ints) -> Floats:
        mean = self._learned("mean_")
        if codes.shape[1] != self.code_size:
            raise DataError(f"the codes of this pca have {self.code_size} numbers, not {codes.shape[1]}")
        return within((codes @ self._axes()).reshape(len(codes), *mean.shape) + mean, lengths)

    def target(self, x: Collection) -> tuple[Floats, Bools]:
        """The filled series, at the entries that were observed."""
        return FILLS[self.fill](x), x.observed

    def _axes(self) -> Floats:
        """(D_z, T·V)."""
        return self._learned("components_").reshape(self.code_size, -1)


def _signed(axes: Floats) -> Floats:
    """Each row with its largest entry positive: the sign of a component is otherwise arbitrary."""
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return axes * np.where(largest < 0, -1.0, 1.0)
