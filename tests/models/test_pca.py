"""PCA against scikit-learn on the unfolded vectors, and where the two cannot be compared."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.decomposition import PCA as Oracle

from tkae.data.collection import Collection
from tkae.models.filling import FILLS
from tkae.models.pca import PCA

CASES = ("complete", "half_missing", "missing_variate", "missing_series", "ragged")


def vectors(x: Collection, fill: str = "zero") -> np.ndarray:
    return FILLS[fill](x).reshape(len(x), -1)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("size", [1, 4, 10])
@pytest.mark.parametrize("fill", ["zero", "locf"])
def test_against_scikit_learn(collections: dict[str, Collection], case: str, size: int, fill: str) -> None:
    train, test = collections[case], collections["ragged"]
    ours = PCA(code_size=size, fill=fill).learn(train)
    theirs = Oracle(size, svd_solver="full").fit(vectors(train, fill))
    codes, expected = ours.encode(test), theirs.transform(vectors(test, fill))
    signs = np.sign((codes * expected).sum(axis=0))
    np.testing.assert_allclose(codes, expected * signs, atol=1e-9)
    whole = theirs.inverse_transform(expected).reshape(test.shape)
    np.testing.assert_allclose(ours.reconstruct(test), np.where(test.valid, whole, 0), atol=1e-9)


def test_with_enough_components_the_training_series_come_back(complete: Collection) -> None:
    model = PCA(code_size=len(complete)).learn(complete)
    np.testing.assert_allclose(model.reconstruct(complete), complete.values, atol=1e-10)
    np.testing.assert_allclose(model.screen(complete), 0, atol=1e-18)


def test_a_larger_code_never_reconstructs_worse(half_missing: Collection) -> None:
    filled = vectors(half_missing).reshape(half_missing.shape)
    errors = [
        ((PCA(code_size=k).learn(half_missing).reconstruct(half_missing) - filled) ** 2).sum()
        for k in (1, 2, 4, 8, 11, 30)
    ]
    assert all(after <= before + 1e-12 for before, after in pairwise(errors))


def test_where_the_series_span_less_the_rest_of_the_code_is_zero(complete: Collection) -> None:
    few = complete.take([0, 1, 2, 0])  # two dimensions around their mean
    model = PCA(code_size=10).learn(few)
    codes = model.encode(complete)
    assert codes.shape == (12, 10) and (codes[:, 2:] == 0).all() and (np.abs(codes[:, :2]) > 1e-6).any()
    np.testing.assert_allclose(model.reconstruct(few), few.values, atol=1e-10)


def test_one_series_is_its_own_mean(single: Collection, complete: Collection) -> None:
    model = PCA().learn(single)
    assert (model.encode(complete) == 0).all()
    assert np.array_equal(model.reconstruct(single), vectors(single).reshape(single.shape))


def test_steps_beyond_the_longest_training_series_have_no_weight(complete: Collection) -> None:
    rng = np.random.default_rng(4)
    longer = Collection(np.concatenate([complete.values, rng.normal(size=(12, 4, 3))], axis=1))
    model = PCA(code_size=5).learn(complete)
    np.testing.assert_allclose(model.encode(longer), model.encode(complete), rtol=1e-12, atol=1e-12)
    output = model.reconstruct(longer)
    np.testing.assert_allclose(output[:, :9], model.reconstruct(complete), rtol=1e-12, atol=1e-12)
    assert (output[:, 9:] == 0).all()
    assert not model.complete(longer).missing.any()


def test_shorter_arrays_are_padded(complete: Collection) -> None:
    model = PCA(code_size=5).learn(complete)
    short = Collection(complete.values[:, :4])
    np.testing.assert_allclose(model.encode(short), model.encode(short.padded(9)), rtol=1e-12, atol=1e-12)
    assert model.reconstruct(short).shape == short.shape


def test_the_sign_of_a_component_is_fixed(complete: Collection) -> None:
    """The mirrored series have the same components, so the same rule must find the same signs."""
    ours, mirrored = PCA().learn(complete), PCA().learn(complete.replace(-complete.values))
    np.testing.assert_allclose(ours.components_, mirrored.components_, atol=1e-9)


def test_the_score_is_the_error_at_observed_entries(half_missing: Collection) -> None:
    model = PCA(code_size=3).learn(half_missing)
    output, scores = model.reconstruct(half_missing), model.screen(half_missing)
    for i in range(len(half_missing)):
        seen = half_missing.observed[i]
        expected = np.mean((half_missing.values[i][seen] - output[i][seen]) ** 2)
        assert scores[i] == pytest.approx(expected, rel=1e-12)


def test_nothing_observed_scores_nothing(missing_series: Collection) -> None:
    assert PCA(code_size=3).learn(missing_series).screen(missing_series)[4] == 0
