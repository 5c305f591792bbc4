"""From cells and their records to the long table: a row for each dataset, method, setting and metric."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tkae.experiments.base import Metric
from tkae.report.paper import PaperNumber, compared, printed
from tkae.report.verdict import NO_VERDICT, verdict
from tkae.runs.cell import Cell

Record = Mapping[str, Any]
COLUMNS = (
    "dataset",
    "method",
    "metric",
    "mean",
    "std",
    "n",
    "seeds",
    "failed",
    "ours",
    "paper",
    "paper_std",
    "verdict",
)


@dataclass(frozen=True)
class Row:
    """One figure over all seeds, beside the paper's."""

    dataset: str
    dataset_title: str
    method: str
    method_title: str
    metric: Metric
    settings: Mapping[str, Any]
    changed: tuple[str, ...]  # the keys of the settings that are not the experiment's own
    by_seed: Mapping[int, float]  # a figure for each seed that has one
    seeds: int  # how many were asked for
    done: int
    failed: int
    paper: PaperNumber | None = field(repr=False, default=None)
    shortened: bool = False  # by its budget: the printed figure is shown, but nothing is concluded
    axes: Mapping[str, Any] = field(default_factory=dict)  # where it stands on the experiment's own sweep
    ours: bool = False  # a row that the paper's comparison does not have
    cells: tuple[Cell, ...] = field(repr=False, default=())

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(self.by_seed.values())

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float | None:
        return statistics.fmean(self.values) if self.values else None

    @property
    def std(self) -> float | None:
        """Over seeds, with the divisor n - 1."""
        return statistics.stdev(self.values) if self.n > 1 else None

    @property
    def unjudged(self) -> bool:
        """Whether the budget gave the model less work than the paper's; facts do not hang on that."""
        return self.shortened and self.metric.higher_is_better is not None

    @property
    def verdict(self) -> str:
        undefined = self.n < self.seeds == self.done  # there is no such figure: it was not left out
        fact = self.metric.higher_is_better is None
        misprint = self.paper is not None and self.paper.misprint and not fact  # of a count it is told
        if self.unjudged or undefined or misprint:
            return NO_VERDICT
        return verdict(self.mean, self.std, self.n, self.seeds, self.paper, self.metric.higher_is_better)

    def long(self, changed: Sequence[str]) -> dict[str, Any]:
        """The row of the CSV file, with a column for each key of `changed`."""
        paper = self.paper
        head = (
            self.dataset,
            self.method,
            self.metric.name,
            self.mean,
            self.std,
            self.n,
            self.seeds,
            self.failed,
            self.ours,
        )
        tail = (paper.value if paper else None, paper.std if paper else None, self.verdict)
        own = {key: self.settings.get(key) for key in changed}
        return {**dict(zip(COLUMNS, (*head, *tail), strict=True)), **own}


def summarise(cells: Sequence[Cell], records: Mapping[str, Record]) -> list[Row]:
    """Group the cells that differ only in their seed; what is not stored counts as missing."""
    alike: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        alike.setdefault((cell.row, cell.budget.name), []).append(cell)
    several_budgets = len({cell.budget.name for cell in cells}) > 1
    rows = []
    for together in alike.values():
        first = together[0]
        held = {cell.seed: records[cell.key] for cell in together if cell.key in records}
        done = {seed: record["metrics"] for seed, record in held.items() if record["status"] == "done"}
        changed = (*first.changed, *(["budget"] if several_budgets else []))
        ours = _ours(first)
        method, title = first.model.name, first.model.title
        if first.control is not None:
            method, title = first.control.name, first.control.title
        for metric in first.experiment.metrics:
            figures = {seed: metrics.get(metric.name) for seed, metrics in done.items()}
            # A number of the paper is compared only with the paper's own settings.
            paper = printed(first.experiment.name, first.dataset.name, method, metric.name, first.axes)
            rows.append(
                Row(
                    first.dataset.name,
                    first.dataset.title,
                    method,
                    f"{title} (ours)" if ours else title,
                    metric,
                    {**first.settings, "budget": first.budget.name},
                    changed,
                    {seed: value for seed, value in figures.items() if value is not None},
                    len(together),
                    len(done),
                    len(held) - len(done),
                    None if first.changed else paper,
                    first.shortened,
                    first.axes,
                    ours,
                    tuple(together),
                )
            )
    return rows


def _ours(cell: Cell) -> bool:
    """Whether the paper compares some methods here, and this is none of them."""
    metrics = tuple(metric.name for metric in cell.experiment.metrics)
    methods = compared(cell.experiment.name, cell.dataset.name, metrics)
    return cell.control is not None or bool(methods and cell.model.name not in methods)


def shown_keys(rows: Sequence[Row]) -> list[str]:
    """Every setting that some row is told by: what is swept, then what was changed."""
    swept = [key for row in rows for key in row.axes]
    return list(dict.fromkeys([*swept, *(key for row in rows for key in row.changed)]))


def about(cells: Sequence[Cell], records: Mapping[str, Record]) -> str:
    """How the figures came about, for a caption: protocol, budget, whose holes and which kernel."""
    budgets = "+".join(dict.fromkeys(cell.budget.name for cell in cells))
    done = [cell for cell in cells if records.get(cell.key, {}).get("status") == "done"]
    told = _sources("Removed entries", "masks", done, records) + _sources(
        "Aligned to", "kernel", done, records
    )
    return f"Protocol {cells[0].protocol.name}, budget {budgets}.{told}"


def _sources(what: str, key: str, done: Sequence[Cell], records: Mapping[str, Record]) -> str:
    """A sentence on where the holes or the kernels of these cells come from, if they tell."""
    where: dict[str, list[Mapping[str, Any]]] = {}
    for cell in done:
        if key in records[cell.key]:
            where.setdefault(records[cell.key][key], []).append(cell.axes)
    names = sorted(where)
    if len(names) > 1 and any(axes for at in where.values() for axes in at):  # where on the sweep is each?
        names = [f"{name} (at {_points(where[name])})" for name in names]
        names[-1] += "; those of a file are the same in all runs"
    return f" {what}: {', '.join(names)}." if names else ""


def _points(axes: Sequence[Mapping[str, Any]]) -> str:
    """Where on a sweep cells stand: `missingness.rate=0.1, 0.2`."""
    values: dict[str, dict[str, None]] = {}
    for one in axes:
        for key, value in one.items():
            values.setdefault(key, {})[str(value)] = None
    return "; ".join(f"{key}={', '.join(found)}" for key, found in values.items())
