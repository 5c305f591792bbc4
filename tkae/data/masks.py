"""Masks as files: written, read back, and read from the files that the paper's authors published."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Bools, Collection
from tkae.data.readers.mat import read_mat
from tkae.data.readers.mat_types import refuse_unfit
from tkae.errors import DataError
from tkae.storage import believed, load_arrays, refuse_foreign, refuse_special, save_arrays

NAME = "masks"  # whatever a file of them is called: users move and rename these
Masks = dict[str, Bools]  # "train" and "test": (N, T, V), true where an entry was removed


def write_masks(path: Path, masks: Masks, about: dict[str, Any]) -> None:
    """One file with the removed entries of both splits, a bit each."""
    shapes = {split: mask.shape for split, mask in masks.items()}
    arrays = {split: np.packbits(mask) for split, mask in masks.items()}
    save_arrays(path, arrays, {**about, "shapes": shapes}, NAME)


def read_masks(path: Path) -> Masks:
    """What `write_masks` wrote, or the NaNs of an authors' `.mat` file."""
    if path.suffix == ".mat":
        return read_published(path)
    arrays, about = load_arrays(path, NAME)
    with believed(path, "a file of masks"):
        return {split: _unpacked(arrays[split], shape, path) for split, shape in about["shapes"].items()}


def _unpacked(bits: npt.NDArray[Any], shape: list[int], path: Path) -> Bools:
    """The mask of this shape; NumPy would fill up with zeros what is not there."""
    entries = math.prod(shape)
    if min(shape) < 0 or bits.shape != (-(-entries // 8),):
        raise DataError(f"{path}: has {bits.size} bytes for a mask of the shape {shape}: make it again")
    return np.unpackbits(bits, count=entries).reshape(shape).astype(bool)


def read_published(path: Path) -> Masks:
    """The holes of a file like the authors' `TCK_data_0.8.mat`: NaN in `X` and `Xte` (N, T, V)."""
    train, test = read_mat(path, "X", "Xte")
    with believed(path, "one of the authors' data files"):
        return {"train": np.isnan(train), "test": np.isnan(test)}


def fitting(masks: Masks, split: str, x: Collection, path: Path) -> Bools:
    """The mask of this split, if it belongs to these data; what was missing before is not removed again."""
    if split not in masks or masks[split].shape != x.shape:
        got = masks[split].shape if split in masks else "none"
        raise DataError(f"{path}: its {split} mask ({got}) does not fit data of the shape {x.shape}")
    return masks[split] & x.observed


def sha256_of(path: Path) -> str:
    """Of a mask file's bytes: other holes are other cells."""
    if not path.is_file():
        raise DataError(f"{path}: there is no such mask file")
    if path.suffix == ".mat":
        refuse_special(path)
        refuse_unfit(path)
    else:
        refuse_foreign(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
