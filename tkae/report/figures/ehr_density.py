"""Fig. pca_blood: two principal components of the codes, with the density of each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.data.collection import Floats
from tkae.evaluation.density import kernel_density
from tkae.experiments.base import Experiment
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.figures.shared_run import first_shared_run, method_label
from tkae.report.style import CYCLE, PAGE
from tkae.report.summary import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 120  # on each axis of a drawn density

Classes = dict[str, Floats]  # name -> components (n, 2)


def figure(experiment: Experiment, rows: Sequence[Row], arrays: StoredArrays, about: str) -> Drawing | None:
    """A panel for each method, of one run: series, contours of the class densities, and their margins."""
    shared = first_shared_run(rows, arrays)
    if shared is None:
        return None
    seed, panels = shared
    overlaps = {method_label(row): row.by_seed.get(seed) for row in rows if row.metric.name == "overlap"}

    def draw(figure: Figure) -> None:
        outer = figure.add_gridspec(1, len(panels), wspace=0.08)
        for i, (title, classes) in enumerate(panels.items()):
            share = overlaps.get(title)
            heading = title if share is None else f"{title} (overlap {share:.2f})"
            middle = _panel(figure, outer[i], heading, classes)
        figure.legend(*middle.get_legend_handles_labels(), loc="outside lower center", ncols=2, markerscale=2)

    numbers = [
        {
            "method": title,
            "seed": seed,
            "class": name,
            "component_1": float(first),
            "component_2": float(second),
            "overlap": overlaps.get(title),
        }
        for title, classes in panels.items()
        for name, points in sorted(classes.items())
        for first, second in points
    ]
    caption = f"{experiment.caption}. {about} Run {seed}."
    return Drawing(caption, numbers, draw, size=(PAGE * min(1.0, len(panels) / 2), 0.55 * PAGE))


def _panel(figure: Figure, at: Any, title: str, classes: Classes) -> Axes:
    """Series and contours in the middle, which is returned; the components' own densities at its sides."""
    inner = at.subgridspec(2, 2, width_ratios=(4, 1), height_ratios=(1, 4), wspace=0.05, hspace=0.05)
    middle = figure.add_subplot(inner[1, 0])
    top = figure.add_subplot(inner[0, 0], sharex=middle)
    side = figure.add_subplot(inner[1, 1], sharey=middle)
    everything = np.concatenate(list(classes.values()))
    low, high = everything.min(axis=0), everything.max(axis=0)
    room = 0.15 * np.where(high > low, high - low, 1.0)
    x, y = np.linspace(low - room, high + room, POINTS).T
    for (name, points), colour in zip(sorted(classes.items()), CYCLE * len(classes), strict=False):
        middle.scatter(points[:, 0], points[:, 1], s=6, color=colour, alpha=0.6, linewidths=0, label=name)
        density = kernel_density(points)
        if density is not None:
            grid = np.stack([coordinate.ravel() for coordinate in np.meshgrid(x, y)])
            middle.contour(x, y, density(grid).reshape(POINTS, POINTS), 5, colors=colour, linewidths=0.7)
        for axis, margin in ((0, top), (1, side)):
            along = kernel_density(points[:, axis : axis + 1])
            if along is None:
                continue
            line = (x, y)[axis]
            height = along(line[None])
            if axis == 0:
                margin.plot(line, height, color=colour)
                margin.fill_between(line, height, color=colour, alpha=0.2, linewidth=0)
            else:
                margin.plot(height, line, color=colour)
                margin.fill_betweenx(line, height, color=colour, alpha=0.2, linewidth=0)
    middle.set_xlim(x[0], x[-1])
    middle.set_ylim(y[0], y[-1])
    middle.set_xlabel("first principal component")
    middle.set_ylabel("second principal component")
    for margin in (top, side):
        margin.set_axis_off()
    top.set_title(title)
    return middle
