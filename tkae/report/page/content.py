"""All that the page shows, put together from the sections and claims of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tkae.experiments.base import Experiment
from tkae.report.claims import load_untested
from tkae.report.document import TITLE, Report
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.effects import Effect
from tkae.report.evidence import FAILS, HOLDS, UNDECIDED
from tkae.report.overview import protocols_of
from tkae.report.page.answer import Answer, Tally, tallies
from tkae.report.page.chart import Chart
from tkae.report.page.claims import ClaimView, views
from tkae.report.page.differences import Difference, differences
from tkae.report.page.lines import Line, lines
from tkae.report.page.missing import Missing, missing
from tkae.report.page.picture import Panel, picture
from tkae.report.page.runs import Runs
from tkae.report.page.sweeps import sweeps
from tkae.report.page.times import Times
from tkae.report.reproduction import all_effects, findings, place
from tkae.report.section import Section
from tkae.report.side_by_side import by_experiment
from tkae.report.summary import Row
from tkae.report.verdict import NOT_RUN
from tkae.runs.entry import ABLATIONS
from tkae.settings.registry import GROUPS, lookup


@dataclass(frozen=True)
class Part:
    """An experiment on the page."""

    name: str
    sections: Sequence[Section]
    lines: Sequence[Line]
    runs: Sequence[Runs]
    tables: Sequence[str]  # the stems of files to take away

    @property
    def experiment(self) -> type[Experiment]:
        found: type[Experiment] = lookup("experiment", self.name)
        return found

    @property
    def protocols(self) -> list[str]:
        return protocols_of(self.sections)

    @cached_property
    def figures(self) -> dict[str, Drawing]:
        """By the stem of their files."""
        return {stem: drawn for section in self.sections for stem, drawn in section.drawings.items()}

    @cached_property
    def notes(self) -> list[str]:
        every = (
            note for section in self.sections for table in section.tables.values() for note in table.notes
        )
        return list(dict.fromkeys(every))

    @cached_property
    def sweeps(self) -> dict[str, list[Chart]]:
        """By protocol. Of ablations the changes are no sweep."""
        if self.name == ABLATIONS:
            return {}
        return {section.protocol: found for section in self.sections if (found := sweeps(section))}

    @cached_property
    def differences(self) -> list[Difference]:
        return differences(self.sections) if self.name != ABLATIONS else []

    @cached_property
    def missing(self) -> list[Missing]:
        return missing(self.runs)


@dataclass(frozen=True)
class Content:
    """The page."""

    title: str
    answer: Answer
    tallies: Sequence[Tally]
    panels: Sequence[Panel]
    findings: Mapping[str, str]
    parts: Sequence[Part]
    claims: Sequence[ClaimView]
    made: Mapping[str, list[str]]

    @property
    def protocols(self) -> list[str]:
        return protocols_of([section for part in self.parts for section in part.sections])

    @property
    def hours(self) -> float:
        return sum(tally.hours for tally in self.tallies)

    @property
    def claimed(self) -> list[tuple[str, int]]:
        """How many claims hold under at least one protocol, and what became of the others."""
        best = [view.best for view in self.claims]
        said = {
            HOLDS: "hold under at least one protocol",
            FAILS: "are contradicted",
            UNDECIDED: "are undecided",
        }
        said[NOT_RUN] = "wait for figures that were not computed"
        return [(text, best.count(name)) for name, text in said.items() if name in best]

    @property
    def absent(self) -> dict[str, type[Experiment]]:
        """The experiments of the paper of which nothing is stored; those with printed numbers have a part."""
        if not self.answer.printed:
            return {}
        shown = {part.name for part in self.parts}
        return {name: lookup("experiment", name) for name in GROUPS["experiment"] if name not in shown}

    @property
    def untested(self) -> int:
        return len(load_untested())


def content(report: Report, curves: StoredArrays) -> Content:
    """Of a report; `curves` gives the training curves of a row."""
    sections = report.sections
    times = Times.of(entry for section in sections for entry in section.entries)
    effects = _by_place(sections)
    parts: list[Part] = []
    ids: dict[int, str] = {}  # of the lines, by the `id` of their rows
    for name, alike in by_experiment(sections).items():
        made, runs = _runs(name, alike, curves, effects, times)
        own = lines(alike, made, {id(effect.row): effect for found in effects.values() for effect in found})
        ids |= {id(cell.row): line.id for line in own for cell in line.cells.values()}
        stems = [
            *([name] if name in report.across_protocols else []),
            *(s for section in alike for s in section.tables),
        ]
        parts.append(Part(name, alike, own, runs, stems))
    answer = Answer.of(sections)
    return Content(
        title=TITLE,
        answer=answer,
        tallies=tallies(sections, report.claims),
        panels=picture(sections, ids),
        findings=findings(sections),
        parts=parts,
        claims=views(report.claims) if answer.printed else [],
        made=report.made,
    )


def _runs(
    name: str,
    sections: Sequence[Section],
    curves: StoredArrays,
    effects: Mapping[tuple[str, ...], list[Effect]],
    times: Times,
) -> tuple[dict[int, str], list[Runs]]:
    """The runs of an experiment, those of one method together; and which are a row's, by its `id`."""
    ids: dict[int, str] = {}
    together: list[Runs] = []
    for section in sections:
        alike: dict[int, list[Row]] = {}
        for row in section.rows:
            alike.setdefault(id(row.entries[0]), []).append(row)
        for rows in alike.values():
            key = f"{name}-runs-{len(together)}"
            ids |= {id(row): key for row in rows}
            tried = [effect for row in rows for effect in effects.get((section.protocol, *place(row)), [])]
            own = tried if name != ABLATIONS and not rows[0].changed else []
            together.append(Runs(key, section.protocol, rows, own, curves(rows[0]), times))
    return ids, together


def _by_place(sections: Sequence[Section]) -> dict[tuple[str, ...], list[Effect]]:
    """The ablations of each unchanged row, by protocol and place."""
    found: dict[tuple[str, ...], list[Effect]] = {}
    for effect in all_effects(sections):
        if effect.own is not None:
            key = (effect.own.entries[0].protocol, *place(effect.own))
            found.setdefault(key, []).append(effect)
    return found
