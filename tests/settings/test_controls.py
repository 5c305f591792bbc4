"""Controls: rows of ours beside the paper's; the experiment's own sweep is no change of its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.made_up import rows_of
from tkae.commands.run import main
from tkae.errors import UserError
from tkae.experiments.classification import Classification
from tkae.report.summary import distinguishing_keys
from tkae.runs.cell import Cell
from tkae.runs.plan import plan
from tkae.settings.compose import compose

HERE = ["experiment=classification", "dataset=japanese_vowels", "seeds=2", "budget=smoke"]
SMALL = "+experiment.controls={small: {models: [pca], title: small, settings: {model.code_size: 3}"


def ours(*words: str) -> list[Cell]:
    """The cells of the control that is told on the command line: the experiment has others in its file."""
    cells = plan(compose([*HERE, *words], False))
    return [cell for cell in cells if cell.control and cell.control.name == "small"]


def test_a_control_is_the_cell_of_its_settings_and_no_change() -> None:
    made = ours(SMALL + "}}")
    by_hand = plan(compose([*HERE, "model=pca", "model.code_size=3"], False))
    assert [cell.key for cell in made] == [cell.key for cell in by_hand]
    assert {cell.changed for cell in made} == {()} and {c.changed for c in by_hand} == {("model.code_size",)}
    rows = rows_of(made)
    assert {(row.method, row.method_title, row.ours, row.paper) for row in rows} == {
        ("small", "small (ours)", True, None)
    }


def test_it_runs_with_the_experiments_own_models_where_it_is_meant() -> None:
    assert len(ours(SMALL + "}}")) == 2
    assert len(ours(SMALL + "}}", "model=pca")) == 0
    assert len(ours(SMALL + ", datasets: [ehr]}}")) == 0
    assert len(ours(SMALL + ", protocols: [clean]}}")) == 0
    assert len(ours(SMALL + ", protocols: [clean]}}", "protocol=clean")) == 2


@pytest.mark.parametrize(
    ("control", "said"),
    [
        ("{a: {models: [pca, ae], title: a}}", "of several models"),
        ("{a: {models: [pcaa], title: a}}", "unknown model 'pcaa'"),
        ("{a: {models: [pca], title: a, datasets: [her]}}", "unknown dataset 'her'"),
        ("{a: {models: [pca], title: a, settings: {fill: locf}}}", "no key of a setting"),
        ("{a: {models: [pca], title: a, settings: {model.fil: locf}}}", "unknown key 'model.pca.fil'"),
        ("{a: {models: [pca], titel: a}}", "unknown key 'experiment.controls.a.titel'"),
    ],
)
def test_a_slip_in_a_control_is_told(control: str, said: str) -> None:
    with pytest.raises(UserError, match=said.replace(".", r"\.")):
        plan(compose([*HERE, f"+experiment.controls={control}"], False))


def test_what_an_experiment_sweeps_is_a_column_and_keeps_its_verdict() -> None:
    words = ["experiment=imputation", "dataset=libras", "model=mean", "seeds=1"]
    swept = plan(compose([*words, "experiment.grid.missingness.rate=[0.5,0.9]"], False))
    assert [dict(cell.point) for cell in swept] == [{"missingness.rate": 0.5}, {"missingness.rate": 0.9}]
    assert {cell.changed for cell in swept} == {()}
    asked = plan(compose([*words, "experiment.grid.missingness.rate=[0.5]", "missingness.rate=0.9"], False))
    assert [(cell.key, cell.point) for cell in asked] == [(swept[1].key, swept[1].point)]
    assert distinguishing_keys(rows_of(swept)) == ["missingness.rate"]


def test_the_rate_is_no_axis_of_a_dataset_from_which_nothing_is_removed() -> None:
    words = ["experiment=classification", "dataset=[ehr,japanese_vowels]", "model=pca", "seeds=1"]
    made = plan(compose([*words, "experiment.grid.missingness.rate=[0.5,0.9]"], False))
    assert [(cell.dataset.name, dict(cell.point)) for cell in made] == [
        ("ehr", {}),
        ("japanese_vowels", {"missingness.rate": 0.5}),
        ("japanese_vowels", {"missingness.rate": 0.9}),
    ]


def test_our_rows_are_marked_in_the_tables(tmp_path: Path) -> None:
    words = [*HERE[:2], "model=[pca,tck]", "budget=smoke", "seeds=1", f"results_dir={tmp_path}"]
    assert main(words) == 0
    text = (tmp_path / "tables" / "classification.paper.md").read_text()
    assert "TCK (ours)" in text and "PCA (ours)" not in text


@pytest.mark.parametrize("protocol", ["paper", "authors", "clean"])
def test_a_control_that_is_the_same_as_a_model_is_no_row_of_its_own(protocol: str) -> None:
    """Under the authors' protocol PCA fills EHR by LOCF already."""
    calls = compose(["experiment=classification", f"protocol={protocol}", "seeds=1"], sweep=False)
    rows = rows_of(plan(calls))
    asked = sum(len(list(call.pairs())) for call in calls)
    assert len(rows) == (asked - (protocol == "authors")) * len(Classification.metrics)
    ehr = {row.method for row in rows if row.dataset == "ehr"}
    assert "pca" in ehr and ("pca_locf" in ehr) == (protocol != "authors")
