"""Entries removed from each series: exact counts everywhere, and masks by collection that never change."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.missingness import MAR, Block, FromFile, Pattern, Uniform
from tkae.errors import DataError, UserError
from tkae.settings.compose import compose

CASES = ("complete", "half_missing", "missing_variate", "missing_series", "ragged", "single")


def removed_by(pattern: Pattern, x: Collection, run: int = 0) -> np.ndarray:
    return pattern.masks("some", {"train": x}, run)["train"]


def counts(mask: np.ndarray) -> np.ndarray:
    return mask.sum(axis=(1, 2))


@pytest.mark.parametrize("rate", [0.0, 0.001, 0.05, 1 / 3, 0.5, 0.55, 0.8, 0.95, 0.999, 1.0])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("pattern", [Uniform, Block])
def test_the_count_is_exact_in_every_series(
    collections: dict[str, Collection], pattern: type[Pattern], case: str, rate: float
) -> None:
    x = collections[case]
    for run in range(3):
        removed = removed_by(pattern(rate=rate, by="series"), x, run)
        assert removed.dtype == np.bool_ and removed.shape == x.shape and not (removed & ~x.observed).any()
        for gone, have in zip(counts(removed), counts(x.observed), strict=True):
            most = have if rate == 1 else max(have - 1, 0)
            assert gone == min(round(rate * int(have)), most)


@pytest.mark.parametrize("rate", [0.0, 0.05, 1 / 3, 0.4])
@pytest.mark.parametrize("case", ["complete", "half_missing", "missing_series"])
def test_the_count_is_exact_under_mar(collections: dict[str, Collection], case: str, rate: float) -> None:
    x = collections[case]
    removed = removed_by(MAR(rate=rate, by="series"), x)
    assert [int(n) for n in counts(removed)] == [round(rate * int(n)) for n in counts(x.observed)]
    assert not removed[:, :, 0].any() and not (removed & ~x.observed).any()


@pytest.mark.parametrize("pattern", [Uniform, Block, MAR])
def test_a_series_keeps_its_only_entry_below_rate_1(pattern: type[Pattern]) -> None:
    lengths = np.arange(1, 8)
    x = Collection(np.random.default_rng(0).normal(size=(7, 7, 1)), lengths=lengths)
    rate = 0.4 if pattern is MAR else 0.99  # what drives MAR stays
    removed = removed_by(pattern(rate=rate, by="series"), x)
    assert (lengths - counts(removed)).min() == 1 and counts(removed)[0] == 0
    if pattern is not MAR:
        assert np.array_equal(counts(removed), lengths - 1)
        assert np.array_equal(removed_by(pattern(rate=1.0, by="series"), x), x.observed)


def test_mar_says_how_much_the_poorest_series_can_lose() -> None:
    x = Collection(np.random.default_rng(0).normal(size=(3, 9, 1)), lengths=np.array([9, 8, 5]))
    with pytest.raises(DataError, match=r"'mar' can remove at most 0\.400 .* not 0\.6"):
        removed_by(MAR(rate=0.6, by="series"), x)
    assert list(counts(removed_by(MAR(rate=0.4, by="series"), x))) == [4, 3, 2]


@pytest.mark.parametrize("pattern", [Uniform(rate=0.4, by="series"), Block(rate=0.4, by="series", length=3)])
def test_every_entry_is_as_likely_as_another(pattern: Pattern) -> None:
    x = Collection(np.zeros((40, 12, 3)), lengths=np.full(40, 10))
    shares = np.mean([removed_by(pattern, x, run) for run in range(80)], axis=(0, 1))
    assert np.abs(shares[:10] - 0.4).max() < 0.04 and not shares[10:].any()  # five standard errors


def test_blocks_are_still_stretches_and_mar_still_follows_its_driver() -> None:
    x = Collection(np.random.default_rng(1).normal(size=(30, 40, 2)))
    blocks = removed_by(Block(rate=0.3, by="series", length=5), x)
    starts = np.diff(blocks.astype(int), axis=1, prepend=0) == 1
    assert blocks.sum() / starts.sum() > 3.5  # against 1 / (1 - 0.3) for single entries
    gone = removed_by(MAR(rate=0.2, by="series", strength=2.0), x)[:, :, 1]
    assert x.values[:, :, 0][gone].mean() > 0.5 > 0 > x.values[:, :, 0][~gone].mean()


@pytest.mark.parametrize("pattern", [Uniform, Block, MAR])
def test_its_seed_decides_and_the_file_brings_it_back(
    complete: Collection, pattern: type[Pattern], tmp_path: Path
) -> None:
    own = pattern(rate=0.3, by="series", write_to=str(tmp_path))
    masks = [removed_by(own, complete, run) for run in range(3)]
    assert len({mask.tobytes() for mask in masks}) == 3
    assert np.array_equal(masks[1], removed_by(pattern(rate=0.3, by="series"), complete, 1))
    assert not np.array_equal(masks[1], removed_by(pattern(rate=0.3, by="series", seed=1), complete, 1))
    again = FromFile(path=str(tmp_path)).masks("some", {"train": complete}, 1)["train"]
    assert np.array_equal(masks[1], again)
    removed_by(pattern(rate=0.3, write_to=str(tmp_path)), complete, 1)  # by collection: a file of its own
    assert len(list(tmp_path.glob("*-1.safetensors"))) == 2


@pytest.mark.parametrize(
    ("pattern", "sha256"),
    [
        (Uniform(rate=0.5), "bf8c3385bc090311"),
        (Block(rate=0.5), "180e890cdf859f41"),
        (MAR(rate=0.4), "b9ca1494edaecdae"),
        (Uniform(rate=0.97), "1a735301fd031aef"),
    ],
)
def test_masks_by_collection_are_those_that_results_rest_on(pattern: Pattern, sha256: str) -> None:
    values = np.random.default_rng(3).integers(-9, 9, size=(20, 15, 3)).astype(float)
    x = Collection(values, lengths=np.arange(20) % 15 + 1)
    removed = removed_by(pattern, x, 2)
    assert hashlib.sha256(np.packbits(removed).tobytes()).hexdigest()[:16] == sha256


def test_only_the_text_of_one_experiment_speaks_of_each_series() -> None:
    def by(*words: str) -> str:
        (call, *_) = compose(["dataset=japanese_vowels", "model=pca", *words], sweep=False)
        return getattr(call.missingness_of("japanese_vowels"), "by", "")

    for name in ("imputation", "classification", "missingness", "kernel_matrices"):
        assert by(f"experiment={name}") == "collection"
    for name in ("uniform", "block", "mar"):
        assert by("experiment=one_class", f"missingness={name}") == "series"
        assert by("experiment=one_class", f"missingness={name}", "missingness.by=collection") == "collection"
        assert by("experiment=imputation", f"missingness={name}", "missingness.by=series") == "series"
    with pytest.raises(UserError, match="one of collection, series"):
        by("experiment=imputation", "missingness.by=variate")
