"""No stored file lies: whatever bit is flipped, cut off or put in another's place is said, for every kind.

A cache is then made again, a training starts afresh, a mask or model is refused; nothing else is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tests.models.test_contract import make
from tkae.data.dataset import Splits
from tkae.data.files import Files
from tkae.data.masks import read_masks, write_masks
from tkae.data.sets.source import SourceDataset
from tkae.errors import DataError
from tkae.kernels.cache import cached_fit, cached_kernel
from tkae.models.checkpoints import Watch
from tkae.models.files import load
from tkae.models.tck import TCK
from tkae.storage import load_arrays, save_arrays

SMALL = TCK(G=1, C=3, iterations=2)
TRAIN, TEST = waves(20, missing=0.5), waves(5, ragged=True, seed=1)
Content = dict[str, Any]
Read = Callable[[], Content | None]  # None: nothing is there that can be used
Stored = tuple[Path, Read]  # a file, and what gives its content as bytes and plain values


class Parsed(SourceDataset):
    """A dataset whose files are parsed once."""

    name = "parsed"

    def parse(self, files: Files) -> Splits:
        return Splits(TRAIN, TEST, ("a", "b", "c"), 1)


def parsed(folder: Path, number: int) -> Stored:
    dataset = type("Parsed", (Parsed,), {"version": number + 1})()

    def read() -> Content:
        splits = dataset.load(Files(cache=folder), 0)
        both = {"train": splits.train.fingerprint, "test": splits.test.fingerprint}
        return {**both, "classes": splits.classes, "positive": splits.positive, "scaled": splits.scaled}

    read()
    return dataset._parsed(Files(cache=folder)), read


def kernel(folder: Path, number: int) -> Stored:
    def read() -> Content:
        return {"kernel": cached_kernel(SMALL, TRAIN, folder, seed=number).tobytes()}

    known = set(folder.glob("*-kernel-*"))
    read()
    return (set(folder.glob("tck-kernel-*.safetensors")) - known).pop(), read


def fit(folder: Path, number: int) -> Stored:
    def read() -> Content:
        made = cached_fit(SMALL, TRAIN, folder, seed=number)
        return {key: made[key].tobytes() for key in TCK.fitted}

    known = set(folder.glob("*.safetensors"))
    read()
    return (set(folder.glob("*.safetensors")) - known).pop(), read


def checkpoint(folder: Path, number: int) -> Stored:
    keys = [f"{number}{letter}" for letter in "abc"]
    state = {"theta": np.random.default_rng(number).normal(size=(3, 40)), "epoch": np.array(4)}
    watch = Watch(folder, keys, keep_every=0)
    watch.keep(lambda: state)
    assert watch.path is not None

    def read() -> Content | None:
        found = Watch(folder, keys).earlier()
        return None if found is None else {name: array.tobytes() for name, array in found.items()}

    return watch.path, read


def masks(folder: Path, number: int) -> Stored:
    path, rng = folder / f"{number}.safetensors", np.random.default_rng(number)
    write_masks(path, {split: rng.random((8, 7, 3)) < 0.5 for split in ("train", "test")}, {"rate": 0.5})
    return path, lambda: {split: (mask.shape, mask.tobytes()) for split, mask in read_masks(path).items()}


def cell(folder: Path, number: int) -> Stored:
    path = folder / f"{number}.safetensors"
    save_arrays(path, {"codes": np.random.default_rng(number).normal(size=(9, 4))}, {}, path.stem)
    return path, lambda: {name: one.tobytes() for name, one in load_arrays(path, path.stem)[0].items()}


def model(name: str) -> Callable[[Path, int], Stored]:
    def store(folder: Path, number: int) -> Stored:
        path = folder / f"{name}{number}.safetensors"
        make(name).set_params(random_state=number).fit(TRAIN).save(path)

        def read() -> Content:
            loaded = load(path)
            return {
                "settings": repr(loaded),
                **{key: getattr(loaded, key).tobytes() for key in loaded.fitted},
            }

        return path, read

    return store


CACHES = {"parsed": parsed, "kernel": kernel, "fit": fit}
CHECKPOINTS = {"checkpoint": checkpoint}
NAMED = {"cell": cell, **CACHES, **CHECKPOINTS}  # files that belong to one place
MODELS = {name: model(name) for name in ("mean", "pca", "ae", "tkae", "tck_kpca", "iforest", "ocsvm")}
KINDS: dict[str, Callable[[Path, int], Stored]] = {**NAMED, "masks": masks, **MODELS}
every_kind = pytest.mark.parametrize("kind", KINDS)


def damaged(content: bytes, rng: np.random.Generator) -> Iterator[bytes]:
    """Single bits of the header, the body and anywhere; ends cut off or grown; stretches of zeros."""
    header = 8 + int.from_bytes(content[:8], "little")
    bits = [*rng.integers(8 * header, size=150), *rng.integers(8 * header, 8 * len(content), size=100)]
    for bit in bits:
        yield flipped(content, bit)
    for _ in range(20):
        several = content
        for bit in rng.integers(8 * len(content), size=3):
            several = flipped(several, bit)
        yield several
    for length in rng.integers(len(content), size=25):
        yield content[:length]
    yield from (content + rng.bytes(length) for length in (1, 8, 100))
    for start in rng.integers(len(content) - 64, size=10):
        yield content[:start] + bytes(64) + content[start + 64 :]


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def outcome(read: Read, whole: Content | None, caplog: pytest.LogCaptureFixture) -> str:
    """What a reader of a damaged file gets to know."""
    caplog.clear()
    try:
        found = read()
    except DataError:
        return "refused"
    if not caplog.messages:
        return "silent"
    return "afresh" if found is None else "made again" if found == whole else "wrong"


def expected(kind: str) -> str:
    return "made again" if kind in CACHES else "afresh" if kind in CHECKPOINTS else "refused"


@every_kind
def test_no_damage_is_silent(kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, read = KINDS[kind](tmp_path, 0)
    content, whole = path.read_bytes(), read()
    assert whole is not None and not caplog.messages
    counts: dict[str, int] = {}
    for changed in damaged(content, np.random.default_rng(3)):
        if changed != content:
            path.write_bytes(changed)
            how = outcome(read, whole, caplog)
            counts[how] = counts.get(how, 0) + 1
    print(f"{kind}: {counts}")
    assert counts.keys() == {expected(kind)} and counts[expected(kind)] >= 300
    path.write_bytes(content)
    caplog.clear()
    assert read() == whole and not caplog.messages


@pytest.mark.parametrize("kind", NAMED)
def test_no_swap_of_two_of_a_kind_is_silent(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (first, read_first), (second, read_second) = (NAMED[kind](tmp_path, number) for number in (0, 1))
    wholes = read_first(), read_second()
    contents = first.read_bytes(), second.read_bytes()
    assert contents[0] != contents[1]
    for read, whole in zip((read_first, read_second), wholes, strict=True):
        first.write_bytes(contents[1])
        second.write_bytes(contents[0])
        assert outcome(read, whole, caplog) == expected(kind)


def test_no_kind_is_taken_for_another(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folders = {kind: tmp_path / kind for kind in KINDS}
    for folder in folders.values():
        folder.mkdir()
    stored = {kind: store(folders[kind], 0) for kind, store in KINDS.items()}
    contents = {kind: path.read_bytes() for kind, (path, _) in stored.items()}
    for kind, (path, read) in stored.items():
        whole = read()
        for other in KINDS.keys() - (MODELS.keys() if kind in MODELS else {kind}):  # a model says what it is
            path.write_bytes(contents[other])
            assert outcome(read, whole, caplog) == expected(kind), (kind, other)
            path.write_bytes(contents[kind])
