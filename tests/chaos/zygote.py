"""Runs commands in forks of a process that has imported everything: a trial takes a second instead of five.

It reads a line of JSON, a list of commands that run at once, and answers with their exit codes:
`python -m tests.chaos.zygote`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import tkae.models.tkae
import tkae.report.write
import tkae.runs.runner  # noqa: F401
from tests.chaos.faults import strike
from tests.chaos.in_workers import strike_workers
from tests.chaos.orphans import MARK, workers
from tkae.commands.run import main


def run(commands: list[dict[str, Any]]) -> list[int]:
    """The exit codes of commands that run at once, or minus the signals that ended them."""
    children = [_started(asked) for asked in commands]
    timers = [_timer(asked, child) for asked, child in zip(commands, children, strict=True)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    for timer in timers:
        timer.cancel()
        timer.join()
    return codes


def _started(asked: dict[str, Any]) -> int:
    """A command in a session of its own."""
    parent, child = os.getpid(), os.fork()
    if child == 0:
        os.setsid()
        _end_with(parent)
        said = os.open(asked["said"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.environ.update(asked["environment"])
        tempfile.tempdir = None  # it was asked for already
        strike(asked)
        if asked.get("workers"):
            strike_workers(asked["workers"] | {"mirror": asked["mirror"]})
        os._exit(_code(asked["words"]))
    return child


def _timer(asked: dict[str, Any], child: int) -> threading.Timer:
    """Kills the command, or one of its workers, after some seconds; a mark tells of the latter."""
    struck = asked.get("workers") or {}

    def kill_worker() -> None:
        for worker in sorted(workers(asked["environment"][MARK]), key=lambda process: process.pid)[:1]:
            Path(struck["marks"], "at some time").touch()
            worker.kill()

    if struck.get("kill_after"):
        timer = threading.Timer(struck["kill_after"], kill_worker)
    else:
        timer = threading.Timer(asked.get("kill_after") or 1e6, os.kill, (child, signal.SIGKILL))
    timer.start()
    return timer


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
        codes = run(json.loads(line))
        print(json.dumps(codes), flush=True)
