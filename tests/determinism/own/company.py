"""Executors in this process that give cells other company than the plan does: none at all, or any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tkae.fields import setting
from tkae.runs.executors import Executor, Work
from tkae.seeding import stream
from tkae.signals import Stop


@dataclass
class Drawn(Executor):
    """Groups, and the cells of each, in an order that is drawn."""

    here: ClassVar[bool] = True

    draw: int = setting(0, at_least=0)  # another number, another order

    def run(self, work: Work, groups: Sequence[Any], stop: Stop) -> Iterator[Any]:
        rng = stream(self.draw, "company")
        for i in rng.permutation(len(groups)):
            cells = [groups[i][j] for j in rng.permutation(len(groups[i]))]
            yield from map(work, self.parts(cells, int(rng.integers(len(cells)))))

    def parts(self, cells: list[Any], cut: int) -> list[list[Any]]:
        """Those that are computed together; `cut` is a place within the group."""
        raise NotImplementedError


@dataclass
class Alone(Drawn):
    """Each cell by itself."""

    name: ClassVar[str] = "alone"

    def parts(self, cells: list[Any], cut: int) -> list[list[Any]]:
        return [[cell] for cell in cells]


@dataclass
class Mixed(Drawn):
    """Each group cut in two."""

    name: ClassVar[str] = "mixed"

    def parts(self, cells: list[Any], cut: int) -> list[list[Any]]:
        return [part for part in (cells[:cut], cells[cut:]) if part]
