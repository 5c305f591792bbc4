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
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from tkae.data.array_cache import kept
from tkae.data.collection import Collection
from tkae.errors import UserError
from tkae.kernels.gram import Kernel, Progress
from tkae.kernels.tck import ONLY_KERNELS, TCK, of_the_kernel, silent
from tkae.storage import Arrays, Described

LIMIT = "TKAE_KERNEL_CACHE_GB"


def cached_fit(
    tck: TCK,
    train: Collection,
    folder: Path,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> TCK:
    """A TCK like `tck` fitted to the training series, from `folder` if it is there and whole."""
    settings = of_the_kernel(tck)

    def make() -> Described:
        made = TCK(**settings).fit(train, seed, threads, progress)
        return {key: getattr(made, key) for key in TCK.fitted}, {}

    of_mixtures = {name: value for name, value in settings.items() if name not in ONLY_KERNELS}
    arrays = _kept(folder / f"tck-{_key(of_mixtures, train, seed)}.safetensors", make)
    fitted = TCK(**settings)
    for key in TCK.fitted:
        setattr(fitted, key, arrays[key])
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
    """`tck.fit(train, seed).kernel(X, Y)`, from `folder` if it is there and whole.

    The fit is kept, too: kernels with other series need it, and it takes longer than all else.
    """

    def make() -> Described:
        fitted = cached_fit(tck, train, folder, seed, threads, progress)
        about = {"kernel": TCK.name, "settings": asdict(fitted), "seed": seed}
        return {"kernel": fitted.kernel(X, Y, threads, progress)}, about

    others = ("-" if x is None else x.fingerprint for x in (X, Y))
    key = _key(of_the_kernel(tck), train, seed, *others)
    return np.asarray(_kept(folder / f"tck-kernel-{key}.safetensors", make)["kernel"])


def _kept(path: Path, make: Callable[[], Described]) -> Arrays:
    """The arrays at `path`, made if need be; then the folder is kept small."""
    limit, known = _limit(), path.exists()
    arrays, _ = kept(path, make)
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
    said = os.environ.get(LIMIT) or "20"
    try:
        gigabytes = float(said)
    except ValueError:
        gigabytes = -1.0
    if not gigabytes >= 0:
        raise UserError(f"{LIMIT}={said} is not allowed: it takes a number of at least 0")
    return gigabytes * 1e9


def _key(settings: dict[str, Any], train: Collection, seed: int, *others: str) -> str:
    said = json.dumps(settings, sort_keys=True)
    text = "\x1f".join([TCK.name, str(TCK.version), said, str(int(seed)), train.fingerprint, *others])
    return hashlib.sha256(text.encode()).hexdigest()[:24]
