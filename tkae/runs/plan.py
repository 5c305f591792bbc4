"""The plan: the cells of all calls, each once, and those of one shape in groups that are fitted together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from heapq import heapreplace

from tkae.errors import UserError
from tkae.runs.cell import Cell
from tkae.settings.command import Command
from tkae.settings.values import MOST_CELLS

WASTE = 1.02  # how much later than it could be the end may be, so that what is cheap comes first


def plan(command: Command) -> list[Cell]:
    """Every cell that its calls ask for, in their order; one that several ask for stands once.

    An extra row that is the same as one of the experiment's own is no extra row.
    A user's file of series or holes that is not there is refused here, before anything runs.
    """
    many = sum(len(call.setups) * len(call.seeds()) for call in command)
    if many > MOST_CELLS:
        raise UserError(
            f"this is a plan of {many} cells, and a command takes at most {MOST_CELLS}: name fewer seeds, "
            "models or values"
        )
    cells: dict[str, Cell] = {}
    for call in command:
        for setup in call.setups:
            for seed in call.seeds():
                cell = Cell.of(setup, seed, command.files)
                if cell.key not in cells or cells[cell.key].line:  # what an experiment has by itself wins
                    cells[cell.key] = cell
    return list(cells.values())


def by_training(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    """The cells that one fit serves, by what is fitted."""
    fits: dict[str, list[Cell]] = {}
    for cell in cells:
        fits.setdefault(cell.training, []).append(cell)
    return fits


def groups(cells: Sequence[Cell], workers: int = 1) -> list[list[Cell]]:
    """Cells that differ only in what replicas may differ in: as many fits as the model takes together.

    Each worker gets its share of every shape, so that none waits long at the end; cells on the same data
    stay together, since they may share a kernel, and so do those that share a fit.
    """
    shapes: dict[str, list[list[Cell]]] = {}
    for fit in by_training(cells).values():
        shapes.setdefault(fit[0].replica_group, []).append(fit)
    made = []
    for alike in shapes.values():
        alike.sort(key=lambda fit: (fit[0].seed, fit[0].data["masks"], fit[0].data["source"]))
        size = min(alike[0][0].model.replicas_at_once, math.ceil(len(alike) / workers))
        parts = [alike[start : start + size] for start in range(0, len(alike), size)]
        made += [[cell for fit in part for cell in fit] for part in parts]
    return made


def in_turn(costs: Sequence[float], workers: int) -> list[int]:
    """The order in which groups of these costs are begun: cheap ones first, yet all workers end together.

    A dear group that is begun last runs alone while the other workers have nothing left to do. So the dear
    ones come last, but the longest first among them: as few as make the end about as early as it can be.
    """
    order = sorted(range(len(costs)), key=lambda i: costs[i])
    goal = WASTE * finish([costs[i] for i in reversed(order)], workers)

    def turned(dear: int) -> list[int]:
        cheap = len(order) - dear
        return order[:cheap] + order[cheap:][::-1]

    # Found by halves, since each try is a pass over all: the end is late with `few`, and not with `many`.
    few, many = -1, 0
    while finish([costs[i] for i in turned(many)], workers) > goal:
        few, many = many, min(2 * many + 1, len(order))
    while many - few > 1:
        middle = (few + many) // 2
        if finish([costs[i] for i in turned(middle)], workers) > goal:
            few = middle
        else:
            many = middle
    return turned(many)


def finish(costs: Iterable[float], workers: int) -> float:
    """When the last of the workers ends, each taking the next group when it has none."""
    busy = [0.0] * workers
    for cost in costs:
        heapreplace(busy, busy[0] + cost)
    return max(busy)
