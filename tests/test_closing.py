"""The end of a run of the tests says what it left out for want of data; a wrong folder is said at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mirror import MISSING, VARIABLE

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest
from tests.mirror import MIRROR, needs_mirror

@needs_mirror
@pytest.mark.parametrize("i", range(3))
def test_marked(i):
    assert (MIRROR / "here").is_file()

def test_given(mirror):
    assert (mirror / "here").is_file()

def test_other():
    pytest.skip("no LaTeX")

def test_no_data():
    pass
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout with nothing beside it that has these tests alone."""
    clone = tmp_path / "clone"
    (clone / "tests").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", clone)
    for name in ("__init__.py", "conftest.py", "mirror.py", "closing.py"):
        shutil.copy(ROOT / "tests" / name, clone / "tests")
    (clone / "tests" / "test_some.py").write_text(TESTS)
    return clone


def ran(clone: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    others = {key: value for key, value in os.environ.items() if not key.startswith(("TKAE_", "PYTEST_"))}
    surroundings = {**others, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=clone, env=surroundings, capture_output=True, text=True, check=False)


def folder(place: Path) -> Path:
    place.mkdir(parents=True)
    (place / "here").touch()
    return place


@pytest.mark.parametrize("workers", ["0", "2"])
def test_without_data_it_says_how_many_were_skipped_and_which_variable_runs_them(
    clone: Path, workers: str
) -> None:
    done = ran(clone, "-n", workers, "--randomly-seed=7")
    assert done.returncode == 0, done.stdout
    assert f"\n4 tests skipped: {MISSING}\n1 test skipped: no LaTeX\n" in done.stdout
    assert VARIABLE in MISSING and "\nthe same order again: --randomly-seed=7\n" in done.stdout


def test_the_data_are_where_the_variable_says_or_beside_the_checkout(clone: Path) -> None:
    named = ran(clone, "-n", "0", **{VARIABLE: str(folder(clone.parent / "named"))})
    folder(clone.parent / "shared" / "mirror")
    beside = ran(clone, "-n", "0")
    for done in (named, beside):
        assert done.returncode == 0 and "source files" not in done.stdout, done.stdout
        assert "1 test skipped: no LaTeX" in done.stdout


def test_a_variable_that_names_no_folder_is_said_at_once(clone: Path) -> None:
    done = ran(clone, "-n", "0", **{VARIABLE: "absent"})
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: {VARIABLE}={clone / 'absent'}: there is no such folder" in done.stderr
