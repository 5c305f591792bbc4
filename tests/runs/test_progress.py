"""How far a command is: from what cells cost, which have ended, and what the others tell."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tkae.owners import OLD
from tkae.runs.news import Board, Teller, board, clear_boards
from tkae.runs.plan import groups, plan
from tkae.runs.progress import FIRST, LEAST, Group, Progress
from tkae.runs.worker import Outcome
from tkae.settings.compose import compose


@pytest.fixture
def told(tmp_path: Path) -> Board:
    return Board(tmp_path)


def at_work(told: Board, costs: tuple[float, ...] = (10.0, 30.0), speed: float | None = None) -> Progress:
    """A group of two cells for each of the costs, which are of both together."""
    made = [
        Group(f"g{i}", f"group {i}", {f"{i}a": cost / 2, f"{i}b": cost / 2}) for i, cost in enumerate(costs)
    ]
    return Progress(made, told, speed)


def test_what_has_ended_and_what_is_told_make_up_what_is_done(told: Board) -> None:
    progress = at_work(told)
    told.post("g1", "epoch 1/4, loss 0.5000", 0.25)
    progress.ended.put(Outcome("0a", "cell 0a", 1.0))
    progress.look()
    assert (progress.done, progress.cells, progress.total) == (1, 4, 40)
    assert progress.paid == 5 + 0.25 * 30
    assert [(group.label, group.text) for group in progress.at_work] == [
        ("group 1", "epoch 1/4, loss 0.5000")
    ]
    for key in ("0b", "1a", "1b"):
        progress.ended.put(Outcome(key, key, 1.0))
    progress.look()
    assert progress.paid == progress.total and not progress.at_work and progress.left == pytest.approx(0)


def test_groups_that_wait_cost_no_look(told: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    progress, asked = at_work(told, (1.0,) * 50), list[str]()
    news = Board.news
    monkeypatch.setattr(Board, "news", lambda board, group: (asked.append(group), news(board, group))[1])
    told.post("g7", "fitting", 0.5)
    progress.look()
    assert asked == ["g7"] and [group.key for group in progress.at_work] == ["g7"]


def test_the_time_left_is_the_estimate_first_and_the_pace_later(told: Board) -> None:
    progress = at_work(told, speed=2.0)
    progress.began = time.monotonic()
    assert progress.left == pytest.approx(40 / 2, rel=0.05)  # before anything has ended
    progress.began = time.monotonic() - 1000 * FIRST
    progress.ended.put(Outcome("0a", "", 1.0))
    progress.look()
    # It went at a pace of 5 in 1000 FIRST, which by now outweighs the estimate.
    assert progress.left == pytest.approx(35 * 1000 * FIRST / 5, rel=0.9)
    assert progress.left > 100 * FIRST


def test_without_estimates_the_time_left_is_told_as_soon_as_anything_is_done(told: Board) -> None:
    progress = at_work(told)
    assert progress.left is None
    progress.began = time.monotonic() - 10
    told.post("g0", "fitting", 0.5)
    progress.look()
    assert progress.left == pytest.approx(10 * (40 / 5 - 1), rel=0.05)


def test_a_reason_is_told_once_and_so_is_a_note(told: Board) -> None:
    progress = at_work(told)
    told.post("g1", "fitting", 0.0)
    told.note("g1", "goes on from epoch 3")
    for key in ("0a", "0b"):
        progress.ended.put(Outcome(key, f"cell {key}", 1.0, error="no luck"))
    progress.look()
    assert sorted(progress.new()) == ["failed: cell 0a: no luck", "group 1: goes on from epoch 3"]
    told.note("g1", "and again")
    progress.look()
    assert list(progress.new()) == ["group 1: and again"] and not list(progress.new())


def test_the_news_of_a_process_that_died_do_not_stay(told: Board) -> None:
    code = f"from tkae.runs.news import Board; from pathlib import Path; Board(Path({str(told.folder)!r}))"
    subprocess.run(
        [sys.executable, "-c", f"{code}.post('g0', 'fitting', 0.5)"], check=True, env={**os.environ}
    )
    assert (told.folder / "g0.json").exists() and told.news("g0") is None
    told.post("g0", "fitting", 0.5)  # another process took the group over
    news = told.news("g0")
    assert news is not None and (news.text, news.share) == ("fitting", 0.5)


def test_a_board_that_is_not_there_or_damaged_costs_nothing(told: Board) -> None:
    elsewhere = Board(told.folder / "no" / "such")
    elsewhere.post("g0", "fitting", 0.5)
    elsewhere.note("g0", "anything")
    assert elsewhere.news("g0") is None and elsewhere.notes("g0") == []
    for damaged in ("", "{", "[]", '{"text": "x"}'):
        (told.folder / "g0.json").write_text(damaged)
        assert told.news("g0") is None


def test_a_board_goes_with_its_command(tmp_path: Path) -> None:
    with board(tmp_path, "mine") as mine:
        mine.post("g0", "fitting", 0.5)
        clear_boards(tmp_path)  # as another command does
        assert mine.news("g0") is not None
    assert not list(tmp_path.iterdir())


def test_boards_of_killed_commands_are_taken_away(tmp_path: Path) -> None:
    code = (
        "import os, signal; from pathlib import Path; from tkae.runs.news import board\n"
        f"with board(Path({str(tmp_path)!r}), 'killed') as it:\n"
        "    it.post('g0', 'fitting', 0.5)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    other = tmp_path / "progress" / "other.elsewhere-1"
    other.mkdir()
    assert len(list((tmp_path / "progress").iterdir())) == 2
    clear_boards(tmp_path)
    assert [path.name for path in (tmp_path / "progress").iterdir()] == [other.name]
    os.utime(other, (time.time() - 2 * OLD,) * 2)
    clear_boards(tmp_path)
    assert not list(tmp_path.iterdir())


def test_parts_of_a_group_add_up(told: Board) -> None:
    for before, fits, share, whole in ((0, 4, 0.5, 0.2), (4, 6, 0.0, 0.4), (4, 6, 1.0, 1.0)):
        Teller(told, "g0", before, fits, 10).reached("fitting", share)
        news = told.news("g0")
        assert news is not None and news.share == pytest.approx(whole)


def test_labels_leave_out_what_all_groups_share() -> None:
    words = ["dataset=japanese_vowels", "seeds=[0,3]", "budget=smoke"]
    cells = plan(compose(["experiment=imputation", "model=[mean,tae]", *words], sweep=False))
    parts = groups(cells)
    labels = {group.label for group in Progress.of(parts, {}, Board(Path("none")), 2).groups}
    means = {"japanese_vowels mean seed 0", "japanese_vowels mean seed 3"}  # which are not fitted together
    assert labels == {"japanese_vowels tae, 2 seeds", *means}
    one = Progress.of([[cells[1]]], {cells[1].key: 0.0}, Board(Path("none")), 2)
    assert one.groups[0].label in means and (one.total, one.speed) == (LEAST, 2)
    both = plan(compose(["experiment=imputation,classification", "model=[tae,pca]", *words], sweep=True))
    labels = {group.label for group in Progress.of(groups(both), {}, Board(Path("none")), 2).groups}
    assert {"imputation.paper japanese_vowels pca seed 3", "japanese_vowels tae, 4 cells"} <= labels


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 5000,
        b"\xff\xfe",
        b'{"text": 1, "share": 0.5, "owner": "a-1"}',
        b'{"text": "a", "share": "half", "owner": "a-1"}',
        b'{"text": "a", "share": NaN, "owner": "a-1"}',
        b'{"text": "a", "share": 0.5}',
        b"[1]",
    ],
)
def test_what_is_no_news_is_passed_over(told: Board, content: bytes) -> None:
    (told.folder / "a.json").write_bytes(content)
    assert told.news("a") is None


def test_news_command_no_terminal_and_a_pipe_is_not_waited_for(told: Board) -> None:
    told.post("a", "epoch\x1b[2J 1", 0.5)
    told.note("a", "half\x1b]0;title\x07")
    news = told.news("a")
    assert news is not None and news.text.isprintable()
    assert [note.isprintable() for note in told.notes("a")] == [True]
    os.mkfifo(told.folder / "b.json")
    os.mkfifo(told.folder / "b.txt")
    assert told.news("b") is None and told.notes("b") == []
