"""Records of anybody: a checksum is no signature, so names lead nowhere and start nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.results import checksum, record_files
from tkae.errors import UserError
from tkae.report.latex import escaped
from tkae.report.tables import as_csv
from tkae.runs.record import key_of, parsed
from tkae.runs.store import refuse_reference


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
    ],
)
def test_what_no_record_tells_is_passed_over(place: str, value: Any) -> None:
    assert parsed(resealed(place, value)) == f"does not tell {place} as a record does"


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
    (tmp_path / "own" / "records").symlink_to(tmp_path / "evidence" / "inside")
    for folder in (tmp_path / "link", tmp_path / "own"):
        with pytest.raises(UserError, match="holds the reference results"):
            refuse_reference(folder)
