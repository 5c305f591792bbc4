"""Agreement with the authors' published kernels, by a smaller ensemble than scripts/bench_tck.py has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.mirror import MIRROR, needs_mirror
from tkae.data.collection import Collection, Floats, Ints
from tkae.evaluation.classification import accuracy, vote
from tkae.models.tck import TCK

FOLDER = (
    MIRROR
    / "raw.githubusercontent.com/FilippoMB"
    / "Learning-representations-for-multivariate-time-series-with-missing-data/master/dataset"
)
pytestmark = needs_mirror


@pytest.mark.parametrize(
    ("file", "least"),
    [
        ("JapaneseVowels/TCK_data_0.8.mat", 0.985),
        ("JapaneseVowels/TCK_data_0.5.mat", 0.99),
        ("Libras/LIB_miss05.mat", 0.985),
        ("ECG2/ECG_miss05.mat", 0.97),
    ],
)
def test_correlation_and_neighbours(file: str, least: float) -> None:
    from scipy.io import loadmat

    theirs: dict[str, Any] = loadmat(FOLDER / file)
    train, test = (_collection(theirs[key]) for key in ("X", "Xte"))
    tck = TCK(G=10, C=40, normalised=np.ptp(np.diag(theirs["Ktrtr"])) < 1).learn(train, seed=1)
    ours = tck.kernel()
    upper = np.triu_indices(len(ours), 1)
    assert np.corrcoef(ours[upper], theirs["Ktrtr"][upper])[0, 1] >= least
    assert np.linalg.eigvalsh(ours)[0] > 0
    if "Ktrte" in theirs:
        y, truth = theirs["Y"].ravel(), theirs["Yte"].ravel()
        for k in (1, 3):
            mine, published = (_accuracy(s, y, truth, k) for s in (tck.similarity(test), theirs["Ktrte"].T))
            assert mine >= published - 2.0


def _collection(x: Floats) -> Collection:
    return Collection(np.nan_to_num(x), ~np.isnan(x))


def _accuracy(similarity: Floats, y: Ints, truth: Ints, k: int) -> float:
    """Percent right of the vote of the k most similar."""
    return 100 * accuracy(truth, vote(y[np.argsort(-similarity, axis=1, kind="stable")[:, :k]]))
