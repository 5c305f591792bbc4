"""No model: for experiments on the data themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tkae.data.collection import Collection
from tkae.models.base import Model


@dataclass
class NoModel(Model):
    """Learns nothing and can nothing."""

    name: ClassVar[str] = "none"
    title: ClassVar[str] = "data"

    def learn(self, train: Collection, seed: int = 0) -> Self:
        return self
