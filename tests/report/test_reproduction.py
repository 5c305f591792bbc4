"""REPRODUCTION.md: sentences rest on cells that a command computes, and none stands without its figures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tkae.commands.results import main
from tkae.report.paper import printed
from tkae.report.reproduction import MOST, Wanted, words
from tkae.report.summary import Row
from tkae.report.write import sections_of, write_reproduction
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.settings.compose import compose
from tkae.settings.registry import lookup

ROOT = Path(__file__).parents[2]
FINDINGS = words()["findings"]


def test_there_are_few_findings() -> None:
    assert 0 < len(FINDINGS) <= MOST


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda one: one["title"])
def test_a_finding_names_figures_that_a_command_computes(finding: dict[str, Any]) -> None:
    named = re.findall(r"\{([^{}]*)\}", finding["says"])
    assert {name.partition(".")[0] for name in named} == set(finding["figures"])
    assert {name.partition(".")[2] for name in named} <= {"", "paper", "effect"}
    for name, where in finding["figures"].items():
        one = Wanted(**where)
        assert one.metric in {metric.name for metric in lookup("experiment", one.experiment).metrics}
        experiment = "ablations" if one.change else one.experiment
        cells = plan(
            compose([f"experiment={experiment}", f"protocol={one.protocol}", "seeds=1"], sweep=False)
        )
        assert any(
            (cell.story["stands_for"], cell.story["method"]) == (one.dataset, one.method)
            and dict(cell.point) == dict(one.at)
            and {key: cell.settings[key] for key in cell.changed if not cell.control} == dict(one.change)
            for cell in cells
        ), name
        if f"{name}.paper" in named:
            assert printed(one.experiment, one.dataset, one.method, one.metric, one.at)
        assert (f"{name}.effect" not in named) or one.change


def test_a_finding_without_its_figures_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    words = ["experiment=classification", "dataset=japanese_vowels", "model=pca", "seeds=10"]
    from tkae.commands.run import main as run

    assert run([*words, f"results_dir={folder}"]) == 0
    assert main(["reproduction", str(folder), str(tmp_path / "PAGE.md")]) == 0
    page = (tmp_path / "PAGE.md").read_text()
    assert f"({len(FINDINGS)} more wait" in page and not any(one["title"] in page for one in FINDINGS)
    assert "| Jp. Vow., PCA, Accuracy | paper |" in page and "(results/figures/" in page


def test_the_committed_page_is_what_the_committed_records_give(tmp_path: Path) -> None:
    """But for the way to its figures: this page stands elsewhere."""
    page = ROOT / "REPRODUCTION.md"
    write_reproduction(Store(ROOT / "results" / "reference"), copy := tmp_path / "REPRODUCTION.md")
    ways = re.compile(r"\(?[./\w-]*results/reference/")
    assert ways.sub("", copy.read_text()) == ways.sub("", page.read_text())
    assert not re.findall(r"\{\w+", page.read_text()), "a figure that was not put in"


def test_every_cause_speaks_of_something_that_is_printed() -> None:
    rows: list[tuple[str, Row]] = [
        (section.protocol, row)
        for section in sections_of(Store(ROOT / "results" / "reference"))
        for row in section.rows
        if row.paper is not None
    ]
    for cause in words()["causes"]:
        asked = {key: value if isinstance(value, list) else [value] for key, value in cause.items()}
        assert any(
            row.entries[0].experiment in asked["experiment"]
            and protocol in asked.get("protocol", [protocol])
            and row.stands_for in asked.get("dataset", [row.stands_for])
            and row.method in asked.get("method", [row.method])
            for protocol, row in rows
        ), cause
