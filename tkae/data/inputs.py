"""Series as users have them, arrays, lists or data frames: into a collection, and back into the same form.

- a list of arrays (T_i, V), or (T_i) of one variate: series of different lengths;
- an array (N, T, V), or (N, T) of one variate: every step is a step, so NaN at the end is missing, too;
- a long data frame: see `Collection.from_frame`;
- a Collection.

NaN stands for a missing value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection, Floats, unmasked
from tkae.errors import DataError

if TYPE_CHECKING:
    import pandas

Series: TypeAlias = "Collection | pandas.DataFrame | npt.NDArray[Any] | Sequence[npt.ArrayLike]"


def collection_of(X: Series) -> Collection:
    """The series, whatever form they have."""
    if isinstance(X, Collection):
        return X
    if hasattr(X, "columns"):
        return Collection.from_frame(X)
    if hasattr(X, "toarray"):
        raise DataError(
            "sparse series are not taken: where nothing is stored is NaN, or is it 0? Use X.toarray()"
        )
    if hasattr(X, "__array__"):
        X = np.asarray(unmasked(X))
    if isinstance(X, str | bytes) or not hasattr(X, "__len__"):
        raise DataError(f"{type(X).__name__} is no series: give a list of arrays, an array or a data frame")
    if isinstance(X, np.ndarray) and X.dtype != object:
        return _from_array(X)
    return Collection.from_series(X)


def as_given(done: Collection, X: Series) -> Any:
    """`done`, which has the series of X with other values, in the form of X."""
    if isinstance(X, Collection):
        return done
    if hasattr(X, "columns"):
        return _into_frame(done, X)
    X = np.asarray(X) if hasattr(X, "__array__") else X
    if isinstance(X, np.ndarray) and X.dtype != object:
        return done.values.reshape(X.shape).astype(_precision(X))
    return [
        done.series(i).reshape(np.shape(array)).astype(_precision(np.asarray(array)))
        for i, array in enumerate(X)
    ]


def _from_array(X: npt.NDArray[Any]) -> Collection:
    if X.ndim not in (2, 3):
        raise DataError(
            f"an array of series has the shape (series, steps, variates), or (series, steps) of one variate, "
            f"not {X.shape}. Reshape your data"
        )
    if not np.issubdtype(X.dtype, np.number) or np.iscomplexobj(X):
        raise DataError(f"an array of series holds real numbers, not {X.dtype}. Complex data not supported")
    values = np.asarray(X if X.ndim == 3 else X[:, :, None], dtype=np.float64)
    return Collection(values, ~np.isnan(values))


def _precision(X: npt.NDArray[Any]) -> Any:
    """Floats stay of their precision, so that observed values keep their bits; others become float64."""
    return X.dtype if np.issubdtype(X.dtype, np.floating) else np.float64


def _into_frame(done: Collection, X: pandas.DataFrame) -> pandas.DataFrame:
    """The frame with its empty cells filled; its rows, index and other columns stay as they are."""
    from tkae.data.readers.frame import Roles, table_of

    table = table_of(X.reset_index(drop=True), Roles(split=""), "the frame", lambda i: f"row {i}")
    rows, gaps = np.concatenate(table.rows), np.isnan(np.concatenate(table.series))
    steps = done.valid[:, :, 0]
    known = {str(name).strip(): name for name in X.columns}
    filled = X.copy()
    for v, variate in enumerate(done.variates):
        name = known[variate]
        new: Floats = np.empty(len(X))
        new[rows] = done.values[:, :, v][steps]
        if gaps[:, v].any():
            filled[name] = new.astype(_precision(X[name].to_numpy()))
    return filled
