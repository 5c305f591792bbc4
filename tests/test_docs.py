"""The pages beside the README: their links lead somewhere, and they know every line of the ablations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tkae.settings.compose import compose

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


def test_notes_on_the_papers_numbers_name_sections_of_protocols() -> None:
    text = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    numbers = (ROOT / "tkae" / "report" / "paper_numbers.csv").read_text(encoding="utf-8")
    named = set(re.findall(r"\(docs/protocols\.md: ([^)]+)\)", numbers))
    assert len(named) > 5 and {name for name in named if f"\n## {name}\n" not in text} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    named = set(re.findall(r"`((?:tkae|conf|scripts|tests|docs)/[\w/.]+)`", page.read_text(encoding="utf-8")))
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_comments_cite_pages_that_are_in_the_repository() -> None:
    folders = [ROOT / folder for folder in ("tkae", "conf", "scripts")]
    files = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".yaml", ".csv")
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    cited = {name for text in texts.values() for name in re.findall(r"\b[A-Z]{5,}\.md\b", text)}
    assert cited - {page.name for page in PAGES} == set()


def test_the_protocols_have_the_values_that_their_page_says() -> None:
    text = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `protocol\.(\w+)`[^|]*\|(.+)\|$", text, flags=re.MULTILINE)
    said = {key: re.findall(r"`(\w+)`", cells) for key, cells in rows}
    said["kernels"].append("tck")  # its table has one column for `paper` and `clean`
    assert len(said) == 8
    for column, name in enumerate(("paper", "authors", "clean")):
        protocol = compose(["experiment=imputation", f"protocol={name}"], sweep=False)[0].protocol
        assert {key: values[column] for key, values in said.items()} == {
            key: getattr(protocol, key) for key in said
        }
