"""A replica's weights are its own: the same bits alone, in company, on threads, after a break."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets
from tkae.engine.recurrent import Recurrent
from tkae.engine.trainer import Replica, Schedule, Training
from tkae.errors import DataError, UserError

N, STEPS, V = 45, 11, 3
SCHEDULE = Schedule(epochs=6, batch=16, select_every=2)


def _data(fill: float = 0.0, sets: int = 1) -> SeriesSets:
    chance = np.random.default_rng(5)
    lengths = chance.integers(2, STEPS + 1, (sets, N))
    x = chance.normal(size=(sets, N, STEPS, V)).cumsum(2).astype(np.float32)
    valid = np.broadcast_to((np.arange(STEPS) < lengths[..., None])[..., None], x.shape)
    factor = chance.normal(size=(N, 4)).astype(np.float32)
    return SeriesSets(
        np.where(valid, x, np.float32(fill)), valid.copy(), lengths, (factor @ factor.T)[None], 0
    )


def _replica(seed: int) -> Replica:
    return Replica(seed, alpha=0.1 * (seed % 2), penalty=0.001, p_s=0.3 * (seed % 4), rate=0.01)


def _training(
    seeds: list[int],
    threads: int = 1,
    cell: str = "lstm",
    data: SeriesSets | None = None,
    combination: str = "layers",
) -> Training:
    shape = Architecture(V, cell, layers=2, hidden=5, combination=combination)
    return Training(Recurrent(shape, threads), data or _data(), [_replica(seed) for seed in seeds], SCHEDULE)


@pytest.mark.parametrize(("cell", "combination"), [("lstm", "layers"), ("lstm", "top"), ("gru", "layers")])
def test_alone_in_company_and_on_threads_the_same_bits(cell: str, combination: str) -> None:
    def weights(seeds: list[int], threads: int = 1) -> Any:
        return _training(seeds, threads, cell, combination=combination).run()

    ten = weights(list(range(10)))
    assert np.array_equal(ten, weights(list(range(10)), threads=2))
    for seed in (0, 3, 7):
        assert np.array_equal(ten[seed], weights([seed])[0])
    assert len(np.unique(ten[:, 0])) == 10


@pytest.mark.parametrize("combination", ["layers", "top"])
def test_an_interrupted_training_goes_on_to_the_same_bits(combination: str) -> None:
    whole = _training([0, 1], combination=combination)
    whole.run()
    for stop in (1, 3, 5):
        first = _training([0, 1], combination=combination)
        first.run(until=stop)
        second = _training([0, 1], combination=combination)
        second.restore({name: array.copy() for name, array in first.state().items()})
        second.run()
        assert all(np.array_equal(array, second.state()[name]) for name, array in whole.state().items())


def test_a_state_of_another_training_is_refused() -> None:
    with pytest.raises(DataError, match="another training"):
        _training([0, 1]).restore(_training([0]).state())


@pytest.mark.parametrize("fill", [1e3, np.nan])
def test_values_under_padding_do_not_matter(fill: float) -> None:
    clean, filled = _training([1]), _training([1], data=_data(fill))
    assert np.array_equal(clean.run(), filled.run())
    for a, b in zip(clean.evaluate(), filled.evaluate(), strict=True):
        assert np.array_equal(a, b)


def test_a_loss_that_is_not_finite_ends_only_its_replica() -> None:
    data = _data(sets=2)
    data.x[1, 0, 0, 0] = np.nan
    replicas = [_replica(0), Replica(1, set_of=1), _replica(2)]
    shape = Architecture(V, layers=2, hidden=5, combination="layers")
    mixed = Training(Recurrent(shape, 2), data, replicas, SCHEDULE)
    weights = mixed.run()
    assert list(mixed.failed) == [False, True, False]
    alone = Training(Recurrent(shape, 1), data, [_replica(2)], SCHEDULE)
    assert np.array_equal(weights[2], alone.run()[0])
    assert np.isfinite(weights).all()


def test_a_replica_trains_on_its_own_rows() -> None:
    data = _data()
    rows = np.arange(0, N, 2)
    shape = Architecture(V, layers=1, hidden=4)
    schedule = Schedule(epochs=3, batch=8)
    part = Training(Recurrent(shape), data, [Replica(4, rows=rows)], schedule).run()
    data.x[0, 1::2] = 99.0
    assert np.array_equal(part, Training(Recurrent(shape), data, [Replica(4, rows=rows)], schedule).run())


def test_selection_keeps_the_lowest_loss_seen_and_patience_stops() -> None:
    data = _data()
    shape = Architecture(V, layers=1, hidden=4)
    wild = Replica(0, rate=1.0)
    seen: list[Any] = []
    training = Training(Recurrent(shape), data, [wild], Schedule(epochs=40, select_every=1, patience=3))
    training.run(lambda progress: seen.append((training._losses()[0], training._state.theta.copy())))
    losses = [loss for loss, _ in seen]
    assert len(seen) < 40 and not training.failed[0]
    assert np.array_equal(training.weights, seen[int(np.argmin(losses))][1])


def test_the_loss_falls() -> None:
    totals: list[float] = []
    shape = Architecture(V, layers=1, hidden=6)
    training = Training(Recurrent(shape), _data(), [Replica(0, p_s=0.5, rate=0.01)], Schedule(epochs=60))
    training.run(lambda progress: totals.append(float(progress.total[0])))
    assert totals[-1] < 0.7 * totals[0]


def test_too_few_series_for_a_batch_is_said() -> None:
    with pytest.raises(UserError, match="makes no batch"):
        shape = Architecture(V)
        Training(Recurrent(shape), _data(), [Replica(0)], Schedule(batch=64, keep_last=False))


def test_replicas_of_many_sets_share_a_test_set_of_one() -> None:
    shape = Architecture(V, layers=1, hidden=4)
    training = Training(Recurrent(shape), _data(sets=2), [Replica(3), Replica(3, set_of=1)], Schedule())
    found = training.evaluate(_data())
    assert np.array_equal(found.outputs[0], found.outputs[1])
    own = training.evaluate()
    assert not np.array_equal(own.outputs[0], own.outputs[1])
