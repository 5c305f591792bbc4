"""A scheduler of Dask and workers as processes on this machine, some of which die or fall silent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tkae.runs.dask import ONE_THREAD

SILENT = 4  # seconds: a worker that is not heard of for so long counts as dead
LIVES = ("--memory-limit", "0", "--death-timeout", "60")  # as long as its scheduler, however large it is


@dataclass
class Cluster:
    """Its address, and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def kill(self) -> None:
        """The first worker, for good."""
        self.workers[0].kill()

    def silence(self, seconds: float) -> None:
        """Stop the second worker for a while."""
        self.workers[1].send_signal(signal.SIGSTOP)
        threading.Timer(seconds, self.workers[1].send_signal, [signal.SIGCONT]).start()


@contextmanager
def cluster(folder: Path, count: int = 3, silent: int = SILENT) -> Iterator[Cluster]:
    """Of so many workers; `silent`: seconds after which one that is not heard of counts as dead."""
    told = folder / "scheduler.json"
    environment = {
        **os.environ,
        **ONE_THREAD,
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": f"{silent} seconds",
    }
    asked = ["--scheduler-file", str(told)]
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        command = [sys.executable, "-m", "distributed.cli." + words[0], *words[1:], *asked]
        with (folder / f"{len(started)}.txt").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
        started.append(process)

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        wait_until(told.exists)
        for _ in range(count):
            start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *LIVES)
        yield Cluster(json.loads(told.read_text())["address"], started[1:])
    finally:
        for process in started:
            process.kill()
            process.wait()


def wait_until(ready: Callable[[], object], seconds: float = 300.0) -> None:
    until = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < until, "nothing came of it"
        time.sleep(0.2)


def disturb(
    cluster: Cluster, results: Path, at: tuple[int, int], ended: threading.Event, seconds: float = 10.0
) -> None:
    """Kill a worker and silence another one for some seconds, when so many records are stored."""

    def stored(count: int) -> bool:
        return ended.is_set() or sum(1 for _ in results.rglob("records/**/*.json")) >= count

    for count, blow in zip(at, (cluster.kill, lambda: cluster.silence(seconds)), strict=True):
        wait_until(lambda count=count: stored(count), 7200.0)  # type: ignore[misc]
        blow()
