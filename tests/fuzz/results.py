"""Results folders: records, packed ones, and the arrays beside them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.kept import bytes_of
from tkae.runs.packed import Packed
from tkae.runs.store import Store

REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "records"
KEYS = ["0" * 24, "1" * 24]


@cache
def record_files() -> list[bytes]:
    """Of this repository's evidence, some of each of two experiments."""
    found = []
    for stem in ("classification.paper", "imputation.paper"):
        lines = (REFERENCE / f"{stem}.jsonl").read_bytes().splitlines()[::17][:4]
        for line in lines:
            stored = json.loads(line)
            stored["record"]["arrays"] = []
            stored["sha256"] = checksum(stored["record"])
            found.append(json.dumps(stored, sort_keys=True).encode())
    return found


def checksum(record: Any) -> str:
    from tkae.runs.record import digest

    return digest(record)


def told_of(store: Store) -> object:
    """All that tables and files tell of the records of a folder."""
    from tkae.report.document import provenance
    from tkae.report.latex import latex
    from tkae.report.page.times import Times, spoken
    from tkae.report.screen import show
    from tkae.report.tables import as_csv, markdown
    from tkae.report.write import sections_of

    sections = sections_of(store)
    for section in sections:
        for table in section.tables.values():
            show(table)
            for text in (latex(table), markdown(table), as_csv(table.long)):
                text.encode()
    repr(provenance(sections)).encode(), spoken(Times.of(store.entries()).total)
    return store.distrusted


def read_record(path: Path) -> object:
    results = path.parent / "results"
    stored = json.loads(record_files()[0])
    place = results / "records" / "classification" / "ehr" / "tkae" / f"{stored['key']}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(path.read_bytes())
    return told_of(Store(results))


def read_packed(path: Path) -> object:
    results = path.parent / "packed"
    (results / "records").mkdir(parents=True, exist_ok=True)
    (results / "records" / "classification.paper.jsonl").write_bytes(path.read_bytes())
    return told_of(Store(results))


def packed_files() -> list[bytes]:
    return [b"\n".join(record_files()[:3]) + b"\n", b"\n".join(record_files())]


def unpack_packed(path: Path) -> object:
    from tkae.runs.packing import unpack

    results = path.parent / "theirs"
    (results / "records").mkdir(parents=True, exist_ok=True)
    (results / "records" / "classification.paper.jsonl").write_bytes(path.read_bytes())
    return unpack(results, path.parent / "deep" / "in" / "ours")


@cache
def arrays_files() -> list[bytes]:
    from tkae.storage import save_arrays

    arrays = {f"{KEYS[0]}/outcome.accuracy": np.ones(4), f"{KEYS[1]}/curve.loss": np.ones(3)}
    return [bytes_of(lambda path: save_arrays(path, arrays, {}, "beside.safetensors"))]


def read_arrays(path: Path) -> object:
    packed = Packed(path.with_suffix(".jsonl"))
    return [packed.arrays(key) for key in KEYS], packed.distrusted
