"""Kernel PCA on the TCK."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.decomposition import KernelPCA

from tkae.data.collection import Collection
from tkae.models.files import load
from tkae.models.tck_kpca import TCKKernelPCA


def series(n: int, seed: int) -> Collection:
    rng = np.random.default_rng(seed)
    values = np.sin(np.arange(12)[:, None] * 0.5 + 2.1 * (np.arange(n)[:, None, None] % 3) + np.arange(2))
    return Collection(values + 0.3 * rng.normal(size=(n, 12, 2)), rng.random((n, 12, 2)) < 0.6)


def test_equals_sklearn_on_the_same_kernel() -> None:
    train, test = series(40, 0), series(11, 1)
    model = TCKKernelPCA(G=2, C=6, code_size=4).learn(train, seed=2)
    reference = KernelPCA(4, kernel="precomputed").fit(model.kernel())
    for x, kernel in ((train, model.kernel()), (test, model.similarity(test))):
        expected = reference.transform(kernel)
        code = model.encode(x)
        signs = np.sign((code * expected).sum(axis=0))
        np.testing.assert_allclose(code, expected * signs, atol=1e-8)


def test_always_has_the_size_that_was_asked_for() -> None:
    train = series(4, 0)
    code = TCKKernelPCA(G=1, C=4, code_size=10).learn(train).encode(series(3, 1))
    assert code.shape == (3, 10) and np.isfinite(code).all()
    assert (code[:, 4:] == 0).all()


def test_saved_and_loaded_bit_for_bit(tmp_path: Path) -> None:
    model = TCKKernelPCA(G=1, C=5, code_size=3).fit(series(30, 0))
    model.save(tmp_path / "model")
    x = series(5, 3)
    assert np.array_equal(load(tmp_path / "model").encode(x), model.encode(x))
    assert TCKKernelPCA.can("encode") and not TCKKernelPCA.can("reconstruct")
