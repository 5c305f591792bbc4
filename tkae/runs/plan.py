"""The plan: the cells of all calls, each once, and those of one shape in groups that are fitted together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tkae.call import Call
from tkae.data.files import Files
from tkae.data.prepare import fingerprint
from tkae.errors import DataError
from tkae.runs.cell import Cell


def files_of(call: Call) -> Files:
    """Where this call looks for source files."""
    return Files.standard(call.data.mirror)


def plan(calls: Iterable[Call]) -> list[Cell]:
    """Every cell that the calls ask for, in their order; one that several ask for stands once."""
    cells: dict[str, Cell] = {}
    for call in calls:
        files = files_of(call)
        for name, model_name in call.pairs():
            dataset, model = call.dataset(name), call.model(name, model_name)
            settings, changed = call.flat(name, model_name), call.changed(name, model_name)
            for seed in call.seeds():
                data, problem = {"source": "", "masks": ""}, ""
                try:
                    data = fingerprint(dataset, call.missingness, call.protocol, files, seed)
                except DataError as error:
                    problem = str(error)
                cell = Cell(
                    call.experiment,
                    dataset,
                    call.missingness,
                    model,
                    call.protocol,
                    call.budget,
                    seed,
                    data,
                    settings,
                    changed,
                    problem,
                )
                cells.setdefault(cell.key, cell)
    return list(cells.values())


def groups(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Cells that differ only in what replicas may differ in, at most as many as the model fits together."""
    shapes: dict[str, list[Cell]] = {}
    for cell in cells:
        shapes.setdefault(cell.shape, []).append(cell)
    made = []
    for alike in shapes.values():
        size = alike[0].model.together
        made += [alike[start : start + size] for start in range(0, len(alike), size)]
    return made
