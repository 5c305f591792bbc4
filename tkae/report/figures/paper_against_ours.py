"""The picture of the whole: every printed result that was measured, the paper's figure against ours.

A panel for each experiment and metric, a colour and marker for each verdict, a filling for each protocol; the
bar is the interval that the verdict rests on. On the diagonal we measured what the paper prints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tkae.report.drawing import Drawing
from tkae.report.section import Section
from tkae.report.style import BLACK, DECADE, PAGE, VERDICTS, plain_ticks
from tkae.report.summary import Row
from tkae.report.verdict import CONFIDENCE, NO_VERDICT, NOT_RUN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE = "paper_against_ours"  # the stem of its files
FILLS: Any = ("full", "none", "left", "bottom")  # of protocols, in their order
COLUMNS = 3  # panels in a row
SIZE = PAGE / COLUMNS  # inches of one
MARGIN = 0.06  # of a panel, around its dots
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


def panels(sections: Sequence[Section]) -> dict[str, list[Dot]]:
    """The dots of each experiment and metric: what was measured of the printed results."""
    found: dict[str, list[Dot]] = {}
    for protocol, row in printed_rows(sections):
        if row.interval is not None and row.done == row.seeds:
            where = f"{row.entries[0].experiment}: {row.metric.title}"
            found.setdefault(where, []).append((protocol, row))
    return found


def paper_against_ours(sections: Sequence[Section]) -> Drawing | None:
    """None where nothing that the paper prints was measured."""
    found = panels(sections)
    if not found:
        return None
    protocols = list(dict.fromkeys(protocol for dots in found.values() for protocol, _ in dots))
    lines = math.ceil(len(found) / COLUMNS)

    def draw(figure: Figure) -> None:
        every = figure.subplots(lines, COLUMNS, squeeze=False).ravel()
        for axes, (title, dots) in zip(every, found.items(), strict=False):
            _panel(axes, title, dots, protocols)
        for axes in every[len(found) :]:
            axes.set_axis_off()
        figure.legend(handles=_legend(found, protocols), loc="outside lower center", ncols=5)

    numbers = [_number(protocol, row) for dots in found.values() for protocol, row in dots]
    return Drawing(CAPTION, numbers, draw, size=(PAGE, SIZE * lines + 0.5))


def extent(dots: Sequence[Dot]) -> tuple[float, float, bool]:
    """From where to where both axes of a panel go, and whether they are logarithmic."""
    ends = [end for _, row in dots for end in (printed_value(row), *(row.interval or ()))]
    low, high = min(ends), max(ends)
    if low > 0 and high > DECADE * low:
        room = (high / low) ** MARGIN
        return low / room, high * room, True
    room = MARGIN * (high - low or 1.0)
    return low - room, high + room, False


def shown_verdict(row: Row) -> str:
    """Fewer seeds than a verdict needs, and there is none."""
    return NO_VERDICT if row.verdict == NOT_RUN else row.verdict


def printed_value(row: Row) -> float:
    """What the paper prints for a row that it prints."""
    assert row.paper is not None
    return row.paper.number


def _panel(axes: Any, title: str, dots: Sequence[Dot], protocols: Sequence[str]) -> None:
    low, high, logarithmic = extent(dots)
    scale = "log" if logarithmic else "linear"
    axes.set(xscale=scale, yscale=scale, xlim=(low, high), ylim=(low, high))
    if logarithmic:
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
    else:
        axes.locator_params(nbins=5)
    axes.axline((low, low), (high, high), color=BLACK, linewidth=0.6, zorder=1)
    for protocol, row in dots:
        colour, marker = VERDICTS[shown_verdict(row)]
        paper = printed_value(row)
        axes.plot([paper, paper], row.interval, color=colour, linewidth=0.9)
        fill = FILLS[protocols.index(protocol) % len(FILLS)]
        axes.plot(
            paper, row.mean, marker, color=colour, fillstyle=fill, markerfacecoloralt="white", markersize=4
        )
    axes.set(xlabel="paper", ylabel="ours", title=title)
    axes.set_box_aspect(1)


def _legend(found: dict[str, list[Dot]], protocols: Sequence[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    seen = {shown_verdict(row) for dots in found.values() for _, row in dots}
    handles = [
        Line2D([], [], color=colour, marker=marker, linewidth=0.9, label=verdict or "no verdict")
        for verdict, (colour, marker) in VERDICTS.items()
        if verdict in seen
    ]
    plain: Any = {"color": BLACK, "marker": "o", "linestyle": "", "markerfacecoloralt": "white"}
    return handles + [
        Line2D([], [], fillstyle=fill, label=f"protocol {name}", **plain)
        for name, fill in zip(protocols, FILLS * len(protocols), strict=False)
    ]


def _number(protocol: str, row: Row) -> dict[str, Any]:
    """A dot as a row of the figure's CSV file."""
    low, high = row.interval or (None, None)
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
