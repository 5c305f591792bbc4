"""Evidence in few files: packed, merged and unpacked without a loss; and the reference is such a folder."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.report.page.parsed import broken_links
from tkae.commands.results import main as results
from tkae.commands.run import main
from tkae.runs.entry import Entry
from tkae.runs.record import parsed, written
from tkae.runs.store import Store

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
WORDS = ["experiment=sinusoids", "model=[pca,ae]", "budget=smoke"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("results")
    assert main([*WORDS, "seeds=2", f"results_dir={made}"]) == 0
    assert main(["experiment=imputation", *WORDS[2:], "dataset=japanese_vowels", "model=locf",
                 f"results_dir={made}"]) == 0  # fmt: skip
    return made


def content(folder: Path) -> dict[str, tuple[str, dict[str, bytes]]]:
    """By key: the record, and the arrays beside it."""
    store = Store(folder)
    return {
        entry.key: (
            json.dumps(entry.record, sort_keys=True),
            {name: array.tobytes() for name, array in store.arrays(entry).items()},
        )
        for entry in store.entries()
    }


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_what_is_packed_and_unpacked_is_what_was_stored(folder: Path, tmp_path: Path) -> None:
    packed, again = tmp_path / "packed", tmp_path / "again"
    assert results(["pack", str(folder), str(packed)]) == 0
    stems = ("sinusoids.paper", "imputation.paper")
    assert files(packed) == {f"records/{s}.{ending}" for s in stems for ending in ("jsonl", "safetensors")}
    assert content(packed) == content(folder) and len(content(folder)) == 6
    assert results(["unpack", str(packed), str(again)]) == 0
    assert content(again) == content(folder)
    assert main([*WORDS, "seeds=2", f"results_dir={again}", "dry_run=true"]) == 0


def test_a_run_goes_on_with_what_was_unpacked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results(["pack", str(folder), str(tmp_path / "packed")])
    results(["unpack", str(tmp_path / "packed"), str(tmp_path / "again")])
    capsys.readouterr()
    assert main([*WORDS, "seeds=2", f"results_dir={tmp_path / 'again'}"]) == 0
    assert "4 of 4 cells are stored: nothing to compute" in capsys.readouterr().err


def test_merging_keeps_everything_and_says_what_differs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, both, reverse = (tmp_path / name for name in ("other", "both", "reverse"))
    assert main([*WORDS, "seeds=[1,2]", f"results_dir={other}"]) == 0
    assert results(["pack", str(folder), str(other), str(both)]) == 0
    assert set(content(both)) == set(content(folder)) | set(content(other))
    assert results(["pack", str(other), str(folder), str(reverse)]) == 0
    for path in sorted(both.rglob("*.jsonl")):
        ours, theirs = path.read_text(), (reverse / path.relative_to(both)).read_text()
        assert [json.loads(line)["key"] for line in ours.splitlines()] == [
            json.loads(line)["key"] for line in theirs.splitlines()
        ]
    before = content(both)
    assert results(["pack", str(other), str(both)]) == 0 and content(both) == before  # once more
    store = Store(other)
    entry = next(iter(store.entries()))
    assert entry.record is not None
    store.write(  # the same cell with another figure, as of a machine that gives other bits
        type(entry)(entry.key, entry.identity, entry.story, {**entry.record, "metrics": {"mse": 9.0}}),
        store.arrays(entry),
    )
    capsys.readouterr()
    assert results(["pack", str(other), str(both)]) == 1
    assert "is stored twice with other figures" in capsys.readouterr().err and content(both) == before


def test_a_damaged_line_is_told_and_the_others_count(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results(["pack", str(folder), str(tmp_path)])
    path = tmp_path / "records" / "sinusoids.paper.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0][:-200] + "\n" + lines[1].replace('"mse": 0', '"mse": 1') + "".join(lines[2:]))
    capsys.readouterr()
    assert results(["report", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "line 1 is cut short or not JSON" in said and "line 2 was changed after it was written" in said
    assert len(content(tmp_path)) == 4


def test_a_cell_that_stands_twice_counts_once(folder: Path, tmp_path: Path) -> None:
    """As after a merge of two versions of the file."""
    assert results(["pack", str(folder), str(tmp_path / "packed")]) == 0
    path = next((tmp_path / "packed" / "records").glob("*.jsonl"))
    once = [entry.key for entry in Store(tmp_path / "packed").entries()]
    first, *rest = path.read_text().splitlines(keepends=True)
    other = parsed(first)
    assert isinstance(other, Entry)
    changed = written(replace(other, record={**(other.record or {}), "threads": 77}))
    path.write_text("".join([first, *rest, first, changed]))
    store = Store(tmp_path / "packed")
    assert [entry.key for entry in store.entries()] == once
    assert store.distrusted == {f"{path}, line {len(rest) + 3}": "is another record of the cell in line 1"}


def test_flipped_bits_of_a_packed_file_are_never_silent(folder: Path, tmp_path: Path) -> None:
    results(["pack", str(folder), str(tmp_path)])
    whole, rng = content(tmp_path), np.random.default_rng(5)
    for path in sorted((tmp_path / "records").iterdir()):
        right = path.read_bytes()
        for _ in range(60):
            damaged = bytearray(right)
            damaged[rng.integers(len(right))] ^= 1 << int(rng.integers(8))
            path.write_bytes(damaged)
            for key, (record, arrays) in content(tmp_path).items():
                assert record == whole[key][0] and arrays in ({}, whole[key][1])
        path.write_bytes(right)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pack", "here"], "pack takes at least two folders"),
        (["pack", "nowhere", "into"], "nowhere has no folder records/"),
        (["report", "nowhere"], "holds no records"),
        (["unpak", "a", "b"], "did you mean 'unpack'"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert results(words) == 2
    assert said in capsys.readouterr().err


@pytest.fixture
def reference() -> Path:
    if not REFERENCE.is_dir():
        pytest.skip("the reference is not part of this copy")
    return REFERENCE


def test_the_committed_tables_follow_from_the_committed_records(reference: Path, tmp_path: Path) -> None:
    """Byte for byte, without data, planning or composing; and every figure that is drawn from arrays."""
    shutil.copytree(reference / "records", tmp_path / "records")
    assert results(["report", str(tmp_path)]) == 0
    for path in sorted(
        (*tmp_path.glob("tables/*"), *tmp_path.glob("report.*"), *tmp_path.glob("figures/*.csv"))
    ):
        assert (reference / path.relative_to(tmp_path)).read_bytes() == path.read_bytes(), path.name
    assert files(tmp_path / "tables") == files(reference / "tables")
    assert files(tmp_path / "figures") == files(reference / "figures")
    page = tmp_path / "report" / "index.html"
    assert broken_links(page) == []
    assert page.stat().st_size < 5e6


def test_no_run_writes_into_the_reference(reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, f"results_dir={reference}"]) == 2
    assert results(["unpack", str(reference), str(reference / "inside")]) == 2
    assert "holds the reference results" in capsys.readouterr().err
