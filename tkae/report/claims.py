"""The claims of the paper's text are data: `claims.yaml`, each with its quote, its place and a test.

A claim speaks of figures (a method's metric on a dataset, at a point of a sweep) and says of what `kind`
they are, compared with those that `against` changes: another method, dataset or point, or a fixed value.

    better      they are better, by more than the margin if it has one
    not_worse   they are not worse by the margin or more
    same        they differ by less than the margin, in either direction
    rises       they (or their difference from `against`) rise along a sweep or a row of datasets
    falls       they fall along it

`margin` is in the metric's unit, `share` a part of what is compared with; both are fixed in the file. One
comparison is a part: a claim has a part for each dataset, method, metric and point that it speaks of, and
all of them must hold, or `most` of them. `where` lists places that a claim speaks of, each with what is its
own. `in_print` are figures that the paper prints elsewhere and that bear on the claim: nothing is tested
there, but they say whether the paper agrees with itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

CLAIMS_FILE = Path(__file__).with_name("claims.yaml")
TRENDS = ("rises", "falls")
COORDINATES = ("dataset", "method", "metric")


@dataclass(frozen=True)
class Place:
    """Where a figure stands: the row of an experiment's table."""

    experiment: str
    dataset: str
    method: str
    metric: str
    # By key: the point of the experiment's sweep, and settings that an ablation changes
    point: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Part:
    """One comparison: of one figure with another or with a value, or a trend of several in order."""

    label: str
    kind: str
    figures: tuple[Place, ...]
    against: tuple[Place, ...] = ()  # as many, or none
    value: float | None = None  # what is compared with where `against` is empty
    margin: float = 0.0
    share: float = 0.0
    prefer: str = ""  # `lower` or `higher`, where a metric is a fact, neither good nor bad

    @property
    def places(self) -> tuple[Place, ...]:
        return (*self.figures, *self.against)


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper that figures can contradict."""

    id: str
    place: str  # a LaTeX label, else `text:` and a name for the paragraph
    quote: str  # word for word
    says: str  # what is tested, in a line
    most: bool = False  # more than half of the parts are enough
    where: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    in_print: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)

    @property
    def experiments(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(where["experiment"] for where in self.where))

    @property
    def parts(self) -> list[Part]:
        return [part for where in self.where for part in _parts(where)]

    @property
    def print_parts(self) -> list[Part]:
        """What the paper's own figures may contradict."""
        return self.parts + [part for where in self.in_print for part in _parts(where)]


@dataclass(frozen=True)
class Untested:
    """A sentence that no experiment of the paper measures, and why."""

    place: str
    quote: str
    reason: str


@cache
def load_claims() -> tuple[Claim, ...]:
    """All claims, in the paper's order."""
    return tuple(_claim(entry) for entry in _file()["claims"])


@cache
def load_untested() -> tuple[Untested, ...]:
    """What the text also says."""
    return tuple(Untested(**entry) for entry in _file()["untested"])


def _file() -> Any:
    import yaml

    return yaml.safe_load(CLAIMS_FILE.read_text(encoding="utf-8"))


def _claim(entry: dict[str, Any]) -> Claim:
    """What is no field of a claim says where it holds and within what; `where` lists several such places."""
    own = {key: entry[key] for key in ("id", "place", "quote", "says", "most") if key in entry}
    shared = {key: entry[key] for key in entry if key not in Claim.__dataclass_fields__}
    where = tuple({**shared, **place} for place in entry.get("where", [{}]))
    return Claim(
        **own, where=where, in_print=tuple({**shared, **place} for place in entry.get("in_print", []))
    )


def _parts(where: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of one place: every combination of its lists, but for the one that a trend goes along."""
    along, against = where.get("along"), dict(where.get("against", {}))
    value = against.pop("value", None)
    lists = {name: _list(where[name]) for name in COORDINATES}
    lists |= {key: _list(values) for key, values in where.get("at", {}).items()}
    steps = lists.pop(along) if along else [None]
    others = [dict(zip(against, point, strict=True)) for point in product(*map(_list, against.values()))]
    rule = {key: where[key] for key in ("kind", "margin", "share", "prefer") if key in where}
    for point in product(*lists.values()):
        at = dict(zip(lists, point, strict=True))
        line = [{**at, along: step} if along else at for step in steps]
        figures = tuple(_place(where["experiment"], figure) for figure in line)
        if not against:
            yield Part(_label(at, along, value), figures=figures, value=value, **rule)
            continue
        for other in others:
            beside = tuple(_place(where["experiment"], {**figure, **other}) for figure in line)
            yield Part(_label(at, along, other), figures=figures, against=beside, **rule)


def _place(experiment: str, at: Mapping[str, Any]) -> Place:
    point = tuple(sorted((key, value) for key, value in at.items() if key not in COORDINATES))
    return Place(experiment, at["dataset"], at["method"], at["metric"], point)


def _label(at: Mapping[str, Any], along: str | None, other: Any) -> str:
    """For people: `japanese_vowels tkae accuracy missingness.rate=0.9 against method=tae`."""
    words = [str(value) if key in COORDINATES else f"{key}={value}" for key, value in at.items()]
    words += [f"along {along}"] if along else []
    if isinstance(other, Mapping):
        words += ["against", *(f"{key}={value}" for key, value in other.items())]
    elif other is not None:
        words += ["against", f"{other}"]
    return " ".join(words)


def _list(values: Any) -> list[Any]:
    return values if isinstance(values, list) else [values]
