"""What users call: ensembles, kernels of their own, callbacks, series with other variates."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tkae
from tests.models.test_contract import make
from tkae.data.collection import Collection
from tkae.errors import DataError, NotSupported, UserError
from tkae.models.autoencoder import Autoencoder
from tkae.models.tkae import TKAE


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, tkae; print([name for name in ('numpy', 'sklearn', 'torch') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    assert {*dir(tkae)} >= {"TKAE", "load", "Collection", "results"}
    with pytest.raises(AttributeError, match="no attribute 'rubbish'"):
        _ = tkae.rubbish


def test_an_ensemble_is_its_replicas_side_by_side(ragged: Collection) -> None:
    whole: Autoencoder = make("tae").set_params(n_seeds=3, random_state=5).fit(ragged)  # type: ignore[assignment]
    alone = [make("tae").set_params(random_state=seed).fit(ragged) for seed in (5, 6, 7)]
    codes = [model.transform(ragged) for model in alone]
    assert np.array_equal(whole.transform(ragged), np.concatenate(codes, axis=1))
    each = np.stack([model.impute(ragged).values for model in alone])
    mean, spread = whole.impute(ragged, return_std=True)
    np.testing.assert_allclose(mean.values[ragged.missing], each.mean(axis=0)[ragged.missing])
    np.testing.assert_allclose(spread.values[ragged.missing], each.std(axis=0)[ragged.missing])
    assert (spread.values[ragged.missing] > 0).any() and not spread.values[ragged.observed].any()
    made = [m.inverse_transform(z, ragged.lengths) for m, z in zip(alone, codes, strict=True)]
    got = whole.inverse_transform(whole.transform(ragged), ragged.lengths)
    for i, series in enumerate(got):
        np.testing.assert_allclose(series, np.mean([one[i] for one in made], axis=0))
    with pytest.raises(UserError, match="one tae has no spread: fit it with n_seeds of at least 2"):
        alone[0].impute(ragged, return_std=True)


@pytest.mark.parametrize("name", ["tae", "encdec_ad", "ae", "pca"])
def test_codes_are_turned_into_what_the_decoder_makes_of_them(name: str, ragged: Collection) -> None:
    model = replace(make(name), scale=False).fit(ragged)
    codes = model.encode(ragged)
    assert np.array_equal(model.decode(codes, ragged.lengths), model.reconstruct(ragged))
    whole = model.inverse_transform(codes)
    assert whole.shape == (len(ragged), ragged.lengths.max(), 3)
    scaled = make(name).fit(ragged)
    in_units = scaled.inverse_transform(scaled.transform(ragged), lengths=ragged.lengths)
    output = scaled.reconstruct(scaled.scaler_.scale(ragged)) * scaled.scaler_.deviation + scaled.scaler_.mean
    np.testing.assert_allclose(in_units[1], output[1, : ragged.lengths[1]])
    for wrong in (codes[:, :-1], np.zeros(3), np.zeros((0, 2))):
        with pytest.raises(DataError, match="codes"):
            model.inverse_transform(wrong)
    with pytest.raises(DataError, match="lengths are 12 whole numbers from 1 on"):
        model.inverse_transform(codes, lengths=[1, 2])
    with pytest.raises(NotSupported, match="locf has no inverse_transform: it cannot decode series"):
        make("locf").inverse_transform(codes)


def test_a_kernel_of_ones_own_is_a_matrix_or_a_function(complete: Collection) -> None:
    matrix = np.corrcoef(complete.values.reshape(len(complete), -1))
    seen: list[Collection] = []

    def alike(x: Collection) -> Any:
        seen.append(x)
        return matrix

    models = [make("tkae").set_params(kernel=kernel).fit(complete) for kernel in (matrix, alike)]
    carried = make("tkae").fit(complete.with_kernel(matrix))
    thetas = {model.theta_.tobytes() for model in (*models, carried)}  # type: ignore[attr-defined]
    assert len(thetas) == 1 and thetas != {make("tkae").fit(complete).theta_.tobytes()}  # type: ignore[attr-defined]
    assert abs(seen[0].values.mean()) < 1e-9, "the function gets the series as the network does"
    assert "kernel=<ndarray (12, 12)>" in repr(models[0])
    with pytest.raises(DataError, match=r"a kernel of 12 series needs the shape \(12, 12\), not \(3, 3\)"):
        make("tkae").set_params(kernel=np.eye(3)).fit(complete)
    with pytest.raises(UserError, match="kernel=rbf is not allowed: it takes tck, a matrix, or a function"):
        TKAE(kernel="rbf").fit(complete)


def test_a_callback_hears_of_every_epoch_and_changes_nothing(complete: Collection) -> None:
    heard: list[tuple[int, dict[str, float]]] = []
    told = make("ae").set_params(epochs=4, callback=lambda *said: heard.append(said)).fit(complete)
    plain = make("ae").set_params(epochs=4).fit(complete)
    assert told.theta_.tobytes() == plain.theta_.tobytes()  # type: ignore[attr-defined]
    assert [epoch for epoch, _ in heard] == [1, 2, 3, 4] and heard[0][1].keys() == {"L_r", "L_2", "L_k"}
    assert heard[-1][1]["L_r"] < heard[0][1]["L_r"]


def test_series_with_other_variates_are_refused(complete: Collection) -> None:
    named = replace(complete, variates=("a", "b", "c"))
    model = make("pca").fit(named)
    assert np.array_equal(model.transform([*complete.values]), model.transform(named)), "a list has no names"
    with pytest.raises(DataError, match="on the variates a, b, c; these series have b, a, c: give them"):
        model.transform(replace(complete, variates=("b", "a", "c")))
    with pytest.raises(DataError, match="fitted on 3 variates; these series have 2"):
        model.transform(complete.values[:, :, :2])


def test_anomalies_are_the_share_that_was_asked_for(complete: Collection) -> None:
    for share in (0.0, 0.25, 0.5):
        model = make("pca").set_params(contamination=share, code_size=2).fit(complete)
        assert (model.predict(complete) == -1).sum() == round(share * len(complete))
    scores = model.score_samples(complete)
    assert scores[model.predict(complete) == -1].max() < scores[model.predict(complete) == 1].min()


def test_labels_are_learned_and_told_as_they_were_given(ragged: Collection) -> None:
    words = np.array(["low", "mid", "high"])[ragged.labels]
    model = make("mask_logistic").fit([ragged.series(i) for i in range(len(ragged))], words)
    by_labels = make("mask_logistic").fit(ragged)
    expected = np.array(["low", "mid", "high"])[by_labels.predict(ragged)]
    assert (model.predict(ragged) == expected).mean() > 0.9  # ties may fall otherwise in another order
    assert model.score(ragged, words) == (model.predict(ragged) == words).mean()
