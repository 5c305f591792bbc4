"""Named streams: the same name and seed give the same numbers, and no two streams are alike."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from tkae.seeding import stream

PINNED = [864, 369, 671, 245, 692]


def numbers(seed: int, *names: str | int) -> tuple[float, ...]:
    return tuple(stream(seed, *names).random(4))


def test_the_same_stream_gives_the_same_numbers() -> None:
    assert numbers(3, "mask", "libras") == numbers(3, "mask", "libras")
    assert numbers(3, "draw", 1) == numbers(3, "draw", "1") == numbers(np.int64(3), "draw", 1)  # type: ignore[arg-type]


def test_streams_differ_in_seed_name_and_order_of_names() -> None:
    streams = [
        numbers(seed, *names) for seed in range(3) for names in ((), ("a",), ("b",), ("a", "b"), ("b", "a"))
    ]
    streams += [
        numbers(0, "ab"),
        numbers(0, "a", ""),
        numbers(0, "", "a"),
        numbers(12, "3"),
        numbers(1, "23"),
    ]
    streams += [numbers(123), numbers(0, "a", "1"), numbers(0, "a", 11), numbers(0, "a1", "1")]
    assert len(set(streams)) == len(streams)


def test_using_one_stream_does_not_move_another() -> None:
    first, second = stream(0, "one"), stream(0, "two")
    first.random(1000)
    assert tuple(second.random(4)) == numbers(0, "two")


def test_another_process_has_the_same_numbers() -> None:
    """No part of it may hang on the hashing of strings, which differs from process to process."""
    code = "from tkae.seeding import stream; print(*stream(7, 'mask', 'x', 2).random(4))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert tuple(map(float, done.stdout.split())) == numbers(7, "mask", "x", 2)


def test_the_numbers_never_change() -> None:
    """Stored masks and records count on them: whoever changes these must redo every stored cell."""
    assert stream(0, "mask").integers(1000, size=5).tolist() == PINNED


def test_streams_are_uncorrelated() -> None:
    draws = np.array([stream(seed, "x").normal(size=500) for seed in range(40)])
    off = np.corrcoef(draws)[~np.eye(40, dtype=bool)]
    assert np.abs(off).max() < 5 / np.sqrt(500) and abs(off.mean()) < 0.01
