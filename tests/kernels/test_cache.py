"""The kept kernels: made by one process while others wait, whatever happens to it, and within a limit."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

from tests.kernels.tck_data import waves
from tkae.errors import UserError
from tkae.kernels import cache
from tkae.kernels.cache import cached_kernel, trim
from tkae.models.tck import TCK

TRAIN = waves(20, missing=0.5)
SMALL = TCK(G=1, C=3, iterations=2)
# Another process that starts to fit, says so, and goes on when it may.
OTHER = """
import sys, time
from pathlib import Path
from tests.kernels.test_cache import SMALL, TRAIN
from tkae.kernels import cache
folder, fit = Path(sys.argv[1]), cache.fit_mixtures
def slow(*given):
    (folder / "begun").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    return fit(*given)
cache.fit_mixtures = slow
cache.cached_kernel(SMALL, TRAIN, folder)
"""


def until(true: Any) -> None:
    for _ in range(60_000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never happened")


@pytest.fixture
def other(tmp_path: Path) -> Any:
    process = subprocess.Popen([sys.executable, "-c", OTHER, str(tmp_path)], cwd=Path(__file__).parents[2])
    until((tmp_path / "begun").exists)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every fit of this process."""
    seen, fit = [], cache.fit_mixtures

    def counted(*given: Any) -> Any:
        seen.append(1)
        return fit(*given)

    monkeypatch.setattr(cache, "fit_mixtures", counted)
    return seen


def test_the_second_process_waits_and_reads(tmp_path: Path, other: Any, fits: list[int]) -> None:
    found: list[Any] = []
    waiting = threading.Thread(target=lambda: found.append(cached_kernel(SMALL, TRAIN, tmp_path)))
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive() and not found and not fits
    (tmp_path / "go").touch()
    waiting.join(600)
    assert other.wait(600) == 0 and fits == []
    assert np.array_equal(found[0], TCK(G=1, C=3, iterations=2).learn(TRAIN).kernel())


def test_one_that_dies_blocks_nobody(tmp_path: Path, other: Any, fits: list[int]) -> None:
    other.kill()
    other.wait()
    assert list(tmp_path.glob("*.lock"))
    assert cached_kernel(SMALL, TRAIN, tmp_path).shape == (20, 20) and fits == [1]


def test_a_folder_that_cannot_be_written_is_said_once(
    tmp_path: Path, fits: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    for _ in range(2):
        kernel = cached_kernel(SMALL, TRAIN, tmp_path / "file" / "kernels")
    assert np.array_equal(kernel, cached_kernel(SMALL, TRAIN, tmp_path)) and fits == [1, 1, 1]
    (said,) = caplog.messages
    assert f"cannot write to {tmp_path / 'file' / 'kernels'} (" in said and "TKAE_CACHE" in said


def stored(folder: Path, **ages: int) -> dict[str, Path]:
    """Files of 1000 bytes each, last used so many seconds ago."""
    paths = {name: folder / f"{name}.safetensors" for name in ages}
    now = time.time()
    for name, path in paths.items():
        path.write_bytes(bytes(1000))
        os.utime(path, (now - ages[name], now - ages[name]))
    return paths


@pytest.mark.parametrize(
    ("limit", "left"),
    [(4000, "abcd"), (3999, "acd"), (2000, "ad"), (1500, "a"), (0, "a")],
)
def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, limit: int, left: str) -> None:
    paths = stored(tmp_path, a=10, b=40, c=30, d=20)
    (tmp_path / "own.txt").write_text("not a kernel")
    trim(paths["a"], limit)
    assert sorted(path.stem for path in tmp_path.glob("*.safetensors")) == list(left)
    assert (tmp_path / "own.txt").exists()


def test_one_that_is_being_made_or_was_just_made_stays(tmp_path: Path) -> None:
    paths = stored(tmp_path, a=40, b=30, c=20)
    with FileLock(paths["b"].with_suffix(".lock")):
        trim(paths["a"], 0)
    assert sorted(path.stem for path in tmp_path.glob("*.safetensors")) == ["a", "b"]


def test_the_folder_stays_within_its_limit_and_what_was_used_again_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fits: list[int]
) -> None:
    def kept() -> set[Path]:
        return set(tmp_path.glob("*.safetensors"))

    first = cached_kernel(SMALL, TRAIN, tmp_path)
    before, now = kept(), time.time()
    (kernel,) = tmp_path.glob("tck-kernel-*.safetensors")
    size = sum(path.stat().st_size for path in before)
    cached_kernel(SMALL, TRAIN, tmp_path, seed=1)
    for path in kept():
        age = 2000 if path in before else 1000
        os.utime(path, (now - age, now - age))
    assert np.array_equal(cached_kernel(SMALL, TRAIN, tmp_path), first)  # the oldest, used again
    limit = size + 1.5 * kernel.stat().st_size  # room for what one fit makes, and a kernel more
    monkeypatch.setenv("TKAE_KERNEL_CACHE_GB", str(limit / 1e9))
    cached_kernel(SMALL, TRAIN, tmp_path, seed=2)
    assert sum(path.stat().st_size for path in kept()) <= limit and kernel in kept() and len(fits) == 3


@pytest.mark.parametrize("said", ["much", "-1", "nan"])
def test_a_limit_that_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("TKAE_KERNEL_CACHE_GB", said)
    with pytest.raises(UserError, match=f"TKAE_KERNEL_CACHE_GB={said} is not allowed.*at least 0"):
        cached_kernel(SMALL, TRAIN, tmp_path)
