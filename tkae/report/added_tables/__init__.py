"""Tables that an experiment has beside its usual one, in a module of its name: see `by_name`."""
