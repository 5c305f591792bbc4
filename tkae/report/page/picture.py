"""The picture of the whole, drawn for the page: each printed result that was measured, against ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tkae.report.figures.paper_against_ours import extent, panels, printed_value, shown_verdict
from tkae.report.overview import UNJUDGED
from tkae.report.page.chart import Axis, Dot
from tkae.report.section import Section
from tkae.report.summary import Row
from tkae.report.tables import measured_text, printed_text


@dataclass(frozen=True)
class Mark:
    """A dot of the picture."""

    dot: Dot
    protocol: str
    verdict: str
    line: str  # the id of the row of the page's table that tells more


@dataclass(frozen=True)
class Panel:
    """The dots of one metric of one experiment; both axes are the same."""

    experiment: str
    title: str
    axis: Axis
    marks: Sequence[Mark]


def picture(sections: Sequence[Section], ids: Mapping[int, str]) -> list[Panel]:
    """A panel for each experiment and metric; `ids` are those of the tables' rows, by the `id` of a Row."""
    made = []
    for title, dots in panels(sections).items():
        axis = Axis(*extent(dots))
        marks = [
            Mark(_dot(axis, protocol, row), protocol, shown_verdict(row) or UNJUDGED, ids[id(row)])
            for protocol, row in dots
        ]
        made.append(Panel(dots[0][1].entries[0].experiment, title.partition(": ")[2], axis, marks))
    return made


def _dot(axis: Axis, protocol: str, row: Row) -> Dot:
    low, high = row.interval or (0.0, 0.0)
    says = (
        f"{row.method_title}, {row.dataset_title}, {row.metric.title}. Protocol {protocol}: "
        f"{measured_text(row)}. Paper: {printed_text(row)}. {shown_verdict(row) or UNJUDGED}."
    )
    return Dot(axis.x(printed_value(row)), axis.y(row.mean or 0.0), says, axis.y(low), axis.y(high))
