"""Nothing that was finished is lost, and no circumstance changes a number: kill -9, Ctrl-C, two at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tkae.commands.run import main

# Enough cells that a process can be stopped in the middle.
WORDS = (
    "-m",
    "experiment=imputation",
    "dataset=japanese_vowels",
    "dataset=japanese_vowels",
    "model=pca",
    "missingness.rate=0.2,0.4,0.6,0.8",
    "seeds=10",
)
CELLS = 40


def start(results: Path, said: Path, *more: str) -> subprocess.Popen[bytes]:
    """A run in a session of its own that writes to the file `said` (a pipe would wait for its workers)."""
    command = [sys.executable, "-m", "tkae.commands.run", *WORDS, f"results_dir={results}", *more]
    with said.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)


def records(results: Path) -> list[Path]:
    return sorted(results.rglob("records/**/*.json"))


def wait_for(results: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 600
    while len(records(results)) < count:
        assert process.poll() is None and time.monotonic() < until, "the run ended before it could be stopped"
        time.sleep(0.005)


def metrics(results: Path) -> dict[str, object]:
    return {path.name: json.loads(path.read_text())["record"]["metrics"] for path in records(results)}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("undisturbed")
    assert main([*WORDS, f"results_dir={results}"]) == 0
    return results


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
@pytest.mark.parametrize("executor", ["serial", "processes"])
def test_a_stopped_run_goes_on_to_the_same_tables(
    stop: signal.Signals, code: int, executor: str, undisturbed: Path, tmp_path: Path, capsys
) -> None:
    log = tmp_path / "said.txt"
    process = start(tmp_path, log, f"executor={executor}")
    wait_for(tmp_path, 5, process)
    if stop == signal.SIGINT:
        os.killpg(process.pid, stop)  # as a terminal does: the workers get it, too
    else:
        process.send_signal(stop)
    assert process.wait(timeout=300) == code, log.read_text()
    said = log.read_text()
    if stop == signal.SIGINT:
        assert "interrupted; what was finished is stored" in said and "Traceback" not in said
    time.sleep(0.5)  # workers of a killed parent may still end their cell
    finished = metrics(tmp_path)
    assert 5 <= len(finished) < CELLS
    stamps = {path: path.stat().st_mtime_ns for path in records(tmp_path)}

    assert main([*WORDS, f"results_dir={tmp_path}"]) == 0
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    assert metrics(tmp_path) == metrics(undisturbed)
    name = "tables/imputation.paper.csv"
    assert (tmp_path / name).read_bytes() == (undisturbed / name).read_bytes()
    assert not list(tmp_path.rglob("tables/.*"))


def test_two_processes_on_one_folder_do_not_harm_each_other(undisturbed: Path, tmp_path: Path) -> None:
    logs = [tmp_path / "one.txt", tmp_path / "two.txt"]
    both = [start(tmp_path, log) for log in logs]
    for process, log in zip(both, logs, strict=True):
        assert process.wait(timeout=600) == 0, log.read_text()
    assert metrics(tmp_path) == metrics(undisturbed)
    assert not list(tmp_path.rglob("*.part"))


def test_numbers_do_not_depend_on_the_executor_order_or_company(undisturbed: Path, tmp_path: Path) -> None:
    """Bit for bit: in two processes, and a single seed by itself."""
    assert main([*WORDS, f"results_dir={tmp_path}", "executor=processes", "executor.jobs=2"]) == 0
    assert metrics(tmp_path) == metrics(undisturbed)
    alone = tmp_path / "alone"
    words = [
        "experiment=imputation",
        "dataset=japanese_vowels",
        "model=pca",
        "missingness.rate=0.6",
        "seeds=[7]",
        f"results_dir={alone}",
    ]
    assert main(words) == 0
    ((name, value),) = metrics(alone).items()
    assert metrics(undisturbed)[name] == value


def test_numbers_do_not_depend_on_the_number_of_blas_threads(undisturbed: Path, tmp_path: Path) -> None:
    words = [
        "experiment=imputation",
        "dataset=japanese_vowels",
        "model=pca",
        "missingness.rate=0.6",
        "seeds=2",
        f"results_dir={tmp_path}",
    ]
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        command = [sys.executable, "-m", "tkae.commands.run", *words, "force=true"]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        for name, value in metrics(tmp_path).items():
            assert metrics(undisturbed)[name] == value


def test_a_worker_that_dies_is_reported_and_its_cells_are_not_lost(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    """A process killed from outside (out of memory, say) leaves cells that are shown and can be run again."""
    words = [
        "experiment=imputation",
        "dataset=japanese_vowels",
        "dataset=japanese_vowels",
        "model=mean",
        "seeds=2",
        f"results_dir={tmp_path}",
    ]
    code = (
        "import os, tkae.models.mean as m\n"
        "whole = m.MeanFill.learn\n"
        "def learn(self, train, seed=0):\n"
        "    if seed == 1: os._exit(9)\n"
        "    return whole(self, train, seed)\n"
        "m.MeanFill.learn = learn\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.getcwd()}"}
    command = [sys.executable, "-m", "tkae.commands.run", *words, "executor=processes", "executor.jobs=2"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr and "mean seed 1" in done.stderr
    assert main(words) == 0
