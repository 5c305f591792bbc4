"""Checkpoints: kept now and then, given back to whoever fits the same thing, gone when it is stored."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.errors import UserError
from tkae.models.checkpoints import SECONDS, Watch, by_checkpoint
from tkae.models.listener import Listener, clock

STATE = {"theta": np.arange(6.0).reshape(3, 2), "live": np.array([True, False, True]), "epoch": np.array(4)}
KEYS = ["a", "b", "c"]


def kept(folder: Path) -> Watch:
    watch = Watch(folder, KEYS, keep_every=0)
    watch.keep(lambda: STATE)
    return watch


def test_state_comes_back_bit_for_bit(tmp_path: Path) -> None:
    kept(tmp_path)
    found = Watch(tmp_path, KEYS).earlier()
    assert found is not None and found.keys() == STATE.keys()
    for name, array in STATE.items():
        assert found[name].dtype == array.dtype and np.array_equal(found[name], array)


def test_some_of_the_replicas_get_their_rows_in_their_order(tmp_path: Path) -> None:
    kept(tmp_path)
    for watch in (Watch(tmp_path, ["c", "a"]), Watch(tmp_path, [*"dcba"]).part([1, 3])):
        found = watch.earlier()
        assert found is not None and int(found["epoch"]) == 4
        assert found["theta"].tolist() == [[4.0, 5.0], [0.0, 1.0]] and found["live"].tolist() == [True, True]


def test_their_own_checkpoint_comes_before_that_of_a_larger_group(tmp_path: Path) -> None:
    kept(tmp_path)
    for key in KEYS:
        Watch(tmp_path, [key], keep_every=0).keep(
            lambda: {"theta": np.full((1, 2), 9.0), "epoch": np.array(8)}
        )
        found = Watch(tmp_path, [key]).earlier()
        assert found is not None and int(found["epoch"]) == 8


@pytest.mark.parametrize("keys", [["a", "x"], ["x"], ["a", "b", "c", "d"]])
def test_one_of_something_else_is_not_used(tmp_path: Path, keys: list[str]) -> None:
    kept(tmp_path)
    assert Watch(tmp_path, keys).earlier() is None


def flipped(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


@pytest.mark.parametrize(
    "damage", [flipped, lambda content: content[:-1], lambda content: b"nothing of ours"]
)
@pytest.mark.parametrize("keys", [KEYS, ["b"], []])
def test_a_damaged_one_is_said_and_goes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Any, keys: list[str]
) -> None:
    path = kept(tmp_path).path
    assert path is not None
    path.write_bytes(damage(path.read_bytes()))
    assert Watch(tmp_path, keys).earlier() is None and by_checkpoint(tmp_path, KEYS) == [[0, 1, 2]]
    (said,) = caplog.messages
    assert path.name in said and "make it again (the training starts afresh)" in said and not path.exists()


def test_one_that_cannot_be_read_now_may_be_whole_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept(tmp_path)

    def fail(_: Path) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", fail)
        assert Watch(tmp_path, KEYS).earlier() is None
    assert "cannot be read (Input/output error)" in caplog.text
    assert Watch(tmp_path, KEYS).earlier() is not None


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "own.safetensors").write_text("somebody's")
    assert Watch(tmp_path, KEYS).earlier() is None and by_checkpoint(tmp_path, KEYS) == [[0, 1, 2]]
    assert (tmp_path / "own.safetensors").exists() and not caplog.messages


def test_a_folder_that_cannot_be_written_fails_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "file" / "checkpoints"
    (tmp_path / "file").write_text("")
    for _ in range(2):
        watch = kept(folder)
        watch.keep(lambda: STATE)
        assert watch.earlier() is None and by_checkpoint(folder, KEYS) == [[0, 1, 2]]
        watch.done(lambda key: True)
    (said,) = caplog.messages
    assert f"cannot write to {folder} (" in said and "set results_dir to another folder" in said


def test_it_goes_when_all_that_it_holds_is_stored(tmp_path: Path) -> None:
    kept(tmp_path)
    part = Watch(tmp_path, ["b"])
    part.earlier()
    part.done(lambda key: key == "b")
    assert len(list(tmp_path.iterdir())) == 1  # a and c may still want it
    part.done(lambda key: True)
    assert not list(tmp_path.iterdir())


def test_a_part_ends_with_the_whole(tmp_path: Path) -> None:
    whole = Watch(tmp_path, KEYS, keep_every=0)
    whole.part([0, 2]).keep(lambda: {"theta": STATE["theta"][[0, 2]], "epoch": np.array(1)})
    assert len(list(tmp_path.iterdir())) == 1
    whole.done(lambda key: True)
    assert not list(tmp_path.iterdir())


class Ear(Listener):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, float]] = []

    def reached(self, text: str, share: float) -> None:
        self.heard.append((text, share))


def test_it_keeps_and_tells_only_now_and_then(tmp_path: Path) -> None:
    ear = Ear()
    watch = Watch(tmp_path / "new", KEYS, ear, keep_every=1e9, tell_every=1e9)
    watch.keep(lambda: STATE)
    watch.tell(lambda: "early", 0.1)
    assert not ear.heard and not (tmp_path / "new").exists() and watch.earlier() is None
    Watch(listener=ear, tell_every=0).tell(lambda: "now", 0.2)
    assert ear.heard == [("now", 0.2)]
    Watch(keep_every=0).keep(lambda: STATE)  # without a folder: nothing


def test_how_often_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECONDS, raising=False)
    assert Watch().keep_every == 120
    monkeypatch.setenv(SECONDS, "0.5")
    assert Watch().keep_every == 0.5
    for said in ("often", "-1", "nan"):
        monkeypatch.setenv(SECONDS, said)
        with pytest.raises(UserError, match=f"TKAE_CHECKPOINT_SECONDS={said} is not a number of seconds"):
            Watch()


def test_clock() -> None:
    assert [clock(seconds) for seconds in (0, 65.4, 3725)] == ["0:00", "1:05", "1:02:05"]
