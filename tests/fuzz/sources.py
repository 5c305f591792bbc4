"""Files of users and of public archives: valid ones, and their readers."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

from tkae.data.archives import members
from tkae.data.files import Files
from tkae.data.masks import read_published
from tkae.data.readers.mat import read_authors, read_kernels
from tkae.data.readers.text import parse_blocks, parse_libras
from tkae.data.readers.wfdb import parse_record
from tkae.data.sets.file import File
from tkae.errors import UserError

OFFLINE = Files(offline=True)


TABLE = """series,time,temperature,pressure,label,split
a,0,36.6,1.01,well,train
a,1,,1.02,well,train
b,0,38.9,,ill,train
b,1,39.1,0.98,ill,train
c,0,36.9,1.00,well,test
d,0,38.7,0.99,ill,test
"""
SEMICOLONS = "series;time;x\na;2020-01-31T12:00;1,5\na;2020-02-01;\nb;2020-01-01;2,5\n" * 1
ODD = """series,time,$x_{,\x1b[2J
$\\frac{,0,1e200,-1e-320
$\\frac{,1,,7
"two
lines",0,1,
"two
lines",1,2,5
"""
TS = """@problemName own
@timestamps false
@classLabel true well ill
@data
36.6,?:1.01,1.02:well
38.9,39.1,39.0:?,0.98,0.97:ill
36.9:1.00:well
38.7:0.99:ill
"""


def read_own_file(path: Path) -> object:
    return File(path=str(path), elapsed=path.stat().st_size % 2 == 0).load(OFFLINE, 0)


def tables() -> list[bytes]:
    return [TABLE.encode(), SEMICOLONS.encode(), TABLE.replace(",", "\t").encode(), TABLE.encode("utf-8-sig")]


@cache
def frames(ending: str) -> list[bytes]:
    import pandas

    plain, found = pandas.read_csv(io.StringIO(TABLE)), []
    nullable = plain.assign(
        time=pandas.to_timedelta(plain.time, unit="s").astype("timedelta64[s]"),
        label=plain.label.astype("string"),
        split=plain.split.astype("category"),
        sick=pandas.array([True, None, False, True, None, True], dtype="boolean"),
        count=pandas.array([1, 2, None, 4, 5, 6], dtype="Int64"),
    )
    for frame in (plain, nullable):
        content = io.BytesIO()
        frame.to_parquet(content) if ending == "parquet" else frame.to_feather(content)
        found.append(content.getvalue())
    return found


def npz_files() -> list[bytes]:
    plain, packed, objects = io.BytesIO(), io.BytesIO(), io.BytesIO()
    values = np.random.default_rng(0).normal(size=(6, 4, 2))
    more = {"lengths": np.full(6, 4), "labels": ["well", "ill"] * 3, "names": list("abcdef")}
    np.savez(plain, values=values, **more)
    np.savez_compressed(packed, values=values, split=["train", "test"] * 3)
    np.savez(objects, values=np.array([{"a": 1}], dtype=object))
    odd = []
    for values, words in (
        (np.zeros((10**7, 1, 0)), {}),
        (np.zeros((0, 5, 1)), {}),
        (np.ones((2, 3, 2)), {"variates": ["series", "time"]}),
        (np.ones((2, 3, 1)), {"labels": np.full(2, 0xD800, dtype="<u4").view("<U1")}),
        (np.ones((2, 3, 1)), {"names": np.full(2, 0x7FFFFFFF, dtype="<u4").view("<U1")}),
    ):
        content = io.BytesIO()
        np.savez(content, values=values, **words)
        odd.append(content.getvalue())
    return [plain.getvalue(), packed.getvalue(), objects.getvalue(), *odd]


@cache
def mat_files() -> list[bytes]:
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


def read_mat_file(path: Path) -> object:
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


def read_wfdb(path: Path) -> object:
    header, _, signal = path.read_bytes().partition(b"|")
    return parse_record(header, signal, "A00001")


def wfdb_records() -> list[bytes]:
    header = b"A00001 1 300 10\nA00001.mat 16+24 1000/mV 16 0 -127 0 0 ECG\n"
    return [header + b"|" + b"\0" * 24 + np.arange(10, dtype="<i2").tobytes()]


def read_numbers(path: Path) -> object:
    content = path.read_bytes()
    return parse_libras(content, "x") if b"," in content else parse_blocks(content, 3, "x")


def number_texts() -> list[bytes]:
    line = ",".join(["0.5"] * 90 + ["1"])
    return [f"{line}\n{line}\n".encode(), b"1 2 3\n4 5 6\n\n1 2 3\n"]


@cache
def archives() -> list[bytes]:
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


def read_members(path: Path) -> object:
    return list(members(path, r"(?:.*/)?([^/]*\.txt)"))
