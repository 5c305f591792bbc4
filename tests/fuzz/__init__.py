"""Bad input on purpose: `make fuzz` runs the long version of what the tests here run shortly."""
