"""Several at once with one offer of a game, and one member with several games."""

from functools import partial
from typing import Any

import pytest

from games.models import TableMatch
from league.errors import LeagueError
from league.events.house_rules import make_club_rules
from league.models import Club, GameOffer, OfferState, Player, RatedGames
from league.people import friendlies, rated_games
from league.people.friendlies import play_bot
from league.people.lobbies import Wanted, offer_game, take_seat
from scoring.core.rules import Rules
from tests.api.card_tables import At
from tests.api.card_tables import member as program
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
    offer = offer_game(actor=by(ann), club=club, rules=rules, others=[Wanted.ANYBODY]).offer

    def take(who: Player) -> str:
        try:
            table = take_seat(actor=by(who), offer=GameOffer.objects.get(pk=offer.pk))
            return "waits" if table is None else table.code
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
    made = offer_game(actor=by(ann), club=club, rules=rules, others=others).offer

    def agree(who: Player) -> TableMatch | None:
        return take_seat(actor=by(who), offer=GameOffer.objects.get(pk=made.pk))

    answers = at_once([partial(agree, who) for who in others])
    assert [table for table in answers if table is not None] == [TableMatch.objects.get()]


def test_a_table_of_three_begins_once_when_members_take_its_last_seats_at_once() -> None:
    """Of four who come for two open seats two play, whoever has read the seats before the others."""
    club = ClubFactory.create(slug="harbour")
    jersey = Rules.preset("jersey")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=jersey).rules
    ann, *others = [member(club, name) for name in ("Ann", "Bob", "Cid", "Dot", "Eve")]
    wanted = [Wanted.ANYBODY] * 2
    offer = offer_game(actor=by(ann), club=club, rules=rules, others=wanted).offer

    def take(who: Player) -> str:
        try:
            table = take_seat(actor=by(who), offer=GameOffer.objects.get(pk=offer.pk))
        except LeagueError as refusal:
            return refusal.code
        return "waits" if table is None else table.code

    answers = dict(zip(others, at_once([partial(take, who) for who in others]), strict=True))
    table = TableMatch.objects.get()
    assert sorted(answers.values()) == sorted(["waits", table.code, "offer_over", "offer_over"])
    sat = {who.user_id for who, answer in answers.items() if answer != "offer_over"}
    assert set(table.seats.values_list("account", flat=True)) == {ann.user_id, *sat}


def test_programs_that_retry_make_one_offer_and_one_of_two_gets_its_last_seat() -> None:
    club = ClubFactory.create(slug="harbour")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules()).rules
    ann, bob, cid = [program(club, name) for name in ("Ann", "Bob", "Cid")]

    def send(who: At, where: str, body: Any) -> Any:
        headers = {"Idempotency-Key": "once"}
        address = f"/api/v1/{where}"
        return who.client.post(address, body, content_type="application/json", headers=headers)

    body = {"club": "harbour", "rules": rules.code, "seats": [{"wanted": "anybody"}]}
    made = at_once([partial(send, ann, "offers/", body)] * 3)
    assert [answer.status_code for answer in made] == [201] * 3
    (code,) = {answer.json()["code"] for answer in made}
    assert GameOffer.objects.get().code == code
    one, other = at_once([partial(send, who, f"offers/{code}/take/", {}) for who in (bob, cid)])
    # Who comes second is told so, or finds nothing that concerns him any more.
    assert sorted([one.status_code == 200, other.status_code == 200]) == [False, True]
    late = one if other.status_code == 200 else other
    assert late.json()["code"] in ("offer_over", "seat_taken", "not_found")
    body = {"rules": rules.code, "bot": "simple"}
    begun = at_once([partial(send, ann, "clubs/harbour/games/", body)] * 3)
    (table,) = {answer.json()["table"] for answer in begun}
    assert set(TableMatch.objects.values_list("code", flat=True)) > {table}
    assert TableMatch.objects.count() == 2


def test_no_more_games_of_the_same_two_are_rated_when_several_are_taken_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rated_games, "MOST_A_DAY", 1)
    club = ClubFactory.create(slug="harbour")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules()).rules
    EventFactory.create(club=club, rules=rules)
    Club.objects.update(rated_games=RatedGames.MEMBERS)
    ann, bob = [member(club, name) for name in ("Ann", "Bob")]
    to_bob = offer_game(actor=by(ann), club=club, rules=rules, others=[bob], is_rated=True).offer
    to_ann = offer_game(actor=by(bob), club=club, rules=rules, others=[ann], is_rated=True).offer

    def take(who: Player, offer: int) -> str:
        try:
            table = take_seat(actor=by(who), offer=GameOffer.objects.get(pk=offer))
            return "waits" if table is None else table.code
        except LeagueError as refusal:
            return refusal.code

    answers = at_once([partial(take, bob, to_bob.pk), partial(take, ann, to_ann.pk)])
    assert sorted(answers) == sorted([TableMatch.objects.get().code, "too_many_rated"])
