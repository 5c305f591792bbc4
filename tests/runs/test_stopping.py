"""Whoever is told to stop, or is killed, leaves nothing behind that still works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tkae.models.checkpoints import SECONDS
from tkae.signals import INTERRUPTED, TERMINATED, Terminated, exit_code, stoppable

FEW_SECONDS = 10  # a worker looks at its parent every second; the machine may be busy
WORDS = ["experiment=classification", "dataset=japanese_vowels", "model=tae", "seeds=2", "model.batch=64"]
PROC = Path("/proc/self/stat")


def until(true: Any, seconds: float) -> bool:
    """Whether it came true within so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def alive(session: int) -> list[str]:
    """The processes of a session that have not ended: a command and all that it started."""
    found = []
    for entry in PROC.parents[1].iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(words[3]) == session and words[0] not in "ZX":
                    found.append((entry / "cmdline").read_text().replace("\0", " "))
            except OSError:
                pass  # it ended while we looked
    return found


def training(results: Path, executor: str) -> subprocess.Popen[bytes]:
    """A run of many epochs, in a session of its own, that has begun to train."""
    words = [*WORDS, "budget.epochs=100000", f"executor={executor}"]
    command = [sys.executable, "-m", "tkae.commands.run", *words]
    with (results / "said.txt").open("wb") as output:
        process = subprocess.Popen(
            [*command, f"results_dir={results}"],
            stdout=output,
            stderr=output,
            start_new_session=True,
            env={**os.environ, SECONDS: "0"},
        )
    count = 2 if executor == "processes" else 1
    begun = until(lambda: len(list(results.glob("checkpoints/*.safetensors"))) == count, 120)
    assert begun and process.poll() is None, (results / "said.txt").read_text()
    return process


@pytest.mark.skipif(not PROC.exists(), reason="no /proc to count processes in")
@pytest.mark.parametrize("executor", ["serial", "processes"])
@pytest.mark.parametrize("how", ["told", "told as by timeout", "killed"])
def test_nothing_works_on_after_its_command(how: str, executor: str, tmp_path: Path) -> None:
    process = training(tmp_path, executor)
    try:
        if executor == "processes":
            assert len(alive(process.pid)) >= 3
        process.send_signal(signal.SIGKILL if how == "killed" else signal.SIGTERM)
        if how == "told as by timeout":
            os.killpg(process.pid, signal.SIGTERM)  # it tells the command, then all of its group
        code = process.wait(timeout=60)
        assert until(lambda: not alive(process.pid), FEW_SECONDS), alive(process.pid)
    finally:
        if alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    said = (tmp_path / "said.txt").read_text()
    assert code == (-signal.SIGKILL if how == "killed" else TERMINATED), said
    assert "Traceback" not in said
    if how != "killed":
        assert "tkae-run: interrupted; what was finished is stored, the same command goes on." in said
    assert list(tmp_path.glob("checkpoints/*.safetensors"))  # to go on from


def test_tkae_data_takes_sigterm_as_an_interruption() -> None:
    code = (
        "import sys, time; from tkae.commands import data as data_cli\n"
        "data_cli._list = lambda *_: (print('begun', flush=True), time.sleep(60))\n"
        "sys.exit(data_cli.main(['list']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    process.terminate()
    _, said = process.communicate(timeout=30)
    assert process.returncode == TERMINATED and said.startswith("tkae-data: stopped;"), said


def test_sigterm_is_raised_once_and_only_within() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated) as stop, stoppable():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)  # while we tidy up
    assert exit_code(stop.value) == TERMINATED and exit_code(KeyboardInterrupt()) == INTERRUPTED
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_thread_may_run_a_command_too() -> None:
    seen: list[object] = []

    def run() -> None:
        with stoppable():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
