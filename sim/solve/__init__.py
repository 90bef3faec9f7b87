"""The command ``preferans solve``: what is asked, the answers, their report."""
