"""The folder of compiled code: within the cache, another one after any edit that compiled code may see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tkae.compiled.jit import PACKAGES, folder_of


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "compiled_here.py").write_text("from tkae.compiled.jit import jit")
        (tmp_path / package / "plain.py").write_text("")
    return tmp_path


@pytest.mark.parametrize("package", PACKAGES)
def test_an_edit_of_any_compiled_source_is_another_folder(sources: Path, package: str) -> None:
    before = folder_of(sources)
    (sources / package / "plain.py").write_text("def helper(): ...")
    assert folder_of(sources) == before
    (sources / package / "compiled_here.py").write_text("from tkae.compiled.jit import jit  # edited")
    assert folder_of(sources) != before


def test_every_package_with_compiled_code_is_among_them() -> None:
    root = Path(__file__).parents[2] / "tkae"
    found = {path.relative_to(root).parts[0] for path in root.rglob("*.py") if "@jit" in path.read_text()}
    assert found == {*PACKAGES}


def test_it_lies_within_the_cache(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TKAE_CACHE", str(sources / "own"))
    assert folder_of(sources).is_relative_to(sources / "own")


def test_what_a_process_compiles_is_kept_within_its_cache(tmp_path: Path) -> None:
    code = "import numpy as np; from tkae.compiled.jit import fill; fill(np.zeros(3), 0, 3, 1.0)"
    others = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    subprocess.run([sys.executable, "-c", code], env={**others, "TKAE_CACHE": str(tmp_path)}, check=True)
    assert list((tmp_path / "compiled").rglob("jit.fill-*.nbc"))
