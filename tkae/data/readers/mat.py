"""Reader of the MATLAB files of the paper's authors: padded series, lengths, classes, and kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection, Floats
from tkae.data.readers.mat_types import refuse_unfit
from tkae.errors import DataError
from tkae.storage import believed, refuse_special


def read_mat(path: Path, *names: str) -> list[npt.NDArray[Any]]:
    """The variables of these names."""
    from scipy.io import loadmat

    if not path.exists():
        raise DataError(f"{path}: no such file")
    try:
        refuse_special(path)
        refuse_unfit(path)
        content = loadmat(path, variable_names=list(names))
        return [content[name] for name in names]
    except KeyError as error:
        raise DataError(f"{path}: has no variable {error}") from None
    except DataError:
        raise
    except Exception as error:  # scipy raises errors of many kinds on damaged or other files
        raise DataError(f"{path}: not a MATLAB file that can be read ({error})") from error


def read_authors(path: Path, original: bool = False) -> tuple[Collection, Collection]:
    """Training and test series (X, Xte), NaN as missing; `original`: before the authors removed entries.

    The labels are those of the file; what stands beyond a series' length is padding and is dropped.
    """
    ending = "_orig" if original else ""
    train = read_mat(path, f"X{ending}", "X_len", "Y")
    test = read_mat(path, f"Xte{ending}", "Xte_len", "Yte")
    with believed(path, "one of the authors' data files"):
        return _collection(*train), _collection(*test)


def _collection(values: Floats, lengths: npt.NDArray[Any], labels: npt.NDArray[Any]) -> Collection:
    """From (N, T, V), (N, 1) and (N, 1)."""
    length = lengths.ravel().astype(np.int64)
    within = np.arange(values.shape[1]) < length[:, None]
    observed = np.isfinite(values) & within[:, :, None]
    return Collection(values, observed, length, labels.ravel().astype(np.int64))


def read_kernels(path: Path) -> tuple[Floats, Floats]:
    """The kernel among the training series (N, N) and among the test series (N', N') in the file."""
    train, test = read_mat(path, "Ktrtr", "Ktete")
    with believed(path, "one of the authors' kernel files"):
        return train.astype(np.float64), test.astype(np.float64)
