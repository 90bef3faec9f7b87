"""The engine: cards and deals, the rules of a deal, pulkas, runs, data, analysis, commands."""
