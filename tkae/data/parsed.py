"""What was parsed or derived once, kept as a checked binary: arrays, a description, the arrays' sha256."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from tkae.data.collection import Collection
from tkae.data.dataset import Splits
from tkae.errors import DataError
from tkae.storage import Arrays, load_arrays, save_arrays

log = logging.getLogger("tkae")
Described = tuple[Arrays, dict[str, Any]]  # arrays, and a description that JSON can hold


def digest(arrays: Arrays) -> str:
    """The sha256 of arrays, whatever their order."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        total.update(np.ascontiguousarray(arrays[name]).data)
    return total.hexdigest()


def kept(path: Path, make: Callable[[], Described]) -> Described:
    """What is kept at `path`, checked; or else what `make` gives, which is then kept there.

    Of several processes one makes it, and the others wait for that.
    """
    found = _found(path)
    if found is not None:
        return found
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")):
            found = _found(path)
            if found is None:
                arrays, about = found = make()
                save_arrays(path, arrays, {"sha256": digest(arrays), "about": about})
        return found
    except OSError as error:
        raise DataError(
            f"cannot write {path} to the cache ({error.strerror}): free some space or set TKAE_CACHE "
            "to another folder"
        ) from error


def _found(path: Path) -> Described | None:
    """What is at `path`, if it is whole."""
    if not path.is_file():
        return None
    try:
        arrays, about = load_arrays(path)
        if about.get("sha256") == digest(arrays):
            return arrays, about["about"]
        log.warning("%s: damaged; it is made again from the source", path)
    except DataError as error:
        log.warning("%s; it is made again from the source", error)
    path.unlink(missing_ok=True)
    return None


def pack(splits: Splits) -> Described:
    """Both splits as arrays and a description."""
    about = {
        "classes": splits.classes,
        "positive": splits.positive,
        "scaled": splits.scaled,
        "steps": splits.train.shape[1],
        "variates": splits.train.variates,
        "train_names": splits.train.names,
        "test_names": splits.test.names,
    }
    return _flat(splits.train, "train") | _flat(splits.test, "test"), about


def unpack(arrays: Arrays, about: dict[str, Any]) -> Splits:
    """The splits that `pack` packed."""
    train, test = (_ragged(arrays, split, about) for split in ("train", "test"))
    return Splits(train, test, tuple(about["classes"]), about["positive"], about["scaled"])


def _flat(x: Collection, split: str) -> Arrays:
    """(steps of all series, V) with NaN where missing; lengths; labels if there are any."""
    values = np.where(x.observed, x.values, np.nan)[x.valid[:, :, 0]]
    arrays: Arrays = {f"{split}_values": values, f"{split}_lengths": x.lengths}
    return arrays if x.labels is None else arrays | {f"{split}_labels": x.labels}


def _ragged(arrays: Arrays, split: str, about: dict[str, Any]) -> Collection:
    flat, lengths = arrays[f"{split}_values"], arrays[f"{split}_lengths"]
    values = np.full((len(lengths), about["steps"], flat.shape[1]), np.nan)
    values[np.arange(about["steps"]) < lengths[:, None]] = flat
    labels, names = arrays.get(f"{split}_labels"), tuple(about[f"{split}_names"])
    return Collection(values, ~np.isnan(values), lengths, labels, names, tuple(about["variates"]))
