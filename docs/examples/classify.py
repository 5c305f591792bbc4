"""Tell speakers apart: codes of the TKAE and nearest neighbours, as a pipeline of scikit-learn.

python classify.py              # some 20 seconds
python classify.py --epochs 2   # to see that it works
"""

import argparse

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from tkae import TKAE
from tkae.data.files import Files
from tkae.data.sets.japanese_vowels import JapaneseVowels

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=400)
parser.add_argument("--mixtures", type=int, default=5)
given = parser.parse_args()

splits = JapaneseVowels().load(Files(), seed=0)
rng = np.random.default_rng(0)
train, test = (x.without(rng.random(x.shape) < 0.5) for x in (splits.train, splits.test))

# The codes are learned without labels; labels serve only the neighbours.
tkae = TKAE(code_size=10, epochs=given.epochs, G=given.mixtures, loss="observed")
model = make_pipeline(tkae, KNeighborsClassifier(n_neighbors=3))
model.fit(train, train.labels)
print(f"accuracy with half of the values missing: {model.score(test, test.labels):.2f}")
print(f"by chance: {np.bincount(test.labels).max() / len(test):.2f}")
