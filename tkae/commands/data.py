"""tkae-data: which datasets there are, fetching and checking them, and a look at one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tkae.errors import UserError, told
from tkae.settings.registry import GROUPS
from tkae.signals import exit_code, stoppable
from tkae.terminal import print_columns, speak

if TYPE_CHECKING:  # numpy comes late, so that --help is quick
    from tkae.data.dataset import Dataset
    from tkae.data.files import Files, Remote

NAMES = tuple(GROUPS["dataset"])
PICTURES = (".png", ".pdf", ".svg")
CODES = (
    "exit codes: 0 done, 1 a file is wrong or could not be had, 2 wrong call, 130 interrupted (Ctrl-C), "
    "143 terminated (SIGTERM)"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code; `CODES` says what it means."""
    return speak("tkae-data", lambda: _main(arguments))


def _main(arguments: Sequence[str] | None) -> int:
    given = _parser().parse_args(arguments)
    try:
        from tkae.data.files import Files

        with stoppable():
            return int(given.run(given, Files.standard(given.mirror, given.offline)))
    except (UserError, OSError, MemoryError) as error:
        print(f"tkae-data: {told(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        print("tkae-data: stopped; a fetch goes on where it was when it is called again", file=sys.stderr)
        return exit_code(stop)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tkae-data", description="The datasets of the paper, and your own.", epilog=CODES
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--mirror", help="a folder laid out as <host>/<path> (default: TKAE_MIRROR)")
    common.add_argument("--offline", action="store_true", help="never ask the network")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="list | fetch | verify | show")
    verb = verbs.add_parser("list", parents=[common], help="every dataset: have it or not, size, licence")
    verb.set_defaults(run=_list)
    verb = verbs.add_parser("fetch", parents=[common], help="get the files of datasets into the cache")
    verb.add_argument("names", nargs="+", metavar="NAME", help="a dataset, or all")
    verb.set_defaults(run=_fetch)
    verb = verbs.add_parser("verify", parents=[common], help="check the files that are here")
    verb.add_argument("names", nargs="*", default=["all"], metavar="NAME", help="a dataset (default: all)")
    verb.set_defaults(run=_verify)
    verb = verbs.add_parser(
        "show", parents=[common], help="a dataset beside the paper's row, and a plot of it"
    )
    verb.add_argument("name", metavar="NAME")
    verb.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="settings, say path=FILE for your own")
    verb.add_argument("--png", type=Path, help="where the plot goes (default: NAME.png)")
    verb.add_argument("--seed", type=int, default=0, help="the draw of a generated dataset")
    verb.set_defaults(run=_show)
    return parser


def _list(given: argparse.Namespace, files: Files) -> int:
    rows = []
    for cls in _classes(["all"]):
        remotes = _remotes(cls)
        here = [files.has(remote) for remote in cls.remotes]
        if not cls.remotes:
            have = "embedded" if cls.paper_row else "-" if cls.name == "file" else "generated"
        elif all(here):
            have = "yes"
        else:
            have = f"{sum(map(bool, here))} of {len(here)} files" if any(here) else "no"
        size = sum(remote.size for remote in remotes) / 1e6
        rows.append([cls.name, cls.title, have, f"{size:.1f} MB" if size else "", cls.licence])
    print_columns([["name", "in the paper", "have it", "size", "licence"], *rows])
    print(f"cache: {files.folder}    mirror: {files.mirror or 'none'}")
    return 0


def _fetch(given: argparse.Namespace, files: Files) -> int:
    failed = 0
    for cls in _classes(given.names):
        for remote in _remotes(cls):
            try:
                print(f"{cls.name}: {files.get(remote)}")
            except UserError as error:
                failed += 1
                print(f"tkae-data: {told(error)}", file=sys.stderr)
    return 1 if failed else 0


def _verify(given: argparse.Namespace, files: Files) -> int:
    wrong = 0
    for cls in _classes(given.names):
        for remote in _remotes(cls):
            path = files.has(remote)
            fault = "" if path is None else remote.fault(path)
            if path is not None and not fault and not remote.sha256:
                fault = _value_fault(cls, files)
            wrong += bool(fault)
            state = "not here" if path is None else "WRONG" if fault else "right"
            print(f"{state:9}{cls.name}: {f'{path} {fault}' if path else remote.url}".rstrip())
    return 1 if wrong else 0


def _value_fault(cls: type[Dataset], files: Files) -> str:
    """For a file whose bytes may differ from host to host: whether its values are right."""
    from tkae.data.sets.source import SourceDataset

    return cls().value_fault(files) if issubclass(cls, SourceDataset) else ""


def _show(given: argparse.Namespace, files: Files) -> int:
    from tkae.data.summary import COLUMNS, measured, plot, printed
    from tkae.settings.plain import plain
    from tkae.settings.registry import lookup
    from tkae.settings.schema import build

    png = given.png or Path(f"{given.name}.png")
    if png.suffix.lower() not in PICTURES:
        raise UserError(f"--png {png}: cannot write '{png.suffix}' files; known: {', '.join(PICTURES)}")
    cls = lookup("dataset", given.name)
    settings = {}
    for text in given.settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"'{text}' is not KEY=VALUE")
        settings[key] = plain(cls, key, value)
    splits = build(cls, settings, "").load(files, given.seed)
    ours = measured(splits)
    missing = f"{ours['missing']:.1%}"
    rows = [["ours", *(str(ours[column]) for column in COLUMNS), missing]]
    if cls.paper_row is not None:
        rows.insert(0, ["the paper", *(str(number) for number in printed(cls.paper_row).values()), ""])
    print_columns([[cls.title, *COLUMNS, "missing"], *rows])
    if cls.paper_row is not None and cls.paper_row.note:
        print(f"note: {cls.paper_row.note}")
    if cls.citation:
        print(f"source: {cls.citation}; licence: {cls.licence}")
    try:
        plot(splits, cls.title, png)
    except OSError as error:
        raise UserError(f"cannot write the plot to {png} ({error.strerror})") from None
    print(f"plot: {png}")
    return 0


def _classes(names: Iterable[str]) -> list[type[Dataset]]:
    from tkae.settings.registry import lookup

    wanted = [member for name in names for member in (NAMES if name == "all" else [name])]
    return [lookup("dataset", name) for name in dict.fromkeys(wanted)]


def _remotes(cls: type[Dataset]) -> list[Remote]:
    """Every public file of a dataset, also those with the authors' holes."""
    return list(dict.fromkeys([*cls.remotes, *cls.published.values()]))


if __name__ == "__main__":
    sys.exit(main())
