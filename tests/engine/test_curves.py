"""What is kept of a training's course: the losses of some 200 epochs, whoever else trained and stopped."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.test_replicas import _data, _replica, _training
from tkae.engine.architecture import Architecture
from tkae.engine.recurrent import Recurrent
from tkae.engine.trainer import CURVE, EpochReport, Schedule, Training


@pytest.mark.parametrize("epochs", [1, 2, 7, CURVE, CURVE + 1, 5000, 30000])
def test_the_first_and_the_last_epoch_are_kept_and_about_two_hundred_between(epochs: int) -> None:
    kept = Schedule(epochs=epochs).noted
    assert kept[0] == 1 and kept[-1] == epochs and (np.diff(kept) > 0).all()
    assert len(kept) == min(epochs, CURVE)
    gaps = np.diff(kept)
    assert len(gaps) == 0 or gaps.max() - gaps.min() <= 1


def test_a_curve_has_the_losses_that_the_epochs_had() -> None:
    told: list[EpochReport] = []
    training = _training([0, 3])
    training.run(told.append)
    for replica in (0, 1):
        curve = training.curve(replica)
        assert curve["epochs"].tolist() == [one.epoch for one in told]
        expected = np.array([one.parts[replica] for one in told], dtype=np.float32)
        np.testing.assert_array_equal(curve["losses"], expected)
    alone = _training([3])
    alone.run()
    assert alone.curve(0)["losses"].tobytes() == training.curve(1)["losses"].tobytes()


def test_a_replica_that_stopped_early_has_no_losses_after_that() -> None:
    shape = Architecture(3, "gru", layers=1, hidden=5, combination="layers")
    schedule = Schedule(epochs=40, batch=16, select_every=1, patience=1)
    slow = [_replica(0), _replica(1)]
    training = Training(Recurrent(shape, 1), _data(), slow, schedule)
    training.run()
    for replica in (0, 1):
        missing = np.isnan(training.curve(replica)["losses"]).any(axis=1)
        assert not missing[0] and (np.diff(missing.astype(int)) >= 0).all()  # once it ended, it stays so
        assert missing.sum() == 40 - (~missing).sum()
