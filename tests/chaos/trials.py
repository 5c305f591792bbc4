"""Trials: a command is struck once or more often, runs again, and must end where an undisturbed one ends."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.chaos.commands import Zygote, said
from tests.chaos.drawn import KINDS, OFTEN, Fault, Known, drawn
from tests.chaos.orphans import leftovers, orphans
from tests.runs.stored import numbers
from tkae.owners import PART


@dataclass
class Undisturbed:
    """What a command leaves if nothing strikes it, and what is known of its way."""

    numbers: dict[str, Any]
    tables: dict[str, bytes]
    files: set[str]
    known: Known

    @classmethod
    def of(cls, zygote: Zygote) -> Undisturbed:
        counted, trial = zygote.folder / "counted.txt", zygote.folder / "undisturbed"
        zygote.run(zygote.folder / "warm")  # compiles what is not compiled yet
        begun = time.monotonic()
        codes = zygote.run(trial, {"count": str(counted)})
        took = time.monotonic() - begun
        assert codes == [0], said(trial)
        found = numbers(trial / "results")
        calls = Counter(json.loads(line) for line in counted.read_text().splitlines())
        known = Known(calls, took, sorted(found))
        return cls(found, tables(trial / "results"), files(trial / "results"), known)


@dataclass
class Tally:
    """What was tried and what came of it."""

    faults: Counter[str] = field(default_factory=Counter)
    spared: int = 0  # faults that were drawn later than the command ended
    kept: int = 0  # finished records that were there after a fault, each of which must stay as it is
    trials: int = 0
    lost: int = 0
    orphans: int = 0
    leftovers: int = 0

    def __str__(self) -> str:
        lines = [f"  {what}: {count}" for what, count in sorted(self.faults.items())]
        return "\n".join(
            [
                f"{self.trials} trials, {self.faults.total()} faults ({self.spared} more came too late), "
                f"{self.kept} finished records kept, {self.lost} lost; {self.orphans} orphans, "
                f"{self.leftovers} leftovers",
                *lines,
            ]
        )


def trial(
    number: int, zygote: Zygote, whole: Undisturbed, tally: Tally, kinds: Sequence[str] = KINDS
) -> None:
    """Strike a command one to three times, as the number draws it, then let it end, and compare."""
    rng = random.Random(f"chaos {number}")
    folder = zygote.folder / f"trial{number}"
    tally.trials += 1
    often = [OFTEN[KINDS.index(kind)] for kind in kinds]
    for _ in range(rng.randint(1, 3)):
        (kind,) = rng.choices(kinds, often)
        strike(drawn(kind, rng, whole.known, folder), folder, zygote, whole, tally)
    assert zygote.run(folder) == [0], said(folder)
    is_whole(folder, whole, tally)
    shutil.rmtree(folder)


def strike(fault: Fault, folder: Path, zygote: Zygote, whole: Undisturbed, tally: Tally) -> None:
    """Let it happen, and see that nothing finished is lost and nothing half-written is taken for finished."""
    before = _stamps(folder / "results")
    first, *others = zygote.run(folder, *fault.commands)
    heard, strikes = said(folder), fault.strikes(first)
    assert "Traceback" not in heard, f"{fault.what}\n{heard}"
    assert first in fault.codes and not any(others), f"{fault.what}: {first}, {others}\n{heard}"
    tally.faults[fault.what] += strikes
    tally.spared += not strikes
    found = _finished(folder / "results")
    assert all(whole.numbers[key] == one for key, one in found.items()), fault.what
    if fault.chances:  # it takes nothing with it; or it was stored before
        tried = (fault.chances, 1, len(whole.numbers) - 1)
        assert (strikes, first, len(found)) in (tried, (0, 0, len(whole.numbers))), f"{fault.what}: {heard}"
    now = _stamps(folder / "results")
    lost = {path for path, stamp in before.items() if now.get(path) != stamp}
    tally.lost += len(lost)
    assert not lost, f"{fault.what}: {lost} changed"
    tally.kept += len(now)
    left = orphans(str(folder))
    tally.orphans += len(left)
    assert not left, f"{fault.what}: {left}"
    if first == 0 or others:  # somebody has come to the end of it all
        is_whole(folder, whole, tally, first == 0)


def is_whole(folder: Path, whole: Undisturbed, tally: Tally, tidy: bool = True) -> None:
    """All that an undisturbed command leaves, and nothing else; `tidy`: no process of others was killed."""
    results = folder / "results"
    assert numbers(results) == whole.numbers
    assert tables(results) == whole.tables
    if tidy:
        left = files(results) ^ whole.files | leftovers(folder / "tmp")
        left |= {str(path) for path in (folder / "cache").rglob(f".*{PART}") if "files" not in path.parts}
        tally.leftovers += len(left)
        assert not left, f"left: {left}\n{said(folder)}"


def _finished(results: Path) -> dict[str, Any]:
    """What is stored of cells that did not fail: where a source cannot be fetched, its cells do."""
    return {key: one for key, one in numbers(results).items() if one[0]["status"] == "done"}


def _stamps(results: Path) -> dict[Path, int]:
    """When each finished record was written."""
    keys = _finished(results)
    paths = results.rglob("records/**/*.json")
    return {path: path.stat().st_mtime_ns for path in paths if path.stem in keys}


def tables(results: Path) -> dict[str, bytes]:
    """Half-written ones are no tables: the next command removes what one that was killed left."""
    found = (results / "tables").iterdir()
    return {path.name: path.read_bytes() for path in found if not path.name.endswith(PART)}


def files(results: Path) -> set[str]:
    """And folders; that of checkpoints is there only if workers reached it."""
    return {str(path.relative_to(results)) for path in results.rglob("*")} - {"checkpoints"}
