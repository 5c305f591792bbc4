"""Wrong words for tkae-run are answered in one line; the short version of `make fuzz`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.commands import answer, commands


@settings(
    max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(commands)
def test_whatever_is_typed_is_understood_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, words: list[str]
) -> None:
    assert not answer(words, tmp_path_factory.mktemp("results"))


# Each of these ended in a traceback, was taken for another value, or had no answer within 25 seconds.
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dataset.stretch=${x}"], "no ${...}"),
        (["model.pca.code_size=???"], "no ${...} and no ???"),
        (["-m", "dataset.stretch=${x},true"], "no ${...}"),
        (["seeds=${oc.env:NOPE}"], "no ${...}"),
        (["model={a:1}"], "unknown model"),
        (["model=[[1]]"], "unknown model '[1]'"),
        (["experiment.controls={a:3}"], "a mapping of mappings"),
        (["experiment.overrides=[3]"], "a list of mappings"),
        (["experiment.overrides=[{when:{dataset:[[1]]}}]"], "unknown dataset"),
        ([f"results_dir={'x' * 300}"], "File name too long"),
        ([f"data.mirror={'x' * 300}"], "File name too long"),
        (["seeds=99999999999999999999"], "from 1 to 1000000"),
        (["seeds=10000000"], "from 1 to 1000000"),
        (["seeds=1000000"], "a plan of"),
        (["-m", "seeds=range(0,1000000000)"], "1000000000 values"),
        (["-m", "seeds=range(0,50000)", "missingness.seed=range(0,50)"], "2500000 combinations"),
        (["model=tck", "model.tck.C=1000000000"], "from 2 to 1000"),
        (["model.pca.code_size=5.9"], "a whole number"),
        (["force=-1"], "true or false"),
        (["hours=1e300"], "from 0 to 100000"),
        (["executor=processes", "executor.jobs=1000000000"], "from 1 to 1024"),
        (["model@experiment=pca"], "has no package here"),
        ([f"experiment.grid={'[' * 3000}"], "tkae-run: "),
        (["model=\x1b[2J"], "tkae-run: "),
    ],
)
def test_words_that_went_wrong(
    tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from tkae.commands.run import main

    base = ["experiment=imputation", "dataset=japanese_vowels", "model=[mean,pca]"]
    assert main([*base, f"results_dir={tmp_path}", *words, "dry_run=true"]) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1 and told.isascii() and "\x1b" not in told
