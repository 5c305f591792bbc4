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
    """The dense autoencoder.

    Steps beyond the longest training series are not seen, and are reconstructed as 0.

    Parameters
    ----------
    hidden : int
        Units of the two hidden layers.
    activation : {"tanh", "sigmoid", "relu"}
        Of the hidden layers and the code.
    linear_decoder : bool
        Whether the decoder's hidden layer is linear ("lin." in the paper's tables).
    tied : bool
        Whether the decoder's weights are the encoder's, transposed.
    corruption : float
        How often an input is set to 0 in training.

    The others are those of `Autoencoder` and `Estimator`.
    """

    name: ClassVar[str] = "ae"
    title: ClassVar[str] = "AE"
    version: ClassVar[int] = 2
    any_length: ClassVar[bool] = False

    hidden: int = setting(30, at_least=1, at_most=10_000)
    activation: str = setting("tanh", one_of=("tanh", "sigmoid", "relu"))
    linear_decoder: bool = False
    tied: bool = False
    corruption: float = setting(0.0, at_least=0, at_most=1)

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
    """The denoising autoencoder: an AE half of whose inputs are set to 0 in training, and whose errors count
    where values were observed. Its parameters are those of `AE`.
    """

    name: ClassVar[str] = "dae"
    title: ClassVar[str] = "DAE"

    corruption: float = setting(0.5, at_least=0, at_most=1)
    loss: str = setting("observed", one_of=("filled", "observed", "padded"))
