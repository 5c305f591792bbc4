"""How the models of an experiment learnt: their training error over the epochs.

A panel for each dataset and a line for each method; where the experiment sweeps something, a panel for each
dataset and method, and a line for each value.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tkae.evaluation.statistics import mean_interval
from tkae.report.curves import Curves, curves
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.figures.shared_run import method_label
from tkae.report.style import BAND, COLUMN, CYCLE, DECADE, LINES, PAGE, plain_ticks
from tkae.report.summary import Row
from tkae.report.verdict import CONFIDENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 3  # panels in a row
MOST = 12  # panels, and lines of one: a search over a grid has more than anybody can read
HEIGHT = 2.3  # inches of a panel

Lines = dict[str, Curves]


def training_curves(rows: Sequence[Row], kept: StoredArrays, about: str) -> Drawing | None:
    """None where no row has curves, or too many have some; `kept` gives those of a row."""
    panels: dict[str, Lines] = {}
    seen: set[str] = set()
    for row in rows:
        if row.runs in seen:  # another metric of the same runs
            continue
        seen.add(row.runs)
        if (found := curves(kept(row))) is not None:
            panel, line = _place(row)
            panels.setdefault(panel, {})[line] = found
    if not panels or max(len(panels), *(len(lines) for lines in panels.values())) > MOST:
        return None
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    across = min(COLUMNS, len(panels))
    down = math.ceil(len(panels) / across)

    def draw(figure: Figure) -> None:
        every = figure.subplots(down, across, squeeze=False).ravel()
        for axes, (title, lines) in zip(every, panels.items(), strict=False):
            _panel(axes, title, lines, _style(names))
        for axes in every[len(panels) :]:
            axes.set_axis_off()
        handles = {h.get_label(): h for axes in every for h in axes.get_legend_handles_labels()[0]}
        figure.legend(
            handles=list(handles.values()), loc="outside lower center", ncols=min(len(names), 2 + 2 * across)
        )

    numbers = [
        number
        for panel, lines in panels.items()
        for line, found in lines.items()
        for number in _numbers(panel, line, found)
    ]
    caption = f"Training error: geometric means over the runs with their {CONFIDENCE:.0%} intervals. {about}"
    return Drawing(caption, numbers, draw, size=(COLUMN if across == 1 else PAGE, HEIGHT * down + 0.4))


def _place(row: Row) -> tuple[str, str]:
    """The panel and the line that a row belongs to."""
    if not row.point:
        return row.dataset_title, method_label(row)
    at = ", ".join(f"{key.partition('.')[2] or key}={value}" for key, value in row.point.items())
    return f"{row.dataset_title}: {method_label(row)}", at


def _style(names: Sequence[str]) -> Callable[[str], dict[str, Any]]:
    """Colours first; when these are used up, other lines."""

    def of(name: str) -> dict[str, Any]:
        turn, colour = divmod(names.index(name), len(CYCLE))
        return {"color": CYCLE[colour], "linestyle": LINES[turn % len(LINES)]}

    return of


def _panel(axes: Any, title: str, lines: Lines, style: Callable[[str], dict[str, Any]]) -> None:
    for name, found in lines.items():
        low, middle, high = _band(found)
        axes.plot(found.epochs, middle, label=name, **style(name))
        axes.fill_between(found.epochs, low, high, color=style(name)["color"], alpha=BAND, linewidth=0)
    axes.set(xscale="log", xlabel="epoch", ylabel="training error", title=title)
    low, high = axes.get_ylim()
    if high > DECADE * max(low, 1e-12):
        axes.set_yscale("log")
        plain_ticks(axes.yaxis)


def _band(found: Curves) -> tuple[list[float], list[float], list[float]]:
    """Means of logarithms, as the axis is one, between the ends of their intervals."""
    ends = [_interval([math.log(value) for value in column if value > 0]) for column in found.values.T]
    low, middle, high = (list(map(math.exp, line)) for line in zip(*ends, strict=True))
    return low, middle, high


def _interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean between the ends of its interval; of runs that have ended there is none."""
    if not values:
        return (math.nan,) * 3
    middle = statistics.fmean(values)
    low, high = mean_interval(values, CONFIDENCE) if len(set(values)) > 1 else (middle, middle)
    return low, middle, high


def _numbers(panel: str, line: str, found: Curves) -> list[dict[str, Any]]:
    low, middle, high = _band(found)
    runs = (found.values > 0).sum(axis=0)  # that have not ended before
    return [
        {
            "panel": panel,
            "line": line,
            "epoch": int(epoch),
            "mean": f"{m:.5g}",
            "low": f"{a:.5g}",
            "high": f"{b:.5g}",
            "n": int(n),
        }
        for epoch, a, m, b, n in zip(found.epochs, low, middle, high, runs, strict=True)
        if n
    ]
