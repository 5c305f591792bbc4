"""From arrays of any kind to the engine's data: one type and layout, so that kernels compile once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.engine.batch import SeriesSets
from tkae.errors import DataError


def data_of(
    x: npt.ArrayLike,
    counted: npt.ArrayLike,
    lengths: npt.ArrayLike,
    kernels: npt.ArrayLike | None = None,
    padded_mean: bool = False,
    dtype: Any = np.float32,
) -> SeriesSets:
    """One set (N, T, V), (N, T, V), (N) and (N, N), or S of them with a leading axis, copied.

    One kernel may serve all sets. Read-only or strided arrays are other types to the compiler, which
    would take half a minute for each: hence the copies. A single kernel that needs none is taken as it is.
    """
    series = np.array(x, dtype=dtype, order="C", ndmin=4)
    if series.ndim != 4:
        raise DataError(f"series need the shape (N, T, V) or (S, N, T, V), not {np.shape(x)}")
    sets, n, steps, _ = series.shape
    marks = np.array(counted, dtype=bool, order="C", ndmin=4)
    sizes = np.array(lengths, dtype=np.int64, order="C", ndmin=2)
    grams = np.zeros((1, 0, 0), dtype) if kernels is None else _stacked(kernels, dtype)
    if marks.shape != series.shape or sizes.shape != (sets, n):
        raise DataError(
            f"counted {marks.shape} and lengths {sizes.shape} do not fit series of {series.shape}"
        )
    if kernels is not None and grams.shape not in {(1, n, n), (sets, n, n)}:
        raise DataError(f"kernels of {grams.shape} do not fit {sets} sets of {n} series")
    if sizes.min() < 1 or sizes.max() > steps:
        raise DataError(
            f"lengths from {sizes.min()} to {sizes.max()} do not fit series of 1 to {steps} steps"
        )
    return SeriesSets(series, marks, sizes, grams, int(padded_mean))


def _stacked(kernels: Any, dtype: Any) -> npt.NDArray[Any]:
    """Kernels (S, N, N) that the compiled code may read."""
    if len(kernels) == 1 and np.ndim(kernels[0]) == 2:
        return np.asarray(np.require(kernels[0], dtype, ["C", "W"])[None])
    return np.array(kernels, dtype=dtype, order="C", ndmin=3)
