"""What a user types: tkae-run, tkae-data, tkae-results."""
