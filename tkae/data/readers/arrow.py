"""A look at a Parquet or Feather file before pandas reads it: what it unpacks to, and whether it can be used.

Such a file may name one long text in thousands of rows, tell of columns that take no room, or hold bytes that
are no text. All of this costs little to see as long as it is still in pyarrow's form.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tkae.data.readers.feather import refuse_packed_bomb
from tkae.data.readers.limits import RATIO, UNPACKED, refuse_bomb, refuse_wide
from tkae.errors import DataError

Array = Any  # a pyarrow.Array
CELL = 8  # bytes that a cell takes at least
ROWS = 2**16  # that are looked at together
OWN_WAYS = ("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY")  # to write texts, such as by what they share


def refuse_parquet(path: Path) -> None:
    """Raise a sentence if the file cannot be read, or not within bounds."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        about, schema = file.metadata, file.schema_arrow
        _refuse_form(path, schema)
        groups = [about.row_group(i) for i in range(about.num_row_groups)]
        refuse_bomb(path, max(about.num_rows, sum(group.num_rows for group in groups)) * _width(schema))
        chunks = [group.column(i) for group in groups for i in range(group.num_columns)]
        refuse_bomb(path, sum(chunk.total_uncompressed_size for chunk in chunks))
    texts = [field.name for field in schema if _is_text(field.type)]
    once, rows = texts, ROWS  # a text that comes often is there once
    if any(way in chunk.encodings for chunk in chunks for way in OWN_WAYS):  # of which pyarrow does not do so
        longest = max(chunk.total_uncompressed_size for chunk in chunks)  # no text is longer than its chunk
        once, rows = [], min(ROWS, max(1, max(UNPACKED, RATIO * path.stat().st_size) // max(1, longest)))
    if texts:
        with ParquetFile(path, read_dictionary=once) as file:
            _look(path, file.iter_batches(batch_size=rows, columns=texts))


def refuse_feather(path: Path) -> None:
    """Raise a sentence if the file cannot be read, or not within bounds."""
    from pyarrow import feather

    refuse_packed_bomb(path)
    with warnings.catch_warnings():  # the function is to go; pandas uses it, too
        warnings.simplefilter("ignore")
        table = feather.read_table(path, memory_map=True)
    _refuse_form(path, table.schema)
    refuse_bomb(path, table.num_rows * _width(table.schema))
    _look(path, table.to_batches())


def _refuse_form(path: Path, schema: Any) -> None:
    from pyarrow import types

    refuse_wide(path, len(schema))
    for field in schema:
        kind = getattr(field.type, "storage_type", field.type)  # of a type that pyarrow does not know itself
        if types.is_nested(kind) or (types.is_dictionary(kind) and types.is_nested(kind.value_type)):
            raise DataError(
                f"{path}: the cells of column '{field.name}' are of the type {field.type}: write one number "
                "or one text into a cell, or leave the column out"
            )


def _width(schema: Any) -> int:
    """Bytes of a row without its texts."""
    return sum(max(CELL, _bits(field.type) // 8) for field in schema)


def _bits(kind: Any) -> int:
    try:
        return int(kind.bit_width)
    except ValueError:  # of no fixed width
        return 0


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    asked = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    return any(getattr(types, f"is_{name}", lambda _: False)(kind) for name in asked)


def _look(path: Path, batches: Iterable[Any]) -> None:
    """Add up what the texts take, each as often as it is named; refuse what pyarrow finds wrong."""
    from pyarrow import ArrowInvalid

    size = 0
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                column.validate(full=True)
            except ArrowInvalid as error:
                raise DataError(
                    f"{path}: column '{name}' is damaged, or not in UTF-8 ({str(error).splitlines()[0]}): "
                    "write the file again"
                ) from None
            if _is_text(column.type):
                size += _characters(column)
                refuse_bomb(path, size)


def _characters(column: Array) -> int:
    """Bytes of all texts of a column, each as often as it is named."""
    import pyarrow
    from pyarrow import compute

    if pyarrow.types.is_dictionary(column.type):
        named = compute.value_counts(column.indices.drop_null())
        words = column.dictionary.take(named.field("values"))
        return int(np.sum(_lengths(words) * named.field("counts").to_numpy()))
    return int(np.sum(_lengths(column)))


def _lengths(column: Array) -> Any:
    """(cells): bytes of each text."""
    from pyarrow import compute

    column = column.drop_null()
    if "view" in str(column.type):  # 16 bytes a cell, of which the first four are its length
        cells = np.frombuffer(column.buffers()[1], dtype="<i4")[4 * column.offset :]
        return cells[: 4 * len(column) : 4].astype(np.int64)
    return compute.binary_length(column).to_numpy(zero_copy_only=False).astype(np.int64)
