"""Copies records and tables of a results folder into the reference, the evidence that is committed.

    python scripts/keep_reference.py results results/reference

Only this script writes there: tkae-run refuses a results_dir that holds the marker file.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tkae.runs.runner import MARKER


def main(source: Path, target: Path) -> None:
    for part in ("records", "tables"):
        if not (source / part).is_dir():
            raise SystemExit(f"{source / part} is not there: run an experiment first")
        shutil.rmtree(target / part, ignore_errors=True)
        shutil.copytree(source / part, target / part)
    (target / MARKER).touch()
    print(f"{sum(1 for _ in target.rglob('*.json'))} records and their tables are kept in {target}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
