"""Figures and added tables are found by an experiment's name, or by what a class from outside names."""

from __future__ import annotations

from typing import ClassVar

import pytest

from tests.report.made_up import a_row
from tkae.errors import UserError
from tkae.experiments.base import Experiment
from tkae.experiments.imputation import Imputation
from tkae.report.by_name import added_table_of, figure_of
from tkae.report.drawing import Drawing
from tkae.report.grid import Grid

ROWS = [a_row("libras", "pca", Imputation.metrics[0], {0: 1.0})]


def own_figure(experiment, rows, arrays, about) -> Drawing:
    return Drawing(f"{experiment.name}: {about}", [{"rows": len(rows)}], lambda canvas: None)


def own_table(experiment, rows, about) -> Grid:
    return Grid(f"{experiment.name}: {about}", "tab:own", ["n"], [])


class Bare(Experiment):
    """It measures nothing: here only its name counts."""

    def measure(self, model, task, protocol):
        raise NotImplementedError


class Own(Bare):
    name: ClassVar[str] = "own"
    figure: ClassVar[str] = f"{__name__}:own_figure"
    added_table: ClassVar[str] = f"{__name__}:own_table"


@pytest.mark.parametrize("name", ["own", "shared_run", "paper_against_ours", "no.such", "../x", "os"])
def test_an_experiment_without_either_has_none_whatever_it_is_called(name: str) -> None:
    """Some of these are modules of the folder, which draw no experiment's figure."""
    bare = type("Named", (Bare,), {"name": name})()
    assert figure_of(bare, ROWS, lambda _: {}, "") is None
    assert added_table_of(bare, ROWS, "") is None


def test_a_class_from_outside_names_its_functions() -> None:
    drawing, table = figure_of(Own(), ROWS, lambda _: {}, "how"), added_table_of(Own(), ROWS, "how")
    assert drawing is not None and (drawing.caption, drawing.numbers) == ("own: how", [{"rows": 1}])
    assert table is not None and table.caption == "own: how"


@pytest.mark.parametrize("text", ["no_such_module:draw", "math:draw", "math", ":draw"])
def test_a_function_that_is_not_there_is_told(text: str) -> None:
    lost = type("Lost", (Bare,), {"name": "lost", "figure": text})()
    with pytest.raises(UserError, match=r"experiment lost: its figure is .* write `module:function`"):
        figure_of(lost, ROWS, lambda _: {}, "")
