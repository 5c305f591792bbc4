"""Fig. alignment: the kernel beside the dot products of the codes, sorted by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.evaluation.similarity import block_means, in_own_units
from tkae.experiments.base import Experiment
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.figures.shared_run import first_shared_run
from tkae.report.style import PAGE
from tkae.report.summary import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNIT = "similarity / mean self-similarity"
LEAST_SPAN = 0.2  # of a colour scale
DIGITS = 9  # of a mean: the last ones of a double differ between the BLAS of one processor and of another


def figure(experiment: Experiment, rows: Sequence[Row], arrays: StoredArrays, about: str) -> Drawing | None:
    """K and the ZZ^T of each method, of one run; the numbers are the means of the classes' blocks."""
    shared = first_shared_run(rows, arrays)
    if shared is None:
        return None
    seed, runs = shared
    # One kernel for all methods, unless it was changed for one: the last, the TKAE, was aligned to its own.
    last = list(runs.values())[-1]
    labels: Ints = last["labels"].astype(np.int64)
    panels = {"TCK (K)": whole(last["kernel"], len(labels))}
    codes = {name: run["codes"].astype(np.float64) for name, run in runs.items()}
    panels |= {f"{name} (ZZ^T)": in_own_units(z @ z.T) for name, z in codes.items()}

    def draw(figure: Figure) -> None:
        all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (title, matrix) in zip(all_axes, panels.items(), strict=True):
            low, high = _limits(matrix)
            image = axes.imshow(matrix, cmap="viridis", vmin=low, vmax=high, interpolation="nearest")
            axes.grid(False)
            for lines in (axes.hlines, axes.vlines):
                lines(np.flatnonzero(np.diff(labels)) + 0.5, -0.5, len(labels) - 0.5, "white", linewidth=0.4)
            middles, names = _ticks(labels)
            axes.set_xticks(middles, names)
            axes.set_yticks(middles, names)
            axes.tick_params(length=0)
            axes.set_title(title.replace("ZZ^T", r"$\mathbf{ZZ}^T$").replace("(K)", r"($\mathbf{K}$)"))
            axes.set_xlabel("class")
            figure.colorbar(image, ax=axes, location="bottom", shrink=0.8, label=UNIT)
        all_axes[0].set_ylabel("class")

    numbers = [number for title, matrix in panels.items() for number in _blocks(title, matrix, labels, seed)]
    caption = f"{experiment.caption}, sorted by class. {about} Run {seed}."
    return Drawing(caption, numbers, draw, size=(PAGE * min(1.0, len(panels) / 3), 0.45 * PAGE))


def whole(half: Floats, n: int) -> Floats:
    """The symmetric matrix (n, n) of which the upper half was kept, row by row."""
    matrix = np.zeros((n, n), dtype=np.float32)
    matrix[np.triu_indices(n)] = half
    return np.asarray(matrix + np.triu(matrix, 1).T)


def _limits(matrix: Floats) -> tuple[float, float]:
    """Without the few largest and smallest entries, which would leave no colours for the others.

    Blocks are seen on a scale of each matrix's own; one that is almost constant shall look so.
    """
    low, high = np.percentile(matrix[~np.eye(len(matrix), dtype=bool)], [1, 99])
    room = max(0.0, LEAST_SPAN - (high - low)) / 2
    return float(low - room), float(high + room)


def _ticks(labels: Ints) -> tuple[list[float], list[str]]:
    """The middle of each class, and its number from 1 on."""
    classes = np.unique(labels)
    middles = [float(np.flatnonzero(labels == label).mean()) for label in classes]
    return middles, [str(int(label) + 1) for label in classes]


def _blocks(title: str, matrix: Floats, labels: Ints, seed: int) -> list[dict[str, Any]]:
    means = block_means(matrix.astype(np.float64), labels)
    classes = np.unique(labels)
    return [
        {
            "matrix": title,
            "seed": seed,
            "class": int(a) + 1,
            "other_class": int(b) + 1,
            "mean": float(f"{means[i, j]:.{DIGITS}g}"),
        }
        for i, a in enumerate(classes)
        for j, b in enumerate(classes)
    ]
