"""Kernel alignment (eq. regularization): || ZZ^T / |ZZ^T| - K / |K| ||_F, on a batch or on a whole set.

A matrix of norm 0 counts as its own normalised form: the loss stays finite and its gradient is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tkae.compiled.jit import jit
from tkae.compiled.products import product
from tkae.engine.spec import Spec, code_size, space_of


@jit
def _norm(work: Any, start: int, n: int, B: int) -> float:
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += float(work[start + i * B + j]) ** 2
    return float(np.sqrt(total))


@jit
def align(spec: Spec, work: Any, n: int, alpha: float) -> float:
    """The loss of the first n lanes; adds alpha times its gradient to `d_code`.

    `kernel` (B, B) holds the batch's block of K and is overwritten.
    """
    B, D, space = spec.lanes, code_size(spec), space_of(spec)
    z, gram, kernel = space.code, space.gram, space.kernel
    product(work, z, 1, B, n, D, work, z, work, gram, B, B, 0)
    size, wanted = _norm(work, gram, n, B), _norm(work, kernel, n, B)
    scale = 1.0 / size if size > 0 else 0.0
    goal = 1.0 / wanted if wanted > 0 else 0.0
    squares, along = 0.0, 0.0
    for i in range(n):
        for j in range(n):
            at = i * B + j
            part = work[gram + at] * scale
            difference = part - work[kernel + at] * goal
            work[kernel + at] = difference
            squares += difference * difference
            along += part * difference
    loss = np.sqrt(squares)
    factor = 2.0 * alpha * scale / loss if loss > 0 else 0.0
    for i in range(n):  # d loss / d(ZZ^T), twice, since ZZ^T is symmetric in Z
        for j in range(n):
            at = i * B + j
            work[kernel + at] = factor * (work[kernel + at] - along * scale * work[gram + at])
    product(work, z, B, 1, D, n, work, kernel, work, space.d_code, B, B, 1)
    return float(loss)


def alignment(z: npt.ArrayLike, kernel: npt.ArrayLike) -> float:
    """The loss of a whole set, z (N, D) and K (N, N), without forming ZZ^T."""
    codes, wanted = np.asarray(z, dtype=np.float64), np.asarray(kernel)
    size = float(np.linalg.norm(codes.T @ codes))
    norm = float(np.linalg.norm(wanted))
    if size == 0.0 or norm == 0.0:
        return 0.0 if size == norm else 1.0
    together = float(np.sum((wanted @ codes) * codes)) / (size * norm)
    return float(np.sqrt(max(0.0, 2.0 - 2.0 * together)))
