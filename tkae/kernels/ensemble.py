"""The ensemble of the time series cluster kernel (Mikalsen et al. 2018; Alg. 1 of the paper).

Mixtures of 2 to C components, G of each size, are fitted to random parts of the data; two series are alike
where many of them put both into the same components.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from tkae.data.collection import Collection, Floats, Ints
from tkae.errors import DataError, UserError
from tkae.fields import setting
from tkae.kernels.blocks import blocks
from tkae.kernels.draws import Ranges, draw
from tkae.kernels.gram import Kernel, MembersDone, Series, embed, gram, silent
from tkae.kernels.member import Mixture, fit_member, pack, unpack
from tkae.memory import refuse_beyond
from tkae.storage import Arrays

NAME = "tck"
VERSION = 2  # raised whenever the numbers change; 2: sums in an order that no processor changes
MIXTURES = ("sizes_", "variates_", "theta_", "mu_", "s2_")  # see `pack`
FITTED = ("values_", "observed_", *MIXTURES)  # the training series (N, T, V), and the mixtures
ONLY_KERNELS = ("dtype", "normalised")  # the settings that mixtures do not depend on


@dataclass
class KernelSettings:
    """What the mixtures and the kernel depend on beside the series and the seed.

    Parameters
    ----------
    G : int
        Mixtures of each size (Q in Alg. 1).
    C : int, optional
        The most components of a mixture; 40 by default, or 10 below 100 series.
    iterations : int
        Of MAP-EM.
    least_share : float
        Every mixture is fitted to at least this share of the series, drawn at random.
    least_variates, most_variates : int
        How many variates a mixture is fitted to, drawn at random.
    least_steps, most_steps : int
        How long the window is that a mixture is fitted to, drawn at random.
    normalised : bool
        Whether posteriors have length 1, as in Alg. 1; those of the authors' Jp. Vow. kernels do not.
    dtype : {"float64", "float32"}
        Of the kernel; mixtures are fitted in float64.
    lengths : {"padded", "stretched"}
        Of a series that is shorter than the longest, the absent steps are not observed; or it is stretched to
        that length.
    """

    G: int = setting(30, at_least=1, at_most=10_000)
    C: int | None = setting(None, at_least=2, at_most=1000)
    iterations: int = setting(20, at_least=1, at_most=10_000)
    least_share: float = setting(0.8, at_least=0, at_most=1)
    least_variates: int = setting(2, at_least=1, at_most=10_000)
    most_variates: int = setting(15, at_least=1, at_most=10_000)
    least_steps: int = setting(6, at_least=1, at_most=100_000)
    most_steps: int = setting(25, at_least=1, at_most=100_000)
    normalised: bool = True
    dtype: str = setting("float64", one_of=("float32", "float64"))
    lengths: str = setting("padded", one_of=("padded", "stretched"))

    def kernel_settings(self) -> dict[str, Any]:
        """The settings of the kernel alone, without what a model adds to them."""
        return {spec.name: getattr(self, spec.name) for spec in fields(KernelSettings)}

    def mixture_settings(self) -> dict[str, Any]:
        """Those of them that the mixtures depend on."""
        return {name: value for name, value in self.kernel_settings().items() if name not in ONLY_KERNELS}

    def most_components(self, series: int) -> int:
        """C for so many training series."""
        return self.C or (40 if series >= 100 else 10)


def fit_mixtures(
    settings: KernelSettings,
    train: Collection,
    seed: int = 0,
    threads: int | None = None,
    progress: MembersDone = silent,
) -> Arrays:
    """The arrays FITTED; the number of threads does not change a bit.

    `threads=None` means as many as Numba may use (NUMBA_NUM_THREADS, which executors set).
    """
    series = training_series(settings, train)
    values, observed = series["values_"], series["observed_"]
    shape = values.shape
    ranges = Ranges.of(
        shape,
        settings.least_share,
        (settings.least_variates, settings.most_variates),
        (settings.least_steps, settings.most_steps),
    )
    sizes = range(2, settings.most_components(len(train)) + 1)
    members = [(components, q) for components in sizes for q in range(settings.G)]

    def fit(member: tuple[int, int]) -> Mixture:
        return fit_member(values, observed, draw(seed, *member, ranges, shape), settings.iterations)

    mixtures = []
    with ThreadPoolExecutor(_threads(threads)) as pool:
        for mixture in pool.map(fit, members):
            mixtures.append(mixture)
            progress(len(mixtures), len(members))
    return series | pack(mixtures)


def training_series(settings: KernelSettings, train: Collection) -> Arrays:
    """The series as the mixtures see them, as many steps as the longest has: padding is not data."""
    values, observed = _series(settings, train, int(train.lengths.max()))
    return {"values_": values, "observed_": observed}


def kernel_of(
    settings: KernelSettings,
    fitted: Mapping[str, Any],
    X: Collection | None = None,
    Y: Collection | None = None,
    threads: int | None = None,
    progress: MembersDone = silent,
) -> Kernel:
    """Similarities of the series of X (rows) and Y (columns) by the arrays that `fit_mixtures` gave.

    Without X the rows are the training series; without Y the columns are the rows.
    """
    left = (fitted["values_"], fitted["observed_"]) if X is None else _like_train(settings, fitted, X)
    right = None if Y is None else _like_train(settings, fitted, Y)
    return gram(
        members_of(fitted), left, right, settings.normalised, settings.dtype, _threads(threads), progress
    )


def features_of(
    settings: KernelSettings, fitted: Mapping[str, Any], X: Collection, threads: int | None = None
) -> Floats:
    """The posteriors (N, F) of the series of X under all mixtures: the kernel of two sets is that of their
    inner products, so this is its explicit map, linear in the series.
    """
    columns = int(fitted["sizes_"][:, 3].sum())
    what = f"a matrix of the {columns} features of {len(X)} series"
    refuse_beyond(8 * len(X) * columns, what, "take some series at a time, or a smaller G or C")
    series = _like_train(settings, fitted, X)
    with ThreadPoolExecutor(_threads(threads)) as pool:
        return np.asarray(embed(members_of(fitted), series, settings.normalised, "float64", pool))


def blocks_of(
    settings: KernelSettings, fitted: Mapping[str, Any], batches: Ints, threads: int | None = None
) -> Kernel:
    """The kernel between the training series of each batch (M, B): see `tkae.kernels.blocks`."""
    series = fitted["values_"], fitted["observed_"]
    return blocks(members_of(fitted), series, batches, settings.normalised, settings.dtype, _threads(threads))


def _like_train(settings: KernelSettings, fitted: Mapping[str, Any], x: Collection) -> Series:
    """Values and observed of series, with as many steps as the training series have."""
    _, steps, width = fitted["values_"].shape
    if x.shape[2] != width:
        raise DataError(f"this kernel was fitted on {width} variates; these series have {x.shape[2]}")
    return _series(settings, x, steps)


def members_of(fitted: Mapping[str, Any]) -> list[Mixture]:
    """The fitted mixtures: G with 2 components, G with 3, and so on."""
    return unpack(*(fitted[key] for key in MIXTURES))


def _series(settings: KernelSettings, x: Collection, steps: int) -> Series:
    """Values and observed (N, T, V) of `steps` steps: later ones are cut, absent ones not observed."""
    if settings.lengths == "stretched":
        return _stretched(x, steps)
    n, _, width = x.shape
    values, observed = np.zeros((n, steps, width)), np.zeros((n, steps, width), dtype=bool)
    keep = min(steps, x.shape[1])
    values[:, :keep], observed[:, :keep] = x.values[:, :keep], x.observed[:, :keep]
    return values, observed


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
