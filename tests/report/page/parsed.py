"""What tests read of a page: its elements, in their order."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote


class Elements(HTMLParser):
    """All elements of a text: a name and its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def having(self, attribute: str) -> list[dict[str, str]]:
        return [attributes for _, attributes in self.found if attribute in attributes]


def broken_links(page: Path) -> list[str]:
    """What a page refers to and does not have: files beside it, places in it."""
    elements = Elements(page.read_text(encoding="utf-8"))
    ids = [attributes["id"] for attributes in elements.having("id")]
    assert len(ids) == len(set(ids)), "an id stands twice"
    wanted = [one[name] for name in ("href", "src") for one in elements.having(name)]
    wanted += [
        f"#{one[name]}"
        for name in ("data-run", "data-line")
        for one in elements.having(name)
        if "class" not in one or name != "data-line" or "mark" in one["class"]
    ]
    wanted += [
        f"#{word}" for one in elements.having("aria-labelledby") for word in one["aria-labelledby"].split()
    ]
    broken = []
    for target in wanted:
        if target.startswith("#"):
            broken += [] if target[1:] in ids else [target]
        elif not target.startswith("data:") and not (page.parent / unquote(target)).is_file():
            broken.append(target)  # and so is every address of the network
    return broken
