"""A cell that cannot fit into memory is told by the plan and refused before it is fitted; others go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.models.pca import PCA

WORDS = ["experiment=imputation", "model=pca", "seeds=1"]
SENTENCE = "of memory, and there are 1.0 MB (TKAE_MEMORY_GB may say otherwise): take fewer series"


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", "0.001")  # too little for Jp. Vow., enough for a few series


@pytest.mark.parametrize("more", [[], ["dry_run=true"]])
def test_the_only_dataset_is_refused_before_anything_runs(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(PCA, "learn", None)
    words = [*WORDS, "dataset=japanese_vowels", f"results_dir={tmp_path}"]
    assert main([*words, *more]) == 2
    assert SENTENCE in capsys.readouterr().err


def test_one_of_several_fails_with_the_sentence_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["dataset.ode5.train=20", "dataset.ode5.test=20", "dataset.ode5.steps=20"]
    words = [*WORDS, "dataset=[japanese_vowels,ode5]", *small, f"results_dir={tmp_path}"]
    assert main([*words, "dry_run=true"]) == 0
    plan = capsys.readouterr().out
    refused = [line for line in plan.splitlines() if "where there are 1.0 MB: it will be refused" in line]
    assert len(refused) == 1 and "japanese_vowels" in refused[0]
    assert main(words) == 1
    assert SENTENCE in capsys.readouterr().err
    records = [json.loads(path.read_text())["record"] for path in tmp_path.rglob("records/**/*.json")]
    assert {record["story"]["dataset"]: record["status"] for record in records} == {
        "japanese_vowels": "failed",
        "ode5": "done",
    }
