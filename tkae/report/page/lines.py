"""The rows of an experiment's table: a line for each figure, with a cell for each protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tkae.report.effects import Effect, effect_text
from tkae.report.overview import state
from tkae.report.section import Section
from tkae.report.summary import Row
from tkae.report.tables import measured_text, printed_text, value_text


@dataclass(frozen=True)
class Cell:
    """Our figure under one protocol."""

    row: Row
    run: str  # the id of the runs that it is made of
    effect: Effect | None = None  # of the change that it is, among the ablations

    @property
    def text(self) -> str:
        return measured_text(self.row)

    @property
    def verdict(self) -> str:
        """As the summary counts it."""
        return state(self.row)

    @property
    def note(self) -> str:
        """What the change does."""
        told = self.effect is not None and self.effect.mean is not None and not self.fact
        return f"effect {effect_text(self.effect)}" if self.effect and told else ""

    @property
    def fact(self) -> bool:
        return self.row.metric.higher_is_better is None

    @property
    def interval(self) -> str:
        """Over the runs, where these differ."""
        low, high = self.row.interval or (0.0, 0.0)
        digits = self.row.metric.decimals
        return f"{low:.{digits}f} to {high:.{digits}f}" if low < high else ""


@dataclass(frozen=True)
class Line:
    """One figure of a dataset, method and setting."""

    id: str
    dataset: str
    method: str
    setting: str
    cells: Mapping[str, Cell] = field(repr=False)  # by protocol

    @property
    def speaker(self) -> Row:
        """The row with the paper's figure, if one has it; of a change the unchanged row."""
        own = (cell.effect.own if cell.effect else cell.row for cell in self.cells.values())
        every = [*(row for row in own if row), *(cell.row for cell in self.cells.values())]
        return max(every, key=lambda row: row.paper is not None)

    @property
    def metric(self) -> str:
        return self.speaker.metric.title

    @property
    def printed(self) -> str:
        return printed_text(self.speaker)

    @property
    def value(self) -> float | None:
        """The printed figure as a number, to sort by."""
        return self.speaker.paper.number if self.speaker.paper else None


def lines(sections: Sequence[Section], runs: Mapping[int, str], effects: Mapping[int, Effect]) -> list[Line]:
    """Of one experiment's sections; `runs` (their ids) and `effects` (of changes) are by a row's `id`."""
    blocks: dict[tuple[str, ...], dict[tuple[str, ...], dict[str, Cell]]] = {}
    titles: dict[str, str] = {}
    for section in sections:
        for row in section.rows:
            block = (row.entries[0].experiment, row.stands_for, setting(row))
            cells = blocks.setdefault(block, {}).setdefault((row.method, row.metric.name), {})
            cells[section.protocol] = Cell(row, runs[id(row)], effects.get(id(row)))
            if row.dataset == row.stands_for or row.stands_for not in titles:
                titles[row.stands_for] = row.dataset_title
    made: list[Line] = []
    for (_, dataset, at), rows in blocks.items():
        for cells in rows.values():
            method = next(iter(cells.values())).row.method_title
            made.append(Line(f"{sections[0].experiment}-{len(made)}", titles[dataset], method, at, cells))
    return made


def setting(row: Row) -> str:
    """Where on a sweep a row stands, what was changed, and what else tells it from others."""
    keys = dict.fromkeys([*row.point, *row.changed, *row.further_keys])
    return ", ".join(f"{key.partition('.')[2] or key}={value_text(row.facts.get(key))}" for key in keys)
