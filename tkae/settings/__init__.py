"""From the words of a command to setups: schemas, registry, composition."""
