"""The controlled experiments: what they measure by hand, which cells they are, and their figure."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.commands.run import main
from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.errors import DataError, UserError
from tkae.experiments.sensitivity import VaryingMissingness
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.runs.cell import Cell
from tkae.runs.plan import groups, plan
from tkae.settings.compose import compose

SWEEPS = {
    "missingness": ("missingness.rate", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"),
    "alignment_weight": ("model.alpha", "0.0,0.05,0.1,0.25,0.4,0.55,0.7,0.85,1.0"),
    "l2_weight": ("model.l2", "0.0,0.0001,0.0005,0.001,0.005,0.01"),
}
TEXT = {"cell": "lstm", "layers": 2, "p_s": 0.9, "code_size": 10, "fill": "zero"}


def cells(*words: str, sweep: bool = False) -> list[Cell]:
    return plan(compose([*words, "seeds=2"], sweep))


@pytest.fixture
def task(complete: Collection, ragged: Collection) -> Task:
    def split(original: Collection, seed: int) -> Split:
        removed = original.observed & (np.random.default_rng(seed).random(original.shape) < 0.5)
        return Split(original, original.without(removed), removed)

    return Task(split(complete, 0), split(ragged, 1), ("a", "b", "c"), None, "drawn here")


def test_measures_by_hand(task: Task) -> None:
    """Accuracy as a fraction; errors a series at a time, against zeros where nothing was observed."""
    model = PCA(code_size=3).learn(task.train.given)
    got = VaryingMissingness().measure(model, task, Protocol()).figures
    train, test = task.train.given, task.test.given
    assert train.labels is not None and test.labels is not None
    output, whole, observed = model.reconstruct(test), [], []
    for i, length in enumerate(test.lengths):
        known = test.observed[i, :length]
        shown = np.where(known, test.values[i, :length], 0.0)
        squares = (shown - output[i, :length]) ** 2
        whole.append(squares.mean())
        observed += [squares[known].mean()] if known.any() else []
    right = 0
    for code, label in zip(model.encode(test), test.labels, strict=True):
        order = np.argsort(((model.encode(train) - code) ** 2).sum(axis=1), kind="stable")
        right += np.bincount(train.labels[order[:3]]).argmax() == label
    assert got == pytest.approx(
        {"accuracy": right / len(test), "mse": np.mean(whole), "mse_observed": np.mean(observed)}
    )
    assert 0 < got["accuracy"] < 1 and got["mse"] != got["mse_observed"]


def test_labels_and_an_output_are_needed(task: Task) -> None:
    bare = Collection(task.train.given.values, task.train.given.observed)
    with pytest.raises(DataError, match="needs labels"):
        VaryingMissingness().measure(
            PCA().learn(bare), replace(task, train=replace(task.train, given=bare)), Protocol()
        )
    with pytest.raises(UserError, match="cannot reconstruct"):
        compose(["experiment=missingness", "model=tck_kpca"], sweep=False)


@pytest.mark.parametrize("name", SWEEPS)
def test_a_multirun_over_the_same_values_meets_the_same_cells(name: str) -> None:
    key, values = SWEEPS[name]
    own = cells(f"experiment={name}")
    swept = cells(f"experiment={name}", f"{key}={values}", sweep=True)
    assert {cell.key for cell in own} == {cell.key for cell in swept} and len(own) == len(swept)
    models = 2 if name == "missingness" else 1
    assert len(own) == models * 2 * len(values.split(","))
    assert all(not cell.changed and list(cell.point) == [key] for cell in [*own, *swept])


@pytest.mark.parametrize("name", SWEEPS)
def test_the_points_of_a_sweep_are_replicas(name: str) -> None:
    own = cells(f"experiment={name}")
    by_model: dict[str, list[Cell]] = {}
    for cell in own:
        by_model.setdefault(cell.model.name, []).append(cell)
    assert len(groups(own)) == sum(-(-len(alike) // 10) for alike in by_model.values())


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("missingness", {"tae": {"l2": 0.001}, "tkae": {"l2": 0.001, "alpha": 0.1}}),
        ("kernel_matrices", {"tae": {"l2": 0.001}, "tkae": {"l2": 0.001, "alpha": 0.1}}),
        ("alignment_weight", {"tkae": {"l2": 0.0}}),
        ("l2_weight", {"tkae": {"alpha": 0.5}}),
    ],
)
@pytest.mark.parametrize("protocol", ["paper", "authors", "clean"])
def test_settings_are_the_texts(name: str, own: dict[str, dict[str, Any]], protocol: str) -> None:
    authors = {"start": "last", "batch": 25, "loss": "padded", "combination": "layers"}
    rest = {"paper": {"batch": 32, "loss": "filled"}, "authors": authors, "clean": {"loss": "observed"}}
    for cell in cells(f"experiment={name}", f"protocol={protocol}"):
        expected = {**TEXT, **rest[protocol], **own[cell.model.name]}
        assert {key: cell.settings[f"model.{key}"] for key in expected} == expected
        assert cell.dataset.name == "japanese_vowels" and cell.settings["missingness"] == "uniform"
        if name != "missingness":
            assert cell.settings["missingness.rate"] == 0.8
        assert cell.settings["dataset.stretch"] == (protocol == "authors")


def test_a_small_sweep_ends_in_table_and_figure(tmp_path: Path) -> None:
    words = ["experiment=missingness", "budget=smoke", "model.layers=1", f"results_dir={tmp_path}"]
    assert main([*words, "experiment.grid.missingness.rate=[0.9,0.2]"]) == 0
    with (tmp_path / "figures" / "missingness.paper.csv").open(encoding="utf-8") as file:
        drawn = list(csv.DictReader(file))
    assert {(row["missingness.rate"], row["metric"]) for row in drawn} == {
        (rate, metric) for rate in ("0.2", "0.9") for metric in ("accuracy", "mse")
    }
    with (tmp_path / "tables" / "missingness.paper.csv").open(encoding="utf-8") as file:
        table = {(r["missingness.rate"], r["method"], r["metric"]): r for r in csv.DictReader(file)}
    assert all(row["n"] == "2" for row in [*drawn, *table.values()])
    for row in drawn:
        method = "tkae" if row["method"].startswith("TKAE") else "tae"
        assert row["mean"] == table[row["missingness.rate"], method, row["metric"]]["mean"]
    for ending in ("png", "pdf"):
        assert (tmp_path / "figures" / f"missingness.paper.{ending}").stat().st_size > 5000


def test_the_printed_accuracies_belong_to_90_percent() -> None:
    from tkae.report.paper import printed

    for cell in cells("experiment=missingness"):
        number = printed("missingness", "japanese_vowels", cell.model.name, "accuracy", cell.point)
        at_90 = cell.point["missingness.rate"] == 0.9
        expected = {"tae": "0.1", "tkae": "0.7"}[cell.model.name] if at_90 else None
        assert (number.value if number else None) == expected
