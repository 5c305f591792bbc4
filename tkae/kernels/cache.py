"""Kernels kept on disk by what they depend on: the data, the settings, the version and the seed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from tkae.data.collection import Collection
from tkae.errors import DataError
from tkae.kernels.gram import Kernel, Progress
from tkae.kernels.tck import TCK, silent
from tkae.storage import load_arrays, save_arrays


def cached_fit(
    tck: TCK,
    train: Collection,
    folder: Path,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> TCK:
    """`tck` fitted to the training series, from `folder` if it is there and whole."""
    path = folder / f"{tck.name}-{_key(tck, train, seed)}.safetensors"
    try:
        return type(tck).load(path)
    except DataError:
        fitted = type(tck)(**asdict(tck)).fit(train, seed, threads, progress)
        fitted.save(path)
        return fitted


def cached_kernel(
    tck: TCK,
    train: Collection,
    folder: Path,
    X: Collection | None = None,
    Y: Collection | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> Kernel:
    """`tck.fit(train, seed).kernel(X, Y)`, from `folder` if it is there and whole."""
    key = _key(tck, train, seed, *("-" if x is None else x.fingerprint for x in (X, Y)))
    path = folder / f"{tck.name}-kernel-{key}.safetensors"
    try:
        return np.asarray(load_arrays(path)[0]["kernel"])
    except (DataError, KeyError):
        fitted = cached_fit(tck, train, folder, seed, threads, progress)
        kernel = fitted.kernel(X, Y, threads, progress)
        save_arrays(path, {"kernel": kernel}, {"kernel": tck.name, "settings": asdict(tck), "seed": seed})
        return kernel


def _key(tck: TCK, train: Collection, seed: int, *others: str) -> str:
    settings = json.dumps(asdict(tck), sort_keys=True)
    text = "\x1f".join([tck.name, str(tck.version), settings, str(int(seed)), train.fingerprint, *others])
    return hashlib.sha256(text.encode()).hexdigest()[:24]
