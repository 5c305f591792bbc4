"""What a time step and a replica cost as there are more of them: nothing should grow faster than they do."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.bench.clock import engine_step
from scripts.bench.networks import NETWORKS, Ae, Tae, engine_training


def growth(repeats: int) -> Iterator[str]:
    """The cost per step and replica as T and R grow, on one thread."""
    base = NETWORKS["jpvow"]

    def least(network: Tae | Ae, seeds: int) -> float:
        training = engine_training(network, seeds, 1)
        training.run(until=1)
        return min(engine_step(training).wall for _ in range(3 * repeats))

    for steps in (29, 58, 116, 232):
        took = least(base._replace(steps=steps), 4)
        yield f"T = {steps:4}: {1e6 * took / 4 / steps:6.1f} us a replica and time step"
    for seeds in (1, 2, 5, 10, 20):
        yield f"R = {seeds:4}: {1e3 * least(base, seeds) / seeds:6.3f} ms a replica"
