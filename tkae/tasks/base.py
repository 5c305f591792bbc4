"""What a task is, and what it has made when it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tkae.models.base import Model
from tkae.tasks.options import Options
from tkae.tasks.source import Source

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass
class Made:
    """What is written and said."""

    table: pandas.DataFrame
    said: list[str]
    draw: Callable[[Figure], None]
    size: tuple[float, float]  # of the picture, inches
    imputed: pandas.DataFrame | None = None  # all values that were filled in


@dataclass(frozen=True)
class Task:
    """One of the things that can be done with a file."""

    verb: str  # "cannot ... series"
    abilities: tuple[str, ...]  # of which a model needs one
    run: Callable[[Model, Source, Options], Made]

    def suits(self, model: type[Model]) -> bool:
        """Whether models of this kind can do it."""
        return any(model.can(ability) for ability in self.abilities)
