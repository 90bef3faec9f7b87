"""What ``sampling`` imagines: worlds that fit, what cards and calls are worth in them."""
