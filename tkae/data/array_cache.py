"""What was parsed or derived once is kept, and made again if what was kept is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from tkae.data.collection import Collection
from tkae.data.dataset import Splits
from tkae.spare import Fits, keep, recall
from tkae.storage import Arrays, Described

AGAIN = "done now, from the source"


def kept(path: Path, make: Callable[[], Described], fits: Fits = lambda arrays: True) -> Described:
    """What is kept at `path`, checked; or else what `make` gives, which is then kept there.

    Compiled code trusts its arrays: `fits` looks at those that it gets before it does. Of several
    processes one makes it, and the others wait for that.
    """
    found = recall(path, AGAIN, fits)
    if found is None:
        with _locked(path.with_suffix(".lock")):
            found = recall(path, AGAIN, fits)
            if found is None:
                found = make()
                keep(path, *found, "TKAE_CACHE")
    return found


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One process at a time; where no lock can be made (a full disk, one that is only read) all at once."""
    lock = FileLock(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except (OSError, NotImplementedError):
        yield
        return
    try:
        yield
    finally:
        lock.release()


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
    return Splits(train, test, tuple(about["classes"]), about["positive"], scaled=about["scaled"])


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
