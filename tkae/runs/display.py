"""Progress for people: drawn anew on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tkae.models.listener import clock
from tkae.runs.progress import Group, Progress
from tkae.signals import Stop
from tkae.terminal import console, count, redraws

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

DRAWN_EVERY = 0.25  # seconds
FIRST_LINE, LAST_PAUSE = 2.0, 60.0  # seconds; the pause between plain lines doubles from the one to the other
AROUND = 6  # lines of a terminal that the workers leave to the rest
ECHO = 3  # columns that are left free: the terminal's own `^C` there must not begin a new line


@contextmanager
def display(progress: Progress, stop: Stop) -> Iterator[None]:
    """Within it people see how far it is; at its end, how many cells took how long."""
    with _drawn(progress, stop) if redraws(sys.stderr) else _lines(progress):
        yield
    took = clock(time.monotonic() - progress.began)
    print(f"{progress.done} of {count(progress.cells, 'cell')} in {took}", file=sys.stderr, flush=True)


@contextmanager
def _drawn(progress: Progress, stop: Stop) -> Iterator[None]:
    """A bar, and a line for each worker."""
    from rich.live import Live

    there = console(sys.stderr)
    live = Live(console=there, auto_refresh=False, transient=True, vertical_overflow="crop")

    def draw() -> None:
        progress.look()
        for message in progress.new():
            there.print(message, soft_wrap=True)
        live.update(drawn(progress, there.width, there.height - AROUND, stop.said), refresh=True)

    stop.quiet = True
    try:
        with live, _again_and_again(draw):
            yield
    finally:
        stop.quiet = False


@contextmanager
def _lines(progress: Progress) -> Iterator[None]:
    """A line of all, more and more seldom; messages at once."""
    due, pause = time.monotonic() + FIRST_LINE, FIRST_LINE

    def say() -> None:
        nonlocal due, pause
        progress.look()
        lines = list(progress.new())
        if time.monotonic() >= due:
            pause = min(2 * pause, LAST_PAUSE)
            due = time.monotonic() + pause
            lines.append(line(progress))
        for text in lines:
            print(text, file=sys.stderr, flush=True)

    with _again_and_again(say):
        yield


@contextmanager
def _again_and_again(act: Callable[[], None]) -> Iterator[None]:
    """Call it in a thread of its own, and once more at the end."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(DRAWN_EVERY):
            act()
        act()

    thread = threading.Thread(target=work, name="shows how far it is", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def line(progress: Progress) -> str:
    """How far it is, in a line."""
    left = progress.left
    text = f"{progress.done}/{count(progress.cells, 'cell')}"
    text += "" if left is None else f", {clock(left)} left"
    told = [f"{group.label}: {group.text}" for group in progress.at_work]
    return "; ".join([text, *told[:1], *([f"and {len(told) - 1} more"] if len(told) > 1 else [])])


def drawn(progress: Progress, width: int, most: int, said: str = "") -> RenderableType:
    """A bar with the time left; below it a line a worker, at most so many; below these what else is said.

    What is too long gives way at the label: the bar, the numbers and the times are always whole.
    """
    from rich.console import Group as Rows
    from rich.constrain import Constrain
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    bar, left = Table.grid(expand=True, padding=(0, 2, 0, 0)), progress.left
    bar.add_column(ratio=1)
    bar.add_column(no_wrap=True)
    bar.add_column(no_wrap=True, justify="right")
    bar.add_row(
        ProgressBar(total=progress.total, completed=progress.paid),
        f"{progress.done}/{count(progress.cells, 'cell')}",
        "" if left is None else f"{clock(left)} left",
    )
    rows: list[RenderableType] = [bar]
    if at_work := progress.at_work:
        rows.append(_workers(at_work[: max(most, 1)]))
    if (more := len(at_work) - max(most, 1)) > 0:
        rows.append(f"and {more} more")
    return Constrain(Rows(*rows, *([said] if said else [])), width - ECHO)


def _workers(groups: list[Group]) -> Table:
    from rich.table import Table

    grid = Table.grid(expand=True, padding=(0, 2, 0, 0))
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, justify="right")
    now = time.monotonic()
    for group in groups:
        grid.add_row(group.label, group.text, clock(now - (group.since or now)))
    return grid
