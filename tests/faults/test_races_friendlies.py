"""Several at once with one offer of a game, and one member with several games."""

from functools import partial

import pytest

from games.models import TableMatch
from league.errors import LeagueError
from league.events.house_rules import make_club_rules
from league.models import GameOffer, OfferState, Player
from league.people import friendlies
from league.people.friendlies import offer_game, play_bot, take_offer
from scoring.core.rules import Rules
from tests.factories import OPERATOR, ClubFactory
from tests.faults.threads import at_once
from tests.league.table_players import by, member

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_of_several_takes_an_offer_and_nobody_plays_more_than_he_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(friendlies, "MOST_TABLES", 1)
    club = ClubFactory.create(slug="harbour")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules()).rules
    ann, *others = [member(club, name) for name in ("Ann", "Bob", "Cid", "Dan")]
    offer = offer_game(actor=by(ann), club=club, rules=rules, to=None)

    def take(who: Player) -> str:
        try:
            return take_offer(actor=by(who), offer=GameOffer.objects.get(pk=offer.pk)).code
        except LeagueError as refusal:
            return refusal.code

    def play(who: Player) -> str:
        try:
            return play_bot(actor=by(who), club=club, bot="simple", rules=rules).code
        except LeagueError as refusal:
            return refusal.code

    answers = at_once([partial(take, who) for who in others])
    table = TableMatch.objects.get()
    assert sorted(answers) == sorted([table.code, "offer_over", "offer_over"])
    assert GameOffer.objects.get().state == OfferState.TAKEN
    free = next(who for who, answer in zip(others, answers, strict=True) if answer == "offer_over")
    answers = at_once([partial(play, free)] * 3)
    assert sorted(answers) == sorted([TableMatch.objects.exclude(pk=table.pk).get().code, *["too_many"] * 2])
