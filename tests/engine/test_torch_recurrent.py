"""The torch path trains and evaluates like the fused kernels, to float tolerance."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.helpers import Problem, relative_error
from tkae.engine.architecture import Architecture
from tkae.engine.batch import SeriesSets
from tkae.engine.recurrent import Recurrent
from tkae.engine.torch_recurrent import TorchRecurrent
from tkae.engine.trainer import Replica, Schedule, Training
from tkae.errors import UserError

VARIANTS = [
    ({"cell": "gru"}, 0, True),
    ({"combination": "layers", "output_bias": False, "end_step": True}, 1, False),
    ({"bidirectional": False, "reverse": True}, 0, True),
    ({"memory": "zero"}, 0, True),
]


@pytest.mark.parametrize(("variant", "padded", "keep_last"), VARIANTS)
def test_both_paths_train_to_the_same_weights(variant: dict, padded: int, keep_last: bool) -> None:
    shape = Architecture(2, layers=2, hidden=4, **variant)
    problem = Problem(shape, n=30)
    data = SeriesSets(
        problem.x[None], problem.counted[None], problem.lengths[None], problem.kernel[None], padded
    )
    replicas = [
        Replica(0, alpha=0.2, penalty=0.01, p_s=0.5, rate=0.01),
        Replica(1, p_s=1.0, rows=np.arange(4, 23)),
        Replica(2, alpha=0.1, p_s=0.0, rate=0.003),
    ]
    schedule = Schedule(epochs=4, batch=8, keep_last=keep_last, select_every=2)
    fused = Training(Recurrent(shape), data, replicas, schedule, dtype=np.float64)
    plain = Training(TorchRecurrent(shape), data, replicas, schedule, dtype=np.float64)
    assert relative_error(plain.run(), fused.run()) < 1e-8
    assert np.allclose(plain.state()["best_loss"], fused.state()["best_loss"], rtol=1e-7)
    for a, b in zip(plain.evaluate(), fused.evaluate(), strict=True):
        assert np.allclose(a, b, atol=1e-7)


def test_a_device_that_is_not_there_is_said() -> None:
    with pytest.raises(UserError, match="device=cpu always can"):
        TorchRecurrent(Architecture(2), "nonsense")
