"""What `tkae-apply` does with a file of a user's own series: complete them, encode them, screen them."""
