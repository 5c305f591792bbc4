"""Runs: which cells there are, where their records are kept, and what computes the missing ones."""
