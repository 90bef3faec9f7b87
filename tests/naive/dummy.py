"""The dummy of two players (болван): its place among the hands, and the card it plays by itself."""

from .cards import DEALER, HANDS, PACK, Conventions, rank_of

_PLACES = {"first": 0, "middle": 1, "last": 2}


def dummy_hand(conv: Conventions, n: int) -> int | None:
    """The hand that nobody was dealt; None unless two play."""
    return _PLACES[conv["dummy.seat"]] if n == 2 else None


def seats_of(conv: Conventions, n: int) -> list[int]:
    """The seats of the players in turn from the eldest; of two, he who does not deal is eldest."""
    if n == 2:
        return [hand for hand in HANDS if hand != dummy_hand(conv, n)]
    return [*HANDS, DEALER][:n]


def lowest_card(cards: list[str]) -> str:
    """The lowest card by rank, of equal ranks the one of the lowest suit."""
    return min(cards, key=lambda card: (rank_of(card), PACK.index(card)))
