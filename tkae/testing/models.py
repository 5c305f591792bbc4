"""What every model keeps to, whatever it learns: `check_model`."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection
from tkae.errors import DataError, NotSupported
from tkae.models.base import Model
from tkae.models.files import load
from tkae.testing.series import awkward, planted

ABILITIES = ("encode", "similarity", "classify", "reconstruct", "complete", "screen")
Outputs = dict[str, npt.NDArray[np.generic]]


def check_model(model: Model, draws: bool | None = None) -> None:
    """Raise an AssertionError that says in which way a model breaks the contract, if it does.

    The model is not fitted and has the settings to be checked: few epochs will do. `draws` says whether
    chance enters its numbers: then another seed must change them, else it must not.
    """
    _check_abilities(model)
    _check_unfitted(model)
    cases = awkward()
    fitted = {case: replace(model).learn(x, seed=0) for case, x in cases.items()}
    for case, x in cases.items():
        where = f"{model.name} on '{case}' series"
        for trained in (fitted[case], fitted["ragged"]):
            _check_outputs(trained, x, where)
        if model.can("complete"):
            _check_imputation(fitted["ragged"], x, where)
        _check_hidden_entries(model, fitted[case], x, where)
        _check_padding(model, fitted[case], x, where)
        _check_company(fitted["half_missing"], x, where)
        _check_same_seed(model, fitted[case], cases["complete"], x, where)
        _check_storage(fitted[case], [x, cases["ragged"]], where)
    for case, x in awkward().items():
        kept = cases[case].fingerprint == x.fingerprint
        assert kept, f"{model.name} on '{case}' series: the series are changed by learning or use"
    _check_replicas(model, [cases[case] for case in ("half_missing", "complete", "half_missing")])
    _check_refusals(fitted["complete"], cases["complete"])
    if draws is not None:
        other = outputs(replace(model).learn(cases["complete"], seed=1), cases["complete"])
        changed = not _same_bits(other, outputs(fitted["complete"], cases["complete"]))
        assert changed == draws, (
            f"{model.name}: another seed {'changes' if changed else 'does not change'} its numbers"
        )


def outputs(model: Model, x: Collection) -> Outputs:
    """All that the model can make of the series, as arrays whose first axis is the series."""
    made = {what: getattr(model, what)(x) for what in ABILITIES if model.can(what)}
    return {what: out.values if isinstance(out, Collection) else out for what, out in made.items()}


def _same_bits(ours: Outputs, theirs: Outputs) -> bool:
    return all(ours[what].tobytes() == theirs[what].tobytes() for what in ours.keys() | theirs.keys())


def _assert_alike(ours: Outputs, theirs: Outputs, sentence: str) -> None:
    for what, out in ours.items():
        assert np.allclose(out, theirs[what], rtol=1e-9, atol=1e-9), f"{sentence}: {what} differs"


def _check_abilities(model: Model) -> None:
    assert getattr(model, "name", ""), f"{type(model).__name__} has no name: set the class variable `name`"
    assert getattr(model, "title", ""), f"{model.name} has no title: tables need what to call it"
    assert type(model).learn is not Model.learn, f"{model.name} has no learn"
    can = [what for what in ABILITIES if model.can(what)]
    assert can, f"{model.name} can do nothing: define at least one of {', '.join(ABILITIES)}"


def _check_unfitted(model: Model) -> None:
    x = awkward()["complete"]
    for what in ABILITIES:
        if model.can(what):
            _assert_raises(model, what, x, NotSupported, "not fitted yet", "before it is fitted")


def _check_outputs(model: Model, x: Collection, where: str) -> None:
    for what, out in outputs(model, x).items():
        assert np.isfinite(out).all(), f"{where}: {what} gives a number that is not finite"
        kind = np.int64 if what == "classify" else np.float64
        assert out.dtype == kind, f"{where}: {what} gives {out.dtype} where {kind.__name__} is wanted"
        wanted = {"screen": (len(x),), "classify": (len(x),), "reconstruct": x.shape, "complete": x.shape}
        shape = wanted.get(what, (len(x), *out.shape[1:2]))
        assert out.shape == shape and out.size, f"{where}: {what} has the shape {out.shape}, not {shape}"
        if what in ("reconstruct", "complete"):
            assert not out[~x.valid].any(), f"{where}: {what} is not 0 in the padding"


def _check_imputation(model: Model, x: Collection, where: str) -> None:
    whole = model.complete(x)
    assert not whole.missing.any(), f"{where}: complete leaves entries missing"
    assert np.array_equal(whole.valid, x.valid), f"{where}: complete changes the lengths"
    kept = whole.values[x.observed].tobytes() == x.values[x.observed].tobytes()
    assert kept, f"{where}: complete changes what was observed"
    about = (whole.names, whole.variates) == (x.names, x.variates)
    assert about and np.array_equal(whole.labels, x.labels), f"{where}: complete loses names or labels"  # type: ignore[arg-type]
    if model.can("reconstruct"):
        filled = np.array_equal(whole.values[x.missing], model.reconstruct(x)[x.missing])
        assert filled, f"{where}: complete fills in something else than reconstruct says"


def _check_hidden_entries(model: Model, fitted: Model, x: Collection, where: str) -> None:
    """Padding and missing are no numbers: whatever stands there enters neither training nor use."""
    expected, other = outputs(fitted, x), planted(x)
    sentence = f"{where}: values under missing entries or padding enter the"
    _assert_alike(outputs(fitted, other), expected, f"{sentence} outputs")
    _assert_alike(outputs(replace(model).learn(other, seed=0), x), expected, f"{sentence} training")


def _check_padding(model: Model, fitted: Model, x: Collection, where: str) -> None:
    steps, longer = x.shape[1], x.padded(x.shape[1] + 5)
    expected = outputs(fitted, x)
    for trained in (fitted, replace(model).learn(longer, seed=0)):
        got = outputs(trained, longer)
        for what in ("reconstruct", "complete"):
            if what in got:
                got[what] = got[what][:, :steps]
        _assert_alike(got, expected, f"{where}: more padding changes the numbers")


def _check_company(model: Model, x: Collection, where: str) -> None:
    expected = outputs(model, x)
    order = np.random.default_rng(1).permutation(len(x))
    for rows in (order, np.array([0]), np.array([len(x) - 1])):
        some = {what: out[rows] for what, out in expected.items()}
        _assert_alike(
            outputs(model, x.take(rows)), some, f"{where}: a series' numbers depend on those beside it"
        )


def _check_same_seed(model: Model, fitted: Model, other: Collection, x: Collection, where: str) -> None:
    again = replace(model).learn(other, seed=5)  # another life must leave no trace
    assert again.learn(x, seed=0) is again, f"{model.name}: learn does not return the model"
    same = _same_bits(outputs(again, x), outputs(fitted, x))
    assert same, f"{where}: the same seed and series do not give the same bits"


def _check_storage(model: Model, cases: list[Collection], where: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.safetensors", Path(folder) / "second.safetensors"
        model.remember(cases[0], cases[0], None)
        model.save(first)
        loaded = load(first, type(model))
        loaded.save(second)
        assert first.read_bytes() == second.read_bytes(), f"{where}: saved twice, the files differ"
    assert type(loaded) is type(model) and loaded == model, f"{where}: load gives other settings"
    for x in cases:
        same = _same_bits(outputs(loaded, x), outputs(model, x))
        assert same, f"{where}: after save and load the numbers differ (is every array named in `fitted`?)"


def _check_replicas(model: Model, trains: list[Collection]) -> None:
    seeds = list(range(len(trains)))
    together = type(model).learn_replicas([replace(model) for _ in trains], trains, seeds)
    for replica, train, seed in zip(together, trains, seeds, strict=True):
        assert isinstance(replica, Model), f"{model.name}: a replica fails: {replica}"
        alone = outputs(replace(model).learn(train, seed), train)
        same = _same_bits(outputs(replica, train), alone)
        assert same, f"{model.name}: fitted beside others it gives other bits than alone"


def _check_refusals(model: Model, x: Collection) -> None:
    for what in ABILITIES:
        if not model.can(what):
            _assert_raises(model, what, x, NotSupported, "cannot", "though it cannot")
            continue
        for width in (x.shape[2] - 1, x.shape[2] + 1):
            other = Collection(np.ones((2, x.shape[1], width)))
            _assert_raises(model, what, other, DataError, f"{width}", f"for {width} variates instead of 3")


def _assert_raises(
    model: Model, what: str, x: Collection, error: type[Exception], words: str, when: str
) -> None:
    try:
        getattr(model, what)(x)
    except error as told:
        assert words in str(told), f"{model.name}.{what} {when} says '{told}', which lacks '{words}'"
    except Exception as other:
        raise AssertionError(
            f"{model.name}.{what} {when} raises {other!r}, not {error.__name__}: see Model._learned and "
            "Model._for"
        ) from other
    else:
        raise AssertionError(f"{model.name}.{what} {when} raises no {error.__name__}")
