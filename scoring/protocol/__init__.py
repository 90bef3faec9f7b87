"""Protocols (протокол): games written by hand, read, checked, scored, and told."""
