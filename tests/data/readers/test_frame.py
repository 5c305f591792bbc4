"""Tables as people write them: separators, decimal commas, times, packed files, and frames both ways."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas
import pytest

from tkae.data.collection import Collection
from tkae.data.files import Files
from tkae.data.sets.file import File
from tkae.errors import DataError

FILES = Files(offline=True)
PLAIN = """series,time,hr,bp,label,split
a,0,1.5,10,sick,train
a,2,3,,sick,train
a,1,2.25,11,sick,train
b,5,-7e1,,well,train
b,6,8,20,well,train
c,0,9,30,sick,test
c,1,,31,sick,test
"""


def fingerprints(path: Path, text: str | bytes, **settings: object) -> tuple[str, str]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    splits = File(path=str(path), **settings).load(FILES, 0)  # type: ignore[arg-type]
    return splits.train.fingerprint, splits.test.fingerprint


def dates(text: str, write: str) -> str:
    rows = [row.split(",") for row in text.splitlines()]
    return "\n".join(
        ",".join(row if i == 0 else [row[0], write.format(int(row[1])), *row[2:]])
        for i, row in enumerate(rows)
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("semicolons.csv", PLAIN.replace(",", ";")),
        ("tabs.csv", PLAIN.replace(",", "\t")),
        ("x.tsv", PLAIN.replace(",", "\t")),
        ("bars.csv", PLAIN.replace(",", "|")),
        ("decimal_comma.csv", PLAIN.replace(",", ";").replace(".", ",")),
        ("windows.csv", PLAIN.replace("\n", "\r\n").encode("utf-8-sig")),
        ("packed.csv.gz", gzip.compress(PLAIN.encode(), mtime=0)),
        ("words.csv", PLAIN.replace(",,", ",n/a,").replace("c,1,n/a", "c,1,NULL")),
        ("upper.csv", PLAIN.replace("series,time", "Series,Time").replace("label", "LABEL")),
        ("blank_lines.csv", PLAIN.replace("\n", "\n\n")),
        ("quoted.csv", '"' + PLAIN.replace(",", '","').replace("\n", '"\n"').removesuffix('"')),
        ("day.csv", dates(PLAIN, "2020-01-1{}")),
        ("stamp.csv", dates(PLAIN, "2020-01-01T1{}:00:00Z")),
        ("blank.csv", dates(PLAIN, "2020-01-01 1{}:30")),
        ("clock.csv", dates(PLAIN, "00:0{}:00")),
    ],
)
def test_the_same_series_however_they_are_written(tmp_path: Path, name: str, text: str | bytes) -> None:
    assert fingerprints(tmp_path / name, text) == fingerprints(tmp_path / "plain.csv", PLAIN)


def test_the_column_that_pandas_adds_is_no_variate(tmp_path: Path) -> None:
    wanted = fingerprints(tmp_path / "plain.csv", PLAIN)
    frame = pandas.read_csv(tmp_path / "plain.csv")
    frame.to_csv(tmp_path / "indexed.csv")
    assert fingerprints(tmp_path / "again.csv", (tmp_path / "indexed.csv").read_bytes()) == wanted
    frame.to_feather(tmp_path / "x.feather")
    frame.set_index("series").to_parquet(tmp_path / "x.parquet")
    pandas.read_csv(tmp_path / "indexed.csv").to_csv(tmp_path / "twice.csv", index=False)
    for name in ("x.feather", "x.parquet", "twice.csv"):
        assert fingerprints(tmp_path / name, (tmp_path / name).read_bytes()) == wanted
    other = (tmp_path / "indexed.csv").read_text().replace("\n1,", "\n7,")
    with pytest.raises(DataError, match="the first column has no name"):
        fingerprints(tmp_path / "other.csv", other)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("a,1,2.25", '"a\na",1,2.25,11,sick,train\na,1,x', "line 6: 'x' in column 'hr' is not a number"),
        ("a,1,2.25,11", "a,1,2.25,11,12", "line 4: 7 cells, the header has 6"),
        ("9,30", "1.234,5,30", "line 7: 7 cells"),
    ],
)
def test_the_place_of_a_fault(tmp_path: Path, old: str, new: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        fingerprints(tmp_path / "x.csv", PLAIN.replace(old, new))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("x.csv.gz", b"no gzip", "not a text file"),
        ("x.csv.gz", gzip.compress(PLAIN.encode(), mtime=0)[:-20], "not a text file"),
        ("x.npz.gz", b"", "cannot read"),
        ("x.feather", b"rubbish", "not a Feather file"),
        (
            "x.csv",
            PLAIN.replace("a,0,1.5", "a,soon,1.5").replace("a,2,", "a,2020-01-01,"),
            "not a number, others",
        ),
        ("x.csv", dates(PLAIN, "2020-13-0{}"), "line 2: '2020-13-00' is no time"),
        ("x.csv", PLAIN.replace(",", ";").replace("1.5", "1.234,5"), "line 2: '1.234,5' in column 'hr'"),
        ("x.ts", "@\n@data\n1:a\n", "line 1: '@' says nothing"),
        ("x.ts", "@classLabel\n@data\n1:a\n", "line 1: '@classLabel' says nothing"),
    ],
)
def test_refusals(tmp_path: Path, name: str, content: str | bytes, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        fingerprints(tmp_path / name, content)


def test_uneven_steps_are_an_order_or_a_variate(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    uneven = PLAIN.replace("a,2,3", "a,9,3")
    assert fingerprints(tmp_path / "plain.csv", PLAIN) == fingerprints(tmp_path / "x.csv", uneven)
    assert [record.getMessage().count("an order only") for record in caplog.records] == [1]
    splits = File(path=str(tmp_path / "x.csv"), elapsed=True).load(FILES, 0)
    assert splits.train.variates == ("hr", "bp", "elapsed")
    np.testing.assert_array_equal(splits.train.series(0)[:, 2], [0, 1, 8])


def test_a_folder_or_a_pipe_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a plain file"):
        File(path=str(tmp_path)).fingerprint(FILES)


def test_frames_both_ways() -> None:
    rng = np.random.default_rng(0)
    series = [rng.normal(size=(n, 3)) for n in (4, 1, 6)]
    series[0][1, 2] = series[2][0] = np.nan
    x = Collection.from_series(series, [1, 0, 1], ["u", "v", "w"], ["p", "q", "r"])
    frame = x.to_frame()
    assert list(frame.columns) == ["series", "time", "p", "q", "r", "label"] and len(frame) == 11
    shuffled = frame.sample(frac=1, random_state=1)
    again = Collection.from_frame(shuffled)  # series as they first appear
    assert again.take([again.names.index(name) for name in x.names]).fingerprint == x.fingerprint
    with pytest.raises(DataError, match=r"the frame, row 3: column 'q' is infinite"):
        Collection.from_frame(frame.assign(q=np.where(frame.index == 3, np.inf, 0.0)))
    durations = frame.assign(time=pandas.to_timedelta(frame.time, unit="h"))
    assert Collection.from_frame(durations, elapsed=True).series(1)[0, -1] == 0
    assert Collection.from_frame(durations, elapsed=True).series(0)[1, -1] == 3600
    with pytest.raises(DataError, match=r"no column 'time'.*; time=NAME says which"):
        Collection.from_frame(frame.drop(columns="time"))
