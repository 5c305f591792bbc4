"""What happens to the commands of a trial, drawn from its number."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chaos.commands import KILLED, REFUSED
from tests.chaos.faults import DISK, PLACES
from tests.chaos.in_workers import WORKERS_AT
from tkae.runs.lots import DEATHS

KINDS = ("a command", "a command with workers", "workers", "commands at once")  # and disks that are mounted
OFTEN = (6, 2, 4, 3)  # how often each is drawn
DRIVER = ("storing", "flushing a file", "moving a file", "writing tables", "fetching")  # of a cluster


@dataclass
class Known:
    """What an undisturbed command does: how often it comes where, how long it takes, and its cells."""

    calls: Counter[str]
    seconds: float
    keys: Sequence[str]


@dataclass
class Fault:
    """What strikes, and the commands that run meanwhile: the first is struck."""

    what: str
    commands: list[dict[str, Any]]
    codes: tuple[int, ...]  # with which the first may end
    marks: Path | None = None  # a folder with a file for each worker that was killed
    chances: int = 0  # that a deadly cell has

    def strikes(self, code: int) -> int:
        """How many there were, when the first command has ended so."""
        return len(list(self.marks.iterdir())) if self.marks else int(code != 0)


def drawn(kind: str, rng: random.Random, known: Known, folder: Path) -> Fault:
    """A fault of this kind."""
    if kind == "a command":
        return _command(rng, known, "serial")
    if kind == "a command with workers":
        return _command(rng, known, rng.choice(["processes", "dask"]))
    if kind == "workers":
        return _workers(rng, known, rng.choice(["processes", "dask"]), folder)
    on = rng.choice(["serial", "serial", "processes"])
    first = (
        _command(rng, known, on) if on == "serial" or rng.random() < 0.5 else _workers(rng, known, on, folder)
    )
    while "deadly" in first.commands[0].get("workers", {}):  # another command would compute that cell
        first = _workers(rng, known, on, folder)
    others: list[dict[str, Any]] = [{"on": "serial"} for _ in range(rng.randint(1, 2))]
    return Fault(
        f"of {1 + len(others)} at once {first.what}", [*first.commands, *others], first.codes, first.marks
    )


def _command(rng: random.Random, known: Known, on: str) -> Fault:
    """The command's own process is killed, or loses its disk."""
    whose = "the command" if on == "serial" else f"the command with {on}"
    form = rng.choice(["time", "place", "place", "place", *(["disk"] if on == "serial" else [])])
    if form == "disk":
        disk = rng.choice(sorted(DISK))
        fault = {"disk": disk, "nth": rng.randint(1, known.calls["moving a file"])}
        return Fault(disk, [{"on": on, **fault}], (0, *REFUSED))
    if form == "time":
        last = known.seconds * (1 if on == "serial" else 4)  # workers have to be started
        return Fault(
            f"{whose} killed at some time", [{"on": on, "kill_after": rng.uniform(0.05, last)}], (0, KILLED)
        )
    its = {"serial": tuple(PLACES), "processes": ("writing tables", "fetching"), "dask": DRIVER}[on]
    place = rng.choice([place for place in its if known.calls[place]])
    most = known.calls[place] if on == "serial" else max(known.calls[place] // 3, 1)
    fault = {"place": place, "nth": rng.randint(1, most), "after": rng.random() < 0.5}
    return Fault(f"{whose} killed while {place}", [{"on": on, **fault}], (0, KILLED))


def _workers(rng: random.Random, known: Known, on: str, folder: Path) -> Fault:
    """One or two workers are killed, or as many as a deadly cell kills."""
    marks = folder / f"marks{rng.getrandbits(32)}"
    marks.mkdir(parents=True)
    away = on == "dask" and rng.random() < 0.5
    struck: dict[str, Any] = {"marks": str(marks), "elsewhere": str(folder / "machines") if away else ""}
    whose = f"a worker of {on}" + (" on another machine" if away else "")
    form, codes = rng.choice(["place", "place", "place", "place", "time", "cell"]), (0,)
    chances = 0
    if form == "time":
        what, struck["kill_after"] = f"{whose} killed at some time", rng.uniform(1.0, 1.0 + known.seconds)
    elif form == "cell":
        what, struck["deadly"] = f"{whose} killed by a cell", rng.choice(known.keys)
        codes, chances = (0, 1), DEATHS
    else:
        fetches = ("fetching", "fetching", "fetching") if away else ()  # here the command has fetched it all
        place = rng.choice([place for place in (*WORKERS_AT[on], *fetches) if known.calls[place]])
        struck |= {"place": place, "after": rng.random() < 0.5, "deaths": rng.randint(1, 2)}
        struck["nth"] = rng.randint(1, max(known.calls[place] // 6, 1))
        what = f"{whose} killed while {place}"
    return Fault(what, [{"on": on, "workers": struck}], codes, marks, chances)
