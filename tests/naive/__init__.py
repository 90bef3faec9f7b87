"""The naive twin: Preferans written a second time, straight from the rules.

Plain lists, dicts and fractions, no speed, nothing borrowed from the engine: `naive.deal` plays one
deal for three (auction, discard, contract, whist calls, card play), `naive.scoring` says what a
deal of three or four writes, `naive.sheet` writes it on the sheet and settles the sheet. Tests play
and write the same deals here and in the engine and compare. Paragraph numbers in the docstrings are
those of the Code of Preferans.
"""
