"""Fig. alignment: the kernel beside the dot products of the codes, sorted by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.evaluation.similarity import block_means
from tkae.report.drawing import Drawing, Kept
from tkae.report.one_run import one_run
from tkae.report.summary import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def matrices(rows: Sequence[Row], kept: Kept, caption: str) -> Drawing | None:
    """K and the ZZ^T of each method, of one run; the numbers are the means of the classes' blocks."""
    found = one_run(rows, kept)
    if found is None:
        return None
    seed, by_method = found
    held = {title: arrays for title, (arrays, _) in by_method.items()}
    # K is the same for all methods, but for one whose kernel was changed: then the TKAE's is shown, the last.
    last = list(held.values())[-1]
    labels: Ints = last["labels"]
    panels = {"TCK (K)": last["kernel"], **{f"{title} (ZZ^T)": own["products"] for title, own in held.items()}}

    def draw(figure: Figure) -> None:
        low, high = _limits(list(panels.values()))
        all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
        edges = np.flatnonzero(np.diff(labels)) + 0.5
        for axes, (title, matrix) in zip(all_axes, panels.items(), strict=True):
            image = axes.imshow(matrix, cmap="viridis", vmin=low, vmax=high, interpolation="nearest")
            axes.grid(False)
            for edge in edges:
                axes.axhline(edge, color="white", linewidth=0.4)
                axes.axvline(edge, color="white", linewidth=0.4)
            middles, names = _ticks(labels)
            axes.set_xticks(middles, names)
            axes.set_yticks(middles, names)
            axes.tick_params(length=0)
            axes.set_title(title.replace("ZZ^T", r"$\mathbf{ZZ}^T$").replace("(K)", r"($\mathbf{K}$)"))
            axes.set_xlabel("class")
        all_axes[0].set_ylabel("class")
        figure.colorbar(image, ax=list(all_axes), shrink=0.8, label="similarity / mean self-similarity")

    numbers = [number for title, matrix in panels.items() for number in _blocks(title, matrix, labels, seed)]
    return Drawing(f"{caption} Run {seed}.", numbers, draw, size=(3.2 * len(panels) + 0.8, 3.4))


def _limits(shown: list[Floats]) -> tuple[float, float]:
    """One scale for all, without the few largest and smallest entries: they would leave no colours."""
    apart = ~np.eye(len(shown[0]), dtype=bool)
    entries = np.concatenate([matrix[apart] for matrix in shown])
    low, high = np.percentile(entries, [1, 99])
    return float(low), float(high)


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
            "mean": float(means[i, j]),
        }
        for i, a in enumerate(classes)
        for j, b in enumerate(classes)
    ]
