"""Principal components of codes, and how far the classes' densities there are apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from tkae.data.collection import Floats, Ints

Density = Callable[[Floats], Floats]  # points (D, M) -> density (M)

POINTS = 200  # of the grid on each axis over which densities are integrated
BEYOND = 4.0  # standard deviations of the kernels that the grid reaches beyond the outermost series


def principal_components(codes: Floats, count: int = 2) -> Floats:
    """(N, count): the coordinates of the codes on their leading axes; 0 on an axis that there is not.

    The sign of an axis is free: its largest coordinate in size is made positive.
    """
    centred = codes - codes.mean(axis=0)
    u, scale, _ = np.linalg.svd(centred, full_matrices=False)
    found = np.zeros((len(codes), count))
    # An axis on which only rounding is left is none.
    kept = int((scale[:count] > 1e-12 * max(float(np.abs(codes).max()), 1e-300) * len(codes)).sum())
    found[:, :kept] = u[:, :kept] * scale[:kept]
    largest = found[np.abs(found).argmax(axis=0), np.arange(count)]
    return found * np.where(largest < 0, -1.0, 1.0)


def kernel_density(points: Floats) -> Density | None:
    """The Gaussian kernel density estimate (Scott's bandwidth) of points (N, D).

    None where there is none: fewer points than dimensions need, or all on a line.
    """
    from scipy.stats import gaussian_kde

    n, dimensions = points.shape
    if n <= dimensions or np.linalg.matrix_rank(points - points.mean(axis=0)) < dimensions:
        return None
    density: Density = gaussian_kde(points.T)
    return density


def overlap(points: Floats, labels: Ints) -> float:
    """The integral of the smaller of two classes' densities at points (N, D), D = 1 or 2.

    1 if the densities are the same, 0 if they do not touch; of several classes the mean over pairs. NaN
    where a class has no density.
    """
    classes = [points[labels == label] for label in np.unique(labels)]
    densities = [kernel_density(points) for points in classes]
    if len(classes) < 2 or any(density is None for density in densities):
        return float("nan")
    grid, cell = _grid(classes)
    heights = [density(grid) for density in densities if density is not None]
    shares = [np.minimum(a, b).sum() * cell for a, b in combinations(heights, 2)]
    return float(np.mean(shares))


def fisher_ratio(points: Floats, labels: Ints) -> float:
    """Fisher's criterion tr(S_w^-1 S_b): scatter of the classes' means over that within classes.

    NaN where all points of each class lie on a line.
    """
    classes = [points[labels == label] for label in np.unique(labels)]
    centre, n = points.mean(axis=0), len(points)
    within = sum((points - points.mean(axis=0)).T @ (points - points.mean(axis=0)) for points in classes) / n
    between = sum(len(points) * np.outer(d := points.mean(axis=0) - centre, d) for points in classes) / n
    if np.linalg.matrix_rank(within) < points.shape[1]:
        return float("nan")
    return float(np.trace(np.linalg.solve(within, between)))


def _grid(classes: list[Floats]) -> tuple[Floats, float]:
    """Points (D, M) that cover all densities, and the volume of a cell between them."""
    ends = []
    for points in classes:
        n, dimensions = points.shape
        reach = BEYOND * points.std(axis=0, ddof=1) * n ** (-1.0 / (dimensions + 4))
        ends.append((points.min(axis=0) - reach, points.max(axis=0) + reach))
    low = np.min([start for start, _ in ends], axis=0)
    high = np.max([end for _, end in ends], axis=0)
    axes = [np.linspace(a, b, POINTS) for a, b in zip(low, high, strict=True)]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])
    return grid, float(np.prod((high - low) / (POINTS - 1)))
