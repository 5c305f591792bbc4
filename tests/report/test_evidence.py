"""Verdicts on claims: each kind on figures that hold, contradict, and leave it open."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tkae.evaluation.bootstrap import Resampled
from tkae.report.claims import Claim, Place, _claim
from tkae.report.evidence import FAILS, HOLDS, UNDECIDED, SeedFigures, evaluate
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
        names = (place.dataset, place.method, place.metric, *(value for _, value in place.point))
        return next((SeedFigures(f, shortened) for key, f in figures.items() if set(key) <= set(names)), None)

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


def test_a_conjunction_needs_no_correction_but_its_contrary_and_most_do() -> None:
    """Five seeds give p = 1/32: that each part holds at 0.05 is enough; to contradict one of two is not."""
    both = {"kind": "better", "against": {"method": ["dae", "locf"]}}
    five = {("tkae",): about(0.1, 5), ("dae",): about(0.3, 5), ("locf",): about(0.3, 5)}
    result = judged(claim(**both), five)
    assert result.verdict == HOLDS and [part.over_seeds.p for part in result.parts] == [1 / 32] * 2
    worse = {**five, ("tkae",): about(0.5, 5)}
    result = judged(claim(**both), worse)
    assert [part.over_seeds.p_contrary for part in result.parts] == [1 / 16] * 2
    assert result.verdict == UNDECIDED and result.text == "undecided (0/2)"
    assert judged(claim(**BETTER), worse).verdict == FAILS  # of one part, 1/32 is enough
    most = judged(claim(**both, most=True), five)
    assert most.verdict == UNDECIDED and [part.over_seeds.p for part in most.parts] == [1 / 16] * 2
    assert most.text == "undecided (2/2)"  # the direction is shown all the same


def on_resamples(figures: Mapping[str, float], spread: float, test_set: str = "one"):
    """Ten equal enough runs of each method, and their means on resamples of the test series."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, spread, (len(figures), 2000))
    series = {
        name: Resampled((test_set, b""), level + own)
        for (name, level), own in zip(figures.items(), noise, strict=True)
    }
    return lambda place: SeedFigures(about(figures[place.method]), resampled=series.get(place.method))


def test_a_claim_says_where_test_series_leave_it_open_or_contradict_it() -> None:
    lead, other = {"tkae": 0.1, "dae": 0.2}, {"tkae": 0.3, "dae": 0.2}
    for spread, figures, text in (
        (0.01, lead, "holds (1/1)"),
        (0.2, lead, "holds over seeds, undecided over test series (1/1)"),
        (0.2, other, "does not hold over seeds, undecided over test series (0/1)"),
        (0.01, other, "does not hold (0/1)"),
    ):
        result = evaluate(claim(**BETTER), "paper", on_resamples(figures, spread))
        (part,) = result.parts
        assert result.text == text and part.over_series is not None and part.interval is not None
        low, high = part.interval
        assert low < figures["tkae"] - 0.2 < high and high - low == pytest.approx(4.65 * spread, rel=0.1)
        # A test at 0.05 and an end of a 90 % interval say the same.
        assert (part.series_verdict == HOLDS) == (high < 0) and (part.series_verdict == FAILS) == (low > 0)
        assert result.verdict == (HOLDS if figures is lead else FAILS)  # by seeds, as it always is


def test_parts_whose_outcomes_were_not_kept_are_spoken_for_by_seeds() -> None:
    both = claim(kind="better", against={"method": ["dae", "locf"]})
    find = on_resamples({"tkae": 0.1, "dae": 0.3}, 0.2)
    result = evaluate(both, "paper", lambda p: find(p) if p.method != "locf" else SeedFigures(about(0.3)))
    assert [part.series_verdict for part in result.parts] == [UNDECIDED, ""]
    assert result.parts[1].interval is None
    assert result.text == "holds over seeds, undecided over test series (2/2)"
    clear = on_resamples({"tkae": 0.1, "dae": 0.3}, 0.01)
    result = evaluate(both, "paper", lambda p: clear(p) if p.method != "locf" else SeedFigures(about(0.3)))
    assert result.series_verdict == HOLDS and result.text == "holds (2/2)"
    none = evaluate(both, "paper", lambda place: SeedFigures(about(0.1 if place.method == "tkae" else 0.3)))
    assert none.series_verdict == "" and none.text == "holds (2/2)"


def test_figures_of_different_test_sets_are_not_paired() -> None:
    one, other = on_resamples({"tkae": 0.1, "dae": 0.3}, 0.01), on_resamples({"dae": 0.3}, 0.01, "other")
    result = evaluate(claim(**BETTER), "paper", lambda p: (other if p.method == "dae" else one)(p))
    assert result.parts[0].interval is None and result.verdict == HOLDS


def test_a_value_a_margin_and_a_trend_are_asked_of_test_series_too() -> None:
    find = on_resamples({"tkae": 0.1, "dae": 0.3}, 0.02)
    for given, verdict in (
        ({"kind": "better", "against": {"value": 0.3}}, HOLDS),
        ({"kind": "better", "against": {"value": 0.1}}, UNDECIDED),
        ({"kind": "same", "against": {"value": 0.1}, "margin": 0.05}, HOLDS),
        ({"kind": "same", "against": {"value": 0.1}, "margin": 0.02}, UNDECIDED),
        ({"kind": "same", "against": {"value": 0.3}, "margin": 0.05}, FAILS),
        ({"kind": "not_worse", "against": {"method": "dae"}, "margin": 0.1}, HOLDS),
        ({"kind": "falls", "along": "method", "method": ["dae", "tkae"]}, HOLDS),
        ({"kind": "rises", "along": "method", "method": ["dae", "tkae"]}, FAILS),
    ):
        assert evaluate(claim(**given), "paper", find).series_verdict == verdict, given


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
    assert judged(claim(**BETTER), figures).parts[0].over_seeds.p == 1 / 1024


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
