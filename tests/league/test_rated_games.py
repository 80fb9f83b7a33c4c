"""Friendly games that count for ratings: which may, that both know it, how they end, and what is rated."""

import datetime
from collections.abc import Callable
from functools import partial

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from games.errors import GameError
from games.models import TableMatch
from games.services import (
    agree_pause,
    ask_pause,
    end_table,
    gives_hints,
    hint,
    judge_refusal,
    keep_clocks,
    resume,
)
from league.core.ratings import RatedMatch, rate
from league.errors import LeagueError
from league.events.house_rules import make_club_rules
from league.matches.member_tables import adjourn_for
from league.models import (
    Club,
    Exhibition,
    GameOffer,
    Player,
    RatedGames,
    Rating,
    RatingsRequest,
    RatingStep,
)
from league.people.clubs import change_club
from league.people.erasing import erase_person
from league.people.friendlies import (
    break_off,
    games_over,
    own_tables,
    play_bot,
)
from league.people.guests import guest_seat, sit_down_as_guest
from league.people.lobbies import Wanted, offer_game
from league.people.own_data import own_data
from league.people.players import merge_players
from league.people.rated_games import MOST_A_DAY
from league.record.requests import request_ratings
from league.tables import ratings
from league.upkeep.rebuilding_ratings import check_ratings, repair_ratings
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.core.skills import shown
from scoring.models import HouseRules, Scoresheet, SheetStatus
from scoring.services import correct_deals, dispute_sheet, settle_dispute, void_sheet
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, PlayerFactory, play, won
from tests.league.table_players import QUICK, browser, by, member, plain_text, play_on, taken

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules(club: Club) -> HouseRules:
    """Rules of an event of the club, which rates friendly games between members."""
    own = make_club_rules(actor=OPERATOR, club=club, name="Quick", rules=Rules(**QUICK)).rules
    EventFactory.create(club=club, rules=own)
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.MEMBERS)
    return own


def begun(one: Player, other: Player, rules: HouseRules) -> TableMatch:
    offer = offer_game(actor=by(one), club=one.club, rules=rules, others=[other], is_rated=True)
    return taken(other, offer.offer)


def played(one: Player, other: Player, rules: HouseRules) -> TableMatch:
    table = begun(one, other, rules)
    play_on(table, one, other)
    return table


def refused(code: str, what: Callable[[], object]) -> None:
    with pytest.raises((LeagueError, GameError)) as refusal, transaction.atomic():
        what()
    assert refusal.value.code == code


def recalculated(club: Club) -> dict[str, int]:
    """The ratings as pages show them once what was requested is served."""
    ratings.recalculate(club.pk)
    return {row.player.name: shown(row.mu) for row in Rating.objects.select_related("player")}


def as_after(*games: tuple[Player, Player, int | None]) -> dict[str, int]:
    """The ratings after these games of two, whose third is the winner."""
    names = {player.pk: player.name for one, other, _winner in games for player in (one, other)}
    rated = rate(
        RatedMatch(number, ((one.pk,), (other.pk,)), winner)
        for number, (one, other, winner) in enumerate(games)
    )
    return {names[player]: shown(skill.mu) for player, skill in rated.players.items()}


def test_a_rated_game_that_is_over_counts_once_for_both(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    table = begun(ann, bob, rules)
    ratings.recalculate(club.pk)
    assert not Rating.objects.exists(), "nothing counts before it is over"
    play_on(table, ann, bob)
    sheet = Scoresheet.objects.get()
    assert RatingsRequest.objects.exists(), "its end has it counted"
    expected = as_after((ann, bob, sheet.winner))
    assert recalculated(club) == expected
    request_ratings(club.pk)
    assert recalculated(club) == expected
    assert check_ratings(club).lines == []
    assert RatingStep.objects.filter(match=None, exhibition__sheet=sheet).count() == 2
    RatingStep.objects.filter(player=ann).delete()
    (line,) = check_ratings(club).lines
    assert str(sheet) in line
    repair_ratings(club)
    assert check_ratings(club).lines == []


def test_games_that_nobody_rates_change_nothing(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    offer = offer_game(actor=by(ann), club=club, rules=rules, others=[bob]).offer
    play_on(taken(bob, offer), ann, bob)
    (secret,) = offer_game(actor=by(ann), club=club, rules=rules, others=[Wanted.GUEST]).secrets
    offered = guest_seat(secret)
    assert offered is not None
    sit_down_as_guest(seat=offered, name="Zoe")
    request_ratings(club.pk)
    assert recalculated(club) == {}
    assert not Exhibition.objects.filter(is_rated=True).exists()


def test_matches_of_a_day_come_before_its_friendly_games(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    table = played(ann, bob, rules)
    event = EventFactory.create(club=club)
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann", players=[ann]),
        entry_b=EntryFactory.create(event=event, name="Bob", players=[bob]),
        round__date=timezone.now().date(),
    )
    play(match, 40, stopped=True)
    game = Exhibition.objects.get(sheet=table.sheet_id)
    assert [each.id for each in ratings.rated_matches(club.pk)] == [match.pk, -game.pk]


def test_what_may_be_rated_the_club_says(club: Club, rules: HouseRules, ann: Player, bob: Player) -> None:
    other = make_club_rules(actor=OPERATOR, club=club, name="Other", rules=Rules()).rules
    offer = offer_game(actor=by(ann), club=club, rules=rules, others=[bob], is_rated=True).offer
    refused(
        "unrated_rules",
        lambda: offer_game(actor=by(bob), club=club, rules=other, others=[ann], is_rated=True),
    )
    timed = partial(offer_game, actor=by(bob), club=club, rules=rules, others=[ann], is_rated=True)
    refused("rated_clock", partial(timed, clock="lively"))
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.NONE)
    refused("not_rated", lambda: taken(bob, offer))
    refused(
        "not_rated",
        partial(offer_game, actor=by(bob), club=club, rules=rules, others=[Wanted.ANYBODY], is_rated=True),
    )
    assert not TableMatch.objects.exists()


def test_a_bot_is_played_for_ratings_where_it_is_in_the_register_and_the_club_says_so(
    club: Club, rules: HouseRules, ann: Player
) -> None:
    def rated() -> TableMatch:
        return play_bot(actor=by(ann), club=club, bot="simple", rules=rules, is_rated=True)

    refused("unrated_bot", rated)
    zork = PlayerFactory.create(club=club, name="Zork", strategy="simple")
    refused("not_rated", rated)
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.BOTS)
    table = rated()
    assert gives_hints(play_bot(actor=by(ann), club=club, bot="simple", rules=rules))
    assert not gives_hints(table)
    refused("no_hints", lambda: hint(actor=by(ann), match=table, seat=0))
    refusal = judge_refusal(by(ann))
    assert refusal is not None
    assert refusal.code == "at_table"
    break_off(actor=by(ann), table=table)
    assert judge_refusal(by(ann)) is None
    assert recalculated(club) == as_after((ann, zork, 1))


def test_both_are_told_that_it_is_rated_before_they_play(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    address = reverse("club_play", args=["harbour"])
    assert 'name="is_rated"' in browser(ann).get(address).content.decode()
    asked = {"do": "offer", "seat_2": bob.code, "rules": rules.code, "is_rated": "on"}
    assert browser(ann).post(address, asked).status_code == 302
    chip = '<span class="chip">rated</span>'
    for one in (ann, bob):
        assert chip in browser(one).get(address).content.decode()
    answer = browser(bob).post(address, {"take": GameOffer.objects.get().code})
    assert chip in browser(ann).get(answer.headers["Location"]).content.decode()
    page = browser(ann).get(address).content.decode()
    assert chip in page
    assert "Give it up" in page
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.NONE)
    assert 'name="is_rated"' not in browser(ann).get(address).content.decode()
    asked["seat_2"] = ""
    assert browser(bob).post(address, asked).status_code == 302
    assert not GameOffer.objects.latest("pk").is_rated


def test_who_gives_a_rated_game_up_has_lost_it(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    table = begun(ann, bob, rules)
    break_off(actor=by(ann), table=table)
    refused("table_over", lambda: break_off(actor=by(bob), table=table))
    assert Scoresheet.objects.get().status == SheetStatus.STOPPED
    assert recalculated(club) == as_after((ann, bob, 1))
    assert [games_over(each.user_id or 0, club)[0].won for each in (ann, bob)] == [False, True]
    assert "Ann has given up." in browser(bob).get(f"/play/{table.code}/").content.decode()
    assert "time ran out" not in browser(bob).get("/clubs/harbour/play/").content.decode()


def test_who_lets_a_rated_game_lie_has_lost_it(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    now = datetime.datetime(2026, 3, 2, 20, tzinfo=datetime.UTC)
    with time_machine.travel(now, tick=False) as clock:
        table = begun(ann, bob, rules)
        late = next(each for each in (ann, bob) if own_tables(each.user_id or 0, club)[0].is_turn)
        clock.shift(datetime.timedelta(days=3))
        # The other does not lose by giving up what he has won.
        refused("table_over", lambda: break_off(actor=by(bob if late == ann else ann), table=table))
        keep_clocks(timezone.now())
    table.refresh_from_db()
    assert table.forfeited_by == int(late == bob)
    assert recalculated(club) == as_after((ann, bob, 1 - int(late == bob)))
    assert "The time of" in browser(bob).get(f"/play/{table.code}/").content.decode()


def test_nobody_is_to_move_in_a_game_that_is_paused(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    """Neither in lists nor at the table, until one of them lets it go on."""
    table = begun(ann, bob, rules)
    (mover,) = [each for each in (ann, bob) if own_tables(each.user_id or 0, club)[0].is_turn]
    play, page = reverse("club_play", args=[club.slug]), f"/play/{table.code}/"
    assert "your turn" in browser(mover).get(play).content.decode()
    assert 'data-turn="own"' in browser(mover).get(page).content.decode()
    ask_pause(actor=by(ann), match=table, seat=0)
    agree_pause(actor=by(bob), match=table, seat=1)
    assert [own_tables(each.user_id or 0, club)[0].is_turn for each in (ann, bob)] == [False, False]
    for player in (ann, bob):
        assert "· play is paused" in plain_text(browser(player).get(play).content.decode())
        at_table = plain_text(browser(player).get(page).content.decode())
        assert "Play is paused, and the clocks stand still." in at_table
        assert "is to move" not in at_table
    assert 'data-turn="own"' not in browser(mover).get(page).content.decode()
    resume(actor=by(bob), match=table, seat=1)
    assert own_tables(mover.user_id or 0, club)[0].is_turn


def test_what_nobody_at_the_table_is_to_blame_for_counts_for_nobody(
    club: Club, rules: HouseRules, ann: Player, bob: Player, director: Actor
) -> None:
    table = begun(ann, bob, rules)
    adjourn_for(actor=director, match=table, reason="The cards do not load.")
    refused("adjourned", lambda: break_off(actor=by(ann), table=table))
    end_table(actor=director, match=table)
    void_sheet(actor=director, sheet=table.sheet, reason="The cards do not load.")
    PlayerFactory.create(club=club, name="Zork", strategy="simple")
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.BOTS)
    alone = play_bot(actor=by(ann), club=club, bot="simple", rules=rules, is_rated=True)
    adjourn_for(actor=director, match=alone, reason="The bot has failed.")
    break_off(actor=by(ann), table=alone)
    assert set(Scoresheet.objects.values_list("status", flat=True)) == {SheetStatus.VOID}
    assert recalculated(club) == {}


def test_what_somebody_has_entered_or_disputes_is_not_rated(
    club: Club, rules: HouseRules, ann: Player, bob: Player, director: Actor
) -> None:
    played(ann, bob, rules)
    rated = recalculated(club)
    dispute = dispute_sheet(actor=by(bob), sheet=Scoresheet.objects.get(), sentence="I had gin.")
    assert recalculated(club) == {}
    settle_dispute(actor=director, dispute=dispute, reason="You had not.")
    assert recalculated(club) == rated
    correct_deals(
        actor=director,
        sheet=Scoresheet.objects.get(),
        changes={1: won("Ann", "Bob", 20)},
        reason="Counted anew.",
    )
    assert recalculated(club) == {}


def test_a_sheet_that_is_voided_is_taken_back_from_ratings(
    club: Club, rules: HouseRules, ann: Player, bob: Player, director: Actor
) -> None:
    table = played(ann, bob, rules)
    assert recalculated(club)
    void_sheet(actor=director, sheet=table.sheet, reason="Both sat in one room.")
    assert recalculated(club) == {}
    assert not RatingStep.objects.exists()


def test_the_same_two_have_so_many_games_a_day_rated(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    # Shortly before midnight by the club's clock, which is not that of the site.
    change_club(actor=OPERATOR, club=club, time_zone="Asia/Tokyo")
    with time_machine.travel(datetime.datetime(2026, 3, 2, 14, 30, tzinfo=datetime.UTC), tick=False) as clock:
        for number in range(MOST_A_DAY):
            pair = (ann, bob) if number % 2 else (bob, ann)
            break_off(actor=by(ann), table=begun(*pair, rules))
        Scoresheet.objects.update(opened_at=timezone.now())
        refused("too_many_rated", lambda: begun(bob, ann, rules))
        wanted = [Wanted.ANYBODY]
        open_to_all = offer_game(actor=by(ann), club=club, rules=rules, others=wanted, is_rated=True).offer
        refused("too_many_rated", lambda: taken(bob, open_to_all))
        taken(member(club, "Cid"), open_to_all)
        clock.shift(datetime.timedelta(hours=1))
        begun(bob, ann, rules)


def test_merging_and_erasing_keep_what_was_played(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    played(ann, bob, rules)
    winner = Scoresheet.objects.get().winner
    keep = PlayerFactory.create(club=club, name="Annie")
    refused("met", lambda: merge_players(actor=OPERATOR, keep=bob, drop=ann))
    merge_players(actor=OPERATOR, keep=keep, drop=ann)
    assert recalculated(club) == as_after((keep, bob, winner))
    erase_person(actor=OPERATOR, player=bob)
    bob.refresh_from_db()
    assert recalculated(club) == as_after((keep, bob, winner))
    page = browser(member(club, "Cid")).get(reverse("rating", args=["harbour", keep.code])).content.decode()
    assert bob.name in page


def test_the_history_and_what_a_member_may_have_say_friendly(
    club: Club, rules: HouseRules, ann: Player, bob: Player
) -> None:
    table = played(ann, bob, rules)
    rated = recalculated(club)
    page = browser(bob).get(reverse("rating", args=["harbour", ann.code])).content.decode()
    assert "Friendly game" in page
    assert f'href="/play/{table.code}/"' in page
    assert str(rated["Ann"]) in page
    assert ("won" if table.sheet.places == [1, 2] else "lost") in page
    assert browser(bob).get(reverse("player", args=["harbour", ann.code])).status_code == 200
    listed = browser(bob).get(reverse("ratings", args=["harbour"])).content.decode()
    assert timezone.localdate().strftime("%Y") in listed
    assert ann.user is not None
    (own,) = own_data(ann.user)["players"]
    assert [row["is_rated"] for row in own["games_offered"]] == [True]
    assert [row["is_rated"] for row in own["tables"]] == [True]
