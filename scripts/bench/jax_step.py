"""The training step of the recurrent networks in JAX: `jit(vmap(...))` over seeds, `scan` over time, optax.

Weights have PyTorch's names and shapes and cells are PyTorch's, so that both can be given the same weights
and must find the same loss. As in `nn.LSTM`, an encoder layer's inputs are multiplied for all steps at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array, lax

Weights = dict[str, Array]
States = tuple[Array, ...]  # h and, for LSTM, c; each (B, H)


def _affine(weights: Weights, name: str, x: Array, kind: str = "") -> Array:
    return x @ weights[f"{name}weight{kind}"].T + weights[f"{name}bias{kind}"]


def _lstm(inputs: Array, own: Array, states: States) -> States:
    """The next states from the gates' sums (B, 4 H) of the inputs and of the cell's own state."""
    i, f, g, o = jnp.split(inputs + own, 4, -1)
    c = jax.nn.sigmoid(f) * states[1] + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def _gru(inputs: Array, own: Array, states: States) -> States:
    (x_r, x_z, x_n), (h_r, h_z, h_n) = jnp.split(inputs, 3, -1), jnp.split(own, 3, -1)
    r, z = jax.nn.sigmoid(x_r + h_r), jax.nn.sigmoid(x_z + h_z)
    return ((1 - z) * jnp.tanh(x_n + r * h_n) + z * states[0],)


Cell = Callable[[Array, Array, States], States]
CELLS: dict[str, tuple[Cell, int]] = {"lstm": (_lstm, 2), "gru": (_gru, 1)}


def _encode(weights: Weights, stack: str, cell: str, layers: int, x: Array) -> Array:
    """The last h (B, H) of the top layer for x (T, B, V)."""
    advance, parts = CELLS[cell]
    for layer in range(layers):

        def step(states: States, inputs: Array, layer: int = layer) -> tuple[States, Array]:
            own = _affine(weights, f"{stack}.", states[0], f"_hh_l{layer}")
            states = advance(inputs, own, states)
            return states, states[0]

        zero = jnp.zeros((x.shape[1], weights["code.bias"].size))
        _, x = lax.scan(step, (zero,) * parts, _affine(weights, f"{stack}.", x, f"_ih_l{layer}"))
    return x[-1]


def _decode(weights: Weights, cell: str, layers: int, z: Array, x: Array, fed: Array) -> Array:
    """Outputs (T, B, V) from the code z; `fed` (T, B) says where the last one is the input, else x."""
    advance, parts = CELLS[cell]

    def step(carried: tuple[list[States], Array], given: tuple[Array, Array]) -> tuple[object, Array]:
        states, last = carried
        before, own_output = given
        value, after = jnp.where(own_output[:, None], last, before), []
        for layer in range(layers):
            inputs = _affine(weights, f"cells.{layer}.", value, "_ih")
            own = _affine(weights, f"cells.{layer}.", states[layer][0], "_hh")
            after.append(advance(inputs, own, states[layer]))
            value = after[-1][0]
        output = _affine(weights, "output.", value)
        return (after, output), output

    zero = jnp.zeros_like(x[0])
    before = jnp.concatenate([zero[None], x[:-1]])
    return lax.scan(step, ([(z,) * parts] * layers, zero), (before, fed))[1]


def loss(cell: str, layers: int, weights: Weights, x: Array, fed: Array) -> Array:
    """The mean squared error of one network for x (T, B, V)."""
    tops = [_encode(weights, stack, cell, layers, s) for stack, s in (("ahead", x), ("back", x[::-1]))]
    z = jnp.tanh(_affine(weights, "code.", jnp.concatenate(tops, -1)))
    return jnp.mean((_decode(weights, cell, layers, z, x, fed) - x) ** 2)


class JaxTraining:
    """Networks with stacked weights (seeds, ...) by PyTorch's names, trained on x (seeds, B, T, V)."""

    def __init__(
        self, weights: dict[str, np.ndarray], cell: str, layers: int, p_s: float, x: np.ndarray
    ) -> None:
        optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(0.001))
        self._gradient = jax.value_and_grad(partial(loss, cell, layers))
        self._x, self._keys = jnp.asarray(x.swapaxes(1, 2)), jax.random.split(jax.random.key(0), len(x))
        self._weights = {name: jnp.asarray(array) for name, array in weights.items()}
        self._moments = jax.vmap(optimiser.init)(self._weights)

        def update(weights: Weights, moments: object, key: Array, x: Array) -> tuple[object, ...]:
            key, now = jax.random.split(key)
            fed = jax.random.bernoulli(now, p_s, x.shape[:2])
            error, gradient = self._gradient(weights, x, fed)
            changes, moments = optimiser.update(gradient, moments)
            return optax.apply_updates(weights, changes), moments, key, error

        self._update = jax.jit(jax.vmap(update), donate_argnums=(0, 1, 2))

    def errors(self, fed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The loss and the norm of its gradient (seeds each) of the present weights; fed (seeds, B, T)."""
        found, gradient = jax.vmap(self._gradient)(self._weights, self._x, jnp.asarray(fed.swapaxes(1, 2)))
        return np.asarray(found), np.asarray(jax.vmap(optax.global_norm)(gradient))

    def step(self) -> None:
        """One update of all networks, to its end."""
        self._weights, self._moments, self._keys, error = self._update(
            self._weights, self._moments, self._keys, self._x
        )
        error.block_until_ready()
