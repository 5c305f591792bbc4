"""A model: settings as dataclass fields, what it learns and tells, and what a plan of runs asks of it.

The two levels that it is used at have modules of their own: `tkae.models.contract` is what the author of a
model writes and experiments call, `tkae.models.estimator` what users call.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from tkae.data.collection import Collection
from tkae.data.dataset import Extent
from tkae.fields import values
from tkae.models.estimator import Estimator


@dataclass
class Model(Estimator):
    """The fields of a model are its settings, and the schema of its config file."""

    title: ClassVar[str]  # as the paper's tables print it
    replicas_at_once: ClassVar[int] = 1  # how many replicas `learn_replicas` takes at once with profit
    aligned: ClassVar[bool] = False  # to a kernel of the training series: see `Collection.kernel`
    growth: ClassVar[float] = 1.0  # the power of the number of series that a fit costs
    leaner: ClassVar[str] = "take fewer series"  # what a user whose memory does not do can do

    def other_versions(self) -> dict[str, int]:
        """Versions of other methods that enter its numbers: a change of theirs redoes its cells, too."""
        return {}

    def idle(self, kernel: bool) -> frozenset[str]:
        """Settings that change no number beside the others, such as the kernel's own where the series carry
        a `kernel` already: cells that differ only there are the same cell.
        """
        return frozenset()

    def check_here(self) -> None:
        """Raise the sentence why it cannot be fitted on this machine, if it cannot."""

    def footprint(self, extent: Extent) -> int:
        """Bytes that a replica takes while it learns and is used, roughly: at least its series, as they were
        and as they are given, with masks.
        """
        return 2 * 9 * extent.entries

    def shared(self, sample: Collection, extent: Extent, seed: int) -> dict[str, float]:
        """Seconds of what learning rests on and others on the same series rest on, too, by what it is."""
        return {}

    def seconds(self, sample: Collection, extent: Extent, replicas: int = 1) -> float:
        """How long learning, as one of `replicas` side by side, keeps one core busy without what is `shared`.

        Timed on some series, all of the longest, and scaled.
        """
        dataclasses.replace(self).learn(sample)  # which may import
        begun = time.process_time()
        dataclasses.replace(self).learn(sample)
        more = extent.train / len(sample)
        return float((time.process_time() - begun) * more**self.growth)

    def shared_settings(self) -> dict[str, Any]:
        """The settings in which models must agree to learn together as replicas."""
        return values(self)
