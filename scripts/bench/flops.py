"""How many floating point operations a training step's matrix products need.

A multiply-add is two operations. Counted is every product of a weight matrix with a vector: forward, for the
gradient of the weights, and for the gradient of the inputs where these depend on a weight (a series does not,
nor does a first state of zeros or the decoder's first input). Not counted: biases, activations and the cells'
elementwise arithmetic, the loss, clipping and Adam. They take time as well, so that no program can do all of
its work at the speed of a matrix product; the ratio to one says how near it comes.
"""

from __future__ import annotations

from typing import NamedTuple

GATES = {"lstm": 4, "gru": 3}


class Product(NamedTuple):
    """A weight matrix and how often a series meets it."""

    rows: int
    columns: int
    times: int
    learned: int  # how many of these times the input depends on a weight

    @property
    def flops(self) -> int:
        return 2 * self.rows * self.columns * (2 * self.times + self.learned)


def recurrent(steps: int, variates: int, cell: str, layers: int, hidden: int) -> int:
    """For one series: an encoder in both directions, a dense code of both top states, a decoder."""
    gates, products = GATES[cell] * hidden, []
    for layer in range(layers):
        below = Product(gates, hidden, steps, steps)
        encoder = [
            below if layer else Product(gates, variates, steps, 0),
            Product(gates, hidden, steps, steps - 1),  # the first state is 0
        ]
        decoder = [
            below if layer else Product(gates, variates, steps, steps - 1),  # the first input is 0
            Product(gates, hidden, steps, steps),  # the first state is the code
        ]
        products += [*encoder, *encoder, *decoder]
    products += [Product(hidden, 2 * hidden, 1, 1), Product(variates, hidden, steps, steps)]
    return sum(product.flops for product in products)


def dense(inputs: int, hidden: int, code: int) -> int:
    """For one series of an autoencoder {inputs, hidden, code, hidden, inputs}."""
    first = Product(hidden, inputs, 1, 0)
    others = [Product(code, hidden, 1, 1), Product(hidden, code, 1, 1), Product(inputs, hidden, 1, 1)]
    return sum(product.flops for product in [first, *others])
