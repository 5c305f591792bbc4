"""The common contract: what every registered model does with every kind of collection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.errors import DataError, NotSupported, UserError
from tkae.models.base import Model
from tkae.settings.registry import GROUPS, lookup
from tkae.storage import load_arrays, save_arrays

MODELS = tuple(name for name in GROUPS["model"] if name != "none")
CASES = ("complete", "half_missing", "missing_variate", "missing_series", "ragged", "single")
ABILITIES = ("encode", "similarity", "classify", "reconstruct", "impute", "score")
QUICK = {"G": 2, "C": 4, "epochs": 2, "trees": 10}  # settings that only cost time here
ORDER_FREE = (
    "mean",
    "locf",
    "pca",
    "mask",
)  # their solution does not depend on the order of the training series

Fitted = Callable[[str, str], Model]
every_model = pytest.mark.parametrize("name", MODELS)
every_case = pytest.mark.parametrize("case", CASES)


def make(name: str) -> Model:
    cls = lookup("model", name)
    model: Model = cls(**{key: QUICK[key] for key in QUICK.keys() & {spec.name for spec in fields(cls)}})
    return model


def outputs(model: Model, x: Collection) -> dict[str, np.ndarray]:
    """All that the model can make of the series, as arrays whose first axis is the series."""
    made = {what: getattr(model, what)(x) for what in ABILITIES if model.can(what)}
    return {what: one.values if isinstance(one, Collection) else one for what, one in made.items()}


def assert_alike(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], tolerance: float = 1e-9) -> None:
    assert ours.keys() == theirs.keys()
    for what in ours:
        np.testing.assert_allclose(ours[what], theirs[what], rtol=tolerance, atol=tolerance, err_msg=what)


def assert_same_bits(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    assert ours.keys() == theirs.keys()
    for what in ours:
        assert ours[what].tobytes() == theirs[what].tobytes(), what


@pytest.fixture(scope="module")
def fitted(collections: dict[str, Collection]) -> Fitted:
    """A model fitted on a case with seed 0, made once."""
    made: dict[tuple[str, str], Model] = {}

    def get(name: str, case: str) -> Model:
        if (name, case) not in made:
            made[name, case] = make(name).fit(collections[case], seed=0)
        return made[name, case]

    return get


@every_model
def test_it_can_do_something_and_is_named_as_registered(name: str) -> None:
    model = make(name)
    assert model.name == name and model.title and any(model.can(what) for what in ABILITIES)
    assert model.fit.__func__ is not Model.fit  # type: ignore[attr-defined]


@every_model
@every_case
@pytest.mark.parametrize("trained_on", ["itself", "ragged"])
def test_outputs_are_finite_and_of_the_right_shape(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str, trained_on: str
) -> None:
    x, model = collections[case], fitted(name, case if trained_on == "itself" else trained_on)
    for what, output in outputs(model, x).items():
        assert np.isfinite(output).all(), what
        assert output.dtype == (np.int64 if what == "classify" else np.float64), what
        if what in ("encode", "similarity"):
            assert output.ndim == 2 and len(output) == len(x) and output.shape[1] >= 1
        elif what in ("score", "classify"):
            assert output.shape == (len(x),)
        else:
            assert output.shape == x.shape
            assert (output[~x.valid] == 0).all(), what


@pytest.mark.parametrize("name", [name for name in MODELS if make(name).can("impute")])
@every_case
def test_imputation_completes_and_keeps_what_was_observed(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    x, model = collections[case], fitted(name, "ragged")
    whole = model.impute(x)
    assert not whole.missing.any() and np.array_equal(whole.valid, x.valid)
    assert whole.values[x.observed].tobytes() == x.values[x.observed].tobytes()
    assert whole.names == x.names and whole.variates == x.variates
    assert np.array_equal(whole.labels, x.labels)  # type: ignore[arg-type]
    if model.can("reconstruct"):
        assert np.array_equal(whole.values[x.missing], model.reconstruct(x)[x.missing])


@every_model
@every_case
def test_the_input_is_left_alone(collections: dict[str, Collection], name: str, case: str) -> None:
    x = collections[case]
    copy = Collection(x.values, x.observed, x.lengths, x.labels, x.names, x.variates)
    outputs(make(name).fit(copy), copy)
    # A fingerprint is kept once it was taken: ours is taken only now.
    assert copy.fingerprint == x.fingerprint


@every_model
@every_case
def test_padding_changes_nothing(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    x, steps = collections[case], collections[case].shape[1]
    longer = x.padded(steps + 5)
    expected = outputs(fitted(name, case), x)
    for model in (fitted(name, case), make(name).fit(longer, seed=0)):
        got = outputs(model, longer)
        for what in ("reconstruct", "impute"):
            if what in got:
                assert (got[what][:, steps:] == 0).all()
                got[what] = got[what][:, :steps]
        assert_alike(got, expected)


@every_model
@every_case
def test_a_series_does_not_depend_on_its_company(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    x, model = collections[case], fitted(name, "half_missing")
    expected = outputs(model, x)
    order = np.random.default_rng(1).permutation(len(x))
    assert_alike(outputs(model, x.take(order)), {what: one[order] for what, one in expected.items()})
    for i in (0, len(x) - 1):
        assert_alike(outputs(model, x.take([i])), {what: one[[i]] for what, one in expected.items()})


@every_model
@every_case
def test_fitting_twice_is_fitting_once(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    x = collections[case]
    expected = outputs(fitted(name, case), x)
    again = make(name).fit(collections["complete"], seed=5)  # another life must leave no trace
    assert again.fit(x, seed=0) is again
    assert_same_bits(outputs(again, x), expected)
    assert_same_bits(outputs(again.fit(x, seed=0), x), expected)


@every_model
@every_case
def test_saved_and_loaded_it_is_the_same(
    tmp_path: Path, fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    model = fitted(name, case)
    model.save(tmp_path / "one.safetensors")
    loaded = lookup("model", name).load(tmp_path / "one.safetensors")
    assert type(loaded) is type(model) and loaded == model
    for x in (collections[case], collections["ragged"]):
        assert_same_bits(outputs(loaded, x), outputs(model, x))
    loaded.save(str(tmp_path / "two.safetensors"))
    assert (tmp_path / "one.safetensors").read_bytes() == (tmp_path / "two.safetensors").read_bytes()


@every_model
def test_replicas_are_bit_equal_to_models_fitted_alone(collections: dict[str, Collection], name: str) -> None:
    trains = [collections[case] for case in ("half_missing", "complete", "half_missing")]
    together = type(make(name)).fit_replicas([make(name) for _ in trains], trains, [0, 1, 2])
    for model, train, seed in zip(together, trains, [0, 1, 2], strict=True):
        assert isinstance(model, Model)
        assert_same_bits(outputs(model, train), outputs(make(name).fit(train, seed), train))


@every_model
def test_before_fitting_it_says_so(tmp_path: Path, complete: Collection, name: str) -> None:
    model = make(name)
    for what in ABILITIES:
        if model.can(what):
            with pytest.raises(NotSupported, match=f"this {name} is not fitted yet: call fit first"):
                getattr(model, what)(complete)
    with pytest.raises(NotSupported, match=f"this {name} is not fitted yet"):
        model.save(tmp_path / "none")
    assert not list(tmp_path.iterdir())


@every_model
def test_what_it_cannot_do_it_says(fitted: Fitted, complete: Collection, name: str) -> None:
    model = fitted(name, "complete")
    for what in ABILITIES:
        if not model.can(what):
            with pytest.raises(NotSupported, match=rf"^{name} has no .*: it cannot"):
                getattr(model, what)(complete)


@every_model
def test_another_number_of_variates_is_refused(fitted: Fitted, complete: Collection, name: str) -> None:
    model = fitted(name, "complete")
    for width in (2, 4):
        other = Collection(np.ones((2, complete.shape[1], width)))
        for what in ABILITIES:
            if model.can(what):
                with pytest.raises(DataError, match=f"fitted on 3 variates; these series have {width}"):
                    getattr(model, what)(other)


@every_model
def test_files_of_others_are_refused(tmp_path: Path, fitted: Fitted, name: str) -> None:
    path = tmp_path / "model.safetensors"
    fitted(name, "complete").save(path)
    other = next(member for member in MODELS if member != name)
    with pytest.raises(DataError, match=f"holds 'model {name}', not 'model {other}'"):
        lookup("model", other).load(path)
    newer = type("Newer", (lookup("model", name),), {"version": lookup("model", name).version + 1})
    with pytest.raises(DataError, match="fit the model again"):
        newer.load(path)  # type: ignore[attr-defined]


@every_model
def test_a_file_with_settings_or_arrays_that_are_gone_is_refused(
    tmp_path: Path, fitted: Fitted, name: str
) -> None:
    """A setting may be renamed, and an array, without a new version of the numbers."""
    path, kind = tmp_path / "model.safetensors", f"model {name}"
    fitted(name, "complete").save(path)
    arrays, about = load_arrays(path, kind)
    save_arrays(path, arrays, {**about, "settings": {**about["settings"], "depth": 3}}, kind)
    with pytest.raises(
        DataError, match=r"another version of tkae \(depth of .* differ\): fit the model again"
    ):
        lookup("model", name).load(path)
    for key in arrays:
        save_arrays(path, {one: arrays[one] for one in arrays if one != key}, about, kind)
        with pytest.raises(DataError, match=rf"another version of tkae \({key} of .* differ\): fit the"):
            lookup("model", name).load(path)


@pytest.mark.parametrize("name", ORDER_FREE)
@every_case
def test_the_order_of_the_training_series_plays_no_part(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    x = collections[case]
    shuffled = x.take(np.random.default_rng(2).permutation(len(x)))
    assert_alike(outputs(make(name).fit(shuffled), x), outputs(fitted(name, case), x), tolerance=1e-8)


def test_abilities_follow_from_what_a_model_defines() -> None:
    def some(*names: str) -> type[Model]:
        return type("Some", (Model,), {name: lambda self, x: x for name in names})

    expected = {
        (): set(),
        ("encode",): {"encode"},
        ("classify",): {"classify"},
        ("impute",): {"impute"},
        ("score",): {"score"},  # a one-class method: a score, and nothing to reconstruct
        ("reconstruct",): {"reconstruct", "impute", "score"},
        ("encode", "reconstruct"): set(ABILITIES) - {"similarity", "classify"},
    }
    for names, can in expected.items():
        assert {what for what in ABILITIES if some(*names).can(what)} == can


@every_model
def test_a_setting_outside_its_limits_is_refused_by_the_library_too(name: str) -> None:
    cls = lookup("model", name)
    for spec in fields(cls):
        if "at_least" in spec.metadata:
            with pytest.raises(UserError, match=f"{name}: {spec.name}=.* is not allowed"):
                cls(**{spec.name: spec.metadata["at_least"] - 1})
        if "one_of" in spec.metadata:
            with pytest.raises(UserError, match="it takes one of"):
                cls(**{spec.name: "rubbish"})
