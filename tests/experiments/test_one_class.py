"""The one-class experiment: what the models may see, what is scored, and the paper's own data through it."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tkae.commands.run import main
from tkae.data.collection import Collection
from tkae.data.missingness import Uniform
from tkae.data.prepare import Split, Task
from tkae.errors import DataError
from tkae.experiments.one_class import OneClass
from tkae.models.iforest import IsolationForest
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.report.paper import printed
from tkae.settings.compose import compose

PAPER = {
    "ocsvm": "0.713", "iforest": "0.662", "pca": "0.707", "ae": "0.712", "encdec_ad": "0.719",
    "tae": "0.728", "tkae": "0.732",
}  # fmt: skip


def split_of(original: Collection, seed: int) -> Split:
    removed = original.observed & (np.random.default_rng(seed).random(original.shape) < 0.4)
    return Split(original, original.without(removed), removed)


@pytest.fixture
def task(complete: Collection, ragged: Collection) -> Task:
    return Task(split_of(complete, 0), split_of(ragged, 1), ("a", "b", "c"), 1, "drawn here")


def test_the_class_leaves_the_training_split_and_nothing_else_changes(task: Task) -> None:
    arranged = OneClass().arrange(task, seed=0)
    labels = task.train.given.labels
    assert labels is not None and arranged.train.given.labels is not None
    keep = np.flatnonzero(labels != 1)
    assert 0 < len(keep) < len(labels) and set(arranged.train.given.labels) == {0, 2}
    assert arranged.train.given.fingerprint == task.train.given.take(keep).fingerprint
    assert arranged.train.original.fingerprint == task.train.original.take(keep).fingerprint
    assert arranged.test is task.test


@pytest.mark.parametrize("entries", ["valid", "observed"])
def test_the_score_is_the_error_at_the_entries_that_the_protocol_counts(task: Task, entries: str) -> None:
    arranged = OneClass().arrange(task, seed=0)
    model = PCA(code_size=3).learn(arranged.train.given)
    test, output = task.test.given, model.reconstruct(task.test.given)
    scores = []
    for i, length in enumerate(test.lengths):
        filled = np.where(test.observed[i], test.values[i], 0.0)
        errors = (filled - output[i])[:length] ** 2
        scores.append(errors.mean() if entries == "valid" else errors[test.observed[i, :length]].mean())
    expected = roc_auc_score(test.labels == 1, scores)
    got = OneClass().measure(model, arranged, Protocol(error_entries=entries)).figures
    assert got == {"auc": pytest.approx(expected, abs=1e-12)} and 0 < expected < 1


def test_the_entries_matter_and_a_model_with_its_own_score_has_none(task: Task) -> None:
    def figure(model: PCA | IsolationForest, entries: str) -> float:
        return OneClass().measure(model, task, Protocol(error_entries=entries)).figures["auc"]

    train = OneClass().arrange(task, 0).train.given
    pca, forest = PCA(code_size=3).learn(train), IsolationForest(trees=10).learn(train)
    assert figure(pca, "valid") != figure(pca, "observed")
    assert figure(forest, "valid") == figure(forest, "observed")
    assert figure(forest, "valid") == roc_auc_score(
        task.test.given.labels == 1, forest.screen(task.test.given)
    )


def test_what_fills_a_gap_is_what_the_reconstruction_is_held_against(task: Task) -> None:
    """A code large enough reconstructs what it was given, whatever it was filled with: no error is left."""
    given = task.train.given
    for fill in ("zero", "locf"):
        model = PCA(code_size=30, fill=fill).learn(given)
        np.testing.assert_allclose(model.error(given, given.valid), 0, atol=1e-18)


def test_a_class_that_stands_out_is_found() -> None:
    rng = np.random.default_rng(0)
    t = np.arange(20)

    def split(n: int) -> Split:
        labels = rng.integers(0, 3, n)
        labels[:3] = 0, 1, 2
        speed = np.array([0.3, 1.7, 0.4])[labels]
        waves = np.sin(speed[:, None] * t + rng.uniform(0, 6, (n, 1)))
        x = Collection(waves[:, :, None], labels=labels)
        return Split(x, x, np.zeros(x.shape, dtype=bool))

    both = Task(split(200), split(90), ("slow", "fast", "slower"), 1, "none")
    arranged = OneClass().arrange(both, 0)
    seen = OneClass().measure(PCA(code_size=4).learn(both.train.given), both, Protocol()).figures["auc"]
    unseen = (
        OneClass().measure(PCA(code_size=4).learn(arranged.train.given), arranged, Protocol()).figures["auc"]
    )
    assert unseen > 0.99 and unseen > seen


def test_without_a_class_to_hide_there_is_a_sentence(task: Task) -> None:
    with pytest.raises(DataError, match=r"dataset\.positive=NAME"):
        OneClass().arrange(replace(task, positive=None), 0)
    bare = replace(task.train, given=Collection(task.train.given.values))
    with pytest.raises(DataError, match="needs labels"):
        OneClass().arrange(replace(task, train=bare), 0)
    only = task.train.take(np.flatnonzero(np.equal(task.train.given.labels, 1)))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="every training series"):
        OneClass().arrange(replace(task, train=only), 0)


def test_a_test_split_of_one_kind_has_no_figure(task: Task) -> None:
    others = task.test.take(np.flatnonzero(np.not_equal(task.test.given.labels, 1)))  # type: ignore[arg-type]
    without = replace(task, test=others)
    assert math.isnan(OneClass().measure(PCA().learn(task.train.given), without, Protocol()).figures["auc"])


@pytest.mark.parametrize(("protocol", "excluded"), [("paper", False), ("authors", False), ("clean", True)])
def test_the_controls_are_the_clean_split_where_the_protocol_has_another(
    protocol: str, excluded: bool
) -> None:
    calls = compose(["experiment=one_class", f"protocol={protocol}"], sweep=False)
    controls = {name: call for call in calls if call.control for name in call.control.models}
    own = [call for call in calls if not call.control]
    assert [call.dataset("physionet").exclude_test_from_train for call in own] == [excluded]  # type: ignore[attr-defined]
    assert set(controls) == (set() if excluded else set(own[0].models))
    for model, call in controls.items():
        assert call.dataset("physionet").exclude_test_from_train  # type: ignore[attr-defined]
        assert call.model("physionet", model) == own[0].model("physionet", model)


def test_the_papers_figures_stand_beside_ours() -> None:
    figures = {name: printed("one_class", "physionet", name, "auc") for name in PAPER}
    assert {name: one and one.value for name, one in figures.items()} == PAPER
    (call, *_) = compose(["experiment=one_class"], sweep=False)
    assert list(call.pairs()) == [("physionet", name) for name in PAPER]
    removal = call.missingness_of("physionet")
    assert removal == Uniform(rate=0.5, by="series")  # "50% of the entries in each MTS"


def test_own_data_through_the_command_line(tmp_path: Path, complete: Collection) -> None:
    names = np.array(["fine", "odd", "fine too"])[complete.labels]
    split = ["train"] * 6 + ["test"] * 6
    np.savez(tmp_path / "own.npz", values=complete.values, labels=names, split=split)
    words = ["experiment=one_class", "dataset=file", f"dataset.path={tmp_path / 'own.npz'}", "seeds=2"]
    words += ["dataset.positive=odd", "budget=smoke", f"results_dir={tmp_path}"]
    assert main([*words, "model=[ocsvm,iforest,pca]"]) == 0
    with (tmp_path / "tables" / "one_class.paper.csv").open() as file:
        rows = {row["method"]: row for row in csv.DictReader(file)}
    assert list(rows) == ["ocsvm", "iforest", "pca"]
    assert all(0 <= float(row["mean"]) <= 1 and row["n"] == "2" for row in rows.values())
