"""What several cells of a run need is computed once: mixtures, kernels and trainings; and no worker idles."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tkae.data.files import Files
from tkae.kernels import ensemble
from tkae.models.autoencoder import Autoencoder
from tkae.runs import plan as plan_module
from tkae.runs.estimate import estimates
from tkae.runs.plan import WASTE, by_training, finish, groups, in_turn, plan
from tkae.runs.store import Store
from tkae.runs.worker import run_group
from tkae.settings.compose import compose

SMALL = ["dataset=japanese_vowels", "budget=smoke", "seeds=1", "missingness.rate=0.8"]
# TCK, TCK+kPCA and TKAE of one run in a process that notes every mixture that it fits.
NOTING = """
import sys
from pathlib import Path
from tests.runs.test_shared_work import run_kernels
run_kernels(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def run_kernels(results: Path, noted: Path) -> None:
    """Runs what rests on one TCK; a line in `noted` for every mixture that is fitted."""
    fit = ensemble.fit_member

    def noting(*given: Any) -> Any:
        with noted.open("a") as lines:
            lines.write("fitted\n")
        return fit(*given)

    ensemble.fit_member = noting
    try:
        words = ["experiment=classification", "model=[tck,tck_kpca,tkae]", "model.C=4", *SMALL]
        for group in groups(plan(compose(words, False))):
            for outcome in run_group(group, results, Files()):
                assert not outcome.error
    finally:
        ensemble.fit_member = fit


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TKAE_CACHE", str(tmp_path / "cache"))
    return tmp_path


def mixtures_of_one_fit() -> int:
    (cell,) = plan(compose(["experiment=classification", "model=tck", "model.C=4", *SMALL], False))
    return 3 * cell.model.G  # of 2, 3 and 4 components


def test_mixtures_that_models_share_are_fitted_once(cache: Path) -> None:
    run_kernels(cache / "results", cache / "noted")
    assert len((cache / "noted").read_text().split()) == mixtures_of_one_fit()


def test_two_processes_at_once_fit_them_once(cache: Path) -> None:
    words = [sys.executable, "-c", NOTING]
    both = [
        subprocess.Popen([*words, str(cache / name), str(cache / "noted")], cwd=Path(__file__).parents[2])
        for name in ("first", "second")
    ]
    assert [process.wait(600) for process in both] == [0, 0]
    assert len((cache / "noted").read_text().split()) == mixtures_of_one_fit()


def test_what_is_shared_changes_no_number(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["experiment=classification", "model=[tck,tck_kpca]", "model.C=4", *SMALL]
    cells = plan(compose(words, False))
    for cell in cells:
        run_group([cell], cache / "shared", Files())
        monkeypatch.setenv("TKAE_CACHE", str(cache / cell.key))
        run_group([cell], cache / "alone", Files())
        monkeypatch.setenv("TKAE_CACHE", str(cache / "cache"))
        one, other = (Store(cache / name).read(cell) for name in ("shared", "alone"))
        assert one is not None and other is not None and one["metrics"] == other["metrics"]


def twins() -> list[Any]:
    words = ["experiment=kernel_matrices,missingness", "model=tae", "dataset=japanese_vowels"]
    return plan(compose([*words, "budget=smoke", "missingness.rate=0.8"], True))


def test_a_fit_that_two_experiments_measure_is_trained_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[int] = []
    learn = Autoencoder.learn_replicas.__func__  # type: ignore[attr-defined]

    def counted(cls: Any, models: Any, trains: Any, seeds: Any, watch: Any = None) -> Any:
        trained.extend(seeds)
        return learn(cls, models, trains, seeds, watch)

    cells = twins()
    names = {cell.experiment.name for cell in cells}
    assert names == {"kernel_matrices", "missingness"} and len(by_training(cells)) == len(cells) / 2
    for cell in cells:
        run_group([cell], cache / "alone", Files())
    monkeypatch.setattr(Autoencoder, "learn_replicas", classmethod(counted))
    for group in groups(cells):
        run_group(group, cache / "together", Files())
    assert sorted(trained) == sorted({cell.seed for cell in cells})
    for cell in cells:
        one, other = (Store(cache / name).read(cell) for name in ("alone", "together"))
        assert one is not None and other is not None and one["metrics"] == other["metrics"]


def test_another_training_set_is_another_training() -> None:
    words = ["experiment=one_class", "protocol=paper", "budget=smoke", "dataset=physionet"]
    cells = plan(compose(words, False))
    assert len(by_training(cells)) == len(cells)  # the extra rows leave the test records out of training


def test_what_is_shared_is_estimated_once(cache: Path) -> None:
    words = ["experiment=classification", "model.C=4", *SMALL]
    both = plan(compose([*words, "model=[tck,tck_kpca]"], False))
    _, second = both
    costs = [estimates(cells, Files()) for cells in (both, [second])]
    assert costs[0][second.key] < costs[1][second.key]


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("seed", range(20))
def test_no_worker_stands_alone_at_the_end(workers: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = list(rng.lognormal(0.0, 2.0, int(rng.integers(1, 200))))
    assert sorted(in_turn(costs, workers)) == list(range(len(costs)))
    ideal = max(sum(costs) / workers, max(costs))
    # Longest first ends within 4/3 of the best there is (Graham 1969), which is not before `ideal`.
    ended = finish([costs[i] for i in in_turn(costs, workers)], workers)
    assert ideal * 0.999 <= ended <= WASTE * 4 / 3 * max(ideal, best_bound(costs, workers))


def test_the_order_of_very_many_groups_is_found_in_few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[int] = []

    def counted(costs: Any, workers: int) -> float:
        passes.append(workers)
        return finish(costs, workers)

    monkeypatch.setattr(plan_module, "finish", counted)
    costs = list(np.random.default_rng(0).lognormal(0.0, 2.0, 3000))
    assert sorted(in_turn(costs, 100)) == list(range(3000)) and len(passes) < 40


def best_bound(costs: list[float], workers: int) -> float:
    """No order ends before the two least of the `workers` + 1 longest have run one after the other."""
    longest = sorted(costs, reverse=True)[: workers + 1]
    return longest[-1] + longest[-2] if len(longest) > workers else 0.0


def test_cheap_groups_come_first_and_the_longest_not_last() -> None:
    costs = [1.0] * 10 + [20.0, 10.0, 10.0]
    assert in_turn(costs, 1) == sorted(range(13), key=lambda i: costs[i])
    order = in_turn(costs, 2)
    assert order[:10] == list(range(10))
    assert finish([costs[i] for i in order], 2) == 25 < finish(sorted(costs), 2) == 35
    assert in_turn([0.0] * 5, 2) == [0, 1, 2, 3, 4]  # nothing is known: as they come
