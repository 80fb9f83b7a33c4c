"""Duplicate: what a sheet deals from the packs of its round, and how much of the luck that takes away."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, variance

import pytest

from games.bots import house_bot
from games.errors import GameError
from games.gin.hand import HandState, shuffled
from games.gin.playing import Pack
from games.tables.duplicate import pack_count
from games.tables.play import PlayedDeal, play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from tests.games.bot_play import ANN_AND_BOB
from tests.refusals import refuses

PACKS = [shuffled(number) for number in (11, 12, 13)]
RULES = Rules.preset("online", deals=2 * len(PACKS))
TEAMS = (SheetSide("A", ("Ann", "Amy")), SheetSide("B", ("Bob", "Ben")))


def sheet(
    sides: tuple[SheetSide, SheetSide] = ANN_AND_BOB,
    *,
    packs: Sequence[Pack] = PACKS,
    played: Sequence[Deal] = (),
) -> list[PlayedDeal]:
    bots = {name: house_bot("simple") for side in sides for name in side.players}
    return list(play_deals(RULES, sides, bots, 1, packs=packs, played=played))


def held(hand: HandState, player: str) -> int:
    """The ten cards dealt to the player, as a mask."""
    dealt = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    return dealt.view(hand.players.index(player)).mask


def test_each_pack_is_played_twice_and_the_second_time_each_has_the_others_cards() -> None:
    deals = sheet()
    assert len(deals) == 6
    for first, second, pack in zip(deals[:3], deals[3:], PACKS, strict=True):
        (one,), (again,) = first.two_handed, second.two_handed
        assert one.deck == again.deck == pack
        assert one.dealer != again.dealer
        assert held(one, "Ann") == held(again, "Bob") != held(one, "Bob") == held(again, "Ann")
    assert [played.two_handed[0].dealer for played in deals] == [0, 1, 0, 1, 0, 1]


def test_at_two_tables_of_teams_each_team_has_both_hands_of_a_pack_at_once() -> None:
    for played, pack in zip(sheet(TEAMS), PACKS + PACKS, strict=True):
        one, other = played.two_handed
        assert one.deck == other.deck == pack
        of_team = [{held(hand, hand.players[side]) for hand in (one, other)} for side in (0, 1)]
        assert of_team[0] == of_team[1]
        assert len(of_team[0]) == 2


def test_as_many_packs_as_deals_are_played_once_each() -> None:
    packs = [shuffled(number) for number in range(6)]
    hands = [played.two_handed[0] for played in sheet(packs=packs)]
    assert [hand.deck for hand in hands] == packs
    assert [hand.dealer for hand in hands] == [0, 1, 0, 1, 0, 1]
    assert pack_count(Rules.preset("online", deals=7), 1) == 7


def test_play_goes_on_from_stored_deals_as_it_would_have_anyway() -> None:
    deals = [played.deal for played in sheet()]
    assert [played.deal for played in sheet(played=deals[:4])] == deals[4:]


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (Rules.preset("online"), "rules.deals"),
        (Rules.preset("online", deals=7), "rules.deals"),
        (Rules.preset("jersey"), "rules"),
        (Rules.preset("online", packs="shared", deals=6), "rules"),
    ],
)
def test_rules_under_which_no_pack_is_played_twice_are_refused(rules: Rules, field: str) -> None:
    with refuses(GameError, "not_duplicate", field=field):
        pack_count(rules)
    if rules.deals is None or field == "rules":
        with pytest.raises(GameError):
            pack_count(rules, 1)


@pytest.mark.parametrize("packs", [PACKS[:2], [*PACKS, PACKS[0]], [*PACKS[:2], (*PACKS[0][:51], 7)]])
def test_other_packs_than_the_sheet_needs_are_refused(packs: list[tuple[int, ...]]) -> None:
    with refuses(GameError, "wrong_packs"):
        sheet(packs=packs)


# Seen over 10,000 packs.
SEEN_RATIO = 0.504


@pytest.mark.dear("plays hundreds of packs twice")
def test_half_the_variance_of_plain_deals_is_left(*, long: bool) -> None:
    """`steady` against `simple`: the mean result of a deal has half the variance it has from plain deals.

    The two plays of a pack are x and y. Of as many plain deals the sum of two would vary as x and y apart;
    of the pack it varies as x + y. So n packs tell as much of two players as 4n plain deals, not 2n.
    """
    sheets, packs = (40, 250) if long else (2, 250)
    rules = Rules.preset("online", deals=2 * packs)
    bots = {"Ann": house_bot("steady"), "Bob": house_bot("simple")}
    first, second = [], []
    for seed in range(sheets):
        dealt = [shuffled(seed * packs + number) for number in range(packs)]
        nets = [net_of_ann(played) for played in play_deals(rules, ANN_AND_BOB, bots, seed, packs=dealt)]
        first += nets[:packs]
        second += nets[packs:]
    both = [one + other for one, other in zip(first, second, strict=True)]
    plain = variance(first) + variance(second)
    # A share of a variance, like a variance, is off by about this share of itself.
    error = sqrt(2 / len(both)) * SEEN_RATIO
    assert abs(variance(both) / plain - SEEN_RATIO) < 4 * error
    assert variance(both) / plain < 0.75
    # What the luck was taken from is the same: the better bot is ahead as it is anyway.
    assert fmean(both) > 4 * sqrt(variance(both) / len(both))


def net_of_ann(played: PlayedDeal) -> int:
    (hand,) = played.two_handed
    score = hand.score()
    won = score.points + score.penalty
    return 0 if score.winner is None else won if score.winner == "Ann" else -won
