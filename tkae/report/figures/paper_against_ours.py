"""The picture of the whole: every printed result that was measured, the paper's figure against ours.

A panel for each experiment and metric, a colour for each verdict, a marker for each protocol; the bar is the
interval that the verdict rests on. On the diagonal we measured what the paper prints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tkae.evaluation.statistics import mean_interval
from tkae.report.drawing import Drawing
from tkae.report.section import Section
from tkae.report.summary import Row
from tkae.report.verdict import (
    BETTER,
    CONFIDENCE,
    DIFFERS,
    INCONCLUSIVE,
    NO_VERDICT,
    NOT_RUN,
    REPRODUCED,
    WORSE,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Told apart by people of any colour vision (Okabe and Ito).
COLOURS = {
    REPRODUCED: "#009E73",
    BETTER: "#56B4E9",
    WORSE: "#D55E00",
    DIFFERS: "#CC79A7",
    INCONCLUSIVE: "#E69F00",
    NO_VERDICT: "#999999",
}
PICTURE = "paper_against_ours"  # the stem of its files
MARKERS = "os^Dv"  # of protocols, in their order
COLUMNS, SIZE = 3, 2.4  # panels in a row, and inches of one
DECADE = 10.0  # figures that span more than that are drawn on logarithmic axes
CAPTION = (
    "Every result that the paper prints and that was measured: the paper's figure against the mean of ours, "
    f"with its {CONFIDENCE:.0%} interval over the runs. Grey: no verdict, since another thing is measured "
    "than was printed."
)

Dot = tuple[str, Row]  # a protocol and a figure under it


def printed_rows(sections: Iterable[Section]) -> list[Dot]:
    """The results that the paper prints, measured or not: no rows of ours, no changed settings, no facts."""
    return [
        (section.protocol, row)
        for section in sections
        for row in section.rows
        if row.paper is not None
        and row.metric.higher_is_better is not None
        and not row.changed
        and not row.ours
        and not row.shortened
    ]


def paper_against_ours(sections: Sequence[Section]) -> Drawing | None:
    """None where nothing that the paper prints was measured."""
    panels: dict[str, list[Dot]] = {}
    for protocol, row in printed_rows(sections):
        if row.mean is not None and row.done == row.seeds and math.isfinite(row.mean):
            where = f"{row.entries[0].experiment}: {row.metric.title}"
            panels.setdefault(where, []).append((protocol, row))
    if not panels:
        return None
    protocols = list(dict.fromkeys(protocol for dots in panels.values() for protocol, _ in dots))
    lines = math.ceil(len(panels) / COLUMNS)

    def draw(figure: Figure) -> None:
        every = figure.subplots(lines, COLUMNS, squeeze=False).ravel()
        for axes, (title, dots) in zip(every, panels.items(), strict=False):
            _panel(axes, title, dots, protocols)
        for axes in every[len(panels) :]:
            axes.set_axis_off()
        figure.legend(handles=_legend(panels, protocols), loc="outside lower center", ncols=5, fontsize=7)

    numbers = [_number(protocol, row) for dots in panels.values() for protocol, row in dots]
    return Drawing(CAPTION, numbers, draw, size=(SIZE * COLUMNS, SIZE * lines + 0.6))


def _panel(axes: Any, title: str, dots: Sequence[Dot], protocols: Sequence[str]) -> None:
    ends = []
    for protocol, row in dots:
        low, high = _interval(row)
        paper, colour = _printed(row), COLOURS[_verdict(row)]
        axes.plot([paper, paper], [low, high], color=colour, linewidth=1)
        marker = MARKERS[protocols.index(protocol) % len(MARKERS)]
        axes.plot(paper, row.mean, marker, color=colour, markersize=4)
        ends += [paper, low, high]
    if min(ends) > 0 and max(ends) > DECADE * min(ends):
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.axline((min(ends), min(ends)), (max(ends), max(ends)), color="black", linewidth=0.6)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(title, fontsize=7, loc="left")
    axes.tick_params(labelsize=6, which="both")
    axes.set_xlabel("paper", fontsize=6)
    axes.set_ylabel("ours", fontsize=6)


def _legend(panels: dict[str, list[Dot]], protocols: Sequence[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    seen = {_verdict(row) for dots in panels.values() for _, row in dots}
    handles = [
        Line2D([], [], color=colour, marker=".", linewidth=1, label=verdict or "no verdict")
        for verdict, colour in COLOURS.items()
        if verdict in seen
    ]
    return handles + [
        Line2D([], [], color="black", marker=marker, linestyle="", markersize=4, label=f"protocol {name}")
        for name, marker in zip(protocols, MARKERS * len(protocols), strict=False)
    ]


def _verdict(row: Row) -> str:
    return NO_VERDICT if row.verdict == NOT_RUN else row.verdict  # fewer seeds than a verdict needs


def _printed(row: Row) -> float:
    assert row.paper is not None
    return row.paper.number


def _interval(row: Row) -> tuple[float, float]:
    return mean_interval(row.values, CONFIDENCE) if len(set(row.values)) > 1 else (row.values[0],) * 2


def _number(protocol: str, row: Row) -> dict[str, Any]:
    """A dot as a row of the figure's CSV file."""
    low, high = _interval(row)
    return {
        "experiment": row.entries[0].experiment,
        "protocol": protocol,
        "dataset": row.stands_for,
        "method": row.method,
        "metric": row.metric.name,
        **dict(row.point),
        "paper": row.paper.value if row.paper else None,
        "mean": row.mean,
        "low": low,
        "high": high,
        "verdict": row.verdict,
    }
