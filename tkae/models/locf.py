"""Last observation carried forward; before a variate's first observation, its mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.data.collection import Collection
from tkae.models.contract import completed
from tkae.models.filling import carry_forward
from tkae.models.mean import MeanFill


@dataclass
class LOCF(MeanFill):
    """A missing entry becomes the last observed value of its variate.

    Before the first there stands what `MeanFill`, whose parameters it has, would put there.
    """

    name: ClassVar[str] = "locf"
    title: ClassVar[str] = "LOCF"

    def complete(self, x: Collection) -> Collection:
        return completed(x, carry_forward(x, self._for(x, self._learned("means_"))))
