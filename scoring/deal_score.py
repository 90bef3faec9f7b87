"""What one deal writes: from its result (``scoring.result``) to entries in twelfths."""

from __future__ import annotations

from .contract import MISERE_GAME, MISERE_ROW, RASPAS, TRICKS
from .conventions import (
    BONUS_HALF_EACH,
    DUTY_BOTH_FULL,
    DUTY_LAST,
    DUTY_LAST_PERSONAL,
    FOUR_DEALER_PLAYS,
    GENTLEMAN,
    PASSER_OWN,
    PASSER_TO_WHISTER,
    RAZBOINIK,
    REFET,
    REMISE_CAPPED,
    REMISE_PERSONAL_ALWAYS,
    TEN_CHECKED,
    TIE_HALVE,
    TO_MOUNTAIN,
    TRICKS_LOST,
    WHISTS_DIFFERENCE,
    ZERO_MOUNTAIN,
    ZERO_NONE,
)
from .kernel import Record, kernel, outline
from .refet import score_refet
from .result import (
    HALF_WHISTED,
    MAX_PLAYERS,
    NO_DECISION,
    TWO_PLAYERS,
    UNIT,
    WHISTED,
    is_made,
    is_thrown_in,
    sits_out,
)


@kernel
def raspas_multiplier(rules: Record, raspas_index: int) -> int:
    """Multiplier of the price of a raspas that follows ``raspas_index`` others."""
    return rules.raspas_progression[min(raspas_index, len(rules.raspas_progression) - 1)]


@kernel
def _clear(entries: Record) -> None:
    for i in range(MAX_PLAYERS):
        entries.gain[i] = 0
        entries.bonus[i] = 0
        entries.mountain_entry[i] = 0
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        entries.whist_entry[k] = 0


@kernel
def write_on_others(rules: Record, whists: Record, player: int, amount: int) -> None:
    """Add whists of a player on every other player at the table (призы)."""
    for other in range(rules.n_players):
        if other != player:
            whists[MAX_PLAYERS * player + other] += amount


@kernel
def is_checked(rules: Record, result: Record) -> bool:
    """Whether this contract is a ten that is only checked (проверяется)."""
    return result.level == 10 and rules.whist_ten == TEN_CHECKED


@kernel
def _write_made(rules: Record, result: Record, entries: Record, points: int) -> None:
    """A made contract: into the pool, or off the mountain where the declarer may and wishes so."""
    if result.off_mountain == 1:
        entries.mountain_entry[result.declarer] -= UNIT * points * rules.values_off_mountain_instead
    else:
        entries.gain[result.declarer] = UNIT * points


@kernel
def _score_misere(rules: Record, result: Record, entries: Record) -> None:
    """No duty and no consolation at misère; no whists, but where a convention has them."""
    declarer = result.declarer
    taken = result.tricks[declarer]
    if taken == 0:
        _write_made(rules, result, entries, rules.misere_made)
        write_on_others(rules, entries.whist_entry, declarer, UNIT * rules.prize_misere_made)
    else:
        entries.mountain_entry[declarer] = UNIT * rules.misere_undertrick * taken
        if rules.misere_whists > 0:
            for i in range(rules.n_players):
                if i != declarer and not sits_out(rules, result, i):
                    whists = UNIT * rules.misere_whists * taken
                    entries.whist_entry[MAX_PLAYERS * i + declarer] = whists
    if rules.misere_half_with_dealer == 1 and rules.n_players == MAX_PLAYERS:
        entries.gain[declarer] //= 2
        entries.mountain_entry[declarer] //= 2
        entries.gain[result.dealer] = entries.gain[declarer]
        entries.mountain_entry[result.dealer] = entries.mountain_entry[declarer]


@kernel
def _remise_price(rules: Record, result: Record) -> int:
    """Mountain points (twelfths) for each trick the whisters are short."""
    step = result.level - 6
    if result.after_close == 1 and rules.whist_responsible_after_close == 1:
        return UNIT * rules.values_undertrick[step]
    return UNIT * rules.values_remise[step]


@kernel
def whist_duty(rules: Record, result: Record) -> int:
    """Tricks that the whisters of a contract owe: on a blind whist of two players, its own."""
    if rules.n_players == TWO_PLAYERS and result.open_play == 0:
        return rules.dummy_blind_duty[result.level - 6]
    return rules.values_duty[result.level - 6]


@kernel
def defence_tricks(rules: Record, result: Record) -> int:
    """Tricks of the defence: of two players the defender's, for a closed dummy's are nobody's."""
    if rules.n_players == TWO_PLAYERS:
        return result.tricks[1 - result.declarer]
    return 10 - result.tricks[result.declarer]


@kernel
def _score_remise_of_one(
    rules: Record, result: Record, entries: Record, whister: int, defence: int
) -> None:
    """A lone whister answers for the whole duty, with all the defence's tricks (Code 3.8.2)."""
    short = whist_duty(rules, result) - defence
    free = rules.whist_dealer_responsible == 0 and sits_out(rules, result, whister)
    if short > 0 and not free:
        entries.mountain_entry[whister] += _remise_price(rules, result) * short


@kernel
def _score_remise_of_two(rules: Record, result: Record, entries: Record, defence: int) -> None:
    """Two whisters: the pair's duty first, then who of them was short (Code 3.8.2, 4.2.1)."""
    duty = rules.values_duty[result.level - 6]
    price = _remise_price(rules, result)
    pair_short = max(0, duty - defence)
    always = rules.whist_remise == REMISE_PERSONAL_ALWAYS
    if duty == 1 and not always and rules.whist_duty_one == DUTY_LAST_PERSONAL:
        if result.tricks[result.last_whister] == 0:
            entries.mountain_entry[result.last_whister] += price
        return
    if duty == 0 or (pair_short == 0 and not always):
        return
    if duty > 1 or always:
        quota = (duty + 1) // 2
        left = pair_short if rules.whist_remise == REMISE_CAPPED else 2 * quota
        for i in range(rules.n_players):
            if result.decision[i] == WHISTED:
                own = min(left, max(0, quota - result.tricks[i]))
                left -= own
                entries.mountain_entry[i] += price * own
        return
    for i in range(rules.n_players):
        if result.decision[i] == WHISTED:
            if rules.whist_duty_one == DUTY_LAST:
                entries.mountain_entry[i] += price if i == result.last_whister else 0
            elif rules.whist_duty_one == DUTY_BOTH_FULL:
                entries.mountain_entry[i] += price
            else:
                entries.mountain_entry[i] += price // 2


@kernel
def _share_of_one(
    rules: Record, own: int, shared: bool, trick_whists: int, consolation: int
) -> int:
    """Whists of a defender with one whister; ``own`` is his decision.

    Gentleman's whist shares the whists for tricks; consolation goes by its own convention.
    """
    tricks = trick_whists if own == WHISTED else 0
    if shared:
        tricks = trick_whists // 2
    if own == WHISTED:
        gets_more = rules.whist_consolation_passer == PASSER_TO_WHISTER
        if gets_more and rules.n_players != TWO_PLAYERS:
            return tricks + 2 * consolation
        return tricks + consolation
    return tricks + (consolation if rules.whist_consolation_passer == PASSER_OWN else 0)


@kernel
def _is_shared(rules: Record, result: Record, undertricks: int) -> bool:
    """Whether a lone whister shares the whists for tricks with the passer (джентльменский вист)."""
    if rules.n_players == TWO_PLAYERS:
        return False
    if rules.whist_style != GENTLEMAN or (undertricks == 0 and rules.whist_gentleman_made == 0):
        return False
    if rules.whist_returner_takes_all == 1:
        for i in range(rules.n_players):
            if result.decision[i] == HALF_WHISTED:
                return False
    return True


@kernel
def _score_whists(
    rules: Record, result: Record, entries: Record, n_whisters: int, whister: int
) -> None:
    """Whists of a played contract: for tricks, and consolation when the declarer failed."""
    declarer = result.declarer
    step = result.level - 6
    defence = defence_tricks(rules, result)
    undertricks = max(0, result.level - result.tricks[declarer])
    consolation = UNIT * rules.values_consolation[step] * undertricks
    price = UNIT * rules.values_whist[step]
    shared = n_whisters == 1 and _is_shared(rules, result, undertricks)
    counted = defence
    if n_whisters == 1 and undertricks > 0 and rules.whist_passer_tricks == TRICKS_LOST:
        counted = result.tricks[whister]
    for i in range(rules.n_players):
        own = result.decision[i]
        written = 0
        if i == declarer:
            continue
        if own == NO_DECISION:
            if rules.n_players == MAX_PLAYERS and rules.whist_consolation_dealer:
                written = consolation
        elif n_whisters == 2:
            written = price * result.tricks[i] + consolation
        else:
            written = _share_of_one(rules, own, shared, price * counted, consolation)
        entries.whist_entry[MAX_PLAYERS * i + declarer] = written


@kernel
def _score_talon(rules: Record, result: Record, entries: Record) -> None:
    """Whists on the declarer for quick tricks in the talon (быстрые взятки в прикупе)."""
    if rules.talon_bonus == 0 or result.talon_units == 0:
        return
    amount = rules.misere_made
    if result.kind == TRICKS:
        amount = rules.values_whist[result.level - 6]
    elif rules.talon_bonus_at_misere == 0:
        return
    amount *= UNIT * result.talon_units
    declarer = result.declarer
    if rules.n_players < MAX_PLAYERS and rules.talon_bonus_three == BONUS_HALF_EACH:
        for i in range(rules.n_players):
            if i != declarer:
                share = amount // (rules.n_players - 1)
                entries.whist_entry[MAX_PLAYERS * i + declarer] += share
    elif result.dealer != declarer:
        entries.whist_entry[MAX_PLAYERS * result.dealer + declarer] += amount


@kernel
def _score_tricks(rules: Record, result: Record, entries: Record) -> None:
    declarer = result.declarer
    step = result.level - 6
    price = UNIT * rules.values_undertrick[step]
    if result.concession > 0:
        entries.mountain_entry[declarer] = price * result.concession
        return
    n_whisters = 0
    whister = 0
    for i in range(rules.n_players):
        if result.decision[i] == WHISTED:
            n_whisters += 1
            whister = i
    if is_made(rules, result):
        _write_made(rules, result, entries, rules.values_made[step])
    else:
        missed = result.level - result.tricks[declarer]
        entries.mountain_entry[declarer] = price * max(missed, -missed)
    if result.played == 0:
        for i in range(rules.n_players):
            if result.decision[i] == HALF_WHISTED:
                pay = rules.values_whist[step] * rules.values_duty[step]
                entries.whist_entry[MAX_PLAYERS * i + declarer] = UNIT * pay // 2
        return
    _score_whists(rules, result, entries, n_whisters, whister)
    if is_checked(rules, result):
        return
    defence = defence_tricks(rules, result)
    if n_whisters == 1:
        _score_remise_of_one(rules, result, entries, whister, defence)
    else:
        _score_remise_of_two(rules, result, entries, defence)


@kernel
def takes_part(rules: Record, result: Record, player: int) -> bool:
    """Whether the player's tricks count at raspas: all but a sitting-out dealer."""
    return not sits_out(rules, result, player) or rules.raspas_talon_four == FOUR_DEALER_PLAYS


@kernel
def _score_raspas_whists(
    rules: Record, result: Record, entries: Record, lowest: int, n_lowest: int, price: int
) -> None:
    """The lowest taker writes on each who took more (Code 3.7.2.2)."""
    for i in range(rules.n_players):
        if not takes_part(rules, result, i) or result.tricks[i] != lowest:
            continue
        for j in range(rules.n_players):
            if not takes_part(rules, result, j) or result.tricks[j] == lowest:
                continue
            amount = price * result.tricks[j]
            if rules.raspas_whists == WHISTS_DIFFERENCE:
                amount = price * (result.tricks[j] - lowest)
            if rules.raspas_tie == TIE_HALVE:
                amount = amount // n_lowest
            entries.whist_entry[MAX_PLAYERS * i + j] += amount


@kernel
def _score_zero(rules: Record, result: Record, entries: Record, player: int, price: int) -> None:
    """The bonus of a player who took no trick at raspas."""
    if sits_out(rules, result, player) and rules.raspas_dealer_zero == 0:
        return
    write_on_others(rules, entries.whist_entry, player, UNIT * rules.prize_raspas_zero)
    if rules.raspas_zero_column == ZERO_NONE:
        return
    bonus = rules.raspas_zero_prices * price + UNIT * rules.raspas_zero_points
    if rules.raspas_zero_column == ZERO_MOUNTAIN:
        entries.mountain_entry[player] -= bonus
    else:
        entries.bonus[player] += bonus


@kernel
def _score_raspas(rules: Record, result: Record, entries: Record) -> None:
    if is_thrown_in(result):
        return
    price = UNIT * rules.raspas_price * raspas_multiplier(rules, result.raspas_index)
    for _ in range(result.dark_level):
        price *= rules.raspas_dark_factor
    lowest = 10
    n_lowest = 0
    for i in range(rules.n_players):
        if takes_part(rules, result, i):
            if result.tricks[i] < lowest:
                lowest = result.tricks[i]
                n_lowest = 0
            if result.tricks[i] == lowest:
                n_lowest += 1
    for i in range(rules.n_players):
        if takes_part(rules, result, i):
            if rules.raspas_column == TO_MOUNTAIN:
                counted = result.tricks[i] - (lowest if rules.raspas_amnesty else 0)
                entries.mountain_entry[i] += price * counted
            if result.tricks[i] == 0:
                _score_zero(rules, result, entries, i, price)
        else:
            entries.bonus[i] += UNIT * rules.raspas_dealer_pool
    if rules.raspas_column != TO_MOUNTAIN:
        _score_raspas_whists(rules, result, entries, lowest, n_lowest, price)


@kernel
def row_of(result: Record) -> int:
    """The row of razboinik's table that a deal fills."""
    return MISERE_ROW if result.kind == MISERE_GAME else result.level - 6


@kernel
def row_points(rules: Record, result: Record) -> int:
    """Points (twelfths) that a deal of razboinik writes in its row; a made one writes none."""
    taken = result.tricks[result.declarer]
    if result.kind == MISERE_GAME:
        return UNIT * rules.razboinik_misere * taken
    return UNIT * rules.razboinik_price[result.level - 6] * max(0, result.level - taken)


@kernel
def _multiply(entries: Record, factor: int) -> None:
    """All that a bomb's owner makes others and himself write (Code of Preferans 4.1.2)."""
    for i in range(MAX_PLAYERS):
        entries.gain[i] *= factor
        entries.mountain_entry[i] *= factor
    for k in range(MAX_PLAYERS * MAX_PLAYERS):
        entries.whist_entry[k] *= factor


@outline
def score_deal(rules: Record, result: Record, entries: Record) -> None:
    """Write into ``entries`` what the deal's ``result`` is worth under ``rules`` (twelfths)."""
    _clear(entries)
    if rules.family == RAZBOINIK:
        entries.mountain_entry[result.declarer] = row_points(rules, result)
    elif rules.family == REFET:
        score_refet(rules, result, entries)
    elif result.kind == RASPAS:
        _score_raspas(rules, result, entries)
    elif result.kind == MISERE_GAME:
        _score_misere(rules, result, entries)
        _score_talon(rules, result, entries)
    else:
        _score_tricks(rules, result, entries)
        _score_talon(rules, result, entries)
    if result.bomb_level > 0:
        _multiply(entries, 1 << result.bomb_level)
