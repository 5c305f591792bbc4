"""The documentation as a site: it is built without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """What a page links to, and the names that links can lead to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id" and value:
                self.names.add(value)
            if key in ("href", "src") and value and tag != "base":
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages as `make docs` builds them."""
    pytest.importorskip("mkdocs")
    if not (ROOT / "results" / "reference").is_dir():  # a source distribution has none
        pytest.skip("no reference here")
    made = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(made)]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 12
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            named = (
                target not in pages or not parts.fragment or unquote(parts.fragment) in pages[target].names
            )
            if not target.exists() or not named:
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


def test_the_api_has_every_public_name_and_what_its_methods_say(site: Path) -> None:
    import tkae

    text = (site / "api.html").read_text(encoding="utf-8")
    assert [name for name in tkae.__all__ if f'.{name}"' not in text and f".{name}<" not in text] == []
    for sentence in ("The codes z of series", "in the form and the units in which they are given"):
        assert sentence in text
