"""A section of the report: one experiment under one protocol, from its entries alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tkae.experiments.base import Experiment
from tkae.report.by_name import added_table_of, figure_of
from tkae.report.drawing import Drawing, StoredArraysOfKind
from tkae.report.effects import effects, effects_table
from tkae.report.figures.ablation_effects import ablation_effects
from tkae.report.figures.sweep import sweeps
from tkae.report.figures.training_curves import training_curves
from tkae.report.grid import Grid
from tkae.report.series_intervals import NOTE, with_intervals
from tkae.report.summary import Row, summarise
from tkae.report.tables import experiment_table
from tkae.runs.entry import Entry, in_groups
from tkae.settings.registry import lookup
from tkae.terminal import are, count


@dataclass(frozen=True)
class Section:
    """Its rows, and the tables and figures that are made of them."""

    experiment: str
    protocol: str
    entries: list[Entry]
    rows: list[Row]
    tables: dict[str, Grid]  # by the stem of their files, the main one last
    drawings: dict[str, Drawing]  # by the stem of their files


def section(entries: Iterable[Entry], stored: StoredArraysOfKind, all_seeds: bool = True) -> Section:
    """Of entries that share an experiment and a protocol; see `summarise` for `all_seeds`."""
    own, older = newest(entries)
    rows = with_intervals(summarise(own, all_seeds), partial(stored, "outcome"))
    experiment, protocol = own[0].experiment, own[0].protocol
    how, measures = about(own, rows), lookup("experiment", experiment)()
    notes = _notes(measures, own) + ([NOTE] if any(row.resampled for row in rows) else [])
    notes += [f"{count(older, 'record')} of older versions {are(older)} not shown."] if older else []
    tables = {f"{experiment}.{protocol}": experiment_table(rows, measures, how, notes)}
    added = added_table_of(measures, rows, how)
    if added is not None:
        tables[f"{experiment}_found.{protocol}"] = added
    # With a LaTeX label of its own: several tables are of one place in the paper.
    tables = {stem: replace(table, label=f"{table.label}:{stem}") for stem, table in tables.items()}
    return Section(experiment, protocol, own, rows, tables, _drawings(measures, protocol, rows, stored, how))


def _drawings(
    experiment: Experiment, protocol: str, rows: Sequence[Row], stored: StoredArraysOfKind, how: str
) -> dict[str, Drawing]:
    """The experiment's own figure, what a user swept, and how its models learnt; some, or none of it."""
    computed = [row for row in rows if row.done]
    own = [row for row in computed if row.ours or not row.changed]
    found = {experiment.name: figure_of(experiment, computed, partial(stored, "figure"), how)}
    for key, drawing in sweeps(experiment, computed, how).items():
        found[f"{experiment.name}_over_{key.replace('.', '_')}"] = drawing
    # Of what was changed only where nothing else has some, as on an own file.
    learnt = (training_curves(some, partial(stored, "curve"), how) for some in (own, computed))
    found[f"{experiment.name}_curves"] = next(filter(None, learnt), None)
    return {f"{name}.{protocol}": drawing for name, drawing in found.items() if drawing is not None}


def ablations_section(
    entries: Iterable[Entry], others: Iterable[Entry], stored: StoredArraysOfKind, all_seeds: bool = True
) -> Section:
    """The section of the ablations; the unchanged rows that each is compared with are among `others`."""
    own, _ = newest(entries)
    unchanged = (entry for entry in others if not entry.story["changed"] and not entry.story["control"])
    rows, beside = (_by_experiment(some, all_seeds) for some in (own, newest(unchanged)[0]))
    rows = with_intervals(rows, partial(stored, "outcome"))
    found, how = effects(rows, beside), about(own, rows)
    stem = f"{own[0].table}.{own[0].protocol}"
    grids = {stem: replace(made := effects_table(found, how), label=f"{made.label}:{stem}")}
    drawing = ablation_effects(found, how)
    return Section(
        own[0].table, own[0].protocol, own, rows, grids, {} if drawing is None else {stem: drawing}
    )


def _by_experiment(entries: Sequence[Entry], all_seeds: bool) -> list[Row]:
    """The rows of several experiments, each in the order of its own table."""
    names = dict.fromkeys(entry.experiment for entry in entries)
    apart = ([entry for entry in entries if entry.experiment == name] for name in names)
    return [row for own in apart for row in summarise(own, all_seeds)]


def newest(entries: Iterable[Entry]) -> tuple[list[Entry], int]:
    """Without the runs of which there are some by a newer version of what they rest on; and their number."""
    alike: dict[str, dict[str, list[Entry]]] = {}
    for (same, rank), runs in in_groups(entries, _row_and_rank).items():
        alike.setdefault(same, {})[rank] = runs
    kept = [entry for by_version in alike.values() for entry in by_version[max(by_version)]]
    return kept, sum(len(runs) for by_version in alike.values() for runs in by_version.values()) - len(kept)


def _row_and_rank(entry: Entry) -> tuple[str, str]:
    return entry.whatever_version, _rank(entry.identity.get("versions", {}))


def _rank(versions: Mapping[str, int]) -> str:
    return f"{sum(versions.values()) - len(versions):08d} {sorted(versions.items())}"


def _notes(experiment: Experiment, entries: Sequence[Entry]) -> list[str]:
    """What a reader should know of the experiment, and of its datasets where that matters."""
    told = {e.story["dataset_title"]: e.story["dataset_note"] for e in entries} if experiment.on_data else {}
    return [*experiment.notes, *(f"{title}: {note}" for title, note in told.items() if note)]


def about(entries: Sequence[Entry], rows: Sequence[Row]) -> str:
    """How the figures came about, for a caption: protocol, budget, whose holes and which kernel."""
    done = [entry for entry in entries if entry.done]
    told = _sources("Removed entries", "masks", done) + _sources("Aligned to", "kernel", done)
    return f"Protocol {entries[0].protocol}, budget {_names(rows)}.{told}"


def budgets(sections: Sequence[Section]) -> str:
    """How much work went into some sections, for a caption."""
    rows = [row for section in sections for row in section.rows]
    return f"Budget {_names(rows)}, up to {count(max(row.seeds for row in rows), 'seed')}."


def _names(rows: Sequence[Row]) -> str:
    """The budgets of rows that were computed; of all, if none was."""
    computed = [row for row in rows if row.done] or rows
    return "+".join(dict.fromkeys(row.facts["budget"] for row in computed))


def _sources(what: str, key: str, done: Sequence[Entry]) -> str:
    """A sentence on where the holes or the kernels of these cells come from, if they tell."""
    where: dict[str, list[Mapping[str, Any]]] = {}
    for entry in done:
        if entry.record and key in entry.record:
            where.setdefault(entry.record[key], []).append(entry.story["axes"])
    names = sorted(where)
    swept = any(point for points in where.values() for point in points)
    if len(names) > 1 and swept:  # where on the sweep is each?
        names = [f"{name} (at {_points(where[name])})" for name in names]
        names[-1] += "; those of a file are the same in all runs"
    return f" {what}: {', '.join(names)}." if names else ""


def _points(points: Sequence[Mapping[str, Any]]) -> str:
    """Where on a sweep cells stand: `missingness.rate=0.1, 0.2`."""
    values: dict[str, set[Any]] = {}
    for point in points:
        for key, value in point.items():
            values.setdefault(key, set()).add(value)
    return "; ".join(f"{key}={', '.join(map(str, sorted(found)))}" for key, found in values.items())
