"""Time and memory of a TKAE on many series: what grows how with their number.

    python scripts/bench_large.py [--series 12500 25000 50000] [--steps 100] [--variates 10] [--epochs 2]
        [--G 30]

Each number of series is measured in a process of its own, with an empty cache: sinusoids of 5 classes, half
of whose entries are missing. Seconds are of all threads together (CPU time), so that a busy machine says
about the same; the peak is the largest resident memory of the process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt


def main() -> None:
    """Print a line for each number of series."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--series", type=int, nargs="+", default=[12_500, 25_000, 50_000])
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--variates", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--G", type=int, default=30)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options)
        return
    print("| series | values, MB | fit, s | transform, s | impute, s | wall, s | peak, MB |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for n in options.series:
        with tempfile.TemporaryDirectory() as cache:
            said = [f"--{name}={getattr(options, name)}" for name in ("steps", "variates", "epochs", "G")]
            words = [sys.executable, __file__, "--one", f"--series={n}", *said]
            subprocess.run(words, env={**os.environ, "TKAE_CACHE": cache}, check=True)


def one(options: argparse.Namespace) -> None:
    from tkae import TKAE

    began = time.monotonic()
    (n,) = options.series
    warm(options)
    x = made(n, options.steps, options.variates)
    model = TKAE(epochs=options.epochs, G=options.G)
    took = {
        "fit": seconds(lambda: model.fit(x)),
        "transform": seconds(lambda: model.transform(x)),
        "impute": seconds(lambda: model.impute(x)),
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    parts = " | ".join(f"{t:.1f}" for t in took.values())
    print(
        f"| {n} | {x.nbytes / 1e6:.0f} | {parts} | {time.monotonic() - began:.0f} | {peak:.0f} |", flush=True
    )


def made(n: int, steps: int, variates: int) -> npt.NDArray[np.float64]:
    """Noisy sinusoids of five classes (N, T, V), half of the entries NaN."""
    chance = np.random.default_rng(0)
    time_, variate = np.linspace(0, 1, steps)[:, None], np.arange(variates)
    means = np.stack([np.sin(2 * np.pi * (1 + c / 2 + variate / 3) * time_ + c) for c in range(5)])
    values = chance.standard_normal((n, steps, variates))
    values *= 0.7
    for i, c in enumerate(chance.integers(0, 5, n)):
        values[i] += means[c]
    values[chance.random(values.shape, dtype=np.float32) < 0.5] = np.nan
    return values


def warm(options: argparse.Namespace) -> None:
    """Compile, or load what was compiled."""
    from tkae.models import tkae

    few, tkae.SMALL = tkae.SMALL, 8
    x = made(64, options.steps, options.variates)
    tkae.TKAE(epochs=1, G=1, C=2).fit(x).impute(x)
    tkae.SMALL = few


def seconds(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    main()
