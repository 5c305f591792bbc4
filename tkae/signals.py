"""What asks a command to stop: Ctrl-C, SIGTERM and its time limit."""

from __future__ import annotations

import os
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tkae.stopping import break_off, is_looked_for, request_stop, stop_requested

INTERRUPTED, TERMINATED = 130, 143  # exit codes, as shells have them for Ctrl-C and SIGTERM
SAME = 1.0  # seconds: `timeout` signals its command, then the whole group, which is one wish


class Terminated(KeyboardInterrupt):
    """SIGTERM came (from `timeout`, a scheduler, a shutdown): it takes the way of Ctrl-C."""


class TimeIsUp(KeyboardInterrupt):
    """The command's time limit was reached: what is left is for the next time."""


REASONS = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Terminated, signal.SIGALRM: TimeIsUp}


def exit_code(stop: KeyboardInterrupt) -> int:
    """Which of the two signals it was."""
    return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED


@dataclass
class Stop:
    """Whether a command was asked to stop, and why.

    The first signal waits for trainings, here or in workers, to keep a checkpoint at the end of their epoch;
    a second one leaves at once.
    """

    ticket: str = field(default_factory=lambda: uuid.uuid4().hex)
    why: type[KeyboardInterrupt] | None = None
    began: float = field(default_factory=time.monotonic)
    said: str = ""  # what the first signal makes of trainings under way, for people
    quiet: bool = False  # a display shows that by itself
    _at: float = 0.0
    _tell: Callable[[], object] | None = None

    def after(self, hours: float | None) -> None:
        """The command's time limit, counted from its start; in the main thread, whose signals are handled."""
        if hours is not None and threading.current_thread() is threading.main_thread():
            left = hours * 3600 - (time.monotonic() - self.began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6))

    @contextmanager
    def telling(self, tell: Callable[[], object]) -> Iterator[None]:
        """While workers work for this command: `tell`, which lets them know of a stop, is called once.

        In a thread of its own: a handler comes upon the program anywhere, with whatever locks it holds.
        """
        self._tell = tell
        if stop_requested(self.ticket):
            tell()
        try:
            yield
        finally:
            self._tell = None

    def handle(self, number: int, _: Any = None) -> None:
        """A signal came, or the alarm of the time limit."""
        why = REASONS[signal.Signals(number)]
        if self.why is None:
            self.why, self._at = why, time.monotonic()
            self._first(why)
        elif why is not TimeIsUp and time.monotonic() - self._at >= SAME:
            raise why

    def _first(self, why: type[KeyboardInterrupt]) -> None:
        request_stop(self.ticket)
        if self._tell is not None:
            threading.Thread(target=self._tell, daemon=True).start()
        if self._tell is not None or is_looked_for():
            reason = "the time is up" if why is TimeIsUp else "stopping"
            self.said = (
                f"{reason}: trainings write a checkpoint at the end of their epoch; Ctrl-C leaves at once"
            )
            if not self.quiet:
                _say(self.said)
            return
        break_off()
        if why is not TimeIsUp:  # which does not keep tables from being written
            raise why


def _say(text: str) -> None:
    """Past Python's buffers: the handler may have come upon a print."""
    os.write(2, f"\ntkae: {text}\n".encode())


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Within it signals ask for a stop; outside of trainings that raises what they stand for, once."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # signals are the main thread's
        return
    before = {number: signal.signal(number, stop.handle) for number in REASONS}
    try:
        yield stop
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
