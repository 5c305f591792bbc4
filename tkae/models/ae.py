"""Dense autoencoders {D_x, 30, D_z, 30, D_x} on the series unfolded into vectors: AE and DAE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tkae.fields import setting
from tkae.models.autoencoder import Autoencoder

if TYPE_CHECKING:
    from tkae.engine.replicas import Engine


@dataclass
class AE(Autoencoder):
    """Steps beyond the longest training series are not seen, and are reconstructed as 0."""

    name: ClassVar[str] = "ae"
    title: ClassVar[str] = "AE"
    version: ClassVar[int] = 2
    any_length: ClassVar[bool] = False

    hidden: int = setting(30, at_least=1, at_most=10_000)
    activation: str = setting("tanh", one_of=("tanh", "sigmoid", "relu"))
    linear_decoder: bool = False  # the decoder's hidden layer is linear ("lin." in the paper's tables)
    tied: bool = False  # decoder weights are the encoder's, transposed
    corruption: float = setting(0.0, at_least=0, at_most=1)  # how often an input is set to 0 in training

    def engine(self, steps: int, width: int) -> Engine:
        from tkae.engine.dense import Dense

        return Dense(
            inputs=steps * width,
            code=self.code_size,
            hidden=self.hidden,
            activation=self.activation,
            linear_decoder=self.linear_decoder,
            tied=self.tied,
            corruption=self.corruption,
        )


@dataclass
class DAE(AE):
    """Denoising: half of the inputs are set to 0 in training, and errors count where values were observed."""

    name: ClassVar[str] = "dae"
    title: ClassVar[str] = "DAE"

    corruption: float = setting(0.5, at_least=0, at_most=1)
    loss: str = setting("observed", one_of=("filled", "observed", "padded"))
