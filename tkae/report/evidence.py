"""Does a claim hold? Tested over seeds, part by part, by a rule that was fixed beforehand.

Figures are paired by seed, since run s of every model sees the same holes. A part is tested by the exact
one-sided Wilcoxon signed-rank test, once for the claim and once for its contrary; a margin shifts the
differences, and `same` is two such tests (TOST). A trend is Kendall's tau of each seed, tested against 0.

A claim that *holds* is a conjunction of its parts: each of them is tested at 0.05, without a correction,
since the claim is wrong as soon as one of them is (an intersection-union test). That it *does not hold* one
part is enough to show, and of `most` some parts are, so there Holm's correction runs over the claim's parts
under one protocol: a claim is the hypothesis. Over all claims at once ten seeds, whose smallest p-value is
1/1024, could never show anything.

A claim *holds* if all its parts are significant at 0.05 (of `most`: more than half), *does not hold* if the
contrary of some part is (of `most`: of half of them), and is *undecided* otherwise; so it is with fewer
than five seeds, and where all differences are 0. It is *not run* while a figure of a seed is missing. Where
both sides are the same for each of three or more seeds nothing is random: the difference is a fact and
decides by itself. Where the budget gave a model less work than the paper's, nothing is concluded: such a
claim is undecided, too, whatever its figures say.

All runs have one test set. Where the outcomes of its series were kept (accuracy, F1, AUC), the same is
asked once more over test series: of the mean over runs on resamples, by the paired bootstrap. The verdict
stays the one over seeds, and says so where test series leave the claim open or contradict it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from tkae.data.collection import Floats
from tkae.evaluation.bootstrap import Resampled, interval, p_above
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
    "A claim holds if each of its parts is significant at 0.05 over the seeds (exact one-sided Wilcoxon "
    "signed-rank test of paired runs; of `most`, if more than half are after Holm's correction); it does "
    "not hold if the contrary of one is after Holm's correction over the claim's parts; else it is "
    "undecided, as it is with fewer than five seeds, and where the budget gave a model less work than the "
    "paper's. Figures that are the same for each of three or more seeds are facts and decide by themselves. "
    "Seeds share one test set: where a paired bootstrap over its series says something else than the seeds, "
    "the verdict says so. Margins are fixed in tkae/report/claims.yaml."
)

FindFigures = Callable[[Place], "SeedFigures | None"]  # None: a seed that was asked for is missing


@dataclass(frozen=True)
class SeedFigures:
    """A figure of every seed, and whether the budget shortened the work behind it."""

    by_seed: Mapping[int, float]
    shortened: bool = False
    resampled: Resampled | None = None  # the mean over runs on resamples of the test series


@dataclass(frozen=True)
class Tested:
    """The p-values of a part and of its contrary."""

    p: float = 1.0
    p_contrary: float = 1.0

    @property
    def verdict(self) -> str:
        return HOLDS if self.p <= LEVEL else FAILS if self.p_contrary <= LEVEL else UNDECIDED


@dataclass(frozen=True)
class PartResult:
    """One comparison; without seeds it was not run."""

    part: Part
    seeds: int = 0
    median: float | None = None  # of the differences in the metric's unit, or of the taus
    effect: float | None = None  # rank-biserial: 1 if every seed is as claimed, margin included; -1 if none
    as_claimed: bool = False  # in the median, whether significant or not
    over_seeds: Tested = field(default_factory=Tested)
    over_series: Tested | None = None  # where the outcomes of test series were kept
    interval: tuple[float, float] | None = None  # of the difference, over test series
    shortened: bool = False  # some model had less work than the paper gives it

    @property
    def verdict(self) -> str:
        return self._by(self.over_seeds)

    @property
    def series_verdict(self) -> str:
        """Over test series, if that can be told."""
        return self._by(self.over_series) if self.over_series is not None else ""

    def _by(self, tested: Tested) -> str:
        if not self.seeds:
            return NOT_RUN
        return UNDECIDED if self.shortened else tested.verdict


@dataclass(frozen=True)
class ClaimResult:
    """A claim under one protocol."""

    claim: Claim
    protocol: str
    parts: list[PartResult]

    @property
    def verdict(self) -> str:
        return self._together([part.verdict for part in self.parts])

    @property
    def series_verdict(self) -> str:
        """Over test series, where these can be told of some part; of the others seeds speak."""
        if not any(part.series_verdict for part in self.parts):
            return ""
        return self._together([part.series_verdict or part.verdict for part in self.parts])

    def _together(self, parts: Sequence[str]) -> str:
        if NOT_RUN in parts:
            return NOT_RUN
        held, against = parts.count(HOLDS), parts.count(FAILS)
        if held == len(parts) or (self.claim.most and 2 * held > len(parts)):
            return HOLDS
        enough = 2 * against >= len(parts) if self.claim.most else against > 0
        return FAILS if enough else UNDECIDED

    @property
    def weakest(self) -> PartResult:
        """The part that speaks least for the claim."""
        return min(
            self.parts, key=lambda part: (part.over_seeds.p_contrary, -part.over_seeds.p, part.effect or 0.0)
        )

    @property
    def text(self) -> str:
        """The verdict, how test series see it if they do not agree, and how many parts are as claimed."""
        verdict, other = self.verdict, self.series_verdict
        if verdict == NOT_RUN:
            return NOT_RUN
        decided = verdict in (HOLDS, FAILS) and other not in ("", verdict)
        told = f"{verdict} over seeds, {other} over test series" if decided else verdict
        return f"{told} ({sum(part.as_claimed for part in self.parts)}/{len(self.parts)})"


def evaluate(claim: Claim, protocol: str, find: FindFigures) -> ClaimResult:
    """Test a claim on what was measured under a protocol."""
    parts = [_test(part, find) for part in claim.parts]
    over_seeds = _corrected(claim, [part.over_seeds for part in parts])
    over_series = _corrected(claim, [part.over_series or part.over_seeds for part in parts])
    adjusted = [
        replace(part, over_seeds=seeds, over_series=series if part.over_series is not None else None)
        for part, seeds, series in zip(parts, over_seeds, over_series, strict=True)
    ]
    return ClaimResult(claim, protocol, adjusted)


def by_print(claim: Claim) -> str:
    """What the paper's own printed figures say of its claim."""
    states = [state for part in claim.print_parts if (state := part_by_print(part))]
    if not states:
        return SILENT
    against = states.count(CONTRADICTS)
    return CONTRADICTS if (2 * against >= len(states) if claim.most else against) else AGREES


def part_by_print(part: Part) -> str:
    """A part is contradicted if no rounding of the printed figures saves it."""
    numbers = [printed(p.experiment, p.dataset, p.method, p.metric, dict(p.point)) for p in part.places]
    known = [(number.number, number.half_last_digit) for number in numbers if number is not None]
    if len(known) < len(numbers):
        return SILENT
    corners = product(*((number - half, number, number + half) for number, half in known))
    best = max(min(gains(part, values)) for values in corners)
    return AGREES if best >= -ROUNDING else CONTRADICTS


def _corrected(claim: Claim, tested: Sequence[Tested]) -> list[Tested]:
    """Holm's correction, but not of the parts of a conjunction that is to hold."""
    for_it, against = [test.p for test in tested], holm([test.p_contrary for test in tested])
    return [Tested(*both) for both in zip(holm(for_it) if claim.most else for_it, against, strict=True)]


def _test(part: Part, find: FindFigures) -> PartResult:
    """One part, its p-values not yet adjusted."""
    found = [find(place) for place in part.places]
    columns = [figure.by_seed for figure in found if figure is not None]
    if len(columns) < len(found) or any(column.keys() != columns[0].keys() for column in columns):
        return PartResult(part)
    runs = [np.array([column[seed] for seed in sorted(column)]) for column in columns]
    count = len(columns[0])
    fact = count >= FEWEST_OF_A_FACT and all((run == run[0]).all() for run in runs)
    needed = gains(part, runs)
    resamples = _resamples([figure.resampled for figure in found if figure is not None])
    return PartResult(
        part,
        count,
        float(np.median(difference(part, runs))),
        rank_biserial(np.min(needed, axis=0).tolist()),
        all(np.median(gain) > 0 for gain in needed),
        _tested(needed, lambda gain: _p(gain, fact)),
        _tested(gains(part, resamples), lambda gain: p_above(gain, ROUNDING)) if resamples else None,
        interval(difference(part, resamples)) if resamples else None,
        any(figure.shortened for figure in found if figure is not None),
    )


def _tested(needed: Sequence[Floats], p_value: Callable[[Floats], float]) -> Tested:
    """That all of these lie above 0, and that one of them lies below."""
    below = len(needed) * min(p_value(-gain) for gain in needed)
    return Tested(max(map(p_value, needed)), min(1.0, below))


def _resamples(found: Sequence[Resampled | None]) -> list[Floats] | None:
    """The figures on the same resamples; None where they are not known or not of one test set."""
    known = [sample for sample in found if sample is not None]
    if len(known) < len(found) or len({sample.test_set for sample in known}) > 1:
        return None
    return [sample.figures for sample in known]


def _p(differences: Floats, fact: bool) -> float:
    if fact and abs(differences[0]) > ROUNDING:
        return 0.0 if differences[0] > 0 else 1.0
    return wilcoxon_greater(differences.tolist())
