"""TCK: the time series cluster kernel (Mikalsen et al. 2018; Alg. 1 of the paper) as a model.

    tck = TCK().fit(train)
    tck.kernel()            # train x train
    tck.kernel(None, test)  # train x test
    tck.kernel(test)        # test x test

Series are standardised (`scale`): the floor on an entry's density, phi(3), is one of the standard normal.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.data.dataset import Extent
from tkae.data.files import Files
from tkae.data.inputs import Series
from tkae.errors import UserError
from tkae.fields import values
from tkae.kernels.cache import cached_fit, cached_kernel
from tkae.kernels.ensemble import (
    FITTED,
    NAME,
    VERSION,
    KernelSettings,
    features_of,
    fit_mixtures,
    kernel_of,
    members_of,
)
from tkae.kernels.gram import Kernel, MembersDone, silent
from tkae.kernels.member import Mixture, fits
from tkae.models.base import Model
from tkae.models.checkpoints import Watch

MANY = 512  # series whose mixtures and kernel tell how long others take
_TIMED: dict[str, tuple[float, float]] = {}  # seconds of a fit and of a kernel, by settings and sample


class _Keeping:
    """Where mixtures and kernels are kept, if they are, and what they were made of."""

    _folder: Path | None = None
    _from: tuple[Collection, int]


@dataclass
class TCK(Model, KernelSettings, _Keeping):
    """An ensemble of G mixtures for each number of components from 2 to C, and the kernel it defines.

    The parameters are those of `KernelSettings` and `Estimator`.
    """

    name: ClassVar[str] = NAME
    title: ClassVar[str] = "TCK"
    version: ClassVar[int] = VERSION
    fitted: ClassVar[tuple[str, ...]] = FITTED
    leaner: ClassVar[str] = "take fewer series; or model=tkae, which needs its kernel only batch by batch"
    kernels: ClassVar[int] = 1  # halves of a train x train matrix, about, that a cell computes

    def check(self) -> None:
        super().check()
        for what in ("variates", "steps"):
            least, most = getattr(self, f"least_{what}"), getattr(self, f"most_{what}")
            if least > most:
                raise UserError(
                    f"{self.name}: least_{what}={least} is above most_{what}={most}: exchange them"
                )

    def learn(
        self, train: Collection, seed: int = 0, threads: int | None = None, progress: MembersDone = silent
    ) -> Self:
        """Fit all mixtures to the training series; the number of threads does not change a bit.

        `threads=None` means as many as Numba may use (NUMBA_NUM_THREADS, which executors set).
        """
        if self._folder is None:
            arrays = fit_mixtures(self, train, seed, threads, progress)
        else:
            arrays = cached_fit(self, train, self._folder, seed, threads, progress)
            self._from = train, seed
        for key in FITTED:
            setattr(self, key, arrays[key])
        return self

    @classmethod
    def learn_replicas(
        cls,
        models: Sequence[Self],
        trains: Sequence[Collection],
        seeds: Sequence[int],
        watch: Watch | None = None,
    ) -> list[Self | Exception]:
        """With mixtures and kernels from the cache: several models of a run rest on the same ones."""
        for model in models:
            model._folder = Files().folder / "kernels"
        return super().learn_replicas(models, trains, seeds, watch)

    def shared(self, sample: Collection, extent: Extent, seed: int) -> dict[str, float]:
        """The mixtures, whose fit is linear in their number and in the series."""
        fit, _ = self._timed(sample, extent)
        return {f"mixtures {self.mixture_settings()} {seed}": self.G * fit * extent.train / MANY}

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        """A kernel is linear in the mixtures and quadratic in the series, since its products dominate."""
        _, kernel = self._timed(sample, extent)
        return self.kernels * self.G * kernel * (extent.train / MANY) ** 2

    def _timed(self, sample: Collection, extent: Extent) -> tuple[float, float]:
        """Seconds of the fit of a mixture of each size to MANY series, and of their kernel."""
        small = TCK(**{**self.kernel_settings(), "G": 1, "C": self.most_components(extent.train)})
        about = sample.fingerprint + json.dumps(values(small), sort_keys=True)
        if about not in _TIMED:  # several models rest on the same kernel
            _TIMED[about] = _timed(small, sample)
        return _TIMED[about]

    def kernel(self, X: Series | None = None, Y: Series | None = None) -> Kernel:
        """Similarities of the series of X (rows) and Y (columns); the diagonal is the number of mixtures.

        `kernel()` is train x train, `kernel(X)` X x X, `kernel(None, Y)` train x Y.
        """
        rows, columns = (None if x is None else self._scaled(self._collection(x)) for x in (X, Y))
        return self.between(rows, columns)

    def between(
        self,
        X: Collection | None = None,
        Y: Collection | None = None,
        threads: int | None = None,
        progress: MembersDone = silent,
    ) -> Kernel:
        """The `kernel` between scaled series."""
        return kernel_of(self, {key: self._learned(key) for key in FITTED}, X, Y, threads, progress)

    def features(self, x: Collection, threads: int | None = None) -> Floats:
        """The kernel's explicit map (N, F): the posteriors of all mixtures, whose inner products it is.

        F is the number of all components, G (2 + ... + C); this is linear in the series where a kernel is
        quadratic.
        """
        return features_of(self, {key: self._learned(key) for key in FITTED}, x, threads)

    def footprint(self, extent: Extent) -> int:
        # The mixtures have the series, too. A kernel is computed, stored and turned.
        kernel = 3 * np.dtype(self.dtype).itemsize * extent.train * extent.test
        return super().footprint(extent) + 9 * extent.entries + kernel

    def ensemble(self) -> list[Mixture]:
        """The fitted mixtures: G with 2 components, G with 3, and so on."""
        return members_of({key: self._learned(key) for key in FITTED})

    def try_learned(self, width: int) -> None:
        values, observed = self._learned("values_"), self._learned("observed_")
        if values.ndim != 3 or values.shape != observed.shape or values.shape[2] != width:
            raise ValueError("series of another kind")
        if values.dtype != np.float64 or observed.dtype != np.bool_:
            raise ValueError("numbers of another kind")
        for mixture in self.ensemble():
            if not fits(mixture, values.shape[1], width):
                raise ValueError("a mixture of other series")

    def similarity(self, x: Collection) -> Floats:
        """How like the training series these are (N, N_train): nearest neighbours take the largest."""
        return np.ascontiguousarray(self.beside_train(x).T)

    def beside_train(
        self, x: Collection | None = None, threads: int | None = None, progress: MembersDone = silent
    ) -> Kernel:
        """`kernel(None, x)`, kept where others look for it, too; of the training series it is `kernel()`."""
        if self._folder is None:
            return self.between(None, x, threads, progress)
        train, seed = self._from
        other = None if x is None or x.fingerprint == train.fingerprint else x
        return cached_kernel(self, train, self._folder, None, other, seed, threads, progress)


def _timed(tck: TCK, sample: Collection) -> tuple[float, float]:
    """How long a fit to MANY series like these keeps one core busy, and how long their kernel does."""
    TCK(G=1, C=2, dtype=tck.dtype).learn(sample, threads=1).between(threads=1)  # which may compile
    many = sample.take(np.arange(MANY) % len(sample))
    begun = time.process_time()
    tck.learn(many, threads=1)
    fitted = time.process_time()
    tck.between(many, threads=1)
    return fitted - begun, time.process_time() - fitted
