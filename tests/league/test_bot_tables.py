"""Tables of three to six at which only bots sit: played by workers, and counted as any other."""

import datetime
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.bots import HouseBot, house_bot
from games.models import BotMatch, BotMatchState
from games.services import LeaseLost, claim, play_bot_match, strategies
from games.services.ending import end_failed
from games.tables.play import BotError, play_sheet
from league.bots.bot_matches import check_plantable, plant_in_event, play_now, play_round
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.matches.line_ups import set_line_up
from league.models import Club, Event, Match, MatchState, Player, Role, Standing
from scoring.core.errors import RecordingError
from scoring.core.messages import mark
from scoring.models import SheetAct, SheetStatus
from scoring.services import record_deals
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, PlayerFactory, UserFactory, sheet_of
from tests.games.bot_matches import documents
from tests.games.shown_matches import TOKEN, play_some
from tests.kept import assert_derived
from tests.league.admin_pages import page, text
from tests.league.bot_cases import of, refused
from tests.league.table_cases import NINE, drawn, evening, names_at
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

HELD_BY_HAND = {"captains": {"box_held": "hand"}}
# The rules of a game that ends after two deals, and how many sit at its one table.
GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "jersey": ({}, 3),
    "cutthroat": ({}, 4),
    "captains": (HELD_BY_HAND, 3),
    "basic_rummy": ({}, 5),
}


def table_of_bots(
    club: Club, preset: str = "cutthroat", plays: Sequence[str] = ("novice", "steady"), **values: Any
) -> Match:
    """The table of an event of one round, at which these bots sit in turn."""
    knobs, seats = GAMES[preset]
    event = evening(
        club,
        NINE[:seats],
        preset=preset,
        knobs={"deals": 2, **knobs},
        rounds_planned=1,
        table_size=seats,
        **values,
    )
    let_bots_play(event, plays)
    (match,) = drawn(event)
    return match


def let_bots_play(event: Event, plays: Sequence[str]) -> None:
    """Whoever is entered is a bot, of these ways to play in turn."""
    for number, entry in enumerate(event.entries.order_by("pk")):
        entry.players.update(strategy=plays[number % len(plays)])
        entry.is_bot = True
        entry.save()


@pytest.mark.parametrize("preset", GAMES)
def test_bots_play_a_table_of_every_game_and_it_counts(club: Club, preset: str) -> None:
    match = table_of_bots(club, preset)
    (planted,) = play_round(actor=OPERATOR, round_=match.round)
    assert sorted(planted.bots) == [str(seat) for seat in range(GAMES[preset][1])]
    assert {bot["strategy"] for bot in planted.bots.values()} == {"novice", "steady"}
    play_some(planted)
    match.refresh_from_db()
    assert (of(match).state, match.state) == (BotMatchState.FINISHED, MatchState.FINISHED)
    sheet = assert_derived(sheet_of(match))
    assert [figures[:2] for figures in match.at_table] == [
        [place, net] for place, net in zip(sheet.places, sheet.nets, strict=True)
    ]
    recalculate(match.event_id)
    assert {row.played for row in Standing.objects.filter(event=match.event)} == {1}


def test_a_worker_plays_it_as_its_seed_tells(club: Club) -> None:
    match = table_of_bots(club)
    assert [one.sheet_id for one in plant_in_event(match.event, 5)] == [match.sheet_id]
    # It is planted once, however often a schedule comes round.
    assert plant_in_event(match.event, 5) == []
    planted = of(match)
    play_bot_match(planted.pk)
    planted.refresh_from_db()
    assert planted.state == BotMatchState.FINISHED
    assert match.sheet is not None
    kept = kept_sheet(match.sheet)
    bots = {
        kept.seat_names[int(seat)]: HouseBot.from_document(bot, strategies())
        for seat, bot in planted.bots.items()
    }
    assert list(play_sheet(match.event.rules.rules, kept.sides, bots, planted.seed)) == kept.deals
    # And once played, nobody plays it again.
    play_bot_match(planted.pk)
    assert SheetAct.objects.filter(sheet=match.sheet).count() == 2


def test_who_goes_on_for_a_dead_worker_plays_the_same_and_no_hand_twice(club: Club) -> None:
    match = table_of_bots(club, "jersey")
    planted = play_now(actor=OPERATOR, match=match)
    play_some(planted, 1)
    assert (planted.state, planted.owner, planted.hands.count()) == (BotMatchState.PLAYING, TOKEN, 1)
    assert match.sheet is not None
    kept = kept_sheet(match.sheet)
    bots = {name: house_bot(planted.bots[str(seat)]["strategy"]) for seat, name in kept.seat_names.items()}
    whole = list(play_sheet(match.event.rules.rules, kept.sides, bots, planted.seed))
    # Its worker is heard of no more; another takes the match up.
    BotMatch.objects.update(heartbeat=timezone.now() - datetime.timedelta(hours=1))
    assert claim(planted.pk, "another") is not None
    with pytest.raises(LeaseLost):
        play_some(planted, 1)
    assert match.sheet.deal_versions.count() == 1
    planted.refresh_from_db()
    assert planted.owner == "another"
    BotMatch.objects.update(heartbeat=timezone.now() - datetime.timedelta(hours=1))
    play_bot_match(planted.pk)
    assert kept_sheet(match.sheet).deals == whole
    assert [hand[:2] for hand in documents(planted)["hands"]] == [(1, 0), (2, 0)]


def test_a_table_with_a_person_is_refused(club: Club) -> None:
    match = table_of_bots(club)
    person = PlayerFactory.create(club=club, name="Zoe")
    set_line_up(actor=OPERATOR, match=match, side=3, players=[person])
    refusal = refused("persons_play", play_now, match=match)
    assert str(refusal.message) == "Zoe is a person: bots play for nobody else."
    refused("nothing_to_play", play_round, round_=match.round)
    assert plant_in_event(match.event, 5) == []


@pytest.mark.parametrize("preset", ["jersey", "basic_rummy"])
def test_who_does_not_play_the_game_is_refused(club: Club, preset: str) -> None:
    match = table_of_bots(club, preset, ["steady", "simple"])
    seats = match.appearances.order_by("side").select_related("player")
    unable = [str(seat.player) for seat in seats if seat.player.strategy == "simple"]
    assert unable
    with refuses(LeagueError, "not_played") as refusal:
        check_plantable(match)
    said = f"{unable[0]} plays as simple, which does not play this game."
    assert str(refusal.value.message) == said
    assert plant_in_event(match.event, 5) == []
    refused("not_played", play_round, round_=match.round)


def test_a_round_is_played_but_for_the_table_of_who_does_not_play_the_game(club: Club) -> None:
    event = evening(club, NINE[:6], preset="jersey", rounds_planned=1, table_size=3)
    let_bots_play(event, ["steady"])
    first, second = drawn(event)
    seat = first.appearances.select_related("player").get(side=0)
    Player.objects.filter(pk=seat.player_id).update(strategy="simple")
    planted = play_round(actor=OPERATOR, round_=first.round)
    assert [one.sheet_id for one in planted] == [second.sheet_id]


def test_where_a_bot_fails_nobody_gets_the_table(club: Club) -> None:
    match = table_of_bots(club)
    planted = play_now(actor=OPERATOR, match=match)
    play_some(planted, 1)
    failure = BotError(names_at(match)[1], 2, mark("It knew nothing to do."))
    end_failed(planted, TOKEN, failure)
    match.refresh_from_db()
    planted.refresh_from_db()
    assert (planted.state, planted.loser_side) == (BotMatchState.CANCELLED, None)
    assert planted.note.endswith("It knew nothing to do.")
    assert (match.state, match.winner_side) == (MatchState.PLAYING, None)
    assert sheet_of(match).status == SheetStatus.OPEN
    # The scorekeeper plays on by hand, or bots do once more.
    assert play_now(actor=OPERATOR, match=match).state == BotMatchState.DUE


def test_the_preview_shows_all_who_sit_there(club: Club, client: Client) -> None:
    match = table_of_bots(club, "basic_rummy")
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    names = ", ".join(f"{name} (bot)" for name in names_at(match))
    round_page = page("round", match.round, "let_bots_play")
    assert names in text(client.get(round_page))
    shown = text(client.get(page("match", match, "let_bots_play")))
    assert all(f"{name} (bot): " in shown for name in names_at(match))
    play_now(actor=OPERATOR, match=match)
    assert names in text(client.post(page("round", match.round, "cancel_bots"), {"reason": "Too late"}))


@pytest.mark.parametrize(("preset", "at_once"), [("cutthroat", 2), ("jersey", 3)])
def test_pages_show_the_table_and_its_hands(club: Club, client: Client, preset: str, at_once: int) -> None:
    match = table_of_bots(club, preset)
    planted = play_some(play_now(actor=OPERATOR, match=match))
    first = Player.objects.get(club=club, name=names_at(match)[0])
    live = client.get(reverse("bot_match", args=[planted.code]))
    assert f"{', '.join(names_at(match))}, bots" in text(live)
    listed = text(client.get(reverse("bots")))
    assert listed.count(", ".join(names_at(match))) == 2  # as it is seen, and where the link leads
    assert f"{names_at(match)[0]} v " not in listed
    addresses = [
        reverse("match", args=[club.slug, match.event.slug, match.code]),
        reverse("player", args=[club.slug, first.code]),
        f"/api/v1/bot-matches/{planted.code}/",
    ]
    for address in addresses:
        assert client.get(address).status_code == 200, address
    hand = client.get(reverse("bot_hand", args=[planted.code, 2]))
    assert "Move by move" in text(live)
    # So many play at once, whatever comes of it.
    assert sum(f">{name}</h2>" in text(hand) for name in names_at(match)) == at_once


def test_nobody_else_writes_on_the_sheet_until_they_are_done(club: Club) -> None:
    match = table_of_bots(club, "jersey")
    play_now(actor=OPERATOR, match=match)
    a, b, c = names_at(match)
    hand = {"kind": "points", "winner": a, "from": {b: 5, c: 6}}
    with pytest.raises(RecordingError, match="cancel the bot match first"):
        record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[{"hands": [hand]}])
