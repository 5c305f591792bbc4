"""Computes a group of cells, each of which is stored; the same function for every executor."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tkae.data.files import Files
from tkae.data.prepare import Task, prepare
from tkae.errors import UserError, printable
from tkae.models.base import Model
from tkae.models.checkpoints import Watch, by_checkpoint
from tkae.models.listener import Listener
from tkae.runs.cell import Cell
from tkae.runs.claims import Claims
from tkae.runs.entry import Entry
from tkae.runs.environment import environment
from tkae.runs.news import Board, Teller
from tkae.runs.plan import by_training
from tkae.runs.store import Store
from tkae.stopping import breakable, looking, stop_requested
from tkae.storage import Arrays

THREADS = 1  # of BLAS in a cell: more would change the last bits, and cells run side by side anyway

MEMORY = 800_000_000  # bytes that the replicas of one fit may take


@dataclass(frozen=True)
class Outcome:
    """How a cell ended: `error` is empty if it is done."""

    key: str
    label: str
    seconds: float
    error: str = ""
    unstored: tuple[Entry, Arrays] | None = None  # where the worker leaves it to the caller to store the cell
    elsewhere: bool = False  # another command computes it, or has computed it by now


@dataclass(frozen=True)
class Place:
    """Where a group is computed."""

    results: Path
    files: Files
    ticket: str
    stores: bool
    keep_models: bool

    @property
    def shared(self) -> Path | None:
        """The results folder, if this machine has it."""
        return self.results if self.stores or self.results.is_dir() else None

    @property
    def checkpoints(self) -> Path | None:
        """Beside the records; a machine without that folder keeps none."""
        return self.shared and self.shared / "checkpoints"

    def has(self, cell: Cell) -> bool:
        """Whether there is a record of it, and its model if that is to be kept."""
        if self.shared is None or (self.keep_models and not Store(self.shared).has_model(cell.entry())):
            return False
        record = Store(self.shared).read(cell)
        return record is not None and record["status"] == "done"


def run_group(
    cells: Sequence[Cell],
    results: Path,
    files: Files,
    board: Board | None = None,
    ticket: str = "",
    stores: bool = True,
    force: bool = False,
    keep_models: bool = False,
) -> list[Outcome]:
    """Compute the cells that no other command does, as many side by side as memory and a checkpoint allow.

    Those with the same training are fitted once, as the first of them. Each is stored as it ends, or else
    returned with its outcome (`stores=False`: the folder may be on another machine). When the command of this
    `ticket` is asked to stop, those that ended are returned.
    """
    place = Place(results, files, ticket, stores, keep_models)
    outcomes: list[Outcome] = []
    with breakable(), Claims(place.shared).held([cell.key for cell in cells]) as mine:
        if not force:  # another command may have been quicker
            mine = {cell.key for cell in cells if cell.key in mine and not place.has(cell)}
        outcomes += [
            Outcome(cell.key, cell.label, 0.0, elsewhere=True) for cell in cells if cell.key not in mine
        ]
        fits, done = list(by_training([cell for cell in cells if cell.key in mine]).values()), 0
        for rows in by_checkpoint(place.checkpoints, [fit[0].key for fit in fits]):
            rest = [fits[i] for i in rows]
            while rest and not stop_requested(ticket):
                cell = rest[0][0]
                told = Teller(board, cells[0].key, done, len(rest), len(fits))
                told.reached("preparing", 0.0)
                first = _task(cell, files)
                each = cell.model.footprint(first.extent) if isinstance(first, Task) else MEMORY
                size = max(MEMORY // each, 1)
                part, rest = rest[:size], rest[size:]
                outcomes += _run_together(part, first, place, replace(told, fits=len(part)))
                done += len(part)
    return outcomes


def _run_together(
    fits: Sequence[Sequence[Cell]], first: Task | Exception, place: Place, listener: Listener
) -> list[Outcome]:
    """Prepare, fit side by side, measure; every cell that can be finished is stored, whatever others do."""
    import scipy.linalg  # noqa: F401 (its BLAS: what is loaded within the limit has none)
    from threadpoolctl import threadpool_limits

    cells = [fit[0] for fit in fits]
    with threadpool_limits(THREADS):
        started = time.perf_counter()
        tasks: list[Task | Exception] = [first, *(_task(cell, place.files) for cell in cells[1:])]
        prepared = time.perf_counter()
        ready = [i for i, task in enumerate(tasks) if isinstance(task, Task)]
        fitted: dict[int, object] = {}
        keys = [cells[i].key for i in ready]
        watch = Watch(place.checkpoints, keys, listener, place.ticket)
        if ready:
            listener.reached("fitting", 0.0)
            # Cells that differ in their seed share one model: each is fitted as a copy of its own.
            models = [replace(cells[i].model) for i in ready]
            trains = [task.train.given for task in tasks if isinstance(task, Task)]
            try:
                found = type(models[0]).learn_replicas(models, trains, [cells[i].seed for i in ready], watch)
            except Exception as error:  # the whole group failed: each of its cells says so
                found = [error] * len(ready)
            fitted = dict(zip(ready, found, strict=True))
        ended = time.perf_counter()
        listener.reached("measuring", 1.0)
        outcomes = []
        with looking():  # what was fitted is measured and stored before a stop that comes now
            for i, fit in enumerate(fits):
                share = {
                    "prepare": (prepared - started) / len(fits) / len(fit),
                    "fit": (ended - prepared) / max(len(ready), 1) / len(fit),
                    "replicas": len(ready),
                }
                outcomes += [_finish(cell, tasks[i], fitted.get(i), share, place) for cell in fit]
            if place.stores:
                watch.done(Store(place.results).has)
        return outcomes


def _task(cell: Cell, files: Files) -> Task | Exception:
    if cell.problem:
        return UserError(cell.problem)
    try:
        task = prepare(cell.dataset, cell.missingness, cell.protocol, files, cell.seed, cell.series)
        cell.experiment.check(task)
        task = cell.experiment.arrange(task, cell.seed)
        reason = cell.too_large(task.extent)
        return UserError(reason) if reason else task
    except Exception as error:
        return error


def _finish(
    cell: Cell, task: Task | Exception, model: object, share: dict[str, float], place: Place
) -> Outcome:
    """Measure a fitted model and store the record, or why there is none; or leave that to the caller."""
    begun = time.perf_counter()
    record: dict[str, object] = {"environment": environment()}
    arrays: Arrays = {}
    error = task if isinstance(task, Exception) else model if isinstance(model, Exception) else None
    if error is None:
        try:
            assert isinstance(task, Task)
            assert isinstance(model, Model)
            measured = cell.experiment.measure(model, task, cell.protocol)
            record["metrics"] = {
                name: None if math.isnan(value) else value for name, value in measured.figures.items()
            }
            record["masks"] = task.masks_from
            if cell.model.aligned:
                record["kernel"] = task.kernel_from
            parts = {"outcome": measured.outcomes, "figure": measured.drawn, "curve": model.curve()}
            arrays = {f"{kind}.{name}": a for kind, own in parts.items() for name, a in own.items()}
            if place.keep_models:
                model.remember(task.train.given, task.train.given, task.scaler)
                model.save(Store(place.results).model_path(cell.entry()))
        except Exception as failure:
            error = failure
    reason = "" if error is None else _reason(error)
    took = time.perf_counter() - begun
    seconds = {**share, "measure": took, "total": share["prepare"] + share["fit"] + took}
    record |= {"status": "failed" if reason else "done", "threads": THREADS, "seconds": seconds}
    if reason:
        record["error"] = reason
    entry = cell.entry(record)
    if place.stores:
        Store(place.results).write(entry, arrays)
    unstored = None if place.stores else (entry, arrays)
    return Outcome(cell.key, cell.label, seconds["total"], reason, unstored)


def _reason(error: Exception) -> str:
    """One line: the sentence of a user's error, else what was raised and where."""
    text = printable(str(error))  # a record holds no signs that a file cannot hold
    if isinstance(error, UserError):
        return text
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text}{place}"
