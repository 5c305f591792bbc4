"""What the code of a guest raises: a line that names it, or a cell that failed, and never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tkae.commands.run import main
from tkae.errors import UserError
from tkae.settings.guests import guests_told
from tkae.settings.registry import forget_folders, lookup, use_folders

FAILING = """
from dataclasses import dataclass
from typing import ClassVar

from tkae.models.mean import MeanFill


@dataclass
class Failing(MeanFill):
    name: ClassVar[str] = "mine"
    title: ClassVar[str] = "Mine"

    def METHOD(self, *given, **named):
        raise RuntimeError("not today")


def __getattr__(name):
    raise ValueError(f"no {name}\\nhere")
"""
PLACE = "guest_models.py:14"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """A user's folder, whose model `mine` is the class that comes after this."""
    folder = tmp_path / "own"
    (folder / "model").mkdir(parents=True)
    yield folder
    forget_folders()
    sys.modules.pop("guest_models", None)


def offer(own: Path, method: str, name: str = "Failing") -> None:
    (own / "guest_models.py").write_text(FAILING.replace("METHOD", method))
    (own / "model" / "mine.yaml").write_text(f"# @package model.mine\n_target_: guest_models.{name}\n")


@pytest.mark.parametrize(
    ("method", "code", "words"),
    [
        ("__post_init__", 2, ["--cfg"]),
        ("__post_init__", 2, []),
        ("idle", 2, ["dry_run=true"]),
        ("check_here", 2, []),
        ("footprint", 2, ["dry_run=true"]),
        ("footprint", 2, []),
        ("learn", 1, []),
    ],
)
def test_a_guest_that_fails(
    own: Path, tmp_path: Path, method: str, code: int, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is computed it ends the command, in a line that names it; else its cell has failed."""
    offer(own, method)
    chosen = ["experiment=imputation", "dataset=sinusoids", "model=mine", "budget=smoke", "seeds=1"]
    results = f"results_dir={tmp_path / 'results'}"
    assert main(["--config-dir", str(own), *chosen, results, *words]) == code
    lines = [line for line in capsys.readouterr().err.splitlines() if "not today" in line]
    if code == 2:
        whose = f"guest_models.Failing.{method} ({PLACE}) of yours"
        assert lines == [f"tkae-run: {whose} raised RuntimeError: not today"]
    else:
        assert lines and all(f"RuntimeError: not today ({PLACE})" in line for line in lines)


def test_a_module_that_has_a_way_of_its_own_with_names(own: Path) -> None:
    offer(own, "idle", name="Absent")
    use_folders([str(own)])
    with pytest.raises(UserError, match=r"guest_models has no Absent, .* \(ValueError: no Absent here\)$"):
        lookup("model", "mine")


def test_what_we_raise_is_not_a_guests(own: Path) -> None:
    """A traceback of ours is not hidden, though guests are here; nor is a guest's sentence changed."""
    offer(own, "idle")
    use_folders([str(own)])
    with pytest.raises(RuntimeError, match="ours"), guests_told():
        raise RuntimeError("ours")
    with pytest.raises(UserError, match=r"^a sentence$"), guests_told():
        raise UserError("a sentence")
