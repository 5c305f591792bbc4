"""What holds for every TCK, whatever the data."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tkae.data.collection import Collection
from tkae.errors import DataError, NotSupported, UserError
from tkae.kernels import gram as gram_module
from tkae.kernels.draws import Ranges, draw
from tkae.models.tck import TCK

TRAIN = waves(60, missing=0.5, ragged=True)
TEST = waves(25, missing=0.5, ragged=True, seed=5)
SMALL = {"G": 2, "C": 6, "iterations": 6}


@pytest.fixture(scope="module")
def fitted() -> TCK:
    return TCK(**SMALL).learn(TRAIN, seed=0)


def test_symmetric_positive_semidefinite_with_the_number_of_mixtures_on_the_diagonal(fitted: TCK) -> None:
    for kernel in (fitted.kernel(), fitted.kernel(TEST)):
        assert np.array_equal(kernel, kernel.T)
        assert np.linalg.eigvalsh(kernel)[0] > -1e-9
        np.testing.assert_allclose(np.diag(kernel), 10.0)
        assert kernel.min() >= 0.0


def test_the_three_kernels_are_blocks_of_one(fitted: TCK) -> None:
    both = fitted.kernel(_join(TRAIN, TEST))
    np.testing.assert_allclose(both[:60, :60], fitted.kernel(), rtol=1e-12)
    np.testing.assert_allclose(both[:60, 60:], fitted.kernel(None, TEST), rtol=1e-12)
    np.testing.assert_allclose(both[60:, 60:], fitted.kernel(TEST), rtol=1e-12)
    np.testing.assert_allclose(both[60:, :60], fitted.similarity(TEST), rtol=1e-12)


def test_it_sees_the_classes(fitted: TCK) -> None:
    nearest = TRAIN.labels[fitted.similarity(TEST).argmax(axis=1)]  # type: ignore[index]
    assert (nearest == TEST.labels).mean() > 0.9


def test_threads_change_no_bit(fitted: TCK, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gram_module, "TILE", 16)  # so that threads have tiles to share
    kernels = []
    for threads in (1, 2, 5):
        tck = TCK(**SMALL).learn(TRAIN, seed=0, threads=threads)
        assert np.array_equal(tck.mu_, fitted.mu_)
        kernels.append(tck.between(None, TEST, threads=threads))
    assert np.array_equal(kernels[0], kernels[1])
    assert np.array_equal(kernels[0], kernels[2])


def test_blocks_of_members_and_tiles_change_nothing(fitted: TCK, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cross = fitted.kernel(), fitted.kernel(None, TEST)
    monkeypatch.setattr(gram_module, "TILE", 16)
    monkeypatch.setattr(gram_module, "COLUMNS", 5)  # less than the largest member has
    assert np.array_equal(fitted.kernel(), whole)
    assert np.array_equal(fitted.kernel(None, TEST), cross)


def test_padding_and_hidden_values_mean_nothing(fitted: TCK) -> None:
    rng = np.random.default_rng(0)
    hidden = TRAIN.replace(np.where(TRAIN.observed, TRAIN.values, rng.normal(size=TRAIN.shape)))
    for other in (TRAIN.padded(40), hidden):
        assert np.array_equal(TCK(**SMALL).learn(other, seed=0).kernel(), fitted.kernel())
    short = TEST.take(TEST.lengths < 12)
    for other in (TEST.padded(40), short.padded(int(short.lengths.max()))):
        rows = np.isin(np.array(TEST.names), other.names)
        np.testing.assert_allclose(fitted.kernel(None, other), fitted.kernel(None, TEST)[:, rows], rtol=1e-12)


def test_series_do_not_depend_on_their_order_or_company(fitted: TCK) -> None:
    order = np.random.default_rng(1).permutation(len(TEST))
    whole = fitted.kernel(None, TEST)
    np.testing.assert_allclose(fitted.kernel(None, TEST.take(order)), whole[:, order], rtol=1e-12)
    np.testing.assert_allclose(fitted.kernel(None, TEST.take([3])), whole[:, [3]], rtol=1e-12)


def test_members_are_distinct_and_keep_their_draws_when_the_ensemble_grows() -> None:
    shape = (200, 40, 8)
    ranges = Ranges.of(shape, 0.8, (2, 15), (6, 25))
    assert ranges == Ranges(series=(160, 200), variates=(2, 8), steps=(6, 25))
    draws = [draw(0, c, q, ranges, shape) for c in range(2, 12) for q in range(20)]
    assert len({(d.a0, d.b0, d.n0, d.start, d.stop, d.rows.tobytes()) for d in draws}) == 200
    for d in draws:
        assert 0 <= d.start < d.stop <= 40 and 6 <= d.stop - d.start <= 25
        assert 160 <= len(np.unique(d.rows)) == len(d.rows) == len(d.clusters)
        assert d.clusters.max() < d.components
        assert 2 <= len(np.unique(d.variates)) == len(d.variates) <= 8
    assert {d.stop - d.start for d in draws} == set(range(6, 26)), "every length occurs"
    assert min(d.start for d in draws) == 0 and max(d.stop for d in draws) == 40, "and every place"
    small, large = TCK(G=1, C=4, iterations=3).learn(TRAIN), TCK(G=2, C=5, iterations=3).learn(TRAIN)
    assert np.array_equal(small.sizes_, large.sizes_[[0, 2, 4]])
    assert np.array_equal(small.theta_[:2], large.theta_[:2])


def test_seeds(fitted: TCK) -> None:
    assert np.array_equal(TCK(**SMALL).learn(TRAIN).kernel(), fitted.kernel()), "0 is the seed by default"
    assert not np.array_equal(TCK(**SMALL).learn(TRAIN, seed=1).kernel(), fitted.kernel())


def test_float32(fitted: TCK) -> None:
    single = TCK(**SMALL, dtype="float32").learn(TRAIN).kernel()
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, fitted.kernel(), rtol=1e-5, atol=1e-5)


def test_the_number_of_components_follows_the_number_of_series() -> None:
    assert TCK(G=1, iterations=1).learn(TRAIN).sizes_[:, 3].max() == 10
    assert TCK(G=1, iterations=1).learn(waves(100)).sizes_[:, 3].max() == 40


def test_progress_counts_members() -> None:
    seen: list[tuple[int, int]] = []
    TCK(G=1, C=4, iterations=1).learn(TRAIN, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_mistakes_are_named(fitted: TCK) -> None:
    with pytest.raises(DataError, match="fitted on 3 variates; these series have 2"):
        fitted.kernel(waves(5, width=2))
    with pytest.raises(NotSupported, match="not fitted yet"):
        TCK().kernel()
    with pytest.raises(UserError, match="threads=0 is not allowed"):
        fitted.between(threads=0)
    for wrong in ({"G": 0}, {"C": 1}, {"dtype": "int8"}, {"least_steps": 30}, {"least_share": -0.1}):
        with pytest.raises(UserError, match="tck"):
            TCK(**wrong).fit(waves(5))  # type: ignore[arg-type]  # settings are checked when they are used


def _join(a: Collection, b: Collection) -> Collection:
    parts = [(c.values, c.observed, c.lengths) for c in (a, b)]
    return Collection(*(np.concatenate(pair) for pair in zip(*parts, strict=True)))


def test_stretched_series_keep_their_ends_and_their_holes() -> None:
    """Against a literal loop: every step is the nearest one of the series itself."""
    tck = TCK(G=1, C=2, iterations=1, lengths="stretched").learn(TRAIN, seed=0)
    longest = int(TRAIN.lengths.max())
    for i, length in enumerate(TRAIN.lengths):
        for t in range(longest):
            at = round(t / (longest - 1) * (length - 1))
            assert np.array_equal(tck.values_[i, t], TRAIN.values[i, at])
            assert np.array_equal(tck.observed_[i, t], TRAIN.observed[i, at])


def test_stretching_changes_nothing_where_all_series_are_as_long() -> None:
    alike = waves(30, missing=0.5)
    padded, stretched = (TCK(**SMALL, lengths=how).learn(alike).kernel() for how in ("padded", "stretched"))
    assert np.array_equal(padded, stretched)
    ragged = (TCK(**SMALL, lengths=how).learn(TRAIN).kernel() for how in ("padded", "stretched"))
    assert not np.allclose(*ragged)
