"""Processes and temporary files that a command has left behind."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

MARK = "TKAE_CHAOS"  # the variable by which processes that a trial's commands start are known
GRACE = 120.0  # seconds: a worker looks every 0.2 s for its parent, on a machine that may be busy


def processes(mark: str) -> list[psutil.Process]:
    """That were started by commands with this mark, and live."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def orphans(mark: str) -> list[str]:
    """What is left of them a while after the last command has ended."""
    until = time.monotonic() + GRACE
    while (left := processes(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    told = []
    for process in left:
        told.append(str(process))
        process.kill()
    return told


def workers(mark: str) -> list[psutil.Process]:
    """Those of them that compute: no helper that counts what is shared."""
    return [process for process in processes(mark) if not _counts(process)]


def _counts(process: psutil.Process) -> bool:
    try:
        return "resource_tracker" in " ".join(process.cmdline())
    except psutil.Error:
        return True


def leftovers(folder: Path) -> set[str]:
    """Temporary files below it; Dask removes its folders of killed workers when its next cluster starts."""
    found = (str(path.relative_to(folder)) for path in folder.rglob("*"))
    return {path for path in found if "dask" not in path}
