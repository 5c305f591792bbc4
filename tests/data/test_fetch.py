"""Fetching: from a server that cuts, refuses, lies and dawdles, by processes that are killed or not alone."""

from __future__ import annotations

import errno
import hashlib
import io
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.data import fetch
from tkae.data.archives import digest
from tkae.data.files import Files, Remote
from tkae.errors import DataError

Serving = Callable[..., AbstractContextManager[Any]]  # see conftest.py
CONTENT = np.random.default_rng(0).bytes(300_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "PAUSE", 0.0)


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def test_a_file_is_fetched_once_and_then_found(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        files, remote = Files(cache=tmp_path), Remote(server.url, SHA256)
        assert files.find(remote) is None
        assert files.get(remote).read_bytes() == CONTENT
        assert files.get(remote) == files.find(remote) == files.cached(remote)
    assert server.seen == [0]
    assert leftovers(tmp_path) == ["archive.zip"]


def test_a_cut_connection_is_continued_where_it_broke(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, cuts=2) as server:
        assert Files(cache=tmp_path).get(Remote(server.url, SHA256)).read_bytes() == CONTENT
    assert server.seen == [0, 150_000, 225_000]


def test_a_server_without_ranges_starts_over(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, cuts=1, ranges=False) as server:
        assert Files(cache=tmp_path).get(Remote(server.url, SHA256)).read_bytes() == CONTENT
    assert server.seen == [0, 0]


def test_a_busy_server_is_asked_again_but_not_for_ever(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, status=503, failures=2) as server:
        assert Files(cache=tmp_path / "a").get(Remote(server.url, SHA256)).read_bytes() == CONTENT
    with (
        serving(CONTENT, status=503, failures=-1) as server,
        pytest.raises(DataError, match=r"503.*4 attempts.*mirror"),
    ):
        Files(cache=tmp_path / "b").get(Remote(server.url, SHA256))
    assert len(server.seen) == fetch.ATTEMPTS
    assert leftovers(tmp_path / "b") == []


def test_always_cut_ends_with_a_sentence_and_nothing_left(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, cuts=99) as server, pytest.raises(DataError, match="connection was cut"):
        Files(cache=tmp_path).get(Remote(server.url, SHA256))
    assert leftovers(tmp_path) == []


def test_not_found_is_said_at_once(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, status=404, failures=-1) as server, pytest.raises(DataError, match=r"404.*mirror"):
        Files(cache=tmp_path).get(Remote(server.url, SHA256))
    assert server.seen == [0]


def test_wrong_bytes_are_not_kept(serving: Serving, tmp_path: Path) -> None:
    wrong = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
    with serving(wrong) as server, pytest.raises(DataError, match="checksum is wrong"):
        Files(cache=tmp_path).get(Remote(server.url, SHA256))
    assert leftovers(tmp_path) == []


def test_a_web_page_is_named_as_such(serving: Serving, tmp_path: Path) -> None:
    page = b"\n<!DOCTYPE html><html><body>Please log in</body></html>"
    with serving(page) as server, pytest.raises(DataError, match="is a web page, not the file"):
        Files(cache=tmp_path).get(Remote(server.url, SHA256))
    assert leftovers(tmp_path) == []


def test_a_truncated_zip_is_named_as_such(serving: Serving, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("folder/a.txt", CONTENT)
    whole = tmp_path / "whole.zip"
    whole.write_bytes(packed.getvalue())
    pattern = r"(?:.*/)?(a\.txt)"
    remote_sha = digest(whole, pattern)
    with serving(packed.getvalue()) as server:
        assert Files(cache=tmp_path / "a").get(Remote(server.url, remote_sha, pattern)).is_file()
    with (
        serving(packed.getvalue()[:-3000]) as server,
        pytest.raises(DataError, match="is not a complete zip file"),
    ):
        Files(cache=tmp_path / "b").get(Remote(server.url, remote_sha, pattern))
    assert leftovers(tmp_path / "b") == []


def test_no_network_is_said_with_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # kept, so that nobody else answers there
        port = free.getsockname()[1]
        with pytest.raises(DataError, match=r"no connection.*check the network.*TKAE_MIRROR"):
            Files(cache=tmp_path).get(Remote(f"http://127.0.0.1:{port}/x.zip", SHA256))


def test_offline_never_asks(serving: Serving, tmp_path: Path) -> None:
    with (
        serving(CONTENT) as server,
        pytest.raises(DataError, match=r"offline.*tkae-data fetch.*data\.mirror"),
    ):
        Files(cache=tmp_path, offline=True).get(Remote(server.url, SHA256))
    assert server.seen == []


def test_a_full_disk_is_seen_before_and_during(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    with serving(CONTENT) as server:
        monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: usage._replace(free=1000))
        with pytest.raises(DataError, match=r"no disk space left.*TKAE_CACHE"):
            Files(cache=tmp_path).get(Remote(server.url, SHA256))
        monkeypatch.undo()

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(fetch.os, "fsync", full)
        with pytest.raises(DataError, match=r"no disk space left.*TKAE_CACHE"):
            Files(cache=tmp_path).get(Remote(server.url, SHA256))
    assert leftovers(tmp_path) == []


def test_a_silent_server_is_given_up(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "TIMEOUT", 0.2)
    with serving(CONTENT, pause=5.0) as server, pytest.raises(DataError, match="timed out"):
        Files(cache=tmp_path).get(Remote(server.url, SHA256))
    assert leftovers(tmp_path) == []


CHILD = "import sys; from pathlib import Path; from tkae.data.files import Files, Remote; "
CHILD += "Files(cache=Path(sys.argv[1])).get(Remote(sys.argv[2], sys.argv[3]))"


def child(cache: Path, url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", CHILD, str(cache), url, SHA256])


def test_a_killed_fetch_is_continued(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, pause=2.0) as server:  # so slow that it cannot end before it is killed
        remote = Remote(server.url, SHA256)
        part = Files(cache=tmp_path).cached(remote).with_name(".archive.zip.part")
        process = child(tmp_path, server.url)
        end = time.monotonic() + 300
        while not (part.exists() and part.stat().st_size) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert 0 < part.stat().st_size < len(CONTENT)
        assert Files(cache=tmp_path).find(remote) is None
        server.pause = 0.0
        assert Files(cache=tmp_path).get(remote).read_bytes() == CONTENT
    assert server.seen[0] == 0 and 0 < server.seen[1] < len(CONTENT)
    assert leftovers(tmp_path) == ["archive.zip"]


def test_killed_after_the_last_byte(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        files, remote = Files(cache=tmp_path), Remote(server.url, SHA256)
        part = files.cached(remote).with_name(".archive.zip.part")
        part.parent.mkdir(parents=True)
        part.write_bytes(CONTENT)
        assert files.get(remote).read_bytes() == CONTENT
    assert server.seen == [len(CONTENT)]


def test_a_part_of_another_file_is_replaced(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        files, remote = Files(cache=tmp_path), Remote(server.url, SHA256)
        part = files.cached(remote).with_name(".archive.zip.part")
        part.parent.mkdir(parents=True)
        part.write_bytes(b"x" * 1000)
        assert files.get(remote).read_bytes() == CONTENT


def test_two_processes_fetch_once(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT, pause=0.1) as server:
        both = [child(tmp_path, server.url), child(tmp_path, server.url)]
        assert [process.wait(timeout=300) for process in both] == [0, 0]
        assert Files(cache=tmp_path).find(Remote(server.url, SHA256))
    assert server.seen == [0]


def test_a_damaged_cache_heals_and_a_damaged_mirror_is_named(serving: Serving, tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        files, remote = Files(cache=tmp_path / "cache"), Remote(server.url, SHA256)
        files.get(remote).write_bytes(b"rot")
        assert files.get(remote).read_bytes() == CONTENT
        mirror = tmp_path / "mirror"
        (mirror / remote.place).parent.mkdir(parents=True)
        (mirror / remote.place).write_bytes(b"rot")
        with pytest.raises(DataError, match=r"archive\.zip.*copy it again"):
            Files(mirror=mirror, cache=tmp_path / "other").get(remote)


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TKAE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Files().folder == tmp_path / "xdg" / "tkae"
    monkeypatch.setenv("TKAE_CACHE", str(tmp_path / "own"))
    assert Files().folder == tmp_path / "own"
    assert Files(cache=tmp_path).folder == tmp_path


def test_the_mirror_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TKAE_MIRROR", raising=False)
    assert Files.standard().mirror is None
    monkeypatch.setenv("TKAE_MIRROR", str(tmp_path))
    assert Files.standard().mirror == tmp_path
    with pytest.raises(DataError, match="no such folder"):
        Files.standard(tmp_path / "absent")
