"""From entries to the long table: a row for each dataset, method, setting and metric."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tkae.evaluation.bootstrap import Resampled
from tkae.evaluation.statistics import deviation, mean_interval
from tkae.experiments.base import Experiment, Metric
from tkae.report.order import in_paper_order
from tkae.report.paper import PaperNumber, compared, printed
from tkae.report.verdict import CONFIDENCE, NO_VERDICT, verdict
from tkae.runs.entry import Entry, in_groups
from tkae.settings.registry import lookup

WITHOUT_LEARNING = ("mean", "locf")  # nothing is chosen or fitted: other figures mean other data
COLUMNS = (
    "dataset",
    "method",
    "metric",
    "mean",
    "std",
    "series_low",
    "series_high",
    "n",
    "seeds",
    "failed",
    "ours",
    "paper",
    "paper_std",
    "verdict",
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure over all seeds, beside the paper's."""

    dataset: str
    dataset_title: str
    stands_for: str  # the dataset whose place it takes under this protocol, mostly itself
    method: str
    method_title: str
    metric: Metric
    facts: Mapping[str, Any]  # all that may tell it from other rows, by key
    changed: tuple[str, ...]  # the keys of the settings that are not the experiment's own
    by_seed: Mapping[int, float]  # a figure for each seed that has one
    seeds: int  # how many there should be
    done: int
    failed: int
    paper: PaperNumber | None = field(repr=False, default=None)
    shortened: bool = False  # by its budget: the printed figure is shown, but nothing is concluded
    point: Mapping[str, Any] = field(default_factory=dict)  # where it stands on the experiment's own sweep
    ours: bool = False  # a row that the paper's comparison does not have
    comparable: bool = True  # it measures what the paper printed: the same entries of the same data
    learns: bool = True  # else it cannot be better than the paper's, only different
    entries: tuple[Entry, ...] = field(repr=False, default=())
    resampled: Resampled | None = field(repr=False, default=None)  # on resamples of the test series
    further_keys: tuple[str, ...] = ()  # keys of what else tells rows of its table from each other

    @property
    def runs(self) -> str:
        """The same for the rows of the same runs, whatever their metric."""
        return self.entries[0].key if self.entries else ""

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(self.by_seed.values())

    @property
    def n(self) -> int:
        return len(self.values)

    @cached_property
    def mean(self) -> float | None:
        return statistics.fmean(self.values) if self.values else None

    @cached_property
    def std(self) -> float | None:
        """Over seeds, with the divisor n - 1."""
        return deviation(self.values) if self.n > 1 else None

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """That of the mean over runs, on which the verdict rests; none without a figure that is a number."""
        if self.mean is None or not math.isfinite(self.mean):
            return None
        return mean_interval(self.values, CONFIDENCE) if len(set(self.values)) > 1 else (self.mean, self.mean)

    @cached_property
    def over_series(self) -> tuple[float | None, float | None]:
        """The interval of the mean over test series, where the outcomes of all runs were kept."""
        return self.resampled.interval if self.resampled is not None else (None, None)

    @property
    def unjudged(self) -> bool:
        """Whether the budget gave the model less work than the paper's; facts do not hang on that."""
        return self.shortened and self.metric.higher_is_better is not None

    @property
    def verdict(self) -> str:
        undefined = self.n < self.seeds == self.done  # there is no such figure: it was not left out
        fact = self.metric.higher_is_better is None
        misprint = self.paper is not None and self.paper.misprint and not fact  # of a count it is told
        if self.unjudged or undefined or misprint or not self.comparable:
            return NO_VERDICT
        return verdict(self.values, self.seeds, self.paper, self.metric.higher_is_better, self.learns)

    def long(self, keys: Sequence[str]) -> dict[str, Any]:
        """The row of the CSV file, with a column for each of the `keys`."""
        paper = self.paper
        head = (
            self.dataset_title if self.dataset == "file" else self.dataset,
            self.method,
            self.metric.name,
            self.mean,
            self.std,
            *self.over_series,
            self.n,
            self.seeds,
            self.failed,
            self.ours,
        )
        tail = (paper.value if paper else None, paper.std if paper else None, self.verdict)
        own = {key: self.facts.get(key) for key in keys}
        return {**dict(zip(COLUMNS, (*head, *tail), strict=True)), **own}


def summarise(entries: Iterable[Entry], all_seeds: bool = True) -> list[Row]:
    """Rows of the entries that differ in nothing but the seed, in the paper's order.

    What is not stored counts as missing; with `all_seeds`, so does every seed that the budget has and that
    is not among the entries.
    """
    rows = [row for runs in in_paper_order(_runs(entries)) for row in _rows(runs, all_seeds)]
    further_keys = _further_keys(rows)
    return [replace(row, further_keys=further_keys) for row in rows]


def _runs(entries: Iterable[Entry]) -> list[list[Entry]]:
    """The entries in groups that differ in nothing but the seed."""
    made: list[list[Entry]] = []
    for runs in in_groups(entries, lambda entry: entry.runs_of).values():
        # Files of holes that are called alike and differ: nobody can tell which belong together.
        doubtful = len({entry.seed for entry in runs}) < len(runs)
        made += [[entry] for entry in runs] if doubtful else [runs]
    return made


def _rows(runs: Sequence[Entry], all_seeds: bool) -> list[Row]:
    """A row for each metric."""
    first = runs[0]
    story = first.story
    facts = first.facts if all_seeds else {**first.facts, "budget": story["budget"]["name"]}
    experiment: type[Experiment] = lookup("experiment", story["experiment"])
    metrics = experiment.metrics
    as_printed = all(facts.get(key, value) == value for key, value in experiment.printed_with.items())
    done = {entry.seed: entry.record["metrics"] for entry in runs if entry.done and entry.record}
    methods = compared(story["experiment"], story["dataset"], tuple(metric.name for metric in metrics))
    ours = story["control"] or bool(methods and story["method"] not in methods)
    seeds = len({entry.seed for entry in runs})
    failed = sum(entry.record is not None and not entry.done for entry in runs)
    own = tuple(runs)
    made = []
    for metric in metrics:
        figures = {seed: done[seed].get(metric.name) for seed in sorted(done)}
        # A number of the paper is compared only with the paper's own settings.
        place = (story["experiment"], story["dataset"], story["method"], metric.name, story["axes"])
        paper = None if story["changed"] else printed(*place)
        same_data = paper is None or paper.measured_on in ("", story["dataset"])
        made.append(
            Row(
                dataset=story["dataset"],
                dataset_title=story["dataset_title"],
                stands_for=story["stands_for"],
                method=story["method"],
                method_title=f"{story['method_title']} (ours)" if ours else story["method_title"],
                metric=metric,
                facts=facts,
                changed=tuple(story["changed"]),
                by_seed={seed: value for seed, value in figures.items() if value is not None},
                seeds=max(seeds, story["seeds"]) if all_seeds else seeds,
                done=len(done),
                failed=failed,
                paper=paper,
                shortened=story["shortened"],
                point=story["axes"],
                ours=ours,
                comparable=as_printed and same_data,
                learns=story["model"] not in WITHOUT_LEARNING,
                entries=own,
            )
        )
    return made


def distinguishing_keys(rows: Sequence[Row]) -> list[str]:
    """The keys of the columns that tell rows from each other: what is swept, what was changed, what else."""
    keys = [key for row in rows for key in row.point] + [key for row in rows for key in row.changed]
    return list(dict.fromkeys([*keys, *(key for row in rows for key in row.further_keys)]))


def _further_keys(rows: Sequence[Row]) -> tuple[str, ...]:
    """What differs between rows that would look the same but for it."""
    keys = distinguishing_keys(rows)
    known = len(keys)
    if len({row.facts["budget"] for row in rows if row.done}) > 1:
        keys.append("budget")
    looks: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        name = (row.dataset_title, row.method_title, row.metric.name)
        looks.setdefault((*name, *_values(row, keys)), []).append(row)
    for same in looks.values():
        while len({_values(row, keys) for row in same}) < len(same):
            every = dict.fromkeys(key for row in same for key in row.facts if key not in keys)
            # The one that tells most of them apart; there is one, since rows differ in some fact.
            keys.append(max(every, key=lambda key: len({_values(row, [key]) for row in same})))
    return tuple(keys[known:])


def _values(row: Row, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(repr(row.facts.get(key)) for key in keys)
