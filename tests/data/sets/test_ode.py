"""The paper's ODE datasets are presets: their settings, and that a name changes no number."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.data.files import Files
from tkae.data.sets.ode import ODE
from tkae.settings.registry import lookup

FILES = Files(offline=True)
CASES = {  # name -> title, V, T, the shortest
    "ode_fix": ("ODEfix", 10, 90, None),
    "ode_var": ("ODEvar", 10, 90, 30),
    "ode5": ("ODE5", 5, 50, None),
    "ode10": ("ODE10", 10, 50, None),
    "ode15": ("ODE15", 15, 50, None),
    "ode20": ("ODE20", 20, 50, None),
}


@pytest.mark.parametrize("name", CASES)
def test_settings_are_those_of_the_text(name: str) -> None:
    case = lookup("dataset", name)()
    assert (case.title, case.variates, case.steps, case.shortest) == CASES[name]
    assert (case.train, case.test, case.sparsity, case.radius, case.systems) == (400, 1000, 0.5, 0.8, 1)
    assert (case.function, case.standardise, case.draw) == ("tanh", "variate", None)


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_the_generator_with_these_settings(name: str) -> None:
    _, variates, steps, shortest = CASES[name]
    case = lookup("dataset", name)(train=4, test=3)
    plain = ODE(train=4, test=3, variates=variates, steps=steps, shortest=shortest)
    assert case.fingerprint(FILES) == plain.fingerprint(FILES)
    ours, theirs = case.load(FILES, 2), plain.load(FILES, 2)
    for split in ("train", "test"):
        assert getattr(ours, split).fingerprint == getattr(theirs, split).fingerprint


def test_variable_length_is_fixed_length_cut_short() -> None:
    whole, cut = (cls(train=30, test=5).load(FILES, 1).test for cls in (ODE, lookup("dataset", "ode_var")))
    assert cut.lengths.min() < 90 and (whole.lengths == 90).all()
    for i, length in enumerate(cut.lengths):
        np.testing.assert_array_equal(cut.values[i, :length], whole.values[i, :length])
