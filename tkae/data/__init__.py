"""Data: the collection type, where data come from, and what is done to them before a model sees them."""
