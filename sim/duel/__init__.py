"""Duels: two bots on the same deals in all seatings, and tournaments of pairs."""
