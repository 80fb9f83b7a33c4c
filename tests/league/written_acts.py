"""Acts after which an open page says something else, each on a match that is being played."""

import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from league.draws.forfeits import award_forfeit
from league.draws.postponing import postpone_match
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.round_life import complete_round
from league.events.annulling import annul_results
from league.events.entries import withdraw_entry
from league.events.event_life import finish_event
from league.events.events import change_event, create_season
from league.models import Event, EventState, Match, Player, Pyramid, Round, ShownAs
from league.people.accounts import choose_shown_name
from league.people.clubs import change_club, create_club
from league.people.players import change_player
from league.tables.adjustments import add_adjustment
from scoring.models import Dispute, SignatureMethod
from scoring.services import correct_deals, dispute_sheet, record_deals, sign_sheet, stop_sheet
from scoring.services.claims import record_at_table
from scoring.services.disputes import settle_dispute
from tests.factories import OPERATOR, EventFactory, won


def sheet_of(match: Match) -> Any:
    match.refresh_from_db()
    return match.sheet


def nothing(match: Match) -> None:
    """The page was open already."""


def deal(match: Match) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Castell", "Eklund", 5)])


def stop(match: Match) -> None:
    stop_sheet(actor=OPERATOR, sheet=sheet_of(match))


def correct(match: Match) -> None:
    changes: dict[int, object] = {1: won("Castell", "Eklund", 44)}
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes=changes, reason="Misread.")


def claim(match: Match) -> None:
    other = won("Castell", "Eklund", 31)
    record_at_table(actor=OPERATOR, sheet=sheet_of(match), number=2, deal=other, key="other")


def sign(match: Match) -> None:
    sign_sheet(actor=OPERATOR, sheet=sheet_of(match), sides=[0], method=SignatureMethod.PAPER)


def dispute(match: Match) -> None:
    dispute_sheet(actor=OPERATOR, sheet=sheet_of(match), sentence="Not so.", side=1)


def stop_and_dispute(match: Match) -> None:
    stop(match)
    dispute(match)


def settle(match: Match) -> None:
    settle_dispute(actor=OPERATOR, dispute=Dispute.objects.get(), reason="It is so.")


def stop_and_recalculate(match: Match) -> None:
    stop(match)
    recalculate(match.event_id)


def recalculate_table(match: Match) -> None:
    assert recalculate(match.event_id)


def adjust(match: Match) -> None:
    add_adjustment(actor=OPERATOR, entry=match.entry_a, points=Decimal(-1), reason="late")


def withdraw(match: Match) -> None:
    withdraw_entry(actor=OPERATOR, entry=match.entry_a, reason="moved away")


def annul(match: Match) -> None:
    annul_results(actor=OPERATOR, entry=match.entry_a, reason="moved away")


def forfeit(match: Match) -> None:
    award_forfeit(actor=OPERATOR, match=match, winner_side=0, reason="left")


def postpone(match: Match) -> None:
    day = datetime.date(2026, 1, 9)
    postpone_match(actor=OPERATOR, match=match, planned_on=day, deadline=None, reason="ill")


def cover(match: Match) -> None:
    player = match.entry_a.players.get()
    choose_shown_name(actor=OPERATOR, player=player, shown_as=ShownAs.INITIALS)


def rename(match: Match) -> None:
    change_player(actor=OPERATOR, player=match.entry_a.players.get(), name="Eklund-Holm")


def rename_account(match: Match) -> None:
    User.objects.filter(username="keeper").update(first_name="Christopher")


def rename_club(match: Match) -> None:
    change_club(actor=OPERATOR, club=match.event.club, name="Harbour and Bay")


def rename_event(match: Match) -> None:
    change_event(actor=OPERATOR, event=match.event, name="Winter league")


def withhold(match: Match) -> None:
    change_event(actor=OPERATOR, event=match.event, holds_results=True)


def release(match: Match) -> None:
    release_round(actor=OPERATOR, round_=Round.objects.get(pk=match.round_id))


def complete(match: Match) -> None:
    complete_round(actor=OPERATOR, round_=match.round)


def close(match: Match) -> None:
    change_club(actor=OPERATOR, club=match.event.club, is_public=False)


def finish(match: Match) -> None:
    finish_event(actor=OPERATOR, event=Event.objects.get(pk=match.event_id), despite_unfinished=True)


def begin_season(match: Match) -> None:
    create_season(actor=OPERATOR, club=match.event.club, name="Winter", slug="winter")


def make_divisions(match: Match) -> None:
    Pyramid.objects.create(club=match.event.club, name="Divisions", slug="divisions")


def plan_another_event(match: Match) -> None:
    """A draft, which no guest sees."""
    EventFactory.create(club=match.event.club, state=EventState.DRAFT)


def begin_another_event(match: Match) -> None:
    """It stands in the menu."""
    EventFactory.create(club=match.event.club, name="Cup", slug="cup")


def begin_another_club(match: Match) -> None:
    create_club(actor=OPERATOR, name="Bay", slug="bay")


def note_use(match: Match) -> None:
    """What is written and shown nowhere."""
    User.objects.update(last_login=timezone.now())
    Player.objects.update(member_number=None)
    Match.objects.update(confirmed_version=0)
