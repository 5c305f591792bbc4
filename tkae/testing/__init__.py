"""Checks that a model, dataset, missingness, experiment or executor keeps its contract: for its author to run."""
