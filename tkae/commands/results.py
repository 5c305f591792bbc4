"""tkae-results: what is stored, as tables, figures and a report; and packed into few files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tkae.errors import UserError, told, unknown
from tkae.terminal import count, speak

if TYPE_CHECKING:
    from tkae.runs.store import Store

HELP = """\
usage: tkae-results report FOLDER
       tkae-results show FOLDER
       tkae-results reproduction FOLDER PAGE
       tkae-results pack FOLDER [FOLDER ...] INTO
       tkae-results unpack FOLDER INTO

report   writes all tables, figures and the report of a results folder from its
         records alone: no data are needed, nothing is computed;
         FOLDER/report/ is a page that can be hosted or sent as it is
show     opens that page in a browser, and writes it before if it is not there
reproduction
         writes what came of it, in words, to PAGE (a Markdown file), from the
         records of FOLDER
pack     puts the records of results folders, packed or not, into few files of
         INTO (one for each experiment and protocol, a record a line); what
         INTO has already stays, so this also merges
unpack   puts the records of FOLDER into INTO one by one:
         `tkae-run results_dir=INTO` goes on with them

exit codes: 0 done, 1 some records were damaged or differ, 2 wrong call
"""
DONE, DOUBTFUL, BAD_CALL = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    return speak("tkae-results", lambda: _main(words))


def _main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(HELP, end="")
        return DONE
    try:
        if words[0] not in COMMANDS:
            raise unknown("command", words[0], COMMANDS)
        folders = [Path(word) for word in words[1:]]
        return COMMANDS[words[0]](folders)
    except (UserError, OSError, MemoryError) as error:
        print(f"tkae-results: {told(error)}", file=sys.stderr)
        return BAD_CALL


def _report(folders: Sequence[Path]) -> int:
    from tkae.commands.closing import where
    from tkae.report.write import write_report

    if len(folders) != 1:
        raise UserError("report takes one folder: tkae-results report FOLDER")
    store = _filled(folders[0])
    print(f"files: {where(write_report(store))}")
    store.remember()
    return _told(store.distrusted, [])


def _show(folders: Sequence[Path]) -> int:
    from tkae.commands.browser import show_page
    from tkae.report.page.write import page_of

    if len(folders) != 1:
        raise UserError("show takes one folder: tkae-results show FOLDER")
    code = DONE if page_of(folders[0]).is_file() else _report(folders)
    show_page(folders[0])
    return code


def _reproduction(paths: Sequence[Path]) -> int:
    from tkae.report.write import write_reproduction

    if len(paths) != 2:
        raise UserError("reproduction takes a folder and a page: tkae-results reproduction FOLDER PAGE")
    store = _filled(paths[0])
    write_reproduction(store, paths[1])
    store.remember()
    return _told(store.distrusted, [])


def _filled(folder: Path) -> Store:
    """A store with records in it."""
    from tkae.runs.store import Store

    store = Store(folder)
    store.recall()
    if next(store.entries(), None) is None:
        raise UserError(f"{folder} holds no records: is it a results folder? Run an experiment first")
    return store


def _pack(folders: Sequence[Path]) -> int:
    from tkae.runs.packing import pack

    if len(folders) < 2:
        raise UserError("pack takes at least two folders: tkae-results pack FOLDER [FOLDER ...] INTO")
    tally = pack(folders[:-1], folders[-1])
    print(f"{count(tally.records, 'record')} packed in {folders[-1] / 'records'}")
    return _told(tally.distrusted, tally.differing)


def _unpack(folders: Sequence[Path]) -> int:
    from tkae.runs.packing import unpack
    from tkae.runs.store import refuse_reference

    if len(folders) != 2:
        raise UserError("unpack takes two folders: tkae-results unpack FOLDER INTO")
    refuse_reference(folders[1])
    tally = unpack(folders[0], folders[1])
    print(f"{count(tally.records, 'record')} put into {folders[1] / 'records'}")
    return _told(tally.distrusted, [])


def _told(distrusted: dict[str, str], differing: Sequence[str]) -> int:
    for place, reason in distrusted.items():
        print(f"warning: {place} {reason}; not counted", file=sys.stderr)
    for label in differing:
        print(f"warning: {label} is stored twice with other figures; the first stands", file=sys.stderr)
    return DOUBTFUL if distrusted or differing else DONE


COMMANDS: dict[str, Callable[[Sequence[Path]], int]] = {
    "report": _report,
    "show": _show,
    "reproduction": _reproduction,
    "pack": _pack,
    "unpack": _unpack,
}


if __name__ == "__main__":
    raise SystemExit(main())
