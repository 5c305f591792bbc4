"""tkae-run: compose, check, plan, run, and write tables. Heavy imports come late: --help is instant."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tkae.commands.flags import Flags, parse
from tkae.errors import UserError, told
from tkae.signals import Stop, TimeIsUp, exit_code, stoppable
from tkae.terminal import are, count, meanwhile, print_columns, redraws, speak
from tkae.version import __version__

if TYPE_CHECKING:
    from tkae.runs.cell import Cell
    from tkae.runs.runner import Run
    from tkae.settings.command import Command

DONE, FAILED, BAD_CALL = 0, 1, 2

HELP = """\
usage: tkae-run [-m] experiment=NAME [key=value ...]

Runs an experiment of the paper (Bianchi et al. 2019, TKAE) and writes its
table with the paper's figures beside it. What is stored is not computed again:
the same command goes on where it stopped.

  tkae-run                                   list the experiments
  tkae-run experiment=imputation             run one
  tkae-run experiment=imputation model=[pca,locf] seeds=3
  tkae-run experiment=classification protocol=authors model.pca.code_size=5
  tkae-run -m experiment=imputation model=pca,locf missingness.rate=0.1,0.5,0.9

groups (choose a member with group=NAME):
  experiment, dataset, model  what is run; dataset=[a,b] for several
  missingness                 uniform, block, mar, file, none
  protocol                    paper (the text), authors (their program),
                              clean (today's practice)
  budget                      paper (5000 epochs, 10 seeds), quick (100, 3),
                              smoke (2, 2), search (200, 5)
  executor                    serial, processes (executor.jobs=2),
                              dask (executor.address=tcp://HOST:8786),
                              slurm (executor.partition=short)
keys:
  seeds=3 | seeds=[0,5]       how many runs, or which
  results_dir=DIR             where records and tables go (default: results)
  data.mirror=DIR             local copies of the source files: <host>/<path>
  dry_run=true                print the plan and stop
  collect=true                only write tables, from what is stored
  open=true                   show the page of all results in a browser
  force=true                  compute again what is stored
  keep_models=true            keep the fitted model of every cell
  hours=2.5                   stop then; the same command goes on
  device=cuda|mps|cpu         where recurrent models are trained
                              (default: cpu, the fused kernels)
flags:
  -m, --multirun         every key=a,b,c is run with each value; one table
  -cd, --config-dir DIR  your own models, datasets, ...: DIR/model/mine.yaml,
                         DIR/mine.py (docs/extending.md)
  -c, --cfg [job]        print every setting with its source, and stop
  -p, --package KEY      of --cfg only this: model, model.tkae, budget
  -i, --info [defaults | searchpath]
                         the members of every group; of what a command is
                         composed; where files are looked for
  -sc, --shell-completion install=bash|zsh|fish
                         print what completes this command by Tab:
                         eval "$(tkae-run -sc install=bash)"
  -h, --help             this text
  --version              the version
exit codes: 0 all cells done, or the hours are over, 1 some failed, 2 wrong
  call, 130 interrupted (Ctrl-C), 143 terminated (SIGTERM)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point; returns the exit code."""
    from tkae.settings.registry import forget_folders

    words = list(sys.argv[1:] if argv is None else argv)
    forget_folders()
    return speak("tkae-run", lambda: _answer(words))


def _answer(words: list[str]) -> int:
    try:
        with stoppable() as stop:
            return _main(words, stop)
    except UserError as error:
        print(f"tkae-run: {told(error)}", file=sys.stderr)
        return BAD_CALL
    except KeyboardInterrupt as stop:
        print(
            "\ntkae-run: interrupted; what was finished is stored, the same command goes on.", file=sys.stderr
        )
        return exit_code(stop)
    except (OSError, MemoryError) as error:  # a path that cannot be, or may not be used, or too much of it
        print(f"tkae-run: {told(error)}", file=sys.stderr)
        return BAD_CALL


def _main(words: list[str], stop: Stop) -> int:
    flags = parse(words)
    if "--help" in flags:
        print(HELP, end="")
        return DONE
    if "--version" in flags:
        print(f"tkae {__version__}")
        return DONE
    if "--shell-completion" in flags:
        from tkae.commands.completion import answer

        print(answer(flags.given["--shell-completion"]), end="")
        return DONE
    from tkae.settings.guests import guests_told

    with guests_told():
        return _with_folders(flags, words, stop)


def _with_folders(flags: Flags, words: list[str], stop: Stop) -> int:
    from tkae.settings.registry import named_folders, use_folders

    folders, rest = named_folders(flags.words)
    use_folders([*flags.folders, *folders])
    if "--info" in flags:
        return _print_info(flags, rest)
    if not rest and "--cfg" not in flags:
        return _list()
    from tkae.settings.compose import compose

    command = compose(rest, sweep="--multirun" in flags)
    if "--cfg" in flags:
        from tkae.commands.show_config import print_config

        print_config(command, flags.given.get("--package", ""))
        return DONE
    return _run(command, stop, words)


def _print_info(flags: Flags, words: list[str]) -> int:
    """What can be chosen, where it comes from, or what a command would be composed of."""
    from tkae.commands.show_config import print_defaults, print_folders, print_members

    what = flags.given["--info"]
    if what == "searchpath":
        print_folders()
    elif what == "defaults":
        from tkae.settings.compose import compose

        print_defaults(compose(words, sweep="--multirun" in flags))
    else:
        print_members()
    return DONE


def _list() -> int:
    from tkae.settings.registry import GROUPS, SUITES, lookup

    print("experiments (tkae-run experiment=NAME; tkae-run --help for the rest):")
    rows = [[f"  {name}", lookup("experiment", name).title] for name in GROUPS["experiment"]]
    print_columns([*rows, *([f"  {name}", " and ".join(parts)] for name, parts in SUITES.items())])
    return DONE


def _run(command: Command, stop: Stop, words: list[str]) -> int:
    from tkae.commands.browser import show_page
    from tkae.commands.closing import close
    from tkae.report.write import write_results
    from tkae.runs.estimate import estimates
    from tkae.runs.runner import Run

    options = command.options
    if options.force and options.hours is not None:
        raise UserError(
            "force=true hours=... would never end: each time all is computed again; leave one out"
        )
    run = Run.of(command)
    _warn(run, "not counted" if options.collect else "it is computed again")
    todo = [] if options.collect else run.todo(options.force)
    if todo:
        todo = run.ready(todo, fetching=not options.dry_run)
    stored = len(run.cells) - len(run.todo(force=False))
    planned = options.dry_run or len({call.experiment.name for call in command}) > 1
    wanted = todo and (planned or redraws(sys.stderr))  # where the time left is shown
    with meanwhile("how long will it take?"):
        costs = estimates(todo, command.files, command.executor.workers) if wanted else {}
    if planned and (costs or options.dry_run):
        _print_plan(run, todo, stored, costs)
    if options.dry_run:
        return DONE
    cells = count(len(run.cells), "cell")
    if todo:
        print(f"{cells}: {stored} stored, {len(todo)} to compute", file=sys.stderr)
        stop.after(options.hours)
        run.compute(todo, costs, stop, options.force)
        if stop.why is not None and stop.why is not TimeIsUp:
            raise stop.why
    else:
        what = "only the tables are written" if stored == len(run.cells) else "the rest is shown as missing"
        print(
            f"{stored} of {cells} {are(len(run.cells))} stored: nothing to compute, {what}", file=sys.stderr
        )
    sections, paths = write_results(run.store, run.entries(), page=options.open)
    run.store.remember()
    if options.open:
        show_page(run.store.results)
    _warn(run, "not counted")
    failures = run.failures()
    for line in failures:
        print(f"failed: {line}", file=sys.stderr)
    if stop.why is TimeIsUp and run.todo(force=False):
        _say_what_is_left(run, stored, options.hours)
    close(run, sections, paths, words)
    return FAILED if failures else DONE


def _say_what_is_left(run: Run, before: int, hours: float | None) -> None:
    """How a command that its time limit ended says so."""
    left = len(run.todo(force=False))
    done = count(len(run.cells) - left - before, "cell")
    print(
        f"the limit hours={hours:g} is reached: {done} computed, {left} left; what was training goes on "
        "from its checkpoint",
        file=sys.stderr,
    )


def _warn(run: Run, after: str) -> None:
    """Say once which stored files were passed over, why, and what comes after that."""
    for place, reason in run.store.distrusted.items():
        print(f"warning: {place} {reason}; {after}", file=sys.stderr)
    run.store.distrusted.clear()


def _print_plan(run: Run, todo: Sequence[Cell], stored: int, costs: Mapping[str, float]) -> None:
    """What is to be computed, the cheap experiments first, and how long it will take about."""
    from tkae.memory import available, in_words
    from tkae.models.listener import clock
    from tkae.runs.estimate import footprints

    room, have = footprints(todo, run.command.files), available()
    cores = run.command.executor.cores
    counts: dict[str, dict[str, int]] = {}
    seconds: dict[str, float] = {}
    for cell in run.cells:
        counts.setdefault(cell.pair, {}).setdefault(cell.row, 0)
        seconds.setdefault(cell.pair, 0.0)
    for cell in todo:
        counts[cell.pair][cell.row] += 1
        seconds[cell.pair] += costs[cell.key]
    for pair in sorted(counts, key=lambda pair: seconds[pair]):
        rows = counts[pair]
        what = f"{pair}, {len(rows)} settings" if len(rows) > 1 else next(iter(rows))
        needed = room.get(pair, 0)
        told = f", {in_words(needed)} of memory" if needed > have // 4 else ""
        told += f" where there are {in_words(have)}: it will be refused" if needed > have else ""
        print(f"  {what}: {sum(rows.values())} to compute, about {clock(seconds[pair] / cores)}{told}")
    print(
        f"{count(len(run.cells), 'cell')}: {stored} stored, {len(todo)} to compute; "
        f"about {clock(sum(seconds.values()) / cores)} with {count(cores, 'core')}",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
