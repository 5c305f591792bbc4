"""Sinusoids of different frequencies (in-text figures, Figs. AEsins, sin_test): PCA, AE and TAE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tkae.config import Protocol
from tkae.data.collection import Collection
from tkae.data.prepare import Task
from tkae.experiments.base import Arrays, Measured
from tkae.experiments.reconstruction import Reconstruction
from tkae.models.base import Model

if TYPE_CHECKING:
    from tkae.report.drawing import Drawing, Kept
    from tkae.report.summary import Row

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

    notes: ClassVar[tuple[str, ...]] = (
        "The authors' program trained 30000 epochs here; under every protocol ours trains as many as the "
        "budget says.",
    )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        return replace(super().measure(model, task, protocol), drawn=self._drawn(model, task))

    def _drawn(self, model: Model, task: Task) -> Arrays:
        one = task.test.given.take([SAMPLE])
        steps = int(one.lengths[0])
        made = {
            "series": task.test.original.values[SAMPLE, :steps, 0],
            "reconstruction": model.reconstruct(one)[0, :steps, 0],
        }
        if model.can("encode"):  # (frequencies, phases, D_z)
            codes = model.encode(_probes(*task.test.given.shape[1:]))
            made["codes"] = codes.reshape(len(FREQUENCIES), len(PHASES), -1)
        return made

    def drawing(self, rows: Sequence[Row], kept: Kept, about: str) -> Drawing | None:
        from tkae.report.sample import sample

        return sample(rows, kept, FREQUENCIES, PHASES, about)


def _probes(steps: int, width: int) -> Collection:
    """Sinusoids of every frequency and phase, one after the other, the same in each variate."""
    a, b = (grid.ravel()[:, None] for grid in np.meshgrid(FREQUENCIES, PHASES, indexing="ij"))
    return Collection(np.repeat(np.sin(a * np.arange(steps) + b)[:, :, None], width, axis=2))
