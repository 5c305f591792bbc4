"""A replica is trained as if it were alone, stops by itself, and fails by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.models.series import NETWORKS, make, sines, weights
from tkae.data.collection import Collection
from tkae.engine.trainer import EpochReport
from tkae.errors import UserError
from tkae.models.autoencoder import _training, evaluated
from tkae.models.listener import told
from tkae.seeding import stream

every_network = pytest.mark.parametrize("name", NETWORKS)


def together(models: list[Any], trains: list[Collection], seeds: list[int]) -> list[Any]:
    found: list[Any] = type(models[0]).learn_replicas(models, trains, seeds)
    return found


@every_network
def test_same_seed_same_bits_alone_in_company_in_any_order(name: str) -> None:
    x, y = sines(ragged=True), sines(ragged=True, seed=1)
    trains, seeds = [x, y, x, y], [0, 0, 5, 7]
    alone = [weights(make(name).learn(train, seed)) for train, seed in zip(trains, seeds, strict=True)]
    assert len(set(alone)) == 4
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 2]):
        found = together([make(name) for _ in order], [trains[i] for i in order], [seeds[i] for i in order])
        assert [weights(model) for model in found] == [alone[i] for i in order]


@every_network
@pytest.mark.parametrize("loss", ["filled", "padded"])
def test_neighbours_with_longer_or_more_series_change_nothing(name: str, loss: str) -> None:
    x = sines(ragged=True).padded(20)
    trains = [x, sines(steps=20), sines(n=25, steps=20)]
    found = together([make(name, loss=loss) for _ in trains], trains, [0, 1, 2])
    for model, train, seed in zip(found, trains, [0, 1, 2], strict=True):
        alone = make(name, loss=loss).learn(train, seed)
        assert weights(model) == weights(alone)
        assert model.reconstruct(x).tobytes() == alone.reconstruct(x).tobytes()


@every_network
def test_free_settings_may_differ_between_replicas(name: str) -> None:
    x = sines(ragged=True)
    base = {"l2": 0.01, "learning_rate": 0.005}
    own = {"p_s": 0.3} if name in ("tae", "tkae", "encdec_ad") else {}
    aligned = {"alpha": 0.5} if name == "tkae" else {}
    settings: list[dict[str, Any]] = [{}, base, {**base, **own}, {**own, **aligned}, {"l2": 0.5}]
    assert len({str(make(name, **one).shared_settings()) for one in settings}) == 1
    found = together([make(name, **one) for one in settings], [x] * 5, [3] * 5)
    alone = [make(name, **one).learn(x, 3) for one in settings]
    assert [weights(model) for model in found] == [weights(model) for model in alone]
    assert len({weights(model) for model in alone}) == len({str(one) for one in settings})


@every_network
def test_the_loss_falls(name: str) -> None:
    model, totals = make(name, epochs=40, learning_rate=0.01), []
    training = _training([model], [sines()], [0])
    training.run(lambda progress: totals.append(float(progress.total[0])))
    assert min(totals[-5:]) < 0.8 * totals[0] and len(totals) == 40


@every_network
def test_one_that_diverges_says_so_and_leaves_the_others_alone(name: str) -> None:
    x, rates = sines(), [0.001, 1e30, 0.002]
    found = together([make(name, learning_rate=rate) for rate in rates], [x] * 3, [0, 1, 2])
    assert isinstance(found[1], UserError)
    assert str(found[1]) == f"the loss of seed 1 was not finite: lower model.{name}.learning_rate"
    for i in (0, 2):
        assert weights(found[i]) == weights(make(name, learning_rate=rates[i]).learn(x, i))
    with pytest.raises(UserError, match=r"not finite: lower model.*learning_rate"):
        make(name, learning_rate=1e30).learn(x, 1)


def held_out(x: Collection, seed: int, share: float) -> Any:
    """The series that the model does not train on."""
    return stream(seed, "validation").permutation(len(x))[: round(share * len(x))]


@pytest.mark.parametrize("name", ["tae", "encdec_ad", "ae", "dae"])
def test_held_out_series_influence_no_gradient(name: str) -> None:
    x = sines()
    changed = x.values.copy()
    changed[held_out(x, 4, 0.25)] += 3.0
    settings = {"validation": 0.25, "select_every": 1000}  # only one look, after the last epoch
    one, two = (make(name, **settings).learn(c, 4) for c in (x, x.replace(changed)))
    assert weights(one) == weights(two)
    every = changed.copy()
    every[:] += 3.0
    assert weights(make(name, **settings).learn(x.replace(every), 4)) != weights(one)


def test_each_seed_holds_out_its_own_series() -> None:
    kept = []
    for seed in (0, 1):
        one = make("tae", validation=0.25).replica(seed, 0, 40)
        assert sorted([*one.rows, *one.validation]) == list(range(40))
        assert set(one.validation) == set(held_out(sines(), seed, 0.25))
        kept.append(set(one.validation))
    assert kept[0] != kept[1]


@pytest.mark.parametrize("name", ["tae", "ae"])
def test_patience_stops_at_the_weights_that_held_out_series_liked_best(name: str) -> None:
    """Held-out series that contradict the others get worse with every step: the first look is the best."""
    x = sines()
    values, held = x.values.copy(), held_out(x, 0, 0.25)
    values[held] = 9.0 * np.sign(-values[held])
    x = x.replace(values)
    epochs, own = 400, {"p_s": 1.0} if name == "tae" else {}
    model = make(name, epochs=epochs, validation=0.25, select_every=2, patience=3, learning_rate=0.02, **own)
    training = _training([model], [x], [0])
    seen: list[tuple[float, bytes]] = []

    def look(progress: EpochReport) -> None:
        if progress.epoch % 2 == 0:
            theta = training.state()["theta"]
            squares = evaluated(training.engine, training.data, theta).squares[0]
            seen.append((float(squares[held].sum()), theta.tobytes()))

    kept = training.run(look)[0]
    assert training.epoch < epochs and not training.failed.any()
    losses = [loss for loss, _ in seen]
    best = int(np.argmin(losses))
    assert len(losses) == best + 1 + 3 and kept.tobytes() == seen[best][1]
    assert weights(model.learn(x, 0)) == kept.tobytes()


def test_a_budget_below_the_first_look_keeps_the_last_weights() -> None:
    """100 epochs under protocol=authors must not end with the weights of the first."""
    x = sines()
    plain = weights(make("tae", epochs=7).learn(x))
    assert weights(make("tae", epochs=7, select_every=100).learn(x)) == plain


def test_one_series_is_trained_on_though_some_should_be_held_out() -> None:
    model = make("tae", validation=0.2, select_every=2, patience=1).learn(sines(n=1))
    assert np.isfinite(model.theta_).all()


def test_what_is_told_counts_the_replicas_that_train() -> None:
    parts = np.array([[1.0, 2.0, 0.5], [np.nan, np.inf, np.nan], [0.0, 0.0, 0.0]])
    live = np.array([True, False, False])
    one = EpochReport(110, 120, parts, parts.sum(axis=1), live, seconds=50.0)
    assert told(one) == "epoch 110/120, loss 3.5000"
    nobody = EpochReport(110, 120, parts, parts.sum(axis=1), np.zeros(3, bool), seconds=20.0)
    assert told(nobody) == "epoch 110/120"
