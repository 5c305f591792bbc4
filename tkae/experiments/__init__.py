"""Experiments: one module each, named after the paper's tables and figures."""
