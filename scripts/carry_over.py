"""Carries records of format 1 over to keys that last and records that tell their story; loses none.

    python scripts/carry_over.py OLD_RESULTS NEW_RESULTS

The old key hashed every setting; the cells that the experiments have by themselves are planned, their old
identities are written down as they were, and each old record goes to the cell that it belongs to.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tkae.compose import compose
from tkae.data.sets.generated import Generated
from tkae.data.sets.source import SourceDataset
from tkae.fields import identity
from tkae.runs.cell import DATA_VERSION, Cell
from tkae.runs.plan import plan
from tkae.runs.store import Store


def main(source: Path, target: Path) -> None:
    words = ["experiment=glob(*,exclude=search*)", "protocol=paper,authors,clean"]
    cells = {}
    for cell in plan(compose(words, sweep=True)):
        cells.setdefault(old_key(cell), cell)
    store, lost = Store(target), []
    paths = sorted(source.rglob("records/**/*.json"))
    for path in paths:
        stored = json.loads(path.read_text(encoding="utf-8"))
        digest = hashlib.sha256(json.dumps(stored["record"], sort_keys=True).encode()).hexdigest()
        cell = cells.get(stored["key"])
        if cell is None or digest != stored["sha256"]:
            lost.append(path)
            continue
        record = {
            key: value
            for key, value in stored["record"].items()
            if key not in ("identity", "label", "seed", "arrays")
        }
        store.write(cell.entry(record), {})
    print(f"{len(paths) - len(lost)} of {len(paths)} records carried over to {target}")
    for path in lost:
        print(f"no cell for {path}", file=sys.stderr)
    raise SystemExit(bool(lost))


def old_key(cell: Cell) -> str:
    whole = {
        "experiment": {"name": cell.experiment.name, **identity(cell.experiment)},
        "dataset": {"name": cell.dataset.name, **identity(cell.dataset)},
        "missingness": {"name": cell.missingness.name, **identity(cell.missingness)},
        "model": {"name": cell.model.name, **identity(cell.model)},
        "protocol": identity(cell.protocol),
        "seed": cell.seed,
        "data": {**cell.data, "source": old_fingerprint(cell)},
        **({} if cell.series is None else {"series": cell.series}),
        "versions": {
            "data": DATA_VERSION,
            "experiment": cell.experiment.version,
            "model": cell.model.version,
            **cell.experiment.rests_on(),
            **cell.model.rests_on(),
        },
    }
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:24]


def old_fingerprint(cell: Cell) -> str:
    dataset = cell.dataset
    if isinstance(dataset, Generated):
        settings = asdict(dataset) | {"draw": cell.seed if dataset.draw is None else dataset.draw}
        parts: list[Any] = [dataset.lineage()[0], dataset.version, settings]
    elif isinstance(dataset, SourceDataset):
        checksums = [[remote.url, remote.sha256] for remote in dataset.sources()]
        parts = [dataset.name, dataset.version, dataset.tools(), dataset.values, asdict(dataset), checksums]
    else:
        return cell.data["source"]
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    repeated = getattr(dataset, "splits", "given") == "repeated"
    return f"{digest} seed {cell.seed}" if repeated else digest


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
