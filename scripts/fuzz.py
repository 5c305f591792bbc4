"""Spoiled inputs for every reader of tkae, and wrong words for tkae-run: `make fuzz`, or one kind alone.

    python -m scripts.fuzz                          # all kinds, 500 inputs each, and 300 commands
    python -m scripts.fuzz csv --first 457 --inputs 1   # an input that was told of, again

Each kind runs in a process of its own with little memory more than it has. An input passes if it is read, or
refused with a sentence. It fails if anything else is raised, if the process dies or does not answer, if code
is loaded, or if a file is written outside of the input's folder.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.commands import answer, commands
from tests.fuzz.targets import TARGETS
from tests.fuzz.trial import fault, spoiled, warm

PATIENCE = 120.0  # seconds for an answer: the machine may be busy
COMPILING = 1200.0  # for the first one of a process, which may compile
MEMORY = 2 * 2**30  # bytes that reading may take beside what the process has
COMMANDS = "commands"
Told = tuple[int, str]  # the number of an input, and its fault


def main() -> int:
    parser = argparse.ArgumentParser(description="Spoiled inputs for every reader; wrong words for tkae-run.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(TARGETS)}, {COMMANDS}")
    parser.add_argument("--inputs", type=int, default=500, help="of each kind of file")
    parser.add_argument("--commands", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    given = parser.parse_args()
    total = faults = 0
    for kind in given.kinds or [*TARGETS, COMMANDS]:
        begun, own, tried = time.monotonic(), 0, 0
        many = given.commands if kind == COMMANDS else given.inputs
        for number, reason in _tried(kind, given.first, given.first + many):
            tried += 1
            if reason:
                own += 1
                print(f"  {kind} {number}: {reason}", flush=True)
        total, faults = total + tried, faults + own
        print(f"{kind}: {tried} inputs, {own} faults, {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{total} inputs, {faults} faults")
    return 1 if faults else 0


def _tried(kind: str, first: int, stop: int) -> Iterator[Told]:
    """Every input of a kind; when one takes its process with it, the next goes on in another."""
    forks = get_context("fork")
    while first < stop:
        here, there = forks.Pipe(duplex=False)
        work = _commands if kind == COMMANDS else _files
        process = forks.Process(target=_limited, args=(work, kind, first, stop, there), daemon=True)
        process.start()
        there.close()
        reason, waited = "", False
        try:
            while first < stop and not reason:
                if here.poll(PATIENCE if waited else COMPILING):
                    waited = True
                    yield here.recv()
                    first += 1
                else:
                    reason = f"no answer in {PATIENCE:.0f} s"
        except EOFError:
            process.join()
            reason = f"its process died ({process.exitcode})"
        process.kill()
        process.join()
        if reason:
            yield first, reason
            first += 1


def _limited(work: Callable[..., None], kind: str, first: int, stop: int, told: Connection) -> None:
    with tempfile.TemporaryDirectory() as folder:
        work(Path(folder), kind, first, stop, told)


def _files(folder: Path, kind: str, first: int, stop: int, told: Connection) -> None:
    target = TARGETS[kind]
    warm(target, folder / "right")
    _limit_memory()
    for number in range(first, stop):
        told.send((number, fault(target, spoiled(target, number), folder / "deep" / "in" / "it")))


def _commands(folder: Path, kind: str, first: int, stop: int, told: Connection) -> None:
    answer([], folder / "right")
    _limit_memory()
    number = first

    @seed(first)
    @settings(
        max_examples=stop - first,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(commands)
    def ask(words: list[str]) -> None:
        nonlocal number
        reason = answer(words, folder / str(number))
        told.send((number, reason and f"{reason} {words}"))
        number += 1

    ask()


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)


if __name__ == "__main__":
    sys.exit(main())
