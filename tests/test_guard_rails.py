"""What would give a plausible number that means nothing is refused or told, by command and library alike."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from tkae.commands.run import main
from tkae.data.collection import Collection
from tkae.data.doubts import doubts
from tkae.errors import DataError
from tkae.models.ae import AE
from tkae.models.mean import MeanFill
from tkae.models.pca import PCA


def table(path: Path, classes: str = "ab", pressure: str = "{}", series: int = 20) -> str:
    """A file of short series, labelled in turn; the word of the command that names it."""
    rng = np.random.default_rng(0)
    lines = ["series,time,temperature,pressure,label"]
    for i in range(series):
        for t in range(4):
            first, second = (f"{number:.3f}" for number in rng.normal(size=2))
            lines.append(f"s{i},{t},{first},{pressure.format(second)},{classes[i % len(classes)]}")
    path.write_text("\n".join(lines))
    return f"dataset.path={path}"


def refused(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command says that runs nothing."""
    assert main([*words, f"results_dir={folder / 'results'}", "seeds=1"]) == 2
    assert not (folder / "results").exists()
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "classes", "sentence"),
    [
        ("experiment=classification model=pca", "a", "all training series are of the class 'a'"),
        ("experiment=one_class model=pca", "ab", "nobody said so: dataset.positive=b, or a"),
        ("experiment=one_class model=pca dataset.positive=a", "a", "every training series is of the class"),
        ("experiment=imputation model=mean missingness.rate=0", "ab", "no value was removed"),
        ("experiment=imputation model=mean missingness=none", "ab", "no value was removed"),
    ],
)
def test_a_command_that_would_measure_nothing_is_refused(
    words: str, classes: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = table(tmp_path / "own.csv", classes)
    assert sentence in refused([*words.split(), "dataset=file", own], tmp_path, capsys)


def test_a_number_too_large_to_be_scaled_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = table(tmp_path / "own.csv", pressure="1e308")
    told = refused(["experiment=imputation", "model=mean", "dataset=file", own], tmp_path, capsys)
    assert "has 1e+308 in the variate 'pressure', which is too large to be standardised" in told
    series = [np.ones((3, 2)), np.array([[1.0, 2.0], [1e308, -1e308]])]
    for model in (PCA(), AE(epochs=1)):
        with pytest.raises(DataError, match=r"series '1' has 1e\+308 in the variate '0'"):
            model.fit(series)
    with pytest.raises(DataError, match=r"series '1' has a value of 1e\+20, .* too large for a network"):
        AE(epochs=1, scale=False).fit([np.ones((3, 1)), np.full((2, 1), 1e20)])


def test_odd_variates_and_series_left_out_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    own = table(tmp_path / "own.csv", pressure="7.0", series=120)
    words = ["experiment=imputation", "model=mean", "dataset=file", own, "budget=smoke", "seeds=1"]
    assert main([*words, f"results_dir={tmp_path / 'results'}"]) == 0
    told = "\n".join(caplog.messages)
    assert "variate 'pressure' is the same wherever it is observed: it tells nothing" in told
    assert "budget=smoke takes at most 40 series of each split" in told


def test_the_library_warns_of_series_that_nobody_would_want() -> None:
    values = np.random.default_rng(0).normal(size=(6, 5, 3))
    values[:, :, 1], values[:, :, 2], values[4] = 3.0, np.nan, np.nan
    with pytest.warns(UserWarning) as told:
        MeanFill().fit(values)
    assert [str(one.message).partition(":")[0] for one in told] == [
        "variate '2' is never observed",
        "variate '1' is the same wherever it is observed",
        "series '4' is without any observed value",
    ]
    assert all(one.filename == __file__ for one in told), "a warning points to the line that called fit"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MeanFill().fit(np.random.default_rng(0).normal(size=(6, 5, 3)))


def test_several_doubts_of_one_kind_are_one_sentence() -> None:
    (told,) = doubts(Collection(np.ones((3, 4, 2))))
    assert told.startswith("variate '0' and 1 more are each the same")
    assert doubts(Collection(np.ones((1, 1, 2)))) == []  # a single number is no constant
