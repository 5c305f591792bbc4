"""How fast and how right the TCK is: against the public `tck` 1.0.0, the authors' kernels, and in its growth.

    python scripts/bench_tck.py [--quick] [--threads 1 2] [--package-G 5] [--mirror ../shared/mirror]

Ratios come from one run with the same G, C, iterations and number of threads on both sides (BLAS has one
thread). `tck` sends its whole ensemble to a worker for every mixture, so its kernels get slower than
proportionally with G: the ratio of the kernels is larger at a larger G.
"""

from __future__ import annotations

import os

for key in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):  # before numpy is imported
    os.environ[key] = "1"

import argparse
import contextlib
import functools
import io
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.evaluation.classification import accuracy, vote
from tkae.kernels.tck import TCK

AUTHORS = (
    "raw.githubusercontent.com/FilippoMB/"
    "Learning-representations-for-multivariate-time-series-with-missing-data/master/dataset"
)
FILES = {
    "Jp. Vow. 80 %": "JapaneseVowels/TCK_data_0.8.mat",
    "Jp. Vow. 50 %": "JapaneseVowels/TCK_data_0.5.mat",
    "Libras 50 %": "Libras/LIB_miss05.mat",
    "ECG2 50 %": "ECG2/ECG_miss05.mat",
}


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="smaller ensembles: minutes become seconds")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--package-G", type=int, default=5, help="G of the comparison with the slow package")
    parser.add_argument("--mirror", type=Path, default=Path("../shared/mirror"))
    options = parser.parse_args()
    folder = options.mirror / AUTHORS
    if folder.is_dir():
        against_the_package(folder, options.threads, G=1 if options.quick else options.package_G)
        agreement(folder, G=5 if options.quick else 30)
    else:
        print(f"{folder} is not there: no comparison with the package and the authors' kernels")
    growth(G=1 if options.quick else 5)


def against_the_package(folder: Path, threads: list[int], G: int) -> None:
    """Seconds of fit and of the three kernels, ours (the least of three) and the package's (once)."""
    try:
        import tck.TCK as package
    except ImportError:
        print("tck is not installed (pip install tck==1.0.0): no comparison with it")
        return
    data = _load(folder / FILES["Jp. Vow. 80 %"])
    X, Xte = data["X"], data["Xte"]
    train, test = _collection(X), _collection(Xte)
    TCK(G=1, C=3).fit(train).kernel()  # compiled, or taken from Numba's cache
    print(f"Against tck 1.0.0: Jp. Vow. with 80 % missing, G={G}, C=40, 20 iterations")
    print(f"{'threads':>8} {'':14}{'tck s':>9}{'ours s':>9}{'ratio':>9}")
    for count in threads:
        package.ProcessPoolExecutor = functools.partial(ProcessPoolExecutor, max_workers=count)
        theirs, ours = package.TCK(G=G, C=40), TCK(G=G, C=40)
        steps: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
            ("fit", lambda m=theirs: m.fit(X), lambda m=ours, n=count: m.fit(train, threads=n)),
            (
                "train x train",
                lambda m=theirs: m.predict("tr-tr"),
                lambda m=ours, n=count: m.kernel(threads=n),
            ),
            (
                "train x test",
                lambda m=theirs: m.predict("tr-te", Xte),
                lambda m=ours, n=count: m.kernel(None, test, threads=n),
            ),
            (
                "test x test",
                lambda m=theirs: m.predict("te-te", Xte),
                lambda m=ours, n=count: m.kernel(test, threads=n),
            ),
        ]
        for what, slow, fast in steps:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                package_s = _seconds(slow, 1)
            own_s = _seconds(fast, 3)
            print(f"{count:>8} {what:14}{package_s:9.2f}{own_s:9.3f}{package_s / own_s:9.0f}", flush=True)


def agreement(folder: Path, G: int) -> None:
    """Correlation of off-diagonal entries with the authors' kernels, and kNN accuracy where they allow it."""
    print(f"\nAgreement with the authors' kernels: G={G}, C=40, seed 0; kNN accuracy ours (theirs)")
    print("'as theirs': posteriors normalised only if theirs are; 'Alg. 1': always, as for kNN")
    print(
        f"{'':15}{'as theirs':>10}{'Alg. 1':>8}{'test':>8}{'tr x te':>9}{'least eig.':>11}{'k=1':>15}{'k=3':>15}"
    )
    for name, file in FILES.items():
        data = _load(folder / file)
        train, test = _collection(data["X"]), _collection(data["Xte"])
        tck = TCK(G=G, C=40, normalised=bool(np.ptp(np.diag(data["Ktrtr"])) < 1)).fit(train)
        row = f"{name:15}{_correlation(tck.kernel(), data['Ktrtr']):10.4f}"
        tck.normalised = True
        ours = tck.kernel()
        row += f"{_correlation(ours, data['Ktrtr']):8.4f}{_correlation(tck.kernel(test), data['Ktete']):8.4f}"
        if "Ktrte" in data:
            similarity, published = tck.similarity(test), data["Ktrte"].T
            row += f"{np.corrcoef(similarity.ravel(), published.ravel())[0, 1]:9.4f}"
            row += f"{np.linalg.eigvalsh(ours)[0]:11.1f}"
            for k in (1, 3):
                right = [
                    _right(s, data["Y"].ravel(), data["Yte"].ravel(), k) for s in (similarity, published)
                ]
                row += f"{right[0]:8.1f} ({right[1]:4.1f})"
        else:
            row += f"{'-':>9}{np.linalg.eigvalsh(ours)[0]:11.1f}"
        print(row, flush=True)


def growth(G: int) -> None:
    """Seconds of fit and kernel as one of N, T, V, G grows, half of the entries missing, one thread."""
    base = {"N": 250, "T": 40, "V": 6, "G": G}
    print("\nGrowth, one thread, 50 % missing, C=20; segments have at most 25 steps, subsets 15 variates")
    print(f"{'N':>7}{'T':>6}{'V':>5}{'G':>5}{'fit s':>9}{'kernel s':>10}")
    changes = [
        {},
        {"N": 500},
        {"N": 1000},
        {"N": 2000},
        {"T": 80},
        {"T": 160},
        {"V": 12},
        {"V": 24},
        {"G": 2 * G},
    ]
    for change in changes:
        size = base | change
        rng = np.random.default_rng(0)
        values = rng.normal(size=(size["N"], size["T"], size["V"]))
        x = Collection(values, rng.random(values.shape) < 0.5)
        tck = TCK(G=size["G"], C=20)
        fit_s = _seconds(functools.partial(tck.fit, x, threads=1), 2)
        kernel_s = _seconds(functools.partial(tck.kernel, threads=1), 2)
        print(
            f"{size['N']:>7}{size['T']:>6}{size['V']:>5}{size['G']:>5}{fit_s:9.2f}{kernel_s:10.3f}",
            flush=True,
        )


def _seconds(work: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _load(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    return dict(loadmat(path))


def _collection(x: Floats) -> Collection:
    return Collection(np.nan_to_num(x), ~np.isnan(x))


def _correlation(a: Floats, b: Floats) -> float:
    upper = np.triu_indices(len(a), 1)
    return float(np.corrcoef(a[upper], b[upper])[0, 1])


def _right(similarity: Floats, y: Any, truth: Any, k: int) -> float:
    """Percent right of the vote of the k most similar."""
    return 100 * accuracy(truth, vote(y[np.argsort(-similarity, axis=1, kind="stable")[:, :k]]))


if __name__ == "__main__":
    main()
