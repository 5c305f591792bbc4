"""Verdicts on claims: each kind on figures that hold, contradict, and leave it open."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tkae.report.claims import Claim, Place, _claim
from tkae.report.evidence import FAILS, HOLDS, UNDECIDED, Found, evaluate
from tkae.report.verdict import NOT_RUN

SEEDS = range(10)
NOISE = [0.003, -0.001, 0.002, -0.004, 0.001, 0.004, -0.002, 0.000, -0.003, 0.002]


def claim(**given) -> Claim:
    """On imputation: accuracy-like CORR is better high, MSE low."""
    usual = {"id": "c", "place": "text:x", "quote": "q", "says": "s", "experiment": "imputation"}
    return _claim({**usual, "dataset": "libras", "method": "tkae", "metric": "mse", **given})


def about(level: float, n: int = 10) -> dict[int, float]:
    return {seed: level + NOISE[seed] for seed in range(n)}


def judged(one: Claim, figures: Mapping[tuple[str, ...], Mapping[int, float]], shortened: bool = False):
    """`figures` by the part of a place that matters: method, or dataset, or axes' value."""

    def find(place: Place):
        names = (place.dataset, place.method, place.metric, *(value for _, value in place.axes))
        return next((Found(f, shortened) for key, f in figures.items() if set(key) <= set(names)), None)

    return evaluate(one, "paper", find)


BETTER = {"kind": "better", "against": {"method": "dae"}}


@pytest.mark.parametrize(
    "metric, ours, verdict",
    [
        ("mse", 0.1, HOLDS),
        ("mse", 0.3, FAILS),
        ("mse", 0.2, UNDECIDED),
        ("corr", 0.3, HOLDS),  # more is better
        ("corr", 0.1, FAILS),
    ],
)
def test_better_goes_by_the_metrics_direction(metric: str, ours: float, verdict: str) -> None:
    other = {seed: 0.2 - NOISE[seed] for seed in SEEDS}
    result = judged(claim(**BETTER, metric=metric), {("tkae",): about(ours), ("dae",): other})
    assert result.verdict == verdict
    (part,) = result.parts
    assert part.median == pytest.approx(ours - 0.2, abs=0.01)
    if verdict != UNDECIDED:
        assert part.effect == (1 if verdict == HOLDS else -1) and part.as_claimed == (verdict == HOLDS)


def test_better_by_a_margin_or_a_share_of_the_other() -> None:
    figures = {("tkae",): about(0.1), ("dae",): about(0.2)}
    assert judged(claim(**BETTER, margin=0.05), figures).verdict == HOLDS
    assert judged(claim(**BETTER, margin=0.15), figures).verdict == FAILS
    assert judged(claim(**BETTER, share=0.4), figures).verdict == HOLDS
    assert judged(claim(**BETTER, share=0.6), figures).verdict == FAILS


def test_not_worse_allows_the_margin() -> None:
    figures = {("tkae",): about(0.21), ("dae",): about(0.2)}
    weak = {"kind": "not_worse", "against": {"method": "dae"}}
    assert judged(claim(**weak, margin=0.02), figures).verdict == HOLDS
    assert judged(claim(**weak, margin=0.005), figures).verdict == FAILS
    assert judged(claim(**weak, share=0.1), figures).verdict == HOLDS


def test_same_needs_both_sides_within_the_margin() -> None:
    same = {"kind": "same", "against": {"value": 0.5}, "margin": 0.05}
    for level, verdict in ((0.5, HOLDS), (0.48, HOLDS), (0.6, FAILS), (0.4, FAILS)):
        assert judged(claim(**same), {("tkae",): about(level)}).verdict == verdict
    wide = {seed: 0.5 + 40 * NOISE[seed] for seed in SEEDS}
    assert judged(claim(**same), {("tkae",): wide}).verdict == UNDECIDED
    equal = {"kind": "same", "against": {"method": "dae"}, "margin": 0.01}
    alike = {("tkae",): about(0.2), ("dae",): about(0.2)}  # no difference at all: well within the margin
    assert judged(claim(**equal), alike).verdict == HOLDS


@pytest.mark.parametrize("kind, up, down", [("rises", HOLDS, FAILS), ("falls", FAILS, HOLDS)])
def test_a_trend_is_judged_along_its_axis(kind: str, up: str, down: str) -> None:
    trend = claim(kind=kind, along="missingness.rate", at={"missingness.rate": [0.1, 0.5, 0.9]})
    rising = {(0.1,): about(0.1), (0.5,): about(0.2), (0.9,): about(0.3)}
    falling = {(0.1,): about(0.3), (0.5,): about(0.2), (0.9,): about(0.1)}
    assert judged(trend, rising).verdict == up and judged(trend, falling).verdict == down
    bumpy = {(0.1,): about(0.2), (0.5,): about(0.3), (0.9,): {s: 0.2 - NOISE[s] for s in SEEDS}}
    assert judged(trend, bumpy).verdict == UNDECIDED
    assert judged(trend, rising).parts[0].median == 1.0


def test_a_trend_of_a_difference_and_along_datasets() -> None:
    gain = claim(kind="rises", along="dataset", dataset=["libras", "wafer"], against={"method": "dae"})
    figures = {
        ("libras", "tkae"): about(0.3),
        ("libras", "dae"): about(0.3),
        ("wafer", "tkae"): about(0.2),
        ("wafer", "dae"): about(0.1),
    }
    assert len(gain.parts) == 1 and judged(gain, figures).verdict == HOLDS


def test_all_parts_must_hold_and_one_contradicted_is_enough() -> None:
    both = claim(kind="better", against={"method": ["dae", "locf"]})
    good, bad, open_ = about(0.3), about(0.05), {s: 0.1 - NOISE[s] for s in SEEDS}
    ours = {("tkae",): about(0.1)}
    assert judged(both, {**ours, ("dae",): good, ("locf",): good}).verdict == HOLDS
    assert judged(both, {**ours, ("dae",): good, ("locf",): open_}).verdict == UNDECIDED
    against = judged(both, {**ours, ("dae",): good, ("locf",): bad})
    assert against.verdict == FAILS and against.text == "does not hold (1/2)"
    assert "locf" in against.weakest.part.label


def test_most_counts_the_parts() -> None:
    most = claim(kind="better", most=True, against={"method": ["dae", "locf", "mean"]})
    good, bad, ours = about(0.3), about(0.05), {("tkae",): about(0.1)}
    assert judged(most, {**ours, ("dae",): good, ("locf",): good, ("mean",): bad}).verdict == HOLDS
    assert judged(most, {**ours, ("dae",): good, ("locf",): bad, ("mean",): bad}).verdict == FAILS


def test_holm_runs_over_the_parts_of_a_claim() -> None:
    """Five seeds give p = 1/32: enough for one part, not for two."""
    five = {("tkae",): about(0.1, 5), ("dae",): about(0.3, 5), ("locf",): about(0.3, 5)}
    assert judged(claim(**BETTER), five).parts[0].p == 1 / 32
    both = judged(claim(kind="better", against={"method": ["dae", "locf"]}), five)
    assert both.verdict == UNDECIDED and [part.p for part in both.parts] == [1 / 16, 1 / 16]
    assert both.text == "undecided (2/2)"  # the direction is shown all the same


def test_three_seeds_decide_nothing_but_facts() -> None:
    three = {("tkae",): about(0.1, 3), ("dae",): about(0.3, 3)}
    assert judged(claim(**BETTER), three).verdict == UNDECIDED
    facts = {("tkae",): dict.fromkeys(range(3), 0.1), ("dae",): dict.fromkeys(range(3), 0.3)}
    assert judged(claim(**BETTER), facts).verdict == HOLDS
    assert judged(claim(**BETTER), {("tkae",): facts["dae",], ("dae",): facts["tkae",]}).verdict == FAILS
    two = {key: dict.fromkeys(range(2), value[0]) for key, value in facts.items()}
    assert judged(claim(**BETTER), two).verdict == UNDECIDED  # two runs may agree by chance


def test_no_difference_decides_nothing() -> None:
    same = {("tkae",): about(0.1), ("dae",): about(0.1)}
    result = judged(claim(**BETTER), same)
    assert result.verdict == UNDECIDED and result.parts[0].effect is None
    constant = {("tkae",): dict.fromkeys(SEEDS, 0.1), ("dae",): dict.fromkeys(SEEDS, 0.1)}
    assert judged(claim(**BETTER), constant).verdict == UNDECIDED


def test_one_deterministic_side_is_tested_as_any() -> None:
    figures = {("tkae",): about(0.1), ("dae",): dict.fromkeys(SEEDS, 0.3)}
    assert judged(claim(**BETTER), figures).parts[0].p == 1 / 1024


def test_runs_are_paired_by_seed() -> None:
    """The holes of a seed move both methods by far more than they differ."""
    ours = {seed: seed + 0.0 for seed in SEEDS}
    theirs = {seed: seed + 0.01 + NOISE[seed] for seed in reversed(SEEDS)}
    assert judged(claim(**BETTER), {("tkae",): ours, ("dae",): theirs}).verdict == HOLDS


def test_a_missing_figure_is_not_run() -> None:
    assert judged(claim(**BETTER), {("tkae",): about(0.1)}).verdict == NOT_RUN
    other_seeds = {("tkae",): about(0.1), ("dae",): about(0.3, 9)}
    result = judged(claim(**BETTER), other_seeds)
    assert result.verdict == result.text == NOT_RUN and result.parts[0].seeds == 0


def test_a_fact_needs_a_direction_from_the_claim() -> None:
    fewer = {"kind": "better", "metric": "mse", "against": {"method": "dae"}}
    figures = {("tkae",): about(0.3), ("dae",): about(0.1)}
    assert judged(claim(**fewer, prefer="higher"), figures).verdict == HOLDS
    assert judged(claim(**fewer, prefer="lower"), figures).verdict == FAILS


def test_a_short_budget_decides_nothing() -> None:
    figures = {("tkae",): about(0.1), ("dae",): about(0.3)}
    assert judged(claim(**BETTER), figures).verdict == HOLDS
    result = judged(claim(**BETTER), figures, shortened=True)
    assert result.verdict == UNDECIDED and result.text == "undecided (1/1)"
