"""How fast and how right the TCK is: against the public `tck` 1.0.0, the authors' kernels, and in its growth.

    python scripts/bench_tck.py [--quick] [--threads 1 2] [--kernel-G 30] [--mirror ../shared/mirror]

Ratios come from one run with the same G, C, iterations and number of threads on both sides (BLAS has one
in each). `tck` sends its whole ensemble to a worker for every mixture, so its kernels cost more than in
proportion to G: the ratio of the kernels is larger at a larger G.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tkae.data.collection import Collection, Floats
from tkae.evaluation.classification import accuracy, vote
from tkae.kernels.member import Mixture, member_posteriors
from tkae.models.tck import TCK

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
    parser.add_argument("--kernel-G", type=int, help="G of the kernels that are compared with the package's")
    parser.add_argument("--mirror", type=Path, default=Path("../shared/mirror"))
    options = parser.parse_args()
    folder = options.mirror / AUTHORS
    if folder.is_dir():
        few, many = (1, 3) if options.quick else (3, 10)
        against_the_package(folder, options.threads, G_fit=few, G_kernel=options.kernel_G or many)
        agreement(folder, G=5 if options.quick else 30)
    else:
        print(f"{folder} is not there: no comparison with the package and the authors' kernels")
    growth(G=1 if options.quick else 5)


def against_the_package(folder: Path, threads: list[int], G_fit: int, G_kernel: int) -> None:
    """Seconds of fit and of the three kernels, ours (the least of three) and the package's (once).

    For the kernels the package is given our mixtures: its own fit would take too long at a larger G, and
    so the two must agree in every entry.
    """
    try:
        import tck.TCK as package
        from threadpoolctl import threadpool_limits
    except ImportError:
        print("tck is not installed (pip install tck==1.0.0): no comparison with it")
        return
    data = _load(folder / FILES["Jp. Vow. 80 %"])
    X, Xte = data["X"], data["Xte"]
    train, test = _collection(X), _collection(Xte)
    TCK(G=1, C=3).learn(train).kernel()  # compiled, or taken from Numba's cache
    print("Against tck 1.0.0: Jp. Vow. with 80 % missing, C=40, 20 iterations")
    print(f"{'threads':>8}{'G':>4} {'':14}{'tck s':>9}{'ours s':>9}{'ratio':>7}{'largest difference':>20}")
    for count in threads:
        package.ProcessPoolExecutor = functools.partial(ProcessPoolExecutor, max_workers=count)
        with threadpool_limits(1, "blas"), _quiet():
            theirs_s, _ = _seconds(functools.partial(package.TCK(G=G_fit, C=40).fit, X), 1)
        ours_s, _ = _seconds(functools.partial(TCK(G=G_fit, C=40).learn, train, threads=count), 3)
        print(
            f"{count:>8}{G_fit:>4} {'fit':14}{theirs_s:9.2f}{ours_s:9.3f}{theirs_s / ours_s:7.0f}", flush=True
        )
        ours = TCK(G=G_kernel, C=40).learn(train)
        theirs = package.TCK(G=G_kernel, C=40)
        theirs.GMM = [_as_theirs(mixture, ours) for mixture in ours.ensemble()]
        for mode, arguments, pair in (
            ("tr-tr", (), (None, None)),
            ("tr-te", (Xte,), (None, test)),
            ("te-te", (Xte,), (test, None)),
        ):
            with threadpool_limits(1, "blas"), _quiet():
                theirs_s, expected = _seconds(functools.partial(theirs.predict, mode, *arguments), 1)
            ours_s, kernel = _seconds(functools.partial(ours.kernel, *pair, threads=count), 3)
            row = f"{count:>8}{G_kernel:>4} {'kernel ' + mode:14}{theirs_s:9.2f}{ours_s:9.3f}"
            print(row + f"{theirs_s / ours_s:7.0f}{np.abs(kernel - expected).max():20.1e}", flush=True)


def _as_theirs(mixture: Mixture, tck: TCK) -> tuple[Any, ...]:
    """A mixture as the package keeps it: training posteriors, mu (T, V, C), s2, theta, where."""
    q = member_posteriors(mixture, tck.values_, tck.observed_)
    mu = mixture.mu.reshape(mixture.steps, len(mixture.variates), -1)
    time_index = np.arange(mixture.start, mixture.start + mixture.steps)
    return q, mu, mixture.s2, mixture.theta, mixture.variates, time_index


def agreement(folder: Path, G: int) -> None:
    """Correlation of off-diagonal entries with the authors' kernels, and kNN accuracy where they allow it."""
    print(f"\nAgreement with the authors' kernels: G={G}, C=40, seed 0; kNN accuracy ours (theirs)")
    print("'as theirs': posteriors normalised only if theirs are; 'Alg. 1': always, as for kNN")
    heads = (
        ("as theirs", 10),
        ("Alg. 1", 8),
        ("test", 8),
        ("tr x te", 9),
        ("least eig.", 11),
        ("k=1", 15),
        ("k=3", 15),
    )
    print(" " * 15 + "".join(f"{head:>{width}}" for head, width in heads))
    for name, file in FILES.items():
        data = _load(folder / file)
        train, test = _collection(data["X"]), _collection(data["Xte"])
        tck = TCK(G=G, C=40, normalised=bool(np.ptp(np.diag(data["Ktrtr"])) < 1)).learn(train)
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
        fit_s, _ = _seconds(functools.partial(tck.learn, x, threads=1), 2)
        kernel_s, _ = _seconds(functools.partial(tck.kernel, threads=1), 2)
        print(
            f"{size['N']:>7}{size['T']:>6}{size['V']:>5}{size['G']:>5}{fit_s:9.2f}{kernel_s:10.3f}",
            flush=True,
        )


def _seconds(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """The least time of some repeats, and what the last one returned."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return min(times), result


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


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
