"""The protocols of one experiment side by side, since the interesting result is where they part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tkae.experiments.base import Experiment, Metric
from tkae.report.grid import Grid, TableCell
from tkae.report.paper import load_paper
from tkae.report.section import Section, budgets
from tkae.report.summary import Row, distinguishing_keys
from tkae.report.tables import measured_text, printed_text, setting_text
from tkae.settings.registry import lookup

NONE = "–"  # a row that a protocol does not have
Line = Mapping[str, Row]  # one figure, by protocol


def by_experiment(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """The sections of each experiment: one a protocol."""
    found: dict[str, list[Section]] = {}
    for section in sections:
        found.setdefault(section.experiment, []).append(section)
    return found


def side_by_side(sections: Sequence[Section]) -> Grid:
    """A line for each dataset, setting, method and metric of one experiment; a column for each protocol."""
    experiment = lookup("experiment", sections[0].experiment)
    rows = [row for section in sections for row in section.rows]
    keys, metrics = distinguishing_keys(rows), _metrics(experiment)
    lines: dict[tuple[str, ...], dict[str, Row]] = {}
    for section in sections:
        for row in (row for row in section.rows if row.metric in metrics):
            at = (setting_text(row.facts.get(key)) for key in keys)
            where = (row.stands_for, *at, row.method, row.metric.name)
            lines.setdefault(where, {})[section.protocol] = row
    protocols = [section.protocol for section in sections]
    blocks: dict[tuple[str, ...], list[tuple[tuple[str, ...], Line]]] = {}
    for where, line in lines.items():  # what only a later protocol has still stands with its dataset
        blocks.setdefault(where[:-2], []).append((where, line))
    titles = _titles(sections)
    return Grid(
        f"{experiment.caption}: the protocols side by side. {budgets(sections)}",
        experiment.place,
        ["Dataset", *keys, "Method", "Metric", "Printed", *protocols],
        [
            [_line((titles[where[0]], *where[1:-2]), line, protocols) for where, line in block]
            for block in blocks.values()
        ],
        _stand_ins(sections, titles),
        [_long(where[0], line, keys, protocols) for block in blocks.values() for where, line in block],
        keys=len(keys) + 3,
    )


def _metrics(experiment: type[Experiment]) -> list[Metric]:
    """Those that the paper prints a number for; if there are none, those that are better high or low."""
    in_print = {number.metric for number in load_paper() if number.experiment == experiment.name}
    chosen = [metric for metric in experiment.metrics if metric.name in in_print]
    return chosen or [metric for metric in experiment.metrics if metric.higher_is_better is not None]


def _titles(sections: Sequence[Section]) -> dict[str, str]:
    """Of each dataset, its own title rather than that of one that stands for it."""
    rows = [(row.stands_for, row) for section in sections for row in section.rows]
    return {
        name: row.dataset_title for name, row in sorted(rows, key=lambda pair: pair[0] == pair[1].dataset)
    }


def _stand_ins(sections: Sequence[Section], titles: Mapping[str, str]) -> list[str]:
    """Which column has figures of another dataset than its line says."""
    return list(
        dict.fromkeys(
            f"Under {section.protocol}, {row.dataset_title} stands in the place of {titles[name]}."
            for section in sections
            for row in section.rows
            if (name := row.stands_for) != row.dataset and row.dataset_title != titles[name]
        )
    )


def _line(where: tuple[str, ...], line: Line, protocols: Sequence[str]) -> list[TableCell]:
    row = _source(line)
    head = [TableCell(text) for text in (*where, row.method_title, row.metric.title, printed_text(row))]
    ours = [line.get(protocol) for protocol in protocols]
    return [
        *head,
        *(TableCell(measured_text(row), verdict=row.verdict) if row else TableCell(NONE) for row in ours),
    ]


def _source(line: Line) -> Row:
    """The row that speaks for a line: one with the paper's figure, if there is any."""
    return max(line.values(), key=lambda row: row.paper is not None)


def _long(dataset: str, line: Line, keys: Sequence[str], protocols: Sequence[str]) -> dict[str, Any]:
    """The row of the CSV file; a protocol's columns end in its name (one is called `paper` as well)."""
    row = _source(line)
    found: dict[str, Any] = {"dataset": dataset, **{key: row.facts.get(key) for key in keys}}
    found |= {"method": row.method, "metric": row.metric.name}
    paper = row.paper
    found |= {"paper": paper.value if paper else None, "paper_std": paper.std if paper else None}
    for protocol in protocols:
        own = line.get(protocol)
        numbers = (own.mean, own.std, *own.over_series, own.n, own.verdict) if own else (None,) * 6
        columns = ("mean", "std", "series_low", "series_high", "n", "verdict")
        names = (f"{name}_{protocol}" for name in columns)
        found |= dict(zip(names, numbers, strict=True))
    return found
