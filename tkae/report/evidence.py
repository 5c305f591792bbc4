"""Does a claim hold? Tested over seeds, part by part, by a rule that was fixed beforehand.

Figures are paired by seed, since run s of every model sees the same holes. A part is tested by the exact
one-sided Wilcoxon signed-rank test, once for the claim and once for its contrary; a margin shifts the
differences, and `same` is two such tests (TOST). A trend is Kendall's tau of each seed, tested against 0.

Holm's correction runs over the parts of a claim under one protocol: a claim is the hypothesis. Over all
claims at once ten seeds, whose smallest p-value is 1/1024, could never show anything.

A claim *holds* if all its parts are significant at 0.05 (of `most`: more than half), *does not hold* if
the contrary of some part is (of `most`: of half of them), and is *undecided* otherwise; so it is with
fewer than five seeds, and where all differences are 0. It is *not run* while a figure of a seed is missing.
Where both sides are the same for each of three or more seeds nothing is random: the difference is a fact
and decides by itself. Where the budget gave a model less work than the paper's, nothing is concluded: such a
claim is undecided, too, whatever its figures say.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tkae.evaluation.statistics import holm, rank_biserial, wilcoxon_greater
from tkae.report.claims import Claim, Part, Place
from tkae.report.comparison import difference, gains
from tkae.report.paper import printed
from tkae.report.verdict import NOT_RUN

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
AGREES, CONTRADICTS, SILENT = "agrees", "contradicts", ""
LEVEL = 0.05
FEWEST_OF_A_FACT = 3  # seeds that agree to the last bit
ROUNDING = 1e-12
RULE = (
    "A claim holds if all its parts are significant at 0.05 over the seeds (exact one-sided Wilcoxon "
    "signed-rank test of paired runs, Holm's correction over the claim's parts; of `most`, if more than half "
    "are); it does not hold if the contrary of one is; else it is undecided, as it is with fewer than five "
    "seeds, and where the budget gave a model less work than the paper's. Figures that are the same for each "
    "of three or more seeds are facts and decide by themselves. Margins are fixed in tkae/report/claims.yaml."
)

Find = Callable[[Place], "Found | None"]  # None: a seed that was asked for is missing


@dataclass(frozen=True)
class Found:
    """A figure of every seed, and whether the budget shortened the work behind it."""

    by_seed: Mapping[int, float]
    shortened: bool = False


@dataclass(frozen=True)
class PartResult:
    """One comparison; without seeds it was not run."""

    part: Part
    seeds: int = 0
    median: float | None = None  # of the differences in the metric's unit, or of the taus
    effect: float | None = None  # rank-biserial: 1 if every seed is as claimed, margin included; -1 if none
    as_claimed: bool = False  # in the median, whether significant or not
    p: float = 1.0  # adjusted
    p_contrary: float = 1.0
    shortened: bool = False  # some model had less work than the paper gives it

    @property
    def verdict(self) -> str:
        if not self.seeds:
            return NOT_RUN
        if self.shortened:
            return UNDECIDED
        return HOLDS if self.p <= LEVEL else FAILS if self.p_contrary <= LEVEL else UNDECIDED


@dataclass(frozen=True)
class ClaimResult:
    """A claim under one protocol."""

    claim: Claim
    protocol: str
    parts: list[PartResult]

    def count(self, verdict: str) -> int:
        return sum(part.verdict == verdict for part in self.parts)

    @property
    def verdict(self) -> str:
        if self.count(NOT_RUN):
            return NOT_RUN
        held, against, all_parts = self.count(HOLDS), self.count(FAILS), len(self.parts)
        if held == all_parts or (self.claim.most and 2 * held > all_parts):
            return HOLDS
        enough = 2 * against >= all_parts if self.claim.most else against > 0
        return FAILS if enough else UNDECIDED

    @property
    def weakest(self) -> PartResult:
        """The part that speaks least for the claim."""
        return min(self.parts, key=lambda one: (one.p_contrary, -one.p, one.effect or 0.0))

    @property
    def text(self) -> str:
        """The verdict, and how many of the parts are as claimed."""
        if self.verdict == NOT_RUN:
            return NOT_RUN
        return f"{self.verdict} ({sum(one.as_claimed for one in self.parts)}/{len(self.parts)})"


def evaluate(claim: Claim, protocol: str, find: Find) -> ClaimResult:
    """Test a claim on what was measured under a protocol."""
    tested = [_test(claim, part, find) for part in claim.parts]
    adjusted = zip(holm([one.p for one in tested]), holm([one.p_contrary for one in tested]), strict=True)
    parts = [replace(one, p=p, p_contrary=q) for one, (p, q) in zip(tested, adjusted, strict=True)]
    return ClaimResult(claim, protocol, parts)


def by_print(claim: Claim) -> str:
    """What the paper's own printed figures say of its claim."""
    states = [state for part in claim.parts if (state := part_by_print(claim, part))]
    if not states:
        return SILENT
    against = states.count(CONTRADICTS)
    return CONTRADICTS if (2 * against >= len(states) if claim.most else against) else AGREES


def part_by_print(claim: Claim, part: Part) -> str:
    """A part is contradicted if no rounding of the printed figures saves it."""
    numbers = [printed(p.experiment, p.dataset, p.method, p.metric, dict(p.axes)) for p in part.places]
    known = [(one.number, one.half_last_digit) for one in numbers if one is not None]
    if len(known) < len(numbers):
        return SILENT
    corners = product(*((number - half, number, number + half) for number, half in known))
    best = max(min(gains(claim, part, values)) for values in corners)
    return AGREES if best >= -ROUNDING else CONTRADICTS


def _test(claim: Claim, part: Part, find: Find) -> PartResult:
    """One part, its p-values not yet adjusted."""
    found = [find(place) for place in part.places]
    columns = [one.by_seed for one in found if one is not None]
    if len(columns) < len(found) or any(column.keys() != columns[0].keys() for column in columns):
        return PartResult(part)
    runs = [tuple(column[seed] for column in columns) for seed in sorted(columns[0])]
    fact = len(runs) >= FEWEST_OF_A_FACT and len(set(runs)) == 1
    needed = list(zip(*(gains(claim, part, run) for run in runs), strict=True))
    contrary = [[-gain for gain in one] for one in needed]
    differences = [difference(claim, part, run) for run in runs]
    return PartResult(
        part,
        len(runs),
        statistics.median(differences),
        rank_biserial([min(run) for run in zip(*needed, strict=True)]),
        all(statistics.median(one) > 0 for one in needed),
        max(_p(one, fact) for one in needed),
        min(1.0, len(contrary) * min(_p(one, fact) for one in contrary)),
        any(one.shortened for one in found if one is not None),
    )


def _p(differences: Sequence[float], fact: bool) -> float:
    if fact and abs(differences[0]) > ROUNDING:
        return 0.0 if differences[0] > 0 else 1.0
    return wilcoxon_greater(differences)
