"""Files of series as `tkae-apply` takes them, and what a user sees and gets."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

from tkae.commands.apply import main

TASKS = (("impute", "mean", "picture.png"), ("embed", "pca", "null"))


def apply_own_file(path: Path) -> object:
    """Complete and encode its series; what is said is printable, and a refusal is the last line."""
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        return [_applied(task, path.name, model, picture) for task, model, picture in TASKS]
    finally:
        os.chdir(before)


def _applied(task: str, name: str, model: str, picture: str) -> str:
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        code = main([task, f"path={name}", f"output={task}.csv", f"model={model}", f"picture={picture}"])
    told = err.getvalue().splitlines()
    assert all(line.isprintable() and len(line) < 5000 for line in told), told
    refused = [line for line in told if line.startswith("tkae-apply: ")]
    assert (code, refused) == (0, []) or (code, refused) == (2, told[-1:]), (code, told)
    assert Path(f"{task}.csv").exists() == (code == 0)
    return "\n".join(told)
