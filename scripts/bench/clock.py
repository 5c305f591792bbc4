"""Times of a piece of work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from scripts.bench.networks import BATCHES
from tkae.engine.trainer import Training


class Seconds(NamedTuple):
    wall: float
    processor: float  # of all threads; other work on the machine disturbs it least


def timed(work: Callable[[], object]) -> Seconds:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Seconds(time.perf_counter() - wall, time.process_time() - processor)


def engine_step(training: Training) -> Seconds:
    """One step of all seeds: an epoch has BATCHES of them."""
    epoch = timed(lambda: training.run(until=training.epoch + 1))
    return Seconds(epoch.wall / BATCHES, epoch.processor / BATCHES)


def goes_on(done: int, repeats: int, began: float, limit: float = 20.0) -> bool:
    """Whether to measure again: `repeats` times, or until `limit` seconds are over, but twice at least."""
    return done < repeats and (done < 2 or time.perf_counter() - began < limit)
