"""Sinusoids of different frequencies (in-text figures, Figs. AEsins, sin_test): PCA, AE and TAE."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tkae.data.collection import Collection
from tkae.data.prepare import Task
from tkae.evaluation.reconstruction import amplitude
from tkae.experiments.base import Arrays, Measured, Metric, fact
from tkae.experiments.reconstruction import MSE, Reconstruction
from tkae.models.base import Model
from tkae.models.contract import Curve
from tkae.protocol import Protocol

SAMPLE = 0  # the test series that the figure shows: the first, whatever it looks like
FREQUENCIES = (0.2, 0.6)  # a of the sinusoids whose codes it compares
PHASES = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)  # b of these


@dataclass
class Sinusoids(Reconstruction):
    """The figure has a test series of the first run, what each method makes of it, and codes of the AE."""

    name: ClassVar[str] = "sinusoids"
    title: ClassVar[str] = (
        "reconstruction of sinusoids: PCA, AE, TAE (in the text, Figs. AEsins and sin_test)"
    )
    place: ClassVar[str] = "fig:sin_test"
    caption: ClassVar[str] = "Reconstruction MSE of sinusoids of random frequency and phase"
    metrics: ClassVar[tuple[Metric, ...]] = (
        MSE,
        fact("amplitude", "Amplitude (ours)", decimals=2),
        fact("late_fall", "Late fall (ours)", decimals=3),
    )

    notes: ClassVar[tuple[str, ...]] = (
        "Amplitude (ours): of the reconstructions, as a share of the series' own. Late fall (ours): by what "
        "share the training error fell from the last tenth but one of the training to the last.",
    )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        errors, truth = super().measure(model, task, protocol), task.test.original
        swing = amplitude(truth.values, model.reconstruct(task.test.given), truth.observed)
        more = {"amplitude": swing, "late_fall": late_fall(model.curve())}
        return replace(errors, figures=errors.figures | more, drawn=self._drawn(model, task))

    def _drawn(self, model: Model, task: Task) -> Arrays:
        shown = task.test.given.take([SAMPLE])
        steps = int(shown.lengths[0])
        made = {
            "series": task.test.original.values[SAMPLE, :steps, 0],
            "reconstruction": model.reconstruct(shown)[0, :steps, 0],
        }
        if model.can("encode"):  # (frequencies, phases, D_z)
            codes = model.encode(_probes(*task.test.given.shape[1:]))
            made["codes"] = codes.reshape(len(FREQUENCIES), len(PHASES), -1)
        return made


def late_fall(curve: Curve) -> float:
    """By what share L_r fell from the last tenth but one of a training to the last: near 0 once converged.

    NaN where nothing is trained, or for less than twenty epochs.
    """
    errors = curve["losses"][:, 0].astype(np.float64) if curve else np.empty(0)
    errors = errors[~np.isnan(errors)]  # after the end of a training that stopped early there are none
    tenth = len(errors) // 10
    if tenth < 2:
        return float("nan")
    return float(1 - errors[-tenth:].mean() / errors[-2 * tenth : -tenth].mean())


def _probes(steps: int, width: int) -> Collection:
    """Sinusoids of every frequency and phase, one after the other, the same in each variate."""
    a, b = (grid.ravel()[:, None] for grid in np.meshgrid(FREQUENCIES, PHASES, indexing="ij"))
    return Collection(np.repeat(np.sin(a * np.arange(steps) + b)[:, :, None], width, axis=2))
