"""Mixtures and kernels kept on disk by what they depend on: data, settings, version and seed.

Whatever rests on the same TCK shares them: TCK, TCK+kPCA and the TKAE. Of several processes that need the
same, one computes it and the others wait for that. The folder stays below TKAE_KERNEL_CACHE_GB (20): what
was not used for the longest time goes first.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from tkae.data.array_cache import kept
from tkae.data.collection import Collection, Ints
from tkae.errors import UserError
from tkae.kernels.ensemble import (
    MIXTURES,
    NAME,
    VERSION,
    KernelSettings,
    blocks_of,
    fit_mixtures,
    kernel_of,
    members_of,
    training_series,
)
from tkae.kernels.gram import Kernel, MembersDone, silent
from tkae.kernels.member import fits
from tkae.spare import Fits
from tkae.storage import Arrays, Described

LIMIT = "TKAE_KERNEL_CACHE_GB"


def cached_fit(
    settings: KernelSettings,
    train: Collection,
    folder: Path,
    seed: int = 0,
    threads: int | None = None,
    progress: MembersDone = silent,
) -> Arrays:
    """`fit_mixtures` of the training series, from `folder` if it is there and whole."""

    def make() -> Described:
        fitted = fit_mixtures(settings, train, seed, threads, progress)
        return {name: fitted[name] for name in MIXTURES}, {}

    def right(arrays: Arrays) -> bool:
        members, (steps, width) = members_of(arrays), (int(train.lengths.max()), train.shape[2])
        many = settings.G * (settings.most_components(len(train)) - 1)
        return len(members) == many and all(fits(mixture, steps, width) for mixture in members)

    key = _key(settings.mixture_settings(), train, seed)
    mixtures = _kept(folder / f"tck-{key}.safetensors", make, right)
    return training_series(settings, train) | {name: mixtures[name] for name in MIXTURES}


def cached_kernel(
    settings: KernelSettings,
    train: Collection,
    folder: Path,
    X: Collection | None = None,
    Y: Collection | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: MembersDone = silent,
) -> Kernel:
    """`kernel_of` X and Y by the mixtures of the training series, from `folder` if it is there and whole.

    The fit is kept, too: kernels with other series need it, and it takes longer than all else.
    """

    def make() -> Described:
        fitted = cached_fit(settings, train, folder, seed, threads, progress)
        about = {"kernel": NAME, "settings": settings.kernel_settings(), "seed": seed}
        return {"kernel": kernel_of(settings, fitted, X, Y, threads, progress)}, about

    rows = train if X is None else X
    shape = len(rows), len(rows if Y is None else Y)

    def right(arrays: Arrays) -> bool:
        return arrays["kernel"].shape == shape and arrays["kernel"].dtype == settings.dtype

    others = ("-" if x is None else x.fingerprint for x in (X, Y))
    key = _key(settings.kernel_settings(), train, seed, *others)
    return np.asarray(_kept(folder / f"tck-kernel-{key}.safetensors", make, right)["kernel"])


def cached_blocks(
    settings: KernelSettings, train: Collection, folder: Path, seed: int = 0, threads: int | None = None
) -> Callable[[Ints], Kernel]:
    """The kernel between the training series of batches (M, B), by mixtures that are kept."""
    fitted = cached_fit(settings, train, folder, seed, threads)
    return partial(blocks_of, settings, fitted, threads=threads)


def _kept(path: Path, make: Callable[[], Described], right: Fits) -> Arrays:
    """The arrays at `path`, made if need be; then the folder is kept small."""
    limit, known = _limit(), path.exists()
    arrays, _ = kept(path, make, right)
    with suppress(OSError):  # gone already, or a folder that can only be read
        os.utime(path)  # used now
    if not known:
        trim(path, limit)
    return arrays


def trim(newest: Path, limit: float) -> None:
    """Remove files beside `newest` until all are below `limit` bytes; neither it nor one being made."""
    found = []
    for path in newest.parent.glob("*.safetensors"):
        with suppress(OSError):  # another process trims, too
            about = path.stat()
            found.append((about.st_mtime_ns, about.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= limit:
            return
        if path == newest:
            continue
        # One being made stays, and so does what cannot be locked or removed.
        with suppress(OSError), FileLock(path.with_suffix(".lock"), timeout=0):
            path.unlink(missing_ok=True)
            total -= size


def _limit() -> float:
    """Bytes that the kernels of a folder may take."""
    limit = os.environ.get(LIMIT) or "20"
    try:
        gigabytes = float(limit)
    except ValueError:
        gigabytes = -1.0
    if not gigabytes >= 0:
        raise UserError(f"{LIMIT}={limit} is not allowed: it takes a number of at least 0")
    return gigabytes * 1e9


def _key(settings: dict[str, Any], train: Collection, seed: int, *others: str) -> str:
    written = json.dumps(settings, sort_keys=True)
    text = "\x1f".join([NAME, str(VERSION), written, str(int(seed)), train.fingerprint, *others])
    return hashlib.sha256(text.encode()).hexdigest()[:24]
