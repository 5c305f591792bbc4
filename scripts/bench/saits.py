"""SAITS of PyPOTS on series from a file: run by the Python that PyPOTS is installed for, which lacks tkae.

    PYTHON scripts/bench/saits.py IN.npz OUT.npz SEED EPOCHS

IN has `train` and `test` (N, T, V), standardised, NaN where missing and after the end of a series. OUT has
them completed, and the seconds that training took, by the clock and of the processor.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import torch
from pypots.imputation import SAITS
from pypots.utils.random import set_random_seed

HELD_OUT = 0.15  # of the series: as for our models
HIDDEN = 0.2  # of their observed values: what early stopping looks at


def main(source: str, target: str, seed: int, epochs: int) -> None:
    torch.set_num_threads(1)
    set_random_seed(seed)
    given = np.load(source)
    train, test = given["train"].astype(np.float32), given["test"].astype(np.float32)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(train))
    held, rest = np.split(order, [round(HELD_OUT * len(train))])
    seen = np.where(rng.random(train[held].shape) < HIDDEN, np.nan, train[held])
    # The sizes are those of PyPOTS's own example.
    model = SAITS(
        n_steps=train.shape[1],
        n_features=train.shape[2],
        n_layers=2,
        d_model=256,
        n_heads=4,
        d_k=64,
        d_v=64,
        d_ffn=128,
        dropout=0.1,
        batch_size=32,
        epochs=epochs,
        patience=min(20, epochs),
        device="cpu",
        verbose=False,
    )
    clock, processor = time.perf_counter(), time.process_time()
    model.fit({"X": train[rest]}, {"X": seen, "X_ori": train[held]})
    took = time.perf_counter() - clock, time.process_time() - processor
    made = {name: model.impute({"X": x}) for name, x in (("train", train), ("test", test))}
    np.savez(target, **made, took=took)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
