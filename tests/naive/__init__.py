"""The naive twin: three-player Preferans written a second time, straight from the rules.

Plain lists, dicts and fractions, no speed, nothing borrowed from the engine: `naive.deal` plays one
deal (auction, discard, contract, whist calls, card play), `naive.scoring` writes it on the sheet
and settles the sheet. Tests play the same deals here and in the engine and compare. Paragraph
numbers in the docstrings are those of the Code of Preferans.
"""
