"""Networks give the same bits wherever they are trained, and a worker keeps to one thread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tkae.commands.run import main
from tkae.runs.executors import Processes
from tkae.signals import Stop

WORDS = [
    "experiment=imputation",
    "dataset=japanese_vowels",
    "model=[dae,tkae]",
    "model.tkae.G=1",
    "model.tkae.C=3",
    "budget.epochs=2",
    "seeds=2",
]


def metrics(results: Path) -> dict[str, Any]:
    paths = results.rglob("records/**/*.json")
    return {path.name: json.loads(path.read_text())["record"]["metrics"] for path in paths}


def test_numbers_do_not_depend_on_the_executor(tmp_path: Path) -> None:
    serial, processes = tmp_path / "serial", tmp_path / "processes"
    assert main([*WORDS, f"results_dir={serial}"]) == 0
    assert main([*WORDS, f"results_dir={processes}", "executor=processes", "executor.jobs=2"]) == 0
    assert len(metrics(serial)) == 4 and metrics(serial) == metrics(processes)
    assert len({one["mse"] for one in metrics(serial).values()}) == 4


def test_a_worker_trains_on_one_thread() -> None:
    def threads(_: int) -> tuple[int, int]:
        import numba

        from tkae.engine.threads import processors

        return processors(), numba.config.NUMBA_NUM_THREADS

    assert list(Processes(jobs=2).run(threads, [0, 1, 2], Stop())) == [(1, 1)] * 3
