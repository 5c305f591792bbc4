"""From cells and their records to the long table: a row for each dataset, method, setting and metric."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tkae.experiments.base import Metric
from tkae.report.paper import PaperNumber, printed
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
    values: tuple[float, ...]  # a figure for each seed that has one
    seeds: int  # how many were asked for
    done: int
    failed: int
    paper: PaperNumber | None = field(repr=False, default=None)
    shortened: bool = False  # by its budget: the printed figure is shown, but nothing is concluded

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
    def verdict(self) -> str:
        if self.shortened:
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
        held = [records[cell.key] for cell in together if cell.key in records]
        changed = (*first.changed, *(["budget"] if several_budgets else []))
        for metric in first.experiment.metrics:
            done = [record["metrics"].get(metric.name) for record in held if record["status"] == "done"]
            # A number of the paper is compared only with the paper's own settings.
            paper = printed(first.experiment.name, first.dataset.name, first.model.name, metric.name)
            rows.append(
                Row(
                    first.dataset.name,
                    first.dataset.title,
                    first.model.name,
                    first.model.title,
                    metric,
                    {**first.settings, "budget": first.budget.name},
                    changed,
                    tuple(value for value in done if value is not None),
                    len(together),
                    len(done),
                    sum(record["status"] != "done" for record in held),
                    None if first.changed else paper,
                    first.shortened,
                )
            )
    return rows


def changed_keys(rows: Sequence[Row]) -> list[str]:
    """Every setting that was changed in some row, in the order of appearance."""
    return list(dict.fromkeys(key for row in rows for key in row.changed))


def about(cells: Sequence[Cell], records: Mapping[str, Record]) -> str:
    """How the figures came about, for a caption: protocol, budget, whose holes and which kernel."""
    budgets = "+".join(dict.fromkeys(cell.budget.name for cell in cells))
    held = [records[cell.key] for cell in cells if cell.key in records]
    told = "".join(
        f" {what}: {', '.join(sources)}."
        for what, key in (("Removed entries", "masks"), ("Aligned to", "kernel"))
        if (sources := sorted({record[key] for record in held if key in record}))
    )
    return f"Protocol {cells[0].protocol.name}, budget {budgets}.{told}"
