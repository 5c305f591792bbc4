"""Before anything runs: source files are fetched, and what cannot work is refused, once."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from tkae.data.doubts import doubts
from tkae.data.files import Files
from tkae.data.prepare import Task, ensure_files, prepare
from tkae.errors import DataError, UserError
from tkae.fields import identity
from tkae.runs.cell import Cell

log = logging.getLogger(__name__)
LOOKED_AT = 100  # tasks of a dataset and an experiment: preparing one takes about ten milliseconds


def fetched(cells: Sequence[Cell], files: Files) -> list[Cell]:
    """The cells, with all source files here. Those whose files cannot be had know why, and fail at once.

    If there are no others, that is refused.
    """
    problems: dict[str, str] = {}
    ready = []
    for cell in cells:
        source = _source(cell)
        if source not in problems:
            try:
                ensure_files(cell.dataset, cell.missingness, cell.protocol, files)
                problems[source] = ""
            except DataError as error:
                problems[source] = str(error)
        ready.append(replace(cell, problem=problems[source]) if problems[source] else cell)
    if all(problems.values()):
        raise DataError("\n".join(dict.fromkeys(problems.values())))
    return ready


def refuse(cells: Sequence[Cell], files: Files, here: bool) -> None:
    """Raise the sentence why some of these cannot work, as far as files that are here can tell.

    A user's own file is always looked at, any other dataset if it and the experiment are the only ones: where
    one of several does not suit another, the rest is worth running. `here`: the work is done on this machine.
    """
    alone = len({f"{_source(cell)} {cell.experiment.name}" for cell in cells}) == 1
    offline = replace(files, offline=True)
    for alike in _by(lambda cell: f"{cell.model.name} {cell.model}", cells):
        if here:
            alike[0].model.check_here()
    for alike in _some_tasks(cell for cell in cells if alone or _own(cell)):
        task = _prepared(alike[0], offline)
        if task is not None:
            for doubt in _doubts(alike[0], task):
                log.warning("%s", doubt)
            for same in _by(lambda cell: f"{cell.model.name} {cell.model}", alike):
                same[0].model.check_series(task.train.given)
                if here and (reason := same[0].too_large(task.extent)):
                    raise UserError(reason)


def _some_tasks(cells: Iterable[Cell]) -> Iterator[list[Cell]]:
    """Cells with the same task. Of a sweep of thousands, tasks all along it: what is wrong with others they
    say when they are computed.
    """
    for whole in _by(lambda cell: f"{cell.dataset.name} {cell.experiment.name}", cells):
        tasks = list(_by(_task, whole))
        last, step = len(tasks) - 1, -(-len(tasks) // LOOKED_AT)
        yield from (tasks[i] for i in sorted({*range(0, last, step), last}))


def _prepared(cell: Cell, files: Files) -> Task | None:
    """What its model would get, if that is known already."""
    try:
        task = prepare(cell.dataset, cell.missingness, cell.protocol, files, cell.seed, cell.series)
    except DataError:
        if _own(cell):
            raise
        return None  # it is not here yet
    cell.experiment.check(task)
    return cell.experiment.arrange(task, cell.seed)


def _doubts(cell: Cell, task: Task) -> list[str]:
    """What the user may not know: odd series, and those that a budget leaves out."""
    found = [f"{cell.dataset.called}: {doubt}" for doubt in doubts(task.train.original)] if _own(cell) else []
    if cell.series is not None:
        budget = f"budget={cell.budget.name}"
        found.append(f"{cell.dataset.called}: {budget} takes at most {cell.series} series of each split")
    return found


def _own(cell: Cell) -> bool:
    return cell.dataset.own or cell.missingness.own


def _source(cell: Cell) -> str:
    return json.dumps([cell.dataset.name, identity(cell.dataset), cell.data])


def _task(cell: Cell) -> str:
    """Equal for cells whose models get series that are alike."""
    return f"{_source(cell)} {cell.missingness} {cell.protocol} {cell.experiment} {cell.series}"


def _by(key: Callable[[Cell], str], cells: Iterable[Cell]) -> Iterable[list[Cell]]:
    """The cells in groups of the same key."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(key(cell), []).append(cell)
    return found.values()
