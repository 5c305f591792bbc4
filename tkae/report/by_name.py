"""The figure of an experiment, and the table that it adds to the usual one: found by the experiment's name.

The module `figures/<name>.py` has a function `figure`, `added_tables/<name>.py` a function `table`;
experiments know nothing of that. An experiment from outside this package names its functions itself, as
`module:function` in its class; most experiments have neither, and nothing is drawn or added then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tkae.errors import UserError
from tkae.experiments.base import Experiment
from tkae.report.drawing import Drawing, StoredArrays
from tkae.report.grid import Grid
from tkae.report.summary import Row


def figure_of(
    experiment: Experiment, rows: Sequence[Row], arrays: StoredArrays, about: str
) -> Drawing | None:
    """The experiment's figure, from the table's rows and the arrays that were stored with their cells.

    `about` says in the caption how the numbers came about.
    """
    draw = _function("figures", "figure", experiment.name) or _named(experiment, "figure")
    return draw(experiment, rows, arrays, about) if draw else None


def added_table_of(experiment: Experiment, rows: Sequence[Row], about: str) -> Grid | None:
    """What follows from the table's rows, as a table of its own: then the one that is shown."""
    make = _function("added_tables", "table", experiment.name) or _named(experiment, "added_table")
    return make(experiment, rows, about) if make else None


def _function(package: str, function: str, name: str) -> Callable[..., Any] | None:
    """That of the module with this name, if there is such a module."""
    module = f"{__package__}.{package}.{name}"
    if not name.isidentifier() or find_spec(module) is None:
        return None
    # A module that several figures share has no such function, whatever a user calls an experiment.
    return getattr(import_module(module), function, None)


def _named(experiment: Experiment, field: str) -> Callable[..., Any] | None:
    """The function that the experiment's class names in a field."""
    text: str = getattr(experiment, field)
    if not text:
        return None
    module, _, function = text.partition(":")
    try:
        found: Callable[..., Any] = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(
            f"experiment {experiment.name}: its {field} is {text!r}, which cannot be loaded ({error}); "
            f"write `module:function`"
        ) from error
    return found
