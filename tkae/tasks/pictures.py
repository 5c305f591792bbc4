"""A small picture of what was done, one for each task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tkae.data.collection import Collection, Floats, Ints
from tkae.data.scaling import Standardiser

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MANY = 10  # classes or variates: beyond that, colours say nothing


def completed_series(
    figure: Figure,
    x: Collection,
    done: Collection,
    spread: Collection | None,
    panels: Sequence[tuple[int, int]],
) -> None:
    """Observed values as points, imputed ones as circles, with the spread over the networks around them."""
    axes = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for panel, (i, v) in zip(axes, panels, strict=True):
        steps = np.arange(x.lengths[i])
        seen, values = x.observed[i, steps, v], done.values[i, steps, v]
        panel.plot(steps, values, color="0.8", zorder=1)
        if spread is not None:
            wide = spread.values[i, steps, v]
            panel.fill_between(
                steps, values - wide, values + wide, color="C1", alpha=0.25, linewidth=0, zorder=0
            )
        panel.scatter(steps[seen], values[seen], s=14, color="C0", label="observed", zorder=3)
        panel.scatter(
            steps[~seen], values[~seen], s=18, facecolor="white", edgecolor="C1", label="imputed", zorder=2
        )
        panel.set_title(f"series {x.names[i]}, {x.variates[v]}", loc="left", fontsize=8)
        _count_steps(panel)
    axes[-1].set_xlabel("step")
    axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, fontsize=8, frameon=False)


def codes_in_two_dimensions(figure: Figure, codes: Floats, labels: Sequence[str]) -> None:
    """The first two principal components; classes have colours, if there are not too many."""
    centred = codes - codes.mean(axis=0)
    _, strengths, directions = np.linalg.svd(centred, full_matrices=False)
    shares = strengths**2 / max(float((strengths**2).sum()), 1e-300)
    places = np.zeros((len(codes), 2))
    found = (centred @ directions[:2].T)[:, :2]
    places[:, : found.shape[1]] = found
    axes = figure.subplots()
    classes = list(dict.fromkeys(sorted(labels)))
    if 1 < len(classes) <= MANY:
        for number, name in enumerate(classes):
            of = np.array([label == name for label in labels])
            axes.scatter(places[of, 0], places[of, 1], s=14, color=f"C{number}", label=name)
        axes.legend(fontsize=8, title="label", frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        axes.scatter(places[:, 0], places[:, 1], s=14)
    told = [
        f"principal component {number + 1} of the codes ({share:.0%} of the variance)"
        for number, share in enumerate(shares[:2])
    ]
    axes.set_xlabel(told[0])
    axes.set_ylabel(told[1] if len(told) > 1 else "")


def most_anomalous(figure: Figure, x: Collection, scores: Floats, first: Ints) -> None:
    """How the scores are distributed, and the series with the largest ones, standardised."""
    axes = figure.subplots(1 + len(first), 1, squeeze=False)[:, 0]
    axes[0].hist(scores, bins=min(40, max(5, len(scores) // 5)), color="0.7")
    for i in first:
        axes[0].axvline(scores[i], color="C3", linewidth=1)
    axes[0].set_title("scores of all series; the ones below in red", loc="left", fontsize=8)
    scaled = Standardiser.of(x).scale(x)
    for rank, (panel, i) in enumerate(zip(axes[1:], first, strict=True), 1):
        series = scaled.series(int(i))
        panel.plot(np.arange(len(series)), series, linewidth=0.9, marker=".", markersize=3, label=x.variates)
        panel.set_title(f"{rank}. series {x.names[i]}, score {scores[i]:.3g}", loc="left", fontsize=8)
        _count_steps(panel)
    if x.shape[2] <= MANY:
        axes[1].legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes[-1].set_xlabel(f"step ({x.shape[2]} variate{'s' * (x.shape[2] > 1)}, standardised)")


def _count_steps(panel: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
