"""The sheet that a protocol leaves, to start base deals from."""

from __future__ import annotations

import numpy as np

from scoring.protocol.keeping import Pulka, keep_protocol
from scoring.protocol.ppn import looks_like_ppn
from scoring.protocol.reading import parse_protocol
from scoring.protocol.tournament import looks_like_csv
from scoring.variant import Variant

from ..run import RunError
from ..state import START_DTYPE
from .match import Start


def _check_same(
    pulka: Pulka, variant: Variant | None, players: int | None, pool: int | None
) -> None:
    """RunError where the match asks for another game than the protocol's."""
    protocol = pulka.protocol
    where = f"{protocol.where} is a sheet of"
    if variant is not None and variant.digest() != protocol.variant.digest():
        same = "other conventions" if variant.name == protocol.variant.name else variant.name
        raise RunError(f"{where} {protocol.variant.name}, and cannot go on under {same}")
    if players not in (None, pulka.sheet.n):
        raise RunError(f"{where} {pulka.sheet.n} players, and cannot go on with {players}")
    if pool not in (None, protocol.pool):
        raise RunError(f"{where} a pool to {protocol.pool}, and cannot go on to {pool}")


def read_start(
    text: str,
    where: str,
    variant: Variant | None = None,
    players: int | None = None,
    pool: int | None = None,
) -> tuple[Start, Pulka]:
    """The sheet at the end of a protocol's text, and the pulka that led to it.

    ``variant``, ``players`` and ``pool``, where given, must be the protocol's. Raises ProtocolError
    or RunError.
    """
    if looks_like_csv(text) or looks_like_ppn(text):
        raise RunError(f"{where} is no protocol of one pulka in TOML or JSON, see docs/protocol.md")
    protocol = parse_protocol(text, where)
    pulka = keep_protocol(protocol)
    _check_same(pulka, variant, players, pool)
    if pulka.sheet.is_over():
        raise RunError(f"{where}: the pulka is over, so no deal is left to play")
    record = np.zeros(1, START_DTYPE)
    sheet = pulka.sheet.record()
    assert sheet.dtype.names is not None
    for name in sheet.dtype.names:
        record[name] = sheet[name]
    record["dealer"] = pulka.dealer
    return Start(record, protocol.total, where), pulka
