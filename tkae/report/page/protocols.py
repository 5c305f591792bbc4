"""What the protocols do, in the words of docs/protocols.md, which a wheel has beside this module."""

from __future__ import annotations

from pathlib import Path

PAGE = "protocols.md"
SECTION = "## The three at a glance\n"


def at_a_glance() -> str:
    """That section as HTML; empty where the page is not here."""
    from markdown_it import MarkdownIt

    here = Path(__file__).parent
    docs = here.parents[2] / "docs" / PAGE
    path = here / PAGE if (here / PAGE).is_file() else docs
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    section = text.partition(SECTION)[2].partition("\n## ")[0]
    html = MarkdownIt("commonmark").enable("table").render(section)
    return str(html).replace("<th></th>", "<td></td>")  # a corner is the heading of nothing
