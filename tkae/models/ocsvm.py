"""OCSVM: the one-class support vector machine on the series unfolded into vectors of T·V numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.data.dataset import Extent
from tkae.fields import setting
from tkae.models.base import Model
from tkae.models.filling import FILLS, in_steps

MANY = 512  # series whose kernel tells how long others take


@dataclass
class OCSVM(Model):
    """Outside of the region that holds most training series, anomaly scores are above 0.

    Steps beyond the longest training series are not seen.

    Parameters
    ----------
    gamma : float
        Of the kernel exp(-gamma |a - b|^2).
    nu : float
        At most this share of training series is outside.
    fill : {"zero", "locf"}
        What stands at missing entries: 0, the mean of standardised series, or the last observed value.

    The others are those of `Estimator`.
    """

    name: ClassVar[str] = "ocsvm"
    title: ClassVar[str] = "OCSVM"
    growth: ClassVar[float] = 2.0  # of the kernel
    fitted: ClassVar[tuple[str, ...]] = ("support_", "weights_", "offset_")

    gamma: float = setting(0.7, at_least=0)
    nu: float = setting(0.5, at_least=1e-6, at_most=1)
    fill: str = setting("zero", one_of=tuple(FILLS))

    def footprint(self, extent: Extent) -> int:
        # The kernel, and what libsvm keeps of it; or that of all series of the other split.
        kernel = max(12 * extent.train, 8 * extent.test) * extent.train
        return super().footprint(extent) + kernel

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        return super().seconds(sample.take(np.arange(MANY) % len(sample)), extent)

    def learn(self, train: Collection, seed: int = 0) -> Self:
        from sklearn.svm import OneClassSVM

        series = in_steps(FILLS[self.fill](train), int(train.lengths.max()))
        # libsvm takes a kernel made by BLAS in a third of the time in which it makes its own.
        kernel = _rbf(series, series, self.gamma)
        machine = OneClassSVM(kernel="precomputed", nu=self.nu, cache_size=1000).fit(kernel)
        self.support_: Floats = series[machine.support_]  # (S, T, V)
        self.weights_: Floats = machine.dual_coef_[0].copy()  # (S)
        self.offset_: Floats = -machine.intercept_
        return self

    def screen(self, x: Collection) -> Floats:
        support = self._for(x, self._learned("support_"))
        series = in_steps(FILLS[self.fill](x), support.shape[1])
        return np.asarray(self.offset_ - _rbf(series, support, self.gamma) @ self.weights_)


def _rbf(a: Floats, b: Floats, gamma: float) -> Floats:
    """(N, M): exp(-gamma |a_i - b_j|^2) of series (N, T, V) and (M, T, V)."""
    from threadpoolctl import threadpool_limits

    a, b = a.reshape(len(a), -1), b.reshape(len(b), -1)
    with threadpool_limits(1, "blas"):  # so that the number of threads changes no bit
        kernel = a @ b.T
    kernel *= 2  # in place from here on: the matrix is the largest thing there is
    kernel -= (a**2).sum(axis=1)[:, None]
    kernel -= (b**2).sum(axis=1)
    np.minimum(kernel, 0.0, out=kernel)  # rounding
    kernel *= gamma
    return np.asarray(np.exp(kernel, out=kernel))
