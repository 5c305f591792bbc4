"""Cells that are fitted together: each has a model of its own, and fails alone."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import pytest

from tkae.data.collection import Collection
from tkae.data.files import Files
from tkae.models.pca import PCA
from tkae.runs.cell import Cell
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.runs.worker import run_group
from tkae.settings.compose import compose


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return plan(
        compose(
            [
                "experiment=imputation",
                "dataset=japanese_vowels",
                "model=pca",
                "seeds=3",
                "missingness.rate=0.8",
            ],
            sweep=False,
        )
    )


def metrics(cells: list[Cell], results: Path) -> list[dict[str, float]]:
    records = [Store(results).read(cell) for cell in cells]
    return [record["metrics"] for record in records if record is not None]


def test_together_is_bit_equal_to_alone(cells: list[Cell], tmp_path: Path) -> None:
    for cell in cells:
        run_group([cell], tmp_path / "alone", Files())
    run_group(cells, tmp_path / "together", Files())
    alone = metrics(cells, tmp_path / "alone")
    assert len({one["mse"] for one in alone}) == 3
    assert metrics(cells, tmp_path / "together") == alone


def test_a_cell_keeps_nothing_that_was_learned(cells: list[Cell], tmp_path: Path) -> None:
    """A plan of many cells would otherwise hold every fitted model in memory."""
    run_group(cells[:1], tmp_path, Files())
    assert not any(hasattr(cells[0].model, key) for key in cells[0].model.fitted)


def test_one_that_fails_does_not_harm_the_others(
    cells: list[Cell], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = PCA.learn

    def failing(self: PCA, train: Collection, seed: int = 0) -> Self:  # type: ignore[misc]
        if seed == 1:
            raise ValueError("no\nluck")
        return learn(self, train, seed)  # type: ignore[return-value]

    monkeypatch.setattr(PCA, "learn", failing)
    outcomes = run_group(cells, tmp_path, Files())
    assert [bool(outcome.error) for outcome in outcomes] == [False, True, False]
    record = Store(tmp_path).read(cells[1])
    assert record is not None and record["status"] == "failed"
    assert record["error"].startswith("ValueError: no luck (test_replicas.py:")
    assert len(metrics([cells[0], cells[2]], tmp_path)) == 2
