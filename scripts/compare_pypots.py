"""Our models beside SAITS of PyPOTS: errors and times on Japanese Vowels with half of the values removed.

    python -m venv pypots && pypots/bin/pip install torch==2.13.0 pypots==1.5
    python -m scripts.compare_pypots --pypots pypots/bin/python

All learn from the same 270 series with the same holes, standardised by what is left, on one thread. Errors
are mean squares in these units, at the removed values: of the training series, and of the 370 test series,
from which no model has learned. PyPOTS takes series of one length alone, so it gets ours filled up with
NaN. Our networks have the settings of `tkae-apply impute`, and nothing was tuned for these data. SAITS has
those of PyPOTS's example.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["NUMBA_NUM_THREADS"] = "1"  # before Numba is imported

import numpy as np

from tkae.data.collection import Bools, Collection, Floats
from tkae.data.files import Files
from tkae.data.scaling import Standardiser
from tkae.data.sets.japanese_vowels import JapaneseVowels
from tkae.models.base import Model
from tkae.seeding import stream
from tkae.settings.registry import lookup
from tkae.tasks.model import settings

RATE = 0.5
MODELS = ("tkae", "tae", "dae", "pca", "locf", "mean")
SAITS = "saits"
Splits = dict[str, Collection]
Completed = dict[str, Floats]  # by split, (N, T, V)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--pypots", default="pypots/bin/python", help="the Python that PyPOTS is installed for"
    )
    parser.add_argument("--methods", nargs="+", default=[*MODELS, SAITS])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=1000, help="of SAITS at most, which stops early")
    told = parser.parse_args()
    truth, seen, removed = _data()
    print(f"load at the start: {os.getloadavg()[0]:.1f}")
    print("| | MSE, training series | MSE, test series | processor s | clock s |\n|---|---|---|---|---|")
    for name in (name for name in told.methods if name != SAITS):
        _warm(name, seen["train"])
        seeds = told.seeds if "epochs" in settings(name, "impute", "auto", seen["train"]) else 1
        _print_row(
            lookup("model", name).title, seeds, lambda s, name=name: _ours(name, seen, s), truth, removed
        )
    if SAITS in told.methods:
        run = lambda seed: _saits(told.pypots, seen, seed, told.epochs)  # noqa: E731
        _print_row("SAITS (PyPOTS)", told.seeds, run, truth, removed)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


def _data() -> tuple[Splits, Splits, dict[str, Bools]]:
    """The series, the same with holes, and where these are; standardised by what is left to learn from."""
    splits = JapaneseVowels().load(Files(), 0)
    whole = {"train": splits.train, "test": splits.test}
    removed = {
        name: x.observed & (stream(0, "pypots", name).random(x.shape) < RATE) for name, x in whole.items()
    }
    seen = {name: x.without(removed[name]) for name, x in whole.items()}
    scaler = Standardiser.of(seen["train"])
    scaled = [{name: scaler.scale(x) for name, x in these.items()} for these in (whole, seen)]
    return scaled[0], scaled[1], removed


def _ours(name: str, seen: Splits, seed: int) -> tuple[Completed, tuple[float, float]]:
    model = _model(name, seen["train"])
    clock, processor = time.perf_counter(), time.process_time()
    model.learn(seen["train"], seed)
    took = time.perf_counter() - clock, time.process_time() - processor
    return {split: model.complete(x).values for split, x in seen.items()}, took


def _model(name: str, train: Collection, **more: int) -> Model:
    made: Model = lookup("model", name)(**(settings(name, "impute", "auto", train) | more))
    return made


def _warm(name: str, train: Collection) -> None:
    """Compile, on a few series and epochs."""
    some = train.take(np.arange(40))
    more = {"epochs": 2} if hasattr(_model(name, some), "epochs") else {}
    _model(name, some, **more).learn(some, 99)


def _saits(python: str, seen: Splits, seed: int, epochs: int) -> tuple[Completed, tuple[float, float]]:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.npz", Path(folder) / "out.npz"
        np.savez(source, **{name: np.where(x.observed, x.values, np.nan) for name, x in seen.items()})
        side = Path(__file__).parent / "bench" / "saits.py"
        words = [python, str(side), str(source), str(target), str(seed), str(epochs)]
        subprocess.run(words, check=True, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        with np.load(target) as made:
            return {name: made[name] for name in seen}, tuple(made["took"])


def _print_row(
    title: str,
    seeds: int,
    run: Callable[[int], tuple[Completed, tuple[float, float]]],
    truth: Splits,
    removed: dict[str, Bools],
) -> None:
    runs = [run(seed) for seed in range(seeds)]
    errors = [
        [np.mean((made[split] - truth[split].values)[removed[split]] ** 2) for made, _ in runs]
        for split in truth
    ]
    clock, processor = np.mean([took for _, took in runs], axis=0)
    print("|", " | ".join([title, *_told(errors), f"{processor:.1f}", f"{clock:.1f}"]), "|", flush=True)


def _told(errors: list[list[float]]) -> Iterator[str]:
    for each in errors:
        spread = f" ± {np.std(each, ddof=1):.3f}" if len(each) > 1 else ""
        yield f"{np.mean(each):.3f}{spread}"


if __name__ == "__main__":
    main()
