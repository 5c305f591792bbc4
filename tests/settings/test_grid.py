"""A grid is a sweep that an experiment brings along: ordinary cells, the same as a multirun's."""

from __future__ import annotations

from typing import Any

import pytest

from tkae.errors import UserError
from tkae.runs.cell import Cell
from tkae.runs.plan import groups, plan
from tkae.settings.compose import compose
from tkae.settings.grid import swept_values

HERE = ["dataset=japanese_vowels", "seeds=2"]
NARROW = ["experiment.grid.model.p_s=[0.9]", "experiment.grid.model.l2=[0.0]"]


def cells(*words: str, sweep: bool = False) -> list[Cell]:
    return plan(compose([*words, *HERE], sweep))


def keys(made: list[Cell]) -> set[str]:
    return {cell.key for cell in made}


def test_every_point_of_the_grid_is_a_cell_for_each_seed() -> None:
    made = cells("experiment=search_classification")
    count = {name: sum(cell.model.name == name for cell in made) for name in ("ae", "tae", "tkae")}
    assert count == {"ae": 2 * 2**4, "tae": 2 * 2 * 2 * 3 * 3, "tkae": 2 * 2 * 2 * 3 * 3 * 4}
    assert len(keys(made)) == len(made)
    points = {(c.settings["model.cell"], c.settings["model.layers"]) for c in made if c.model.name == "tae"}
    assert points == {(cell, layers) for cell in ("lstm", "gru") for layers in (1, 2, 3)}


def test_a_multirun_over_the_same_values_meets_the_same_cells() -> None:
    own = cells("experiment=search_classification", "model=tae", *NARROW)
    words = ["model.tae.cell=lstm,gru", "model.layers=1,2,3", "model.tae.p_s=0.9", "model.tae.l2=0.0"]
    swept = cells("experiment=search_classification", "model=tae", *words, sweep=True)
    assert len(own) == 12 and keys(own) == keys(swept)


def test_other_sections_are_swept_too_and_meet_a_multirun() -> None:
    own = cells("experiment=imputation", "model=[mean,pca]", "experiment.grid.missingness.rate=[0.1,0.9]")
    swept = cells("experiment=imputation", "model=[mean,pca]", "missingness.rate=0.1,0.9", sweep=True)
    assert len(own) == 8 and keys(own) == keys(swept)
    rates = {cell.missingness.rate for cell in own}  # type: ignore[attr-defined]
    assert rates == {0.1, 0.9}
    stretched = "experiment.grid.dataset.japanese_vowels.stretch=[true,false]"
    own = cells("experiment=imputation", "model=mean", stretched)
    swept = cells("experiment=imputation", "model=mean", "dataset.stretch=true,false", sweep=True)
    assert len(own) == 4 and keys(own) == keys(swept)


def test_what_the_user_asks_for_takes_the_place_of_its_axis() -> None:
    asked = ["model.tkae.alpha=0.3", "model.cell=gru", "missingness.rate=0.2"]
    rates = "experiment.grid.missingness.rate=[0.1,0.9]"
    made = cells("experiment=search_classification", "model=tkae", *asked, rates)
    assert {c.settings["model.alpha"] for c in made} == {0.3}
    assert {c.settings["model.cell"] for c in made} == {"gru"}
    assert {c.settings["missingness.rate"] for c in made} == {0.2}
    assert len(made) == 2 * 2 * 3 * 3


def test_settings_and_folds_are_replicas_of_one_shape() -> None:
    made = cells("experiment=search_classification", "model=tkae")
    for group in groups(made):
        assert len({(c.settings["model.cell"], c.settings["model.layers"]) for c in group}) == 1
    assert len(groups(made)) == 2 * 3 * -(-2 * 3 * 4 * 2 // 10)  # cells, layers, and the rest by tens


def test_search_is_both_searches() -> None:
    both = cells("experiment=search")
    names = dict.fromkeys((cell.experiment.name, cell.model.name) for cell in both)
    expected = [("search_classification", name) for name in ("ae", "tae", "tkae")]
    assert list(names) == [*expected, ("search_imputation", "dae"), ("search_imputation", "tkae")]
    rates = {(cell.experiment.name, cell.settings["missingness.rate"]) for cell in both}
    assert rates == {("search_classification", 0.8), ("search_imputation", 0.5)}


def test_axes_concern_those_that_have_the_setting() -> None:
    grid = {"model": {"l2": [0.0, 1.0], "tkae": {"alpha": [0.1]}}, "missingness": {"rate": [0.5]}}
    assert swept_values(grid, "libras", "tkae") == {
        "model.l2": [0.0, 1.0],
        "model.alpha": [0.1],
        "missingness.rate": [0.5],
    }
    assert swept_values(grid, "libras", "tae") == {"model.l2": [0.0, 1.0], "missingness.rate": [0.5]}
    assert swept_values(grid, "libras", "pca") == {"missingness.rate": [0.5]}


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({"modle": {"l2": [0.0]}}, "did you mean 'model'"),
        ({"model": {"l3": [0.0]}}, "did you mean 'l2'"),
        ({"model": {"tkea": {"l2": [0.0]}}}, "did you mean 'tkae'"),
        ({"model": {"l2": 0.0}}, "it takes a list"),
        ({"model": {"l2": []}}, "it takes a list"),
        ({"missingness": {"uniform": {"rate": [0.5]}}}, "no key of a setting"),
    ],
)
def test_a_slip_in_a_grid_is_said(grid: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        swept_values(grid, "libras", "tkae")


def test_a_wrong_value_in_a_grid_fails_before_anything_runs() -> None:
    with pytest.raises(UserError, match="one of lstm, gru"):
        cells("experiment=search_classification", "model=tae", "experiment.grid.model.cell=[lstm,rnn]")
    with pytest.raises(UserError, match=r"missingness\.rate=2"):
        cells("experiment=imputation", "model=mean", "experiment.grid.missingness.rate=[2.0]")


def test_a_budget_may_take_the_ends_of_an_axis_alone() -> None:
    words = ["experiment=imputation", "model=mean", "seeds=1", "dataset=japanese_vowels"]
    rates = "experiment.grid.missingness.rate=[0.1,0.3,0.5,0.7,0.9]"
    for most, taken in ((1, [0.1]), (2, [0.1, 0.9]), (3, [0.1, 0.5, 0.9]), (9, [0.1, 0.3, 0.5, 0.7, 0.9])):
        made = plan(compose([*words, rates, f"budget.values={most}"], False))
        assert [cell.point["missingness.rate"] for cell in made] == taken
