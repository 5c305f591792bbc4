"""Reader of PhysioNet's WFDB records whose signal is a MATLAB 4 file: `.hea` says how, `.mat` holds it."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Floats
from tkae.errors import DataError


def parse_record(header: bytes, signal: bytes, name: str) -> tuple[Floats, float]:
    """The signal (samples) in mV, and its sampling frequency in Hz; one channel of 16-bit integers."""
    try:
        first, second = header.decode("ascii").splitlines()[:2]
        _, channels, frequency, samples = first.split()[:4]
        _, layout, gain, _, zero = second.split()[:5]
        bits, offset = layout.split("+")
        units, unit = gain.split("/")
        if (channels, bits, unit) != ("1", "16", "mV"):
            raise ValueError("one 16-bit channel in mV was expected")
        numbers = np.frombuffer(signal, dtype="<i2", count=int(samples), offset=int(offset))
        return (numbers - float(zero)) / float(units), float(frequency)
    except (ValueError, OverflowError) as error:  # of undecodable text too
        raise DataError(f"record {name}: not a record that can be read ({error})") from error
