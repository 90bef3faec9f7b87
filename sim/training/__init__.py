"""Training: what bots learn once, and how they answer each other under a variant."""
