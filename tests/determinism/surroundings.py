"""What must change no number: who computes, with how many threads, in what order and company, and where."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.determinism.asked import Asked, Words, lend_own_file, named_in_reverse, reversed_words, whole
from tkae.compiled.jit import FOLDER

OWN = Path(__file__).parent / "own"  # executors that give cells other company
THREADS = tuple(f"{name}_NUM_THREADS" for name in ("NUMBA", "OMP", "OPENBLAS", "MKL"))
# What the user's shell may say of it.
NOT_HANDED_ON = ("TKAE_", "LC_", "LANG", "TZ", "PYTHONHASHSEED", "PYTHONUTF8", "PYTHONCOERCE", *THREADS)


@dataclass(frozen=True)
class Surrounding:
    """Where and how the commands run."""

    name: str
    words: tuple[str, ...] = ()  # more of them for each command
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str = "work"  # where they run
    commands: Callable[[Asked], list[Words]] = whole

    def of(self, asked: Sequence[Asked]) -> list[Words]:
        """The commands for all that is asked."""
        return [[*words, *self.words] for one in asked for words in self.commands(one)]

    def run(self, asked: Sequence[Asked], place: Path, lend: Callable[[Path], None] = lambda _: None) -> Path:
        """The results folder of commands that ran below `place`, with a cache of their own.

        What `lend` puts into that cache is not made again. What is compiled is not either: it takes minutes.
        """
        here = place / self.name.replace(" ", "_") / self.folder
        here.mkdir(parents=True)
        lend(here / "cache")
        lend_own_file(here)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_HANDED_ON)}
        own = {"TKAE_CACHE": str(here / "cache"), "NUMBA_CACHE_DIR": kept.get("NUMBA_CACHE_DIR", FOLDER)}
        for words in self.of(asked):
            command = [sys.executable, "-m", "tkae.commands.run", *words]
            environment = kept | own | dict(self.environment)
            done = subprocess.run(command, cwd=here, env=environment, capture_output=True, check=False)
            if done.returncode:
                said = done.stderr.decode(errors="replace")[-2000:]
                raise RuntimeError(f"{self.name}: exit code {done.returncode} of {words}\n{said}")
        return here / "results"


def together(*some: Surrounding) -> Surrounding:
    """All of them at once; of the folders and the ways to ask, one that differs from the usual."""
    return Surrounding(
        " + ".join(one.name for one in some),
        tuple(word for one in some for word in one.words),
        {name: text for one in some for name, text in one.environment.items()},
        next((one.folder for one in some if one.folder != BASELINE.folder), BASELINE.folder),
        next((one.commands for one in some if one.commands is not whole), whole),
    )


def threads(count: int) -> dict[str, str]:
    return dict.fromkeys(THREADS, str(count))


def hashing(seed: str) -> dict[str, str]:
    """How sets of texts are ordered."""
    return {"PYTHONHASHSEED": seed}


def own(executor: str) -> tuple[str, ...]:
    return "--config-dir", str(OWN), f"executor={executor}"


BASELINE = Surrounding("serial")
PROCESSES = Surrounding("processes", ("executor=processes", "executor.jobs=2"))
DASK = Surrounding("dask", ("executor=dask", "executor.jobs=2"))
COUNTS = tuple(Surrounding(f"threads {count}", environment=threads(count)) for count in (1, 2, 5))
REVERSED = Surrounding("experiments and words in reverse", commands=reversed_words)
NAMED = Surrounding("datasets and models in reverse", commands=named_in_reverse)
MIXED = Surrounding("other order, other company", own("mixed"))
ALONE = Surrounding("each cell alone", own("alone"))
HASHING = tuple(Surrounding(f"hash seed {seed}", environment=hashing(seed)) for seed in ("0", "1", "random"))
ELSEWHERE = Surrounding("a folder with a space and an é", folder="été 2019/a b")
# Without Python's own change to UTF-8, which would hide what relies on the encoding of the locale.
PLAIN = Surrounding(
    "plain locale, other time zone",
    environment={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "TZ": "Pacific/Apia"},
)
SURROUNDINGS = (PROCESSES, DASK, *COUNTS, REVERSED, NAMED, MIXED, ALONE, *HASHING, ELSEWHERE, PLAIN)
