"""Series of 5 to 20 variates (Tab. ODE): reconstruction errors, and the parameters that they take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tkae.data.prepare import Task
from tkae.experiments.base import Measured, Metric, fact
from tkae.experiments.reconstruction import MSE, Reconstruction
from tkae.models.autoencoder import Autoencoder
from tkae.models.base import Model
from tkae.protocol import Protocol


@dataclass
class ManyVariates(Reconstruction):
    """The networks' trainable parameters are a fact; PCA, which trains nothing, has none."""

    name: ClassVar[str] = "many_variates"
    title: ClassVar[str] = "reconstruction and parameters over V = 5 to 20: TAE, AE, AE (tw), PCA (Tab. ODE)"
    place: ClassVar[str] = "tab:ODE"
    caption: ClassVar[str] = (
        "Reconstruction MSE and trainable parameters (#par) over the number V of variates"
    )
    metrics: ClassVar[tuple[Metric, ...]] = (MSE, fact("parameters", "#par"))

    notes: ClassVar[tuple[str, ...]] = (
        "#par: the printed counts belong to T = 100 and to the authors' network (protocol=authors); the "
        "text says T = 50.",
        "The printed 0.04 of the AE is a misprint: in bold, yet above PCA's. The row of ODE10 is "
        "otherwise that of ODEfix, where the AE has 0.004.",
    )

    def measure(self, model: Model, task: Task, protocol: Protocol) -> Measured:
        parameters = float(model.parameter_count) if isinstance(model, Autoencoder) else float("nan")
        errors = super().measure(model, task, protocol)
        return replace(errors, figures=errors.figures | {"parameters": parameters})
