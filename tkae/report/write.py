"""What a command leaves behind: tables and figures of its experiments and protocols, and a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from tkae.report.beside import beside, by_experiment
from tkae.report.document import Report, provenance
from tkae.report.drawing import Arrays, write_drawing
from tkae.report.overview import claims_table, judge, summary
from tkae.report.section import Section
from tkae.report.summary import Row, about, summarise
from tkae.report.tables import Grid, grid, show, write_tables
from tkae.runs.cell import Cell
from tkae.runs.runner import Run


def write_results(run: Run) -> None:
    """Tables and figures, the main table shown; of several experiments or protocols also a report."""
    sections = sections_of(run)
    for section in sections:
        show(list(section.tables.values())[-1])
        for stem, table in section.tables.items():
            _say(write_tables(run.store.results / "tables", stem, table))
        if section.drawing is not None:
            _say(write_drawing(run.store.results / "figures", section.stem, section.drawing))
        print(flush=True)
    if len(sections) > 1:
        _write_overview(run, sections)


def sections_of(run: Run) -> list[Section]:
    """A section for each experiment and protocol of a command."""
    return [_section(run, cells) for cells in by_table(run.cells).values()]


def _section(run: Run, cells: list[Cell]) -> Section:
    """Over all that was asked of an experiment under a protocol."""
    rows = summarise(cells, run.records)
    used = {cell.dataset.name: cell.dataset for cell in cells}
    own, how = cells[0].experiment, about(cells, run.records)
    experiment, protocol = own.name, cells[0].protocol.name
    tables = {f"{experiment}.{protocol}": grid(rows, own, how, own.notes(list(used.values())))}
    found = own.found(rows, how)
    if found is not None:
        tables[f"{experiment}_found.{protocol}"] = found
    tables = {stem: _labelled(stem, table) for stem, table in tables.items()}
    return Section(cells, rows, tables, own.drawing(rows, partial(kept, run), how))


def _write_overview(run: Run, sections: list[Section]) -> None:
    """Summary, claims and report over all experiments of a command."""
    claims = judge(sections)
    tables = {"summary": summary(sections, claims)}
    if claims:
        tables["claims"] = claims_table(claims, sections)
    for stem, table in tables.items():
        show(table)
        _say(write_tables(run.store.results / "tables", stem, table))
    abreast = {
        name: _labelled(name, beside(one)) for name, one in by_experiment(sections).items() if len(one) > 1
    }
    for stem, table in abreast.items():
        _say(write_tables(run.store.results / "tables", stem, table))
    made = provenance(sections, run.records.values())
    _say(Report(sections, tables, abreast, claims, made).write(run.store.results))


def _labelled(stem: str, table: Grid) -> Grid:
    """With a LaTeX label of its own: several tables are of one place in the paper."""
    return replace(table, label=f"{table.label}:{stem}")


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
