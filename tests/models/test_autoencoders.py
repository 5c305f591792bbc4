"""What the networks learn, and what they may not look at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.models.series import NETWORKS, error, make, sines, weights
from tkae.data.collection import Collection
from tkae.engine.alignment import alignment
from tkae.engine.replicas import Hyperparameters
from tkae.models.autoencoder import evaluated

every_network = pytest.mark.parametrize("name", NETWORKS)


@every_network
def test_it_learns_to_reconstruct_better_than_the_mean(name: str) -> None:
    x, new = sines(n=64), sines(n=30, seed=1)
    model = make(name, epochs=150, learning_rate=0.01, code_size=6).learn(x)
    mean = float(np.var(new.values))
    assert error(model.reconstruct(new), new) < 0.5 * mean
    assert error(make(name, epochs=1).learn(x).reconstruct(new), new) > 0.5 * mean


@every_network
def test_what_was_under_the_holes_has_no_effect(name: str) -> None:
    """Two collections that differed only where values were then removed are the same to a network."""
    whole, chance = sines(), np.random.default_rng(3)
    holes = chance.random(whole.shape) < 0.4
    other = whole.replace(np.where(holes, chance.normal(0, 99, whole.shape), whole.values))
    one, two = whole.without(holes), other.without(holes)
    assert weights(make(name).learn(one)) == weights(make(name).learn(two))


@every_network
@pytest.mark.parametrize("loss", ["observed", "filled"])
def test_errors_count_where_the_setting_says(name: str, loss: str) -> None:
    """What is filled in is an input; it is a target only with loss: filled."""
    x = sines(ragged=True)
    model = make(name, loss=loss, fill="zero").learn(x)
    found = evaluated(model.engine(16, 2), model.data([x], 16), model.theta_[None])
    counted = x.observed if loss == "observed" else x.valid
    squares = np.where(counted, (found.outputs[0] - x.values) ** 2, 0.0)
    np.testing.assert_allclose(found.squares[0], squares.sum(axis=(1, 2)), rtol=1e-4)


@pytest.mark.parametrize("loss", ["observed", "filled", "padded"])
@every_network
def test_padding_that_no_series_reaches_has_no_effect(name: str, loss: str) -> None:
    x = sines(ragged=True)
    assert weights(make(name, loss=loss).learn(x)) == weights(make(name, loss=loss).learn(x.padded(25)))


def test_what_fills_the_holes_is_no_target_of_loss_observed() -> None:
    """A DAE that sees none of its inputs (corruption 1) meets the fill only in its targets."""
    x = sines(ragged=True)
    zero, locf = (make("dae", corruption=1.0, fill=fill).learn(x) for fill in ("zero", "locf"))
    assert weights(zero) == weights(locf)
    counted = [make("dae", corruption=1.0, fill=fill, loss="filled").learn(x) for fill in ("zero", "locf")]
    assert weights(counted[0]) != weights(counted[1])


def ramps(n: int = 48, steps: int = 12) -> Collection:
    start = np.random.default_rng(2).uniform(-0.3, 0.3, (n, 1))
    lengths = np.random.default_rng(4).integers(steps - 4, steps + 1, n)
    lengths[0] = steps
    values = (start + np.linspace(-1.5, 1.5, steps))[:, :, None]
    return Collection(values, None, lengths)


@pytest.mark.parametrize("reverse", [True, False])
def test_encdec_ad_gives_series_in_their_own_order(reverse: bool) -> None:
    x = ramps()
    model = make("encdec_ad", epochs=150, learning_rate=0.02, reverse=reverse).learn(x)
    output = model.reconstruct(x)
    turned = np.zeros(x.shape)
    for i, length in enumerate(x.lengths):
        turned[i, :length] = x.values[i, :length][::-1]
    assert error(output, x) < 0.05 * float(np.mean((output - turned)[x.valid] ** 2))


@pytest.mark.parametrize("name", ["tae", "encdec_ad"])
def test_reconstruct_is_free_running(name: str) -> None:
    """The decoder is never told the series: p_s, which says how often it is in training, has no part."""
    x = sines()
    model = make(name, p_s=0.0).learn(x)
    told = model.reconstruct(x)
    model.p_s = 1.0
    assert model.reconstruct(x).tobytes() == told.tobytes()
    # Series of one code have one output: only what is in z can reach the decoder.
    same = Collection(np.repeat(x.values[:1], 3, axis=0))
    outputs = model.reconstruct(same)
    assert (outputs == outputs[0]).all()
    free = _decoded(model, x, p_s=1.0)
    assert np.array_equal(np.float32(told), free) and not np.allclose(free, _decoded(model, x, p_s=0.0))


def _decoded(model: Any, x: Collection, p_s: float) -> Any:
    """The decoder's output with p_s = 1 (its own is fed back) or 0 (the true values are)."""
    ones = np.ones(1)
    key, sets = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    settings = Hyperparameters(0 * ones, 0 * ones, p_s * ones, ones, sets, key, model.theta_)
    engine = model.engine(x.shape[1], x.shape[2])
    return engine.evaluate(model.data([x], x.shape[1]), model.theta_[None], settings).outputs[0]


@pytest.mark.parametrize("name", ["ae", "ae_tied", "dae"])
def test_dense_networks_do_not_see_steps_beyond_those_of_training(name: str) -> None:
    model = make(name).learn(sines(steps=10))
    longer = sines(steps=14)
    other = longer.replace(np.where(np.arange(14)[:, None] < 10, longer.values, 7.0))
    assert model.encode(longer).tobytes() == model.encode(other).tobytes()
    output = model.reconstruct(longer)
    assert (output[:, 10:] == 0).all() and (output[:, :10] != 0).all()
    shorter = sines(steps=10).padded(12)
    np.testing.assert_array_equal(model.encode(shorter), model.encode(sines(steps=10)))


def test_corruption_is_of_training_only() -> None:
    x = sines()
    model = make("dae", corruption=0.5).learn(x)
    plain = make("ae", loss="observed").learn(x)
    assert weights(model) != weights(plain)
    # Coins are tossed by row and entry: were there any, equal series would have different codes.
    codes = model.encode(Collection(np.repeat(x.values[:1], 40, axis=0)))
    assert (codes == codes[0]).all()
    plain.theta_ = model.theta_
    assert model.encode(x).tobytes() == plain.encode(x).tobytes()
    assert model.reconstruct(x).tobytes() == plain.reconstruct(x).tobytes()


def test_a_dae_without_corruption_is_an_ae() -> None:
    x = sines(ragged=True)
    assert weights(make("dae", corruption=0.0).learn(x)) == weights(make("ae", loss="observed").learn(x))


def test_alignment_brings_the_codes_to_the_kernel() -> None:
    chance = np.random.default_rng(0)
    slow, fast = sines(n=24), sines(n=24, seed=1)
    x = Collection(np.concatenate([slow.values, fast.values[:, :, ::-1] * 2 + 1]))
    x = x.take(chance.permutation(len(x)))
    settings = {"epochs": 60, "learning_rate": 0.01}
    aligned, free = (make("tkae", alpha=alpha, **settings).learn(x) for alpha in (1.0, 0.0))
    kernel = aligned.prior(x)
    losses = [alignment(model.encode(x), kernel) for model in (aligned, free)]
    assert losses[0] < 0.7 * losses[1]


def test_a_tkae_without_alignment_is_a_tae() -> None:
    x = sines(ragged=True)
    assert weights(make("tkae", alpha=0.0).learn(x)) == weights(make("tae").learn(x))


@pytest.mark.parametrize("name", ["encdec_ad", "tae", "tkae"])
@pytest.mark.parametrize(
    ("settings", "matters"), [({}, True), ({"cell": "gru"}, False), ({"combination": "layers"}, False)]
)
def test_memory_is_what_an_lstm_decoder_starts_from(name: str, settings: dict, matters: bool) -> None:
    """A GRU has none, and where every layer has a code of its own, that holds the memory as well."""
    code, zero = (
        weights(make(name, memory=memory, **settings).learn(sines())) for memory in ("code", "zero")
    )
    assert weights(make(name, **settings).learn(sines())) == code
    assert (code != zero) == matters
