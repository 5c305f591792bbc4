"""The pages beside the README: their links lead somewhere, and they know every line of the ablations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    local = [page.parent / target.split("#")[0] for target in targets if not target.startswith("http")]
    if not (ROOT / "results" / "reference").is_dir():  # a source distribution has none
        local = [target for target in local if "reference" not in target.parts]
    assert [target for target in local if not target.exists()] == []


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {"index.md"}
    assert {name for name in pages if f"]({name})" not in index} == set()


def test_every_line_of_the_ablations_has_its_place_in_protocols() -> None:
    text = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    lines = yaml.safe_load((ROOT / "conf" / "experiment" / "ablations.yaml").read_text())["experiment"][
        "lines"
    ]
    assert {name for name in lines if f"`{name}`" not in text} == set()
