"""Files of fitted models: what was saved comes back bit for bit, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tkae
from tests.models.test_contract import every_model, make
from tkae.data.collection import Collection
from tkae.errors import DataError, NotSupported
from tkae.models import HOME
from tkae.models.files import KIND, load
from tkae.models.pca import PCA
from tkae.models.tae import TAE
from tkae.settings.registry import GROUPS, lookup
from tkae.storage import load_arrays, save_arrays


@dataclass
class Own(PCA):
    """A user's model."""


@pytest.fixture
def altered(tmp_path: Path, complete: Collection) -> Callable[..., Path]:
    """The file of a model with other things said about it, or with arrays taken away."""

    def write(name: str, without: str = "", **said: Any) -> Path:
        path = tmp_path / "model.safetensors"
        make(name).fit(complete).save(path)
        arrays, about = load_arrays(path, KIND)
        assert not without or without in arrays
        save_arrays(path, {key: arrays[key] for key in arrays if key != without}, about | said, KIND)
        return path

    return write


def test_every_class_of_ours_can_be_loaded() -> None:
    classes = [lookup("model", name) for name in GROUPS["model"]]
    assert {cls.__name__ for cls in classes} == {*HOME}
    assert all(HOME[cls.__name__] == cls.__module__ for cls in classes)


@every_model
def test_a_model_of_another_version_is_refused(altered: Callable[..., Path], name: str) -> None:
    with pytest.raises(DataError, match=r"was written by version 99 of .*: fit the model again"):
        load(altered(name, version=99))


@every_model
def test_settings_or_arrays_that_are_gone_are_refused(altered: Callable[..., Path], name: str) -> None:
    """A setting may be renamed, and an array, without a new version of the numbers."""
    sentence = r"another version of tkae \({} of .* differ\): fit the model again"
    with pytest.raises(DataError, match=sentence.format("depth")):
        load(altered(name, settings={"depth": 3}))
    for key in lookup("model", name).fitted:
        with pytest.raises(DataError, match=sentence.format(f"0.{key}")):
            load(altered(name, without=f"0.{key}"))


def test_a_file_of_a_newer_tkae_is_refused(altered: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=r"was written by a newer tkae \(9.9\): update tkae"):
        load(altered("pca", format=2, tkae="9.9"))


def test_a_setting_that_came_later_has_the_value_that_all_had_before(altered: Callable[..., Path]) -> None:
    found: TAE = load(altered("tae", settings={"code_size": 10}))
    assert found.memory == "zero" and TAE().memory == "code"


def test_a_class_of_the_user_is_only_made_where_it_is_named(tmp_path: Path, complete: Collection) -> None:
    path = tmp_path / "own.safetensors"
    own = Own(code_size=2).fit(complete)
    own.save(path)
    with pytest.raises(DataError, match=r"a model of the class Own, .* load\(path, Own\), if it is yours"):
        load(path)
    found = load(path, Own)
    assert type(found) is Own and np.array_equal(found.transform(complete), own.transform(complete))


def test_what_is_no_model_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    with pytest.raises(DataError, match="no such file"):
        tkae.load(path)
    path.write_text("rubbish")
    with pytest.raises(DataError, match="not a file that tkae wrote"):
        tkae.load(path)
    save_arrays(path, {"a": np.zeros(2)}, {}, "masks")
    with pytest.raises(DataError, match="holds 'masks', not 'a model'"):
        tkae.load(path)


def test_only_what_was_fitted_can_be_saved(tmp_path: Path) -> None:
    with pytest.raises(NotSupported, match="not fitted yet: call fit first"):
        PCA().save(tmp_path / "x.safetensors")
    assert not any(tmp_path.iterdir())


def test_an_ensemble_comes_back_whole(tmp_path: Path, ragged: Collection) -> None:
    model = make("tae").set_params(n_seeds=3, random_state=4, contamination=0.3).fit(ragged)
    model.save(tmp_path / "x.safetensors")
    found = load(tmp_path / "x.safetensors")
    assert repr(found) == repr(model) and len(found.replicas_) == 2
    for one, other in zip(
        found.impute(ragged, return_std=True), model.impute(ragged, return_std=True), strict=True
    ):
        assert one.fingerprint == other.fingerprint
    assert np.array_equal(found.predict(ragged), model.predict(ragged))
    assert found.fingerprint_ == ragged.fingerprint and found.lengths_ == model.lengths_


CHANGES: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "precision": ("ae", "0.theta_", lambda theta: theta.astype(np.float64)),
    "a node beyond the trees": ("iforest", "0.right_", lambda nodes: nodes + len(nodes)),
    "a value beyond the series": ("iforest", "0.feature_", lambda features: features + 10_000),
    "fewer nodes": ("iforest", "0.threshold_", lambda thresholds: thresholds[:-1]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_arrays_that_lead_astray_are_refused(change: str, tmp_path: Path, complete: Collection) -> None:
    name, key, changed = CHANGES[change]
    path = tmp_path / "model.safetensors"
    make(name).fit(complete).save(path)
    arrays, about = load_arrays(path, KIND)
    save_arrays(path, arrays | {key: changed(arrays[key])}, about, KIND)
    with pytest.raises(DataError, match="not a model file that can be used"):
        load(path)


@pytest.mark.parametrize(("setting", "value"), [("dtype", "x" * 300), ("normalised", 0.5), ("G", -1)])
def test_settings_that_no_model_has_are_refused(
    setting: str, value: Any, tmp_path: Path, complete: Collection
) -> None:
    path = tmp_path / "model.safetensors"
    make("tck").fit(complete).save(path)
    arrays, about = load_arrays(path, KIND)
    save_arrays(path, arrays, {**about, "settings": {**about["settings"], setting: value}}, KIND)
    with pytest.raises(DataError, match=rf"model.safetensors: tck: {setting}="):
        load(path)
