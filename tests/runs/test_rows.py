"""Cells with different settings never end in one row of a table."""

from __future__ import annotations

import pytest

from tests.report.made_up import rows_of
from tkae.models.tck import TCK
from tkae.runs.plan import groups, plan
from tkae.settings.compose import compose


def test_a_model_that_does_not_train_is_one_row_whatever_the_epochs() -> None:
    words = [
        "experiment=imputation",
        "dataset=japanese_vowels",
        "dataset=japanese_vowels",
        "model=mean",
        "seeds=2",
        "budget.epochs=10,20",
    ]
    cells = plan(compose(words, sweep=True))
    rows = [row for row in rows_of(cells) if row.metric.name == "mse"]
    assert [(row.seeds, row.changed) for row in rows] == [(2, ())]


def test_a_budget_as_it_stands_changes_no_setting() -> None:
    for budget in ("paper", "smoke"):
        cells = plan(
            compose(
                ["experiment=imputation", "dataset=japanese_vowels", "model=mean", f"budget={budget}"],
                sweep=False,
            )
        )
        assert {cell.changed for cell in cells} == {()}


def test_a_model_that_trains_is_a_row_for_each_number_of_epochs() -> None:
    words = [
        "experiment=classification",
        "dataset=japanese_vowels",
        "model=tae",
        "seeds=2",
        "budget.epochs=1,2",
    ]
    cells = plan(compose(words, sweep=True))
    assert len({cell.key for cell in cells}) == 4 and len(groups(cells)) == 2
    rows = [row for row in rows_of(cells) if row.metric.name == "accuracy"]
    assert [(row.seeds, row.changed, row.facts["model.epochs"]) for row in rows] == [
        (2, ("model.epochs",), 1),
        (2, ("model.epochs",), 2),
    ]


def test_a_smaller_budget_concludes_nothing_about_models_that_train() -> None:
    """Two epochs are no attempt at the paper's figure; what has no epochs is the same under any budget."""
    words = ["experiment=imputation", "dataset=japanese_vowels", "model=[mean,tkae]", "seeds=1"]
    for budget, verdicts in (("paper", ["not run", "not run"]), ("quick", ["not run", ""])):
        cells = plan(compose([*words, f"budget={budget}"], sweep=False))
        rows = [row for row in rows_of(cells) if row.metric.name == "mse"]
        assert [row.verdict for row in rows] == verdicts and all(row.paper for row in rows)


def test_a_new_version_of_the_kernel_redoes_what_is_aligned_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["experiment=classification", "dataset=japanese_vowels", "model=[pca,tae,tkae,tck]", "seeds=1"]
    before = {cell.model.name: cell.key for cell in plan(compose(words, sweep=False))}
    monkeypatch.setattr(TCK, "version", TCK.version + 1)
    after = {cell.model.name: cell.key for cell in plan(compose(words, sweep=False))}
    assert {name for name in before if before[name] != after[name]} == {"tkae", "tck"}


def test_a_budget_of_fewer_series_is_another_cell_only_where_it_leaves_some_out() -> None:
    words = ["experiment=imputation", "model=mean", "seeds=1"]
    paper, quick, smoke = (
        {cell.dataset.name: cell for cell in plan(compose([*words, f"budget={name}"], sweep=False))}
        for name in ("paper", "quick", "smoke")
    )
    same = {name for name in paper if paper[name].key == quick[name].key}
    assert same == {"libras", "wafer", "japanese_vowels"}  # the others have more than 1000 in a split
    assert {name for name, cell in quick.items() if not cell.shortened} == same
    assert all(cell.shortened and cell.series == 40 for cell in smoke.values())


def test_a_generator_is_asked_for_fewer_series() -> None:
    words = ["experiment=variable_length", "model=pca", "seeds=1"]
    paper, smoke = (plan(compose([*words, f"budget={name}"], sweep=False)) for name in ("paper", "smoke"))
    assert [(c.dataset.train, c.dataset.test) for c in paper] == [(400, 1000)] * 2  # type: ignore[attr-defined]
    assert [(c.dataset.train, c.dataset.test) for c in smoke] == [(40, 40)] * 2  # type: ignore[attr-defined]
    assert all(cell.series is None and cell.shortened and not cell.changed for cell in smoke)


def test_the_table_of_datasets_counts_all_series_under_every_budget() -> None:
    cells = plan(compose(["experiment=datasets", "budget=smoke"], sweep=False))
    assert all(cell.series is None and not cell.shortened for cell in cells)
