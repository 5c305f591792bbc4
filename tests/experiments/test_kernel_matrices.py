"""Fig. alignment: what is measured and kept of a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.errors import DataError
from tkae.evaluation.similarity import in_own_units
from tkae.experiments.ehr_density import EHRDensity
from tkae.experiments.kernel_matrices import KernelMatrices
from tkae.models.pca import PCA
from tkae.models.tck import TCK
from tkae.models.tkae import TKAE
from tkae.protocol import Protocol
from tkae.report.figures.kernel_matrices import whole
from tkae.runs.plan import plan
from tkae.settings.compose import compose

# Cheap cells: the shape that other tests compile anyway, a step or two of training.
CHEAP = ["budget=smoke", "model.layers=1"]


@pytest.fixture
def task(complete: Collection, ragged: Collection) -> Task:
    made = [Split(x, x, np.zeros(x.shape, dtype=bool)) for x in (complete, ragged)]
    return Task(made[0], made[1], ("a", "b", "c"), None, "none")


def unlabelled(task: Task) -> Task:
    bare = Collection(task.test.given.values, task.test.given.observed, task.test.given.lengths)
    return replace(task, test=replace(task.test, given=bare))


def test_the_kernel_is_that_of_the_training_series_mixtures(task: Task) -> None:
    model = PCA(code_size=3).learn(task.train.given)
    kernel = TCK(G=2, dtype="float32").learn(task.train.given, 0).kernel(task.test.given).astype(np.float64)
    codes, labels = model.encode(task.test.given), task.test.given.labels
    assert labels is not None
    products, n = codes @ codes.T, len(labels)
    got = KernelMatrices(mixtures=2).measure(model, task, Protocol()).figures
    assert set(got) == {metric.name for metric in KernelMatrices.metrics}
    ratio = (kernel * products).sum() / np.linalg.norm(kernel) / np.linalg.norm(products)
    loss = np.linalg.norm(products / np.linalg.norm(products) - kernel / np.linalg.norm(kernel))
    assert got["alignment"] == pytest.approx(ratio) and got["alignment_loss"] == pytest.approx(loss)
    for prefix, matrix in (("kernel_", kernel), ("", products)):
        unit = np.trace(matrix) / n
        pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
        within = np.mean([matrix[i, j] for i, j in pairs if labels[i] == labels[j]]) / unit
        between = np.mean([matrix[i, j] for i, j in pairs if labels[i] != labels[j]]) / unit
        assert (got[f"{prefix}within"], got[f"{prefix}between"]) == pytest.approx((within, between))
    assert got["contrast"] == got["within"] - got["between"]


def test_what_is_kept_is_sorted_by_class(task: Task) -> None:
    model, experiment = PCA(code_size=3).learn(task.train.given), KernelMatrices(mixtures=2)
    measured = experiment.measure(model, task, Protocol())
    arrays, figures = measured.drawn, measured.figures
    labels = arrays["labels"].astype(int)
    assert (np.diff(labels) >= 0).all() and len(labels) == len(task.test.given)
    products = in_own_units(arrays["codes"] @ arrays["codes"].T)
    for prefix, matrix in (("kernel_", whole(arrays["kernel"], len(labels))), ("", products)):
        assert np.diag(matrix).mean() == pytest.approx(1, abs=1e-3)
        same = (labels[:, None] == labels) & ~np.eye(len(labels), dtype=bool)
        assert matrix[same].mean() == pytest.approx(figures[f"{prefix}within"], abs=1e-3)


def test_a_tkae_is_held_against_the_kernel_it_was_aligned_to(task: Task) -> None:
    def kernel(model: TKAE, mixtures: int) -> np.ndarray:
        fitted = model.learn(task.train.given)
        return KernelMatrices(mixtures=mixtures).measure(fitted, task, Protocol()).drawn["kernel"]

    small = {"layers": 1, "epochs": 1, "code_size": 2}
    own = kernel(TKAE(G=3, **small), mixtures=1)  # type: ignore[arg-type]
    assert np.array_equal(own, kernel(TKAE(G=3, **small), mixtures=2))  # type: ignore[arg-type]
    assert not np.array_equal(own, kernel(TKAE(G=1, **small), mixtures=1))  # type: ignore[arg-type]


def test_where_series_carry_kernels_these_are_compared(task: Task) -> None:
    """As under `protocol=authors`, whose files hold kernels of both splits."""
    labels = task.test.given.labels
    assert labels is not None
    blocks = (labels[:, None] == labels) + 0.0
    carrying = replace(task, test=replace(task.test, given=task.test.given.with_kernel(5.0 * blocks)))
    got = (
        KernelMatrices(mixtures=1)
        .measure(PCA(code_size=3).learn(task.train.given), carrying, Protocol())
        .figures
    )
    assert (got["kernel_within"], got["kernel_between"]) == (1, 0)


def test_the_authors_kernel_is_the_one_in_their_file(mirror: Path) -> None:
    from scipy.io import loadmat

    from tkae.data.files import Files
    from tkae.data.prepare import prepare

    words = ["experiment=kernel_matrices", "protocol=authors", "model=tae", "seeds=1"]
    (cell,) = plan(compose(words, sweep=False))
    files = Files(mirror=mirror)
    task = prepare(cell.dataset, cell.missingness, cell.protocol, files, 0)
    remote = cell.dataset.published[0.8]
    stored = loadmat(files.get(remote), variable_names=["Ktete"])["Ktete"]
    labels = task.test.given.labels
    assert labels is not None
    sort = np.argsort(labels, kind="stable")
    drawn = KernelMatrices().measure(PCA(code_size=3).learn(task.train.given), task, cell.protocol).drawn
    shown = whole(drawn["kernel"], len(labels))
    assert np.allclose(shown, stored[np.ix_(sort, sort)] / np.diag(stored).mean(), rtol=1e-3)


def test_mixtures_follow_the_budget_and_the_kernels_version_is_in_the_cells() -> None:
    for budget, mixtures in (("paper", 30), ("quick", 5), ("smoke", 1)):
        made = plan(compose(["experiment=kernel_matrices", f"budget={budget}", "seeds=1"], sweep=False))
        assert [cell.model.name for cell in made] == ["tae", "tkae"]
        assert {cell.settings["experiment.mixtures"] for cell in made} == {mixtures}
        assert made[1].settings["model.G"] == mixtures
        assert all(cell.experiment.method_versions() == {"tck": TCK.version} for cell in made)
        assert not any(cell.changed for cell in made)


@pytest.mark.parametrize("experiment", [KernelMatrices(mixtures=1), EHRDensity()])
def test_labels_are_needed(task: Task, experiment: KernelMatrices | EHRDensity) -> None:
    with pytest.raises(DataError, match="needs labels"):
        experiment.measure(PCA(code_size=2).learn(task.train.given), unlabelled(task), Protocol())
