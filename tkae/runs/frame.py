"""All records of a results folder as one pandas frame: `tkae.results("results")`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tkae.errors import UserError
from tkae.runs.entry import Entry
from tkae.runs.store import Store

if TYPE_CHECKING:
    import pandas

WORDS = ("experiment", "protocol", "dataset", "model", "method", "budget")  # few, each in many rows
CELL = (*WORDS, "control", "shortened", "seed", "seconds", "error", "key")
TYPES: dict[frozenset[type], str] = {
    frozenset({bool}): "boolean",
    frozenset({int}): "Int64",
    frozenset({float}): "Float64",
    frozenset({int, float}): "Float64",
    frozenset({str}): "category",
}


def results(folder: str | Path = "results") -> pandas.DataFrame:
    """The records of a results folder, single and packed: a row is one figure of one cell.

        frame = tkae.results("results")
        rows = ["protocol", "dataset", "method", "metric"]
        frame.groupby(rows, observed=True).value.agg(["mean", "std", "size"])  # over seeds

    Columns:

    - `experiment`, `protocol`, `dataset` (an own file has its name), `model`, `method` (a control has a name
      of its own), `budget`: what was run;
    - `control`: whether the row is ours, and not in the paper; `shortened`: whether the budget was below the
      paper's;
    - `seed`, `metric`, `value`: the figure. A cell that failed has one row, without metric and value;
    - `seconds`: what the cell took; `error`: why it failed; `key`: the name of its record;
    - every setting under its key in a command, such as `model.alpha` or `missingness.rate`. It is missing
      where a cell has no such setting.
    """
    import pandas

    store = Store(Path(folder))
    if not store.folder.is_dir():
        raise UserError(f"{folder} has no folder records/: is it a results folder? Run an experiment first")
    store.recall()
    entries = [entry for entry in store.entries() if entry.record is not None]
    for place, reason in store.distrusted.items():
        warnings.warn(f"{place} {reason}; not counted", stacklevel=2)
    cells = pandas.DataFrame([_cell(entry) for entry in entries], columns=list(CELL))
    cells = cells.astype({**dict.fromkeys(WORDS, "category"), "error": "string", "key": "string"})
    figures = [(entry.record or {}).get("metrics") or {None: np.nan} for entry in entries]
    rows = np.repeat(np.arange(len(entries)), [len(own) for own in figures])
    frame = cells.iloc[rows]
    place_of_figures = CELL.index("seed") + 1
    frame.insert(place_of_figures, "metric", pandas.Categorical([name for own in figures for name in own]))
    values = [value for own in figures for value in own.values()]
    frame.insert(place_of_figures + 1, "value", np.array(values, dtype=np.float64))
    settings = _typed([entry.story["settings"] for entry in entries]).iloc[rows]
    return pandas.concat([frame, settings], axis=1).reset_index(drop=True)


def _cell(entry: Entry) -> dict[str, Any]:
    """What is said of a cell once, whatever its settings."""
    story, record = entry.story, entry.record or {}
    own = {name: story.get(name) for name in CELL}
    return own | {
        "dataset": story["dataset_title"] if story["dataset"] == "file" else story["dataset"],
        "budget": story["budget"]["name"],
        "seed": entry.seed,
        "seconds": record.get("seconds", {}).get("total", np.nan),
        "error": record.get("error"),
        "key": entry.key,
    }


def _typed(settings: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    """A column for each setting that some cell has, of the type that its values have in the records."""
    import pandas

    columns = {}
    for name in sorted({name for own in settings for name in own}):
        values = [own.get(name) for own in settings]
        kinds = frozenset(type(value) for value in values if value is not None)
        columns[name] = pandas.Series(values, dtype=TYPES.get(kinds, "object"))
    return pandas.DataFrame(columns, index=range(len(settings)))
