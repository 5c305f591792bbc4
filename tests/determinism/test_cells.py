"""Every experiment on data that need no mirror: a cell has the same bits in any company and order."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numba
import pytest
from threadpoolctl import threadpool_limits

from tests.determinism.asked import ABLATIONS, OWN_FILE, VOWELS, Words
from tests.determinism.own.company import Alone
from tests.determinism.results import Results, differences
from tests.determinism.surroundings import threads
from tests.experiments.without_mirror import GENERATED, ON_OWN_FILE, ON_VOWELS, own_file
from tkae.runs.executors import Executor, Serial
from tkae.runs.runner import Run
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS
from tkae.signals import stoppable

# Of the searches two settings do.
NARROW = {
    "search_classification": (
        "model=[ae,tkae]",
        "experiment.grid={model:{l2:[0.0,0.001],tkae:{alpha:[0.1]}}}",
    ),
    "search_imputation": ("model=[tkae]", "experiment.grid={model:{l2:[0.0,0.001]}}"),
}
ON = {
    **dict.fromkeys(ON_OWN_FILE, OWN_FILE),
    **dict.fromkeys(GENERATED, ()),
    **dict.fromkeys(ON_VOWELS, VOWELS),
    "ablations": ABLATIONS,
}


def computed(words: Words, executor: Executor) -> Results:
    """What this executor leaves in `results`, with a cache of its own; tables take longer than cells."""
    folder = Path(executor.name)
    with pytest.MonkeyPatch.context() as patch, stoppable() as stop:
        patch.setenv("TKAE_CACHE", str(folder.absolute() / "cache"))
        command = compose([*words, f"results_dir={folder / 'results'}"], sweep=False)
        run = Run.of(replace(command, executor=executor))
        run.compute(run.todo(force=False), {}, stop)
    assert not run.failures()
    return Results.of(folder / "results")


@pytest.mark.parametrize("experiment", ON)
def test_a_cell_is_the_same_in_company_and_alone_early_and_late_on_one_thread_and_two(
    experiment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = [f"experiment={experiment}", *ON[experiment], *NARROW.get(experiment, ()), "budget=smoke"]
    words += ["data.offline=true"] if "data.offline=true" not in words else []
    with threadpool_limits(2):
        together = computed(words, Serial())
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 1)
    with threadpool_limits(1):
        alone = computed(words, Alone(draw=1))
    assert together.cells and not differences(together, alone)


def test_blas_has_one_thread_in_a_cell_even_if_it_is_loaded_there(tmp_path: Path) -> None:
    """Sums depend on how many it has, though not those of 40 series: no experiment at smoke would tell."""
    words = ["experiment=imputation", *VOWELS, "model=pca", "seeds=1", f"results_dir={tmp_path}"]
    code = f"""if True:
        from threadpoolctl import threadpool_info
        from tkae.commands.run import main
        from tkae.models.pca import PCA
        whole = PCA.learn
        def learn(self, *given):
            import scipy.linalg  # has a BLAS of its own
            libraries = [one for one in threadpool_info() if one["user_api"] == "blas"]
            print("threads", *[one["num_threads"] for one in libraries])
            return whole(self, *given)
        PCA.learn = learn
        raise SystemExit(main({words!r}))
    """
    environment = {**os.environ, **threads(2)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("threads")]
    assert set(line.split()) == {"threads", "1"}


def test_no_experiment_is_left_out() -> None:
    assert set(ON) == set(GROUPS["experiment"])
