"""Intervals over test series, from records alone: by hand from the outcomes that were kept, or empty."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.report.made_up import a_row
from tkae.commands.results import main as results
from tkae.commands.run import main
from tkae.evaluation.bootstrap import interval, mean_accuracy, mean_auc, mean_f1, resampled
from tkae.evaluation.one_class import auc
from tkae.experiments.base import Arrays
from tkae.experiments.classification import Classification
from tkae.experiments.one_class import OneClass
from tkae.report.overview import judge
from tkae.report.section import Section
from tkae.report.series_intervals import with_intervals
from tkae.report.summary import Row
from tkae.runs.entry import Entry

ACCURACY, F1, _ = Classification.metrics
(AUC,) = OneClass.metrics
N = 60
RNG = np.random.default_rng(5)
TRUTH = RNG.integers(3, size=N).astype(np.uint8)
POSITIVE = TRUTH == 1


def outcome(seed: int, positive: bool = False) -> Arrays:
    rng = np.random.default_rng(seed)
    predicted = np.where(rng.random(N) < 0.3, rng.integers(3, size=N), TRUTH).astype(np.uint8)
    own = {"truth": TRUTH, "predicted": predicted, "score": rng.normal(POSITIVE)}
    return own | ({"positive": POSITIVE} if positive else {})


def rows_with(metric, kept: Mapping[int, Arrays], seeds: int = 3) -> Row:
    row = a_row("d", "m", metric, dict.fromkeys(range(seeds), 1.0))
    (made,) = with_intervals([row], lambda _: kept)
    return made


def runs(name: str) -> np.ndarray:
    return np.stack([outcome(seed)[name] for seed in range(3)])


@pytest.mark.parametrize("positive", [False, True])
def test_the_interval_is_that_of_the_mean_over_runs_in_the_metrics_unit(positive: bool) -> None:
    kept = {seed: outcome(seed, positive) for seed in range(3)}
    expected = {
        ACCURACY: 100 * resampled(TRUTH, [mean_accuracy(TRUTH, runs("predicted"))])[0],
        F1: 100 * resampled(TRUTH, [mean_f1(TRUTH, runs("predicted"), 1 if positive else None)])[0],
    }
    if positive:
        expected[AUC] = resampled(POSITIVE, [mean_auc(POSITIVE, runs("score"))])[0]
    for metric, figures in expected.items():
        row = rows_with(metric, kept)
        assert row.over_series == interval(figures)
        long = row.long([])
        assert (long["series_low"], long["series_high"]) == row.over_series


def test_without_the_outcomes_of_every_run_and_one_test_set_it_is_empty() -> None:
    kept = {seed: outcome(seed) for seed in range(3)}
    other = {**kept, 2: {**outcome(2), "truth": TRUTH[::-1].copy()}}  # every run drew its own series
    for some in ({}, {0: kept[0], 1: kept[1]}, {**kept, 1: {"mse": np.ones(N)}}, other):
        assert rows_with(ACCURACY, some).over_series == (None, None)
    assert rows_with(AUC, kept).over_series == (None, None)  # no class is marked
    assert rows_with(ACCURACY, {}, seeds=0).over_series == (None, None)


def test_rows_of_one_test_set_are_paired() -> None:
    """Whatever stands between them."""
    models = {"a": 0, "b": 10, "c": 0}
    figures = {0: 1.0, 1: 1.0}
    made = [a_row("d", name, ACCURACY, figures, entries=(Entry(name, {}, {}),)) for name in models]
    kept = {name: {s: outcome(first + s) for s in range(2)} for name, first in models.items()}
    first, second, same = with_intervals(made, lambda row: kept[row.method])
    assert first.resampled is not None and second.resampled is not None and same.resampled is not None
    assert first.resampled.test_set == second.resampled.test_set
    assert (first.resampled.figures == same.resampled.figures).all()
    assert not (first.resampled.figures == second.resampled.figures).all()


def test_a_lead_in_every_run_on_few_series_is_open_over_test_series() -> None:
    """As the paper's table of AUCs: 47 series of the class among 298, and methods less than 0.02 apart."""
    rng = np.random.default_rng(2)
    positive = np.arange(298) < 47
    base = rng.normal(0.8 * positive)
    kept: dict[str, dict[int, Arrays]] = {}
    for name in ("ocsvm", "iforest", "pca", "ae", "encdec_ad", "tae", "tkae"):
        scores = base + 0.6 * rng.normal(size=298)  # of its own, the same in all its runs but for a little
        noise = 0.01 * rng.normal(size=(10, 298))
        kept[name] = {seed: {"positive": positive, "score": scores + noise[seed]} for seed in range(10)}
    rows = [
        a_row(
            "physionet",
            name,
            AUC,
            {seed: auc(positive, one["score"]) for seed, one in runs.items()},
            entries=(Entry(name, {}, {"experiment": "one_class"}),),
        )
        for name, runs in kept.items()
    ]
    best = max(rows, key=lambda row: row.mean or 0.0).method  # the leader is the TKAE
    swapped = {"tkae": best, best: "tkae"}
    rows = [replace(row, method=swapped.get(row.method, row.method)) for row in rows]
    made = with_intervals(rows, lambda row: kept[row.entries[0].key])
    results = {one.claim.id: one for one in judge([Section("one_class", "paper", [], made, {}, None)])}
    highest = results["highest-auc"]
    assert highest.verdict == "holds" and highest.series_verdict == "undecided"
    assert highest.text == "holds over seeds, undecided over test series (6/6)"
    for part in highest.parts:
        assert part.interval is not None and part.interval[0] < part.median < part.interval[1]  # type: ignore[operator]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two methods on Japanese Vowels, two protocols: a report with claims and intervals."""
    made = tmp_path_factory.mktemp("results")
    words = ["experiment=classification", "dataset=japanese_vowels", "model=pca", "protocol=paper,clean"]
    assert main(["-m", *words, "seeds=3", f"results_dir={made}"]) == 0
    return made


def rows_of(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open() as file:
        return {
            (row["method"], row["metric"]): row
            for row in csv.DictReader(file)
            if row["dataset"] == "japanese_vowels"
        }


def test_tables_have_it_beside_the_spread_over_seeds(folder: Path) -> None:
    rows = rows_of(folder / "tables" / "classification.paper.csv")
    for metric in ("accuracy", "f1"):
        row = rows["pca", metric]
        low, mean, high = (float(row[name]) for name in ("series_low", "mean", "series_high"))
        assert low < mean < high and 4 < high - low < 10  # 370 series: a standard error of some 2 points
    assert rows["pca", "code_size"]["series_low"] == "" and rows["pca", "code_size"]["mean"] == "10.0"
    assert rows["tkae", "accuracy"]["series_low"] == ""  # not run
    beside = rows_of(folder / "tables" / "classification.csv")["pca", "accuracy"]
    assert beside["series_low_paper"] == rows["pca", "accuracy"]["series_low"] != beside["series_low_clean"]
    assert "paired bootstrap over test series" in (folder / "tables" / "classification.paper.md").read_text()
    assert "about runs on one test set" in (folder / "report.md").read_text()


def test_records_alone_give_it_again_and_without_outcomes_it_is_empty(folder: Path, tmp_path: Path) -> None:
    before = rows_of(folder / "tables" / "classification.paper.csv")
    assert results(["pack", str(folder), str(tmp_path / "packed")]) == 0
    assert results(["report", str(tmp_path / "packed")]) == 0
    assert rows_of(tmp_path / "packed" / "tables" / "classification.paper.csv") == before
    for path in (tmp_path / "packed" / "records").glob("*.safetensors"):
        path.unlink()
    assert results(["report", str(tmp_path / "packed")]) == 0
    after = rows_of(tmp_path / "packed" / "tables" / "classification.paper.csv")
    empty = {"series_low": "", "series_high": ""}
    assert after == {key: {**row, **empty} for key, row in before.items()}
