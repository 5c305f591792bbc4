"""From the words of a command line to checked configurations: groups by Hydra, values by the schemas.

Hydra composes the members that were chosen (`experiment=imputation model=[pca,locf]`) and expands
sweeps. Values (`missingness.rate=0.3`, `model.code_size=5`) are then laid over them here, so that
each is checked against the dataclass that it configures, with or without a leading `+`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from tkae.errors import UserError
from tkae.settings.ablations import lines
from tkae.settings.call import Call
from tkae.settings.command import Command
from tkae.settings.composition import composed, hydra
from tkae.settings.controls import controls
from tkae.settings.grid import points
from tkae.settings.overrides import in_order, overrides
from tkae.settings.registry import GROUPS, lookup, settings_of, shown_file
from tkae.settings.schema import build, unknown_key
from tkae.settings.values import Options, Sources
from tkae.settings.words import FIXED, OPTIONS, Word, jobs


def compose(words: Sequence[str], sweep: bool) -> Command:
    """One call for each combination of the values that are swept, by the user or the experiment's grid."""
    combinations = jobs(words, sweep)
    with hydra():
        chosen = cache(_Chosen.of)  # a sweep over values composes the groups once
        calls = [call for job in combinations for call in _calls(job, chosen)]
        whole = _whole(combinations[0], chosen)
    if not calls:  # one job of several may have none: no ablation is of protocol=clean
        choices = " ".join(word.text for word in combinations[0] if word.chooses)
        raise UserError(f"nothing to run for {choices}: see the lines of conf/experiment/ablations.yaml")
    return replace(whole, calls=tuple(calls))


def _whole(job: list[Word], chosen: Callable[..., Any]) -> Command:
    """What holds for all calls of a command; it is the same in every job, since none of it can be swept."""
    choices = {word.key: _written(word.value) for word in job if word.key == "executor"}
    values = [word for word in job if word.key.partition(".")[0] in FIXED and not word.chooses]
    plain = _laid_over(chosen(**choices).config, values)
    options = {key: value for key, value in plain.items() if key in OPTIONS}
    return Command(
        calls=(),
        executor=_member(plain, "executor"),
        data=build(Sources, plain["data"], "data"),
        options=build(Options, options, ""),
    )


def _calls(job: list[Word], chosen: Callable[..., Any]) -> list[Call]:
    """The calls of one combination: those of the experiment's grid, and of its extra rows."""
    if any(word.key == "experiment" and word.value == "ablations" for word in job):
        return _ablations(job, chosen)
    call, user_keys = _call(job, chosen), {word.key for word in job}
    # With its own models an experiment has its extra rows, too.
    return [*points(call, user_keys), *([] if "model" in user_keys else controls(call))]


def _ablations(job: list[Word], chosen: Callable[..., Any]) -> list[Call]:
    """The calls of all lines that concern what the user chose, each of the experiment that it changes."""
    from omegaconf import OmegaConf

    choices = {word.key: word.value for word in job if word.chooses}
    config: Any = OmegaConf.to_container(chosen(experiment="ablations").config)
    protocol = str(choices.get("protocol", config["protocol"]["name"]))
    rest = [word for word in job if word.key not in ("experiment", "dataset", "model")]
    made: list[Call] = []
    for line in lines(config["experiment"]["lines"], protocol):
        line = line.among(*(_listed(choices.get(group)) for group in ("dataset", "model")))
        if line.datasets and line.models:
            own = {"experiment": line.experiment, "dataset": line.datasets, "model": line.models}
            words = [Word(key, value, f"{key}={value}") for key, value in own.items()]
            made += line.calls(_call([*words, *rest], chosen))
    return made


def _listed(choice: Any) -> list[str] | None:
    return choice if choice is None or isinstance(choice, list) else [str(choice)]


def _call(job: list[Word], chosen: Callable[..., Any]) -> Call:
    """Compose one combination, and the paper's own setting beside it for comparison."""
    # Hydra takes one choice a group: the last on the command line stands.
    choices = {word.key: _written(word.value) for word in job if word.chooses}
    if "experiment" not in choices:
        raise UserError(f"which experiment? experiment={'|'.join(GROUPS['experiment'])}")
    same = {key: name for key, name in choices.items() if key not in ("missingness", "executor")}
    values = [word for word in job if not word.chooses]
    if "dataset" not in choices:  # the experiment's own hold, as the protocol has them
        own = _filled(chosen(**same), [])
        same["dataset"] = choices["dataset"] = _written([own.replacement_of(name) for name in own.datasets])
    call = replace(_filled(chosen(**choices), values), chose_missingness="missingness" in choices)
    if any(word.key.partition(".")[0] == "missingness" for word in job):
        call.check_missingness()
    return call.beside(_filled(chosen(**same), []))


def _laid_over(config: Any, values: list[Word]) -> dict[str, Any]:
    """A composition as plain values, with some of the user's laid over it."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    config = copy.deepcopy(config)
    OmegaConf.set_struct(config, False)
    for word in values:
        try:
            OmegaConf.update(config, word.key, _seeds(word))
        except OmegaConfBaseException:
            raise UserError(
                f"'{word.text}' sets what has no such part, or cannot have such a value"
            ) from None
    try:
        plain: Any = OmegaConf.to_container(config, resolve=True)
    except OmegaConfBaseException as error:
        raise UserError(f"a config file refers to what is not there: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise UserError("a config file of what was chosen is nested too deeply") from None
    return dict(plain)


def _member(plain: Mapping[str, Any], group: str) -> Any:
    """The member of a group that a composition has, built and checked."""
    settings = dict(plain[group])
    cls = lookup(group, settings["name"])
    if not any(spec.name == "name" for spec in fields(cls)):
        del settings["name"]
    return build(cls, settings, group)


@dataclass
class _Chosen:
    """A composition of members, and the calls that were made of it: most values of a sweep are of the parts
    that a call resolves by itself.
    """

    config: Any
    calls: dict[tuple[tuple[str, str], ...], Call] = field(default_factory=dict)

    @classmethod
    def of(cls, **choices: str) -> _Chosen:
        return cls(composed(**choices))

    def call(self, others: list[Word]) -> Call:
        """The call with these values, which are of no dataset, model or missingness."""
        key = tuple((word.text, repr(word.value)) for word in others)
        if key not in self.calls:
            self.calls[key] = _call_of(self.config, others)
        return self.calls[key]


def _filled(chosen: _Chosen, values: list[Word]) -> Call:
    """The call of a composition, with the user's values laid over it."""
    given: dict[str, dict[str, Any]] = {"dataset": {}, "model": {}, "missingness": {}}
    others = []
    for word in values:
        head, _, rest = word.key.partition(".")
        if head in given:
            given[head][rest] = word.value
        else:
            others.append(word)
    call = chosen.call(others)
    if not any(given.values()):
        return call
    user_values = {
        "missingness": {call.missingness: given["missingness"]},
        "dataset": _by_member("dataset", given["dataset"], list(call.datasets)),
        "model": _by_member("model", given["model"], list(call.models)),
    }
    return replace(call, user_values=user_values)


def _call_of(config: Any, others: list[Word]) -> Call:
    plain = _laid_over(config, others)
    experiment, protocol = _member(plain, "experiment"), _member(plain, "protocol")
    holes = dict(plain["missingness"])
    missingness = str(holes.pop("name"))
    datasets, models = plain.get("dataset", {}), plain.get("model", {})
    placed = {
        f"{group}.{key}": shown_file(group, plain[group]["name"])
        for group in ("experiment", "protocol")
        for key in config[group]
    }
    placed |= dict.fromkeys((".".join(word.key.split(".")[:2]) for word in others), "command line")
    return Call(
        experiment=experiment,
        missingness=missingness,
        protocol=protocol,
        budget=_member(plain, "budget"),
        how_many=plain["seeds"],
        device=plain["device"],
        overrides=in_order(
            overrides(experiment.overrides, f"experiment={experiment.name}"),
            overrides(protocol.overrides, f"protocol={protocol.name}"),
        ),
        datasets=datasets,
        models=models,
        holes=holes,
        user_values={
            "missingness": {missingness: {}},
            "dataset": {name: {} for name in datasets},
            "model": {name: {} for name in models},
        },
        placed=placed,
    )


def _seeds(word: Word) -> Any:
    """A swept range of seeds names them: `-m seeds=range(5,8)` is 5, 6 and 7, where `seeds=5` is how many."""
    return [word.value] if word.key == "seeds" and "range(" in word.text else word.value


def _by_member(group: str, given: dict[str, Any], chosen: list[str]) -> dict[str, dict[str, Any]]:
    """`pca.code_size` for one member, `code_size` for every chosen member that has such a setting."""
    values: dict[str, dict[str, Any]] = {name: {} for name in chosen}
    for key, value in given.items():
        head, _, rest = key.partition(".")
        if head in GROUPS[group] and rest:
            if head not in chosen:
                raise UserError(f"'{group}.{key}': {head} is not part of this run ({', '.join(chosen)})")
            values[head][rest] = value
            continue
        having = [name for name in chosen if key in settings_of(group, name)]
        if not having:
            known = {setting: None for name in chosen for setting in settings_of(group, name)}
            raise unknown_key(f"{group}.{key}", key, known)
        for name in having:
            values[name][key] = value
    return values


def _written(value: Any) -> str:
    return f"[{','.join(map(str, value))}]" if isinstance(value, list) else str(value)
