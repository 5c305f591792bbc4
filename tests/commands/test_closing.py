"""How a run ends: what was found, where it is, what to do next."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tkae.commands.run import main

WORDS = ["experiment=imputation", "dataset=japanese_vowels", "model=[mean,locf]"]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A results folder with ten runs of two models."""
    results = tmp_path_factory.mktemp("results")
    assert main([*WORDS, f"results_dir={results}"]) == 0
    return f"results_dir={results}"


def ending(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str, list[str]]:
    """What was found, which files, and the words of the next command."""
    capsys.readouterr()
    code = main([*words])
    lines = capsys.readouterr().err.splitlines()
    assert code == (1 if any(line.startswith("failed:") for line in lines) else 0)
    names, texts = zip(*(line.split(maxsplit=1) for line in lines[-3:]), strict=True)
    assert names == ("found:", "files:", "next:")
    return texts[0], texts[1], shlex.split(texts[2], comments=True)[1:]


def test_all_that_the_paper_prints_is_there(stored: str, capsys: pytest.CaptureFixture[str]) -> None:
    found, files, following = ending(capsys, *WORDS, stored)
    assert found == "reproduced 2, differs 2"
    folder = stored.removeprefix("results_dir=")
    assert files == f"{folder}/tables/imputation.paper.{{csv,tex,md}}"
    assert following == [*WORDS, stored, "protocol=authors"]


def test_a_short_budget_leads_to_the_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["experiment=classification", "dataset=japanese_vowels", "model=pca", f"results_dir={tmp_path}"]
    found, _, following = ending(capsys, *words, "budget=smoke", "budget.epochs=3", "seeds=2")
    assert found == "Accuracy on Jp. Vow.: PCA, " + found.rpartition(", ")[2]
    assert following == [*words, "budget=paper"]


def test_fewer_seeds_lead_to_ten(stored: str, capsys: pytest.CaptureFixture[str]) -> None:
    found, _, following = ending(capsys, *WORDS, stored, "seeds=2")
    assert re.fullmatch(
        r"best MSE on Jp\. Vow\.: LOCF, 0\.\d{3} ± 0\.\d{3}; too few runs for 4 verdicts", found
    )
    assert following == [*WORDS, stored, "seeds=10"]


def test_what_was_only_collected_leads_to_the_same_command(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS[:-1], "model=[mean,pca]", stored]
    assert ending(capsys, *words, "collect=true")[2] == words


def test_a_protocol_without_verdicts_names_the_best(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, f"results_dir={tmp_path}", "protocol=clean"]
    found, _, following = ending(capsys, *words)
    assert found.startswith("best MSE on Jp. Vow.: LOCF, 0.") and " ± " in found
    assert following == ["report", str(tmp_path)]


def test_several_experiments_end_with_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-m", "experiment=imputation,classification", "dataset=japanese_vowels", "model=pca"]
    _, files, _ = ending(capsys, *words, "seeds=1", f"results_dir={tmp_path}")
    assert files.startswith(f"{tmp_path}/report/index.html; ") and f" tables in {tmp_path}/tables" in files
