"""A few of the trials that `make chaos` makes by the hundred."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.chaos import MOUNTED
from tests.chaos.commands import Zygote, zygote
from tests.chaos.mounts import are_allowed
from tests.chaos.trials import Tally, Undisturbed, trial

# Of a command alone, and of each other kind one with a single fault.
TRIALS = [
    *(("a command", number) for number in range(3)),
    ("workers", 2),
    ("workers", 7),
    ("commands at once", 7),
]


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Zygote, Undisturbed]]:
    with zygote(tmp_path_factory.mktemp("chaos")) as process:
        yield process, Undisturbed.of(process)


@pytest.mark.parametrize(("kind", "number"), TRIALS)
def test_whatever_strikes_a_command_it_ends_where_an_undisturbed_one_does(
    kind: str, number: int, ready: tuple[Zygote, Undisturbed]
) -> None:
    trial(number, *ready, Tally(), (kind,))


@pytest.mark.skipif(not are_allowed(), reason="nothing can be mounted here")
def test_a_disk_that_is_really_full_or_read_only(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scripts.chaos", "--kind", MOUNTED, "--trials", "1", "--first", "2"]
    done = subprocess.run(
        command, env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "0 lost" in done.stdout, done.stdout + done.stderr
