"""Blocks of the kernel and its explicit map: the same similarities without the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tkae.kernels import blocks as blocks_module
from tkae.kernels import gram as gram_module
from tkae.kernels.blocks import blocks
from tkae.kernels.ensemble import features_of, members_of
from tkae.models.tck import TCK

TRAIN = waves(60, missing=0.5, ragged=True)
TEST = waves(25, missing=0.5, ragged=True, seed=5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("normalised", [True, False])
def test_blocks_have_the_bits_of_the_whole_kernel(
    dtype: str, normalised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tck = TCK(G=2, C=6, iterations=4, dtype=dtype, normalised=normalised).learn(TRAIN)
    whole = tck.between()
    chance = np.random.default_rng(0)
    batches = np.array([chance.permutation(60)[:13] for _ in range(20)])
    batches[-1, 7:] = -1
    monkeypatch.setattr(gram_module, "ROWS", 17)  # so that series are dealt out in several parts
    for threads, columns in ((1, 256), (2, 5)):
        monkeypatch.setattr(blocks_module, "BLOCK_COLUMNS", columns)
        series = tck.values_, tck.observed_
        found = blocks(members_of(vars(tck)), series, batches, normalised, dtype, threads)
        assert found.shape == (20, 16, 16) and found.dtype == dtype
        for rows, block in zip(batches, found, strict=True):
            there = rows[rows >= 0]
            assert np.array_equal(block[: len(there), : len(there)], whole[np.ix_(there, there)])
            assert not block[len(there) :].any() and not block[:, len(there) :].any()


@pytest.mark.parametrize("lengths", ["padded", "stretched"])
def test_inner_products_of_features_are_the_kernel(lengths: str) -> None:
    tck = TCK(G=2, C=6, iterations=4, lengths=lengths).learn(TRAIN)
    ours, theirs = (features_of(tck, vars(tck), x) for x in (TRAIN, TEST))
    assert ours.shape == (60, 2 * sum(range(2, 7)))
    for left, right, kernel in (
        (ours, ours, tck.between()),
        (ours, theirs, tck.between(None, TEST)),
        (theirs, theirs, tck.between(TEST)),
    ):
        np.testing.assert_allclose(left @ right.T, kernel, rtol=1e-12, atol=1e-12)
