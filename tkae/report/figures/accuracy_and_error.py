"""Fig. miss: accuracy (blue, left) and reconstruction error (red, right) over a value that is varied."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tkae.report.drawing import Drawing
from tkae.report.figures.shared_run import method_label
from tkae.report.style import BAND, BLACK, BLUE, LINES, RED
from tkae.report.summary import Row
from tkae.report.verdict import CONFIDENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"accuracy": BLUE, "mse": RED}

INTERVALS = f"Bands: {CONFIDENCE:.0%} intervals of the mean over the runs."

Points = list[Row]  # a method's figures along the axis


def accuracy_and_error(
    rows: Sequence[Row], *, axis: str, axis_title: str, caption: str, logarithmic: bool = False
) -> Drawing | None:
    """Mean over seeds of both metrics with its interval, a line for each method.

    `axis` is the key of the value that is varied; a logarithmic axis still has a place for 0. What the
    paper prints is a cross.
    """
    shown = [
        row
        for row in rows
        if row.metric.name in COLOURS and row.mean is not None and row.facts.get(axis) is not None
    ]  # a model that a user chose may have no such setting
    if not shown:
        return None
    lines: dict[str, dict[str, Points]] = {}  # method -> metric -> its points
    for row in sorted(shown, key=lambda row: float(row.facts[axis])):
        lines.setdefault(method_label(row, axis), {}).setdefault(row.metric.name, []).append(row)
    # A TAE is dashed beside a TKAE, whatever the order in which they were run.
    order = sorted(lines, key=lambda name: (lines[name][min(lines[name])][0].method != "tkae", name))

    def draw(figure: Figure) -> None:
        left = figure.add_subplot()
        right = left.twinx()
        right.grid(False)
        for metric, axes in zip(COLOURS, (left, right), strict=True):
            for name, style in zip(order, LINES * len(order), strict=False):
                points = lines[name].get(metric, [])
                if points:
                    line_with_band(axes, points, axis, COLOURS[metric], style)
                    title = points[0].metric.title
            axes.set_ylabel(title, color=COLOURS[metric])
            axes.tick_params(axis="y", colors=COLOURS[metric])
        left.set_ylim(0, 1)
        right.set_ylim(0, 1.3 * right.get_ylim()[1])  # so that the two do not lie upon each other
        left.set_xlabel(axis_title)
        if logarithmic:
            above = [x for row in shown if (x := float(row.facts[axis])) > 0] or [1.0]
            left.set_xscale("symlog", linthresh=min(above))
            left.set_xlim(-0.2 * min(above), 1.3 * max(above))
        for name, style in zip(order, LINES * len(order), strict=False):
            left.plot([], [], style, color=BLACK, label=name)
        if any(row.paper for row in shown):
            left.plot([], [], "x", color=BLACK, label="paper")
        figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)

    told = f"{caption} {INTERVALS}"
    return Drawing(told, [as_numbers(row, axis) for row in shown], draw)


def line_with_band(axes: Any, points: Points, axis: str, colour: str, style: str = "-") -> None:
    """Means, with a band for their intervals; what the paper prints is a cross."""
    x = [float(row.facts[axis]) for row in points]
    low, high = zip(*(row.interval or (math.nan, math.nan) for row in points), strict=True)
    axes.plot(x, [row.mean for row in points], style, color=colour, marker="o", markersize=3)
    axes.fill_between(x, low, high, color=colour, alpha=BAND, linewidth=0)
    printed = [(at, row.paper.number) for at, row in zip(x, points, strict=True) if row.paper]
    for at, value in printed:
        axes.plot(at, value, "x", color=colour)


def as_numbers(row: Row, axis: str) -> dict[str, Any]:
    """A point of the figure as a row of its CSV file."""
    low, high = row.interval or (None, None)
    return {
        axis: row.facts[axis],
        "method": method_label(row, axis),
        "metric": row.metric.name,
        "mean": row.mean,
        "std": row.std,
        "low": low,
        "high": high,
        "n": row.n,
        "paper": row.paper.value if row.paper else None,
    }
