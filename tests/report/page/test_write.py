"""The page as a file: its counts are those of the tables, it refers to nothing that is not there."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from tests.report.page.parsed import Elements, broken_links


def test_the_counts_are_those_of_the_summary(results: Path, html: str) -> None:
    cells = [one for one in Elements(html).having("data-verdict") if "data-kind" in one]
    with (results / "tables" / "summary.csv").open(encoding="utf-8") as file:
        lines = [line for line in csv.DictReader(file) if line["experiment"] == "all"]
    assert {line["protocol"] for line in lines} == {"paper", "authors"}
    for line in lines:
        own = [one for one in cells if one["data-protocol"] == line["protocol"]]
        counts = Counter((one["data-kind"], one["data-verdict"]) for one in own)
        for name, count in line.items():
            if name not in ("experiment", "protocol", "results", "facts", "claims"):
                kind, _, verdict = (
                    name.partition(" ") if name.startswith(("fact ", "claim ")) else ("result", "", name)
                )
                assert counts[kind, verdict] == int(count), (line["protocol"], name)
        totals = Counter(one["data-kind"] for one in own)
        assert [totals[kind] for kind in ("result", "fact", "claim")] == [
            int(line[name]) for name in ("results", "facts", "claims")
        ]
    assert len({one["data-verdict"] for one in cells}) > 4


def test_everything_that_it_refers_to_is_there(results: Path) -> None:
    page = results / "report" / "index.html"
    assert broken_links(page) == []
    text = page.read_text(encoding="utf-8")
    page_elsewhere = results / "report" / "broken.html"
    page_elsewhere.write_text(text.replace('href="tables/', 'href="tabels/'), encoding="utf-8")
    assert broken_links(page_elsewhere)
    page_elsewhere.unlink()


def test_tables_and_figures_lie_beside_it(results: Path) -> None:
    for kind, endings in (("tables", (".csv", ".tex")), ("figures", (".csv", ".pdf", ".png"))):
        there = {path.name for path in (results / kind).iterdir() if path.suffix in endings}
        assert there == {path.name for path in (results / "report" / kind).iterdir()}
        assert there


def test_what_a_record_says_is_shown_as_text(html: str) -> None:
    assert "out of memory &lt;here&gt;" in html and "<here>" not in html


def test_what_is_missing_has_its_command_and_its_time_if_there_are_such_cells(html: str) -> None:
    """Nobody ran a DAE, and of ODE nothing was asked for."""
    elements = Elements(html)
    commands = {one["data-copy"] for one in elements.having("data-copy")}
    assert (
        "tkae-run experiment=imputation dataset=japanese_vowels 'model=[locf,dae]' protocol=paper" in commands
    )
    assert (
        "tkae-run experiment=variable_length dataset=ode_fix 'model=[pca,ae,tae]' protocol=paper" in commands
    )
    assert "unknown: no cell like it has been computed" in html
    assert "tkae-run experiment=kernel_matrices" in commands  # of which the paper prints no number
