"""What is kept: once made, whoever asks, and made again when damaged."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.data.array_cache import kept, pack, unpack
from tkae.data.collection import Collection
from tkae.data.dataset import Splits
from tkae.data.files import Remote
from tkae.storage import Described


def test_splits_come_back_as_they_were() -> None:
    series = [np.array([[1.0, np.nan]]), np.array([[np.nan, np.nan], [0.0, -2.5]])]
    train = Collection.from_series(series, [1, 0], ["a", "b"], ["x", "y"], steps=4)
    test = Collection.from_series(series[1:], [0], ["c"], ["x", "y"], steps=4)
    back = unpack(*pack(Splits(train, test, ("no", "yes"), 1, True)))
    assert (back.train.fingerprint, back.test.fingerprint) == (train.fingerprint, test.fingerprint)
    assert (back.classes, back.positive, back.scaled) == (("no", "yes"), 1, True)
    unlabelled = Splits(Collection(np.zeros((1, 2, 1))), Collection(np.ones((2, 2, 1))))
    assert unpack(*pack(unlabelled)).train.labels is None


def test_it_is_made_once_by_whoever_is_first(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> Described:
        made.append(1)
        time.sleep(0.2)
        return {"x": np.arange(3)}, {"say": "this"}

    results: list[Described] = []
    threads = [
        threading.Thread(target=lambda: results.append(kept(tmp_path / "deep" / "x.safetensors", make)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(results) == 4
    for arrays, about in results:
        assert arrays["x"].tolist() == [0, 1, 2] and about == {"say": "this"}


def test_a_cache_that_cannot_be_written_is_said_once_and_fails_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    for name in "xyx":
        made = kept(tmp_path / "file" / f"{name}.safetensors", lambda: ({"x": np.arange(3)}, {"say": "this"}))
        assert made[0]["x"].tolist() == [0, 1, 2] and made[1] == {"say": "this"}
    (said,) = caplog.messages
    assert f"cannot write to {tmp_path / 'file'} (" in said and "set TKAE_CACHE to another folder" in said


def test_a_disk_that_is_full_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for _ in range(2):
            assert kept(tmp_path / "x.safetensors", lambda: ({"x": np.arange(3)}, {}))[0]["x"].sum() == 3
    (said,) = caplog.messages
    assert f"cannot write to {tmp_path} (No space left on device)" in said
    assert [path.name for path in tmp_path.iterdir()] == ["x.lock"]
    kept(tmp_path / "x.safetensors", lambda: ({"x": np.arange(3)}, {}))  # there is room again
    assert (tmp_path / "x.safetensors").exists()


def test_what_fails_while_it_is_made_is_not_taken_for_the_disk(tmp_path: Path) -> None:
    def make() -> Described:
        raise OSError("the source cannot be read")

    with pytest.raises(OSError, match="the source cannot be read"):
        kept(tmp_path / "x.safetensors", make)


def test_line_ends_do_not_matter_to_a_list_of_words(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    sha256 = hashlib.sha256(b"a,N\nb,A").hexdigest()
    remote = Remote("https://host/x.csv", sha256, words=True)
    for text in (b"a,N\nb,A", b"a,N\r\nb,A\r\n", b"a,N\nb,A\n"):
        path.write_bytes(text)
        assert remote.fault(path) == ""
    path.write_bytes(b"a,N\nb,N\n")
    assert "is wrong" in remote.fault(path)
