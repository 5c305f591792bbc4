"""Charts of what was swept, by an experiment or by a user: each metric over the setting."""

from __future__ import annotations

from collections.abc import Sequence

from tkae.report.figures.sweep import lines_over, logarithmic
from tkae.report.page.chart import Axis, Chart, Dot, Line, band, path
from tkae.report.section import Section
from tkae.report.summary import Row
from tkae.report.tables import measured_text, printed_text, setting_text

MOST = 12  # lines of a chart: what has more (a search over a grid) is no sweep


def sweeps(section: Section) -> list[Chart]:
    """A chart for each metric and each setting that has several numbers."""
    rows = [
        row for row in section.rows if row.interval is not None and row.metric.higher_is_better is not None
    ]
    keys = dict.fromkeys(key for row in rows for key in (*row.point, *row.changed))
    found = [(key, title, lines) for key in keys for title, lines in lines_over(rows, key).items()]
    return [_chart(key, title, lines) for key, title, lines in found if len(lines) <= MOST]


def _chart(key: str, title: str, lines: dict[str, list[Row]]) -> Chart:
    every = [row for points in lines.values() for row in points]
    values = sorted({float(row.facts[key]) for row in every})
    # A logarithm has no place for 0.
    x = Axis.around(values, logarithmic=logarithmic(values) and values[0] > 0)
    ends = [end for row in every for end in row.interval or ()]
    y = Axis.around([*ends, *(row.paper.number for row in every if row.paper)])
    drawn = [_line(key, name, points, x, y) for name, points in lines.items()]
    return Chart(title, x, y, key, title, drawn, values)


def _line(key: str, name: str, points: Sequence[Row], x: Axis, y: Axis) -> Line:
    dots, printed = [], []
    for row in points:
        low, high = row.interval or (0.0, 0.0)
        at, where = x.x(float(row.facts[key])), f"{name}, {key}={setting_text(row.facts[key])}"
        dots.append(Dot(at, y.y(row.mean or 0.0), f"{where}: {measured_text(row)}", y.y(low), y.y(high)))
        if row.paper is not None:
            printed.append(Dot(at, y.y(row.paper.number), f"{where}: the paper prints {printed_text(row)}"))
    across = [dot.x for dot in dots]
    around = band(across, [dot.low or 0 for dot in dots], [dot.high or 0 for dot in dots])
    return Line(name, path((dot.x, dot.y) for dot in dots), dots, around, printed)
