"""How far a command is: what is done, what the groups at work tell, and how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue

from tkae.runs.cell import Cell
from tkae.runs.news import Board
from tkae.runs.worker import Outcome
from tkae.terminal import count

LEAST = 0.5  # seconds that a cell costs at least: preparing and measuring are not estimated
FIRST = 4.0  # seconds: as if so long the work had gone at the estimated speed, since a start says little


@dataclass
class Group:
    """Cells that are computed together."""

    key: str  # of its first cell: its news are under it
    label: str
    costs: dict[str, float]  # of the cells that have not ended, by their keys
    share: float = 0.0
    text: str = ""
    since: float | None = None  # when it was first heard of
    notes: int = 0  # that were heard

    @property
    def cost(self) -> float:
        return sum(self.costs.values())


@dataclass
class Progress:
    """`ended` takes outcomes, from whatever thread; `look` takes them in and reads the news."""

    groups: Sequence[Group]
    board: Board
    speed: float | None = None  # estimated seconds of work in a second; None: nothing was estimated
    began: float = field(default_factory=time.monotonic)
    ended: SimpleQueue[Outcome] = field(default_factory=SimpleQueue)
    done: int = 0
    messages: list[str] = field(default_factory=list)  # to be shown once
    _paid: float = 0.0
    _reasons: set[str] = field(default_factory=set)  # told already: the list at the end names every cell

    @classmethod
    def of(
        cls, groups: Sequence[Sequence[Cell]], costs: Mapping[str, float], board: Board, cores: int
    ) -> Progress:
        """`costs`: seconds on one core by the cells' keys, or nothing where none were estimated."""
        alone = len({cell.scope for group in groups for cell in group}) == 1
        made = [
            Group(
                group[0].key,
                _label(group, alone),
                {cell.key: max(costs.get(cell.key, 0.0), LEAST) for cell in group},
            )
            for group in groups
        ]
        return cls(made, board, cores if costs else None)

    def __post_init__(self) -> None:
        self._of = {key: group for group in self.groups for key in group.costs}
        self.cells, self.total = len(self._of), sum(group.cost for group in self.groups)

    def look(self) -> None:
        """Take in which cells have ended, and what the others tell."""
        heard_of = self.board.heard_of()
        for group in self.groups:
            if group.costs and (group.text or group.key in heard_of):
                self._hear(group)
        while not self.ended.empty():
            self._end(self.ended.get())

    def _hear(self, group: Group) -> None:
        news = self.board.news(group.key)
        group.text, group.share = (news.text, news.share) if news else ("", 0.0)
        if news:
            group.since = group.since or time.monotonic()
            notes = self.board.notes(group.key)
            self.messages += [f"{group.label}: {note}" for note in notes[group.notes :]]
            group.notes = len(notes)

    def _end(self, outcome: Outcome) -> None:
        self._paid += self._of[outcome.key].costs.pop(outcome.key, 0.0)
        self.done += not outcome.elsewhere  # another command computes it
        if outcome.error and outcome.error not in self._reasons:
            self._reasons.add(outcome.error)
            self.messages.append(f"failed: {outcome.label}: {outcome.error}")

    @property
    def at_work(self) -> list[Group]:
        """The groups that have news and have not ended."""
        return [group for group in self.groups if group.costs and group.text]

    @property
    def paid(self) -> float:
        """How much of the total is done."""
        return self._paid + sum(group.share * group.cost for group in self.at_work)

    @property
    def left(self) -> float | None:
        """Seconds until the end, or None where nothing tells."""
        passed, paid = time.monotonic() - self.began, self.paid
        if self.speed is None:
            return passed * (self.total / paid - 1) if paid else None
        return (self.total - paid) * (passed + FIRST) / (paid + self.speed * FIRST)

    def new(self) -> Iterator[str]:
        """The messages, each once."""
        while self.messages:
            yield self.messages.pop(0)


def _label(cells: Sequence[Cell], alone: bool) -> str:
    """What a group computes; without the experiment if there is only one, or if it serves several."""
    rows = list(dict.fromkeys(cell.row for cell in cells))
    what = rows[0] if len(rows) == 1 else cells[0].pair
    if alone or len({cell.scope for cell in cells}) > 1:
        what = what.removeprefix(f"{cells[0].scope} ")
    if len(cells) == 1:
        return f"{what} seed {cells[0].seed}"
    return f"{what}, {count(len(cells), 'seed' if len(rows) == 1 else 'cell')}"
