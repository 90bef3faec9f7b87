"""The naive twin: Preferans written a second time, straight from the rules.

Plain lists, dicts and fractions, no speed, nothing borrowed from the engine. `naive.deal` plays one
deal for two, three or four, with its parts in `naive.auction`, `naive.talon`, `naive.whist`,
`naive.dummy` and `naive.play`; `naive.scoring` says what a deal writes, `naive.sheet` writes it on
the sheet and settles the sheet, `naive.pulka` goes on from deal to deal. `naive.razboinik` plays
that game, `naive.rows` is its table. `naive.refet` plays the refet game, with its parts in
`naive.refet_auction`, `naive.refet_follow` and `naive.refet_play`; `naive.refet_scoring` and
`naive.refet_sheet` keep its columns, soup and refets. Tests play and write the same deals here and
in the engine and compare. Paragraph numbers in the docstrings are those of the Code of Preferans.
"""
