"""What a run of 100,000 cells on 100 workers asks of planning, scheduler, messages and store.

    python -m scripts.simulate_cluster --cells 100000 --workers 100 --seconds 2

The plan, the executor, Dask's scheduler and the store are the real ones; workers are threads of this process,
and instead of computing, a group of ten cells sleeps and returns a record like a real one.
"""

from __future__ import annotations

import argparse
import pickle
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import tkae.runs.runner as runner
from tkae.runs.cell import Cell
from tkae.runs.dask import SCHEDULER, Cluster
from tkae.runs.runner import Run
from tkae.runs.worker import Outcome
from tkae.settings.compose import compose
from tkae.signals import Stop

EPOCHS, SERIES = 200, 370  # of a curve and of a test split, as of Jp. Vow.
# A hundred workers in one process would each measure that process twice a second.
ONE_PROCESS = {"distributed.admin.system-monitor.interval": "1h", "distributed.worker.profile.enabled": False}


@dataclass
class Threads(Cluster):
    """A scheduler, and workers that are threads: what they do costs nothing, what they send is sent."""

    name: ClassVar[str] = "threads"

    @contextmanager
    def client(self) -> Iterator[Any]:
        import dask.config
        from distributed import Client, LocalCluster

        with (
            dask.config.set({**SCHEDULER, **ONE_PROCESS}),
            LocalCluster(
                n_workers=self.workers,
                threads_per_worker=1,
                processes=False,
                dashboard_address=None,
                memory_limit=0,  # all are one process, which would be too large for each of them
                protocol="tcp",
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client


def sleeps(cells: Sequence[Cell], seconds: float = 0.0, **_: Any) -> list[Outcome]:
    """What a group would send back."""
    time.sleep(seconds)
    arrays = {"outcome.accuracy": np.zeros(SERIES), "curve.losses": np.zeros((EPOCHS, 3), dtype=np.float32)}
    record = {"status": "done", "metrics": {"accuracy": 0.5, "f1": 0.5}, "masks": "drawn", "threads": 1}
    record |= {"seconds": {"total": seconds}, "environment": {"processor": "simulated"}}
    return [Outcome(cell.key, cell.label, seconds, unstored=(cell.entry(record), arrays)) for cell in cells]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=2.0, help="that a group of ten cells sleeps")
    asked = parser.parse_args()
    words = ["experiment=classification", "dataset=japanese_vowels", "model=ae", f"seeds={asked.cells}"]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        command = compose([*words, f"results_dir={folder}"], sweep=False)
        object.__setattr__(command, "executor", Threads(jobs=asked.workers))
        run = Run.of(command)
        planned = time.perf_counter()
        runner.run_group = lambda cells, **named: sleeps(cells, asked.seconds)  # type: ignore[assignment]
        used = time.process_time()
        run.compute(run.cells, {}, Stop())
        took, used = time.perf_counter() - planned, time.process_time() - used
        stored = sum(1 for _ in Path(folder).rglob("records/**/*.json"))
    group = run.cells[:10]
    ideal = len(run.cells) / 10 / asked.workers * asked.seconds
    print(f"{len(run.cells)} cells planned in {planned - begun:.1f} s; {stored} stored")
    print(f"computed in {took:.1f} s, of which sleep at the least {ideal:.1f} s; {used:.1f} s of CPU in all")
    out, back = (len(pickle.dumps(sent)) / 1e3 for sent in (group, sleeps(group)))
    print(f"a group of ten: {out:.1f} kB out, {back:.1f} kB back")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
