"""`tkae-apply embed`: a code of a few numbers for every series."""

from __future__ import annotations

from tkae.models.base import Model
from tkae.tasks.base import Made, Task
from tkae.tasks.options import Options
from tkae.tasks.pictures import codes_in_two_dimensions
from tkae.tasks.source import Source, rounded


def run(model: Model, source: Source, options: Options) -> Made:
    """Of several networks the codes stand side by side."""
    codes = rounded(model.transform(source.series))
    count, width = codes.shape
    return Made(
        source.told({f"z{d + 1}": codes[:, d] for d in range(width)}),
        [f"{count} series have codes of {width} numbers"],
        lambda figure: codes_in_two_dimensions(figure, codes, source.labels),
        (6.0, 5.0),
    )


TASK = Task("encode", ("encode", "features"), run)
