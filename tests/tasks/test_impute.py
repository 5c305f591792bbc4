"""Completed tables: what was observed stays letter by letter and in its place, whatever the file is like."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas
import pytest

from tkae.errors import DataError
from tkae.tasks.apply import apply

# LOCF says what a gap becomes: the value before, or the mean of the variate. Rows come in any order.
WINDOWS = "Series;Time;hr;bp\r\nb;2;;1,50\r\na;0;3,0;\r\nb;1;7,25;n/a\r\na;1;-;2e1\r\n"


def completed(path: Path, content: str | bytes, output: str, *words: str) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    target = path.parent / output
    apply("impute", [f"path={path}", f"output={target}", "picture=null", "model=locf", *words])
    return gzip.decompress(target.read_bytes()).decode() if output.endswith(".gz") else target.read_text()


def test_gaps_are_filled_and_all_else_stays(tmp_path: Path) -> None:
    wanted = "Series;Time;hr;bp\nb;2;7,25;1,50\na;0;3,0;10,75\nb;1;7,25;10,75\na;1;3,0;2e1\n"
    assert completed(tmp_path / "own.csv", WINDOWS, "done.csv") == wanted
    assert completed(tmp_path / "own.csv", WINDOWS, "done.tsv") == wanted.replace(";", "\t")
    packed = gzip.compress(WINDOWS.replace(";", "\t").encode())
    assert completed(tmp_path / "own.tsv.gz", packed, "done.csv.gz") == wanted.replace(";", "\t")


def test_an_index_and_dates_stay(tmp_path: Path) -> None:
    text = ",series,time,v,label\n0,a,2020-01-01T12:00,1.50,x\n1,a,2020-01-01T13:00,,x\n2,b,2020-01-01,3,y\n"
    assert completed(tmp_path / "own.csv", text, "done.csv") == text.replace("13:00,,", "13:00,1.5,")


def test_elapsed_time_is_no_column_of_the_result(tmp_path: Path) -> None:
    text = "series,time,v\na,0,1.0\na,5,\nb,0,2\n"
    assert completed(tmp_path / "own.csv", text, "done.csv", "elapsed=true") == text.replace("5,", "5,1.0")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_typed_tables_keep_their_values(ending: str, tmp_path: Path) -> None:
    read = {"parquet": pandas.read_parquet, "feather": pandas.read_feather}[ending]
    frame = pandas.DataFrame(
        {
            "series": [2, 2, 1],
            "time": [0, 1, 0],
            "v": [1 / 3, None, 0.1],
            "whole": [1, 2, 3],
            "label": list("xxy"),
        }
    )
    getattr(frame, f"to_{ending}")(tmp_path / f"own.{ending}")
    words = [f"path={tmp_path}/own.{ending}", "picture=null", "model=locf"]
    apply("impute", [*words, f"output={tmp_path}/done.{ending}"])
    pandas.testing.assert_frame_equal(read(tmp_path / f"done.{ending}"), frame.fillna({"v": 0.3333333}))
    apply("impute", [*words, f"output={tmp_path}/done.csv"])
    again = pandas.read_csv(tmp_path / "done.csv")
    pandas.testing.assert_frame_equal(again, frame.fillna({"v": 0.3333333}))


def test_texts_become_numbers_in_a_typed_table(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(WINDOWS)
    words = [f"path={tmp_path}/own.csv", f"output={tmp_path}/done.parquet", "picture=null", "model=locf"]
    apply("impute", words)
    made = pandas.read_parquet(tmp_path / "done.parquet")
    assert made.to_dict("list") == {
        "Series": ["b", "a", "b", "a"], "Time": [2, 0, 1, 1], "hr": [7.25, 3.0, 7.25, 3.0],
        "bp": [1.5, 10.75, 10.75, 20.0],
    }  # fmt: skip


def test_arrays_become_a_table(tmp_path: Path) -> None:
    values = np.arange(12.0).reshape(2, 3, 2)
    values[0, 1, 0] = np.nan
    np.savez(tmp_path / "own.npz", values=values, lengths=[3, 2], names=["p", "q"], labels=["x", "y"])
    apply("impute", [f"path={tmp_path}/own.npz", f"output={tmp_path}/done.csv", "picture=null", "model=locf"])
    made = pandas.read_csv(tmp_path / "done.csv")
    assert list(made.columns) == ["series", "time", "0", "1", "label"]
    assert made["series"].tolist() == ["p", "p", "p", "q", "q"] and made["0"].tolist() == [0, 0, 4, 6, 8]


@pytest.mark.parametrize(
    ("taken", "role", "labels"),
    [
        ("series", "series", True),
        ("time", "time", True),
        ("label", "label", True),
        ("split", "split", True),
        ("label", "label", False),
        ("Label", "label", False),  # which would be taken for the labels
    ],
)
def test_a_variate_with_the_name_of_another_column(
    tmp_path: Path, taken: str, role: str, labels: bool
) -> None:
    more = {"labels": ["x", "y"], "split": ["train", "train"]} if labels else {}
    np.savez(tmp_path / "own.npz", values=np.ones((2, 3, 2)), variates=["v", taken], **more)
    words = [f"path={tmp_path}/own.npz", f"output={tmp_path}/done.csv", "picture=null", "model=locf"]
    with pytest.raises(
        DataError, match=rf"called '{taken}', as is the column of the {role}.* {role}_column="
    ):
        apply("impute", words)
    apply("impute", [*words, f"{role}_column=other"])
    made = pandas.read_csv(tmp_path / "done.csv")
    assert made[taken].tolist() == [1.0] * 6 and ("other" in made) == (labels or role in ("series", "time"))


def test_the_second_table_lists_what_was_filled_in(tmp_path: Path) -> None:
    completed(tmp_path / "own.csv", WINDOWS, "done.csv", f"imputed={tmp_path}/filled.csv")
    wanted = "Series;Time;variate;value\nb;1;bp;10,75\nb;2;hr;7,25\na;0;bp;10,75\na;1;hr;3,0\n"
    assert (tmp_path / "filled.csv").read_text() == wanted


def test_only_series_of_the_training_split_are_learned_from(tmp_path: Path) -> None:
    text = "series,time,v,split\na,0,1,train\na,1,,train\nb,0,100,test\nb,1,,test\n"
    (tmp_path / "own.csv").write_text(text)
    apply("impute", [f"path={tmp_path}/own.csv", f"output={tmp_path}/x.csv", "picture=null", "model=mean"])
    assert (tmp_path / "x.csv").read_text() == text.replace(",,", ",1.0,")
