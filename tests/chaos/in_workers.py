"""What strikes the workers of a command, wherever they are: they compute groups through `struck`.

It is handed to them by its name, as every function is, and arms their process when the first group comes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import tkae.runs.runner as runner
import tkae.runs.worker as worker
from tests.chaos.faults import die, kill_at, serve
from tkae.runs.cell import Cell
from tkae.runs.worker import Outcome

# Where a worker can be struck. Those of a cluster store nothing.
AT_WORK = ("preparing", "training", "checkpointing", "measuring", "flushing a file", "moving a file")
WORKERS_AT = {"processes": (*AT_WORK, "storing"), "dask": AT_WORK}

_armed: set[str] = set()


def strike_workers(fault: dict[str, Any]) -> None:
    """Called in the command: its workers get the fault along with every group."""
    runner.run_group = partial(struck, fault=fault)  # type: ignore[assignment]


def struck(cells: Sequence[Cell], *, fault: dict[str, Any], **named: Any) -> list[Outcome]:
    """`run_group` in a worker; `elsewhere`: as on a machine with a cache of its own and no results folder."""
    arm(fault)
    if fault["elsewhere"]:
        named["results"] = Path(fault["elsewhere"], "absent")
    return worker.run_group(cells, **named)


def arm(fault: dict[str, Any]) -> None:
    """Once a process: what it will die of."""
    if fault["marks"] in _armed:
        return
    _armed.add(fault["marks"])
    serve(fault["mirror"])
    if fault["elsewhere"]:
        os.environ["TKAE_CACHE"] = f"{fault['elsewhere']}/{os.getpid()}"
    if fault.get("place"):
        marks = [Path(fault["marks"], str(i)) for i in range(fault["deaths"])]
        kill_at(fault["place"], fault["nth"], fault["after"], marks)
    if fault.get("deadly"):
        worker._run_together = partial(_deadly, worker._run_together, fault)  # type: ignore[assignment]


def _deadly(whole: Any, fault: dict[str, Any], fits: Sequence[Sequence[Cell]], *rest: Any) -> list[Outcome]:
    """A cell that kills whoever computes it."""
    if any(cell.key == fault["deadly"] for fit in fits for cell in fit):
        Path(fault["marks"], str(os.getpid())).touch()
        die()
    return list(whole(fits, *rest))
