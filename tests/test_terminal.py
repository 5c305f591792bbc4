"""Plurals, signs that an encoding lacks, and output that cannot be written."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from importlib import import_module

import pytest

from tkae.terminal import PLAIN, are, count, print_columns, redraws, showable, speak


def test_plurals() -> None:
    assert [f"{count(n, 'cell')} {are(n)}" for n in (0, 1, 2)] == ["0 cells are", "1 cell is", "2 cells are"]
    assert [count(n, "series", "series") for n in (1, 2)] == ["1 series", "2 series"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_sign_has_one_that_any_encoding_shows(encoding: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    for sign in PLAIN:
        assert showable(f"a {sign} b", stream).encode(encoding)
    assert showable("0.5 ± 0.1", stream) == ("0.5 +- 0.1" if encoding == "ascii" else "0.5 ± 0.1")


@pytest.mark.parametrize(("term", "is_one"), [("xterm", True), ("dumb", False)])
def test_what_is_drawn_again(term: str, is_one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", term)
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    assert redraws(Terminal()) == is_one and not redraws(io.StringIO())


class Wide(io.StringIO):
    """A terminal, whose width the test sets."""

    def isatty(self) -> bool:
        return True


def test_columns_fit_a_terminal_and_are_whole_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["name", "what"], ["imputation", "a text of some more words than fit"], ["x", ""]]
    for stream, wanted in (
        (io.StringIO(), "name        what\nimputation  a text of some more words than fit\nx\n"),
        (
            Wide(),
            "name        what\nimputation  a text of some\n            more words than\n            fit\nx\n",
        ),
    ):
        monkeypatch.setenv("COLUMNS", "27")
        monkeypatch.setattr(sys, "stdout", stream)
        print_columns(rows)
        assert stream.getvalue() == wanted


@pytest.mark.parametrize("name", ["run", "results", "apply"])
def test_help_fits_80_columns(name: str) -> None:
    lines = import_module(f"tkae.commands.{name}").HELP.splitlines()
    assert lines and max(map(len, lines)) <= 80


class Broken(io.StringIO):
    """A stream that takes nothing."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error


@pytest.mark.parametrize(("error", "code"), [(BrokenPipeError(), 0), (OSError(28, "No space left"), 1)])
def test_work_goes_on_when_nothing_can_be_said(
    error: OSError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = []

    def act() -> int:
        print("a table")
        done.append("work")
        return 0

    monkeypatch.setattr(sys, "stdout", Broken(error))
    assert speak("tkae-run", act) == code and done == ["work"]
    assert isinstance(sys.stdout, Broken)
    assert capsys.readouterr().err == (
        "tkae-run: the output cannot be written (No space left)\n" if code else ""
    )
    assert speak("tkae-run", lambda: 3) == 3


COMMAND = f"{sys.executable} -m tkae.commands.run --info"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (f"{COMMAND} | head -c 1", 0, ""),
        (f"{COMMAND} > /dev/full", 1, "tkae-run: the output cannot be written (No space left on device)\n"),
        (f"{COMMAND} 2> /dev/full > /dev/null", 0, ""),
        (f"PYTHONIOENCODING=ascii {COMMAND} > /dev/null", 0, ""),
        (f"{COMMAND} >&-", 0, ""),
        (f"{COMMAND} 2>&- > /dev/null", 0, ""),
        (f"{COMMAND} <&- >&- 2>&-", 0, ""),
    ],
    ids=["closed pipe", "full", "full for errors", "ascii", "no output", "no errors", "nothing at all"],
)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this machine")
def test_a_command_whose_output_goes_nowhere(line: str, code: int, said: str) -> None:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, said)
