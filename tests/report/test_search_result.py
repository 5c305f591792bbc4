"""The choice among settings, from fabricated records: the lowest mean error, and never from half a grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.report.made_up import rows_of
from tkae.report.by_name import added_table_of
from tkae.report.grid import Grid
from tkae.report.search_result import same
from tkae.report.tables import markdown
from tkae.runs.cell import Cell
from tkae.runs.plan import plan
from tkae.settings.compose import compose

WORDS = ["experiment=search_classification", "dataset=japanese_vowels", "model=tkae", "seeds=3"]
WORDS += ["model.tkae.p_s=0.8", "model.tkae.alpha=0.1"]  # left: cell x layers x lambda, 12 settings
PAPER = {"cell": "lstm", "layers": 2, "l2": 0.001}


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return plan(compose(WORDS, sweep=False))


def is_at(cell: Cell, /, **point: Any) -> bool:
    return all(cell.settings[f"model.{key}"] == value for key, value in point.items())


def table(cells: list[Cell], record: Callable[[Cell], dict[str, Any] | None]) -> Grid:
    held = {cell.key: made for cell in cells if (made := record(cell)) is not None}
    made = added_table_of(cells[0].experiment, rows_of(cells, held), "how")
    assert made is not None
    return made


def done(error: float | None) -> dict[str, Any]:
    return {"status": "done", "metrics": {"cv_error": error}, "masks": ""}


def found(made: Grid) -> dict[str, tuple[Any, str]]:
    return {row["hyperparameter"]: (row["found"], row["verdict"]) for row in made.long}


def test_the_lowest_mean_over_folds_is_chosen(cells: list[Cell]) -> None:
    best = {"cell": "gru", "layers": 2, "l2": 0.0}

    def record(cell: Cell) -> dict[str, Any]:
        if is_at(cell, **best):
            return done([0.3, 0.3, 0.3][cell.seed])
        if is_at(cell, **PAPER):
            return done([0.1, 0.5, 0.6][cell.seed])  # lowest on one fold, not on the mean
        return done(0.5)

    made = table(cells, record)
    assert found(made) == {
        "cell": ("GRU", "differs"),
        "layers": ("2", "reproduced"),
        "lambda": ("0", "differs"),
        "p_s": ("0.8", ""),  # asked for: neither found nor judged
        "alpha": ("0.1", ""),
    }
    assert made.long[0]["cv_error"] == pytest.approx(0.3)
    assert made.long[0]["cv_error_paper"] == pytest.approx(0.4)
    text = markdown(made)
    assert (
        "| found | GRU (differs) | 2 (reproduced) | 0.8 | 0 (differs) | 0.1 | 0.3000 ± 0.0000 | 12 |" in text
    )
    assert "| paper | LSTM | 2 | 0.8 | 0.001 | 0.1 | 0.4000 ± 0.2646 |  |" in text


@pytest.mark.parametrize("lost", [1, 3])
def test_nothing_is_chosen_while_a_setting_is_missing(cells: list[Cell], lost: int) -> None:
    def record(cell: Cell) -> dict[str, Any] | None:
        return None if is_at(cell, cell="gru", layers=3, l2=0.0) and cell.seed < lost else done(0.5)

    made = table(cells, record)
    assert found(made)["cell"] == (None, "not run")
    assert made.long[0]["missing"] == 1 and made.long[0]["complete"] == 11
    assert "12: 1 missing" in markdown(made)


def test_a_setting_that_failed_is_passed_over_and_counted(cells: list[Cell]) -> None:
    def record(cell: Cell) -> dict[str, Any]:
        if is_at(cell, cell="gru", layers=1, l2=0.0):
            return {"status": "failed", "error": "diverged"} if cell.seed == 1 else done(0.0)
        return done(0.2 if is_at(cell, **PAPER) else 0.5)

    made = table(cells, record)
    assert [found(made)[name] for name in ("cell", "layers")] == [("LSTM", "reproduced"), ("2", "reproduced")]
    assert "12: 1 failed" in markdown(made)


def test_if_all_failed_nothing_is_found(cells: list[Cell]) -> None:
    made = table(cells, lambda cell: {"status": "failed", "error": "no data"})
    assert found(made)["cell"] == (None, "not run") and "12: 12 failed" in markdown(made)


def test_other_sweeps_do_not_mix_in_one_choice() -> None:
    cells = plan(compose([*WORDS, "missingness.rate=0.5,0.9"], sweep=True))

    def record(cell: Cell) -> dict[str, Any]:
        low = {"cell": "gru"} if cell.settings["missingness.rate"] == 0.5 else {"cell": "lstm"}
        return done(0.1 if is_at(cell, layers=3, **low) else 0.5)

    chosen = {row["missingness.rate"]: row["found"] for row in table(cells, record).long[::5]}
    assert chosen == {"0.5": "GRU", "0.9": "LSTM"}


def test_words_and_numbers_as_printed() -> None:
    assert same("1", "1.0") and same("0.001", "0.001") and same("LSTM", "lstm") and same("0", "0.0")
    assert not same("lin.", "sig.") and not same("0", "0.001")


def test_a_linear_decoder_is_lin_and_another_its_activation() -> None:
    words = ["experiment=search_imputation", "dataset=libras", "model=dae", "seeds=1"]
    cells = plan(compose(words, sweep=False))
    low = {"activation": "sigmoid", "linear_decoder": False, "l2": 0.001, "tied": False}
    made = table(cells, lambda cell: done(0.1 if is_at(cell, **low) else 0.2))
    expected = {"activation": "sig.", "tied": "no", "lambda": "0.001"}  # the paper's own on Libras
    assert found(made) == {name: (value, "reproduced") for name, value in expected.items()}
