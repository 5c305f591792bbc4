"""Fig. T_incr: reconstruction error over the length of the series, a line for each method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tkae.experiments.base import Experiment
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.figures.accuracy_and_error import INTERVALS, Points, as_numbers, line_with_band
from tkae.report.figures.shared_run import method_label
from tkae.report.style import CYCLE
from tkae.report.summary import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AXIS = "dataset.steps"


def figure(experiment: Experiment, rows: Sequence[Row], arrays: StoredArrays, about: str) -> Drawing | None:
    """Means over runs, each with its own system, and their intervals."""
    shown = [row for row in rows if AXIS in row.point and row.mean is not None]
    if not shown:
        return None
    lines: dict[str, Points] = {}
    for row in sorted(shown, key=lambda row: int(row.facts[AXIS])):
        lines.setdefault(method_label(row, AXIS), []).append(row)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for i, (name, points) in enumerate(lines.items()):
            line_with_band(axes, points, AXIS, CYCLE[i % len(CYCLE)])
            axes.plot([], [], color=CYCLE[i % len(CYCLE)], marker="o", markersize=3, label=name)
        axes.set(xlabel="length T (steps)", ylabel="test MSE")
        axes.set_xticks(sorted({int(row.facts[AXIS]) for row in shown}))
        figure.legend(loc="outside upper center", ncols=3)  # no line is hidden, PCA's at the bottom neither

    caption = f"{experiment.caption}. {about} {INTERVALS}"
    return Drawing(caption, [as_numbers(row, AXIS) for row in shown], draw)
