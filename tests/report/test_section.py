"""What a caption says of the holes: whose they are, and where on a sweep if they are of several sources."""

from __future__ import annotations

from typing import Any

from tkae.report.section import section
from tkae.runs.cell import Cell
from tkae.runs.plan import plan
from tkae.settings.compose import compose


def about(made: list[Cell], records: dict[str, Any]) -> str:
    """What the caption of these cells says behind that of the experiment."""
    entries = [cell.entry(records.get(cell.key)) for cell in made]
    (table,) = section(entries, lambda kind, row: {}, all_seeds=False).tables.values()
    return table.caption.partition(". ")[2]


def cells(*words: str) -> list[Cell]:
    return plan(compose([*words, "seeds=2", "model=tae"], sweep=False))


def records(made: list[Cell]) -> dict[str, Any]:
    """As the authors' protocol gives them: files at two rates, holes of our own at the others."""

    def source(cell: Cell) -> str:
        rate = cell.settings["missingness.rate"]
        return f"TCK_data_{rate}.mat" if rate in (0.5, 0.8) else "drawn here"

    return {cell.key: {"status": "done", "metrics": {}, "masks": source(cell)} for cell in made}


def test_one_source_is_named_alone() -> None:
    made = cells("experiment=missingness", "experiment.grid.missingness.rate=[0.1,0.9]", "budget=quick")
    said = about(made, records(made))
    assert said == "Protocol paper, budget quick. Removed entries: drawn here."


def test_several_sources_are_named_with_their_points() -> None:
    grid = "experiment.grid.missingness.rate=[0.1,0.5,0.8,0.9]"
    made = cells("experiment=missingness", "protocol=authors", "budget=quick", grid)
    assert about(made, records(made)) == (
        "Protocol authors, budget quick. Removed entries: TCK_data_0.5.mat (at missingness.rate=0.5), "
        "TCK_data_0.8.mat (at missingness.rate=0.8), drawn here (at missingness.rate=0.1, 0.9); those of a "
        "file are the same in all runs."
    )


def test_what_is_not_done_says_nothing() -> None:
    made = cells("experiment=missingness", "budget=quick")
    assert about(made, {}) == "Protocol paper, budget quick."
    failed = {cell.key: {"status": "failed"} for cell in made}
    assert about(made, failed) == "Protocol paper, budget quick."
