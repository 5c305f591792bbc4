"""The words of a command as Hydra's users write them: each works, or what does the same is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tkae.data.files import Files
from tkae.errors import UserError
from tkae.settings.compose import compose
from tkae.settings.registry import GROUPS, lookup
from tkae.settings.words import INSTEAD, jobs


def values(*words: str, sweep: bool = True) -> list[list[Any]]:
    return [[word.value for word in job] for job in jobs(words, sweep)]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("missingness.rate=0.1,0.5", [0.1, 0.5]),
        ("missingness.rate=choice(0.1,0.5)", [0.1, 0.5]),
        ("missingness.rate=sort(0.5,0.1)", [0.1, 0.5]),
        ("seeds=range(5,8)", [5, 6, 7]),
        ("model.pca.code_size=range(2,9,3)", [2, 5, 8]),
        ("model=choice(pca,[mean,locf])", ["pca", ["mean", "locf"]]),
        ("model=glob(tck*)", ["tck", "tck_kpca"]),
        ("model=glob([tck*,ta*],exclude=*_*)", ["tck", "tae"]),
        ("+protocol=glob(*)", ["paper", "authors", "clean"]),
        ("experiment=search", ["search_classification", "search_imputation"]),
        ("experiment=glob(*_weight)", ["alignment_weight", "l2_weight"]),
    ],
)
def test_sweeps_of_hydras_grammar(word: str, found: list[Any]) -> None:
    assert values(word) == [[value] for value in found]


def test_a_shuffled_sweep_has_the_same_values() -> None:
    assert sorted(value for (value,) in values("missingness.rate=shuffle(range(1,6))")) == [1, 2, 3, 4, 5]


def test_sweeps_multiply() -> None:
    assert values("model=pca,mean", "seeds=2", "missingness.rate=0.1,0.2") == [
        [model, 2, rate] for model in ("pca", "mean") for rate in (0.1, 0.2)
    ]


@pytest.mark.parametrize("experiment", ["imputation", "classification", "one_class"])
def test_a_glob_has_only_models_that_fit_the_experiment(experiment: str) -> None:
    needs = lookup("experiment", experiment).needs
    able = [name for name in GROUPS["model"] if any(map(lookup("model", name).can, needs))]
    assert 3 < len(able) < len(GROUPS["model"])
    words = ["model=glob(*)", f"experiment={experiment}", "dataset=japanese_vowels"]
    assert [model for model, *_ in values(*words)] == able
    command = compose(words, sweep=True)
    assert list(dict.fromkeys(name for call in command for name in call.models)) == able


def test_a_glob_has_only_datasets_with_labels_where_they_are_needed() -> None:
    without = {"sinusoids", *(name for name in GROUPS["dataset"] if name.startswith("ode"))}
    assert {name for name in GROUPS["dataset"] if not lookup("dataset", name).labelled} == without
    for experiment, left_out in (("classification", {*without, "file"}), ("imputation", {"file"})):
        found = values("dataset=glob(*)", f"experiment={experiment}")
        assert {dataset for dataset, _ in found} == {*GROUPS["dataset"]} - left_out
    for name in ("sinusoids", "ode", "japanese_vowels"):
        cls = lookup("dataset", name)
        assert (cls().load(Files.standard(), 0).train.labels is not None) == cls.labelled


def test_a_glob_leaves_out_what_needs_a_file_unless_it_is_given() -> None:
    without = [name for name in GROUPS["dataset"] if name != "file"]
    assert [dataset for (dataset,) in values("dataset=glob(*)")] == without
    assert [dataset for dataset, _ in values("dataset=glob(*)", "dataset.path=a.csv")] == [*without, "file"]
    assert ["file"] not in values("missingness=glob(*)") and len(values("missingness=glob(*)")) > 3


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("/data/my file.csv", "/data/my file.csv"),
        ("'/data/a=b (1), ~.csv'", "/data/a=b (1), ~.csv"),
        ("~/own.csv", "{home}/own.csv"),
        ("'it\\'s.csv'", "it's.csv"),
    ],
)
def test_paths(written: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert values(f"dataset.path={written}", sweep=False) == [[meant.format(home=tmp_path)]]


@pytest.mark.parametrize("path", ["a=b.csv", "a(1).csv", "it's.csv", "né.csv", "a, b~.csv", "/tmp/~x", "a#1"])
def test_the_quoting_hint_is_right(path: str) -> None:
    """What the sentence proposes, read by a shell, is the word that was meant."""
    import shlex

    with pytest.raises(UserError, match="two pairs of quotes") as caught:
        jobs([f"dataset.path={path}"], sweep=False)
    (proposed,) = shlex.split(str(caught.value).partition(" takes two pairs of quotes: ")[2])
    assert values(proposed, sweep=False) == [[path]]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dataset.path=/data/my", "file.csv"], "quote both: 'dataset.path=/data/my file.csv'"),
        (["dataset.path=a,b.csv"], "add -m to run each"),
        (["missingness.rate=interval(0,1)"], "nothing here searches in one"),
        (["missingness.rate=glob(*)"], "glob chooses among the members of a group"),
        (["model=glob(x*)"], "matches none of mean, locf"),
        (["experiment=classification", "model=glob([mean,locf])"], "none of mean, locf fits"),
        (["model=${other}"], "a command takes values"),
        (["results_dir=a,b"], "cannot be swept"),
        (["~model"], "cannot be deleted"),
        (["experiment@other=imputation"], "a group has no package here; write experiment=imputation"),
        (["hydra.searchpth=[a]"], "it is no setting of tkae"),
    ],
)
def test_what_cannot_be(words: list[str], told: str) -> None:
    sweep = "add -m" not in told
    with pytest.raises(UserError) as caught:
        jobs(words, sweep)
    assert told in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("key", INSTEAD)
def test_hydras_own_settings_are_refused_with_what_does_the_same(key: str) -> None:
    for written in (f"{key}=x", f"{key}.deeper=x", f"+{key.replace('.', '/', 1)}=x"):
        with pytest.raises(UserError, match=r"means nothing here: .*docs/hydra\.md says more") as caught:
            jobs([written], sweep=False)
        assert INSTEAD[key] in str(caught.value)
