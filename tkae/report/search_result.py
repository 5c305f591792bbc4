"""The result of a search: the setting with the lowest cross-validation error beside the paper's own.

Each dataset and method has two lines: what was found, and what the paper prints, with its error if that
setting is on the grid. Where a setting was not computed on every fold, nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tkae.experiments.search import Search
from tkae.report.grid import Grid, TableCell
from tkae.report.paper import PaperNumber, printed
from tkae.report.summary import Row, distinguishing_keys
from tkae.report.tables import measured_text, setting_text
from tkae.report.verdict import DIFFERS, NO_VERDICT, NOT_RUN, REPRODUCED

Settings = Mapping[str, Any]


def _activation(settings: Settings) -> str:
    short = {"sigmoid": "sig."}
    name = str(settings["model.activation"])
    return "lin." if settings["model.linear_decoder"] else short.get(name, name)


def _plain(key: str) -> Callable[[Settings], str]:
    words = {True: "yes", False: "no", "lstm": "LSTM", "gru": "GRU"}

    def text(settings: Settings) -> str:
        value = settings[key]
        return words[value] if isinstance(value, (bool, str)) else f"{value:g}"

    return text


# The paper's name of a hyperparameter -> its column, and our settings as the paper would print them.
HYPERPARAMETERS: dict[str, tuple[str, Callable[[Settings], str]]] = {
    "activation": ("ψ", _activation),
    "tied": ("tw", _plain("model.tied")),
    "cell": ("cell", _plain("model.cell")),
    "layers": ("layers", _plain("model.layers")),
    "p_s": ("p_s", _plain("model.p_s")),
    "lambda": ("λ", _plain("model.l2")),
    "alpha": ("α", _plain("model.alpha")),
}


@dataclass(frozen=True)
class Choice:
    """The grid of one dataset and method (a row of the long table each), and what follows from it."""

    rows: list[Row]
    paper: dict[str, PaperNumber]  # by hyperparameter, where the paper prints it

    @property
    def missing(self) -> int:
        """Settings that were not tried on every fold."""
        return sum(row.done + row.failed < row.seeds for row in self.rows)

    @property
    def complete(self) -> list[Row]:
        return [row for row in self.rows if row.n == row.seeds]

    @property
    def best(self) -> Row | None:
        """The lowest mean error, the first of equals; none while settings are missing."""
        return None if self.missing else _lowest(self.complete)

    @property
    def papers(self) -> Row | None:
        """The setting of the grid that the paper prints (the best of those that it does not tell apart)."""
        alike = [
            row
            for row in self.complete
            if all(same(texts(row)[name], number.value) for name, number in self.paper.items())
        ]
        return _lowest(alike) if self.paper else None

    @property
    def counted(self) -> str:
        """How many settings the choice is made from."""
        total, failed = len(self.rows), len(self.rows) - len(self.complete) - self.missing
        parts = [f"{n} {what}" for n, what in ((self.missing, "missing"), (failed, "failed")) if n]
        return f"{total}: {', '.join(parts)}" if parts else f"{total}"


def search_result(experiment: Search, rows: Sequence[Row], about: str) -> Grid:
    """The table of what was found, beside the settings that the paper prints."""
    searched = {key for row in rows for key in row.point}
    others = [key for key in distinguishing_keys(rows) if key not in searched]
    grids: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        where = (row.dataset, *(setting_text(row.facts.get(key)) for key in others), row.method)
        grids.setdefault(where, []).append(row)
    choices = {
        where: Choice(alike, _paper(alike[0], experiment.searches_for)) for where, alike in grids.items()
    }
    names = [name for name in HYPERPARAMETERS if any(name in texts(row) for row in rows)]
    blocks: dict[tuple[str, ...], list[list[TableCell]]] = {}
    long = []
    for where, choice in choices.items():
        blocks.setdefault(where[:-1], []).extend(_lines(where, choice, names))
        long += _long(dict(zip(("dataset", *others, "method"), where, strict=True)), choice)
    columns = [HYPERPARAMETERS[name][0] for name in names]
    header = ["Dataset", *others, "Method", "", *columns, rows[0].metric.title, "Settings"]
    return Grid(
        f"{experiment.caption}. {about}",
        experiment.place,
        header,
        list(blocks.values()),
        [],
        long,
        len(others) + 3,
    )


def texts(row: Row) -> dict[str, str]:
    """The hyperparameters that the method has, as the paper would print them."""
    have = {}
    for name, (_, text) in HYPERPARAMETERS.items():
        try:
            have[name] = text(row.facts)
        except KeyError:
            continue  # a method without this setting
    return have


def same(ours: str, paper: str) -> bool:
    """Whether two words or numbers are one: 1 and 1.0 are."""
    try:
        return float(ours) == float(paper)
    except ValueError:
        return ours.lower() == paper.lower()


def _lowest(rows: Sequence[Row]) -> Row | None:
    return min(rows, key=lambda row: row.mean or 0.0, default=None)


def _paper(row: Row, paper_of: str) -> dict[str, PaperNumber]:
    numbers = {name: printed(paper_of, row.dataset, row.method, name) for name in texts(row)}
    return {name: number for name, number in numbers.items() if number is not None}


def _verdict(choice: Choice, name: str) -> str:
    """A value that had no rival was not found, whether it is the paper's or not."""
    if name not in choice.paper or len({texts(row)[name] for row in choice.rows}) < 2:
        return NO_VERDICT
    if choice.best is None:
        return NOT_RUN
    return REPRODUCED if same(texts(choice.best)[name], choice.paper[name].value) else DIFFERS


def _lines(where: tuple[str, ...], choice: Choice, names: Sequence[str]) -> list[list[TableCell]]:
    """What was found, and the paper's line where it prints anything."""
    first, best, papers = choice.rows[0], choice.best, choice.papers
    head = [TableCell(text) for text in (first.dataset_title, *where[1:-1], first.method_title)]
    have = texts(best) if best else {}
    ours = [TableCell(have.get(name, "–"), verdict=_verdict(choice, name)) for name in names]
    lines = [
        [
            *head,
            TableCell("found"),
            *ours,
            TableCell(measured_text(best) if best else "–"),
            TableCell(choice.counted),
        ]
    ]
    if choice.paper:
        theirs = [TableCell(choice.paper[name].value if name in choice.paper else "–") for name in names]
        error = TableCell(measured_text(papers) if papers else "–")
        lines.append([*head, TableCell("paper"), *theirs, error, TableCell("")])
    return lines


def _long(where: Mapping[str, str], choice: Choice) -> list[dict[str, Any]]:
    """A row for each hyperparameter."""
    best, papers = choice.best, choice.papers
    return [
        {
            **where,
            "hyperparameter": name,
            "found": texts(best)[name] if best else None,
            "paper": choice.paper[name].value if name in choice.paper else None,
            "verdict": _verdict(choice, name),
            "cv_error": best.mean if best else None,
            "cv_error_paper": papers.mean if papers else None,
            "settings": len(choice.rows),
            "complete": len(choice.complete),
            "missing": choice.missing,
        }
        for name in texts(choice.rows[0])
    ]
