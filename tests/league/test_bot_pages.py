"""A bot's own page, the page of a match that bots play, and sheets that belong to no event."""

import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.bots import house_bot
from games.models import BotMatch, BotMatchState, BotRating
from games.services import cancel_bot_match, plan_bot_match, play_bot_match
from league.bots.profiles import ON_A_PAGE, latest_of
from league.events.entries import enter_players
from league.models import Club, Event, Exhibition, Match, Player, Role, Round, RoundState
from league.people.players import change_player
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services import SheetPlan, open_sheets
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
)
from tests.league.simulation import SHORT
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db

DUE = datetime.datetime(2026, 3, 1, 19, 30, tzinfo=datetime.UTC)


@pytest.fixture
def bots(club: Club) -> list[Player]:
    return [
        PlayerFactory.create(club=club, name=name, strategy=strategy)
        for name, strategy in (("Zork", "simple"), ("Hal", "novice"))
    ]


@pytest.fixture
def match(club: Club, bots: list[Player]) -> Match:
    """Bots meet on a sheet that one deal ends."""
    event: Event = EventFactory.create(club=club, name="League", slug="league", rules=house_rules(**SHORT))
    zork, hal = enter_players(actor=OPERATOR, event=event, players=bots)
    made: Match = MatchFactory.create(event=event, entry_a=zork, entry_b=hal)
    return made


def planned(sheet: Scoresheet | None, due_at: datetime.datetime = DUE) -> BotMatch:
    assert sheet is not None
    return plan_bot_match(
        sheet=sheet, bots={0: house_bot("simple"), 1: house_bot("novice")}, seed=7, due_at=due_at
    )


def exhibition(club: Club, number: int = 1) -> BotMatch:
    plan = SheetPlan((SheetSide("Zork", ("Zork",)), SheetSide("Hal", ("Hal",))), f"X{number}")
    (sheet,) = open_sheets(actor=OPERATOR, rules=house_rules(**SHORT), plans=[plan])
    zork, hal = [Player.objects.filter(club=club, name=name).first() for name in ("Zork", "Hal")]
    Exhibition.objects.create(sheet=sheet, club=club, player_a=zork, player_b=hal)
    return planned(sheet, DUE + datetime.timedelta(days=number))


def counted(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def page_of(client: Client, match: Match) -> str:
    return read(client, "match", "harbour", "league", match.code)


def test_match_says_who_plays_it_and_when(client: Client, match: Match) -> None:
    bots = planned(match.sheet)
    text = page_of(client, match)
    assert "Played by bots To be played from 1 March 2026, 19:30 on. Zork simple Hal novice" in text
    content = client.get(reverse("match", args=["harbour", "league", match.code])).content.decode()
    assert reverse("bot_match", args=[bots.code]) in content
    assert "Replay of the deals" not in text


def test_match_of_a_round_that_is_held_back_leads_nobody_to_a_sheet_he_may_not_read(
    client: Client, match: Match
) -> None:
    bots = planned(match.sheet)
    Event.objects.update(holds_results=True)
    address = reverse("bot_match", args=[bots.code])
    assert client.get(address).status_code == 404
    content = client.get(reverse("match", args=["harbour", "league", match.code])).content.decode()
    assert "Played by bots" in content
    assert address not in content
    client.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    assert client.get(address).status_code == 200
    assert address in client.get(reverse("match", args=["harbour", "league", match.code])).content.decode()


def test_match_that_was_played_leads_to_the_replay_of_each_deal(client: Client, match: Match) -> None:
    bots = planned(match.sheet)
    play_bot_match(bots.pk)
    bots.refresh_from_db()
    assert bots.state == BotMatchState.FINISHED
    assert "Played to its end," in page_of(client, match)
    content = client.get(reverse("match", args=["harbour", "league", match.code])).content.decode()
    hands = list(bots.hands.values_list("deal", flat=True))
    assert hands
    for deal in hands:
        assert f'href="{reverse("bot_hand", args=[bots.code, deal])}"' in content


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"state": "playing", "owner": "a worker"}, "Played by bots playing"),
        ({"state": "playing", "owner": "a worker"}, "Watch it live"),
        (
            {"state": "forfeited", "said": "Hal failed in deal 2: no answer", "loser_side": 1},
            "forfeited Hal failed in deal 2: no answer",
        ),
        ({"attempts": 8, "said": "A fault: MemoryError"}, "put aside"),
    ],
)
def test_match_says_how_far_it_is(client: Client, match: Match, values: dict[str, object], said: str) -> None:
    bots = planned(match.sheet)
    BotMatch.objects.filter(pk=bots.pk).update(**values)
    assert said in page_of(client, match)


def test_match_that_was_cancelled_says_so_and_keeps_the_reason_to_itself(
    client: Client, match: Match
) -> None:
    cancel_bot_match(actor=OPERATOR, match=planned(match.sheet), reason="The power is off.")
    said = page_of(client, match)
    assert "cancelled" in said
    assert "The power is off." not in said
    assert "The tests" not in said


def test_where_bots_count_for_nothing_event_and_match_say_so(client: Client, match: Match) -> None:
    silent = read(client, "event", "harbour", "league") + page_of(client, match)
    assert "does not count in this event" not in silent
    assert "do not count here" not in silent
    Event.objects.update(bot_matches_count=False)
    assert "Matches between bots are played and shown, but do not count here." in read(
        client, "event", "harbour", "league"
    )
    assert "In brackets: between bots" in read(client, "event_crosstable", "harbour", "league")
    assert "which does not count in this event" in page_of(client, match)
    planned(match.sheet)
    assert page_of(client, match).count("which does not count in this event") == 1


def test_match_of_a_bot_and_a_person_counts_all_the_same(client: Client, match: Match) -> None:
    Event.objects.update(bot_matches_count=False)
    Player.objects.filter(name="Hal").update(strategy="")
    assert "does not count in this event" not in page_of(client, match)


def test_page_of_a_bot_says_how_it_plays_and_how_strong_it_is(
    client: Client, club: Club, bots: list[Player]
) -> None:
    text = read(client, "player", "harbour", bots[0].code)
    assert str(house_bot("simple").strategy.sentence) in text
    assert "In the arena not rated" in text
    BotRating.objects.create(
        strategy="simple", level=0, mu=28, sigma=0.5, games=1200, rated_at=timezone.now()
    )
    content = client.get(reverse("player", args=["harbour", bots[0].code])).content.decode()
    assert f'href="{reverse("bot_profile", args=["simple"])}"' in content
    assert "In the arena 1590 ±15 1,200 games" in read(client, "player", "harbour", bots[0].code)


def test_level_of_a_bot_is_on_its_page_and_leads_to_its_profile(client: Client, club: Club) -> None:
    bot = PlayerFactory.create(club=club, name="Deep", strategy="expert", level=2)
    samples = house_bot("expert", 2).samples or 0
    BotRating.objects.create(
        strategy="expert", level=2, samples=samples, mu=31, sigma=1, games=10, rated_at=timezone.now()
    )
    text = read(client, "player", "harbour", bot.code)
    levels = house_bot("expert").strategy.levels
    assert f"Level 2 of {levels} In the arena 1680 ±30 10 games" in text
    content = client.get(reverse("player", args=["harbour", bot.code])).content.decode()
    assert reverse("bot_profile", args=["expert", 2]) in content


def test_bot_whose_strategy_is_gone_has_a_page(client: Client, club: Club) -> None:
    bot = PlayerFactory.create(club=club, name="Old", strategy="gone", level=3)
    assert "no longer installed here" in read(client, "player", "harbour", bot.code)


def test_page_of_a_bot_lists_what_it_played_by_itself(
    client: Client, club: Club, bots: list[Player], match: Match
) -> None:
    planned(match.sheet)
    shown = exhibition(club)
    exhibition(ClubFactory.create(), 2)
    for bot in bots:
        text = read(client, "player", "harbour", bot.code)
        assert text.count("Zork bot v Zork v Hal Hal bot waiting") == 2
    content = client.get(reverse("player", args=["harbour", bots[0].code])).content.decode()
    assert reverse("bot_match", args=[shown.code]) in content


def test_sheet_of_a_drafted_round_is_not_on_the_page_of_its_bot(
    client: Client, bots: list[Player], match: Match
) -> None:
    planned(match.sheet)
    assert len(latest_of(bots[0])) == 1
    Round.objects.update(state=RoundState.DRAFTED)
    assert latest_of(bots[0]) == []
    assert "waiting" not in read(client, "player", "harbour", bots[0].code)


def test_exhibitions_stay_with_the_bot_that_played_them(club: Club, bots: list[Player]) -> None:
    shown = exhibition(club)
    zork, hal = bots
    change_player(actor=OPERATOR, player=zork, name="Zork II")
    zork.aliases.all().delete()
    namesake = PlayerFactory.create(club=club, name="Zork", strategy="simple")
    assert [[sheet.bots for sheet in latest_of(bot)] for bot in (zork, hal)] == [[shown]] * 2
    assert latest_of(namesake) == []


def test_person_has_no_such_cards(client: Client, club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann")
    text = read(client, "player", "harbour", ann.code)
    assert "Bot of the house" not in text
    assert "arena" not in text


def test_club_leads_to_its_exhibitions_once_there_are_any(client: Client, club: Club) -> None:
    assert "Exhibitions" not in read(client, "club", "harbour")
    assert "No exhibition yet." in read(client, "exhibitions", "harbour")
    exhibition(ClubFactory.create())
    assert "Exhibitions" not in read(client, "club", "harbour")
    exhibition(club)
    assert "Exhibitions of the bots" in read(client, "club", "harbour")


def test_exhibitions_are_listed_the_latest_first_in_pages(client: Client, club: Club) -> None:
    made = [exhibition(club, number) for number in range(ON_A_PAGE + 1)]
    play_bot_match(made[-1].pk)
    first = client.get(reverse("exhibitions", args=["harbour"])).content.decode()
    places = [first.index(one.code) for one in reversed(made[1:])]
    assert places == sorted(places)
    assert made[0].code not in first
    second = client.get(reverse("exhibitions", args=["harbour"]), {"page": "2"}).content.decode()
    assert made[0].code in second
    assert made[1].code not in second
    assert "1–0" in first or "0–1" in first


@pytest.mark.parametrize("asked", ["0", "-1", "99", "x", "1e9", "²"])
def test_strange_pages_of_exhibitions_are_answered(client: Client, club: Club, asked: str) -> None:
    exhibition(club)
    answer = client.get(reverse("exhibitions", args=["harbour"]), {"page": asked})
    assert answer.status_code == 200
    assert "Zork" in answer.content.decode()


def test_exhibitions_of_a_private_club_are_for_its_members(client: Client, club: Club) -> None:
    Club.objects.update(is_public=False)
    address = reverse("exhibitions", args=["harbour"])
    assert client.get(address).status_code == 404
    client.force_login(UserFactory.create(club=club, role=Role.MEMBER))
    assert client.get(address).status_code == 200


def test_queries_of_these_pages_do_not_grow(
    client: Client, club: Club, bots: list[Player], match: Match
) -> None:
    planned(match.sheet)
    exhibition(club)
    addresses = [
        reverse("player", args=["harbour", bots[0].code]),
        reverse("exhibitions", args=["harbour"]),
    ]
    before = [counted(client, address) for address in addresses]
    for number in range(2, 8):
        exhibition(club, number)
    assert [counted(client, address) for address in addresses] == before
