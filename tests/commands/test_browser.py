"""The page of a results folder is opened where there is a screen; elsewhere the command says where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkae.commands import browser
from tkae.commands.results import main as results
from tkae.commands.run import main as run

WORDS = ["experiment=imputation", "dataset=japanese_vowels", "model=mean", "seeds=1"]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to show."""
    found: list[str] = []
    monkeypatch.setattr(browser.webbrowser, "open", found.append)
    monkeypatch.setattr(browser.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return found


def test_a_run_shows_its_page_if_asked(
    tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report" / "index.html"
    assert run([*WORDS, f"results_dir={tmp_path}"]) == 0
    assert not page.exists()  # a single table needs none
    assert run([*WORDS, f"results_dir={tmp_path}", "open=true"]) == 0
    assert page.is_file() and opened == [] and f"page: {page}" in capsys.readouterr().out
    monkeypatch.setenv("DISPLAY", ":0")
    assert results(["show", str(tmp_path)]) == 0
    assert opened == [page.as_uri()]


def test_without_records_there_is_nothing_to_show(
    tmp_path: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert results(["show", str(tmp_path)]) == 2
    assert "holds no records" in capsys.readouterr().err and opened == []
    assert results(["show"]) == 2
