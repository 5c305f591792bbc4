"""The plan: the cells of all calls, each once, and those of one shape in groups that are fitted together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tkae.call import Call
from tkae.data.files import Files
from tkae.data.prepare import fingerprint
from tkae.runs.cell import Cell


def files_of(call: Call) -> Files:
    """Where this call looks for source files."""
    return Files.standard(call.data.mirror, call.data.offline)


def plan(calls: Iterable[Call]) -> list[Cell]:
    """Every cell that the calls ask for, in their order; one that several ask for stands once.

    An extra row that is the same as one of the experiment's own is no extra row.
    A user's file of series or holes that is not there is refused here, before anything runs.
    """
    cells: dict[str, Cell] = {}
    for call in calls:
        files = files_of(call)
        for name, model_name in call.pairs():
            dataset, model = call.dataset(name), call.model(name, model_name)
            missingness = call.missingness_of(name)
            settings, changed = call.flat(name, model_name), call.changed(name, model_name)
            shortened = call.shortened(name, model_name)
            for seed in call.seeds():
                data = fingerprint(dataset, missingness, call.protocol, files, seed)
                cell = Cell(
                    experiment=call.experiment,
                    dataset=dataset,
                    missingness=missingness,
                    model=model,
                    protocol=call.protocol,
                    budget=call.budget,
                    seed=seed,
                    data=data,
                    holes=missingness.called(dataset.name, seed),
                    settings=settings,
                    changed=changed,
                    axes=call.axes,
                    control=call.control,
                    line=call.line,
                    shortened=shortened,
                    series=call.series(name),
                    wanted=call.wanted,
                )
                if cell.key not in cells or cells[cell.key].line:  # what an experiment has by itself wins
                    cells[cell.key] = cell
    return list(cells.values())


def groups(cells: Sequence[Cell], workers: int = 1) -> list[list[Cell]]:
    """Cells that differ only in what replicas may differ in, at most as many as the model fits together.

    Each worker gets its share of every shape, so that none waits long at the end; cells on the same data
    stay together, since they may share a kernel.
    """
    shapes: dict[str, list[Cell]] = {}
    for cell in cells:
        shapes.setdefault(cell.shape, []).append(cell)
    made = []
    for alike in shapes.values():
        alike.sort(key=lambda cell: (cell.seed, cell.data["masks"], cell.data["source"]))
        size = min(alike[0].model.together, math.ceil(len(alike) / workers))
        made += [alike[start : start + size] for start in range(0, len(alike), size)]
    return made
