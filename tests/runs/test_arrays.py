"""Arrays beside a record: a figure draws them, and a cell that lost them is computed again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.runs.plan import plan
from tkae.runs.runner import Run
from tkae.settings.compose import compose

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
    assert main(words) == 0  # it finds the damage where it draws them
    said = capsys.readouterr().err
    assert "has lost its arrays" in said and "1 stored, 1 to compute" in said
    assert f"{second} is damaged and was removed" in said
    assert main(words) == 0
    assert "1 stored, 1 to compute" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in (first, second)}


def test_the_arrays_of_a_row_are_those_of_its_cells(words: list[str]) -> None:
    run = Run.of(compose(words, False))
    for cell in plan(compose(words, False)):
        entry = cell.entry(run.records[cell.key])
        drawn, outcomes = (run.store.arrays(entry, kind) for kind in ("figure", "outcome"))
        assert set(drawn) == {"series", "reconstruction", "codes"} and drawn["series"].shape == (101,)
        assert set(outcomes) == {"mse"} and len(outcomes["mse"]) == 40
        figure = run.records[cell.key]["metrics"]["mse"]
        assert outcomes["mse"].mean(dtype=float) == pytest.approx(figure, rel=1e-6)


def test_the_same_records_give_the_same_figure_byte_for_byte(words: list[str], tmp_path: Path) -> None:
    paths = sorted((tmp_path / "figures").iterdir())
    before = {path: path.read_bytes() for path in paths}
    assert {path.suffix for path in paths} == {".csv", ".pdf", ".png"}
    for path in paths:
        path.unlink()
    assert main([*words, "collect=true"]) == 0
    assert before == {path: path.read_bytes() for path in paths}
