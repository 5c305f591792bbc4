"""docs/extending.md, followed to the letter: its files are written, its commands are run, its checks pass."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
_FILE = re.compile(r"^`(own/[\w/]+\.(?:py|yaml))`:\n\n```\w+\n(.*?)```$", re.DOTALL | re.MULTILINE)
FILES = dict(_FILE.findall(PAGE))
COMMANDS = re.findall(r"^(?:tkae-run|python) .*$", PAGE, flags=re.MULTILINE)
SECTIONS = dict(re.findall(r"^## An? (\w+)$(.*?)(?=^## )", PAGE, flags=re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader of the page works: `own/` in it is as the page says."""
    place = tmp_path_factory.mktemp("extending")
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("what", ["dataset", "model", "missingness", "experiment", "executor", "protocol"])
def test_each_takes_less_than_40_lines(what: str) -> None:
    texts = [FILES[name] for name in re.findall(r"^`(own/[\w/.]+)`:$", SECTIONS[what], flags=re.MULTILINE)]
    assert texts and sum(len(text.splitlines()) for text in texts) < 40


@pytest.mark.parametrize("what", SECTIONS)
def test_each_has_a_command_that_chooses_it(what: str) -> None:
    (name,) = re.findall(rf"^`own/{what}/(\w+)\.yaml`:$", SECTIONS[what], flags=re.MULTILINE)
    commands = [command for command in COMMANDS if command in SECTIONS[what]]
    assert any(re.search(rf" {what}=\[?(\w+,)*{name}\b", command) for command in commands)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_runs(command: str, folder: Path) -> None:
    program, *words = shlex.split(command)
    start = ["-m", "tkae.commands.run"] if program == "tkae-run" else []
    done = subprocess.run(
        [sys.executable, *start, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failed" not in done.stdout, done.stdout
    if "protocol=strict --cfg" in command:
        assert "model.alpha: 0.2 # protocol=strict" in done.stdout
