"""Fig. pca_blood: what is measured and kept of a model."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.prepare import Split, Task
from tkae.evaluation.density import fisher_ratio, overlap, principal_components
from tkae.experiments.ehr_density import EHRDensity
from tkae.models.pca import PCA
from tkae.protocol import Protocol
from tkae.settings.compose import compose

# Cheap cells: the shape that other tests compile anyway, a step or two of training.
CHEAP = ["budget=smoke", "model.layers=1"]


@pytest.fixture
def task(complete: Collection, ragged: Collection) -> Task:
    made = [Split(x, x, np.zeros(x.shape, dtype=bool)) for x in (complete, ragged)]
    return Task(made[0], made[1], ("a", "b", "c"), None, "none")


def test_densities_are_of_the_test_codes_components(task: Task) -> None:
    model = PCA(code_size=3).learn(task.train.given)
    components, labels = principal_components(model.encode(task.test.given)), task.test.given.labels
    assert labels is not None
    measured = EHRDensity().measure(model, task, Protocol())
    assert measured.figures == {
        "overlap": overlap(components, labels),
        "overlap_1": overlap(components[:, :1], labels),
        "overlap_2": overlap(components[:, 1:], labels),
        "fisher_ratio": fisher_ratio(components, labels),
    }
    kept = measured.drawn
    assert list(kept) == ["a", "b", "c"]
    for label, name in enumerate(kept):
        assert np.array_equal(kept[name], components[labels == label])


@pytest.mark.parametrize("protocol", ["paper", "authors", "clean"])
def test_ehr_density_shows_the_models_of_classification(protocol: str) -> None:
    words = [f"protocol={protocol}", "dataset=ehr", "model=[tae,tkae]"]
    (density,) = compose(["experiment=ehr_density", *words], sweep=False)
    (classification,) = compose(["experiment=classification", *words], sweep=False)
    assert density.dataset("ehr") == classification.dataset("ehr")
    for name in ("tae", "tkae"):
        assert asdict(density.model("ehr", name)) == asdict(classification.model("ehr", name))
    (own,) = compose(["experiment=ehr_density"], sweep=False)
    assert list(own.pairs()) == [("ehr", "tae"), ("ehr", "tkae")]
    assert own.missingness_of("ehr").name == "none"
