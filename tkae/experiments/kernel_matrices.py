"""K against ZZ^T (Fig. alignment): the prior in input space and the codes' dot products, on the test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.data.prepare import Task
from tkae.evaluation.similarity import aligned, centred, in_own_units, within_between
from tkae.experiments.base import Arrays, Experiment, Measured, Metric, fact, labels_of, small
from tkae.fields import setting
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class KernelMatrices(Experiment):
    """How like the two matrices are, and how much more like each other the series of one class.

    Codes that are all the same are well aligned to any kernel of positive entries: the alignment of the
    centred matrices is not deceived by that. Similarities within and between classes are in units of a
    series' mean similarity with itself.
    """

    name: ClassVar[str] = "kernel_matrices"
    title: ClassVar[str] = "the kernel K beside the codes' dot products ZZ^T (Fig. alignment)"
    place: ClassVar[str] = "fig:alignment"
    caption: ClassVar[str] = "TCK of the test series and dot products of their representations"
    aligned: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("encode",)
    labelled: ClassVar[bool] = True
    metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("alignment", "Alignment", higher_is_better=True, decimals=3),
        Metric("centred_alignment", "centred", higher_is_better=True, decimals=3),
        Metric("alignment_loss", "L_k", higher_is_better=False, decimals=3),
        Metric("contrast", "Within - between", higher_is_better=True, decimals=3),
        fact("within", "Within classes", decimals=3),
        fact("between", "Between classes", decimals=3),
        fact("kernel_within", "Within, of K", decimals=3),
        fact("kernel_between", "Between, of K", decimals=3),
    )

    # G of the kernel, where the model has none of its own
    mixtures: int = setting(30, at_least=1, at_most=10_000)

    def method_versions(self) -> dict[str, int]:
        from tkae.models.tck import TCK

        return {"tck": TCK.version}

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        from tkae.engine.alignment import alignment

        kernel, codes, labels = self._matrices(model, task)
        products = codes @ codes.T
        within, between = within_between(in_own_units(products), labels)
        kernel_within, kernel_between = within_between(in_own_units(kernel), labels)
        figures = {
            "alignment": aligned(kernel, products),
            "centred_alignment": aligned(centred(kernel), centred(products)),
            "alignment_loss": alignment(codes, kernel),
            "contrast": within - between,
            "within": within,
            "between": between,
            "kernel_within": kernel_within,
            "kernel_between": kernel_between,
        }
        # Sorted by class: half of K (N, N), from which the other follows, Z (N, D) and the labels (N).
        half = in_own_units(kernel)[np.triu_indices(len(kernel))].astype(np.float16)
        drawn: Arrays = {"kernel": half, "codes": codes.astype(np.float32), "labels": small(labels)}
        return Measured(figures, drawn=drawn)

    def _matrices(self, model: Model, task: Task) -> tuple[Floats, Floats, Ints]:
        """K (N, N), the codes Z (N, D) and the labels (N) of the test series, sorted by class.

        A TKAE is held against the kernel that it was aligned to, others against that of a TKAE.
        """
        from tkae.models.tkae import TKAE

        train, test = task.train.given, task.test.given
        labels = labels_of(task.test, self.name)
        sort = np.argsort(labels, kind="stable")
        aligned_to = model if isinstance(model, TKAE) else TKAE(G=self.mixtures)
        kernel = aligned_to.prior(train, test).astype(np.float64)
        return kernel[np.ix_(sort, sort)], model.encode(test)[sort], labels[sort]
