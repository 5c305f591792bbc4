"""Trials: a command is struck once or more often, runs again, and must end where an undisturbed one ends."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.chaos.faults import DISK, PLACES
from tests.mirror import MIRROR
from tests.runs.stored import numbers
from tkae.owners import PART

KILLED, REFUSED = -9, (1, 2)  # exit codes
WORDS = (
    "experiment=imputation",
    f"dataset=[japanese_vowels{',libras' if MIRROR.is_dir() else ''}]",
    "model=[mean,pca,dae,tkae]",
    "model.tkae.G=1",
    "model.tkae.C=3",
    "budget=smoke",
    "seeds=2",
)


@dataclass
class Zygote:
    """The process that forks a command for each request."""

    process: subprocess.Popen[str]
    folder: Path
    runs: int = 0

    def run(self, trial: Path, words: Sequence[str] = WORDS, **fault: Any) -> int:
        """The exit code; results, cache and what was said are below the trial's folder."""
        trial.mkdir(parents=True, exist_ok=True)
        self.runs += 1
        asked = {
            "words": [*words, f"results_dir={trial / 'results'}"],
            "said": str(trial / "said.txt"),
            "environment": {"TKAE_CACHE": str(trial / "cache"), "TKAE_CHECKPOINT_SECONDS": "0"},
            "mirror": str(MIRROR) if MIRROR.is_dir() else None,
            "kill_after": None,
            **fault,
        }
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{json.dumps(asked)}\n")
        self.process.stdin.flush()
        return int(json.loads(self.process.stdout.readline()))


@contextmanager
def zygote(folder: Path) -> Iterator[Zygote]:
    command = [sys.executable, "-m", "tests.chaos.zygote"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Zygote(process, folder)
        finally:
            process.kill()


@dataclass
class Undisturbed:
    """What a command leaves if nothing strikes it, how long it takes, and how often it does what."""

    numbers: dict[str, Any]
    tables: dict[str, bytes]
    files: set[str]
    seconds: float
    calls: Counter[str]

    @classmethod
    def of(cls, zygote: Zygote) -> Undisturbed:
        counted = zygote.folder / "counted.txt"
        zygote.run(zygote.folder / "warm")  # compiles what is not compiled yet
        begun = time.monotonic()
        code = zygote.run(zygote.folder / "undisturbed", count=str(counted))
        took = time.monotonic() - begun
        assert code == 0, (zygote.folder / "undisturbed" / "said.txt").read_text()
        results = zygote.folder / "undisturbed" / "results"
        calls = Counter(json.loads(line) for line in counted.read_text().splitlines())
        return cls(numbers(results), _tables(results), _files(results), took, calls)


@dataclass
class Tally:
    """What was tried and what came of it."""

    faults: Counter[str] = field(default_factory=Counter)
    spared: int = 0  # faults that were drawn later than the command ended
    kept: int = 0  # finished records that were there after a fault, each of which must stay as it is
    trials: int = 0

    def __str__(self) -> str:
        lines = [f"  {what}: {count}" for what, count in sorted(self.faults.items())]
        return "\n".join(
            [
                f"{self.trials} trials, {self.faults.total()} faults ({self.spared} more came too late), "
                f"{self.kept} finished records kept, 0 lost",
                *lines,
            ]
        )


def trial(number: int, zygote: Zygote, whole: Undisturbed, tally: Tally) -> None:
    """Strike a command one to three times, as the number draws it, then let it end, and compare."""
    rng = random.Random(f"chaos {number}")
    folder = zygote.folder / f"trial{number}"
    tally.trials += 1
    for _ in range(rng.randint(1, 3)):
        what, fault = _drawn(rng, whole)
        before = _stamps(folder / "results")
        code = zygote.run(folder, **fault)
        said = (folder / "said.txt").read_text()
        assert "Traceback" not in said, said
        assert code in ((0, KILLED) if "disk" not in fault else (0, *REFUSED)), (
            f"{what}: exit code {code}\n{said}"
        )
        tally.faults[what] += code != 0
        tally.spared += code == 0
        after = numbers(folder / "results")
        assert all(whole.numbers[key] == found for key, found in after.items()), what
        now = _stamps(folder / "results")
        lost = {path for path, stamp in before.items() if now.get(path) != stamp}
        assert not lost, f"{what}: {lost} changed"
        tally.kept += len(now)
    assert zygote.run(folder) == 0, (folder / "said.txt").read_text()
    results = folder / "results"
    assert numbers(results) == whole.numbers
    assert _tables(results) == whole.tables
    assert _files(results) == whole.files, f"left: {_files(results) ^ whole.files}"
    assert not [path for path in (folder / "cache").rglob(f".*{PART}") if "files" not in path.parts]
    shutil.rmtree(folder)


def _drawn(rng: random.Random, whole: Undisturbed) -> tuple[str, dict[str, Any]]:
    """A fault, and what it is called."""
    kind = rng.choice(["time", "place", "place", "place", "disk"])
    if kind == "time":
        return "killed at some time", {"kill_after": rng.uniform(0.05, whole.seconds)}
    if kind == "disk":
        disk = rng.choice(sorted(DISK))
        return disk, {"disk": disk, "nth": rng.randint(1, whole.calls["moving a file"])}
    place = rng.choice([place for place in PLACES if whole.calls[place]])
    nth, after = rng.randint(1, whole.calls[place]), rng.random() < 0.5
    return f"killed while {place}", {"place": place, "nth": nth, "after": after}


def _stamps(results: Path) -> dict[Path, int]:
    """When each finished record was written."""
    return {path: path.stat().st_mtime_ns for path in results.rglob("records/**/*.json")}


def _tables(results: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (results / "tables").iterdir()}


def _files(results: Path) -> set[str]:
    return {str(path.relative_to(results)) for path in results.rglob("*")}
