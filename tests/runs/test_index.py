"""The index is a shortcut: with it, without it or with a spoiled one the same records are there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.runs.test_many_cells import WORDS, counting
from tests.runs.test_many_cells import entries as made
from tkae.runs import index as index_module
from tkae.runs import record as record_module
from tkae.runs import store as store_module
from tkae.runs.entry import Entry
from tkae.runs.index import NAME
from tkae.runs.plan import plan
from tkae.runs.store import Store
from tkae.settings.compose import compose
from tkae.storage import write_atomically

entries = cache(made)


@pytest.fixture
def remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with records, the last of them with arrays, and their index."""
    monkeypatch.setattr(store_module, "WORTH", 1)
    store = Store(tmp_path)
    for entry in entries():
        store.write(entry, {"outcome.error": np.ones(3)} if entry == entries()[-1] else {})
    assert len(list(store.entries())) == len(entries())
    store.remember()
    assert (tmp_path / "records" / NAME).is_file()
    return tmp_path


def opened(folder: Path) -> Store:
    store = Store(folder)
    store.recall()
    return store


def told(folder: Path) -> tuple[list[Any], dict[str, str]]:
    """All that a command sees of a folder's records."""
    store = opened(folder)
    found = [(one.key, one.runs_of, json.dumps(one.record, sort_keys=True)) for one in store.entries()]
    return found, store.distrusted


def told_without(folder: Path) -> tuple[list[Any], dict[str, str]]:
    """The same, read from the records themselves."""
    kept = folder / "records" / NAME
    aside = kept.rename(folder / "aside")
    found = told(folder)
    aside.rename(kept)
    return found


def test_with_an_index_no_record_is_parsed_and_the_same_is_there(
    remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = told_without(remembered)
    calls = counting(monkeypatch, store_module, "parsed")
    assert told(remembered) == without
    store, cells = opened(remembered), plan(compose(WORDS, sweep=False))
    assert all(store.read(cell) is not None for cell in cells)
    assert not calls
    assert len(without[0]) == len(cells)


def test_entries_of_the_index_share_what_is_alike(remembered: Path) -> None:
    found = list(opened(remembered).entries())
    for part in ("story", "environment"):
        values = [one.record[part] for one in found if one.record is not None]
        assert len({id(value) for value in values}) == len({json.dumps(value) for value in values})


def changed(one: Entry, store: Store) -> None:
    store.write(replace(one, record={**(one.record or {}), "metrics": {"mse": 9.0}}), {})


def gone(one: Entry, store: Store) -> None:
    store.path(one).unlink()


def cut(one: Entry, store: Store) -> None:
    store.path(one).write_bytes(store.path(one).read_bytes()[:100])


def of_the_same_size_and_time(one: Entry, store: Store) -> None:
    path, about = store.path(one), store.path(one).stat()
    write_atomically(path, path.read_bytes().replace(b'"done"', b'"dome"'))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def edited_in_place_with_its_time_put_back(one: Entry, store: Store) -> None:
    path, about = store.path(one), store.path(one).stat()
    path.write_bytes(path.read_bytes().replace(b'"done"', b'"dome"'))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def without_arrays(one: Entry, store: Store) -> None:
    store.path(one).with_suffix(".safetensors").unlink()


CHANGES = [
    changed,
    gone,
    cut,
    of_the_same_size_and_time,
    edited_in_place_with_its_time_put_back,
    without_arrays,
]


@pytest.mark.parametrize("what", CHANGES)
def test_a_record_that_is_no_longer_what_was_read_is_not_taken_from_the_index(
    what: Callable[[Entry, Store], None], remembered: Path
) -> None:
    before = told(remembered)
    what(entries()[-1], Store(remembered))
    now = told(remembered)
    assert now == told_without(remembered) and now != before


def spoil_a_digit(path: Path) -> None:
    text = path.read_text()
    assert '"mse":0.1' in text
    path.write_text(text.replace('"mse":0.1', '"mse":0.7', 1))


def tell_otherwise(path: Path) -> None:
    """A checksum is no signature: the content may be anything, under the right one."""
    body = json.loads(path.read_text().splitlines()[1])
    body["records"][0][-1]["metrics"] = "none"
    again(path, body)


def point_nowhere(path: Path) -> None:
    body = json.loads(path.read_text().splitlines()[1])
    body["records"][0][3] = [10**6, 0, 0]
    again(path, body)


def lead_elsewhere(path: Path) -> None:
    """To a file outside of the records, which nobody asks for."""
    body = json.loads(path.read_text().splitlines()[1])
    body["records"] = [["../../" + place, *rest] for place, *rest in body["records"]]
    again(path, body)


def again(path: Path, body: Any) -> None:
    text = json.dumps(body)
    head = {"format": index_module.FORMAT, "sha256": index_module._digest(text)}
    path.write_text(f"{json.dumps(head)}\n{text}\n")


def be_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def be_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILED = [
    spoil_a_digit,
    tell_otherwise,
    point_nowhere,
    lead_elsewhere,
    be_a_pipe,
    be_a_folder,
    lambda path: path.write_bytes(b"\xff\xfe"),
    lambda path: path.write_text("[" * 100_000),
    lambda path: path.write_text(path.read_text()[:-200]),
]


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_spoiled_index_is_as_good_as_none(spoil: Callable[[Path], Any], remembered: Path) -> None:
    right = told(remembered)
    spoil(remembered / "records" / NAME)
    assert told(remembered) == right


def test_an_index_of_records_of_another_form_is_as_good_as_none(
    remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new form of records raises `record.FORMAT`, of which the index's is made."""
    assert record_module.FORMAT in index_module.FORMAT
    monkeypatch.setattr(index_module, "FORMAT", [index_module.FORMAT[0], record_module.FORMAT + 1])
    calls = counting(monkeypatch, store_module, "parsed")
    assert told(remembered)[0] and len(calls) == len(entries())


def test_one_record_is_read_without_the_index(remembered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers look up a cell at a time, each in a store of its own."""
    calls = counting(monkeypatch, store_module, "read_index")
    cell = plan(compose(WORDS, sweep=False))[0]
    assert Store(remembered).read(cell) is not None and not calls


def test_records_that_are_not_taken_are_not_worth_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "WORTH", 1)
    store = Store(tmp_path)
    for entry in entries():
        store.write(entry, {})
        cut(entry, store)
    assert not list(store.entries()) and len(store.distrusted) == len(entries())
    store.remember()
    assert not (tmp_path / "records" / NAME).exists()


def test_few_records_leave_no_index(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for entry in entries():
        store.write(entry, {})
    assert list(store.entries())
    store.remember()
    assert not (tmp_path / "records" / NAME).exists()


@pytest.mark.parametrize("error", [OSError("read-only"), MemoryError()])
def test_where_nothing_can_be_written_nothing_is_remembered(
    error: Exception, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, content: object) -> None:
        raise error

    (remembered / "records" / NAME).unlink()
    monkeypatch.setattr(index_module, "write_atomically", refuse)
    store = Store(remembered)
    right = list(store.entries())
    store.remember()
    assert right and not (remembered / "records" / NAME).exists()
