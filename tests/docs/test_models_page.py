"""docs/models.md, followed to the letter: its command and its Python run from top to bottom."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import tkae
from tkae.commands.run import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, flags=re.DOTALL)


def test_it_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, block in BLOCKS:
        if language == "python":
            exec(block, names)
        else:
            program, *words = shlex.split(block)
            assert program == "tkae-run" and main(words) == 0


def test_its_table_says_what_each_class_has() -> None:
    methods = ("transform", "impute", "score_samples", "inverse_transform")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    listed = {name: cells.split(" | ") for names, cells in rows for name in re.findall(r"\w+", names)}
    models = {*tkae.__all__} - {"Collection", "load", "results"}
    assert models <= listed.keys()
    for name in models:
        model = getattr(tkae, name)()
        says = [cell != "no" for cell in listed[name]]
        has = [hasattr(model, method) for method in methods]
        if name in ("LOCF", "MeanFill"):
            has[0] = False  # transform completes series there
        assert says == has, name
