"""Tables for people: the same grid as Markdown and LaTeX; and the long form as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tkae.errors import printable
from tkae.experiments.base import Experiment
from tkae.report.grid import Grid, TableCell
from tkae.report.latex import latex
from tkae.report.summary import Row, distinguishing_keys
from tkae.storage import write_atomically

# How a verdict looks on the terminal.
VERDICTS = {
    "reproduced": ("✓", "green"),
    "better": ("▲", "cyan"),
    "worse": ("▼", "red"),
    "differs": ("≠", "red"),
    "inconclusive": ("?", "yellow"),
    "not run": ("○", "yellow"),
}


def experiment_table(
    rows: Sequence[Row], experiment: Experiment, about: str, notes: Sequence[str] = ()
) -> Grid:
    """A line for each dataset, setting and method; our figure and the paper's side by side.

    `about` says in the caption how the figures came about.
    """
    keys = distinguishing_keys(rows)
    with_paper = [m for m in experiment.metrics if any(r.paper for r in rows if r.metric == m)]
    header, results, facts, ours = ["Dataset", *keys, "Method"], list[int](), list[int](), list[int]()
    for metric in experiment.metrics:
        titles = [metric.title, *(["paper"] if metric in with_paper else [])]
        spare = ours if metric not in with_paper else facts if metric.higher_is_better is None else results
        spare += range(len(header), len(header) + len(titles))
        header += titles
    lines: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        where = (row.dataset_title, *(setting_text(row.facts.get(key)) for key in keys), row.method_title)
        lines.setdefault(where, {})[row.metric.name] = row
    best = _best(rows, keys)
    blocks: dict[tuple[str, ...], list[list[TableCell]]] = {}
    for where, figures in lines.items():
        line = [TableCell(text) for text in where]
        for metric in experiment.metrics:
            row = figures[metric.name]
            line.append(TableCell(measured_text(row), id(row) in best))
            if metric in with_paper:
                line.append(TableCell(printed_text(row), verdict=row.verdict))
        blocks.setdefault(where[:-1], []).append(line)
    return Grid(
        f"{experiment.caption}. {about}",
        experiment.place,
        header,
        list(blocks.values()),
        list(notes),
        [row.long(keys) for row in rows],
        keys=len(keys) + 2,
        spare=[ours, facts if results else []] if with_paper else [],
    )


def measured_text(row: Row) -> str:
    """Mean ± std, and how many seeds there are where some are missing.

    A fact that is the same in every run has no spread, and where it does not apply there is a dash.
    """
    fact = row.metric.higher_is_better is None
    if row.mean is None:
        none = "–" if fact else "undefined"
        return "failed" if row.failed else "missing" if row.done < row.seeds else none
    digits = row.metric.decimals
    spread = "" if row.std is None or (fact and row.std == 0) else f" ± {row.std:.{digits}f}"
    short = "" if row.n == row.seeds else f" ({row.n} of {row.seeds} seeds)"
    return f"{row.mean:.{digits}f}{spread}{short}"


def markdown(table: Grid) -> str:
    """GitHub's table: the best figure of a block is bold, the verdict stands behind the paper's number."""
    lines = ["| " + " | ".join(map(_unmarked, table.header)) + " |", "|" + "---|" * len(table.header)]
    for block in table.blocks:
        for line in block:
            lines.append("| " + " | ".join(_marked(cell) for cell in line) + " |")
    notes = "".join(f"\n{note}\n" for note in table.notes)
    return f"{table.caption}\n\n" + "\n".join(lines) + f"\n{notes}"


def write_tables(folder: Path, stem: str, table: Grid) -> list[Path]:
    """`<stem>.csv`, `.tex` and `.md` in `folder`."""
    contents = {"csv": as_csv(table.long), "tex": latex(table), "md": markdown(table)}
    paths = []
    for ending, content in contents.items():
        paths.append(folder / f"{stem}.{ending}")
        write_atomically(paths[-1], content)
    return paths


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as the text of a CSV file; a column that a row does not have is empty there."""
    buffer = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(buffer, list(columns), restval="", lineterminator="\n")
    writer.writerow({column: _inert(column) for column in columns})
    writer.writerows({column: _inert(value) for column, value in row.items()} for row in rows)
    return buffer.getvalue()


def _inert(value: Any) -> Any:
    """A text that spreadsheets take for no formula: names come from files and records of anybody."""
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _best(rows: Sequence[Row], keys: Sequence[str]) -> set[int]:
    """Of each dataset, setting and metric, the rows with the best printed mean; none where one is alone."""
    rivals: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        whole = row.mean is not None and row.n == row.seeds  # a mean of some seeds is no rival yet
        if whole and row.metric.higher_is_better is not None:
            where = (row.dataset, row.metric.name, *(setting_text(row.facts.get(key)) for key in keys))
            rivals.setdefault(where, []).append(row)
    best: set[int] = set()
    for group in rivals.values():
        means = [round(row.mean or 0.0, row.metric.decimals) for row in group]
        top = max(means) if group[0].metric.higher_is_better else min(means)
        if len(group) > 1:
            best |= {id(row) for row, mean in zip(group, means, strict=True) if mean == top}
    return best


def printed_text(row: Row) -> str:
    """The paper's figure as it is printed, or a dash."""
    if row.paper is None:
        return "–"
    return row.paper.value + (f" ± {row.paper.spread}" if row.paper.spread else "")


def _marked(cell: TableCell) -> str:
    own = _unmarked(cell.text)
    text = f"{own} ({cell.verdict})" if cell.verdict else own
    return f"**{text}**" if cell.best else text


def _unmarked(text: str) -> str:
    """A text that Markdown takes for no column, tag or link."""
    return printable(text).replace("|", r"\|").replace("<", "&lt;").replace("](", r"]\(")


def value_text(value: object) -> str:
    """A setting as one types it."""
    return str(value).lower() if isinstance(value, bool) else setting_text(value)


def setting_text(value: object) -> str:
    """A setting as people write it; two values never look the same."""
    if value is None:
        return "–"
    short = f"{value:g}" if isinstance(value, float) else ""
    return short if short and float(short) == value else str(value)
