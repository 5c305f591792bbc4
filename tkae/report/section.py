"""A section of the report: what a command made of one experiment under one protocol."""

from __future__ import annotations

from dataclasses import dataclass

from tkae.report.drawing import Drawing
from tkae.report.summary import Row
from tkae.report.tables import Grid
from tkae.runs.cell import Cell


@dataclass(frozen=True)
class Section:
    """Its rows, and the tables and the figure that were written of them."""

    cells: list[Cell]
    rows: list[Row]
    tables: dict[str, Grid]  # by the stem of their files, the main one last
    drawing: Drawing | None

    @property
    def experiment(self) -> str:
        return self.cells[0].experiment.name

    @property
    def protocol(self) -> str:
        return self.cells[0].protocol.name

    @property
    def stem(self) -> str:
        return f"{self.experiment}.{self.protocol}"
