"""Readers, one a file format: they know bytes and text, and nothing of datasets."""
