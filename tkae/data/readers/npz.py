"""Reader of a user's `.npz` file of whole arrays.

`values` (N, T, V) with NaN where missing is needed. Optional are `lengths` (N): the steps of each series,
with padding after them; `labels` (N), numbers or words; `names` (N); `variates` (V); and `split` (N), which
says `train` or `test`.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.data.readers.limits import refuse_bomb
from tkae.data.readers.table import Table
from tkae.errors import DataError, nearest

KNOWN = {"values", "lengths", "labels", "names", "variates", "split"}


def read_npz(path: Path) -> Table:
    """The series of the file; refused if an array does not fit the others."""
    arrays = _arrays(path)
    for key in arrays:
        if key not in KNOWN:
            raise DataError(
                f"{path}: unknown array '{key}'{nearest(key, KNOWN)}; known: {', '.join(sorted(KNOWN))}"
            )
    values = arrays.get("values")
    if values is None or values.ndim != 3 or values.dtype.kind not in "fiu":
        what = "no array 'values'" if values is None else f"'values' is {values.dtype} of {values.shape}"
        raise DataError(f"{path}: {what}; numbers of the shape (series, steps, variates) are needed")
    if values.size == 0:  # which takes no room in the file, and none here as long as it is one array
        raise DataError(f"{path}: 'values' has the shape {values.shape}: it needs one number at least")
    n, steps, width = values.shape
    for key, count in {"lengths": n, "labels": n, "names": n, "split": n, "variates": width}.items():
        if key in arrays and arrays[key].shape != (count,):
            raise DataError(f"{path}: '{key}' has the shape {arrays[key].shape}, {(count,)} was expected")
    lengths = arrays.get("lengths", np.full(n, steps))
    if lengths.dtype.kind not in "iu" or (lengths < 1).any() or (lengths > steps).any():
        raise DataError(f"{path}: 'lengths' needs whole numbers from 1 to {steps}")
    infinite = np.argwhere(np.isinf(values.astype(np.float64)))
    if len(infinite):
        i, t, v = infinite[0]
        raise DataError(f"{path}: values[{i}, {t}, {v}] is infinite; use NaN where a value is missing")
    return Table(
        [array[:length].astype(np.float64) for array, length in zip(values, lengths, strict=True)],
        _words(path, arrays, "names") or [str(i) for i in range(n)],
        _words(path, arrays, "variates") or [str(v) for v in range(width)],
        _words(path, arrays, "labels"),
        _words(path, arrays, "split"),
    )


def _words(path: Path, arrays: dict[str, npt.NDArray[Any]], key: str) -> list[str]:
    """The entries as text, which can be written again."""
    try:
        words = [str(text) for text in arrays.get(key, np.array([]))]
        "".join(words).encode()
    except (UnicodeError, ValueError, SystemError) as error:  # NumPy checks no sign of a text
        raise DataError(f"{path}: '{key}' holds signs that are no text ({error}): write it again") from None
    return words


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                refuse_bomb(path, sum(info.file_size for info in archive.infolist()))
        with np.load(path, allow_pickle=False) as content:
            arrays = {key: content[key] for key in content.files}
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except DataError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise errors of many kinds on damaged files
        raise DataError(f"{path}: not an .npz file of plain arrays ({error})") from error
    for key, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise DataError(f"{path}: '{key}' in it is no array")
    return arrays
