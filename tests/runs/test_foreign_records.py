"""Records of anybody: a checksum is no signature, so names lead nowhere and start nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.results import checksum, record_files
from tkae.errors import DataError, UserError
from tkae.report.latex import escaped
from tkae.report.tables import as_csv
from tkae.runs.identity import key_of
from tkae.runs.record import parsed
from tkae.runs.store import Store, refuse_reference
from tkae.storage import load_arrays

HALF = "\ud800"  # of a sign of two


def resealed(place: str, value: Any) -> str:
    """A record with another value at a place, under a checksum and a key that are right."""
    stored = json.loads(record_files()[0])
    *path, last = place.split(".")
    part = stored["record"]
    for key in path:
        part = part[key]
    part[last] = value
    stored |= {"sha256": checksum(stored["record"]), "key": key_of(stored["record"]["identity"])}
    return json.dumps(stored)


def shown(value: Any) -> str:
    return ascii(value)[:30]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("story.experiment", "../../../elsewhere"),
        ("story.dataset", "/elsewhere"),
        ("story.model", ""),
        ("story.protocol", "a/b"),
        ("story.seeds", 10**30),
        ("metrics", {"accuracy": "high"}),
        ("identity.seed", "0"),
        ("story.axes", {"model.alpha": [[1]]}),
        # No file can hold half a sign, and no table a number beyond all floats.
        *((f"story.{key}", HALF) for key in ("method", "method_title", "dataset_title")),
        *((f"story.{key}", [HALF]) for key in ("told_by", "changed")),
        ("story.axes", {HALF: 1}),
        ("masks", HALF),
        ("kernel", HALF),
        ("story.axes", {"model.alpha": 10**400}),
        ("metrics", {"accuracy": 10**400}),
        ("metrics", {"accuracy": 1e308}),  # two of which have no sum
        ("metrics", {HALF: 1.0}),
        ("identity.seed", 10**400),
        ("seconds", {}),
        ("seconds", {"total": "long"}),
        ("seconds", {"total": float("nan")}),
    ],
    ids=shown,
)
def test_what_no_record_tells_is_passed_over(place: str, value: Any) -> None:
    assert parsed(resealed(place, value)) == f"does not tell {place} as a record does"


@pytest.mark.parametrize(
    ("place", "value", "part"),
    [
        ("environment.packages", {HALF: "1"}, "environment"),
        ("environment.packages", {"numpy": HALF}, "environment"),
        ("environment.processor", [["nested", {"deeper": HALF}]], "environment"),
        ("story.settings", {"model.l2": 10**400}, "story"),
        ("identity.model", {"name": "ae", "l2": -(10**400)}, "identity.model"),
        ("status", "failed", "error"),
    ],
    ids=shown,
)
def test_no_part_holds_what_no_file_can(place: str, value: Any, part: str) -> None:
    assert parsed(resealed(place, value)) == f"does not tell {part} as a record does"


def test_what_a_part_may_hold() -> None:
    """Any sign that is whole, nested values, and figures that are no numbers."""
    told = {"metrics": {"loss": float("inf"), "none": None}, "story.dataset_title": "日本 \U0001f600 \x1b"}
    told |= {"story.settings": {"a": [{"b": -1e308}]}, "seconds": {"total": 0}}
    assert [entry for place in told if isinstance(entry := parsed(resealed(place, told[place])), str)] == []
    deep: Any = "x"
    for _ in range(200):
        deep = [deep]
    assert not isinstance(parsed(resealed("story.settings", {"deep": deep})), str)


def test_names_are_no_formulas_and_no_commands() -> None:
    rows = [{"dataset": "=cmd()", "method": "@x", "mean": -0.5, "paper": "-0.5", "std": None}]
    assert as_csv(rows).splitlines()[1] == "'=cmd(),'@x,-0.5,-0.5,"
    assert escaped("\\input{x}\n\n") == r"\textbackslash{}input\{x\}"


def test_links_do_not_lead_into_the_reference(tmp_path: Path) -> None:
    (tmp_path / "evidence" / "inside").mkdir(parents=True)
    (tmp_path / "evidence" / ".reference").touch()
    (tmp_path / "link").symlink_to(tmp_path / "evidence" / "inside")
    (tmp_path / "own").mkdir()
    refuse_reference(tmp_path / "own")
    with pytest.raises(UserError, match="holds the reference results"):
        refuse_reference(tmp_path / "link")
    (tmp_path / "loop").symlink_to("loop")  # which cannot be written to, and says so then
    refuse_reference(tmp_path / "loop")


@pytest.mark.parametrize(
    "place", ["records", "tables", "report/tables", "records/e", "records/e/d", "records/e/d/m"]
)
def test_no_folder_inside_leads_into_the_reference(place: str, tmp_path: Path) -> None:
    (tmp_path / "evidence" / "inside").mkdir(parents=True)
    (tmp_path / "evidence" / ".reference").touch()
    link = tmp_path / "own" / place
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    refuse_reference(tmp_path / "own")
    link.unlink()
    link.symlink_to(tmp_path / "evidence" / "inside")
    with pytest.raises(UserError, match="holds the reference results"):
        refuse_reference(tmp_path / "own")


def test_files_that_do_not_fit_into_memory_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", "1")
    key, records = "0" * 24, tmp_path / "records"
    places = [f"e/d/m/{key}.json", "e.p.jsonl", ".index", "beside.safetensors"]
    for place in places:
        (records / place).parent.mkdir(parents=True, exist_ok=True)
        with (records / place).open("wb") as file:
            file.truncate(2**40)  # takes no room on the disk
    store = Store(tmp_path)
    assert list(store.entries()) == []
    assert {Path(place).name for place in store.distrusted} == {f"{key}.json", "e.p.jsonl"}
    with pytest.raises(DataError, match="to read it needs about 2199 GB"):
        load_arrays(records / "beside.safetensors", "beside")
