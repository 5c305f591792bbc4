"""Evaluation: plain functions from arrays to figures; the tests hold a literal version of each."""
