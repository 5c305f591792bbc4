"""The verdict on a measured figure is a statement about a difference; the rule was fixed beforehand.

Let d be our mean minus the printed value, with its 90 % confidence interval over the runs (Student's t). The
margin is what nobody would act on, given test sets of a few hundred series.

    reproduced     the interval lies within the margin
    better, worse  it lies outside of it
    inconclusive   neither: noise is never agreement
    differs        of what cannot be better: a fact, or a baseline that learns nothing (then the data differ)
    not run        a seed is missing, or there are fewer than the paper's ten

A row without chance (PCA on given holes) must give the printed digits.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from tkae.evaluation.statistics import mean_interval
from tkae.report.paper import PaperNumber

REPRODUCED, BETTER, WORSE, NOT_RUN, NO_VERDICT = "reproduced", "better", "worse", "not run", ""
INCONCLUSIVE, DIFFERS = "inconclusive", "differs"

FEWEST = 10  # runs, as the paper has
CONFIDENCE = 0.9
POINTS = 2.0  # of accuracy and F1, in percent
MARGINS = {"auc": 0.02, "corr": 0.01}
RELATIVE_MARGIN = 0.1  # of errors


def margin(paper: PaperNumber) -> float:
    """How far from the printed value a mean still is the same for everybody who would use it."""
    if paper.metric in ("accuracy", "f1"):
        allowed = POINTS if paper.unit == "percent" else POINTS / 100
    else:
        allowed = MARGINS.get(paper.metric, RELATIVE_MARGIN * abs(paper.number))
    return max(allowed, paper.half_last_digit)


def verdict(
    values: Sequence[float],
    wanted: int,
    paper: PaperNumber | None,
    higher_is_better: bool | None,
    learns: bool = True,
) -> str:
    """Compare the figures of some of the `wanted` seeds with the paper, both in the paper's unit.

    A mean that is no number (a diverged run) is worse than any. `higher_is_better` is None for a fact, and
    `learns` false for a baseline that cannot be better.
    """
    if paper is None:
        return NO_VERDICT
    fact = higher_is_better is None
    if len(values) < (wanted if fact else max(wanted, FEWEST)) or not values:
        return NOT_RUN
    low, high = (limit - paper.number for limit in mean_interval(values, CONFIDENCE))
    if fact or len(set(values)) == 1:  # nothing is random: the printed digits, or others
        middle = statistics.fmean(values) - paper.number
        low, high, allowed = middle, middle, paper.half_last_digit
    else:
        allowed = margin(paper)
    # One part in 10^9 of slack, so that a mean printed exactly at the margin does not hang on its last bit.
    allowed *= 1 + 1e-9
    if -allowed <= low and high <= allowed:
        return REPRODUCED
    if -allowed <= high and low <= allowed:
        return INCONCLUSIVE
    if fact or not learns:
        return DIFFERS
    above = low > allowed  # false also where the mean is no number
    return (BETTER if above == higher_is_better else WORSE) if math.isfinite(low) else WORSE
