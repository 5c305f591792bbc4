"""What a command leaves behind: the tables and figures of each of its experiments and protocols."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tkae.report.drawing import Arrays, write_drawing
from tkae.report.summary import Row, about, summarise
from tkae.report.tables import grid, show, write_tables
from tkae.runs.cell import Cell
from tkae.runs.runner import Run


def write_results(run: Run) -> None:
    """Over all that was asked of an experiment under a protocol; the main table is also shown."""
    for (experiment, protocol), cells in by_table(run.cells).items():
        rows = summarise(cells, run.records)
        used = {cell.dataset.name: cell.dataset for cell in cells}
        own, how = cells[0].experiment, about(cells, run.records)
        stem = f"{experiment}.{protocol}"
        tables = {stem: grid(rows, own, how, own.notes(list(used.values())))}
        found = own.found(rows, how)
        if found is not None:
            tables[f"{experiment}_found.{protocol}"] = found
        show(list(tables.values())[-1])
        for name, table in tables.items():
            _say(write_tables(run.store.results / "tables", name, table))
        drawing = own.drawing(rows, partial(kept, run), how)
        if drawing is not None:
            _say(write_drawing(run.store.results / "figures", stem, drawing))
        print(flush=True)


def by_table(cells: list[Cell]) -> dict[tuple[str, str], list[Cell]]:
    """The cells of each experiment and protocol, which share a table."""
    tables: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        tables.setdefault((cell.experiment.name, cell.protocol.name), []).append(cell)
    return tables


def kept(run: Run, row: Row) -> Mapping[int, Arrays]:
    """By seed, the arrays of a row's cells that are done."""
    done = [cell for cell in row.cells if run.done(cell) and "arrays" in run.records[cell.key]]
    return {cell.seed: run.store.arrays(cell) for cell in done}


def _say(paths: list[Path]) -> None:
    endings = ",".join(path.suffix[1:] for path in paths)
    print(f"written: {paths[0].with_suffix('')}.{{{endings}}}", flush=True)
