"""Compiled code of the training."""
