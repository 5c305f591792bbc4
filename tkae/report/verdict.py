"""The verdict on a measured figure: does it agree with the printed one? The rule was fixed beforehand."""

from __future__ import annotations

import math

from tkae.report.paper import PaperNumber

REPRODUCED, BETTER, WORSE, NOT_RUN, NO_VERDICT = "reproduced", "better", "worse", "not run", ""
DIFFERS = "differs"  # from a fact, such as a number of series, that is neither good nor bad

RELATIVE_MARGIN = 0.03
STANDARD_DEVIATIONS = 2.0


def pooled_std(ours: float | None, theirs: float | None) -> float:
    """The root of the mean variance; one spread alone counts as it is, and without any it is 0."""
    known = [s for s in (ours, theirs) if s is not None and not math.isnan(s)]
    return math.sqrt(math.fsum(s * s for s in known) / len(known)) if known else 0.0


def margin(std: float | None, paper: PaperNumber) -> float:
    """How far from the printed value a mean still counts as the same."""
    return max(
        STANDARD_DEVIATIONS * pooled_std(std, paper.std),
        RELATIVE_MARGIN * abs(paper.number),
        paper.half_last_digit,
    )


def verdict(
    mean: float | None,
    std: float | None,
    n: int,
    wanted: int,
    paper: PaperNumber | None,
    higher_is_better: bool | None,
) -> str:
    """Compare the mean of `n` of `wanted` seeds with the paper, both in the paper's unit.

    A mean that is no number (a diverged run) is worse than any. A fact (`higher_is_better` is None) is
    reproduced only by the printed digits.
    """
    if paper is None:
        return NO_VERDICT
    if n < wanted or mean is None:
        return NOT_RUN
    if higher_is_better is None:
        return REPRODUCED if abs(mean - paper.number) <= paper.half_last_digit else DIFFERS
    gain = mean - paper.number if higher_is_better else paper.number - mean
    # One part in 10^9 of slack, so that a mean printed exactly at the margin does not hang on its last bit.
    allowed = margin(std, paper) * (1 + 1e-9)
    if abs(gain) <= allowed:
        return REPRODUCED
    return BETTER if gain > allowed else WORSE
