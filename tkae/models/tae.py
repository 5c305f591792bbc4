"""TAE: the recurrent autoencoder of the paper without kernel alignment (alpha = 0)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tkae.fields import setting
from tkae.models.autoencoder import Autoencoder

if TYPE_CHECKING:
    from tkae.engine.architecture import Architecture
    from tkae.engine.replicas import Engine
    from tkae.engine.trainer import Replica


@dataclass
class TAE(Autoencoder):
    """The temporal autoencoder: a stacked bidirectional encoder, a dense tanh layer to the code, and a
    decoder that goes on from its own outputs.

    Parameters
    ----------
    cell : {"lstm", "gru"}
        The recurrent cell.
    layers : int
        M, the layers of encoder and decoder.
    p_s : float
        Scheduled sampling: how often the decoder's own output is fed back in training.
    bidirectional : bool
        Whether the encoder reads the series from both ends.
    combination : {"top", "layers"}
        The code from the top layers' states h, by one dense layer, or from h and c of each layer, by one
        each.
    start : {"all", "last"}
        With combination="layers": which of these the decoder starts from.
    memory : {"code", "zero"}
        With combination="top": whether the memory c of an LSTM decoder starts from the code, as its h does,
        or from 0.
    output_bias : bool
        Whether the decoder's output layer has a bias.
    end_step : bool
        One step more, with target 0.
    reverse : bool
        Whether the series is reconstructed from its end.
    device : {"cpu", "cuda", "mps"}
        Where the network is trained: "cpu" are the fused kernels, others are torch's devices.

    The others are those of `Autoencoder` and `Estimator`.
    """

    name: ClassVar[str] = "tae"
    title: ClassVar[str] = "TAE"
    version: ClassVar[int] = 2  # 2: sums in an order that no processor changes

    cell: str = setting("lstm", one_of=("lstm", "gru"))
    layers: int = setting(2, at_least=1, at_most=100)
    p_s: float = setting(0.9, at_least=0, at_most=1)
    bidirectional: bool = True
    combination: str = setting("top", one_of=("top", "layers"))
    start: str = setting("all", one_of=("all", "last"))
    memory: str = setting("code", one_of=("code", "zero"), absent="zero")
    output_bias: bool = True
    end_step: bool = False
    reverse: bool = False
    device: str = setting("cpu", one_of=("cpu", "cuda", "mps"), identity=False)

    def idle(self, kernel: bool) -> frozenset[str]:
        layers = self.combination == "layers"
        without_memory = layers or self.cell != "lstm"
        unused = {"start": not layers, "memory": without_memory}
        return super().idle(kernel) | {name for name, is_so in unused.items() if is_so}

    def architecture(self, width: int) -> Architecture:
        from tkae.engine.architecture import Architecture

        return Architecture(
            variates=width,
            cell=self.cell,
            layers=self.layers,
            hidden=self.code_size,
            bidirectional=self.bidirectional,
            combination=self.combination,
            start=self.start,
            memory=self.memory,
            output_bias=self.output_bias,
            end_step=self.end_step,
            reverse=self.reverse,
        )

    def engine(self, steps: int, width: int) -> Engine:
        architecture = self.architecture(width)
        if self.device == "cpu":
            from tkae.engine.recurrent import Recurrent

            return Recurrent(architecture)
        from tkae.engine.torch_recurrent import TorchRecurrent  # the same network where there is a GPU

        return TorchRecurrent(architecture, self.device)

    def check_here(self) -> None:
        if self.device != "cpu":
            self.engine(steps=1, width=1)

    def replica(self, seed: int, set_of: int, n: int) -> Replica:
        return replace(super().replica(seed, set_of, n), p_s=self.p_s)
