"""Opens the page of a results folder; on a machine without a screen it says where the page is."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

from tkae.report.page.write import page_of


def show_page(results: Path) -> None:
    """The page must have been written."""
    page = page_of(results).absolute()
    print(f"page: {page}", flush=True)
    if _has_screen():
        webbrowser.open(page.as_uri())


def _has_screen() -> bool:
    """Without one, `webbrowser` would start a browser for terminals and wait for its end."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
