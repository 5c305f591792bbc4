"""What a part of a claim says of one run: numbers that lie above 0 if it holds.

Of many runs or resamples at once, values are arrays, and so is what comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tkae.evaluation.statistics import kendall
from tkae.experiments.base import Metric
from tkae.report.claims import TRENDS, Part, Place
from tkae.settings.registry import lookup

Values = Sequence[Any]  # floats, or arrays of one shape: those of the part's places, in their order


def difference(part: Part, values: Values) -> Any:
    """The figure minus what it is compared with; of a trend Kendall's tau with the order."""
    count = len(part.figures)
    others = values[count:] or [part.value or 0.0] * count
    differences = [a - b for a, b in zip(values[:count], others, strict=True)]
    return kendall(differences) if part.kind in TRENDS else differences[0]


def gains(part: Part, values: Values) -> list[Any]:
    """What must lie above 0 for the part to hold: one number, of `same` two. Below 0 it is contradicted."""
    towards, allowed = sign(part) * difference(part, values), _allowed(part, values)
    if part.kind == "same":
        return [allowed - towards, allowed + towards]
    return [towards + allowed] if part.kind == "not_worse" else [towards - allowed]


def sign(part: Part) -> int:
    """1 if a larger difference speaks for the claim, else -1."""
    if part.kind in (*TRENDS, "same"):
        return -1 if part.kind == "falls" else 1
    wanted = {"higher": True, "lower": False}.get(part.prefer)
    prefers = metric_of(part.figures[0]).higher_is_better if wanted is None else wanted
    return 1 if prefers else -1


def metric_of(place: Place) -> Metric:
    """The metric that a place speaks of."""
    metrics: Sequence[Metric] = lookup("experiment", place.experiment).metrics
    return next(metric for metric in metrics if metric.name == place.metric)


def _allowed(part: Part, values: Values) -> Any:
    """The margin: a number, or a share of what is compared with."""
    if not part.share:
        return part.margin
    return part.share * abs(values[1] if part.against else part.value or 0.0)
