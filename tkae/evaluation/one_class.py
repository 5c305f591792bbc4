"""How well an anomaly score tells a class from all others."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Bools, Floats


def auc(positive: Bools, scores: Floats) -> float:
    """The area under the ROC curve: how often a positive series scores above one that is not (ties: half).

    By the ranks of the positive series among all (Mann and Whitney). NaN if there is only one kind.
    """
    if np.isnan(scores).any():
        raise ValueError("a score is not a number")
    hits, others = int(positive.sum()), int((~positive).sum())
    if not hits or not others:
        return float("nan")
    _, which, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2  # from 1; equal scores share the mean of their ranks
    return float((ranks[which][positive].sum() - hits * (hits + 1) / 2) / (hits * others))
