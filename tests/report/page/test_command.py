"""The command beside a row has the very cells of the row."""

from __future__ import annotations

import shlex

import pytest

from tkae.report.page.command import command, said
from tkae.runs.entry import Entry
from tkae.runs.plan import plan
from tkae.settings.compose import compose

COMMANDS = [
    "experiment=imputation dataset=libras model=pca missingness=block missingness.length=8 seeds=[3,5]",
    "experiment=classification dataset=ehr protocol=authors seeds=1",  # with rows of ours
    "experiment=missingness missingness.rate=0.9 budget=quick budget.epochs=50 model=tae model.l2=0 seeds=1",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_it_computes_the_very_cells(words: str) -> None:
    rows: dict[str, list[Entry]] = {}
    for cell in plan(compose(words.split(), sweep=True)):
        entry = cell.entry({"status": "done"})
        rows.setdefault(entry.runs_of, []).append(entry)
    for entries in list(rows.values())[:: max(1, len(rows) - 1)]:  # the first and the last
        program, *own = shlex.split(command(entries))
        again = {cell.key for cell in plan(compose(own, sweep=False))}
        assert program == "tkae-run" and again == {entry.key for entry in entries}, command(entries)


def test_values_are_written_as_they_are_typed() -> None:
    words = {"experiment": "x", "model": ["a", "b"], "model.C": None, "dataset.stretch": True, "t": "a b"}
    assert (
        said(words)
        == "tkae-run experiment=x 'model=[a,b]' model.C=null dataset.stretch=true 't='\"'\"'a b'\"'\"''"
    )
    assert (
        said({"missingness.rate": [0.1, 0.9]}, sweep=["missingness.rate"])
        == "tkae-run -m missingness.rate=0.1,0.9"
    )
    assert said({"missingness.rate": [0.1]}, sweep=["missingness.rate"]) == "tkae-run missingness.rate=0.1"
