"""Copies what a results folder holds into the reference, the evidence that is committed.

    python scripts/keep_reference.py results results/reference

Only this script writes there: tkae-run refuses a results_dir that holds the marker file. The arrays beside
records are left out: the figures are drawn already.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tkae.runs.runner import MARKER


def main(source: Path, target: Path) -> None:
    if not (source / "records").is_dir():
        raise SystemExit(f"{source / 'records'} is not there: run an experiment first")
    for part in ("records", "tables", "figures"):
        shutil.rmtree(target / part, ignore_errors=True)
        if (source / part).is_dir():
            shutil.copytree(source / part, target / part, ignore=shutil.ignore_patterns("*.safetensors"))
    for part in ("report.md", "report.tex"):
        (target / part).unlink(missing_ok=True)
        if (source / part).is_file():
            shutil.copy(source / part, target / part)
    (target / MARKER).touch()
    print(f"{sum(1 for _ in target.rglob('*.json'))} records and what was made of them are kept in {target}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
