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

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.data.dataset import Extent
from tkae.data.files import Files
from tkae.errors import UserError
from tkae.fields import setting
from tkae.kernels.draws import Ranges, draw
from tkae.kernels.gram import Kernel, Progress, Series, gram
from tkae.kernels.member import Mixture, fit_member, pack, unpack
from tkae.models.base import Model
from tkae.models.watch import Watch

LENGTHS = ("padded", "stretched")
ONLY_KERNELS = ("dtype", "normalised")  # the settings that mixtures do not depend on
MANY = 512  # series whose mixtures and kernel tell how long others take
_TIMED: dict[str, tuple[float, float]] = {}  # seconds of a fit and of a kernel, by settings and sample


def silent(done: int, total: int) -> None:
    """The progress of those who do not want to see it."""


@dataclass
class TCK(Model):
    """An ensemble of G mixtures for each number of components from 2 to C, and the kernel it defines."""

    name: ClassVar[str] = "tck"
    title: ClassVar[str] = "TCK"
    version: ClassVar[int] = 2  # 2: sums in an order that no processor changes
    mixtures: ClassVar[tuple[str, ...]] = ("sizes_", "variates_", "theta_", "mu_", "s2_")
    fitted: ClassVar[tuple[str, ...]] = ("values_", "observed_", *mixtures)
    kernels: ClassVar[int] = 1  # halves of a train x train matrix, about, that a cell computes

    G: int = setting(30, at_least=1)  # mixtures of each size (Q in Alg. 1)
    C: int | None = setting(None, at_least=2)  # the most components; None: 40, or 10 below 100 series
    iterations: int = setting(20, at_least=1)  # of MAP-EM
    least_share: float = setting(0.8, at_least=0, at_most=1)  # of the series that a mixture is fitted to
    least_variates: int = setting(2, at_least=1)
    most_variates: int = setting(15, at_least=1)
    least_steps: int = setting(6, at_least=1)
    most_steps: int = setting(25, at_least=1)
    normalised: bool = True  # posteriors of length 1, as Alg. 1; the authors' Jp. Vow. kernels are not
    dtype: str = setting("float64", one_of=("float32", "float64"))  # of the kernel; the fit is in float64
    lengths: str = setting("padded", one_of=LENGTHS)
    # a series shorter than the longest: its absent steps are not observed; or it is stretched to that length

    def __post_init__(self) -> None:
        super().__post_init__()
        self._folder: Path | None = None  # where mixtures and kernels are kept, if they are
        for what in ("variates", "steps"):
            least, most = getattr(self, f"least_{what}"), getattr(self, f"most_{what}")
            if least > most:
                raise UserError(
                    f"{self.name}: least_{what}={least} is above most_{what}={most}: exchange them"
                )

    def fit(
        self, train: Collection, seed: int = 0, threads: int | None = None, progress: Progress = silent
    ) -> Self:
        """Fit all mixtures to the training series; the number of threads does not change a bit.

        `threads=None` means as many as Numba may use (NUMBA_NUM_THREADS, which executors set).
        """
        if self._folder is not None:
            from tkae.kernels.cache import cached_fit

            made = cached_fit(self, train, self._folder, seed, threads, progress)
            for key in TCK.fitted:
                setattr(self, key, getattr(made, key))
            self._from = train, seed
            return self
        steps = int(train.lengths.max())  # not the array's: padding is not data
        self.values_, self.observed_ = self._block(train, steps)
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

    @classmethod
    def fit_replicas(
        cls,
        models: Sequence[Self],
        trains: Sequence[Collection],
        seeds: Sequence[int],
        watch: Watch | None = None,
    ) -> list[Self | Exception]:
        """With mixtures and kernels from the cache: several models of a run rest on the same ones."""
        for model in models:
            model._folder = Files().folder / "kernels"
        return super().fit_replicas(models, trains, seeds, watch)

    def shared(self, sample: Collection, extent: Extent, seed: int) -> dict[str, float]:
        """The mixtures, whose fit is linear in their number and in the series."""
        settings = {name: value for name, value in of_the_kernel(self).items() if name not in ONLY_KERNELS}
        fit, _ = self._timed(sample, extent)
        return {f"mixtures {settings} {seed}": self.G * fit * extent.train / MANY}

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        """A kernel is linear in the mixtures and quadratic in the series, since its products dominate."""
        _, kernel = self._timed(sample, extent)
        return self.kernels * self.G * kernel * (extent.train / MANY) ** 2

    def _timed(self, sample: Collection, extent: Extent) -> tuple[float, float]:
        """Seconds of the fit of a mixture of each size to MANY series, and of their kernel."""
        one = TCK(**{**of_the_kernel(self), "G": 1, "C": self.C or (40 if extent.train >= 100 else 10)})
        about = sample.fingerprint + json.dumps(asdict(one), sort_keys=True)
        if about not in _TIMED:  # several models rest on the same kernel
            _TIMED[about] = _timed(one, sample)
        return _TIMED[about]

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
        mixtures = self.ensemble()
        left = self._series(X)
        right = None if Y is None else self._series(Y)
        return gram(mixtures, left, right, self.normalised, self.dtype, _threads(threads), progress)

    def ensemble(self) -> list[Mixture]:
        """The fitted mixtures: G with 2 components, G with 3, and so on."""
        return unpack(*(self._learned(key) for key in TCK.mixtures))

    def similarity(self, x: Collection) -> Floats:
        """How like the training series these are (N, N_train): nearest neighbours take the largest."""
        return np.ascontiguousarray(self.beside_train(x).T)

    def beside_train(
        self, x: Collection | None = None, threads: int | None = None, progress: Progress = silent
    ) -> Kernel:
        """`kernel(None, x)`, kept where others look for it, too; of the training series it is `kernel()`."""
        if self._folder is None:
            return self.kernel(None, x, threads, progress)
        from tkae.kernels.cache import cached_kernel

        train, seed = self._from
        other = None if x is None or x.fingerprint == train.fingerprint else x
        return cached_kernel(self, train, self._folder, None, other, seed, threads, progress)

    def _series(self, x: Collection | None) -> Series:
        values, observed = self._learned("values_"), self._learned("observed_")
        if x is None:
            return values, observed
        return self._block(x, self._for(x, values).shape[1])

    def _block(self, x: Collection, steps: int) -> Series:
        """Values and observed (N, T, V) of `steps` steps: later ones are cut, absent ones not observed."""
        if self.lengths == "stretched":
            return _stretched(x, steps)
        n, _, width = x.shape
        values, observed = np.zeros((n, steps, width)), np.zeros((n, steps, width), dtype=bool)
        keep = min(steps, x.shape[1])
        values[:, :keep], observed[:, :keep] = x.values[:, :keep], x.observed[:, :keep]
        return values, observed


def of_the_kernel(tck: TCK) -> dict[str, Any]:
    """The settings of the kernel alone, without what a model adds to them."""
    return {spec.name: getattr(tck, spec.name) for spec in fields(TCK)}


def _timed(tck: TCK, sample: Collection) -> tuple[float, float]:
    """How long a fit to MANY series like these keeps one core busy, and how long their kernel does."""
    TCK(G=1, C=2, dtype=tck.dtype).fit(sample, threads=1).kernel(threads=1)  # which may compile
    many = sample.take(np.arange(MANY) % len(sample))
    begun = time.process_time()
    tck.fit(many, threads=1)
    fitted = time.process_time()
    tck.kernel(many, threads=1)
    return fitted - begun, time.process_time() - fitted


def _stretched(x: Collection, steps: int) -> Series:
    """Every series with `steps` steps, ends kept: each is the nearest of its own, and a hole stays one."""
    at = np.rint(np.linspace(0.0, 1.0, steps) * (x.lengths[:, None] - 1)).astype(int)[:, :, None]
    return np.take_along_axis(x.values, at, axis=1), np.take_along_axis(x.observed, at, axis=1)


def _threads(threads: int | None) -> int:
    from numba.core import config

    if threads is None:
        return int(config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    if threads < 1:
        raise UserError(f"threads={threads} is not allowed: it takes a whole number of at least 1")
    return threads
