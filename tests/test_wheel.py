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


# As a user would, but with PCA: what trains would be compiled anew in a folder of its own.
LIBRARY = """
import numpy as np
import tkae
rng = np.random.default_rng(0)
series = [np.where(rng.random((n, 2)) < 0.3, np.nan, rng.normal(size=(n, 2))) for n in range(3, 9)]
model = tkae.PCA(code_size=1).fit(series)
assert all(np.isfinite(one).all() for one in model.impute(series))
model.save("model.safetensors")
assert (tkae.load("model.safetensors").transform(series) == model.transform(series)).all()
assert set(tkae.results("results").metric) >= {"mse", "corr"}
"""
OWN = "series,time,v\n" + "".join(f"{i},{t},{i + t if t % 3 else ''}\n" for i in range(5) for t in range(4))


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

    (empty / "own.csv").write_text(OWN)
    apply = ("tkae-apply", "impute", "path=own.csv", "output=done.csv", "model=locf")
    for program, *given in (apply, ("tkae-data", "list", "--offline"), ("tkae-results", "report", "results")):
        call(sys.executable, site / "bin" / program, *given, cwd=empty, PYTHONPATH=str(site))
    assert (empty / "done.png").exists() and (empty / "results" / "report.md").exists()
    call(sys.executable, "-c", LIBRARY, cwd=empty, PYTHONPATH=str(site))
