"""A user's own series: formats agree, splits are right, and bad files are refused with place and reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

from tkae.data.files import Files
from tkae.data.readers import limits
from tkae.data.sets.file import File
from tkae.errors import DataError

FILES = Files(offline=True)
CSV = """series,time,hr,bp,label,split
a,0,1,10,sick,train
a,2,3,,sick,train
a,1,2,11,sick,train
b,5,7,,well,train
b,6,8,20,well,train
c,0,9,30,sick,test
c,1,,31,sick,test
"""


def write(path: Path, text: str) -> File:
    path.write_text(text)
    return File(path=str(path))


def test_csv_ragged_missing_unordered(tmp_path: Path) -> None:
    splits = write(tmp_path / "x.csv", CSV).load(FILES, 0)
    assert splits.train.names == ("a", "b") and splits.test.names == ("c",)
    assert (
        splits.train.variates == ("hr", "bp")
        and splits.train.shape == (2, 3, 2)
        and splits.test.shape == (1, 3, 2)
    )
    np.testing.assert_array_equal(splits.train.series(0), [[1, 10], [2, 11], [3, np.nan]])
    np.testing.assert_array_equal(splits.train.series(1), [[7, np.nan], [8, 20]])
    assert splits.classes == ("sick", "well") and splits.positive == 1
    assert splits.train.labels is not None and splits.train.labels.tolist() == [0, 1]
    assert File(path=str(tmp_path / "x.csv"), positive="sick").load(FILES, 0).positive == 0


def test_all_formats_agree(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    wanted = write(tmp_path / "x.csv", CSV).load(FILES, 0)
    pandas.read_csv(tmp_path / "x.csv").to_parquet(tmp_path / "x.parquet")
    values = np.full((3, 3, 2), np.nan)
    for row, x, i in ((0, wanted.train, 0), (1, wanted.train, 1), (2, wanted.test, 0)):
        values[row, : x.lengths[i]] = x.series(i)
    np.savez(
        tmp_path / "x.npz",
        values=values,
        lengths=[3, 2, 2],
        labels=["sick", "well", "sick"],
        names=["a", "b", "c"],
        variates=["hr", "bp"],
        split=["train", "train", "test"],
    )
    for name in ("x.parquet", "x.npz"):
        got = File(path=str(tmp_path / name)).load(FILES, 0)
        assert got.train.fingerprint == wanted.train.fingerprint, name
        assert got.test.fingerprint == wanted.test.fingerprint, name
    head = "@classLabel true sick well\n@data\n"
    (tmp_path / "train.ts").write_text(head + "1,2,3:10,11,?:sick\n7,8:?,20:well\n")
    (tmp_path / "test.ts").write_text(head + "9,?:30,31:sick\n")
    got = File(path=str(tmp_path / "train.ts"), test_path=str(tmp_path / "test.ts")).load(FILES, 0)
    np.testing.assert_array_equal(got.train.values, wanted.train.values)
    np.testing.assert_array_equal(got.test.observed, wanted.test.observed)
    assert got.classes == wanted.classes


def many(tmp_path: Path, labelled: bool) -> File:
    rows = [f"{i},0,{i}.5,{'x' if i % 10 else 'rare'}" for i in range(100)]
    rows = rows if labelled else [row.rsplit(",", 1)[0] for row in rows]
    return write(
        tmp_path / "many.csv", "series,time,v" + (",label" if labelled else "") + "\n" + "\n".join(rows)
    )


def test_a_split_is_made_class_by_class(tmp_path: Path) -> None:
    dataset = many(tmp_path, labelled=True)
    splits = dataset.load(FILES, 0)
    assert (len(splits.train), len(splits.test)) == (80, 20)
    assert splits.test.labels is not None
    assert (splits.test.labels == splits.classes.index("rare")).sum() == 2
    assert not set(splits.train.names) & set(splits.test.names)
    assert dataset.load(FILES, 5).test.names == splits.test.names  # the run's seed does not enter
    other = File(path=dataset.path, split_seed=1).load(FILES, 0)
    assert other.test.names != splits.test.names


def test_the_fingerprint_is_of_the_bytes(tmp_path: Path) -> None:
    one = write(tmp_path / "x.csv", CSV)
    two = write(tmp_path / "y.csv", CSV)
    assert one.fingerprint(FILES) == two.fingerprint(FILES)
    assert write(tmp_path / "y.csv", CSV + "\n").fingerprint(FILES) != one.fingerprint(FILES)
    assert File(path=one.path, test_path=two.path).fingerprint(FILES) != one.fingerprint(FILES)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("a,1,2,11,sick,train", "a,1,2,11,sick", "line 4: 5 cells, the header has 6"),
        ("b,5,7,,", "b,5,seven,,", "line 5: 'seven' in column 'hr' is not a number"),
        ("b,5,7,,", "b,soon,7,,", "line 5: 'soon' in column 'time' is not a number, others there are"),
        ("b,5,7,,", "b,5,inf,,", "line 5: column 'hr' is infinite"),
        ("b,5,7,,", "b,,7,,", "line 5: no time"),
        ("a,1,2,11", "a,2,2,11", r"line 4: series 'a' has the time 2 twice \(first in line 3\)"),
        ("b,5,7,,well", ",,,,well", "line 5: no series id"),
        ("b,6,8,20,well", "b,6,8,20,sick", "line 6: series 'b' has the label 'sick', and 'well' in line 5"),
        ("b,6,8,20,well", "b,6,8,20,", "line 6: series 'b' has no label"),
        ("c,1,,31,sick,test", "c,1,,31,sick,train", "line 8: series 'c' has the split"),
        ("series,time,hr", "serie,time,hr", "no column 'series'.*did you mean 'serie'"),
        ("series,time,hr,bp", "series,time,hr,hr", "line 1: a header of different column names"),
        (",train", ",valid", "split 'valid', not 'train' or 'test'"),
        (",test", ",train", "0 of 3 series for the test split"),
        (CSV[CSV.index("\n") :], "\n", "no rows below the header"),
    ],
)
def test_csv_refusals(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in CSV
    with pytest.raises(DataError, match=rf"x\.csv.*{reason}"):
        write(tmp_path / "x.csv", CSV.replace(old, new)).load(FILES, 0)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".feather"])
def test_a_table_with_a_step_a_column_is_refused(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"x{i}" for i in range(20)]
    frame = pandas.DataFrame({"series": ["a", "b"], "time": [0, 0], **{name: [1.0, 2.0] for name in names}})
    path = tmp_path / f"x{ending}"
    {".csv": frame.to_csv, ".parquet": frame.to_parquet, ".feather": frame.to_feather}[ending](
        path, **({"index": False} if ending == ".csv" else {})
    )
    monkeypatch.setattr(limits, "COLUMNS", 22)
    assert File(path=str(path), test_share=0.5).load(FILES, 0).train.variates == tuple(names)
    monkeypatch.setattr(limits, "COLUMNS", 21)
    with pytest.raises(DataError, match=rf"x\{ending}: 22 columns, of 21 at most: a row is one step"):
        File(path=str(path)).load(FILES, 0)


def test_an_all_missing_variate_is_refused(tmp_path: Path) -> None:
    text = "series,time,v,w,split\na,0,1,,train\nb,0,2,3,test\n"
    with pytest.raises(DataError, match=r"x\.csv: the variate 'w' is missing in every training series"):
        write(tmp_path / "x.csv", text).load(FILES, 0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"values": np.zeros((4, 3))}, r"'values' is float64 of \(4, 3\)"),
        ({"values": np.array([[["a"]]])}, "'values' is <U1"),
        ({"labels": np.arange(5)}, r"'labels' has the shape \(5,\), \(4,\) was expected"),
        ({"lengths": np.array([1, 2, 3, 4])}, "'lengths' needs whole numbers from 1 to 3"),
        ({"lengths": np.array([0, 2, 3, 3])}, "'lengths' needs whole numbers from 1 to 3"),
        ({"label": np.arange(4)}, "unknown array 'label'.*did you mean 'labels'"),
        ({"labels": np.array([{}, 1, 2, 3], dtype=object)}, "not an .npz file of plain arrays"),
        ({"values": np.full((4, 3, 2), np.inf)}, r"values\[0, 0, 0\] is infinite"),
        ({"values": np.zeros((0, 5, 1))}, r"'values' has the shape \(0, 5, 1\): it needs one number"),
        ({"values": np.zeros((5 * 10**8, 0, 1))}, r"'values' has the shape \(500000000, 0, 1\)"),
        ({"values": np.zeros((10**9, 1, 0))}, r"'values' has the shape \(1000000000, 1, 0\)"),
        *(
            ({key: np.full(count, code, dtype="<u4").view("<U1")}, f"'{key}' holds signs that are no text")
            for key, count in (("labels", 4), ("names", 4), ("split", 4), ("variates", 2))
            for code in (0xD800, 0x7FFFFFFF)
        ),
    ],
)
def test_npz_refusals(tmp_path: Path, change: dict[str, np.ndarray], reason: str) -> None:
    np.savez(tmp_path / "x.npz", **({"values": np.zeros((4, 3, 2))} | change))
    with pytest.raises(DataError, match=rf"x\.npz: {reason}"):
        File(path=str(tmp_path / "x.npz")).load(FILES, 0)


def test_a_file_that_cannot_be_read_is_not_even_opened(tmp_path: Path) -> None:
    """One of the system's may never end, such as /proc/kmsg: nothing is read to tell its bytes."""
    path = tmp_path / "kmsg"
    path.write_text(CSV)
    path.chmod(0)
    with pytest.raises(DataError, match=r"kmsg: cannot read '' files; known: \.csv"):
        File(path=str(path)).fingerprint(FILES)


def test_other_refusals(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"needs dataset\.path"):
        File().load(FILES, 0)
    with pytest.raises(DataError, match=r"cannot read '\.xls' files; known: \.csv, \.tsv, \.parquet"):
        File(path="x.xls").load(FILES, 0)
    for name in ("x.csv", "x.npz", "x.ts", "x.parquet"):
        with pytest.raises(DataError, match="no such file"):
            File(path=str(tmp_path / name)).load(FILES, 0)
        (tmp_path / name).write_bytes(b"\xff\xfe\x00rubbish")
        with pytest.raises(DataError, match=name):
            File(path=str(tmp_path / name)).load(FILES, 0)
    with pytest.raises(DataError, match="No such file"):
        File(path=str(tmp_path / "absent.csv")).fingerprint(FILES)
    good = write(tmp_path / "good.csv", CSV)
    narrow = write(tmp_path / "narrow.csv", "series,time,hr,label\nz,0,1,sick\n")
    with pytest.raises(DataError, match=r"narrow\.csv: its variates"):
        File(path=good.path, test_path=narrow.path).load(FILES, 0)
    with pytest.raises(DataError, match="no class 'ill'"):
        File(path=good.path, positive="ill").load(FILES, 0)
