"""Figures, one module each. That of an experiment has its name and a function `figure`: see `by_name`."""
