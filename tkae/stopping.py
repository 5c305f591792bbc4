"""A stop that was asked for: what is under way looks for it, keeps its state, and ends; so do workers.

Every command has a ticket. Whoever works for it, in whatever process, looks at `stop_requested(ticket)`.
"""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LOOK_EVERY = 0.2  # seconds between two looks of a worker at its parent process and at the stop file

_stopped_tickets: set[str] = set()  # of the commands that shall stop, as far as this process knows


class Stopped(KeyboardInterrupt):
    """What is under way ends here because its command was asked to stop; what it kept is taken up later."""


class _Here(threading.local):
    """Signals are the main thread's: what another thread is at does not concern their handlers."""

    breakable = False
    looking = 0


_here = _Here()


def request_stop(ticket: str) -> None:
    """Whoever works for this command in this process shall stop."""
    _stopped_tickets.add(ticket)


def stop_requested(ticket: str) -> bool:
    """Whether its command shall stop."""
    return ticket in _stopped_tickets


@contextmanager
def breakable() -> Iterator[None]:
    """Within it a stop raises `Stopped` at once, and ends there."""
    try:
        _here.breakable = True
        try:
            yield
        finally:
            _here.breakable = False
    except Stopped:
        pass


@contextmanager
def looking() -> Iterator[None]:
    """Within it a stop raises nothing: what runs here looks for it, when it can keep its state."""
    _here.looking += 1
    try:
        yield
    finally:
        _here.looking -= 1


def is_looked_for() -> bool:
    """Whether what runs in this thread will see by itself that a stop was asked for."""
    return _here.looking > 0


def break_off() -> None:
    """Raise `Stopped` where that may be; for handlers of signals, after `request_stop`."""
    if _here.breakable and not _here.looking:
        raise Stopped


def ends_with_this_process(ticket: str = "", stop: Path | None = None) -> dict[str, Any]:
    """Settings of a joblib.Parallel: its workers end soon after this process, however it ends.

    With a ticket they also stop working for that command when there is a file `stop`.
    """
    return {"initializer": _end_with, "initargs": (os.getpid(), ticket, stop)}


def _end_with(parent: int, ticket: str, stop: Path | None) -> None:
    """Called in a worker: nobody ends it when its parent was killed, so it looks for itself.

    Compiled code lets other threads run, so a long training does not keep the thread from looking.
    """
    if stop is not None:  # Ctrl-C and `timeout` reach the whole group: the parent decides what to do
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGUSR1, lambda *_: break_off())

    def look() -> None:
        while os.getppid() == parent:
            if stop is not None and not stop_requested(ticket) and stop.exists():
                request_stop(ticket)
                _thread.interrupt_main(signal.SIGUSR1)
            time.sleep(LOOK_EVERY)
        os._exit(1)

    threading.Thread(target=look, name="looks at the parent process", daemon=True).start()
