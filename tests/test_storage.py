"""Storage: a file is old or new, never a part; what is damaged is said to be so."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae import storage
from tkae.errors import DataError
from tkae.storage import load_arrays, save_arrays, write_atomically

ARRAYS = {
    "floats": np.random.default_rng(0).normal(size=(3, 4, 2)),
    "special": np.array([np.nan, np.inf, -0.0, 5e-324]),
    "small": np.arange(5, dtype=np.float32),
    "whole": np.array([[2**62, -1]], dtype=np.int64),
    "bytes": np.arange(7, dtype=np.uint8),
    "flags": np.array([True, False]),
    "empty": np.zeros((0, 3)),
    "number": np.array(2.5),  # of no dimension
    "turned": np.arange(6.0).reshape(2, 3).T,  # not contiguous
}


def test_text_and_bytes_arrive(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.txt"
    write_atomically(path, "größer")
    assert path.read_bytes() == "größer".encode()
    write_atomically(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff" and os.listdir(path.parent) == ["a.txt"]


def test_files_can_be_read_by_those_whom_the_umask_lets(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", "x")
    finally:
        os.umask(old)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, "old")

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(storage.os, step, fail)
    with pytest.raises(DataError if isinstance(error, OSError) else type(error)):
        write_atomically(path, "new")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a.json"]


def test_a_killed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, "old")
    code = (
        "import os, signal, sys; from pathlib import Path; from tkae import storage\n"
        "storage.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "storage.write_atomically(Path(sys.argv[1]), 'new' * 10**6)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL and path.read_text() == "old"
    assert all(name == "a.json" or name.endswith(".part") for name in os.listdir(tmp_path))


def test_a_reader_never_sees_a_part(tmp_path: Path) -> None:
    path, contents = tmp_path / "a", [letter * 200_000 for letter in "ab"]
    write_atomically(path, contents[0])
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for content in contents:
                write_atomically(path, content)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        seen = {path.read_text() for _ in range(100)}
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert seen <= set(contents) and os.listdir(tmp_path) == ["a"]


def test_arrays_come_back_bit_for_bit(tmp_path: Path) -> None:
    about = {"name": "x", "nested": {"list": [1, 2.5, None, True]}, "text": "größer"}
    save_arrays(tmp_path / "a.safetensors", ARRAYS, about, "größer")
    arrays, told = load_arrays(tmp_path / "a.safetensors", "größer")
    assert told == about and set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype and arrays[name].shape == array.shape, name
        assert arrays[name].tobytes() == array.tobytes() and arrays[name].flags.writeable, name


def test_the_same_content_is_the_same_file(tmp_path: Path) -> None:
    save_arrays(tmp_path / "a", {"x": ARRAYS["floats"], "y": ARRAYS["flags"]}, {"one": 1, "two": 2}, "n")
    save_arrays(tmp_path / "b", {"y": ARRAYS["flags"], "x": ARRAYS["floats"]}, {"two": 2, "one": 1}, "n")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("keep", [0, 4, 20, 200, -1])
def test_a_damaged_file_is_said_to_be_so(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.safetensors"
    save_arrays(path, ARRAYS, {"name": "x"}, "n")
    path.write_bytes(path.read_bytes()[:keep])
    said = "damaged (its checksum is wrong)" if abs(keep) > 20 or keep == -1 else "not a file that tkae wrote"
    with pytest.raises(DataError, match=rf"a\.safetensors: {re.escape(said)}.*: make it again"):
        load_arrays(path, "n")


def test_what_is_for_something_else_is_refused(tmp_path: Path) -> None:
    save_arrays(tmp_path / "a", ARRAYS, {}, "one")
    with pytest.raises(DataError, match="a: holds 'one', not 'other'"):
        load_arrays(tmp_path / "a", "other")


@pytest.mark.parametrize("text", ['"tkae":"', '{"__metadata__":{"tkae":"' + "0" * 64, "\\", "\x00"])
def test_names_and_descriptions_may_look_like_the_header(tmp_path: Path, text: str) -> None:
    save_arrays(tmp_path / "a", {text: np.arange(3), "tkae": np.arange(4)}, {text: text}, text)
    arrays, about = load_arrays(tmp_path / "a", text)
    assert arrays[text].tolist() == [0, 1, 2] and about == {text: text}


def test_files_of_others_are_said_to_be_so(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"x": np.zeros(3)}, tmp_path / "other.safetensors")
    for path in (tmp_path / "other.safetensors", tmp_path):
        with pytest.raises(DataError, match=r"not a file that tkae wrote.*: make it again|not a plain file"):
            load_arrays(path, "n")
    with pytest.raises(DataError, match="none: no such file"):
        load_arrays(tmp_path / "none", "n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a file that tkae wrote"),
        (b"series,time,x\n", "not a file that tkae wrote"),
        (b"\xff" * 8, "not a file that tkae wrote"),
        ((10).to_bytes(8, "little") + b'{"tkae":"1', "not a file that tkae wrote .JSON"),
        (
            (30).to_bytes(8, "little") + b'{"tkae":"1","x":[[[[[[[[[[[[[[[[',
            "not a file that tkae wrote .JSON",
        ),
        (None, "damaged .its header tells of another size"),
    ],
)
def test_a_large_file_is_read_only_if_its_header_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, said: str
) -> None:
    path = tmp_path / "large"
    save_arrays(path, ARRAYS, {"name": "x"}, "n")
    with monkeypatch.context() as patch:
        patch.setattr(storage, "LARGE", 100)
        assert set(load_arrays(path, "n")[0]) == set(ARRAYS)
    path.write_bytes(path.read_bytes() if content is None else content)
    os.truncate(path, 6 * 10**9)
    monkeypatch.setattr(Path, "read_bytes", None)  # is not come to
    with pytest.raises(DataError, match=f"large: {said}.*: make it again"):
        load_arrays(path, "n")


def test_a_header_that_is_endlessly_nested_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = b'{"tkae":"' + b'","x":' + b"[" * 10**5
    (tmp_path / "deep").write_bytes(len(header).to_bytes(8, "little") + header)
    monkeypatch.setattr(storage, "LARGE", 100)
    with pytest.raises(DataError, match=r"deep: not a file that tkae wrote .*: make it again"):
        load_arrays(tmp_path / "deep", "n")


def test_files_of_the_old_form_are_said_to_be_so(tmp_path: Path) -> None:
    """Without a digest nobody knows whether they are whole."""
    from safetensors.numpy import save_file

    old = {"model": "pca", "shapes": {"train": "nonsense"}}
    save_file({"x": np.zeros(3)}, tmp_path / "old", metadata={"about": json.dumps(old)})
    with pytest.raises(DataError, match="old: not a file that tkae wrote, or one of an older version: make"):
        load_arrays(tmp_path / "old", "n")
