"""What is left behind: tables and figures of experiments and protocols, and a report, from stored records.

Files hold all that is stored of an experiment under a protocol, whatever the last command asked for; the
terminal shows what it asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tkae.experiments.base import Arrays
from tkae.report.document import Report, provenance
from tkae.report.drawing import write_drawing
from tkae.report.figures.paper_against_ours import PICTURE, paper_against_ours
from tkae.report.grid import Grid
from tkae.report.not_run import of_the_paper, rows_not_run
from tkae.report.overview import claims_table, judge, summary
from tkae.report.page.write import write_page
from tkae.report.reproduction import relative_link, reproduction
from tkae.report.screen import show
from tkae.report.section import Section, ablations_section, section
from tkae.report.side_by_side import by_experiment, side_by_side
from tkae.report.summary import Row
from tkae.report.tables import write_tables
from tkae.runs.entry import ABLATIONS, Entry
from tkae.runs.store import Store
from tkae.settings.registry import GROUPS
from tkae.storage import write_atomically

TableKey = tuple[str, str]  # an experiment and a protocol


def write_results(
    store: Store, entries: Sequence[Entry], page: bool = False
) -> tuple[list[Section], list[Path]]:
    """Show the tables of what a command asked for, and write those of all that is stored beside it.

    Of several experiments or protocols there is also a report with its page, on all of the folder; of one
    where a page is asked for. What is shown is returned, and what was written.
    """
    shown, paths = [], list[Path]()
    tables = by_table(entries)
    names = {experiment for experiment, _ in tables}
    names = {"*"} if ABLATIONS in names else names  # they change whatever experiment there is
    stored = by_table(entry for name in sorted(names) for entry in store.entries(name))
    made = {(section.experiment, section.protocol): section for section in _sections(store, stored, tables)}
    for place in tables:
        shown.append(_section(store, place, tables, all_seeds=False))
        show(list(shown[-1].tables.values())[-1])
        print(flush=True)
        if place in made:  # a run that was stopped may have stored nothing of it
            paths += _write(store, made[place])
    if (page or len(tables) > 1) and stored:
        paths = write_report(store)
    return shown, paths


def write_report(store: Store) -> list[Path]:
    """All tables and figures of a results folder, from its records alone, and the report over them."""
    sections = sections_of(store)
    paths = [path for made in sections for path in _write(store, made)]
    if (picture := paper_against_ours(sections)) is not None:
        paths += write_drawing(store.results / "figures", PICTURE, picture)
    claims = judge(sections)
    # Of ablations the paper prints nothing.
    measured = [section for section in sections if section.experiment != ABLATIONS]
    tables = {"summary": summary(measured, claims), "claims": claims_table(claims, sections)}
    across_protocols = {
        name: _labelled(name, side_by_side(alike))
        for name, alike in by_experiment(sections).items()
        if len(alike) > 1 and name != ABLATIONS
    }
    for stem, table in {**tables, **across_protocols}.items():
        paths += write_tables(store.results / "tables", stem, table)
    report = Report(sections, tables, across_protocols, claims, provenance(sections))
    paths += report.write(store.results)
    paths.append(write_page(store.results, report, partial(stored_arrays, store, "curve")))
    for table in tables.values():
        show(table)
        print(flush=True)
    return paths


def write_reproduction(store: Store, page: Path) -> None:
    """What came of it, in words, as a page that links to the folder's tables and figures."""
    sections = sections_of(store)
    text = reproduction(sections, judge(sections), relative_link(page, store.results))
    write_atomically(page, text)
    print(f"written: {page}", flush=True)


def sections_of(store: Store) -> list[Section]:
    """Every table of what is stored, and of what the paper prints beside it."""
    stored = by_table(store.entries())
    return _sections(store, stored, _places(stored))


def by_table(entries: Iterable[Entry]) -> dict[TableKey, list[Entry]]:
    """The entries of each experiment and protocol, which share a table."""
    tables: dict[TableKey, list[Entry]] = {}
    for entry in entries:
        tables.setdefault((entry.table, entry.protocol), []).append(entry)
    return tables


def stored_arrays(store: Store, kind: str, row: Row) -> Mapping[int, Arrays]:
    """By seed, the arrays of a kind that are stored of a row's cells."""
    found = {entry.seed: store.arrays(entry, kind) for entry in row.entries if entry.done}
    return {seed: arrays for seed, arrays in found.items() if arrays}


def _places(stored: Mapping[TableKey, list[Entry]]) -> list[TableKey]:
    """What is stored, and every experiment of the paper under every protocol that some of it was run with."""
    if not any(of_the_paper(entry) for entries in stored.values() for entry in entries):
        return list(stored)
    protocols = [name for name in GROUPS["protocol"] if any(protocol == name for _, protocol in stored)]
    protocols += sorted({protocol for _, protocol in stored} - set(protocols))
    return [(experiment, protocol) for experiment in GROUPS["experiment"] for protocol in protocols]


def _sections(
    store: Store, stored: Mapping[TableKey, list[Entry]], places: Iterable[TableKey]
) -> list[Section]:
    """The sections of what is stored, and of what the paper prints beside it; empty ones are left out."""
    made = []
    for place in places:
        entries = stored.get(place, [])
        if every := [*entries, *rows_not_run(*place, entries)]:
            made.append(_section(store, place, {**stored, place: every}))
    return made


def _section(
    store: Store, place: TableKey, entries: Mapping[TableKey, list[Entry]], all_seeds: bool = True
) -> Section:
    """One table of these; that of the ablations looks up in the others what it compares with."""
    table, protocol = place
    if table != ABLATIONS:
        return section(entries[place], partial(stored_arrays, store), all_seeds)
    others = (entry for at, own in entries.items() if at != place and at[1] == protocol for entry in own)
    return ablations_section(entries[place], others, partial(stored_arrays, store), all_seeds)


def _write(store: Store, section: Section) -> list[Path]:
    tables, figures = store.results / "tables", store.results / "figures"
    paths = [path for stem, table in section.tables.items() for path in write_tables(tables, stem, table)]
    drawn = section.drawings.items()
    return paths + [path for stem, drawing in drawn for path in write_drawing(figures, stem, drawing)]


def _labelled(stem: str, table: Grid) -> Grid:
    return replace(table, label=f"{table.label}:{stem}")
