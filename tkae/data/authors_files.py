"""What the authors' files hold beside series: the holes that they made, and kernels of the series with these.

A protocol says whether they are used (`masks`, `kernels`); where there is no such file, holes are drawn and
the TKAE computes its own kernel.
"""

from __future__ import annotations

import math

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Kernels
from tkae.data.files import Files, Remote
from tkae.data.missingness import Missingness
from tkae.data.readers.mat import read_kernels
from tkae.errors import DataError
from tkae.protocol import Protocol


def published_masks(dataset: Dataset, missingness: Missingness, protocol: Protocol) -> Remote | None:
    """The authors' file with their own holes for this dataset and rate, if the protocol wants it."""
    if protocol.masks != "published" or missingness.name != "uniform":
        return None
    return dataset.published.get(getattr(missingness, "rate", math.nan))


def published_kernels(dataset: Dataset, missingness: Missingness, protocol: Protocol) -> Kernels | None:
    """The authors' kernels of exactly these series, if the protocol wants them.

    A kernel of the same series with other holes would know entries that were removed here.
    """
    if protocol.kernels != "published":
        return None
    if published_masks(dataset, missingness, protocol) is not None:
        return dataset.kernels(getattr(missingness, "rate", math.nan))
    return dataset.kernels(None) if missingness.name == "none" else None


def with_published_kernels(
    kernels: Kernels, train: Collection, test: Collection, files: Files
) -> tuple[Collection, Collection]:
    """Both splits with the kernel among their series."""
    path = files.get(kernels.remote)
    both = []
    for x, kernel in zip((train, test), read_kernels(path), strict=True):
        if kernels.unit:
            kernel = (kernel - kernel.min()) / (kernel.max() - kernel.min())
        try:
            both.append(x.with_kernel(kernel))
        except DataError as error:
            raise DataError(f"{path}: its kernel does not fit these series: {error}") from None
    return both[0], both[1]
