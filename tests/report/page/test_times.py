"""Estimates are means of cells that were computed; nothing is estimated from others."""

from __future__ import annotations

from tests.report.made_up import run_of
from tkae.report.page.times import Times, spoken


def test_an_estimate_is_the_mean_of_like_cells_or_there_is_none(tmp_path) -> None:
    run = run_of(
        ["experiment=imputation", "dataset=japanese_vowels,libras", "model=pca", "seeds=2"], tmp_path
    )
    entries = run.entries()
    for seconds, entry in zip((2.0, 4.0), entries, strict=False):
        run.records[entry.key]["seconds"] = {"total": seconds}
    times = Times.of(run.entries())
    assert times.total == 6.0
    assert {entry.story["dataset"]: times.estimate(entry) for entry in entries} == {
        "japanese_vowels": 3.0,
        "libras": None,
    }


def test_spoken() -> None:
    assert [spoken(seconds) for seconds in (0.2, 12, 600, 9000)] == [
        "less than 1 s",
        "12 s",
        "10 min",
        "2.5 h",
    ]
