"""Ablations: how far each change moves a figure from the protocol's own, with an interval over the seeds."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tkae.evaluation.statistics import mean_interval
from tkae.experiments.ablations import Ablations
from tkae.report.grid import Grid, TableCell
from tkae.report.summary import Row
from tkae.report.tables import measured_text, printed_text, value_text
from tkae.settings.registry import GROUPS, lookup

LEVEL = 0.95
RULE = (
    f"An effect is the mean difference to the unchanged row over the seeds of both, with its {LEVEL:.0%} "
    "interval (paired, Student's t); each stands by itself, without correction for their number."
)
SEARCHED = (
    "* one of {n} settings that a study tried on the test records: that it comes near to print may be luck."
)


@dataclass(frozen=True)
class Effect:
    """A row with a change, beside the one without."""

    row: Row
    own: Row | None  # None: nobody ran the unchanged row

    @cached_property
    def differences(self) -> list[float]:
        """By seed, what the change adds to the figure."""
        own = self.own.by_seed if self.own else {}
        return [value - own[seed] for seed, value in self.row.by_seed.items() if seed in own]

    @property
    def mean(self) -> float | None:
        return statistics.fmean(self.differences) if self.differences else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """None where there are too few differences for one."""
        return mean_interval(self.differences, LEVEL) if len(self.differences) > 1 else None

    @property
    def to_print(self) -> float | None:
        """What would bring the unchanged figure to the printed one."""
        own = self.own
        return own.paper.number - own.mean if own and own.paper and own.mean is not None else None

    @property
    def change(self) -> str:
        """What is changed, as one would write it: `memory=zero, l2=0.0005`."""
        facts = self.row.facts
        parts = (
            f"{key.partition('.')[2] or key}={value_text(facts.get(key))}" for key in sorted(self.row.changed)
        )
        return ", ".join(parts) + "*" * bool(self.searched)

    @property
    def searched(self) -> int:
        """How many settings were tried when this one was found."""
        return int(self.row.entries[0].story["searched"])

    @property
    def where(self) -> tuple[str, str, str]:
        """What effects that can be drawn in one panel share: the experiment, the dataset and the metric."""
        return self.row.entries[0].experiment, self.row.dataset_title, self.row.metric.title


def effects(rows: Iterable[Row], own: Iterable[Row]) -> list[Effect]:
    """Every changed row beside the unchanged one, in the order of those; single changes come first."""
    unchanged = {_place(row): row for row in own}
    order, experiments = list(unchanged), list(GROUPS["experiment"])

    def rank(effect: Effect) -> tuple[int, int, int]:
        place = _place(effect.row)
        at = order.index(place) if place in unchanged else len(order)
        return experiments.index(place[0]), at, len(effect.row.changed)

    return sorted((Effect(row, unchanged.get(_place(row))) for row in rows), key=rank)


def effects_table(found: Sequence[Effect], about: str) -> Grid:
    """One line a change, in blocks of the rows that it changes."""
    blocks: dict[tuple[str, ...], list[list[TableCell]]] = {}
    for effect in filter(of_main_metric, found):
        experiment, dataset, metric = effect.where
        method = effect.row.method_title
        lines = blocks.setdefault((experiment, dataset, method, metric), [])
        if not lines:
            own = measured_text(effect.own) if effect.own else "not run"
            printed = printed_text(effect.own) if effect.own else "–"
            lines.append(_line(experiment, dataset, method, metric, "–", own, "–", printed))
        lines.append(
            _line(
                experiment,
                dataset,
                method,
                metric,
                effect.change,
                measured_text(effect.row),
                effect_text(effect),
                "",
            )
        )
    searched = {effect.searched for effect in found if effect.searched}
    return Grid(
        f"{Ablations.caption}. {about}",
        Ablations.place,
        ["Experiment", "Dataset", "Method", "Metric", "Change", "Figure", "Effect", "Printed"],
        list(blocks.values()),
        [RULE, *(SEARCHED.format(n=n) for n in sorted(searched))],
        [_long(effect) for effect in found],
        keys=5,
    )


def of_main_metric(effect: Effect) -> bool:
    """Whether it is of the metric that its experiment names first: the others are in the CSV file."""
    metrics = lookup("experiment", effect.where[0]).metrics
    return bool(effect.row.metric == metrics[0])


def _line(*texts: str) -> list[TableCell]:
    return [TableCell(text) for text in texts]


def effect_text(effect: Effect) -> str:
    """The mean difference and its interval: `-6.6 [-8.7, -4.5]`."""
    if effect.mean is None:
        return "–"
    digits = effect.row.metric.decimals
    low_high = (
        ""
        if effect.interval is None
        else f" [{effect.interval[0]:+.{digits}f}, {effect.interval[1]:+.{digits}f}]"
    )
    return f"{effect.mean:+.{digits}f}{low_high}"


def _long(effect: Effect) -> dict[str, Any]:
    """The row of the CSV file: every metric of the experiment has one."""
    row, own = effect.row, effect.own
    low, high = effect.interval or (None, None)
    return {
        "experiment": effect.where[0],
        "dataset": row.dataset,
        "method": row.method,
        "metric": row.metric.name,
        "line": row.entries[0].story["line"],
        "change": effect.change.rstrip("*"),
        "mean": row.mean,
        "std": row.std,
        "n": row.n,
        "seeds": row.seeds,
        "failed": row.failed,
        "own_mean": own.mean if own else None,
        "own_std": own.std if own else None,
        "own_n": own.n if own else None,
        "effect": effect.mean,
        "low": low,
        "high": high,
        "pairs": len(effect.differences),
        "searched": effect.searched,
        "paper": own.paper.value if own and own.paper else None,
        "budget": row.facts["budget"],
    }


def _place(row: Row) -> tuple[str, ...]:
    first = row.entries[0]
    at = str(dict(row.point))
    return first.experiment, row.dataset, first.story["model"], at, row.metric.name, row.facts["budget"]
