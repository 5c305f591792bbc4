"""Parquet and Feather files: what pandas writes of nullable columns is read, and what harms is refused."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from tkae.data.readers import arrow, limits
from tkae.data.readers.feather import refuse_packed_bomb
from tkae.data.readers.frame import Roles
from tkae.data.readers.own import read_own
from tkae.data.readers.table import Table
from tkae.errors import DataError

pyarrow = pytest.importorskip("pyarrow")
from pyarrow import feather, parquet  # noqa: E402

PLAIN: dict[str, Any] = {
    "series": ["a", "a", "b", "b"],
    "time": [0, 1, 0, 1],
    "x": [1.0, 2.0, 3.0, 4.0],
    "y": [0.5, 1.5, 2.5, 3.5],
}
WRITE: dict[str, Callable[[Any, Path], None]] = {
    ".parquet": parquet.write_table,
    ".feather": lambda table, path: feather.write_feather(table, str(path)),
}
both = pytest.mark.parametrize("ending", WRITE)


def written(path: Path, **columns: Any) -> Table:
    """The series of a file with these columns, beside or in place of the plain ones."""
    WRITE[path.suffix](pyarrow.table({**PLAIN, **columns}), path)
    return read_own(path, Roles())


def of_pandas(path: Path, frame: pandas.DataFrame) -> Table:
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_feather(path)
    return read_own(path, Roles())


@both
@pytest.mark.parametrize(
    ("column", "cells", "dtype"),
    [
        ("series", ["a", "a", "b", "b"], "string"),
        ("series", [1, 1, 2, 2], "Int64"),
        ("label", ["u", "u", "v", "v"], "string"),
        ("label", [True, True, False, False], "boolean"),
        ("x", [1, None, 3, 4], "Int64"),
        ("x", [True, None, False, True], "boolean"),
        ("x", ["1", None, "3", "4"], "string"),
        ("x", [1.0, None, 3.0, 4.0], "Float64"),
        ("time", [0, 1, 0, 1], "Int64"),
    ],
)
def test_nullable_columns_are_read(tmp_path: Path, ending: str, column: str, cells: Any, dtype: str) -> None:
    frame = pandas.DataFrame({**PLAIN, column: pandas.array(cells, dtype=dtype)})
    table = of_pandas(tmp_path / f"x{ending}", frame)
    assert table.names == [str(cell) for cell in dict.fromkeys(frame["series"])]
    wanted = [[1.0, 0.5], [2.0, 1.5]] if column != "x" else [[1.0, 0.5], [np.nan, 1.5]]
    np.testing.assert_array_equal(table.series[0], wanted)
    assert len(table.labels) == (2 if column == "label" else 0)


@both
@pytest.mark.parametrize(
    ("column", "reason"), [("series", "no series id"), ("label", "has no label"), ("time", "no time")]
)
@pytest.mark.parametrize("dtype", ["string", "Int64", "boolean"])
def test_what_is_missing_where_it_must_not(
    tmp_path: Path, ending: str, column: str, reason: str, dtype: str
) -> None:
    cells = pandas.array([None if i == 3 else "1" if dtype == "string" else 1 for i in range(4)], dtype=dtype)
    with pytest.raises(DataError, match=rf"x\{ending}, row 4: .*{reason}"):
        of_pandas(tmp_path / f"x{ending}", pandas.DataFrame({**PLAIN, column: cells}))


@both
@pytest.mark.parametrize("column", ["series", "label", "x"])
@pytest.mark.parametrize("cell", [[1, 2], {"a": 1}])
def test_cells_that_hold_several_values_are_refused(
    tmp_path: Path, ending: str, column: str, cell: Any
) -> None:
    with pytest.raises(DataError, match=rf"the cells of column '{column}' are of the type .*: write one"):
        written(tmp_path / f"x{ending}", **{column: [cell] * 4})


@both
def test_an_index_with_the_name_of_a_column_is_refused(tmp_path: Path, ending: str) -> None:
    frame = pandas.DataFrame(PLAIN).rename_axis("series")
    with pytest.raises(DataError, match="index and a column are both called 'series'"):
        of_pandas(tmp_path / "x.parquet", frame)
    assert of_pandas(tmp_path / f"y{ending}", frame.rename_axis("row").reset_index()).variates[0] == "row"


@both
def test_a_column_whose_name_is_no_text_is_refused(tmp_path: Path, ending: str) -> None:
    """pandas keeps the names of an index beside the table, in a form that may hold any sign."""
    table = pyarrow.Table.from_pandas(pandas.DataFrame({**PLAIN, "i": range(4)}).set_index("i"))
    about = table.schema.metadata[b"pandas"].replace(b'"name": "i"', b'"name": "\\ud800"')
    WRITE[ending](table.replace_schema_metadata({b"pandas": about}), tmp_path / f"x{ending}")
    with pytest.raises(DataError, match="a column's name holds signs that are no text"):
        read_own(tmp_path / f"x{ending}", Roles())


@both
@pytest.mark.parametrize(
    ("kind", "ticks", "seconds"),
    [
        (("duration", "s"), 2**40, 2**40),
        (("duration", "ms"), 2**60, 2**60 / 1e3),
        (("duration", "us"), 3, 3e-6),
        (("timestamp", "s"), 10**11, 10**11),
        (("timestamp", "us"), 2**55, 2**55 / 1e6),
        (("timestamp", "ns"), 12345, 12345e-9),
    ],
)
def test_times_of_any_reach(
    tmp_path: Path, ending: str, kind: tuple[str, str], ticks: int, seconds: float
) -> None:
    path = tmp_path / f"x{ending}"
    cells = pyarrow.array([0, ticks, 0, -ticks], getattr(pyarrow, kind[0])(kind[1]))
    WRITE[ending](pyarrow.table({**PLAIN, "time": cells}), path)
    table = read_own(path, Roles(elapsed=True))
    assert [one[:, -1].tolist() for one in table.series] == [[0, seconds], [0, seconds]]
    assert table.series[1][:, 0].tolist() == [4, 3]  # in the order of time


def not_utf8(cells: int = 4) -> Any:
    good = pyarrow.array([b"\xed\xa0\x80"] * cells)
    return pyarrow.Array.from_buffers(pyarrow.string(), cells, [None, *good.buffers()[1:]])


@both
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("column", ["series", "label", "x"])
def test_texts_that_are_no_utf8_are_refused(tmp_path: Path, ending: str, packed: bool, column: str) -> None:
    cells = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 4), not_utf8(1)) if packed else not_utf8()
    with pytest.raises(DataError, match=rf"column '{column}' is damaged, or not in UTF-8 .*: write the file"):
        written(tmp_path / f"x{ending}", **{column: cells})


def one_long_text(rows: int, length: int) -> Any:
    words = pyarrow.array(["z" * length])
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(np.zeros(rows, np.int32)), words)


def shared_texts(path: Path) -> None:
    """Each text is all of the one before."""
    table = pyarrow.table({"series": ["z" * 10**4] * 3000, "time": range(3000), "x": np.zeros(3000)})
    options: dict[str, Any] = {"use_dictionary": False, "column_encoding": {"series": "DELTA_BYTE_ARRAY"}}
    parquet.write_table(table, path, store_schema=False, **options)


def long_text(path: Path, store_schema: bool) -> None:
    columns = {"series": one_long_text(4000, 10**4), "time": np.arange(4000), "x": np.zeros(4000)}
    parquet.write_table(pyarrow.table(columns), path, store_schema=store_schema)


def nulls(path: Path, rows: int = 10**6) -> None:
    none = pyarrow.nulls(rows)
    feather.write_feather(pyarrow.table(dict.fromkeys(PLAIN, none)), str(path))


def zeros(path: Path, compression: str) -> None:
    text = pyarrow.array(["0" * (3 * 10**7)])
    table = pyarrow.table({"series": text, "time": [0], "x": [1.0]})
    feather.write_feather(table, str(path), compression=compression, compression_level=1)


def views(path: Path) -> None:
    """One text of 10 kB that thousands of cells are views of."""
    text, rows = pyarrow.py_buffer(b"z" * 10**4), 4000
    one = np.array([10**4, int.from_bytes(b"zzzz", "little"), 0, 0], dtype="<i4")
    cells = [None, pyarrow.py_buffer(np.tile(one, rows)), text]
    view = pyarrow.Array.from_buffers(pyarrow.string_view(), rows, cells)
    columns = {"series": view, "time": np.arange(rows), "x": np.zeros(rows)}
    feather.write_feather(pyarrow.table(columns), str(path), compression="zstd")


BOMBS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "one text in all rows": (".parquet", lambda path: long_text(path, store_schema=False)),
    "one text in all rows, said to be one": (".parquet", lambda path: long_text(path, store_schema=True)),
    "texts that share all": (".parquet", shared_texts),
    "rows without bytes": (".feather", nulls),
    "a packed text, zstd": (".feather", lambda path: zeros(path, "zstd")),
    "a text that many cells see": (".feather", views),
    "one category": (
        ".feather",
        lambda path: feather.write_feather(
            pyarrow.table({**PLAIN, "series": one_long_text(4, 10**7)}), str(path)
        ),
    ),
}


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> int:
    """Bytes that any file may unpack to, here: bombs of this size are quickly made."""
    for module in (limits, arrow):
        monkeypatch.setattr(module, "UNPACKED", 2**24)
    return 2**24


@pytest.mark.parametrize("bomb", BOMBS)
def test_files_that_would_fill_the_memory_are_refused(tmp_path: Path, bomb: str, little: int) -> None:
    ending, write = BOMBS[bomb]
    path = tmp_path / f"x{ending}"
    write(path)
    assert path.stat().st_size < little / limits.RATIO
    usual = pyarrow.default_memory_pool()
    counted = pyarrow.proxy_memory_pool(usual)
    pyarrow.set_memory_pool(counted)
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match="unpacks to more than"):
            read_own(path, Roles())
        assert max(counted.max_memory(), tracemalloc.get_traced_memory()[1]) < 2 * little
    finally:
        tracemalloc.stop()
        pyarrow.set_memory_pool(usual)


def test_packed_buffers_are_not_unpacked(
    tmp_path: Path, little: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    zeros(tmp_path / "x.feather", "zstd")
    monkeypatch.setattr(feather, "read_table", None)  # is not come to
    with pytest.raises(DataError, match="unpacks to more than"):
        read_own(tmp_path / "x.feather", Roles())


@pytest.mark.parametrize("compression", ["zstd", "lz4"])
@pytest.mark.parametrize("what", ["numbers", "text", "words"])
def test_packed_buffers_tell_what_they_unpack_to(
    tmp_path: Path, compression: str, what: str, little: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether they are numbers, texts, or the words of a column that names them."""
    path, size = tmp_path / "x.feather", 1_000_000
    cells = {
        "numbers": np.zeros(size // 8),
        "text": pyarrow.array(["0" * size]),
        "words": one_long_text(1, size),
    }[what]
    feather.write_feather(pyarrow.table({"x": cells}), str(path), compression=compression)
    monkeypatch.setattr(limits, "RATIO", 1)
    monkeypatch.setattr(limits, "UNPACKED", size + 20_000)
    refuse_packed_bomb(path)
    monkeypatch.setattr(limits, "UNPACKED", size - 1)
    with pytest.raises(DataError, match="unpacks to more than"):
        refuse_packed_bomb(path)


@both
def test_many_short_texts_are_no_bomb(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "ROWS", 7)  # looked at in many parts
    names = [f"series number {i // 10}" for i in range(1000)]
    columns = {"time": np.arange(1000) % 10, "x": np.ones(1000), "y": np.ones(1000)}
    table = written(tmp_path / f"x{ending}", series=names, label=["a b"] * 1000, **columns)
    assert len(table.series) == 100 and set(table.labels) == {"a b"}


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_files_of_every_packing_are_read(tmp_path: Path, compression: str) -> None:
    frame = pandas.DataFrame({**PLAIN, "label": pandas.Categorical(["u", "u", "v", "v"])})
    frame.to_feather(tmp_path / "x.feather", compression=compression)
    table = read_own(tmp_path / "x.feather", Roles())
    assert table.labels == ["u", "v"] and table.series[1].tolist() == [[3.0, 2.5], [4.0, 3.5]]


@pytest.mark.parametrize("way", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_parquet_files_of_every_way_to_write_texts_are_read(tmp_path: Path, way: str) -> None:
    columns = {**PLAIN, "label": ["u", "u", "v", "v"], "of. one": [1.0, 2.0, 3.0, 4.0]}
    ways = {"series": way, "label": way}
    parquet.write_table(
        pyarrow.table(columns), tmp_path / "x.parquet", use_dictionary=False, column_encoding=ways
    )
    table = read_own(tmp_path / "x.parquet", Roles())
    assert (
        table.names == ["a", "b"] and table.labels == ["u", "v"] and table.variates == ["x", "y", "of. one"]
    )
