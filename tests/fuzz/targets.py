"""What is read from outside, each with valid inputs to begin with, a way to spoil them, and its reader."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.mutations import Spoil, spoiled_bytes, spoiled_file, spoiled_record
from tests.models.series import make, sines
from tkae.data.archives import BrokenArchive, members
from tkae.data.array_cache import kept, pack, unpack
from tkae.data.collection import Collection
from tkae.data.files import Files
from tkae.data.masks import fitting, read_masks, read_published, write_masks
from tkae.data.readers.mat import read_authors, read_kernels
from tkae.data.readers.text import parse_blocks, parse_libras
from tkae.data.readers.wfdb import parse_record
from tkae.data.sets.file import File
from tkae.errors import UserError
from tkae.models.checkpoints import Watch, by_checkpoint, forget
from tkae.models.files import load
from tkae.runs.packed import Packed
from tkae.runs.store import Store
from tkae.settings.compose import compose
from tkae.settings.registry import forget_folders, lookup, use_folders
from tkae.storage import believed

Read = Callable[[Path], object]
OFFLINE = Files(offline=True)
REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "records"


@dataclass(frozen=True)
class Target:
    """A reader of files with this name; `allowed` are the errors that are sentences."""

    seeds: Callable[[], list[bytes]]
    read: Read
    name: str  # of the file
    spoil: Spoil = spoiled_bytes
    allowed: tuple[type[Exception], ...] = field(default=(UserError,))


TABLE = """series,time,temperature,pressure,label,split
a,0,36.6,1.01,well,train
a,1,,1.02,well,train
b,0,38.9,,ill,train
b,1,39.1,0.98,ill,train
c,0,36.9,1.00,well,test
d,0,38.7,0.99,ill,test
"""
SEMICOLONS = "series;time;x\na;2020-01-31T12:00;1,5\na;2020-02-01;\nb;2020-01-01;2,5\n" * 1
TS = """@problemName own
@timestamps false
@classLabel true well ill
@data
36.6,?:1.01,1.02:well
38.9,39.1,39.0:?,0.98,0.97:ill
36.9:1.00:well
38.7:0.99:ill
"""


def _file(path: Path) -> object:
    return File(path=str(path), elapsed=path.stat().st_size % 2 == 0).load(OFFLINE, 0)


def _tables() -> list[bytes]:
    return [TABLE.encode(), SEMICOLONS.encode(), TABLE.replace(",", "\t").encode(), TABLE.encode("utf-8-sig")]


@cache
def _frames(ending: str) -> list[bytes]:
    import pandas

    frame, content = pandas.read_csv(io.StringIO(TABLE)), io.BytesIO()
    frame.to_parquet(content) if ending == "parquet" else frame.to_feather(content)
    return [content.getvalue()]


def _npz() -> list[bytes]:
    plain, packed, objects = io.BytesIO(), io.BytesIO(), io.BytesIO()
    values = np.random.default_rng(0).normal(size=(6, 4, 2))
    more = {"lengths": np.full(6, 4), "labels": ["well", "ill"] * 3, "names": list("abcdef")}
    np.savez(plain, values=values, **more)
    np.savez_compressed(packed, values=values, split=["train", "test"] * 3)
    np.savez(objects, values=np.array([{"a": 1}], dtype=object))
    return [plain.getvalue(), packed.getvalue(), objects.getvalue()]


@cache
def _mat() -> list[bytes]:
    from scipy.io import savemat

    rng, found = np.random.default_rng(0), []
    split = {"X": rng.normal(size=(5, 4, 2)), "X_len": np.full((5, 1), 4), "Y": np.ones((5, 1))}
    test = {"Xte": rng.normal(size=(3, 4, 2)), "Xte_len": np.full((3, 1), 4), "Yte": np.ones((3, 1))}
    kernels = {"Ktrtr": np.eye(5), "Ktete": np.eye(3)}
    for form in ("5", "4"):
        for packed in (True, False) if form == "5" else (False,):
            content = io.BytesIO()
            flat = {} if form == "5" else {"X": np.eye(3), "Xte": np.eye(3)}
            savemat(
                content, {**split, **test, **kernels, **flat}, format=form, do_compression=packed
            ) if form == "5" else savemat(content, {**flat, **kernels}, format=form)
            found.append(content.getvalue())
    return found


def _published(path: Path) -> object:
    for read in (read_authors, read_kernels, read_published):
        try:
            read(path)
        except UserError as error:
            told = error
        else:
            told = None
    if told is not None:
        raise told
    return None


def _wfdb(path: Path) -> object:
    header, _, signal = path.read_bytes().partition(b"|")
    return parse_record(header, signal, "A00001")


def _wfdb_seeds() -> list[bytes]:
    header = b"A00001 1 300 10\nA00001.mat 16+24 1000/mV 16 0 -127 0 0 ECG\n"
    return [header + b"|" + b"\0" * 24 + np.arange(10, dtype="<i2").tobytes()]


def _text(path: Path) -> object:
    content = path.read_bytes()
    return parse_libras(content, "x") if b"," in content else parse_blocks(content, 3, "x")


def _text_seeds() -> list[bytes]:
    line = ",".join(["0.5"] * 90 + ["1"])
    return [f"{line}\n{line}\n".encode(), b"1 2 3\n4 5 6\n\n1 2 3\n"]


@cache
def _archives() -> list[bytes]:
    parts, found = {"set/a.txt": b"1 2 3\n" * 50, "set/b.txt": b"4 5 6\n", "readme": b"x" * 100}, []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", method) as archive:
            for name, part in parts.items():
                archive.writestr(name, part)
        found.append(content.getvalue())
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w", format=form) as archive:
            for name, part in {**parts, f"set/{'long' * 40}.txt": b"7"}.items():
                info = tarfile.TarInfo(name)
                info.size = len(part)
                archive.addfile(info, io.BytesIO(part))
        found.append(content.getvalue())
    return [*found, *(packed(found[3]) for packed in (gzip.compress, bz2.compress, lzma.compress))]


def _members(path: Path) -> object:
    return list(members(path, r"(?:.*/)?([^/]*\.txt)"))


SERIES: Collection = sines(12, 8, ragged=True)


def _stored(write: Callable[[Path], object]) -> bytes:
    """The bytes that a function leaves in a file."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.safetensors"
        write(path)
        return path.read_bytes()


@cache
def _masks() -> list[bytes]:
    removed = {"train": SERIES.observed, "test": SERIES.observed}
    return [_stored(lambda path: write_masks(path, removed, {"rate": 0.5}))]


def _mask(path: Path) -> object:
    return fitting(read_masks(path), "train", SERIES, path)


@cache
def _cached() -> list[bytes]:
    from tkae.data.dataset import Splits
    from tkae.storage import save_arrays

    labels = Collection(SERIES.values, SERIES.observed, SERIES.lengths, np.arange(12) % 2)
    splits = Splits(labels, labels, ("a", "b"), 1)
    return [_stored(lambda path: save_arrays(path, *pack(splits), "cached.safetensors"))]


def _recalled(path: Path) -> object:
    from tkae.data.dataset import Splits

    found = kept(path, lambda: pack(Splits(SERIES, SERIES, ())))
    with believed(path, "a parsed dataset"):  # as SourceDataset.load has it
        return unpack(*found)


KEYS = ["0" * 24, "1" * 24]


@cache
def _checkpoints() -> list[bytes]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        watch = Watch(Path(folder), KEYS, keep_every=0.0)
        models = [make("tae", epochs=2), make("tae", epochs=2)]
        type(models[0]).learn_replicas(models, [SERIES, SERIES], [0, 1], watch)
        assert watch.path is not None
        return [watch.path.read_bytes()]


def _resumed(path: Path) -> object:
    """A training that goes on from it; what it cannot use it starts afresh from, or says so."""
    watch = Watch(path.parent, KEYS, keep_every=1e9)
    by_checkpoint(path.parent, KEYS)
    models = [make("tae", epochs=2), make("tae", epochs=2)]
    found = type(models[0]).learn_replicas(models, [SERIES, SERIES], [0, 1], watch)
    forget(path.parent, lambda key: False)
    for one in found:
        if isinstance(one, Exception):
            raise one
    return found


QUICK = {"tck": {"G": 1, "C": 2}, "tck_kpca": {"G": 1, "C": 2, "code_size": 2}, "iforest": {"trees": 5}}
NETWORKS = ("tae", "ae")
ABILITIES = ("encode", "reconstruct", "similarity", "screen")


@cache
def _models(name: str) -> list[bytes]:
    own = make(name, epochs=1) if name in NETWORKS else lookup("model", name)(**QUICK.get(name, {}))
    return [_stored(lambda path: own.fit(SERIES).save(path))]


def _model(path: Path) -> object:
    """All that a model from a file can do."""
    model = load(path)
    return [getattr(model, ability)(SERIES) for ability in ABILITIES if model.can(ability)]


@cache
def _records() -> list[bytes]:
    """Of this repository's evidence, some of each of two experiments."""
    found = []
    for stem in ("classification.paper", "imputation.paper"):
        lines = (REFERENCE / f"{stem}.jsonl").read_bytes().splitlines()[::17][:4]
        for line in lines:
            stored = json.loads(line)
            stored["record"]["arrays"] = []
            stored["sha256"] = _digest(stored["record"])
            found.append(json.dumps(stored, sort_keys=True).encode())
    return found


def _digest(record: Any) -> str:
    from tkae.runs.record import digest

    return digest(record)


def _table_of(store: Store) -> object:
    """All that tables and files tell of the records of a folder."""
    from tkae.report.latex import latex
    from tkae.report.tables import as_csv, markdown, show
    from tkae.report.write import sections_of

    for section in sections_of(store):
        for table in section.tables.values():
            show(table)
            latex(table), markdown(table), as_csv(table.long)
    return store.distrusted


def _record(path: Path) -> object:
    results = path.parent / "results"
    stored = json.loads(_records()[0])
    place = results / "records" / "classification" / "ehr" / "tkae" / f"{stored['key']}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(path.read_bytes())
    return _table_of(Store(results))


def _packed(path: Path) -> object:
    results = path.parent / "packed"
    (results / "records").mkdir(parents=True, exist_ok=True)
    (results / "records" / "classification.paper.jsonl").write_bytes(path.read_bytes())
    return _table_of(Store(results))


def _packed_seeds() -> list[bytes]:
    return [b"\n".join(_records()[:3]) + b"\n", b"\n".join(_records())]


def _unpacked(path: Path) -> object:
    from tkae.runs.packing import unpack

    results = path.parent / "theirs"
    (results / "records").mkdir(parents=True, exist_ok=True)
    (results / "records" / "classification.paper.jsonl").write_bytes(path.read_bytes())
    return unpack(results, path.parent / "deep" / "in" / "ours")


@cache
def _beside() -> list[bytes]:
    from tkae.storage import save_arrays

    arrays = {f"{KEYS[0]}/outcome.accuracy": np.ones(4), f"{KEYS[1]}/curve.loss": np.ones(3)}
    return [_stored(lambda path: save_arrays(path, arrays, {}, "beside.safetensors"))]


def _arrays_beside(path: Path) -> object:
    packed = Packed(path.with_suffix(".jsonl"))
    return [packed.arrays(key) for key in KEYS], packed.distrusted


CONF = Path(__file__).parents[2] / "conf"
MEMBERS = {
    "model": ("pca", "ae_tied"),
    "dataset": ("ode5", "japanese_vowels"),
    "missingness": ("block", "mar"),
    "experiment": ("imputation", "search_classification"),
    "budget": ("quick", "smoke"),
    "executor": ("processes", "dask"),
    "protocol": ("clean", "authors"),
}


def _own(group: str) -> list[bytes]:
    """Config files of ours as a user's own member of the group."""
    found = []
    for name in MEMBERS[group]:
        text = (CONF / group / f"{name}.yaml").read_text()
        for line in (f"# @package {group}.{name}\n", f"  name: {name}\n", f"\nname: {name}\n"):
            text = text.replace(line, line.replace(name, "own"))
        found.append(text.encode())
    return found


def _composed(group: str) -> Read:
    """A command that chooses the member of this file."""

    def read(path: Path) -> object:
        place = path.parent / "folder" / group / "own.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
        chosen = {"experiment": "imputation", "dataset": "japanese_vowels", "model": "pca", group: "own"}
        try:
            use_folders([str(place.parents[1])])
            command = compose([f"{key}={name}" for key, name in chosen.items()], sweep=False)
            return [call.setups for call in command]
        finally:
            forget_folders()

    return read


TARGETS: dict[str, Target] = {
    "csv": Target(_tables, _file, "own.csv"),
    "csv.gz": Target(lambda: [gzip.compress(one) for one in _tables()], _file, "own.csv.gz"),
    "tsv": Target(_tables, _file, "own.tsv"),
    "parquet": Target(lambda: _frames("parquet"), _file, "own.parquet"),
    "feather": Target(lambda: _frames("feather"), _file, "own.feather"),
    "ts": Target(lambda: [TS.encode()], _file, "own.ts"),
    "npz": Target(_npz, _file, "own.npz"),
    "mat": Target(_mat, _published, "own.mat"),
    "wfdb": Target(_wfdb_seeds, _wfdb, "record"),
    "text": Target(_text_seeds, _text, "table"),
    "archive": Target(_archives, _members, "archive", allowed=(BrokenArchive,)),
    "masks": Target(_masks, _mask, "masks.safetensors", spoiled_file),
    "cache": Target(_cached, _recalled, "cached.safetensors", spoiled_file),
    "checkpoint": Target(_checkpoints, _resumed, f"{'0' * 24}.safetensors", spoiled_file),
    **{
        f"model {name}": Target(lambda name=name: _models(name), _model, "model.safetensors", spoiled_file)
        for name in ("mean", "pca", "ocsvm", *QUICK, *NETWORKS)
    },
    **{
        f"config {group}": Target(lambda group=group: _own(group), _composed(group), "own.yaml")
        for group in MEMBERS
    },
    "record": Target(_records, _record, "record.json", spoiled_record),
    "packed": Target(_packed_seeds, _packed, "packed.jsonl", spoiled_record),
    "unpack": Target(_packed_seeds, _unpacked, "packed.jsonl", spoiled_record),
    "beside": Target(_beside, _arrays_beside, "beside.safetensors", spoiled_file),
}
