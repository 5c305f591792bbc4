"""Models among scikit-learn's tools: its own checks, cloning, pipelines, searches."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import tkae
from tests.models.test_contract import every_model, make
from tkae.data.collection import Collection
from tkae.data.files import Files
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.errors import UserError
from tkae.models.locf import LOCF
from tkae.models.pca import PCA
from tkae.models.tae import TAE
from tkae.models.tkae import TKAE

QUICK: dict[str, dict[str, Any]] = {
    **{name: {"epochs": 1, "code_size": 2} for name in ("TAE", "EncDecAD", "AE", "DAE")},
    "TKAE": {"epochs": 1, "code_size": 2, "G": 1, "C": 2},
    **{name: {"G": 1, "C": 2} for name in ("TCK", "TCKKernelPCA")},
    "IsolationForest": {"trees": 5},
}
ESTIMATORS = [name for name in tkae.__all__ if name not in ("Collection", "load", "results")]

# scikit-learn's checks give an array (samples, features), which are series of one variate here.
CANNOT_APPLY = {
    "check_n_features_in": "features are variates, of which there is one: the second axis is time",
    "check_n_features_in_after_fitting": "for the same reason",
    "check_dtype_object": "a DataError names the series that is no array, where a TypeError is asked for",
    "check_estimators_empty_data_messages": "the sentence speaks of series, steps and variates",
}
OF_TRANSFORMERS = {"check_transformer_general": "series of another length are welcome: that is the point"}
OF_IMPUTERS = {"check_transformer_data_not_an_array": "a list comes back as a list, which has no shape"}


@pytest.fixture(scope="module")
def vowels() -> Collection:
    """60 series of Japanese Vowels, of all nine speakers, half of whose values are gone."""
    x = JapaneseVowels().load(Files(), 0).train
    x = x.take(np.arange(60) * len(x) // 60)
    return x.without(np.random.default_rng(0).random(x.shape) < 0.5)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_checks_of_scikit_learn_pass_but_for_those_that_cannot_apply(name: str) -> None:
    model = getattr(tkae, name)(**QUICK.get(name, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of checks that are skipped, and of estimators beside BaseEstimator
        found = check_estimator(model, on_fail=None, on_skip=None)
    failed = {check["check_name"]: check["exception"] for check in found if check["status"] == "failed"}
    imputes = name in ("LOCF", "MeanFill")
    expected = CANNOT_APPLY | (OF_TRANSFORMERS if hasattr(model, "transform") else {})
    assert failed.keys() == (expected | (OF_IMPUTERS if imputes else {})).keys(), failed
    assert len(found) >= 40


@every_model
def test_a_clone_has_the_same_parameters_and_learns_the_same(name: str, ragged: Collection) -> None:
    model = make(name).set_params(random_state=3, scale=False)
    twin = clone(model)
    assert twin is not model and twin.get_params() == model.get_params() and repr(twin) == repr(model)
    fitted = model.fit(ragged)
    assert vars(clone(fitted)).keys() == twin.get_params().keys()  # nothing that was learned
    twin.fit(ragged)
    assert all(getattr(twin, key).tobytes() == getattr(fitted, key).tobytes() for key in model.fitted)


def test_parameters_are_set_by_name_and_checked_when_it_counts() -> None:
    model = TAE().set_params(code_size=-1, n_seeds=2)
    assert model.code_size == -1 and repr(model) == "TAE(code_size=-1, n_seeds=2)"
    with pytest.raises(UserError, match=r"tae: code_size=-1 is not allowed: it takes a whole number"):
        model.fit([np.zeros((3, 1))])
    with pytest.raises(UserError, match=r"parameter of TAE 'codesize' \(did you mean 'code_size'\?\)"):
        model.set_params(codesize=3)
    for wrong in ({"code_size": "three"}, {"code_size": 2.5}, {"reverse": "yes"}, {"random_state": -1}):
        with pytest.raises(UserError, match=f"{next(iter(wrong))}=.* is not allowed"):
            TAE(**wrong).fit([np.zeros((3, 1))])  # type: ignore[arg-type]


def test_in_a_pipeline_with_neighbours_and_in_a_search(vowels: Collection) -> None:
    labels = np.asarray(vowels.labels)
    quick = TKAE(epochs=3, G=2, C=4, learning_rate=0.01)
    search = GridSearchCV(make_pipeline(quick, KNeighborsClassifier(1)), {"tkae__code_size": [2, 6]}, cv=2)
    search.fit(vowels, labels)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    best, size = search.best_estimator_, search.best_params_["tkae__code_size"]
    codes = clone(quick).set_params(code_size=size).fit(vowels).transform(vowels)
    assert np.array_equal(best[:-1].transform(vowels), codes)
    assert np.array_equal(best.predict(vowels), KNeighborsClassifier(1).fit(codes, labels).predict(codes))


def test_cross_validation_takes_lists_arrays_and_collections_alike(vowels: Collection) -> None:
    array = np.where(vowels.observed, vowels.values, np.nan)  # padding is missing, too
    of_array, of_list = (cross_val_score(PCA(), x, cv=3) for x in (array, [*array]))
    assert np.array_equal(of_array, of_list) and (of_array < 1).all()
    ragged = [vowels.series(i) for i in range(len(vowels))]
    assert np.array_equal(cross_val_score(PCA(), ragged, cv=3), cross_val_score(PCA(), vowels, cv=3))


def test_the_score_of_an_imputer_is_a_search_of_its_own(vowels: Collection) -> None:
    search = GridSearchCV(PCA(), {"code_size": [1, 5, 10]}, cv=3).fit(vowels)
    assert search.best_params_ != {"code_size": 1} and 0 < search.best_score_ < 1
    mean = cross_val_score(tkae.MeanFill(), vowels, cv=3)
    assert abs(mean.mean()) < 0.1  # the mean explains nothing, and that is what 0 says


def test_an_imputer_comes_before_another_model_in_a_pipeline(vowels: Collection) -> None:
    pipeline = make_pipeline(LOCF(), PCA(code_size=3)).fit(vowels)
    by_hand = PCA(code_size=3).fit(LOCF().fit(vowels).impute(vowels))
    assert np.array_equal(pipeline.transform(vowels), by_hand.transform(LOCF().fit(vowels).impute(vowels)))
