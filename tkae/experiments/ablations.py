"""Ablations: what single choices change, in the experiments that they are choices of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tkae.data.prepare import Task
from tkae.experiments.base import Experiment, Measured, Metric
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class Ablations(Experiment):
    """Its cells belong to other experiments, which measure them; its table shows what each change does."""

    name: ClassVar[str] = "ablations"
    title: ClassVar[str] = "which single choice moves a figure: the effect of each, with its interval"
    place: ClassVar[str] = "tab:ablations"
    caption: ClassVar[str] = "What a figure gains or loses by one choice"
    needs: ClassVar[tuple[str, ...]] = ()
    metrics: ClassVar[tuple[Metric, ...]] = ()

    # what is changed, where: see tkae.settings.ablations
    lines: dict[str, dict[str, Any]] = field(default_factory=dict, metadata={"identity": False})

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        """Never called: the cells of a line are those of the experiment that it changes."""
        raise AssertionError("a line of the ablations is measured by the experiment that it changes")
