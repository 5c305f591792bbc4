"""Densities of the classes in the space of codes (Fig. pca_blood): the first two principal components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.data.prepare import Task
from tkae.evaluation.density import fisher_ratio, overlap, principal_components
from tkae.experiments.base import Experiment, Measured, Metric, labels_of
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class EHRDensity(Experiment):
    """How far the densities of infected and other patients are apart: of the test set, as kNN is judged."""

    name: ClassVar[str] = "ehr_density"
    title: ClassVar[str] = "class densities of the EHR codes' two components, TAE and TKAE (Fig. pca_blood)"
    place: ClassVar[str] = "fig:pca_blood"
    caption: ClassVar[str] = "Class densities of the first two principal components of the test set's codes"
    needs: ClassVar[tuple[str, ...]] = ("encode",)
    labelled: ClassVar[bool] = True
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("overlap", "Overlap", higher_is_better=False, decimals=3),
        Metric("overlap_1", "Overlap, 1st", higher_is_better=False, decimals=3),
        Metric("overlap_2", "Overlap, 2nd", higher_is_better=False, decimals=3),
        Metric("fisher_ratio", "Fisher ratio", higher_is_better=True, decimals=3),
    )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        components, labels = _components(model, task)
        figures = {
            "overlap": overlap(components, labels),
            "overlap_1": overlap(components[:, :1], labels),
            "overlap_2": overlap(components[:, 1:], labels),
            "fisher_ratio": fisher_ratio(components, labels),
        }
        drawn = {  # by the name of each class, the components (n, 2) of its series
            task.classes[label] if task.classes else f"class {label}": components[labels == label]
            for label in np.unique(labels)
        }
        return Measured(figures, drawn=drawn)


def _components(model: Model, task: Task) -> tuple[Floats, Ints]:
    """(N, 2): of the test series' codes, whose own principal axes are taken; and the labels (N)."""
    return principal_components(model.encode(task.test.given)), labels_of(task.test, EHRDensity.name)
