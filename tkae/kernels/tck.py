"""The time series cluster kernel (Mikalsen et al. 2018; Alg. 1 of the paper).

    tck = TCK().fit(train)
    tck.kernel()            # train x train
    tck.kernel(None, test)  # train x test
    tck.kernel(test)        # test x test

Two series are alike where many mixtures, of 2 to C components and fitted to random parts of the data, put
them into the same components. Series should be standardised: the floor on an entry's density, phi(3), is
one of the standard normal.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.errors import DataError, UserError
from tkae.kernels.draws import Ranges, draw
from tkae.kernels.gram import Kernel, Progress, Series, gram
from tkae.kernels.member import Mixture, fit_member, pack, unpack
from tkae.models.base import Model


def silent(done: int, total: int) -> None:
    """The progress of those who do not want to see it."""


@dataclass
class TCK(Model):
    """An ensemble of G mixtures for each number of components from 2 to C, and the kernel it defines."""

    name: ClassVar[str] = "tck"
    title: ClassVar[str] = "TCK"
    fitted: ClassVar[tuple[str, ...]] = ("values_", "observed_", "sizes_", "variates_", "theta_", "mu_", "s2_")

    G: int = 30  # mixtures of each size (Q in Alg. 1)
    C: int | None = None  # the most components; None: 40, or 10 for fewer than 100 series
    iterations: int = 20  # of MAP-EM
    least_share: float = 0.8  # of the series that a mixture is fitted to
    least_variates: int = 2
    most_variates: int = 15
    least_steps: int = 6
    most_steps: int = 25
    normalised: bool = True  # posteriors of length 1, as Alg. 1; the authors' Jp. Vow. kernels are not
    dtype: str = "float64"  # of the kernel and its products; mixtures are always fitted in float64

    def __post_init__(self) -> None:
        if self.G < 1 or self.iterations < 1 or (self.C is not None and self.C < 2):
            raise UserError(f"{self.name}: G and iterations must be at least 1 and C at least 2; see {self}")
        if not 0 < self.least_share <= 1:
            raise UserError(f"{self.name}: least_share must be in (0, 1], not {self.least_share}")
        if not (1 <= self.least_variates <= self.most_variates and 1 <= self.least_steps <= self.most_steps):
            raise UserError(f"{self.name}: the least variates and steps must be from 1 to the most; see {self}")
        if self.dtype not in ("float32", "float64"):
            raise UserError(f"{self.name}: dtype must be float32 or float64, not '{self.dtype}'")

    def fit(
        self, train: Collection, seed: int = 0, threads: int | None = None, progress: Progress = silent
    ) -> Self:
        """Fit all mixtures to the training series; the number of threads does not change a bit.

        `threads=None` means as many as Numba may use (NUMBA_NUM_THREADS, which executors set).
        """
        steps = int(train.lengths.max())  # not the array's: padding is not data
        self.values_, self.observed_ = _block(train, steps)
        shape = (len(train), steps, train.shape[2])
        ranges = Ranges.of(
            shape,
            self.least_share,
            (self.least_variates, self.most_variates),
            (self.least_steps, self.most_steps),
        )
        most = self.C or (40 if len(train) >= 100 else 10)
        members = [(components, q) for components in range(2, most + 1) for q in range(self.G)]

        def one(member: tuple[int, int]) -> Mixture:
            drawn = draw(seed, *member, ranges, shape)
            return fit_member(self.values_, self.observed_, drawn, self.iterations)

        mixtures = []
        with ThreadPoolExecutor(_threads(threads)) as pool:
            for mixture in pool.map(one, members):
                mixtures.append(mixture)
                progress(len(mixtures), len(members))
        for key, array in pack(mixtures).items():
            setattr(self, key, array)
        return self

    def kernel(
        self,
        X: Collection | None = None,
        Y: Collection | None = None,
        threads: int | None = None,
        progress: Progress = silent,
    ) -> Kernel:
        """Similarities of the series of X (rows) and Y (columns); the diagonal is the number of mixtures.

        `kernel()` is train x train, `kernel(X)` X x X, `kernel(None, Y)` train x Y.
        """
        mixtures = unpack(*(self._learned(key) for key in self.fitted[2:7]))
        left = self._series(X)
        right = None if Y is None else self._series(Y)
        return gram(mixtures, left, right, self.normalised, self.dtype, _threads(threads), progress)

    def similarity(self, x: Collection) -> Floats:
        """How like the training series these are (N, N_train): nearest neighbours take the largest."""
        return np.ascontiguousarray(self.kernel(None, x).T)

    def _series(self, x: Collection | None) -> Series:
        values, observed = self._learned("values_"), self._learned("observed_")
        if x is None:
            return values, observed
        if x.shape[2] != values.shape[2]:
            raise DataError(
                f"the series have {x.shape[2]} variates, but this {self.name} was fitted to {values.shape[2]}"
            )
        return _block(x, values.shape[1])


def _block(x: Collection, steps: int) -> Series:
    """Values and observed (N, T, V) for exactly `steps` steps: later ones are cut, absent ones not observed."""
    n, _, width = x.shape
    values, observed = np.zeros((n, steps, width)), np.zeros((n, steps, width), dtype=bool)
    keep = min(steps, x.shape[1])
    values[:, :keep], observed[:, :keep] = x.values[:, :keep], x.observed[:, :keep]
    return values, observed


def _threads(threads: int | None) -> int:
    import numba

    return int(numba.config.NUMBA_NUM_THREADS) if threads is None else threads
