"""Records that were cut, changed or copied are not trusted: reported, and computed again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.runs.plan import groups, plan
from tkae.runs.store import Store
from tkae.settings.compose import compose

WORDS = ("experiment=imputation", "dataset=japanese_vowels", "model=[mean,locf]", "seeds=2")


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    assert main([*WORDS, f"results_dir={tmp_path}"]) == 0
    return tmp_path


def records(folder: Path) -> list[Path]:
    return sorted(folder.rglob("records/**/*.json"))


def cut(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


def empty(path: Path, other: Path) -> None:
    path.write_bytes(b"")


def edited(path: Path, other: Path) -> None:
    content = json.loads(path.read_text())
    content["record"]["metrics"]["mse"] = 0.0
    path.write_text(json.dumps(content))


def copied(path: Path, other: Path) -> None:
    path.write_bytes(other.read_bytes())


def foreign(path: Path, other: Path) -> None:
    path.write_text('["something", "else"]')


def binary(path: Path, other: Path) -> None:
    path.write_bytes(bytes(range(128, 256)))


def renamed(path: Path, other: Path) -> None:
    """Another cell's record whose key was made to fit."""
    content = json.loads(other.read_text())
    content["key"] = path.stem
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("damage", [cut, empty, edited, copied, foreign, binary, renamed])
def test_a_damaged_record_is_reported_and_computed_again(damage, stored: Path, capsys) -> None:
    first, second = records(stored)[:2]
    before = json.loads(first.read_text())["record"]["metrics"]
    damage(first, second)
    assert main([*WORDS, f"results_dir={stored}"]) == 0
    said = capsys.readouterr().err
    assert f"warning: {first}" in said and "it is computed again" in said
    assert "4 cells: 3 stored, 1 to compute" in said
    assert json.loads(first.read_text())["record"]["metrics"] == before


def test_a_record_says_how_it_came_about(stored: Path) -> None:
    record = json.loads(records(stored)[0].read_text())["record"]
    assert record["status"] == "done" and record["threads"] == 1
    assert record["identity"]["missingness"] == {"name": "uniform"}  # the rest is as it always was
    story = record["story"]
    assert (story["dataset_title"], story["method_title"], story["seeds"]) == ("Jp. Vow.", "LOCF", 10)
    assert story["settings"]["missingness.rate"] == 0.5 and story["budget"]["epochs"] == 5000
    assert story["changed"] == [] and not story["shortened"] and not story["control"]
    assert record["environment"]["packages"]["numpy"]
    assert set(record["seconds"]) >= {"prepare", "fit", "measure", "total"}
    assert "results_dir" not in json.dumps(record["identity"])


def test_identity_ignores_place_executor_and_number_of_seeds() -> None:
    def keys(*words: str) -> set[str]:
        return {cell.key for cell in plan(compose([*WORDS, *words], sweep=False))}

    assert keys() == keys("results_dir=elsewhere", "executor=processes", "executor.jobs=2")
    assert keys("seeds=1") < keys()
    assert not keys() & keys("missingness.seed=1")
    assert not keys() & keys("protocol=clean")
    assert not keys() & keys("missingness.rate=0.4")
    assert keys() == keys("budget=quick", "seeds=2")  # these models do not train


def test_a_new_version_of_a_model_is_another_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    from tkae.models.mean import MeanFill

    words = ["experiment=imputation", "dataset=japanese_vowels", "model=mean", "seeds=1"]
    (before,) = plan(compose(words, sweep=False))
    key = before.key
    monkeypatch.setattr(MeanFill, "version", 99)
    (after,) = plan(compose(words, sweep=False))
    assert after.key != key


def test_cells_of_one_shape_are_grouped_as_replicas(monkeypatch: pytest.MonkeyPatch) -> None:
    from tkae.models.pca import PCA

    cells = plan(compose([*WORDS[:2], "model=[mean,pca]", "missingness.rate=0.1,0.5", "seeds=5"], sweep=True))
    assert {len(group) for group in groups(cells)} == {1}
    monkeypatch.setattr(PCA, "replicas_at_once", 4)
    sizes = [len(group) for group in groups(cells) if group[0].model.name == "pca"]
    assert sizes == [4, 4, 2]  # missing rates are replicas, too
    assert sorted(cell.key for group in groups(cells) for cell in group) == sorted(cell.key for cell in cells)


def test_a_store_reads_nothing_where_nothing_is(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert [store.read(cell) for cell in plan(compose(list(WORDS), sweep=False))] == [None] * 4
    assert store.distrusted == {} and list(tmp_path.iterdir()) == []
