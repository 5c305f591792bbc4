"""The engine: recurrent and dense kernels with a replica axis. It knows arrays and losses only."""
