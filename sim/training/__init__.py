"""Training of a bot's tables: solved deals, games played by a bot that is handed in, fits.

``pipeline`` runs the stages and writes one file of tables; ``labels`` and ``tables`` count tricks
with the cards open, ``closed`` corrects them by played games and fits the defence, ``raspas`` and
``misere`` are what they say. Compiled code is in ``kernels``.
"""
