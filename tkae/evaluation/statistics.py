"""Tests over seeds, paired: Wilcoxon's signed-rank test, Holm's correction, effect sizes; and intervals.

The test is exact for up to `EXACT` runs: all 2^n signs are counted, with the ties that the data have.
Differences of 0 are left out, as Wilcoxon did; where nothing else is left there is no evidence either way
(p = 1).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

EXACT = 100  # differences
SAME = 1e-9  # differences within this share of the largest are ties: 0.3 - 0.2 and 0.2 - 0.1 are


def signed_ranks(differences: Sequence[float]) -> list[int]:
    """Twice the mid-rank of each |d| that is not 0, with the sign of d; twice, so that ties stay whole."""
    values = np.asarray(differences, dtype=float)
    unit = SAME * np.abs(values[np.isfinite(values)]).max(initial=0.0) or 1.0
    # A run that diverged is further away than any; two of them (inf - inf) say nothing.
    rounded = np.rint(values / unit)
    left = rounded[(rounded != 0) & ~np.isnan(rounded)]
    sizes = np.sort(np.abs(left))
    below, up_to = (np.searchsorted(sizes, np.abs(left), side) for side in ("left", "right"))
    ranks: list[int] = (np.sign(left).astype(int) * (below + up_to + 1)).tolist()
    return ranks


def wilcoxon_greater(differences: Sequence[float]) -> float:
    """The one-sided p-value of "the differences lie above 0"; exact for up to `EXACT` of them.

    The work of counting grows with the cube of their number, and of many the sum of ranks is normal.
    """
    ranks = signed_ranks(differences)
    observed = sum(rank for rank in ranks if rank > 0)
    if len(ranks) > EXACT:
        spread = math.sqrt(sum(rank * rank for rank in ranks)) / 2
        return 0.5 * math.erfc((observed - sum(map(abs, ranks)) / 2) / spread / math.sqrt(2))
    # ways[w]: how many of the 2^n choices of signs give the positive ranks the sum w
    ways = [1] + [0] * sum(map(abs, ranks))
    for rank in map(abs, ranks):
        ways = [count + (ways[w - rank] if w >= rank else 0) for w, count in enumerate(ways)]
    return sum(ways[observed:]) / (1 << len(ranks))


def rank_biserial(differences: Sequence[float]) -> float | None:
    """The matched-pairs rank-biserial correlation: 1 if all differences are positive, -1 if none is."""
    ranks = signed_ranks(differences)
    return sum(ranks) / sum(map(abs, ranks)) if ranks else None


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def deviation(values: Sequence[float]) -> float:
    """The standard deviation with the divisor n - 1.

    `statistics.stdev` does it for all kinds of numbers, and so takes ten times as long.
    """
    mean = statistics.fmean(values)
    return math.sqrt(math.fsum((x - mean) * (x - mean) for x in values) / (len(values) - 1))


def mean_interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """Student's confidence interval of the mean; a single value tells nothing of the spread.

    Around a mean that is no number there is none.
    """
    from scipy.special import stdtrit  # scipy.stats takes two seconds to import

    mean = statistics.fmean(values)
    if not all(map(math.isfinite, values)):
        return mean, mean
    if len(values) == 1:
        return -math.inf, math.inf
    quantile = float(stdtrit(len(values) - 1, (1 + confidence) / 2))
    half = quantile * deviation(values) / math.sqrt(len(values))
    return mean - half, mean + half


def kendall(values: Sequence[Any]) -> Any:
    """Kendall's tau-a of values with their order: 1 if each is above the one before, -1 if each is below.

    Of numbers, or of arrays of one shape: then of each of their entries.
    """
    pairs = list(combinations(values, 2))
    return sum(1 * (b > a) - 1 * (b < a) for a, b in pairs) / len(pairs)
