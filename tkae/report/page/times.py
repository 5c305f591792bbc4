"""How long cells took, and what is missing would take: from the records' own timings, never guessed."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

from tkae.runs.entry import Entry

UNKNOWN = "unknown: no cell like it has been computed"


@dataclass
class Times:
    """Seconds on one core of the cells that were computed, by what they depend on most."""

    known: dict[tuple[object, ...], list[float]] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Times:
        times = cls()
        for entry in entries:
            if entry.done and entry.record and "seconds" in entry.record:
                times.known.setdefault(_alike(entry), []).append(float(entry.record["seconds"]["total"]))
        return times

    @property
    def total(self) -> float:
        return sum(map(sum, self.known.values()))

    def estimate(self, entry: Entry) -> float | None:
        """The mean of the same model on the same dataset, under whatever protocol; None: nobody ran it."""
        found = self.known.get(_alike(entry))
        return statistics.fmean(found) if found else None


def spoken(seconds: float) -> str:
    """For people: `12 s`, `7 min`, `3.2 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 else "less than 1 s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _alike(entry: Entry) -> tuple[object, ...]:
    story = entry.story
    return story["dataset"], story["model"], story["budget"]["epochs"], story["series"]
