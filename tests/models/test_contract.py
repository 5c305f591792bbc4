"""What registered models do beside the contract (tests/testing): files of others, order of series."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.errors import UserError
from tkae.models.base import Model
from tkae.settings.registry import GROUPS, lookup
from tkae.testing.models import ABILITIES, outputs

MODELS = tuple(name for name in GROUPS["model"] if name != "none")
CASES = ("complete", "half_missing", "missing_variate", "missing_series", "ragged", "single")
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


def assert_alike(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], tolerance: float = 1e-9) -> None:
    assert ours.keys() == theirs.keys()
    for what in ours:
        np.testing.assert_allclose(ours[what], theirs[what], rtol=tolerance, atol=tolerance, err_msg=what)


@pytest.fixture(scope="module")
def fitted(collections: dict[str, Collection]) -> Fitted:
    """A model fitted on a case with seed 0, made once."""
    made: dict[tuple[str, str], Model] = {}

    def get(name: str, case: str) -> Model:
        if (name, case) not in made:
            made[name, case] = make(name).learn(collections[case], seed=0)
        return made[name, case]

    return get


@pytest.mark.parametrize("name", ORDER_FREE)
@every_case
def test_the_order_of_the_training_series_plays_no_part(
    fitted: Fitted, collections: dict[str, Collection], name: str, case: str
) -> None:
    x = collections[case]
    shuffled = x.take(np.random.default_rng(2).permutation(len(x)))
    assert_alike(outputs(make(name).learn(shuffled), x), outputs(fitted(name, case), x), tolerance=1e-8)


def test_abilities_follow_from_what_a_model_defines() -> None:
    def some(*names: str) -> type[Model]:
        return type("Some", (Model,), {name: lambda self, x: x for name in names})

    expected = {
        (): set(),
        ("encode",): {"encode"},
        ("classify",): {"classify"},
        ("complete",): {"complete"},
        ("screen",): {"screen"},  # a one-class method: a score, and nothing to reconstruct
        ("reconstruct",): {"reconstruct", "complete", "screen"},
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
                cls(**{spec.name: spec.metadata["at_least"] - 1}).check()
        if "one_of" in spec.metadata:
            with pytest.raises(UserError, match="it takes one of"):
                cls(**{spec.name: "rubbish"}).check()
