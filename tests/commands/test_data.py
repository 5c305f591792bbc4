"""tkae-data: what it prints, what it writes, and its exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mirror import MIRROR, needs_mirror
from tkae.commands.data import main
from tkae.settings.registry import GROUPS


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TKAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from tkae.commands.data import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "print(sorted({'numpy', 'torch', 'pandas', 'scipy', 'rich', 'matplotlib'} & set(sys.modules)))"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert "fetch" in done.stdout and done.stdout.endswith("[]\n")


def test_list_without_anything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert set(GROUPS["dataset"]) <= set(lines)
    assert "embedded" in lines["japanese_vowels"] and "CC BY 4.0" in lines["japanese_vowels"]
    assert " no " in lines["physionet"] and "99.3 MB" in lines["physionet"] and "ODC-BY" in lines["physionet"]
    assert "generated" in lines["ode"]


def test_show_what_needs_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", "japanese_vowels"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split()[-6:] == ["12", "270", "370", "9", "7", "29"]
    assert out[2].split()[-7:] == ["12", "270", "370", "9", "7", "29", "0.0%"]
    assert (tmp_path / "japanese_vowels.png").read_bytes().startswith(b"\x89PNG")
    assert main(["show", "ode", "variates=5", "steps=20", "train=3", "test=2", "--png", "small.png"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[1:7] == ["5", "3", "2", "0", "20", "20"]
    assert (tmp_path / "small.png").is_file()


def test_show_your_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("series,time,v,split\na,0,1,train\na,1,,train\nb,0,2,test\n")
    assert main(["show", "file", "path=x.csv"]) == 0
    assert "33.3%" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show", "wafr"], "unknown dataset 'wafr' (did you mean 'wafer'?)"),
        (["fetch", "wafr"], "unknown dataset 'wafr' (did you mean 'wafer'?)"),
        (["show", "ode", "step=3"], "did you mean 'steps'"),
        (["show", "ode", "steps"], "'steps' is not KEY=VALUE"),
        (["show", "ode", "--mirror", "absent"], "data.mirror=absent: there is no such folder"),
        (["show", "libras", "--offline"], "tkae-data fetch"),
        (["show", "japanese_vowels", "--png", "absent/x.png"], "cannot write the plot"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert reason in error and error.count("\n") == 1


def test_fetch_offline_fails_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch", "libras", "--offline"]) == 1
    assert capsys.readouterr().err.count("(offline)") == 2


@needs_mirror
def test_fetch_and_verify_with_a_mirror(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["fetch", "libras", "ecg5000", "--mirror", str(MIRROR), "--offline"]) == 0
    assert main(["verify", "libras", "ecg5000", "--mirror", str(MIRROR)]) == 0
    assert main(["verify", "libras"]) == 0
    out = capsys.readouterr().out
    assert out.count("right ") == 3 and out.count("not here ") == 2
    copy = tmp_path / "copy" / "timeseriesclassification.com" / "aeon-toolkit"
    copy.mkdir(parents=True)
    (copy / "ECG5000.zip").write_bytes(b"<html>")
    assert main(["verify", "ecg5000", "--mirror", str(tmp_path / "copy")]) == 1
    assert "web page" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ode5", "train=[1"], "[1 is no value"),
        (["ode5", f"train={'[' * 2000}"], "is no value"),
        (["ode5", "train=&a [*a]"], "is no value"),
        (["file", "path=a\x1b[2J\nb.csv"], r"a\x1b[2J b.csv: no such file"),
        (["ode5", "--png", "x.xyz"], "cannot write '.xyz' files; known: .png, .pdf, .svg"),
        (
            ["ode5", "train=100000", "steps=100000"],
            "100000 series of 5 variates, padded to 100000 steps, needs",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_line(
    words: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TKAE_MEMORY_GB", "100")
    assert main(["show", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line and line.isprintable()
    assert not list(tmp_path.iterdir())
