"""The search: folds of the training split alone, the error that is compared, and a small one to its end."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tkae.commands.run import main
from tkae.data.collection import Bools, Collection, Floats
from tkae.data.files import Files
from tkae.data.prepare import Split, Task, prepare
from tkae.errors import DataError
from tkae.experiments.search import SearchClassification, held_out
from tkae.models.ae import AE
from tkae.models.mean import MeanFill
from tkae.protocol import Protocol
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.runs.worker import run_group
from tkae.settings.compose import compose

WORDS = ["dataset=japanese_vowels", "budget.epochs=1", "model.p_s=0.9", "model.l2=0.0", "model.tkae.G=2"]
SEARCH = SearchClassification()


@pytest.mark.parametrize(("n", "folds"), [(6, 5), (20, 5), (21, 5), (270, 5), (23, 3)])
def test_folds_are_disjoint_and_of_one_size(n: int, folds: int) -> None:
    lengths = np.random.default_rng(0).integers(3, 9, size=n)
    lengths[n // 2] = 30
    held = [held_out(lengths, folds, seed) for seed in range(folds)]
    assert {len(fold) for fold in held} == {(n - 1) // folds}
    together = np.concatenate(held)
    assert len(set(together)) == len(together) and together.min() >= 0 and together.max() < n
    assert n - len(together) <= folds  # what is never held out
    assert n // 2 not in together  # the longest: networks have one size on all folds


def test_folds_are_drawn_once_for_a_round_of_seeds() -> None:
    lengths = np.full(40, 7)
    again = [held_out(lengths, 5, seed) for seed in range(10)]
    assert all(np.array_equal(again[s], held_out(lengths, 5, s)) for s in range(10))
    assert not np.array_equal(again[0], again[5])  # a second round parts them anew
    assert len(set(np.concatenate(again[5:]))) == 5 * 7
    assert not np.array_equal(np.concatenate(again[:5]), np.arange(35))


def test_too_few_series_for_the_folds() -> None:
    with pytest.raises(DataError, match=r"lower experiment\.folds"):
        held_out(np.full(5, 3), 5, 0)


def numbered(start: int, count: int) -> Split:
    """Series that can be told apart by their values, some entries removed."""
    values = np.arange(start, start + count)[:, None, None] + np.zeros((1, 4, 2))
    removed: Bools = np.random.default_rng(start).random(values.shape) < 0.4
    whole = Collection(values, names=tuple(str(i) for i in range(start, start + count)))
    return Split(whole, whole.without(removed), removed)


def test_the_test_split_never_enters() -> None:
    task = Task(numbered(1, 22), numbered(1000, 9), (), None, "")
    seen = []
    for seed in range(5):
        made = SEARCH.arrange(task, seed)
        train, held = (set(split.original.names) for split in (made.train, made.test))
        assert not train & held and train | held == set(task.train.original.names)
        for split in (made.train, made.test):
            assert split.original.values.max() < 1000
            rows = [int(name) - 1 for name in split.original.names]
            assert np.array_equal(split.removed, task.train.removed[rows])
            assert np.array_equal(split.given.values, task.train.given.values[rows])
        seen.append(held)
    assert len(set.union(*seen)) == 20


def test_the_error_counts_what_the_loss_counts(ragged: Collection) -> None:
    """A model that gives 0 everywhere: its error is the mean square of what its loss looks at."""

    class Zero(AE):
        def reconstruct(self, x: Collection) -> Floats:
            return np.zeros(x.shape)

    split = Split(ragged, ragged, np.zeros(ragged.shape, dtype=bool))
    task = Task(split, split, (), None, "")
    squares = (ragged.values[ragged.observed] ** 2).sum()

    def error(**settings: str) -> float:
        return SEARCH.measure(Zero(**settings), task, Protocol()).figures["cv_error"]  # type: ignore[arg-type]

    assert error(loss="observed") == pytest.approx(squares / ragged.observed.sum())
    assert error(loss="filled") == pytest.approx(squares / ragged.valid.sum())
    assert error(loss="filled", fill="locf") > error(loss="filled")


def test_without_anything_to_compare_there_is_no_error(ragged: Collection) -> None:
    nothing = replace(numbered(1, 3), given=numbered(1, 3).original.without(np.ones((3, 4, 2), dtype=bool)))
    model = AE(loss="observed", epochs=1).learn(numbered(1, 3).given)
    measured = SEARCH.measure(model, Task(nothing, nothing, (), None, ""), Protocol()).figures
    assert np.isnan(measured["cv_error"])
    assert not MeanFill.can("reconstruct")  # and a model that has none is refused beforehand


def test_a_fold_gives_the_same_bits_alone_and_in_company(tmp_path: Path) -> None:
    words = [
        "experiment=search_classification",
        "model=[ae,tae]",
        "model.ae.tied=false",
        "seeds=3",
        *WORDS[:4],
    ]
    words += ["model.ae.linear_decoder=true", "model.activation=tanh", "model.tae.cell=gru", "model.layers=1"]
    cells = plan(compose([*words], sweep=False))
    for name in ("ae", "tae"):
        group = [cell for cell in cells if cell.model.name == name]
        assert len(group) == 3
        run_group(group, tmp_path / "together", Files())
        run_group(group[1:2], tmp_path / "alone", Files())
        together, alone = (Store(tmp_path / where).read(group[1]) for where in ("together", "alone"))
        assert together is not None and alone is not None
        assert together["status"] == "done" and together["metrics"] == alone["metrics"]
        cell = group[1]  # and they are those of the fold, by hand
        task = SEARCH.arrange(prepare(cell.dataset, cell.missingness, cell.protocol, Files(), 1), 1)
        model = replace(cell.model).learn(task.train.given, 1)
        assert SEARCH.measure(model, task, cell.protocol).figures == alone["metrics"]


def test_a_small_search_ends_in_both_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS, "experiment=search", "model=tkae", "model.tkae.alpha=0.1", "budget.seeds=2"]
    words += ["experiment.grid.model.layers=[1,2]", f"results_dir={tmp_path}"]
    assert main([*words, "dry_run=true"]) == 0
    said = capsys.readouterr().out
    assert "search_imputation.paper japanese_vowels tkae, 4 settings: 8 to compute" in said
    assert "16 cells: 0 stored, 16 to compute" in said
    assert main(words) == 0
    for name in ("search_classification", "search_imputation"):
        tables = {path.name for path in (tmp_path / "tables").iterdir()}
        assert {
            f"{name}{part}.paper.{end}" for part in ("", "_found") for end in ("csv", "tex", "md")
        } <= tables
        with (tmp_path / "tables" / f"{name}.paper.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 4 and all(row["n"] == "2" for row in rows)
        with (tmp_path / "tables" / f"{name}_found.paper.csv").open(encoding="utf-8") as file:
            found = {row["hyperparameter"]: row for row in csv.DictReader(file)}
        assert float(found["cell"]["cv_error"]) == min(float(row["mean"]) for row in rows)
        assert found["cell"]["verdict"] in ("reproduced", "differs") and found["cell"]["paper"] == "LSTM"
        assert found["p_s"]["verdict"] == ""  # it was given, not found
