"""A person at the table against bots, and a bot asked for advice at any decision."""
