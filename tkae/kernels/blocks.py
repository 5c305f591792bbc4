"""Blocks of the kernel: what a training looks at of a kernel that is not made whole.

The loss of a batch needs the kernel between its own series and no others. A block is made of the posteriors
of all series under some mixtures at a time, so that memory is linear in the series. It has the bits that it
has within the whole matrix (`tkae.kernels.gram`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from tkae.compiled.vectors import WIDTH
from tkae.data.collection import Ints
from tkae.kernels.gram import Kernel, Series, chunks, embed
from tkae.kernels.member import Mixture
from tkae.kernels.sizes import BLOCK_COLUMNS

JOBS = 16  # that the batches are dealt out to


def blocks(
    mixtures: Sequence[Mixture], series: Series, batches: Ints, normalised: bool, dtype: str, threads: int
) -> Kernel:
    """The kernel between the series of each batch (M, L, L), for batches (M, B) of positions.

    L is B rounded up to whole vectors; what is no series (position -1, or from B on) has the kernel 0.
    """
    from tkae.kernels.products import add_blocks

    count, size = batches.shape
    lanes = -(-size // WIDTH) * WIDTH
    found = np.zeros((count, lanes, lanes), dtype)
    edges = np.linspace(0, count, JOBS + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        for chunk in chunks(mixtures, BLOCK_COLUMNS):
            p = embed(chunk, series, normalised, dtype, pool)
            list(pool.map(partial(add_blocks, p, batches, found), edges[:-1], edges[1:]))
    return found
