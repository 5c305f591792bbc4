"""docs/tutorial.md and the examples, done from top to bottom with few epochs."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import sys
from pathlib import Path

import pandas
import pytest

from tkae.commands.apply import main as apply
from tkae.commands.data import main as data

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAMS = {"tkae-apply": apply, "tkae-data": data}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader of the tutorial works, when all is done."""
    place = tmp_path_factory.mktemp("tutorial")
    names: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for language, text in BLOCK.findall((DOCS / "tutorial.md").read_text(encoding="utf-8")):
            if language == "python":
                exec(text, names)
            elif language == "":
                program, *words = shlex.split(text)
                if program == "tkae-apply" and not any(word.startswith("load=") for word in words):
                    words.append("budget=smoke")
                assert PROGRAMS[program](words) == 0
    (place / "names.json").write_text(json.dumps([str(names["odd"]), len(names["completed"])]))  # type: ignore[arg-type]
    return place


def test_the_commands_write_what_the_page_says(folder: Path) -> None:
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    said = set(re.findall(r"\b\w+\.(?:csv|safetensors)\b", page)) - {"own.csv"}
    assert said == {path.name for path in folder.iterdir() if path.suffix in (".csv", ".safetensors")}
    assert (folder / "again.csv").read_bytes() == (folder / "imputed.csv").read_bytes()
    assert "spread" in pandas.read_csv(folder / "filled.csv")


def test_tables_begin_as_the_page_shows_them(folder: Path) -> None:
    blocks = BLOCK.findall((DOCS / "tutorial.md").read_text(encoding="utf-8"))
    rooms, imputed, scores = (text for language, text in blocks if language == "csv")
    assert (folder / "rooms.csv").read_text().startswith(rooms)
    assert (folder / "imputed.csv").read_text().startswith("\n".join(imputed.splitlines()[:-1]))
    assert (folder / "scores.csv").read_text().startswith(scores.splitlines()[0])


def test_python_finds_the_odd_room_too(folder: Path) -> None:
    odd, count = json.loads((folder / "names.json").read_text())
    assert odd == "room 17" and count == len(pandas.read_csv(folder / "rooms.csv"))


@pytest.mark.parametrize("name", ["impute", "classify", "screen"])
def test_an_example_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--epochs", "2", *(["--mixtures", "1"] if name != "screen" else [])]
    monkeypatch.setattr(sys, "argv", [name, *few])
    runpy.run_path(str(DOCS / "examples" / f"{name}.py"), run_name="__main__")
    assert re.search(r": (0\.|1\.)\d+$", capsys.readouterr().out, flags=re.MULTILINE)


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = json.loads((DOCS / "examples" / "first_steps.ipynb").read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells)  # which would be those of another version
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    names: dict[str, object] = {}
    exec(code.replace("epochs=300", "epochs=20"), names)
    assert (tmp_path / "waves.safetensors").exists() and len(names["completed"]) == 60  # type: ignore[arg-type]
