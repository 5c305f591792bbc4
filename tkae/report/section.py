"""A section of the report: what a command made of one experiment under one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    def named(self, dataset: str) -> str:
        """The dataset of the experiment that this one stands for under this protocol, or itself."""
        stands: Mapping[str, str] = self.cells[0].experiment.instead.get(self.protocol) or {}
        return next((name for name, used in stands.items() if used == dataset), dataset)


def budgets(sections: Sequence[Section]) -> str:
    """How much work went into some sections, for a caption."""
    cells = [cell for section in sections for cell in section.cells]
    names = "+".join(dict.fromkeys(cell.budget.name for cell in cells))
    seeds = max(row.seeds for section in sections for row in section.rows)
    return f"Budget {names}, up to {seeds} seeds."
