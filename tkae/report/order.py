"""The order of rows in a table: as the paper prints them, then ours; the same whatever command ran first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from tkae.report.paper import load_paper
from tkae.runs.entry import Entry
from tkae.settings.registry import GROUPS, lookup


def in_paper_order(rows: Iterable[Sequence[Entry]]) -> list[Sequence[Entry]]:
    """Entries of one row each, by dataset, point of the sweep, and method."""
    return sorted((sorted(runs, key=lambda run: (run.seed, run.key)) for runs in rows), key=_place)


def _place(runs: Sequence[Entry]) -> tuple[Any, ...]:
    story = runs[0].story
    experiment = story["experiment"]
    point = tuple((key, _number(value)) for key, value in sorted(story["axes"].items()))
    changed = tuple((key, _number(story["settings"].get(key))) for key in sorted(story["changed"]))
    return (
        _rank(experiment, "dataset", story["stands_for"]),
        story["dataset_title"],
        point,
        changed,
        story["control"],
        _rank(experiment, "method" if not story["control"] else "", story["method"]),
        runs[0].runs_of,
    )


@cache
def _ranks(experiment: str, column: str) -> dict[str, int]:
    """What the paper's table of results names in this column, in its order; then all else there is."""
    metrics = {metric.name for metric in lookup("experiment", experiment).metrics}
    named = [
        name
        for number in load_paper()
        if number.experiment == experiment and number.metric in metrics
        for name in getattr(number, column).split()
    ]
    group = GROUPS["dataset" if column == "dataset" else "model"]
    return {name: rank for rank, name in enumerate(dict.fromkeys([*named, *group]))}


def _rank(experiment: str, column: str, name: str) -> tuple[int, str]:
    ranks = _ranks(experiment, column) if column else {}
    return ranks.get(name, len(ranks)), name


def _number(value: Any) -> tuple[bool, float, str]:
    """Numbers by size, then words."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return False, float(value), ""
    return True, 0.0, str(value)
