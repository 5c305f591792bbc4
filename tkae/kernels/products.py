"""Sums of products of posteriors, in Numba: of a tile of the kernel matrix, and of a batch's block.

Both are made of the product of recurrent layers, where every entry gains its terms one by one in the order
of the columns. So a block of the kernel has the bits that it has within the whole matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tkae.compiled.jit import jit
from tkae.compiled.products import product

BLOCK = 32  # columns of a product side by side
DEPTH = 256  # terms of a product at a time, which stay in cache


@jit
def add_product(p: Any, turned: Any, kernel: Any, first: int, last: int, start: int, stop: int) -> None:
    """kernel[first:last, start:stop] += p[first:last] turned[:, start:stop]."""
    columns, ld = p.shape[1], kernel.shape[1]
    weights, inputs, totals = p.ravel(), turned.ravel(), kernel.ravel()
    for k in range(0, columns, DEPTH):
        a, depth = first * columns + k, min(DEPTH, columns - k)
        for b in range(start, stop, BLOCK):
            x, y, lanes = k * ld + b, first * ld + b, min(BLOCK, stop - b)
            product(weights, a, columns, 1, last - first, depth, inputs, x, totals, y, ld, lanes, 1)


@jit
def add_blocks(p: Any, batches: Any, blocks: Any, first: int, last: int) -> None:
    """blocks[m] (B, L) += p[rows] p[rows]^T with rows = batches[m] (B), for first <= m < last.

    L is B rounded up to whole vectors. A row of -1 is no series: its entries stay 0.
    """
    columns, size, lanes = p.shape[1], batches.shape[1], blocks.shape[2]
    left, turned = np.zeros((size, columns), p.dtype), np.zeros((columns, lanes), p.dtype)
    for m in range(first, last):
        for i in range(size):
            row = batches[m, i]
            for k in range(columns):
                value = p[row, k] if row >= 0 else p.dtype.type(0)
                left[i, k], turned[k, i] = value, value
        add_product(left, turned, blocks[m], 0, size, 0, lanes)
