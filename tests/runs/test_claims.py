"""Of several commands on one folder each cell is computed by one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.runs.stored import numbers
from tkae.commands.run import main
from tkae.runs.claims import FOLDER, LOST, UNSIGNED, Claims

WORDS = ["experiment=imputation", "dataset=japanese_vowels", "model=[mean,locf,pca]", "seeds=2"]


@pytest.fixture
def ended() -> str:
    """The owner's name of a process that is gone."""
    told = "from tkae.owners import me; print(me())"
    return subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_what_one_holds_another_does_not_get(tmp_path: Path) -> None:
    claims = Claims(tmp_path)
    with claims.held(["a", "b"]) as mine:
        assert mine == {"a", "b"} and claims.of_others(["a", "b", "c"]) == {"a", "b"}
        with claims.held(["b", "c"]) as others:
            assert others == {"c"}
        assert claims.of_others(["a", "b", "c"]) == {"a", "b"}
    assert not claims.of_others(["a", "b", "c"])


def test_of_many_at_once_one_gets_it(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        for round_ in range(20):
            claims, key = Claims(tmp_path), f"cell{round_}"
            taken = list(pool.map(lambda _, claims=claims, key=key: claims._take(key), range(16)))
            assert sum(taken) == 1


def test_the_claim_of_a_process_that_is_gone_is_free(tmp_path: Path, ended: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "a").write_text(ended)
    with Claims(tmp_path).held(["a"]) as mine:
        assert mine == {"a"}


@pytest.mark.parametrize("kind", ["no text", "pipe", "folder", "link"])
def test_what_is_no_claim_is_nobodys(tmp_path: Path, kind: str) -> None:
    path = tmp_path / FOLDER / "a"
    path.parent.mkdir()
    match kind:
        case "no text":
            path.write_bytes(b"\xff\xa1-1")
            os.utime(path, (0, 0))
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(tmp_path / "nowhere")
    claims = Claims(tmp_path)
    assert claims.of_others(["a"]) == set()
    with claims.held(["a"]) as mine:
        assert mine == {"a"}
    claims.clear()
    assert path.parent.exists() == (kind == "folder")


@pytest.mark.parametrize(("owner", "after"), [("elsewhere-1", LOST), ("", UNSIGNED)])
def test_a_claim_is_free_when_nobody_touched_it_for_long(owner: str, after: float, tmp_path: Path) -> None:
    """Of another machine; or of a process that was killed before it had written its name."""
    (tmp_path / FOLDER).mkdir()
    path = tmp_path / FOLDER / "a"
    path.write_text(owner)
    now = time.time() + 60  # however slow the machine is
    os.utime(path, (now, now))
    assert Claims(tmp_path).of_others(["a"]) == {"a"}
    long_ago = time.time() - after - 1
    os.utime(path, (long_ago, long_ago))
    assert not Claims(tmp_path).of_others(["a"])


def test_without_a_folder_everything_is_free() -> None:
    with Claims(None).held(["a"]) as mine:
        assert mine == {"a"} and not Claims(None).of_others(["a"])


def test_two_commands_share_the_work(tmp_path: Path) -> None:
    """They end in the same records as one alone, and leave nothing else behind."""
    first, both = tmp_path / "first", tmp_path / "both"
    command = [sys.executable, "-m", "tkae.commands.run", *WORDS, f"results_dir={both}"]
    other = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert main([*WORDS, f"results_dir={both}"]) == 0
    assert other.wait() == 0
    assert main([*WORDS, f"results_dir={first}"]) == 0
    assert len(numbers(both)) == 6 and numbers(both) == numbers(first)
    assert sorted(path.name for path in both.iterdir()) == ["records", "tables"]


def test_what_another_command_left_unfinished_is_computed_here(tmp_path: Path, ended: str) -> None:
    assert main([*WORDS, f"results_dir={tmp_path}"]) == 0
    (tmp_path / FOLDER).mkdir()
    for path in tmp_path.rglob("records/**/*.json"):
        (tmp_path / FOLDER / path.stem).write_text(ended)
        path.unlink()
    assert main([*WORDS, f"results_dir={tmp_path}"]) == 0
    assert len(numbers(tmp_path)) == 6 and not (tmp_path / FOLDER).exists()
