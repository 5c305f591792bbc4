"""A SLURM of one machine: `sbatch` starts the script of a job, `scancel` ends it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.runs.fake_slurm import {{0}}
{{0}}(sys.argv[1:])
"""


def install(folder: Path) -> None:
    """Programs of these names in the folder."""
    for name in ("sbatch", "scancel"):
        path = folder / name
        path.write_text(PROGRAM.format(name))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


def play_slurm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a test find these programs; what is submitted stands in the file that is returned."""
    programs, log = folder / "programs", folder / "jobs.txt"
    programs.mkdir()
    install(programs)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_SLURM_LOG", str(log))
    return log


def sbatch(words: list[str]) -> None:
    """Queue a script: here it runs at once, in a session of its own whose leader is the number of the job."""
    text = Path(words[-1]).read_text()
    with Path(os.environ["FAKE_SLURM_LOG"]).open("a") as log:
        log.write(text)
        job = subprocess.Popen(["bash", "-c", text], stdout=log, stderr=log, start_new_session=True)
    print(f"Submitted batch job {job.pid}")


def scancel(words: list[str]) -> None:
    """End jobs."""
    for job in words:
        os.killpg(int(job), signal.SIGTERM)
