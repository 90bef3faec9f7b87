"""A played deal as the solver needs it: who holds what as the first card is played."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.contract import MISERE_GAME, RASPAS, TRICKS

from ..cards import mask_of
from ..show import Step, Story
from ..solver import MISERE_STRAIN, leader_by_rules, masked, why_other_rules
from ..state import CARD, DISCARD, DONE, IDLE, N_HANDS, PASS_ALONG, WHIST
from ..table import Table

Hands = tuple[int, int, int]
ALL_HANDS = (1 << N_HANDS) - 1


@dataclass(frozen=True)
class Deal:
    """A story and what the table after it knows besides.

    ``hands`` are those before the first card, after the discard; ``in_play`` those that play,
    ``owners`` their players (DUMMY for the dummy). ``strain`` is a solver's strain, ``declarer`` a
    hand (-1: nobody declares, or the contract is not named); ``began`` says whether cards may be
    played, ``all_passed`` that nobody declares, ``finished`` tricks closed, after which
    ``next_leader`` leads. ``talon_led``: cards of the talon lead to the first two tricks of these
    raspas; ``dummy_alone``: the dummy plays, and nobody decides for it.
    """

    story: Story
    kind: int
    declarer: int
    level: int
    strain: int
    hands: Hands
    in_play: int
    owners: tuple[int, ...]
    leader: int
    began: bool
    all_passed: bool
    finished: int
    next_leader: int
    talon_led: bool
    without_talon: bool
    min_level: int
    dark: bool
    dummy_alone: bool

    @property
    def plays(self) -> list[Step]:
        """The cards in the order of play."""
        return self.story.of(CARD)

    @property
    def discard(self) -> tuple[int, ...]:
        """The two cards that the declarer laid away; none where he took no talon."""
        return tuple(sorted(step.action for step in self.story.of(DISCARD)))

    @property
    def is_misere(self) -> bool:
        return self.kind == MISERE_GAME

    @property
    def playing(self) -> Hands:
        """The hands that play; one that does not is empty."""
        return masked(self.hands, self.in_play)

    def is_made(self, tricks: int) -> bool:
        """Whether so many tricks of the declarer make the contract."""
        return makes(self.story, 0 if self.is_misere else self.level, tricks)


def makes(story: Story, order: int, tricks: int) -> bool:
    """Whether tricks make what was ordered (0: a misère); where ``contract.underbid_fails``, more
    tricks than ordered do not."""
    if order == 0:
        return tricks == 0
    return tricks == order or (tricks > order and not int(story.rules["contract_underbid_fails"]))


def _is_named(phase: int, kind: int, declarer: int) -> bool:
    """Whether the contract stands: the whist calls or what comes after them were reached."""
    return kind != RASPAS and declarer >= 0 and WHIST <= phase < IDLE


def read_deal(story: Story, table: Table) -> Deal:
    """The deal of a story; ``table`` is as it was left after the last move."""
    view = table.view
    phase, kind = int(view["phase"]), int(view["kind"])
    named = _is_named(phase, kind, int(view["declarer"]))
    declarer = int(view["declarer"]) if named else -1
    strain = int(view["strain"]) if kind == TRICKS else MISERE_STRAIN
    in_play = int(view["in_play"])
    cards = story.of(CARD)
    first = cards[0].hand if cards else leader_by_rules(story.rules, strain, declarer, in_play)
    dummy = int(view["dummy"])
    alone = dummy >= 0 and in_play >> dummy & 1 == 1 and int(view["decides_for"][dummy]) < 0
    return Deal(
        story=story,
        kind=kind,
        declarer=declarer,
        level=int(view["level"]),
        strain=strain,
        hands=table.hands_at_play(),
        in_play=in_play,
        owners=tuple(int(view["player_of"][k]) for k in range(N_HANDS)),
        leader=first,
        began=phase == CARD or bool(cards),
        all_passed=kind == RASPAS and phase in (PASS_ALONG, CARD, DONE),
        finished=int(view["trick"]),
        next_leader=int(view["leader"]),
        talon_led=kind == RASPAS and int(view["talon_card"][0]) >= 0,
        without_talon=bool(int(view["without_talon"])),
        min_level=int(view["min_level"]),
        dark=bool(int(view["dark"])),
        dummy_alone=alone and (phase == CARD or bool(cards)),
    )


def cards_with_talon(deal: Deal, hand: int) -> int:
    """What a hand has to choose its ten cards from: a declarer's cards with what he laid away; of
    a deal without a declarer the dealt cards and the talon."""
    if deal.all_passed:
        return deal.story.hands[hand] | mask_of(deal.story.talon)
    return deal.hands[hand] | mask_of(deal.discard)


def why_outside(deal: Deal) -> str:
    """Why the solver's rules are not those of the deal; empty if they are."""
    if why := why_other_rules(deal.story.rules):
        return why
    if deal.dummy_alone:
        return "the dummy plays its lowest card for nobody, and the solver has no hand that does"
    return ""
