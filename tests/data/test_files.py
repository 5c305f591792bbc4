"""Source files: found in the mirror by their URL, and never used with wrong bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tkae.data.files import Files, Remote
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.errors import DataError

CONTENT = b"some bytes"
REMOTE = Remote("https://data.example.org/a/b%20c/file+1.zip?x=1", hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def own_mirror(tmp_path: Path) -> Path:
    path = tmp_path / "data.example.org" / "a" / "b c" / "file+1.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    return tmp_path


def test_a_file_is_found_by_host_and_path(own_mirror: Path) -> None:
    found = Files(own_mirror).find(REMOTE)
    assert found == own_mirror / "data.example.org" / "a" / "b c" / "file+1.zip"


def test_what_is_not_there_is_not_found(own_mirror: Path) -> None:
    assert Files().find(REMOTE) is None
    assert Files(own_mirror).find(Remote("https://data.example.org/a/other.zip", REMOTE.sha256)) is None
    assert Files(own_mirror).find(Remote("https://elsewhere.org/a/b c/file+1.zip", REMOTE.sha256)) is None
    assert Files(own_mirror).find(Remote("https://data.example.org/a", REMOTE.sha256)) is None  # a folder


def test_wrong_bytes_are_refused(own_mirror: Path) -> None:
    (own_mirror / "data.example.org" / "a" / "b c" / "file+1.zip").write_bytes(CONTENT + b"!")
    with pytest.raises(
        DataError,
        match=r"file\+1\.zip is not what it should be .*copy it again from https://data\.example\.org",
    ):
        Files(own_mirror).find(REMOTE)


def test_the_real_mirror_has_the_published_files(mirror: Path) -> None:
    for remote in JapaneseVowels.published.values():
        assert Files(mirror).find(remote) is not None
