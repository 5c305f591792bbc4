"""Commands that a trial runs, one or several at once, as forks of a process that has imported everything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chaos.orphans import MARK
from tests.mirror import MIRROR
from tkae.compiled.jit import FOLDER

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


def with_executor(name: str) -> list[str]:
    """The words of an executor; with two workers if it has any."""
    return [f"executor={name}", *(["executor.jobs=2"] if name != "serial" else [])]


@dataclass
class Zygote:
    """The process that forks a command for each request."""

    process: subprocess.Popen[str]
    folder: Path

    def run(self, trial: Path, *commands: dict[str, Any], words: Sequence[str] = WORDS) -> list[int]:
        """The exit codes; results, cache, temporary files and what was said are below the trial's folder."""
        (trial / "tmp").mkdir(parents=True, exist_ok=True)
        environment = {
            "TKAE_CACHE": str(trial / "cache"),
            "TKAE_CHECKPOINT_SECONDS": "0",
            "TMPDIR": str(trial / "tmp"),
            MARK: str(trial),
        }
        asked = [
            {
                "words": [
                    *words,
                    f"results_dir={trial / 'results'}",
                    *with_executor(fault.get("on", "serial")),
                ],
                "said": str(trial / f"said{i}.txt"),
                "environment": environment,
                "mirror": str(MIRROR) if MIRROR.is_dir() else None,
                **fault,
            }
            for i, fault in enumerate(commands or ({},))
        ]
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{json.dumps(asked)}\n")
        self.process.stdin.flush()
        return list(json.loads(self.process.stdout.readline()))


@contextmanager
def zygote(folder: Path) -> Iterator[Zygote]:
    command = [sys.executable, "-m", "tests.chaos.zygote"]
    # What is compiled is kept for all trials, though each has a cache of its own: it takes minutes.
    environment = {"NUMBA_CACHE_DIR": FOLDER, **os.environ}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield Zygote(process, folder)
        finally:
            process.kill()


def said(trial: Path) -> str:
    """All that the trial's commands and their workers have said."""
    return "\n".join(path.read_text() for path in sorted(trial.glob("said*.txt")))
