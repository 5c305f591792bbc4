"""tkae: the Temporal Kernelized Autoencoder paper (Bianchi et al. 2019), re-measured and usable."""

__version__ = "0.1.0"
