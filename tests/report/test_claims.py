"""The claims file: true to the paper, to the experiments, and what the paper's own figures say of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.made_up import a_row
from tkae.report.claims import TRENDS, Claim, Place, load_claims, load_untested
from tkae.report.comparison import metric_of
from tkae.report.evidence import AGREES, CONTRADICTS, by_print, part_by_print
from tkae.report.overview import judge
from tkae.report.section import Section
from tkae.runs.entry import Entry
from tkae.runs.plan import plan
from tkae.settings.compose import compose
from tkae.settings.grid import swept_values
from tkae.settings.registry import lookup

TEX = Path(__file__).parents[3] / "shared" / "paper" / "tkae.tex"
CLAIMS = load_claims()
PROTOCOLS = ("paper", "authors", "clean")
TABLES = ("classification", "ablations")
CHANGED = [
    place
    for claim in CLAIMS
    for part in claim.parts
    for place in part.places
    if any(value is False for _, value in place.point)  # a switch, which no sweep goes along
]


def each(claim: Claim) -> str:
    return claim.id


def test_every_claim_has_a_name_of_its_own() -> None:
    names = [claim.id for claim in CLAIMS]
    assert len(names) == len(set(names)) and all(re.fullmatch("[a-z0-9-]+", name) for name in names)


@pytest.mark.parametrize("claim", CLAIMS, ids=each)
def test_a_claim_says_what_is_tested_and_within_what(claim: Claim) -> None:
    assert claim.says and claim.quote and re.match("(text|tab|fig):", claim.place)
    for part in claim.print_parts:
        assert part.kind in ("better", "not_worse", "same", *TRENDS) and part.prefer in (
            "",
            "lower",
            "higher",
        )
        for number in (part.margin, part.share):
            assert type(number) is float and number >= 0
        assert not (part.margin and part.share)  # one or the other
        if part.kind in ("not_worse", "same"):  # without a margin nothing could ever be equal
            assert part.margin or part.share
        assert (len(part.figures) > 1) == (part.kind in TRENDS)
        assert part.kind in TRENDS or part.against or part.value is not None
        assert len(part.against) in (0, len(part.figures)) and not set(part.figures) & set(part.against)
        if part.kind in ("better", "not_worse"):
            assert part.prefer or metric_of(part.figures[0]).higher_is_better is not None
    labels = [part.label for part in claim.parts]
    assert len(labels) == len(set(labels)) or len(claim.where) > 1


@pytest.mark.parametrize("claim", CLAIMS, ids=each)
def test_ten_seeds_can_contradict_a_claim(claim: Claim) -> None:
    """The smallest p-value of ten seeds, 1/1024, must survive the correction over the claim's parts."""
    assert len(claim.parts) / 1024 <= 0.05


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("experiment", sorted({name for claim in CLAIMS for name in claim.experiments}))
def test_what_a_claim_speaks_of_is_run(experiment: str, protocol: str) -> None:
    """Every dataset, method, metric and point of a sweep is in the experiment's config file."""
    (first, *_) = calls = compose([f"experiment={experiment}", f"protocol={protocol}"], sweep=False)
    metrics = {metric.name for metric in lookup("experiment", experiment).metrics}
    stands_for = {name: first.stands_for(name) for name in first.datasets}
    pairs = {
        (stands_for.get(dataset, dataset), model): swept_values(first.experiment.grid, dataset, model)
        for call in calls
        for dataset, model in call.pairs()
    }
    places = {p for c in CLAIMS for part in c.parts for p in part.places if p.experiment == experiment}
    places -= set(CHANGED)
    assert places
    for place in places:
        assert (place.dataset, place.method) in pairs and place.metric in metrics, place
        swept = pairs[place.dataset, place.method]
        assert {key for key, _ in place.point} == set(swept), place
        assert all(value in swept[key] for key, value in place.point), place


@pytest.mark.parametrize("protocol", ["paper", "authors"])
@pytest.mark.parametrize("place", CHANGED, ids=str)
def test_a_change_that_a_claim_speaks_of_is_one_of_the_ablations(place: Place, protocol: str) -> None:
    words = ["experiment=ablations", f"protocol={protocol}", f"dataset={place.dataset}", "seeds=1"]
    made = [cell for cell in plan(compose([*words, f"model={place.method}"], sweep=False)) if cell.line]
    changes = [{key: cell.settings[key] for key in cell.changed} for cell in made]
    assert dict(place.point) in changes
    assert place.metric in {metric.name for metric in lookup("experiment", place.experiment).metrics}


def test_a_change_is_compared_with_the_unchanged_row() -> None:
    """One direction stands in the table of the ablations, two in that of the experiment."""
    own = Entry("two", {}, {"experiment": "classification"})
    metrics = [metric for metric in lookup("experiment", "classification").metrics if metric.percent]
    two = [
        a_row("japanese_vowels", "tae", metric, {s: 77.0 + s / 10 for s in range(10)}, entries=(own,))
        for metric in metrics
    ]
    switch = {"model.bidirectional": False}
    one = [
        replace(
            row,
            by_seed={seed: value - 6.0 for seed, value in row.by_seed.items()},
            changed=tuple(switch),
            facts={**row.facts, **switch},
        )
        for row in two
    ]
    sections = [
        Section(name, "paper", [], rows, {}, None) for name, rows in zip(TABLES, (two, one), strict=True)
    ]
    results = {result.claim.id: result for result in judge(sections)}
    assert results["bidirectional-encoder-matters"].text == "holds (2/2)"
    results = {result.claim.id: result for result in judge(sections[:1])}
    assert results["bidirectional-encoder-matters"].text == "not run"


def test_the_paper_contradicts_itself_where_it_is_known_to() -> None:
    """The AE's 0.04 of Tab. ODE is a misprint: bold, yet above others; Tab. blood has alpha = 0.1."""
    found = {
        (claim.id, part.label)
        for claim in CLAIMS
        for part in claim.print_parts
        if not claim.most and part_by_print(part) == CONTRADICTS
    }
    assert {claim.id for claim in CLAIMS if by_print(claim) == CONTRADICTS} == {name for name, _ in found}
    assert found == {
        ("ae-good-at-few-variates", "ode5 ae mse against method=tae"),
        ("ae-good-at-few-variates", "ode5 ae mse against method=ae_tied"),
        ("ae-good-at-few-variates", "ode5 ae mse against method=pca"),
        ("ae-good-at-few-variates", "ode10 ae mse against method=pca"),
        ("tied-weights-degrade", "ode5 ae mse against method=ae_tied"),
        ("alpha-interval-ends", "japanese_vowels tkae accuracy against 70.0"),
    }


def test_a_margin_is_not_more_than_the_paper_itself_prints() -> None:
    """Nor is a printed tie a loss: of figures that print alike neither is contradicted."""
    claims = {claim.id: claim for claim in CLAIMS}
    (gain,) = [p for p in claims["alignment-greatly-improves"].print_parts if p.margin == 3.0]
    assert part_by_print(gain) == AGREES and part_by_print(replace(gain, margin=4.0)) == CONTRADICTS
    (tie,) = [p for p in claims["tkae-best-on-four-of-five"].parts if p.kind == "not_worse"]
    assert tie.label == "ecg5000 tkae corr against method=dae" and part_by_print(tie) == AGREES


def test_what_is_only_in_print_is_not_tested() -> None:
    for claim in CLAIMS:
        assert {part.label for part in claim.print_parts} >= {part.label for part in claim.parts}
        assert not any("in_print" in where or "where" in where for where in claim.where)
        assert all(part_by_print(part) for part in claim.print_parts[len(claim.parts) :])


def test_most_tables_of_the_paper_are_spoken_of() -> None:
    spoken = {claim.id for claim in CLAIMS if by_print(claim)}
    assert {"tkae-always-best", "tkae-best-on-four-of-five", "highest-auc", "tae-best-on-sinusoids"} <= spoken
    assert {"tae-at-90-percent", "tkae-at-90-percent", "worse-on-odevar", "tae-grows-slowly"} <= spoken


@pytest.mark.parametrize("said", [*CLAIMS, *load_untested()], ids=lambda one: one.quote[:40])
def test_a_quote_stands_in_the_paper_word_for_word(said) -> None:
    if not TEX.exists():
        pytest.skip(f"the paper's LaTeX source is not at {TEX}")
    tex = re.sub(r"(?<!\\)%.*", "", TEX.read_text(encoding="utf-8"))
    assert " ".join(said.quote.split()) in " ".join(tex.split())
