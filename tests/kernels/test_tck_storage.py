"""A stored TCK is the same TCK, and kernels kept on disk are found again, or computed again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tkae.data.collection import Collection
from tkae.kernels import cache
from tkae.kernels.cache import cached_fit, cached_kernel
from tkae.kernels.ensemble import fit_mixtures
from tkae.models.files import load
from tkae.models.tck import TCK
from tkae.storage import Arrays

TRAIN, TEST = waves(30, missing=0.5), waves(8, missing=0.5, ragged=True, seed=2)
SMALL = TCK(G=1, C=5, iterations=3, normalised=False, dtype="float32")


def test_saved_and_loaded_bit_for_bit(tmp_path: Path) -> None:
    tck = TCK(G=1, C=5, iterations=3, normalised=False, dtype="float32", random_state=4, scale=False).fit(
        TRAIN
    )
    tck.save(tmp_path / "tck.safetensors")
    again = load(tmp_path / "tck.safetensors")
    assert again == tck
    for pair in ((None, None), (None, TEST), (TEST, None)):
        assert np.array_equal(again.kernel(*pair), tck.kernel(*pair))


def test_cached_kernels_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[Collection] = []

    def counted(settings: TCK, train: Collection, *rest: Any) -> Arrays:
        fits.append(train)
        return fit_mixtures(settings, train, *rest)

    monkeypatch.setattr(cache, "fit_mixtures", counted)
    expected = TCK(G=1, C=5, iterations=3, normalised=False, dtype="float32").learn(TRAIN, 7)
    for _ in range(2):
        assert np.array_equal(cached_kernel(SMALL, TRAIN, tmp_path, seed=7), expected.kernel())
        cross = cached_kernel(SMALL, TRAIN, tmp_path, None, TEST, seed=7)
        assert np.array_equal(cross, expected.kernel(None, TEST))
        assert np.array_equal(cached_kernel(SMALL, TRAIN, tmp_path, TEST, seed=7), expected.kernel(TEST))
    assert len(fits) == 1
    assert not hasattr(SMALL, "mu_"), "the settings that were given stay as they are"


def test_what_the_cache_depends_on(tmp_path: Path) -> None:
    first = cached_kernel(SMALL, TRAIN, tmp_path)
    changed = [
        cached_kernel(SMALL, TRAIN, tmp_path, seed=1),
        cached_kernel(TCK(G=2, C=5, iterations=3, normalised=False, dtype="float32"), TRAIN, tmp_path),
        cached_kernel(SMALL, TRAIN.replace(TRAIN.values * 1.5), tmp_path),
    ]
    assert not any(np.array_equal(first, other) for other in changed)


def test_damaged_files_are_computed_again(tmp_path: Path) -> None:
    first = cached_kernel(SMALL, TRAIN, tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:100])
    assert np.array_equal(cached_kernel(SMALL, TRAIN, tmp_path), first)
    fitted = TCK(**asdict(SMALL)).learn(TRAIN)
    for key, array in cached_fit(SMALL, TRAIN, tmp_path).items():
        assert np.array_equal(array, getattr(fitted, key))
