"""tkae-apply as a user calls it: what is written, what is said, and what is refused before anything runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tkae.commands.apply import main

OWN = "series,time,u,v\n" + "".join(
    f"{i},{t},{i + t},{'' if (i + t) % 3 else t}\n" for i in range(8) for t in range(5)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user is: beside the file of series."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.csv").write_text(OWN)
    return tmp_path


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from tkae.commands.apply import main; main(['--help']);"
        "print([name for name in ('numpy', 'torch', 'pandas', 'matplotlib', 'yaml') if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith("usage: tkae-apply") and out.endswith("[]\n")


def test_the_help_names_every_key() -> None:
    from dataclasses import fields

    from tkae.commands.apply import HELP
    from tkae.tasks.options import Options

    assert [spec.name for spec in fields(Options) if f"{spec.name}=" not in HELP] == []


def test_what_is_written_and_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["impute", "path=own.csv", "output=done.csv", "model=locf", "imputed=filled.tsv"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "written: done.csv, filled.tsv, done.png"
    assert "27 of 80 values" in said.out and "LOCF" in said.err
    assert (folder / "own.csv").read_text() == OWN
    assert (folder / "done.png").read_bytes().startswith(b"\x89PNG")
    assert len((folder / "filled.tsv").read_text().splitlines()) == 28


def test_names_in_a_picture_are_no_formulas_and_warnings_are_lines(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"$\\frac{{{i},{t},{t},1,$_{{{i % 2}\n" for i in range(9) for t in range(3)]
    (folder / "odd.csv").write_text("series,time,$x_{,\x1b[2J,label\n" + "".join(rows))
    for task, model in (("impute", "mean"), ("embed", "pca"), ("screen", "iforest")):
        assert main([task, "path=odd.csv", f"output={task}.csv", f"model={model}"]) == 0
        fits, warning = capsys.readouterr().err.splitlines()
        assert fits.startswith("fits ") and fits.isprintable()
        assert warning.startswith("warning: variate '") and warning.isprintable()


def test_without_a_picture(folder: Path) -> None:
    assert main(["embed", "path=own.csv", "output=codes.csv.gz", "model=pca", "picture=null"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["codes.csv.gz", "own.csv"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("impote path=own.csv output=x.csv", "unknown task 'impote' .did you mean 'impute'"),
        ("impute path=own.csv", "output=FILE is missing"),
        ("impute own.csv output=x.csv", "'own.csv' is not KEY=VALUE"),
        ("impute path=own.csv path=own.csv output=x.csv", "path= is said twice"),
        ("impute path=own.csv output=x.csv modle=pca", "unknown key 'modle' .did you mean 'model'"),
        ("impute path=own.csv output=x.csv model=pac", "unknown model 'pac' .did you mean 'pca'"),
        ("impute path=own.csv output=x.csv model.alhpa=1", "unknown key 'model.alhpa' .did you mean 'alpha'"),
        ("impute path=own.csv output=x.csv model.layers=two", "model.layers=two is not allowed"),
        ("impute path=own.csv output=x.csv seed=-1", "seed=-1 is not allowed"),
        ("impute path=own.csv output=x.csv seed=[[", "\\[\\[ is no value"),
        ("impute path=own.csv output=x.csv n_seeds=100000000", "it takes a whole number from 1 to 1000"),
        ("impute path=own.csv output=x.csv budget=huge", "budget=huge is not allowed: it takes one of auto"),
        ("impute path=absent.csv output=x.csv", "absent.csv: no such file"),
        ("impute path=own.csv output=x.xls", "cannot write '.xls' files; known: .csv"),
        ("impute path=own.csv output=x.csv save=.", "is a folder: name a file in it"),
        ("impute path=own.csv output=own.csv/x.csv", "own.csv is a file, and no folder to write to"),
        ("impute path=own.csv output=x.parquet.gz", "cannot write '.gz' files"),
        ("impute path=own.csv output=x.csv picture=x.jpg", "cannot write '.jpg' files"),
        ("impute path=own.csv output=x.csv time_column=t", "no column 't'.*; time_column=NAME says"),
        (
            "impute path=own.csv output=x.csv model=ocsvm",
            "model=ocsvm cannot complete series; these can: mean",
        ),
        ("embed path=own.csv output=x.csv model=locf", "model=locf cannot encode series; these can: "),
        ("embed path=own.csv output=x.csv imputed=y.csv", "embed fills nothing in"),
        ("embed path=own.csv output=x.csv model=pca n_seeds=2", "model=pca is no network"),
        ("screen path=own.csv output=x.csv load=m model=pca", "load=FILE brings a fitted model"),
        ("screen path=own.csv output=x.csv load=m model.layers=1", "leave out model"),
        ("screen path=own.csv output=x.csv load=own.csv", "own.csv: not a file that tkae wrote"),
    ],
)
def test_refusals(words: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import re

    assert main(words.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tkae-apply: ") and re.search(sentence, line)
    assert [path.name for path in folder.iterdir()] == ["own.csv"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (f"impute path={'x' * 300}.csv output=x.csv model=mean", "too long"),
        (f"impute path=own.csv output={'x' * 300}.csv model=mean", "too long"),
        ("impute path=\x1b[2J.csv output=x.csv", r"x1b[2J.csv: no such file"),
        ("impute path=long.csv output=x.csv", "is not a number"),
        ("impute path=loop.csv output=x.csv", "loop.csv"),
    ],
)
def test_names_and_cells_do_not_spoil_the_line(
    words: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "long.csv").write_text(f"series,time,u\na,0,{'x' * 100_000}\n")
    (folder / "loop.csv").symlink_to("loop.csv")
    assert main(words.split(" ")) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line and line.isprintable() and len(line) < 5000


@pytest.mark.parametrize("key", ["output", "save", "picture", "imputed"])
def test_no_input_is_overwritten(key: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "link.csv").symlink_to("own.csv")
    words = {"path": "own.csv", "output": "x.csv", key: "link.csv"}
    assert main(["impute", *(f"{name}={value}" for name, value in words.items())]) == 2
    assert f"{key}=link.csv is the file of path=" in capsys.readouterr().err
    assert (folder / "own.csv").read_text() == OWN


def test_one_file_is_not_written_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["impute", "path=own.csv", "output=x.csv", "imputed=x.csv"]) == 2
    assert "imputed=x.csv is the file of output=" in capsys.readouterr().err
