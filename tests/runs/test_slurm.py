"""Jobs of a queue give the bits of `serial`; here of a queue that is only played."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.runs.fake_slurm import play_slurm
from tests.runs.stored import numbers
from tkae.commands.run import main
from tkae.runs.slurm import Slurm

WORDS = ["experiment=imputation", "dataset=japanese_vowels", "model=[mean,pca]", "seeds=3"]
CLUSTER = ["executor=slurm", "executor.jobs=2", "executor.memory=1GB", "executor.interface=lo"]


def test_jobs_of_a_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = play_slurm(tmp_path, monkeypatch)
    asked = ["executor.partition=short", "executor.time=0:30:00", "executor.options='--constraint=avx512'"]
    assert main([*WORDS, *CLUSTER, *asked, f"results_dir={tmp_path / 'slurm'}"]) == 0
    assert main([*WORDS, f"results_dir={tmp_path / 'serial'}"]) == 0
    found = numbers(tmp_path / "slurm")
    assert len(found) == 6 and found == numbers(tmp_path / "serial")
    script = log.read_text()
    for line in (
        "#SBATCH -p short",
        "#SBATCH -t 0:30:00",
        "#SBATCH --constraint=avx512",
        "NUMBA_NUM_THREADS=1",
    ):
        assert line in script, script


def test_without_the_extra_a_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    assert main([*WORDS, "executor=slurm", f"results_dir={tmp_path}"]) == 2
    assert "pip install 'tkae[slurm]'" in capsys.readouterr().err


def test_where_there_is_no_queue_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([*WORDS, *CLUSTER, f"results_dir={tmp_path}"]) == 2
    assert "sbatch" in capsys.readouterr().err


def test_its_cores_are_its_jobs() -> None:
    assert Slurm(jobs=100).cores == 100
