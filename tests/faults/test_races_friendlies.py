"""Several at once with one offer of a game, and one member with several games."""

from functools import partial

import pytest

from games.models import TableMatch
from league.errors import LeagueError
from league.events.house_rules import make_club_rules
from league.models import Club, GameOffer, OfferState, Player, RatedGames
from league.people import friendlies, rated_games
from league.people.friendlies import offer_game, play_bot, take_offer
from league.people.friendly_teams import agree_to_team_game, offer_team_game
from scoring.core.rules import Rules
from tests.factories import OPERATOR, ClubFactory, EventFactory
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


def test_a_game_of_teams_begins_once_when_all_agree_at_once() -> None:
    club = ClubFactory.create(slug="harbour")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules()).rules
    ann, *others = [member(club, name) for name in ("Ann", "Bob", "Cid", "Dot")]
    made = offer_team_game(actor=by(ann), club=club, rules=rules, others=others)

    def agree(who: Player) -> TableMatch | None:
        return agree_to_team_game(actor=by(who), offer=GameOffer.objects.get(pk=made.pk))

    answers = at_once([partial(agree, who) for who in others])
    assert [table for table in answers if table is not None] == [TableMatch.objects.get()]


def test_no_more_games_of_the_same_two_are_rated_when_several_are_taken_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rated_games, "MOST_A_DAY", 1)
    club = ClubFactory.create(slug="harbour")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules()).rules
    EventFactory.create(club=club, rules=rules)
    Club.objects.update(rated_games=RatedGames.MEMBERS)
    ann, bob = [member(club, name) for name in ("Ann", "Bob")]
    to_bob = offer_game(actor=by(ann), club=club, rules=rules, to=bob, is_rated=True)
    to_ann = offer_game(actor=by(bob), club=club, rules=rules, to=ann, is_rated=True)

    def take(who: Player, offer: int) -> str:
        try:
            return take_offer(actor=by(who), offer=GameOffer.objects.get(pk=offer)).code
        except LeagueError as refusal:
            return refusal.code

    answers = at_once([partial(take, bob, to_bob.pk), partial(take, ann, to_ann.pk)])
    assert sorted(answers) == sorted([TableMatch.objects.get().code, "too_many_rated"])
