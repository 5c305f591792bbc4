"""The answer in one line, and what it rests on: counts of results and claims, hours, machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tkae.report.evidence import ClaimResult
from tkae.report.figures.paper_against_ours import printed_rows
from tkae.report.overview import CLAIMS, RESULTS, summary
from tkae.report.page.times import Times
from tkae.report.reproduction import place
from tkae.report.section import Section
from tkae.report.verdict import BETTER, DIFFERS, INCONCLUSIVE, NO_VERDICT, NOT_RUN, REPRODUCED, WORSE
from tkae.runs.entry import ABLATIONS

# What was not run stands last.
ORDER = (*(name for name in RESULTS if name != NOT_RUN), NOT_RUN)
APART = (BETTER, WORSE, DIFFERS)
ABOUT = {
    "paper": "what the text says",
    "authors": "what the authors' program did",
    "clean": "how one would do it today",
}


@dataclass(frozen=True)
class Answer:
    """How many printed results there are, and what became of them under the protocols together."""

    printed: int
    reproduced: int  # under at least one protocol
    apart: int  # under none, and better, worse or different under at least one
    undecided: int
    unjudged: int  # what was measured is not what was printed
    missing: int

    @classmethod
    def of(cls, sections: Sequence[Section]) -> Answer:
        verdicts: dict[tuple[str, ...], set[str]] = {}
        for _, row in printed_rows(sections):
            verdicts.setdefault(place(row), set()).add(row.verdict)
        counts = Counter(map(_best, verdicts.values()))
        names = (REPRODUCED, DIFFERS, INCONCLUSIVE, NO_VERDICT, NOT_RUN)
        return cls(len(verdicts), *(counts[name] for name in names))

    @property
    def measured(self) -> int:
        return self.printed - self.missing

    @property
    def parts(self) -> list[tuple[int, str]]:
        """One line: how many, and what became of them."""
        told = [
            (self.reproduced, "came out as printed under at least one protocol"),
            (self.apart, "under none"),
            (self.undecided, "remain undecided"),
            (self.unjudged, "cannot be judged, since other data were measured than printed"),
        ]
        return [(count, what) for count, what in told if count]


def _best(verdicts: set[str]) -> str:
    """What several protocols together say of a result."""
    if REPRODUCED in verdicts:
        return REPRODUCED
    if verdicts & set(APART):
        return DIFFERS
    return next(name for name in (INCONCLUSIVE, NO_VERDICT, NOT_RUN) if name in verdicts)


@dataclass(frozen=True)
class Tally:
    """The line of the summary that counts all of a protocol, with the hours that went into it."""

    protocol: str
    line: Mapping[str, Any]
    hours: float

    @property
    def about(self) -> str:
        return ABOUT.get(self.protocol, "")

    @property
    def results(self) -> dict[str, int]:
        return {name: self.line[name] for name in ORDER}

    @property
    def claims(self) -> dict[str, int]:
        return {name: self.line[f"claim {name}"] for name in CLAIMS}


def tallies(sections: Sequence[Section], claims: Sequence[ClaimResult]) -> list[Tally]:
    """One for each protocol: the very counts of summary.csv."""
    measured = [section for section in sections if section.experiment != ABLATIONS]
    if not measured:
        return []
    lines = [line for line in summary(measured, claims).long if line["experiment"] == "all"]
    return [Tally(line["protocol"], line, _hours(sections, line["protocol"])) for line in lines]


def _hours(sections: Sequence[Section], protocol: str) -> float:
    entries = (entry for section in sections if section.protocol == protocol for entry in section.entries)
    return Times.of(entries).total / 3600
