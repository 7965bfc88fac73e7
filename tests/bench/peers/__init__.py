"""What others made, used as its own documentation says, on the same servers."""
