"""From the words of a command to its files: read, fit or load, do the task, write."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tkae.data.collection import Collection
from tkae.data.dataset import Extent
from tkae.errors import UserError
from tkae.memory import refuse_beyond
from tkae.models.base import Model
from tkae.models.listener import clock
from tkae.report.style import PLAIN_TEXT, settings
from tkae.runs.estimate import sample
from tkae.tasks import embed, impute, screen
from tkae.tasks.base import Made, Task
from tkae.tasks.check import hidden
from tkae.tasks.model import fitting, loaded, made
from tkae.tasks.options import Options, parsed
from tkae.tasks.source import Source
from tkae.tasks.writing import check_ending, check_picture, check_place, write_figure, write_frame

TASKS: Mapping[str, Task] = {"impute": impute.TASK, "embed": embed.TASK, "screen": screen.TASK}


def apply(name: str, words: Sequence[str]) -> list[str]:
    """Do a task as the words say; returns what there is to say of it."""
    options, given = parsed(words)
    task = TASKS[name]
    _check_outputs(name, options)
    source = Source.read(options)
    if options.load:
        model = loaded(options, task, given)
        source = replace(source, series=fitting(source.series, model, options.path, options.load))
    else:
        shown = source.series
        if name == "impute":  # the check of what was filled in needs values that the model never saw
            shown = shown.without(hidden(shown, options.seed))
        train = shown if source.learned is None else shown.take(source.learned)
        model = made(options, name, task, given, train)
        _fit(model, train)
        if options.save:
            model.save(options.save)
    return _written(task.run(model, source, options), source, options)


def _check_outputs(name: str, options: Options) -> None:
    """What cannot be written is refused before anything is computed."""
    if options.imputed and name != "impute":
        raise UserError(f"imputed= is for impute; {name} fills nothing in")
    for table in filter(None, (options.output, options.imputed)):
        check_ending(Path(table))
    if options.picture:
        check_picture(Path(options.picture))
    for file in filter(None, (options.output, options.imputed, options.picture, options.save)):
        check_place(Path(file))


def _fit(model: Model, train: Collection) -> None:
    """With a word before, and now and then, on how long it takes."""
    extent = Extent.of(len(train), train.shape[2], train.lengths)
    what = f"{model.title} of {len(train)} series, up to {extent.longest} steps long,"
    refuse_beyond(model.footprint(extent), what, f"{model.leaner}; model=tae needs no kernel")
    model.check_here()
    model.check_series(train)
    about = sample(extent.longest, extent.variates)
    seeds = model.seeds()
    seconds = model.seconds(about, extent, len(seeds)) * len(seeds)
    seconds += sum(model.shared(about, extent, seeds[0]).values())
    epochs = f" for at most {model.epochs} epochs" if hasattr(model, "epochs") else ""
    print(
        f"fits {model.title} to {len(train)} series{epochs}: about {clock(max(seconds, 1))} on one core",
        file=sys.stderr,
        flush=True,
    )
    if hasattr(model, "verbose"):
        model.set_params(verbose=True)
    model.fit(train)


def _written(result: Made, source: Source, options: Options) -> list[str]:
    import matplotlib
    from matplotlib.figure import Figure

    files = [options.output]
    like = source.long.separator, source.decimal
    write_frame(result.table, Path(options.output), *like)
    if options.imputed and result.imputed is not None:
        write_frame(result.imputed, Path(options.imputed), *like)
        files.append(options.imputed)
    if options.picture:
        with matplotlib.rc_context({**settings(), **PLAIN_TEXT}):
            figure = Figure(figsize=result.size, layout="constrained")
            result.draw(figure)
            write_figure(figure, Path(options.picture))
        files.append(options.picture)
    if options.save:
        files.append(options.save)
    return [*result.said, f"written: {', '.join(files)}"]
