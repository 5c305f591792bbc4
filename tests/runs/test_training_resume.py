"""A training that is stopped goes on from its checkpoint to the bits of one that was not."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.commands.run import main
from tkae.data.files import Files
from tkae.errors import DataError
from tkae.models.checkpoints import SECONDS, Watch
from tkae.runs.cell import Cell
from tkae.runs.claims import Claims
from tkae.runs.entry import Entry
from tkae.runs.news import board
from tkae.runs.plan import plan
from tkae.runs.runner import Run
from tkae.runs.store import Store
from tkae.runs.worker import run_group
from tkae.settings.compose import compose
from tkae.storage import load_arrays, save_arrays

WORDS = ["experiment=classification", "dataset=japanese_vowels", "model=tae"]
LONG = [*WORDS, "seeds=2", "budget.epochs=120", "model.batch=64"]
SHORT = [*WORDS, "seeds=3", "budget.epochs=6", "model.batch=64"]


def metrics(results: Path) -> dict[str, Any]:
    paths = results.rglob("records/**/*.json")
    return {path.name: json.loads(path.read_text())["record"]["metrics"] for path in paths}


def checkpoints(results: Path) -> list[Path]:
    return sorted((results / "checkpoints").glob("*.safetensors"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SECONDS, "1e9")  # however slow the machine: no checkpoint
        assert main([*LONG, f"results_dir={results}"]) == 0
    assert not (results / "checkpoints").exists()
    return results


def wait_for_epoch(results: Path, epoch: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 600
    while True:
        assert process.poll() is None and time.monotonic() < until, "the run ended before it could be stopped"
        try:
            if any(load_arrays(path, path.name)[0]["epoch"] >= epoch for path in checkpoints(results)):
                return
        except DataError:
            pass  # replaced while we looked
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("stop", "code", "executor"),
    [(signal.SIGKILL, -9, "serial"), (signal.SIGINT, 130, "serial"), (signal.SIGKILL, -9, "processes")],
)
def test_a_stopped_training_goes_on_to_the_same_bits(
    stop: signal.Signals, code: int, executor: str, undisturbed: Path, tmp_path: Path, capsys
) -> None:
    words = [*LONG, f"results_dir={tmp_path}", f"executor={executor}"]
    command = [sys.executable, "-m", "tkae.commands.run", *words]
    log = tmp_path / "said.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, start_new_session=True, env={**os.environ, SECONDS: "0"}
        )
    wait_for_epoch(tmp_path, 10, process)
    os.killpg(process.pid, stop)  # as a terminal or a machine that goes down does: workers, too
    assert process.wait(timeout=300) == code, log.read_text()
    assert "Traceback" not in log.read_text()
    assert not metrics(tmp_path)
    stopped = [int(load_arrays(path, path.name)[0]["epoch"]) for path in checkpoints(tmp_path)]
    # Two processes have a part of the seeds each; here all are computed by one, which goes on from both.
    assert len(stopped) == 1 or (executor == "processes" and len(stopped) == 2)

    assert main([*LONG, f"results_dir={tmp_path}"]) == 0
    said = capsys.readouterr().err
    assert all(f"goes on from epoch {epoch}\n" in said for epoch in stopped) and max(stopped) >= 10
    assert metrics(tmp_path) == metrics(undisturbed)
    assert not checkpoints(tmp_path)


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return plan(compose(SHORT, sweep=False))


@pytest.fixture(scope="module")
def whole(cells: list[Cell], tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("whole")
    run_group(cells, results, Files())
    return results


@pytest.fixture
def stopped(cells: list[Cell], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The results of a group that was interrupted after 3 of 6 epochs."""
    keep, kept = Watch.keep, []

    def and_stop(self: Watch, state: Any) -> None:
        keep(self, state)
        kept.append(state)
        if len(kept) == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setenv(SECONDS, "0")
        patch.setattr(Watch, "keep", and_stop)
        with pytest.raises(KeyboardInterrupt):
            run_group(cells, tmp_path, Files())
    assert not metrics(tmp_path) and len(checkpoints(tmp_path)) == 1
    return tmp_path


def epochs_gone_on_from(cells: list[Cell], results: Path) -> list[int]:
    with board(results, "a command") as told:
        outcomes = run_group(cells, results, Files(), told)
        said = told.notes(cells[0].key)
    assert not any(outcome.error for outcome in outcomes)
    return [int(epoch) for epoch in re.findall(r"goes on from epoch (\d+)", "\n".join(said))]


def test_a_group_goes_on_from_its_checkpoint(cells: list[Cell], stopped: Path, whole: Path) -> None:
    assert epochs_gone_on_from(cells, stopped) == [3]
    assert metrics(stopped) == metrics(whole) and not checkpoints(stopped)


def test_it_goes_on_though_some_of_the_group_were_stored(
    cells: list[Cell], stopped: Path, whole: Path
) -> None:
    """A kill between two records leaves a smaller group: it must not start afresh, nor leave litter."""
    record = Store(whole).read(cells[1])
    assert record is not None
    Store(stopped).write(cells[1].entry(record), {})
    assert epochs_gone_on_from([cells[0], cells[2]], stopped) == [3]
    assert metrics(stopped) == metrics(whole) and not checkpoints(stopped)


def test_fewer_seeds_leave_the_checkpoint_to_the_others(
    cells: list[Cell], stopped: Path, whole: Path
) -> None:
    assert epochs_gone_on_from([cells[2]], stopped) == [3] and len(checkpoints(stopped)) == 1
    assert epochs_gone_on_from(cells[:2], stopped) == [3] and not checkpoints(stopped)
    assert metrics(stopped) == metrics(whole)


def test_a_training_that_cannot_keep_its_state_ends_as_it_would(
    cells: list[Cell],
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "checkpoints").write_text("no folder")
    monkeypatch.setenv(SECONDS, "0")
    assert epochs_gone_on_from(cells, tmp_path) == [] and metrics(tmp_path) == metrics(whole)
    (said,) = caplog.messages  # of six attempts
    assert f"cannot write to {tmp_path / 'checkpoints'} (" in said and "results_dir" in said


def failed(cell: Cell, whole: Path) -> Entry:
    record = Store(whole).read(cell)
    assert record is not None
    return cell.entry({**record, "status": "failed", "error": "a full disk"})


@pytest.mark.parametrize("words", [["dry_run=true"], []])
def test_a_checkpoint_outlives_records_of_cells_that_failed(
    words: list[str], cells: list[Cell], stopped: Path, whole: Path
) -> None:
    for cell in cells:
        Store(stopped).write(failed(cell, whole), {})
    Run.of(compose([*SHORT, *words, f"results_dir={stopped}"], sweep=False))
    assert epochs_gone_on_from(cells, stopped) == [3]


def test_a_checkpoint_of_what_is_computed_anew_outlives_the_old_records(
    cells: list[Cell], stopped: Path, whole: Path
) -> None:
    """By this command (force, keep_models), or by another one, which claims the cells meanwhile."""
    for cell in cells:
        record = Store(whole).read(cell)
        Store(stopped).write(cell.entry(record), {})
    for word in ("force=true", "keep_models=true"):
        Run.of(compose([*SHORT, word, f"results_dir={stopped}"], sweep=False))
        assert len(checkpoints(stopped)) == 1
    with Claims(stopped).held([cells[0].key]):
        Run.of(compose([*SHORT, f"results_dir={stopped}"], sweep=False))
        assert len(checkpoints(stopped)) == 1
    Run.of(compose([*SHORT, f"results_dir={stopped}"], sweep=False))
    assert not checkpoints(stopped)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    """One bit in the middle of the numbers."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def foreign(path: Path) -> None:
    arrays, about = load_arrays(path, path.name)
    save_arrays(path, arrays, {**about, "keys": ["x", "y", "z"]}, path.name)


def of_another_shape(path: Path) -> None:
    """Whole and of these cells, but of a network that the program no longer makes."""
    arrays, about = load_arrays(path, path.name)
    watch = Watch(path.parent, about["keys"], keep_every=0)
    watch.keep(lambda: {**arrays, "v": np.zeros((3, 5), np.float32)})
    assert watch.path == path


@pytest.mark.parametrize("damage", [cut, empty, flipped, foreign, of_another_shape])
def test_a_checkpoint_that_cannot_be_trusted_is_not_used(
    damage: Any, cells: list[Cell], stopped: Path, whole: Path
) -> None:
    damage(checkpoints(stopped)[0])
    assert epochs_gone_on_from(cells, stopped) == []
    assert metrics(stopped) == metrics(whole) and not checkpoints(stopped)
