"""Grids on terminals of every width: nothing wider than it, no figure in two, the paper's columns first."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from tests.report.made_up import a_row
from tkae.experiments.imputation import Imputation
from tkae.report.grid import Grid, TableCell
from tkae.report.paper import printed
from tkae.report.screen import draw, fitted, show
from tkae.report.tables import VERDICTS, experiment_table

REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "tables"
WIDTHS = (60, 67, 80, 120, 200)
KEYS = ("Dataset", "Method", "Metric", "Experiment", "Change", "Protocol", "Claim")
NUMBER = re.compile(r"[-+]?\d[\d.]*")


def on(width: int, table: Grid) -> list[str]:
    """What a terminal of this width shows."""
    there = Console(file=io.StringIO(), width=width, highlight=False)
    draw(table, there)
    return [line.rstrip() for line in there.file.getvalue().splitlines()]  # type: ignore[attr-defined]


def of_markdown(text: str) -> Grid:
    """The grid that a committed table was made of, as far as it can be told."""
    caption, *lines = [line for line in text.splitlines() if line]
    table = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    header, _, *rows = [[cell.strip().strip("*") for cell in line] for line in table]
    blocks: dict[str, list[list[TableCell]]] = {}
    for row in rows:
        found = [re.fullmatch(rf"(.*?)(?: \(({'|'.join(VERDICTS)})\))?", cell) for cell in row]
        cells = [TableCell(one[1], verdict=one[2] or "") for one in found if one]
        blocks.setdefault(row[0], []).append(cells)
    keys = [i for i, name in enumerate(header) if name in KEYS or "." in name]
    ours = [i for i, name in enumerate(header) if name.endswith("(ours)")]
    notes = [line for line in lines if not line.startswith("|")]
    return Grid(caption, "", header, [*blocks.values()], notes, keys=max(keys) + 1, spare=[ours, []])


@pytest.mark.skipif(not REFERENCE.is_dir(), reason="a source distribution has no reference")
def test_every_table_of_the_reference_fits_and_no_figure_is_in_two() -> None:
    paths = sorted(REFERENCE.glob("*.md"))
    assert len(paths) > 30
    for name, grid in ((path.stem, of_markdown(path.read_text(encoding="utf-8"))) for path in paths):
        for width in WIDTHS:
            lines = on(width, grid)
            assert max(map(len, lines)) <= width, (name, width)
            body = "\n".join(lines)
            for part in fitted(grid, width).parts:
                for cell in (cell for block in part.blocks for line in block for cell in line):
                    if NUMBER.match(cell.text) and len(cell.text) < 25:  # a figure: on one line as it is
                        assert cell.text in body, (name, width, cell.text)
                    for word in cell.text.split():
                        if NUMBER.search(word):
                            assert word in body, (name, width, cell.text)


def imputation(dataset: str = "japanese_vowels") -> Grid:
    """The table of the quickstart, with made-up figures of ten runs."""
    rows = [
        a_row(
            dataset,
            method,
            metric,
            {seed: 0.1 + 0.01 * seed for seed in range(10)},
            paper=printed("imputation", dataset, method, metric.name),
            dataset_title="Jp. Vow.",
            method_title=title,
        )
        for method, title in (("mean", "Mean Imp."), ("locf", "LOCF"), ("dae", "DAE"), ("pca", "PCA (ours)"))
        for metric in Imputation.metrics
    ]
    return experiment_table(rows, Imputation(), "Protocol paper.", Imputation.notes)


def test_the_quickstart_is_neat_at_80_columns() -> None:
    lines = on(80, imputation())
    (head,) = [line for line in lines if line.startswith("Dataset")]
    assert head.split() == ["Dataset", "Method", "MSE", "paper", "CORR", "paper"]
    rows = [line for line in lines if line.startswith("Jp. Vow.")]
    assert len(rows) == 4 and all("0.145±0.030" in row for row in rows)  # a line each
    assert "* ours, not in the paper" in lines[-3] + lines[-2]
    assert lines[-1].endswith("MAE removed (ours), CORR removed (ours).") or "removed (ours)" in lines[-1]
    assert not any(line.startswith("removed (ours):") for line in lines)  # what is not shown needs no note


def test_a_wide_terminal_shows_more() -> None:
    narrow, wide = on(100, imputation()), on(150, imputation())
    assert "0.145 ± 0.030" in "".join(narrow) and "MSE removed (ours)  MAE" not in "".join(narrow)
    assert any("MSE removed (ours)  MAE removed (ours)  CORR removed (ours)" in line for line in wide)
    assert any(line.startswith("removed (ours): over the removed entries") for line in wide)


def grid(header: list[str], *blocks: list[list[str]], keys: int = 1) -> Grid:
    return Grid(
        "A table.",
        "tab",
        header,
        [[[TableCell(text) for text in line] for line in block] for block in blocks],
        keys=keys,
    )


def test_settings_that_are_the_same_everywhere_go_to_the_caption_and_others_above_their_block() -> None:
    blocks = [
        [["Some data", "0.5", rate, f"model number {i}", *["0.123 ± 0.004"] * 5] for i in range(2)]
        for rate in ("0.1", "0.9")
    ]
    header = ["Dataset", "model.alpha", "missingness.rate", "Method", *"abcde"]
    lines = on(70, grid(header, *blocks, keys=4))
    assert lines[0] == "A table. model.alpha=0.5."
    assert lines.count("Some data, rate=0.1") == lines.count("Some data, rate=0.9") == 2  # in both parts
    assert sum(line.startswith("model number 1") for line in lines) == 4


def test_long_texts_are_wrapped_between_words() -> None:
    text = "a claim that goes on for much longer than a line of the terminal has room for, 12.345 times"
    lines = on(60, grid(["Claim", "Verdict"], [[text, "holds (4/4)"]]))
    assert " ".join(line.removesuffix("holds (4/4)").strip() for line in lines[4:]).strip() == text


def test_a_pipe_gets_all_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show(imputation())
    lines = capsys.readouterr().out.splitlines()
    assert sum("CORR removed (ours)" in line for line in lines) == 1 and "0.145 ± 0.030" in lines[4]
