"""Controls of ours that never see a value: what the missingness alone tells about the class of a series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tkae.data.collection import Collection, Floats, Ints
from tkae.data.dataset import Extent
from tkae.errors import DataError
from tkae.fields import setting
from tkae.models.base import Model
from tkae.models.filling import in_steps


@dataclass
class MaskModel(Model):
    """What these models see of a series; steps beyond the longest training series do not enter it.

    Their parameters are those of `Estimator`.
    """

    fitted: ClassVar[tuple[str, ...]] = ("shape_",)

    def learn(self, train: Collection, seed: int = 0) -> Self:
        self.shape_: Ints = np.array([train.lengths.max(), train.shape[2]])
        return self

    def features(self, x: Collection) -> Floats:
        """(N, T·V): 1 where an entry was observed, else 0."""
        steps, width = self._learned("shape_")
        self._check_width(x, int(width))
        return in_steps(x.observed, int(steps)).reshape(len(x), -1).astype(np.float64)


@dataclass
class Mask(MaskModel):
    """The code is the mask."""

    name: ClassVar[str] = "mask"
    title: ClassVar[str] = "kNN on the mask"

    def encode(self, x: Collection) -> Floats:
        return self.features(x)


@dataclass
class MaskLogistic(MaskModel):
    """Logistic regression on the mask.

    Parameters
    ----------
    inverse_penalty : float
        C of scikit-learn's logistic regression, the inverse of its L2 penalty.

    The others are those of `Estimator`.
    """

    name: ClassVar[str] = "mask_logistic"
    title: ClassVar[str] = "LR on the mask"
    fitted: ClassVar[tuple[str, ...]] = ("shape_", "weights_", "biases_", "classes_")

    # Of L2, scikit-learn's C and its default; from 0.01 to 10000 EHR has 89.8 to 92.0 and 78.0 to 84.4.
    inverse_penalty: float = setting(1.0, at_least=1e-9)

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        labels = np.arange(len(sample)) % 2  # a sample has none
        return super().seconds(Collection(sample.values, sample.observed, labels=labels), extent)

    def learn(self, train: Collection, seed: int = 0) -> Self:
        from sklearn.linear_model import LogisticRegression
        from threadpoolctl import threadpool_limits

        if train.labels is None:
            raise DataError(f"{self.name} learns from labels, and these series have none")
        super().learn(train, seed)
        features = self.features(train)
        self.classes_: Ints = np.unique(train.labels)
        # (classes, features) and (classes): the label with the largest sum is the answer.
        self.weights_: Floats = np.zeros((len(self.classes_), features.shape[1]))
        self.biases_: Floats = np.zeros(len(self.classes_))
        if len(self.classes_) > 1:  # else there is nothing to tell apart
            with threadpool_limits(1, "blas"):  # so that the number of threads changes no bit
                fitted = LogisticRegression(C=self.inverse_penalty, max_iter=10_000).fit(
                    features, train.labels
                )
            # Of two classes scikit-learn has weights for the second alone.
            self.weights_[-len(fitted.coef_) :] = fitted.coef_
            self.biases_[-len(fitted.coef_) :] = fitted.intercept_
        return self

    def classify(self, x: Collection) -> Ints:
        weights, classes = self._learned("weights_"), self._learned("classes_")
        sums = self.features(x) @ weights.T + self.biases_
        return np.asarray(classes[sums.argmax(axis=1)])


@dataclass
class CountLogistic(MaskLogistic):
    """Logistic regression on the number of observed entries: one number a series."""

    name: ClassVar[str] = "count_logistic"
    title: ClassVar[str] = "LR on the count"

    def features(self, x: Collection) -> Floats:
        """(N, 1)."""
        return np.asarray(super().features(x).sum(axis=1, keepdims=True))
