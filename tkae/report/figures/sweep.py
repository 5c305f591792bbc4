"""The figure of a sweep that a user makes, of any experiment: `-m ... model.alpha=0,0.1,0.5`.

Of every setting that was given several numbers there is a figure: a panel for each metric, a line for each
dataset and method. What an experiment sweeps by itself has a figure of its own and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tkae.experiments.base import Experiment
from tkae.report.drawing import Drawing
from tkae.report.figures.accuracy_and_error import INTERVALS, Points, as_numbers, line_with_band
from tkae.report.figures.shared_run import method_label
from tkae.report.style import COLUMN, CYCLE, LINES, PAGE
from tkae.report.summary import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 3  # metrics, those that the experiment names first
WIDE = 50.0  # the largest value over the smallest, from which on an axis is logarithmic

Lines = dict[str, Points]


def sweeps(experiment: Experiment, rows: Sequence[Row], about: str) -> dict[str, Drawing]:
    """A figure for each setting that was swept, by the setting's key."""
    shown = [row for row in rows if row.mean is not None and row.metric in _metrics(experiment)]
    keys = dict.fromkeys(key for row in shown for key in row.changed if key not in row.point)
    found = {key: lines_over(shown, key) for key in keys}
    return {key: _drawing(experiment, key, lines, about) for key, lines in found.items() if lines}


def lines_over(rows: Sequence[Row], key: str) -> dict[str, Lines]:
    """By metric and line the points along a setting; lines of a single point are none."""
    along = sorted(
        (row for row in rows if _number(row.facts.get(key))), key=lambda row: float(row.facts[key])
    )
    found: dict[str, Lines] = {}
    for row in along:
        found.setdefault(row.metric.title, {}).setdefault(_label(row, key), []).append(row)
    long = {
        title: {name: points for name, points in lines.items() if len(points) > 1}
        for title, lines in found.items()
    }
    return {title: lines for title, lines in long.items() if lines}


def logarithmic(values: Sequence[float]) -> bool:
    """Whether an axis with these values, which are sorted, shows them better by their logarithms."""
    positive = [value for value in values if value > 0]
    return min(values) >= 0 and bool(positive) and positive[-1] > WIDE * positive[0]


def _label(row: Row, besides: str) -> str:
    at = "".join(f", {key}={value}" for key, value in row.point.items() if key != besides)
    return f"{row.dataset_title}, {method_label(row, besides)}{at}"


def _metrics(experiment: Experiment) -> list[Any]:
    return [metric for metric in experiment.metrics if metric.higher_is_better is not None][:MOST]


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _drawing(experiment: Experiment, key: str, panels: Mapping[str, Lines], about: str) -> Drawing:
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    values = sorted(
        {float(row.facts[key]) for lines in panels.values() for points in lines.values() for row in points}
    )

    def draw(figure: Figure) -> None:
        every = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (title, lines) in zip(every, panels.items(), strict=True):
            for name, points in lines.items():
                turn, colour = divmod(names.index(name), len(CYCLE))
                line_with_band(axes, points, key, CYCLE[colour], LINES[turn % len(LINES)])
                axes.plot(
                    [],
                    [],
                    LINES[turn % len(LINES)],
                    color=CYCLE[colour],
                    marker="o",
                    markersize=3,
                    label=name,
                )
            axes.set(xlabel=key, ylabel=title)
            if logarithmic(values):
                axes.set_xscale("symlog", linthresh=min(value for value in values if value > 0))
            axes.set_xticks(values, [f"{value:g}" for value in values])
            axes.minorticks_off()
        handles = {h.get_label(): h for axes in every for h in axes.get_legend_handles_labels()[0]}
        figure.legend(
            handles=list(handles.values()), loc="outside upper center", ncols=2 if len(panels) == 1 else 4
        )

    numbers = [
        {"line": name, **as_numbers(row, key)}
        for lines in panels.values()
        for name, points in lines.items()
        for row in points
    ]
    caption = f"{experiment.caption}, over {key}. {about} {INTERVALS}"
    return Drawing(caption, numbers, draw, size=(COLUMN if len(panels) == 1 else PAGE, 2.6))
