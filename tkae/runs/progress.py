"""Progress: a bar with what runs now and the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tkae.models.watch import clock
from tkae.runs.worker import Outcome

EVERY = 2.0  # seconds between plain lines


class Lines:
    """A line now and then: how many cells are done, the last one, the time left."""

    def __init__(self, costs: Mapping[str, float]) -> None:
        self.costs, self.total, self.done = costs, len(costs), 0
        self.paid = 0.0
        self.begun = time.monotonic()
        self.said = self.begun
        self.reasons: set[str] = set()  # said already: the list at the end names every cell

    def advance(self, outcome: Outcome) -> None:
        self.done += 1
        self.paid += self.costs[outcome.key]
        now = time.monotonic()
        if outcome.error and outcome.error not in self.reasons:
            self.reasons.add(outcome.error)
            print(f"failed: {outcome.label}: {outcome.error}", file=sys.stderr, flush=True)
        if now - self.said >= EVERY or self.done == self.total:
            self.said = now
            left = (now - self.begun) * (sum(self.costs.values()) / max(self.paid, 1e-9) - 1)
            print(
                f"{self.done}/{self.total} cells, {clock(left)} left: {outcome.label}",
                file=sys.stderr,
                flush=True,
            )

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


class Bar:
    """The same as a bar of rich."""

    def __init__(self, bar: object, task: object, costs: Mapping[str, float]) -> None:
        self.bar, self.task, self.costs, self.done = bar, task, costs, 0
        self.reasons: set[str] = set()

    def say(self, text: str) -> None:
        self.bar.update(self.task, now=text)  # type: ignore[attr-defined]

    def advance(self, outcome: Outcome) -> None:
        self.done += 1
        text = f"{self.done}/{len(self.costs)} {outcome.label}"
        self.bar.update(self.task, advance=self.costs[outcome.key], now=text)  # type: ignore[attr-defined]
        if outcome.error and outcome.error not in self.reasons:
            self.reasons.add(outcome.error)
            self.bar.console.print(f"[red]failed[/]: {outcome.label}: {outcome.error}")  # type: ignore[attr-defined]


@contextmanager
def progress(costs: Mapping[str, float], first: str) -> Iterator[Lines | Bar]:
    """Something to `advance` with every outcome; `costs` are shares of the time, `first` runs first."""
    costs = {key: max(cost, 0.5) for key, cost in costs.items()}  # preparing and measuring
    if not sys.stderr.isatty():
        yield Lines(costs)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TimeRemainingColumn(), TextColumn("{task.fields[now]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar, bar.add_task("cells", total=sum(costs.values()), now=first), costs)
