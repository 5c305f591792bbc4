"""LaTeX tables: labels of their own, long texts wrapped, long tables parted, crowded heads upright."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.report.made_up import run_of, write_stored
from tkae.report.grid import Grid, TableCell
from tkae.report.latex import TALLEST, WIDE, floats


def grid(header: list[str], blocks: list[list[list[str]]]) -> Grid:
    drawn = [[[TableCell(text) for text in line] for line in block] for block in blocks]
    return Grid("A caption.", "tab:x", header, drawn, ["A note."])


def kinds(tex: str) -> list[str]:
    return re.findall(r"l|p\{[\d.]+em\}", re.search(r"begin\{tabular\}\{(.*)\}", tex)[1])


def test_every_label_is_there_once(tmp_path: Path) -> None:
    """Two experiments of one figure of the paper, each under two protocols, with claims."""
    words = ["experiment=missingness,alignment_weight", "protocol=paper,clean"]
    write_stored(run_of(words, tmp_path))
    files = [tmp_path / "report.tex", *(tmp_path / "tables").glob("*.tex")]
    labels = [one for path in files for one in re.findall(r"\\label\{(.*?)\}", path.read_text())]
    stems = [f"{e}{p}" for e in ("missingness", "alignment_weight") for p in ("", ".paper", ".clean")]
    expected = {f"fig:miss:{stem}" for stem in stems} | {"tab:summary", "tab:claims"}
    expected |= {"tab:evidence:missingness", "tab:evidence:alignment_weight"}
    assert expected <= set(labels) and len(labels) == len(set(labels))  # others of what is not run


def test_only_columns_with_long_texts_are_wrapped() -> None:
    tex = floats(grid(["a", "b", "c"], [[["x" * (WIDE + 1), "y" * WIDE, "z"], ["short", "y", "z"]]]))
    assert [kind[0] for kind in kinds(tex)] == ["p", "l", "l"]
    alone = float(kinds(tex)[0][2:-3])
    many = kinds(floats(grid(["a", "b", "c"], [[["x" * (WIDE + 1)] * 3]])))
    assert [kind[0] for kind in many] == ["p"] * 3
    assert alone < sum(float(kind[2:-3]) for kind in many) < 2 * alone  # the page is no wider for them


@pytest.mark.parametrize("sizes", [[1], [TALLEST], [TALLEST + 1], [20, 30, 10], [3 * TALLEST], [40, 60, 5]])
@pytest.mark.parametrize("length", [3, 2 * WIDE])
def test_a_long_table_is_parted_and_no_line_lost(sizes: list[int], length: int) -> None:
    names = iter(f"n{i}" for i in range(sum(sizes)))
    blocks = [[[next(names), "x" * length] for _ in range(size)] for size in sizes]
    tex = floats(grid(["name", "text"], blocks))
    pages = [re.findall(r"^(n\d+) &", page, re.M) for page in tex.split(r"\begin{table}")[1:]]
    assert [name for page in pages for name in page] == [line[0] for block in blocks for line in block]
    most = TALLEST if length <= WIDE else TALLEST // 2  # a wrapped text takes two lines or more
    assert all(0 < len(page) <= most for page in pages)
    for block in blocks:
        whole = {line[0] for line in block}
        if len(block) <= TALLEST and length <= WIDE:
            assert sum(bool(whole & set(page)) for page in pages) == 1
    assert tex.count(r"\label") == 1 == tex.count("A note.") and tex.count("(continued)") == len(pages) - 1


def test_heads_stand_upright_only_where_the_page_is_too_narrow() -> None:
    long = [f"a long head {i}" for i in range(12)]
    assert floats(grid(long, [[["1"] * 12]])).count(r"\rotatebox{90}") == 12
    assert r"\rotatebox" not in floats(grid(long[:3], [[["1"] * 3]]))
    filled = floats(grid(long, [[["a text as long", *["1"] * 11]]]))
    assert filled.count(r"\rotatebox{90}") == 11  # its column is no narrower for it
