"""A training that is asked to stop keeps a checkpoint after its epoch and goes on to the same bits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.runs.stored import checkpoints, numbers
from tkae.commands.run import main
from tkae.models.checkpoints import SECONDS, Watch
from tkae.signals import INTERRUPTED, SAME, TERMINATED
from tkae.storage import load_arrays

WORDS = ["experiment=classification", "dataset=japanese_vowels", "model=tae", "seeds=2", "model.batch=64"]
EXECUTORS = ["serial", "processes", "dask"]
LINE = "tkae: stopping: trainings write a checkpoint"


@pytest.fixture(scope="module", autouse=True)
def _only_a_stop_writes_checkpoints() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SECONDS, "1e9")
        yield


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("undisturbed")
    assert main([*WORDS, "budget.epochs=6", f"results_dir={results}"]) == 0
    assert not checkpoints(results)
    return results


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[bytes], Path]]]:
    """Starts a command in a session of its own; what it says is in the file. Whatever happens, it ends."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(program: Sequence[str], *words: str) -> tuple[subprocess.Popen[bytes], Path]:
        said = tmp_path / "said.txt"
        command = [sys.executable, *program, *WORDS, *words, f"results_dir={tmp_path}"]
        with said.open("wb") as output:
            processes.append(subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True))
        return processes[-1], said

    yield start
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(text: str, said: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 300
    while text not in said.read_text():
        assert process.poll() is None and time.monotonic() < until, said.read_text()
        time.sleep(0.02)


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    ("number", "code", "group"),
    [(signal.SIGINT, INTERRUPTED, True), (signal.SIGTERM, TERMINATED, False)],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_signal_waits_for_the_checkpoint(
    number: signal.Signals, code: int, group: bool, executor: str, tmp_path: Path, started: Any
) -> None:
    process, said = started(["-m", "tkae.commands.run"], "budget.epochs=1000000", f"executor={executor}")
    wait_for(": epoch ", said, process)  # it trains
    os.killpg(process.pid, number) if group else process.send_signal(number)
    assert process.wait(timeout=120) == code, said.read_text()
    assert LINE in said.read_text() and "Traceback" not in said.read_text()
    kept = [int(load_arrays(path, path.name)[0]["epoch"]) for path in checkpoints(tmp_path)]
    assert len(kept) >= 1 and min(kept) > 1 and not numbers(tmp_path)


SLOW = """
import time, sys
from tkae.commands import run as cli
from tkae.engine.recurrent import Recurrent
def epoch(*_):
    print("epoch", flush=True)
    while True: time.sleep(0.01)
Recurrent.epoch = epoch
sys.exit(cli.main(sys.argv[1:]))
"""


def test_a_second_ctrl_c_does_not_wait(tmp_path: Path, started: Any) -> None:
    """An epoch that never ends: only leaving at once ends the command."""
    process, said = started(["-c", SLOW], "budget.epochs=2")
    wait_for("epoch", said, process)
    process.send_signal(signal.SIGINT)
    wait_for(LINE, said, process)
    assert process.poll() is None
    time.sleep(SAME)  # two signals within it are one wish
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == INTERRUPTED, said.read_text()
    assert "Traceback" not in said.read_text() and not checkpoints(tmp_path)


def test_the_time_limit_ends_a_slice_and_the_same_command_goes_on(
    undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep, calls = Watch.keep, []

    def and_time_is_up(self: Watch, state: Any) -> None:
        calls.append(state)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGALRM)  # as the timer does
        keep(self, state)

    words = [*WORDS, "budget.epochs=6", f"results_dir={tmp_path}", "hours=1000"]
    with monkeypatch.context() as patch:
        patch.setattr(Watch, "keep", and_time_is_up)
        assert main(words) == 0
    said = capsys.readouterr().err
    assert "limit hours=1000 is reached: 0 cells computed, 2 left" in said
    assert f"tkae-run {' '.join(words)}" in said and "failed" not in said
    assert not numbers(tmp_path) and list(tmp_path.glob("tables/*.csv"))
    assert main(words) == 0
    assert "goes on from epoch 3\n" in capsys.readouterr().err
    assert numbers(tmp_path) == numbers(undisturbed) and not checkpoints(tmp_path)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_slices_end_with_the_numbers_of_an_undisturbed_run(
    executor: str, undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However short they are: here the first begins nothing, and the timer is the real one."""
    words = [*WORDS, "budget.epochs=6", f"results_dir={tmp_path}", f"executor={executor}"]
    assert main([*words, "hours=0"]) == 0
    assert "0 cells computed, 2 left" in capsys.readouterr().err and not numbers(tmp_path)
    for _ in range(100):
        assert main([*words, "hours=0.001"]) == 0
        if len(numbers(tmp_path)) == 2:
            break
    assert numbers(tmp_path) == numbers(undisturbed) and not checkpoints(tmp_path)


@pytest.mark.parametrize("stored", [False, True], ids=["nothing stored", "one of them stored"])
def test_a_slice_of_several_experiments_may_leave_some_without_a_record(
    stored: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the kernel matrices the paper prints no number, so there is nothing to write of them yet."""
    few = ["dataset=japanese_vowels", "model=tae", "seeds=1", "budget=smoke", f"results_dir={tmp_path}"]
    if stored:
        assert main(["experiment=missingness", *few]) == 0
    left = len(numbers(tmp_path))
    assert main(["-m", "experiment=missingness,kernel_matrices", *few, "hours=0"]) == 0
    assert "0 cells computed" in capsys.readouterr().err and len(numbers(tmp_path)) == left
    assert not (tmp_path / "tables" / "kernel_matrices.paper.csv").exists()
    assert (tmp_path / "report.md").exists() is stored


def test_a_limit_on_computing_all_again_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "force=true", "hours=1"]) == 2
    assert "would never end" in capsys.readouterr().err


def test_replicas_of_another_shape_do_not_cost_those_that_ended(tmp_path: Path) -> None:
    whole = Watch(tmp_path, ["a", "b"], keep_every=1e9)
    for rows, count in (([0, 1], 0), ([0], 1)):
        whole.part(rows).ended(lambda: {})
        assert len(list(tmp_path.glob("*.safetensors"))) == count
