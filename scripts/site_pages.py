"""A hook of mkdocs: pages link to files of the repository outside of docs/, and the site has these as well.

A page such as README.md stands at `repository/README.md` in the site, with what it links to, and so on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<=\]\()([^)\s#]+)")


def on_files(files: Files, config: Any) -> Files:
    """Add what pages link to, and what those link to."""
    known = {ROOT / "docs" / file.src_uri for file in files}
    todo = sorted(known)
    while todo:
        for path in _targets(todo.pop()):
            if path not in known and path.is_file():
                known.add(path)
                todo.append(path)
                files.append(File.generated(config, _place(path), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links lead to where their files stand in the site."""
    source = Path(str(page.file.abs_src_path))

    def moved(link: re.Match[str]) -> str:
        path = _resolved(source, link[1])
        if path is None or not path.is_file():
            return link[1]
        return os.path.relpath(_place(path), Path(page.file.src_uri).parent)

    return LINK.sub(moved, markdown)


def _targets(path: Path) -> Iterator[Path]:
    """The files of the repository that a page links to."""
    if path.suffix == ".md":
        for link in LINK.findall(path.read_text(encoding="utf-8")):
            found = _resolved(path, link)
            if found is not None:
                yield found


def _resolved(source: Path, link: str) -> Path | None:
    """Where a link leads, if that is in the repository."""
    if "://" in link or link.startswith("mailto:"):
        return None
    path = (source.parent / link).resolve()
    return path if path.is_relative_to(ROOT) else None


def _place(path: Path) -> str:
    """Of a file in the site."""
    return (
        path.relative_to(DOCS).as_posix()
        if path.is_relative_to(DOCS)
        else f"repository/{path.relative_to(ROOT)}"
    )
