"""What cannot work is refused once, with exit code 2, before anything runs or is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkae.commands.run import main

ROWS = [
    f"{series},{time},{series + time},{'well' if series % 2 else 'ill'},{'test' if series > 7 else 'train'}"
    for series in range(12)
    for time in range(4)
]
GOOD = "series,time,value,label,split\n" + "\n".join(ROWS) + "\n"
BARE = "\n".join(",".join(row.split(",")[:3]) for row in GOOD.splitlines()) + "\n"
FILE, WORDS = "dataset=file", ["model=[mean,pca,locf]", "seeds=3"]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the run, with a good file in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.csv").write_text(GOOD)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command says before it ends with 2."""
    before = sorted(Path().rglob("*"))
    assert main([*words]) == 2
    said = capsys.readouterr()
    assert said.out == "" and sorted(Path().rglob("*")) == before
    (line,) = said.err.splitlines()
    return line


def test_a_bad_own_file_leaves_the_good_table_alone(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["experiment=imputation", FILE, "dataset.path=own.csv", *WORDS]
    assert main(words) == 0
    table = own / "results" / "tables" / "imputation.paper.csv"
    before = table.read_text()
    capsys.readouterr()
    for text, reason in (
        (GOOD.replace("series,", "patient,", 1), "no column 'series'"),
        (GOOD.replace("3,1,4,", "3,1,four,", 1), "four"),
        (GOOD.replace("train", "test"), "test split"),
    ):
        (own / "own.csv").write_text(text)
        line = refused(capsys, *words)
        assert line.startswith("tkae-run: own.csv") and reason in line
        assert table.read_text() == before


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        (GOOD, ["experiment=one_class", "model=pca", "dataset.positive=dead"], "no class 'dead'"),
        (BARE, ["experiment=classification", "model=pca"], "classification needs labels"),
        (BARE, ["experiment=missingness", "model=tae"], "missingness needs labels"),
        (GOOD, ["experiment=classification", "model=pca", "experiment.neighbours=50"], "k = 50"),
        (GOOD, ["experiment=imputation", "model=dae", "model.drop_last=true"], "no batch of 32"),
    ],
)
def test_a_label_or_setting_that_does_not_suit_the_file(
    text: str, words: list[str], reason: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "own.csv").write_text(text)
    line = refused(capsys, FILE, "dataset.path=own.csv", "seeds=2", "budget=smoke", *words)
    assert reason in line


@pytest.mark.parametrize("also", [[], ["dry_run=true"], ["executor=processes"]])
def test_a_device_that_is_not_there(also: list[str], own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(
        capsys, "experiment=imputation", "dataset=japanese_vowels", "model=tkae", "device=mps", *also
    )
    assert "device 'mps' cannot be used here" in line and "device=cpu" in line


def test_labels_that_the_only_dataset_lacks(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, "experiment=classification", "dataset=sinusoids", "model=pca", "seeds=4")
    assert line == "tkae-run: classification needs labels, and this dataset has none"


def test_one_dataset_of_several_that_cannot_be_had_does_not_stop_the_rest(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TKAE_CACHE", str(own / "cache"))
    words = ["experiment=imputation", "model=mean", "seeds=1", "data.offline=true"]
    line = refused(capsys, *words, "dataset=libras")
    assert "offline" in line and "tkae-data fetch" in line
    assert main([*words, "dataset=[libras,japanese_vowels]"]) == 1
    said = capsys.readouterr()
    assert "failed: imputation.paper libras mean seed 0:" in said.err and "Jp. Vow." in said.out
