"""Complete series: half of the values of Japanese Vowels are removed, and compared with what is filled in.

python impute.py              # some 20 seconds
python impute.py --epochs 2   # to see that it works
"""

import argparse

import numpy as np

from tkae import LOCF, TKAE, MeanFill
from tkae.data.files import Files
from tkae.data.sets.japanese_vowels import JapaneseVowels

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=600)
parser.add_argument("--mixtures", type=int, default=5)
given = parser.parse_args()

# 270 series of 12 variates, 7 to 26 steps long. Any list of arrays (steps, variates) would do.
train = JapaneseVowels().load(Files(), seed=0).train
truth = [train.series(i) for i in range(len(train))]
rng = np.random.default_rng(0)
series = [np.where(rng.random(one.shape) < 0.5, np.nan, one) for one in truth]

# Errors count where something was observed: without loss="observed", gaps would be learned as means, as in
# the paper. A seventh of the series is held out, and training ends when their error does not fall any more.
networks = TKAE(
    code_size=32,
    epochs=given.epochs,
    G=given.mixtures,
    loss="observed",
    validation=0.15,
    select_every=10,
    patience=10,
    n_seeds=2,  # two networks: their mean is filled in, and their difference says how sure it is
)
imputed, spread = networks.fit(series).impute(series, return_std=True)

removed = [np.isnan(one) for one in series]
deviation = np.concatenate(truth).std(axis=0)


def error(completed: list[np.ndarray]) -> float:
    """Root mean square at removed values, in standard deviations of a variate."""
    squares = [
        (((made - one) / deviation) ** 2)[gone]
        for made, one, gone in zip(completed, truth, removed, strict=True)
    ]
    return float(np.sqrt(np.concatenate(squares).mean()))


for name, completed in {
    "TKAE": imputed,
    "LOCF": LOCF().fit(series).impute(series),
    "mean": MeanFill().fit(series).impute(series),
}.items():
    print(f"{name}: {error(completed):.2f}")

sure = [one[gone] for one, gone in zip(spread, removed, strict=True)]
print(f"spread over the networks, median: {np.median(np.concatenate(sure)):.3f}")
