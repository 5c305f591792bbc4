"""Find the odd ones: a TAE learns eight speakers, and screens nine.

python screen.py              # some 10 seconds
python screen.py --epochs 2   # to see that it works
"""

import argparse

import numpy as np
from sklearn.metrics import roc_auc_score

from tkae import TAE
from tkae.data.files import Files
from tkae.data.sets.japanese_vowels import JapaneseVowels

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=400)
given = parser.parse_args()

splits = JapaneseVowels().load(Files(), seed=0)
stranger = 8
known = splits.train.take(splits.train.labels != stranger)

model = TAE(code_size=20, epochs=given.epochs, loss="observed", n_seeds=2).fit(known)
scores = -model.score_samples(splits.test)  # the larger, the odder
strange = splits.test.labels == stranger
first = np.argsort(-scores)[:10]
print(f"AUC: {roc_auc_score(strange, scores):.2f}")
print(f"of the ten oddest series {strange[first].sum()} are of the speaker that was not learned")
