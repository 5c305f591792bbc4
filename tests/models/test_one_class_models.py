"""OCSVM and IF against scikit-learn, whose objects they do not keep."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import IsolationForest as Forest
from sklearn.svm import OneClassSVM
from threadpoolctl import threadpool_limits

from tkae.data.collection import Collection
from tkae.evaluation.one_class import auc
from tkae.models.iforest import SAMPLE, IsolationForest, average_path
from tkae.models.ocsvm import OCSVM
from tkae.seeding import stream


def drawn(n: int, scale: float = 0.3, seed: int = 0) -> Collection:
    """Ragged, incomplete series of 2 variates and up to 12 steps."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(4, 13, n)
    lengths[0] = 12
    valid = np.broadcast_to((np.arange(12) < lengths[:, None])[:, :, None], (n, 12, 2))
    values = scale * rng.normal(size=(n, 12, 2))
    return Collection(values, valid & (rng.random(values.shape) < 0.7), lengths)


def vectors(x: Collection) -> np.ndarray:
    return np.where(x.observed, x.values, 0.0).reshape(len(x), -1)


TRAIN, TEST = drawn(400), drawn(50, scale=0.6, seed=1)


@pytest.mark.parametrize(("gamma", "nu"), [(0.7, 0.5), (0.1, 0.1), (3.0, 0.9)])
def test_ocsvm_has_the_scores_of_scikit_learn(gamma: float, nu: float) -> None:
    ours = OCSVM(gamma=gamma, nu=nu).learn(TRAIN)
    theirs = OneClassSVM(kernel="rbf", gamma=gamma, nu=nu).fit(vectors(TRAIN))
    for x in (TRAIN, TEST):
        np.testing.assert_allclose(ours.screen(x), -theirs.decision_function(vectors(x)), atol=1e-9)
    assert len(ours.support_) == len(theirs.support_)
    assert np.mean(ours.screen(TRAIN) > 1e-3) <= nu  # at most that share is outside


def test_ocsvm_is_sure_of_what_it_saw_and_not_of_what_is_far() -> None:
    model = OCSVM(nu=0.1).learn(TRAIN)
    far = TEST.replace(TEST.values + 100.0)
    # Nothing is near: the kernel is 0 with all training series, and the score the largest that there is.
    assert np.array_equal(model.screen(far), np.full(len(far), model.offset_[0]))
    assert model.screen(TRAIN).mean() < model.screen(TEST).mean() < model.offset_[0]


@pytest.mark.parametrize("n", [2, 3, 100, SAMPLE + 100])
@pytest.mark.parametrize("trees", [1, 30])
def test_iforest_has_the_scores_of_scikit_learn(n: int, trees: int) -> None:
    train = drawn(n)
    for seed in (0, 3):
        ours = IsolationForest(trees=trees, contamination=0.3).learn(train, seed)
        chance = int(stream(seed, "iforest").integers(2**31))
        theirs = Forest(n_estimators=trees, contamination=0.3, random_state=chance).fit(vectors(train))
        for x in (train, TEST):
            mine = ours.screen(x)
            np.testing.assert_allclose(mine, -theirs.decision_function(vectors(x)), rtol=0, atol=1e-12)
            np.testing.assert_allclose(mine + ours.offset_, -theirs.score_samples(vectors(x)), atol=1e-12)


def test_iforest_decides_at_a_threshold_as_the_trees_do() -> None:
    """Values that lie on a cut: single precision and `<=` matter there."""
    rng = np.random.default_rng(0)
    train = Collection(rng.integers(0, 4, (300, 4, 2)) / 3)
    chance = int(stream(0, "iforest").integers(2**31))
    ours, theirs = IsolationForest().learn(train), Forest(contamination=0.5, random_state=chance)
    trees = [tree.tree_ for tree in theirs.fit(vectors(train)).estimators_]
    cuts = np.concatenate([tree.threshold for tree in trees])
    at = Collection(rng.choice(cuts[cuts > 0], (40, 4, 2)))  # beside a cut, once they are rounded
    np.testing.assert_allclose(ours.screen(at), -theirs.decision_function(vectors(at)), rtol=0, atol=1e-12)
    for threshold in (ours.threshold_, *(tree.threshold for tree in trees)):
        threshold[:] = threshold.astype(np.float32)
    at = Collection(rng.choice(ours.threshold_[cuts > 0], (40, 4, 2)))  # right on it
    np.testing.assert_allclose(ours.screen(at), -theirs.decision_function(vectors(at)), rtol=0, atol=1e-12)


def test_the_share_of_contamination_scores_above_zero() -> None:
    for share in (0.1, 0.5):
        scores = IsolationForest(contamination=share).learn(TRAIN).screen(TRAIN)
        assert np.mean(scores > 0) == pytest.approx(share, abs=0.01)


def test_what_is_far_away_is_isolated_early() -> None:
    model, odd = IsolationForest().learn(TRAIN), TEST.replace(TEST.values + 5.0)
    scores = np.concatenate([model.screen(TRAIN), model.screen(odd)])
    assert (
        auc(np.arange(len(scores)) >= len(TRAIN), scores) > 0.95
    )  # some have hardly any entry to be far away with


def test_the_average_path_by_its_recursion() -> None:
    """A random cut parts n series into k and n - k, each k from 1 to n - 1 as likely as another.

    One of them is among the k, or the n - k, in proportion.
    """
    exact = [0.0, 0.0]
    for n in range(2, 200):
        exact.append(1 + sum(2 * k * exact[k] for k in range(1, n)) / (n * (n - 1)))
    got = average_path(np.arange(200))
    assert got[:3].tolist() == [0, 0, 1] == exact[:3]
    np.testing.assert_allclose(got[100:], exact[100:], rtol=2e-3)  # harmonic numbers, approximately


def test_another_seed_grows_another_forest_and_ocsvm_has_no_chance() -> None:
    forests = [IsolationForest(trees=10).learn(TRAIN, seed).screen(TEST) for seed in (0, 1)]
    assert not np.array_equal(*forests)
    machines = [OCSVM().learn(TRAIN, seed).screen(TEST) for seed in (0, 1)]
    assert np.array_equal(*machines)


def test_threads_change_no_bit() -> None:
    x = drawn(301, seed=1)  # which do not part evenly among threads

    def scores() -> list[bytes]:
        models = (OCSVM(), IsolationForest(trees=10))
        return [model.learn(TRAIN).screen(x).tobytes() for model in models]

    with threadpool_limits(1):
        alone = scores()
    with threadpool_limits(2):
        assert scores() == alone
