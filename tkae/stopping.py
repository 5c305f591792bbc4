"""How a command ends before it is done: on SIGTERM as on Ctrl-C, and its worker processes with it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED, TERMINATED = 130, 143  # exit codes, as shells have them for Ctrl-C and SIGTERM
LOOK_EVERY = 1.0  # seconds between two looks at the parent process


class Terminated(KeyboardInterrupt):
    """SIGTERM came (from `timeout`, a scheduler, a shutdown): it takes the way of Ctrl-C."""


def exit_code(stop: KeyboardInterrupt) -> int:
    """Which of the two it was."""
    return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED


@contextmanager
def terminable() -> Iterator[None]:
    """Within it SIGTERM raises `Terminated`, once: `timeout` sends it twice, and we tidy up only once."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are the main thread's
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(number: int, _: Any) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise Terminated


def ends_with_this_process() -> dict[str, Any]:
    """Settings of a joblib.Parallel: its workers end soon after this process, however it ends."""
    return {"initializer": _end_with, "initargs": (os.getpid(),)}


def _end_with(parent: int) -> None:
    """Called in a worker: nobody ends it when its parent was killed, so it looks for itself.

    Compiled code lets other threads run, so a long training does not keep the thread from looking.
    """

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_EVERY)
        os._exit(1)

    threading.Thread(target=look, name="looks at the parent process", daemon=True).start()
