"""Runs commands in forks of a process that has imported everything: a trial takes a second instead of five.

It reads a line of JSON a command and answers with its exit code: `python -m tests.chaos.zygote`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any

import tkae.models.tkae
import tkae.report.write
import tkae.runs.runner  # noqa: F401
from tests.chaos.faults import strike
from tkae.commands.run import main


def run(asked: dict[str, Any]) -> int:
    """The exit code of a command in a session of its own, or minus the signal that ended it."""
    parent, child = os.getpid(), os.fork()
    if child == 0:
        os.setsid()
        _end_with(parent)
        said = os.open(asked["said"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.environ.update(asked["environment"])
        strike(asked)
        os._exit(_code(asked["words"]))
    timer = threading.Timer(asked["kill_after"] or 1e6, os.kill, (child, signal.SIGKILL))
    timer.start()
    _, status = os.waitpid(child, 0)
    timer.cancel()
    return os.waitstatus_to_exitcode(status)


def _end_with(parent: int) -> None:
    """A trial that is given up leaves no command behind."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=look, daemon=True).start()


def _code(words: list[str]) -> int:
    try:
        return main(words)
    except BaseException:  # what no command may do
        import traceback

        traceback.print_exc()
        return 70
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    for line in sys.stdin:
        code = run(json.loads(line))
        print(json.dumps(code), flush=True)
