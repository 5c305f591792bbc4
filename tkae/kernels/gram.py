"""The kernel matrix: sums over members of inner products of posteriors, by products of blocks.

Posteriors of some members stand side by side in a buffer of `COLUMNS` columns, and the kernel gains the
product of two such buffers, tile by tile. So the memory is that of the kernel and two buffers. Every entry
gains its terms one by one, so that neither threads nor the processor changes a bit. A BLAS has other sums
for other processors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.compiled.vectors import WIDTH
from tkae.data.collection import Bools, Floats
from tkae.kernels.member import Mixture, member_posteriors
from tkae.memory import refuse_beyond

COLUMNS = 2048
TILE = 256  # a multiple of WIDTH
JOBS = 16  # that the members of a buffer are dealt out to
ROWS = 4096  # series of a job: what is listed of them takes no more memory where there are many

Kernel = npt.NDArray[np.floating[Any]]
MembersDone = Callable[[int, int], None]  # members done, members in all
Series = tuple[Floats, Bools]  # values and observed (N, T, V)


def silent(done: int, total: int) -> None:
    """The progress of those who do not want to see it."""


def gram(
    mixtures: Sequence[Mixture],
    left: Series,
    right: Series | None,
    normalised: bool,
    dtype: str,
    threads: int,
    progress: MembersDone,
) -> Kernel:
    """The kernel (N_left, N_right), or (N_left, N_left) and symmetric without `right`."""
    from tkae.kernels.products import add_product

    other = left if right is None else right
    columns = len(other[0])
    room = np.dtype(dtype).itemsize * len(left[0]) * columns
    refuse_beyond(room, f"a kernel of {len(left[0])} x {columns} series", "take fewer series")
    whole = np.zeros((len(left[0]), -(-columns // WIDTH) * WIDTH), dtype)
    kernel = whole[:, :columns]
    tiles = list(_tiles(kernel.shape, right is None))
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for chunk in chunks(mixtures, COLUMNS):
            p = embed(chunk, left, normalised, dtype, pool)
            r = p if right is None else embed(chunk, right, normalised, dtype, pool)
            turned = np.zeros((r.shape[1], whole.shape[1]), dtype)
            turned[:, :columns] = r.T

            def add(tile: tuple[slice, slice], p: Kernel = p, turned: Kernel = turned) -> None:
                (first, last), (start, stop) = ((part.start, part.stop) for part in tile)
                add_product(p, turned, whole, first, min(last, len(p)), start, min(stop, whole.shape[1]))

            list(pool.map(add, tiles))
            done += len(chunk)
            progress(done, len(mixtures))
    if right is None:
        for rows, beside in tiles:
            kernel[beside, rows] = kernel[rows, beside].T
    return kernel


def embed(
    chunk: Sequence[Mixture], series: Series, normalised: bool, dtype: str, pool: ThreadPoolExecutor
) -> Kernel:
    """The posteriors (N, columns) under the members of a chunk side by side, of length 1 if normalised."""
    values, observed = series
    ends = np.cumsum([len(mixture.theta) for mixture in chunk])
    out = np.empty((len(values), ends[-1]), dtype)

    def fill(job: tuple[int, int]) -> None:
        first, start = job
        some = slice(start, start + ROWS)
        for mixture, end in zip(chunk[first::JOBS], ends[first::JOBS], strict=True):
            q = member_posteriors(mixture, values[some], observed[some])
            length = np.sqrt((q * q).sum(axis=1, keepdims=True)) if normalised else 1.0
            out[some, end - q.shape[1] : end] = q / length

    list(pool.map(fill, product(range(JOBS), range(0, len(values), ROWS))))
    return out


def chunks(mixtures: Sequence[Mixture], most: int) -> Iterator[list[Mixture]]:
    """Runs of mixtures with at most so many components together (or one mixture that has more)."""
    chunk: list[Mixture] = []
    columns = 0
    for mixture in mixtures:
        if chunk and columns + len(mixture.theta) > most:
            yield chunk
            chunk, columns = [], 0
        chunk.append(mixture)
        columns += len(mixture.theta)
    yield chunk


def _tiles(shape: tuple[int, ...], symmetric: bool) -> Iterator[tuple[slice, slice]]:
    """Square pieces of a matrix; of a symmetric one, those on and above the diagonal."""
    for i in range(0, shape[0], TILE):
        for j in range(i if symmetric else 0, shape[1], TILE):
            yield slice(i, i + TILE), slice(j, j + TILE)
