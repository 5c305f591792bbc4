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
    """Stacked bidirectional encoder, a dense tanh layer to the code, a generative decoder."""

    name: ClassVar[str] = "tae"
    title: ClassVar[str] = "TAE"
    version: ClassVar[int] = 2  # 2: sums in an order that no processor changes

    cell: str = setting("lstm", one_of=("lstm", "gru"))
    layers: int = setting(2, at_least=1, at_most=100)  # M
    p_s: float = setting(
        0.9, at_least=0, at_most=1
    )  # scheduled sampling: how often the own output is fed back
    bidirectional: bool = True
    combination: str = setting("top", one_of=("top", "layers"))
    # the code from the top layers' states h, by one dense layer; or from h and c of each layer, by one each
    start: str = setting(
        "all", one_of=("all", "last")
    )  # with "layers": the decoder starts from which of them
    memory: str = setting("code", one_of=("code", "zero"), absent="zero")
    # with "top": the memory c of an LSTM decoder starts from the code, as its h does, or from 0
    output_bias: bool = True
    end_step: bool = False  # one step more, with target 0
    reverse: bool = False  # reconstruct the series from its end
    device: str = setting("cpu", one_of=("cpu", "cuda", "mps"), identity=False)  # cpu: the fused kernels

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

    def replica(self, seed: int, set_of: int, n: int) -> Replica:
        return replace(super().replica(seed, set_of, n), p_s=self.p_s)
