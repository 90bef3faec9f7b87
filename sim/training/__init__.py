"""Training: what bots learn once, and how they answer each other under a variant.

``pipeline`` runs the stages that make one file of tables: ``labels`` and ``tables`` count tricks
with the cards open, ``closed`` corrects them by played games and fits the defence, ``raspas`` and
``misere`` are what they say. ``cards`` teaches a policy of card play. ``environment`` lets the bots
of a variant answer each other until that settles, ``settling`` does so from several starts, and
``shifts`` asks whether anybody gains by leaving a fixpoint. Compiled code is in ``kernels``.
"""
