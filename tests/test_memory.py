"""The memory that a run may use: the machine's, less where a control group says so, or what the user says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkae import memory
from tkae.errors import UserError


@pytest.fixture(autouse=True)
def no_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(memory, "SYSTEM", tmp_path)


def limit(folder: Path, name: str, said: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(said)


def test_without_limits_it_is_the_machines(tmp_path: Path) -> None:
    import psutil

    assert memory.available() == psutil.virtual_memory().total
    (tmp_path / "groups").write_text("0::/job\n")
    limit(tmp_path / "job", "memory.max", "max\n")
    assert memory.available() == psutil.virtual_memory().total


@pytest.mark.parametrize(
    ("groups", "folder", "name"),
    [
        ("0::/job/step\n", "job/step", "memory.max"),
        ("0::/job/step\n", "job", "memory.max"),  # what holds for a group holds for those within it
        ("0::/\n", "", "memory.max"),
        ("3:cpu:/x\n7:memory:/job\n", "memory/job", "memory.limit_in_bytes"),
    ],
)
def test_a_control_group_may_allow_less(groups: str, folder: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "groups").write_text(groups)
    limit(tmp_path / folder, name, "1000000\n")
    assert memory.available() == 1_000_000


def test_the_user_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", "2.5")
    assert memory.available() == 2_500_000_000
    assert memory.too_large(2_500_000_000, "this", "that") == ""
    told = memory.too_large(160_000_000_000, "this", "do that")
    assert told.startswith("this needs about 160 GB") and "2.5 GB" in told and told.endswith("do that")


@pytest.mark.parametrize("said", ["much", "0", "-1", "nan", "inf", "1e300"])
def test_what_is_no_amount_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TKAE_MEMORY_GB", said)
    with pytest.raises(UserError, match="TKAE_MEMORY_GB"):
        memory.available()
