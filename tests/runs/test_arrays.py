"""Arrays beside a record: a figure draws them, and a cell that lost them is computed again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkae.cli import main
from tkae.compose import compose
from tkae.runs.plan import plan
from tkae.runs.runner import Run

WORDS = ["experiment=sinusoids", "model=pca", "budget=smoke", "seeds=2"]


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    made = [*WORDS, f"results_dir={tmp_path}"]
    assert main(made) == 0
    return made


def test_a_cell_that_lost_its_arrays_or_whose_arrays_changed_is_computed_again(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = sorted(tmp_path.glob("records/sinusoids/*/*/*.safetensors"))
    before = {path: path.read_bytes() for path in (first, second)}
    first.unlink()
    second.write_bytes(before[second][:-1] + b"x")
    capsys.readouterr()
    assert main(words) == 0
    said = capsys.readouterr().err
    assert "has lost its arrays, or they were changed" in said and "0 stored, 2 to compute" in said
    assert before == {path: path.read_bytes() for path in (first, second)}


def test_the_arrays_of_a_row_are_those_of_its_cells(words: list[str]) -> None:
    run = Run.of(compose(words, False))
    for cell in plan(compose(words, False)):
        arrays = run.store.arrays(cell)
        assert set(arrays) == {"series", "reconstruction", "codes"} and arrays["series"].shape == (101,)


def test_the_same_records_give_the_same_figure_byte_for_byte(words: list[str], tmp_path: Path) -> None:
    paths = sorted((tmp_path / "figures").iterdir())
    before = {path: path.read_bytes() for path in paths}
    assert {path.suffix for path in paths} == {".csv", ".pdf", ".png"}
    for path in paths:
        path.unlink()
    assert main([*words, "collect=true"]) == 0
    assert before == {path: path.read_bytes() for path in paths}
