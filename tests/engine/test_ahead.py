"""A training that is given the kernel's blocks goes as one that has the whole kernel, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tkae.engine import ahead
from tkae.engine.architecture import Architecture
from tkae.engine.recurrent import Recurrent
from tkae.engine.sets import data_of
from tkae.engine.torch_recurrent import TorchRecurrent
from tkae.engine.trainer import Replica, Schedule, Training
from tkae.errors import UserError

N, T, V, EPOCHS = 23, 5, 2, 4
CHANCE = np.random.default_rng(3)
LENGTHS = CHANCE.integers(1, T + 1, N)
X = CHANCE.normal(size=(N, T, V))
COUNTED = np.arange(T)[:, None] < LENGTHS[:, None, None] * np.ones((1, 1, V))
KERNELS = [(f @ f.T).astype(np.float32) for f in CHANCE.normal(size=(2, N, 3))]
REPLICAS = [
    Replica(0, alpha=0.3, rate=0.01, p_s=0.7),
    Replica(1, alpha=0.2, rate=0.01, set_of=1, rows=np.arange(4, 15)),
    Replica(2, alpha=0.0, rate=0.01),
]


class Source:
    """The blocks of a whole kernel, and how often it was asked for some."""

    def __init__(self, kernel: Any) -> None:
        self.kernel, self.asked = kernel, 0

    def __call__(self, batches: Any) -> Any:
        self.asked += 1
        (count, size), lanes = batches.shape, -(-batches.shape[1] // 16) * 16
        found = np.zeros((count, lanes, lanes), np.float32)
        there = (batches[:, :, None] >= 0) & (batches[:, None, :] >= 0)
        block = self.kernel[batches[:, :, None], batches[:, None, :]]
        found[:, :size, :size] = np.where(there, block, 0)
        return found


def training(engine: Any, whole: Any = None, blocks: Any = (), **schedule: Any) -> Training:
    data = data_of([X, X], [COUNTED, COUNTED], [LENGTHS, LENGTHS], whole)
    return Training(engine, data, REPLICAS, Schedule(EPOCHS, **schedule), blocks)


def engine() -> Recurrent:
    return Recurrent(Architecture(V, layers=1, hidden=3), threads=1)


@pytest.mark.parametrize("schedule", [{"batch": 7}, {"batch": 5, "keep_last": False}, {"batch": 40}])
def test_blocks_and_the_whole_kernel_train_the_same_weights(
    schedule: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = training(engine(), KERNELS, **schedule).run()
    for bytes_held in (ahead.BYTES, 1):  # those of all epochs at once, and of one at a time
        monkeypatch.setattr(ahead, "BYTES", bytes_held)
        sources = [Source(kernel) for kernel in KERNELS]
        assert np.array_equal(training(engine(), None, sources, **schedule).run(), whole)
        assert [source.asked for source in sources] == [1 if bytes_held > 1 else EPOCHS] * 2


def test_one_source_serves_all_sets() -> None:
    whole = training(engine(), KERNELS[:1], batch=7).run()
    assert np.array_equal(training(engine(), None, [Source(KERNELS[0])], batch=7).run(), whole)


def test_an_interrupted_training_goes_on_with_its_blocks() -> None:
    sources = [Source(kernel) for kernel in KERNELS]
    whole = training(engine(), KERNELS, batch=7).run()
    first, second = (training(engine(), None, sources, batch=7) for _ in range(2))
    first.run(until=2)
    second.restore(first.state())
    assert np.array_equal(second.run(), whole)


def test_torch_sees_the_same_blocks() -> None:
    made = TorchRecurrent(Architecture(V, layers=1, hidden=3))
    whole = training(made, KERNELS, batch=7).run()
    blocks = training(made, None, [Source(kernel) for kernel in KERNELS], batch=7).run()
    np.testing.assert_allclose(blocks, whole, rtol=1e-4, atol=1e-6)


def test_weights_are_not_selected_by_a_kernel_that_is_not_there() -> None:
    with pytest.raises(UserError, match="select_every"):
        training(engine(), None, [Source(KERNELS[0])], batch=7, select_every=1)
