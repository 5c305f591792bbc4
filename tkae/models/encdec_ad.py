"""EncDec-AD (Malhotra et al. 2016): one layer, one direction, the series reconstructed from its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tkae.fields import setting
from tkae.models.tae import TAE


@dataclass
class EncDecAD(TAE):
    """EncDec-AD: a TAE without the second direction and without depth. Its parameters are those of `TAE`."""

    name: ClassVar[str] = "encdec_ad"
    title: ClassVar[str] = "EncDec-AD"

    layers: int = setting(1, at_least=1, at_most=100)
    bidirectional: bool = False
    reverse: bool = True
