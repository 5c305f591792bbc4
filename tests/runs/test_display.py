"""What people see of a run: whole figures at every width, plain lines where nothing can be drawn again."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from tkae.runs.display import ECHO, display, drawn, line
from tkae.runs.news import Board
from tkae.runs.progress import Group, Progress
from tkae.runs.worker import Outcome
from tkae.signals import Stop

NAMES = (
    "japanese_vowels tkae, 10 seeds",
    "ablations.authors japanese_vowels tkae model.memory=zero, 30 cells",
)


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    """Two of three groups are at work."""
    told = Board(tmp_path)
    made = Progress(
        [Group(f"g{i}", name, {f"{i}": 5000.0}) for i, name in enumerate((*NAMES, "late"))], told, 2
    )
    for i in range(len(NAMES)):
        told.post(f"g{i}", f"epoch 49{i}9/5000, loss 0.1660", 0.9)
    made.look()
    return made


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_bar_and_the_figures_are_whole_at_every_width(progress: Progress, width: int) -> None:
    console = Console(file=io.StringIO(), width=width, height=30)
    console.print(drawn(progress, width, 10))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert max(map(len, lines)) <= width - ECHO and len(lines) == 3
    assert re.search(r"[━╸╺-]{4}.*  0/3 cells  \d+:\d\d(:\d\d)? left$", lines[0].rstrip())
    for number, text in enumerate(lines[1:]):
        assert f"epoch 49{number}9/5000, loss 0.1660  0:0" in text
    assert width < 120 or all(name in text for name, text in zip(NAMES, lines[1:], strict=True))


def test_more_workers_than_lines_are_counted(progress: Progress) -> None:
    console = Console(file=io.StringIO(), width=80)
    console.print(drawn(progress, 80, 1, "stopping: wait"))
    lines = [text.rstrip() for text in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    assert lines[2:] == ["and 1 more", "stopping: wait"]


def test_a_line_tells_of_one_group_and_counts_the_others(progress: Progress) -> None:
    told = f"{NAMES[0]}: epoch 4909/5000, loss 0.1660; and 1 more"
    assert re.fullmatch(rf"0/3 cells, \d+:\d\d(:\d\d)? left; {re.escape(told)}", line(progress))


def test_a_pipe_gets_plain_lines(progress: Progress, capsys: pytest.CaptureFixture[str]) -> None:
    with display(progress, Stop()):
        for key in "012":
            progress.ended.put(Outcome(key, f"cell {key}", 1.0, error="no luck" * (key == "1")))
    said = capsys.readouterr()
    assert said.out == "" and said.err.splitlines() == ["failed: cell 1: no luck", "3 of 3 cells in 0:00"]


WORDS = [
    "experiment=imputation",
    "dataset=japanese_vowels",
    "model=[mean,pca,tae]",
    "budget=smoke",
    "seeds=2",
]
CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(words: list[str], **environment: str) -> tuple[int, bytes]:
    """The exit code of a command that has a terminal of 80 columns, and all that it wrote there."""
    mine, its = pty.openpty()
    size = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tkae.commands.run", *words],
        stdin=its,
        stdout=its,
        stderr=its,
        env={**os.environ, **size, **environment},
        start_new_session=True,
    )
    os.close(its)
    written, until = b"", time.monotonic() + 300
    while time.monotonic() < until and select.select([mine], [], [], 300)[0]:
        try:
            block = os.read(mine, 1 << 16)
        except OSError:  # its end of the terminal is closed
            break
        written += block
    os.close(mine)
    return process.wait(timeout=60), written


def test_processes_share_one_display(tmp_path: Path) -> None:
    code, written = on_a_terminal(
        [*WORDS, "executor=processes", "executor.jobs=2", f"results_dir={tmp_path}"]
    )
    assert code == 0, written.decode()
    assert b"\x1b[?25l" in written and b"\x1b[?25h" in written  # the cursor is hidden and comes back
    shown = CONTROL.sub(b"", written).decode()
    frames = [text for text in shown.replace("\r", "\n").split("\n") if " cells  " in text]
    assert frames and all(re.search(r"━ +\d/6 cells +\d+:\d\d left", text) for text in frames)
    assert "japanese_vowels tae seed " in shown and "6 of 6 cells in 0:" in shown
    assert not (tmp_path / "progress").exists()


def test_a_dumb_terminal_gets_plain_lines(tmp_path: Path) -> None:
    code, written = on_a_terminal([*WORDS, f"results_dir={tmp_path}"], TERM="dumb")
    written = written.removesuffix(b"\x1b[0m")  # of colorama, when Python ends
    assert code == 0 and b"\x1b" not in written and b"6 of 6 cells in 0:" in written
