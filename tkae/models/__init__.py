"""Models: one module each, one contract (see base)."""
