"""The whole reproduction at the smallest budget on a cluster that loses workers, held against `serial`."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from tests.chaos.cluster import cluster, disturb
from tests.mirror import MIRROR
from tests.runs.stored import numbers
from tkae.commands.run import main

WORDS = ["-m", "experiment=glob(*,exclude=search*)", "protocol=paper", "budget=smoke"]
WORKERS = 3
SILENT, STOPPED = 60, 90.0  # seconds without a word: that a worker may be, which may compile; that one is


def reproduce(folder: Path, serial: Path) -> str:
    """What came of it, in a sentence; `serial`: a folder with the same of `serial`, or for it."""
    os.environ.setdefault("TKAE_MIRROR", str(MIRROR))
    asked, disturbed = [*WORDS, f"results_dir={serial}"], folder / "disturbed"
    assert main(asked) == 0
    expected = numbers(serial)
    ended, began = threading.Event(), time.monotonic()
    with cluster(folder, WORKERS, SILENT) as started:
        at = (len(expected) // 5, len(expected) // 3)
        blows = threading.Thread(target=disturb, args=(started, disturbed, at, ended, STOPPED))
        blows.start()
        there = ["executor=dask", f"executor.jobs={WORKERS}", f"executor.address={started.address}"]
        code = main([*WORDS, *there, f"results_dir={disturbed}"])
        ended.set()
        blows.join()
        lived = sum(worker.poll() is None for worker in started.workers)
    assert code == 0 and lived < WORKERS
    found = numbers(disturbed)
    assert found == expected, (
        f"{sum(found.get(key) == one for key, one in expected.items())} of {len(expected)}"
    )
    tables = sorted(path.name for path in (serial / "tables").iterdir())
    assert tables == sorted(path.name for path in (disturbed / "tables").iterdir())
    others = [
        t for t in tables if (serial / "tables" / t).read_bytes() != (disturbed / "tables" / t).read_bytes()
    ]
    assert not others, others
    return (
        f"{len(found)} cells and {len(tables)} tables as of `serial`, byte for byte, in "
        f"{time.monotonic() - began:.0f} s; {lived} of {WORKERS} workers lived"
    )
