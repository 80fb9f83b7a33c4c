"""Everybody does what he likes in one event at the same time: nothing crosses, and no hand is lost."""

import datetime
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import Error, transaction

from games.models import TO_PLAY, BotMatch, BotMatchState
from games.services import LeaseLost, claim, end, end_failed, release
from games.services.recording import actor_of
from games.tables.play import BotError
from league.bots.bot_matches import cancel, play_now, play_round
from league.draws.deciding import confirm_change, decide_tie
from league.draws.forfeits import award_walkover, clear_award
from league.draws.postponing import set_round_deadline
from league.draws.recalculating import recalculate
from league.draws.round_life import (
    complete_round,
    discard_round,
    draft_round,
    publish_round,
    repair_round,
    unpublish_round,
)
from league.errors import LeagueError
from league.events.annulling import annul_results, restore_results
from league.events.entries import reinstate_entry, withdraw_entry
from league.events.presence import add_guest, set_presence
from league.matches.line_ups import set_line_up
from league.matches.matches import renew_sheet
from league.models import Event, Match, Player, PresenceState, ShownAs, Tie
from league.people.accounts import choose_shown_name
from league.people.players import change_player
from league.tables import ratings
from scoring.core.errors import ScoringError
from scoring.models import Scoresheet, SheetStatus
from scoring.services import record_deals, void_sheet
from tests.factories import OPERATOR, ClubFactory, play, won
from tests.faults.threads import at_once
from tests.kept import assert_derived
from tests.league.bracket_play import cup, drawn

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 5
PATIENCE = 100  # seconds
CALLED = (ShownAs.NAME, ShownAs.INITIALS)

Act = Callable[[], Any]


def acts_in(event: Event, dice: random.Random) -> Iterator[tuple[int, Act]]:
    """What somebody who has just looked at the event may do in it, and how often it is done."""
    by: dict[str, Any] = {"actor": OPERATOR}
    said: dict[str, Any] = {**by, "reason": "as it is"}
    entry = dice.choice(list(event.entries.all()))
    player = dice.choice(list(Player.objects.filter(club=event.club_id)))
    yield 4, partial(recalculate, event.pk)
    yield 2, partial(ratings.recalculate, event.club_id)
    yield 3, partial(draft_round, **by, event=event, despite_missing=True)
    yield 2, partial(change_player, **by, player=player, name=f"P{dice.randrange(10**6)}")
    yield 2, partial(choose_shown_name, **by, player=player, shown_as=dice.choice(CALLED))
    yield 1, partial(withdraw_entry, **said, entry=entry, give_matches=dice.random() < 0.5)
    yield 1, partial(annul_results, **said, entry=entry)
    yield 2, partial(restore_results, **said, entry=entry)
    yield 2, partial(reinstate_entry, **said, entry=entry)
    if event.format == "swiss":
        number, state = dice.randint(1, 9), dice.choice([*PresenceState, None])
        yield 2, partial(set_presence, **by, event=event, entry=entry, number=number, state=state)
        if dice.random() < 0.1:
            yield 1, partial(add_guest, **by, event=event, number=number, name=f"G{dice.randrange(4)}")
    elif ties := list(Tie.objects.filter(event=event).select_related("event__club", "entry_a")):
        tie = dice.choice(ties)
        yield 1, partial(confirm_change, **said, tie=tie)
        if tie.entry_a is not None:
            yield 1, partial(decide_tie, **said, tie=tie, winner=tie.entry_a)
    if (last := event.rounds.order_by("-number").first()) is not None:
        yield 6, partial(publish_round, **by, round_=last)
        yield 3, partial(repair_round, **by, round_=last, despite_missing=True)
        yield 1, partial(discard_round, **by, round_=last)
    matches = Match.objects.filter(event=event).exclude(entry_b=None)
    known = list(matches.select_related("sheet", "event__club", "round"))
    for match in known and [dice.choice(known)]:
        yield 3, partial(unpublish_round, **by, round_=match.round)
        yield 1, partial(complete_round, **said, round_=match.round)
        yield 2, partial(play_round, **by, round_=match.round)
        yield 2, partial(play_now, **by, match=match)
        yield 1, partial(cancel, **said, match=match)
        day = datetime.date(2027, 1, dice.randint(1, 28))
        yield 1, partial(set_round_deadline, **said, round_=match.round, deadline=day)
        yield 2, partial(award_walkover, **said, match=match, winner_side=dice.choice([0, 1]))
        yield 2, partial(clear_award, **said, match=match)
        yield 2, partial(set_line_up, **by, match=match, side=0, players=[player])
        if match.sheet is not None:
            yield 4, partial(play, match, dice.choice([5, -5]))
            yield 1, partial(void_sheet, **said, sheet=match.sheet)
            yield 2, partial(renew_sheet, **by, match=match)
    for bots in BotMatch.objects.filter(state__in=TO_PLAY).order_by("?")[:1]:
        yield 6, partial(bots_play_on, bots.pk, fails=dice.random() < 0.2)


def bots_play_on(pk: int, *, fails: bool) -> None:
    """What a worker does with a bot match: writes a deal, or gives it up as one of the bots failed."""
    token = f"worker {random.random()}"
    match = claim(pk, token)
    if match is None:
        return
    seats = match.sheet.seats.order_by("number").values_list("name", flat=True)
    one, two = [*seats, "", ""][:2]
    if fails:
        end_failed(match, token, BotError(one, 1, "no answer"))
        return
    with transaction.atomic():
        receipt = record_deals(actor=actor_of(match), sheet=match.sheet, deals=[won(one, two, 5)])
        if receipt.status != SheetStatus.OPEN:
            end(match, BotMatchState.FINISHED, token=token)
        else:
            release(match, token)


def do_anything(event: Event, seed: int, until: float, wanted: set[str], done: Counter[str]) -> list[str]:
    """Does one act after the other and counts those in `done`, which all share; what the database refused.

    A machine that gets little done goes on after its time, until each of the `wanted` was done by somebody.
    """
    dice, errors = random.Random(seed), []
    while (now := time.monotonic()) < until or (now < until + PATIENCE and not wanted <= done.keys()):
        event = Event.objects.select_related("club").get(pk=event.pk)
        often, acts = zip(*acts_in(event, dice), strict=True)
        act = dice.choices(acts, often)[0]
        try:
            act()
        except (LeagueError, ScoringError, LeaseLost, ObjectDoesNotExist):
            # Refused; or what was chosen is gone before anything was asked of it.
            continue
        except Error as error:
            errors.append(f"{act.func.__name__}: {error}")
        else:
            done[act.func.__name__] += 1
    return errors


@pytest.mark.dear("many act at once for seconds")
@pytest.mark.parametrize("format", ["double", "swiss"])
def test_ordinary_acts_of_many_do_not_cross(format: str, long: bool) -> None:
    is_bracket = format == "double"
    values = {"best_of": 3} if is_bracket else {"rounds_planned": 9}
    event = cup(ClubFactory.create(), 8, format=format, **values)
    Player.objects.filter(entries__event=event, name__gt="E2").update(strategy="simple")
    if is_bracket:
        drawn(event)
    else:
        publish_round(actor=OPERATOR, round_=draft_round(actor=OPERATOR, event=event))
    until = time.monotonic() + (40 if long else 5)
    wanted = {"recalculate", "change_player", "choose_shown_name", "play"}
    wanted |= {"bots_play_on"} if long else set()
    done = Counter[str]()
    told = at_once([partial(do_anything, event, seed, until, wanted, done) for seed in range(THREADS)])
    assert [error for errors in told for error in errors] == []
    assert wanted <= done.keys(), done
    for sheet in Scoresheet.objects.all():
        assert_derived(sheet)
    for match in Match.objects.with_sides():
        assert match.annulled == match.names_annulled, match
    # Nobody plays what is over, and on what is to be played nobody else has written since.
    assert not BotMatch.objects.filter(state__in=TO_PLAY).exclude(sheet__status=SheetStatus.OPEN).exists()
    # Every sheet is a match's, or on file as one that was.
    assert not Scoresheet.objects.filter(match=None, former=None).exists()
