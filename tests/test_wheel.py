"""The wheel works by itself: installed into an empty place, called in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def call(*words: str | Path, cwd: Path, **extra: str) -> str:
    environment = {**os.environ, **extra}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_installed_wheel_runs_in_an_empty_folder(tmp_path: Path) -> None:
    call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist", cwd=ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "tkae/conf/config.yaml" in names and "tkae/data/sets/japanese_vowels.npz" in names
    assert {"index.html", "style.css", "tables.js"} <= {
        Path(name).name for name in names
    }  # the page's templates
    assert "tkae/report/page/protocols.md" in names
    assert not [name for name in names if name.startswith(("tests", "scripts"))]

    site = tmp_path / "site"
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", site)
    call(*pip, wheel, cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    where = call(sys.executable, "-c", "import tkae; print(tkae.__file__)", cwd=empty, PYTHONPATH=str(site))
    assert Path(where.strip()).is_relative_to(site)
    words = ("experiment=imputation", "dataset=japanese_vowels", "model=[mean,pca]", "seeds=1")
    out = call(sys.executable, site / "bin" / "tkae-run", *words, cwd=empty, PYTHONPATH=str(site))
    assert "Jp. Vow." in out
    assert (empty / "results" / "tables" / "imputation.paper.tex").exists()
