"""The figures that are estimated, by family and number of players, and the sums they come from."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.contract import REFET_CONTRACTS
from scoring.conventions import FAMILIES, POOL_FAMILY, RAZBOINIK, REFET
from scoring.result import MAX_PLAYERS, TWO_PLAYERS
from scoring.variant import TABLE_SIZES, USUAL_PLAYERS

from .game import Game
from .state import N_HANDS

LEVELS = (6, 7, 8, 9, 10)
GAMES = (*map(str, LEVELS), "misere")


@dataclass(frozen=True)
class Metric:
    """A figure: the ratio of two sums over pulkas, or the square root of it.

    ``share`` marks a rate between 0 and 1; ``unit`` is what the value counts. ``needs`` is the
    field of a game (``sim.game``) without which there is no such figure.
    """

    name: str
    title: str
    over: str
    by: str
    unit: str = ""
    share: bool = False
    root: bool = False
    needs: str = ""

    def is_of(self, game: Game) -> bool:
        """Whether what it counts can happen in a game."""
        return not self.needs or bool(getattr(game, self.needs))


def _share(name: str, title: str, over: str, by: str, needs: str = "") -> Metric:
    return Metric(name, title, over, by, share=True, needs=needs)


def _seat_titles(n_players: int) -> list[str]:
    """Whose deal value a seat's is: of two players the eldest's and the dealer's; else of the three
    hands, and with four players of the dealer."""
    if n_players == TWO_PLAYERS:
        return ["value of the eldest", "value of the dealer"]
    titles = [f"value of seat {hand + 1} from the eldest" for hand in range(N_HANDS)]
    return titles if n_players < MAX_PLAYERS else [*titles, "value of the sitting dealer"]


_THROWN_IN = _share(
    "thrown_in_rate", "thrown in, share of deals", "thrown_in", "deals", "thrown_in"
)


def _whists(n_players: int) -> tuple[Metric, ...]:
    """What the defenders call. A dealer's whist is a share of the contracts that no defender
    whisted, 0 where he may not (``whist.dealer_may``)."""
    if n_players == TWO_PLAYERS:
        return (
            _share("whist_rate", "whists, share of contracts", "whists", "defenders"),
            _share("blind_rate", "blind, share of whists", "blind", "chosen", "blind"),
        )
    sitting = n_players == MAX_PLAYERS
    title = "dealer's whists, share of left to him"
    dealers = _share("dealer_whist_rate", title, "dealer_whists", "left")
    return (
        _share("whist_rate", "whists per defender asked", "whists", "defenders"),
        _share("half_whist_rate", "half-whists per defender", "halves", "defenders"),
        *([dealers] if sitting else []),
        _share("whisted_rate", "contracts played out", "whisted", "contracts"),
        _share("open_rate", "played open, share of played", "opened", "whisted"),
    )


def _made(g: str) -> Metric:
    return _share(f"made_{g}", f"{g} made, share", f"made_{g}", f"games_{g}")


def _tricks(ending: str) -> tuple[Metric, ...]:
    """The declarer's tricks; ``ending`` says of which contracts."""
    return (
        *(
            Metric(
                f"declarer_tricks_{level}",
                f"declarer's tricks at {level}{ending}",
                f"tricks_{level}",
                f"played_{level}",
                "tricks",
            )
            for level in LEVELS
        ),
        Metric(
            "misere_tricks",
            "declarer's tricks at misere",
            "tricks_misere",
            "games_misere",
            "tricks",
        ),
    )


_SPREAD = Metric(
    "result_spread", "spread of a result (SD)", "result_square", "pulkas", "whists", root=True
)
_UNFINISHED = _share("unfinished_rate", "unfinished pulkas", "unfinished", "pulkas")


def _results(n_players: int) -> tuple[Metric, ...]:
    return tuple(
        Metric(f"player_{i}", f"result of player {i}", f"result_{i}", "pulkas", "whists")
        for i in range(n_players)
    )


def _seats(n_players: int) -> tuple[Metric, ...]:
    return tuple(
        Metric(f"seat_{h}", title, f"seat_{h}", "deals", "whists")
        for h, title in enumerate(_seat_titles(n_players))
    )


def _pool_metrics(n_players: int) -> tuple[Metric, ...]:
    return (
        _share("raspas_rate", "raspas, share of deals", "raspas", "deals"),
        *([_THROWN_IN] if n_players == TWO_PLAYERS else []),
        Metric("deals_per_pulka", "deals per pulka", "deals", "pulkas", "deals"),
        *(_share(f"share_{g}", f"{g}, share of deals", f"games_{g}", "deals") for g in GAMES),
        *map(_made, GAMES),
        *(_share(f"failed_{g}", f"{g} failed, share", f"failed_{g}", f"games_{g}") for g in GAMES),
        _share("without_talon_rate", "without the talon, share of games", "without_talon", "games"),
        *_whists(n_players),
        *_tricks(", played"),
        Metric("raspas_cost", "cost of a raspas", "raspas_cost", "raspas", "whists"),
        Metric("game_cost", "cost of another deal", "game_cost", "games", "whists"),
        _SPREAD,
        *_seats(n_players),
        *_results(n_players),
        _UNFINISHED,
    )


def _razboinik_metrics() -> tuple[Metric, ...]:
    """A pulka's deals and their shares are fixed; what is open is how each row comes out, when it
    is played, and who wins."""
    players = range(TWO_PLAYERS)
    return (
        *map(_made, GAMES),
        *(
            Metric(f"points_{g}", f"points lost at {g}", f"points_{g}", f"games_{g}", "points")
            for g in GAMES
        ),
        *_tricks(""),
        *(
            Metric(f"turn_{g}", f"turn (1 to 6) at which {g} is played", f"turn_{g}", f"games_{g}")
            for g in GAMES
        ),
        *(
            Metric(f"points_player_{i}", f"points of player {i}", f"lost_{i}", "pulkas", "points")
            for i in players
        ),
        Metric("margin", "margin of a pulka", "margin", "pulkas", "whists"),
        _SPREAD,
        *(_share(f"win_{i}", f"won by player {i}, share", f"won_{i}", "pulkas") for i in players),
        _share("draw_rate", "drawn pulkas", "drawn", "pulkas"),
        *_results(TWO_PLAYERS),
        _UNFINISHED,
    )


def _hands() -> tuple[Metric, ...]:
    """How often each contract of the refet game is declared, and made where cards are played."""

    def needs(contract: str) -> str:
        return contract if contract == "preferans" else ""

    return (
        *(
            _share(f"share_{c}", f"{c}, share of deals", f"games_{c}", "deals", needs(c))
            for c in REFET_CONTRACTS
        ),
        *(
            _share(f"made_{c}", f"{c} made, share of played", f"made_{c}", f"played_{c}", needs(c))
            for c in REFET_CONTRACTS
        ),
        _share("from_hand_rate", "from the hand, share of games", "from_hand", "games"),
        _share("unplayed_spades_rate", "plain spades left unplayed", "spades_left", "spades"),
    )


def _followers() -> tuple[Metric, ...]:
    """Who comes in the refet game, who is short, and what both take."""
    return (
        _share("come_rate", "comes, per follower asked", "comes", "asked_followers"),
        _share("nobody_came_rate", "nobody came, share of asked", "nobody_came", "asked"),
        _share("invite_rate", "invites, share of lone followers", "invites", "lone", "invite"),
        _share("short_rate", "short, share of followers", "short", "followers"),
        Metric(
            "defence_tricks",
            "taken by the defence, suits and sans",
            "defence_tricks",
            "played",
            "tricks",
        ),
    )


def _contras() -> tuple[Metric, ...]:
    """How far hands of the refet game are doubled, and who wins those."""
    return (
        _share("contra_rate", "contra, share of asked", "contra", "may_contra", "contra"),
        _share("recontra_rate", "recontra, share of contras", "recontra", "contra", "recontra"),
        _share(
            "subcontra_rate", "subcontra, share of recontras", "subcontra", "recontra", "subcontra"
        ),
        _share(
            "mordcontra_rate",
            "mordcontra, share of subcontras",
            "mordcontra",
            "subcontra",
            "mordcontra",
        ),
        _share("contra_won_rate", "contra won by the defence", "contra_won", "contra", "contra"),
    )


def _refets() -> tuple[Metric, ...]:
    """How often refets are written and used; one that is barred would have been written but for
    the most in a pulka, or a player under the hat."""
    return (
        Metric("refets_per_pulka", "refets written per pulka", "refets_given", "pulkas"),
        _share("barred_rate", "passed by all without a refet", "barred", "passed"),
        _share("used_rate", "refets used, share of written", "refets_used", "refets_taken"),
        _share("refet_rate", "on a refet, share of games", "on_refet", "games"),
    )


def _refet_metrics(n_players: int) -> tuple[Metric, ...]:
    return (
        _share("passed_rate", "passed by all, share of deals", "passed", "deals"),
        Metric("deals_per_pulka", "deals per pulka", "deals", "pulkas", "deals"),
        *_hands(),
        *_followers(),
        *_contras(),
        *_refets(),
        Metric("game_cost", "cost of a game", "game_cost", "games", "whists"),
        Metric("refet_cost", "cost of a game on a refet", "refet_cost", "on_refet", "whists"),
        Metric(
            "contra_cost",
            "cost of a game under contra",
            "contra_cost",
            "contra",
            "whists",
            needs="contra",
        ),
        _share("under_hat_rate", "columns below zero at the end", "below_zero", "columns"),
        _SPREAD,
        *_seats(n_players),
        *_results(n_players),
        _UNFINISHED,
    )


_METRICS = {(FAMILIES[POOL_FAMILY], n): _pool_metrics(n) for n in TABLE_SIZES}
_METRICS[FAMILIES[RAZBOINIK], TWO_PLAYERS] = _razboinik_metrics()
_METRICS |= {(FAMILIES[REFET], n): _refet_metrics(n) for n in (USUAL_PLAYERS, MAX_PLAYERS)}


def _all_of(game: Game) -> tuple[Metric, ...]:
    return _METRICS[game.family, game.players]


def metrics_of(*games: Game) -> tuple[Metric, ...]:
    """The figures of runs of one family and number of players that there are in one game at
    least."""
    return tuple(m for m in _all_of(games[0]) if any(m.is_of(game) for game in games))


def _columns(metrics: tuple[Metric, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for m in metrics for name in (m.over, m.by)))


_COLUMNS = {key: _columns(metrics) for key, metrics in _METRICS.items()}


def columns_of(game: Game) -> tuple[str, ...]:
    """The sums that the figures are made of, in order: the same whatever can happen."""
    return _COLUMNS[game.family, game.players]
