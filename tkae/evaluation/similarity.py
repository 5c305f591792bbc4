"""Similarity matrices (N, N) of labelled series: how alike two of them are, and whether classes show."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Floats, Ints


def aligned(a: Floats, b: Floats) -> float:
    """The cosine of two matrices, <A, B> / (|A| |B|): 1 if they are the same up to scale; 0 if one is 0."""
    norms = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.sum(a * b)) / norms if norms else 0.0


def centred(matrix: Floats) -> Floats:
    """Without the means of rows and columns: as if the mean series were the origin."""
    rows, columns = matrix.mean(axis=1, keepdims=True), matrix.mean(axis=0, keepdims=True)
    return np.asarray(matrix - rows - columns + matrix.mean())


def in_own_units(matrix: Floats) -> Floats:
    """Divided by the mean similarity of a series with itself, so that matrices can be compared."""
    own = float(np.mean(np.diag(matrix)))
    return matrix / own if own else np.zeros_like(matrix)


def block_means(matrix: Floats, labels: Ints) -> Floats:
    """(C, C): the mean similarity of the series of two classes, a series with itself left out.

    NaN where there are no two series: a class of one has no similarity within.
    """
    member = (labels[:, None] == np.unique(labels)).astype(np.float64)  # (N, C)
    others = matrix - np.diag(np.diag(matrix))
    sizes = member.sum(axis=0)
    pairs = np.outer(sizes, sizes) - np.diag(sizes)
    with np.errstate(invalid="ignore"):
        return np.asarray(member.T @ others @ member / pairs)


def within_between(matrix: Floats, labels: Ints) -> tuple[float, float]:
    """The mean similarity of two series of one class, and of two classes; NaN where there is no such pair."""
    same = labels[:, None] == labels
    apart = ~np.eye(len(labels), dtype=bool)
    within, between = matrix[same & apart], matrix[~same]
    return (
        float(within.mean()) if within.size else float("nan"),
        float(between.mean()) if between.size else float("nan"),
    )
