"""The demo club, and both its tables beside a slow and obvious calculation made from the files alone.

It is loaded once for all tests together, each of which begins with it as it was loaded, and before that once
more for the test that compares two.
"""

import csv
import datetime
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from games.models import BotHand, BotMatch, BotMatchState, TableMatch, TableSeat
from games.services import hand_out, hands_over, play_bot_match, verified_hand
from league.core.evening import EveningState
from league.demo import SHEETS, load_demo
from league.draws.board import board_of
from league.draws.recalculating import recalculate
from league.entry.page import blank_draft
from league.entry.reading import DraftAct, base_of, read
from league.events.next_step import next_step
from league.files.exporting import export_hands
from league.matches.matches import renew_sheet
from league.models import (
    ApiToken,
    Arrival,
    AuditEntry,
    BotSchedule,
    Club,
    ClubRules,
    CutDecision,
    CutHow,
    Entry,
    EntryRequest,
    Evening,
    Event,
    Exhibition,
    ImportBatch,
    LadderAbsence,
    LineUpSeat,
    Match,
    MatchState,
    OnlineOffer,
    PartnerInvitation,
    PartnerSearch,
    PlayedWhere,
    Player,
    Presence,
    PresenceState,
    ProposedTime,
    RatingsRequest,
    RequestState,
    Role,
    SeasonTable,
    ShownAs,
    Standing,
    StandingsRequest,
    TableLink,
    TokenScope,
    WriteCount,
    between_bots,
)
from league.people.players import add_alias
from league.people.removing_demo import entered_by_people, remove_demo
from league.people.tokens import issue_token
from league.policy import actor_of
from league.record.requests import request_standings
from league.record.write_counts import COUNTED, version_of
from league.tables.adjustments import add_adjustment
from league.tables.placings import placings
from league.tables.ratings import recalculate as recalculate_ratings
from scoring.models import Claim, Dispute, HouseRules, Scoresheet
from scoring.services import record_deals, stop_sheet, void_sheet
from scoring.services.claims import settle_claim
from scoring.services.disputes import settle_dispute
from scoring.services.records import kept_sheet
from tests import factories
from tests.factories import OPERATOR, MatchFactory, UserFactory, play
from tests.kept import contents
from tests.league.demo_cases import ONLINE, loaded_in_the_browser, rows, told
from tests.league.followed import addresses_in
from tests.league.hand_files import SEASONS, command
from tests.league.rules_once_more import expected_table
from tests.league.table_players import plain_text

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.xdist_group("demo"),
    pytest.mark.dear("loads the whole demo"),
]


# Event, season, format, state, entries.
SHOWN = [
    ("Hollywood League 2025", "Autumn 2025", "round_robin", "finished", 16),
    ("Team League 2026", "Spring 2026", "round_robin", "finished", 8),
    ("Harbour Cup 2026", "Summer 2026", "double", "finished", 7),
    ("Change Partners in June", "Summer 2026", "rotation", "finished", 12),
    ("First Division", "Summer 2026", "round_robin", "finished", 5),
    ("Second Division", "Summer 2026", "round_robin", "finished", 5),
    ("First Division", "Autumn 2026", "round_robin", "draft", 5),
    ("Second Division", "Autumn 2026", "round_robin", "draft", 5),
    ("Group Cup 2026", "Summer 2026", "groups", "running", 8),
    ("Summer Swiss 2026", "Summer 2026", "swiss", "running", 11),
    ("Autumn Swiss 2026", "Autumn 2026", "swiss", "open", 6),
    ("Harbour Ladder 2026", "None", "ladder", "running", 9),
    ("Beat the Bots 2026", "Summer 2026", "round_robin", "running", 6),
    ("House Bots 2026", "Summer 2026", "round_robin", "running", 3),
    ("Tonight at the Harbour", "None", "swiss", "running", 12),
    ("Harbour Plate 2026", "Summer 2026", "consolation", "finished", 6),
    ("Jersey League 2026", "Summer 2026", "tables", "finished", 9),
    ("Rummy by Points", "Summer 2026", "tables_swiss", "finished", 10),
    ("Cutthroat in July", "Summer 2026", "tables", "finished", 7),
    ("Captains at One Table", "Summer 2026", "tables", "finished", 4),
    ("Jersey Cup 2026", "Summer 2026", "tables_cup", "finished", 9),
    ("Tonight Online", "None", "swiss", "running", 4),
]


# The test for which another demo is loaded before.
_COMPARES = "test_demo_is_the_same_every_time"


@dataclass
class Demo:
    """The demo as it stands in the database, when it had been loaded, and what another before it told.

    `empty` are the rows of before.
    """

    club: Club
    loaded_at: datetime.datetime
    of_another: list[Any]
    empty: dict[str, set[str]]


@pytest.fixture(scope="module")
def demo(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest
) -> Iterator[Demo]:
    """A transaction around those of the tests that ask for it; the demo goes with its end."""
    of_another = []
    with django_db_blocker.unblock():
        if any(item.name.startswith(_COMPARES) for item in request.session.items):
            with transaction.atomic():
                steps: list[int] = []
                load_demo(progress=steps.append)
                assert sum(steps) == SHEETS
                of_another = told()
                transaction.set_rollback(True)
        with transaction.atomic():
            empty = rows()
            yield Demo(loaded_in_the_browser(), timezone.now(), of_another, empty)
            transaction.set_rollback(True)


def test_demo_when_the_database_is_empty_has_both_seasons_and_events_of_every_format(demo: Demo) -> None:
    club = demo.club
    assert (club.name, club.time_zone) == ("Harbour Gin Club", "Europe/Copenhagen")
    assert [
        (event.name, str(event.season), event.format, event.state, event.entries.count())
        for event in club.events.order_by("pk")
    ] == SHOWN
    assert ImportBatch.objects.count() == 2
    assert Standing.objects.count() == sum(entries for *_event, entries in SHOWN)
    assert not StandingsRequest.objects.exists()
    assert not RatingsRequest.objects.exists()
    assert command("rebuild").strip() == "No differences."
    assert {note.actor_name for note in AuditEntry.objects.all()} == {"the demo"}


def test_demo_shows_what_there_is_to_see(demo: Demo) -> None:
    """A late entry, byes, a decided bracket, groups that lead to a knockout, who went up and down."""
    swiss = Event.objects.get(slug="summer-swiss-2026")
    assert next_step(swiss) == "Round 4 is published; 2 results are missing."
    assert [entry.first_round for entry in swiss.entries.exclude(first_round=1)] == [2]
    assert swiss.matches.filter(state=MatchState.BYE).count() == 3
    cup = Event.objects.get(slug="harbour-cup-2026")
    assert set(placings(cup)) == set(cup.entries.values_list("pk", flat=True))
    evening = Event.objects.get(slug="change-partners-in-june")
    assert evening.matches.exclude(partner_a=None).count() == 6 * 3
    assert next_step(Event.objects.get(slug="group-cup-2026")).startswith("Round 4 is published")
    first, second = Event.objects.filter(season__name="Autumn 2026", pyramid__isnull=False).order_by("level")
    up = Event.objects.get(season__name="Summer 2026", level=2).standings.get(position=1).entry.name
    down = Event.objects.get(season__name="Summer 2026", level=1).standings.get(position=5).entry.name
    assert first.entries.filter(name=up).exists()
    assert second.entries.filter(name=down).exists()
    assert SeasonTable.objects.get().events.count() == 3


def test_tonight_no_two_tables_of_the_demo_stand_where_another_does(demo: Demo) -> None:
    event = Event.objects.get(slug="tonight")
    board = board_of(event.rounds.get(), now=timezone.now())
    signed, by_one, by_none, disputed, two_ways, playing = board.tables
    assert (signed.match.is_counted, len(signed.signed), signed.says) == (True, 2, "counts")
    assert [table.match.is_counted for table in (by_one, by_none, disputed)] == [False] * 3
    assert by_one.says == "it waits for a signature"
    assert by_none.says == "it waits for both signatures"
    assert disputed.says == "it is disputed, it waits for a signature"
    assert (two_ways.says, two_ways.needs) == ("2 deals", ["1 deal entered in two ways"])
    assert (playing.says, playing.needs) == ("3 deals", [])
    assert Standing.objects.filter(event=event, played=1).count() == 2
    assert TableLink.objects.filter(sheet__match__event=event).count() == 12


def test_tonight_an_evening_is_played_online_in_the_demo(demo: Demo) -> None:
    """Its hands are proved and replayed as those of members; one is in play, and on the hall's screen."""
    event = Event.objects.get(slug=ONLINE)
    first, second = event.rounds.order_by("number")
    states = [
        list(each.matches.order_by("table").values_list("state", flat=True)) for each in (first, second)
    ]
    assert states == [
        [MatchState.FINISHED, MatchState.FINISHED],
        [MatchState.FINISHED, MatchState.PLAYING],
    ]
    assert [standing.played for standing in event.standings.order_by("-played")] == [2, 2, 1, 1]
    (live,) = TableMatch.objects.filter(is_live=True)
    assert event.hall_match is not None
    assert (event.hall_match.sheet, len(hands_over(live))) == (live.sheet, 1)
    assert not TableSeat.objects.exclude(account=None).exists()
    assert not User.objects.exists()

    club = demo.club.slug
    tonight = Client().get(reverse("event", args=[club, ONLINE])).text
    assert reverse("match", args=[club, ONLINE, event.hall_match.code]) in tonight
    # One of the names has an apostrophe.
    screen = unescape(plain_text(Client().get(reverse("event_screen", args=[club, ONLINE])).text))
    assert f"{event.hall_match} deal 2 is being played" in screen
    for table in TableMatch.objects.all():
        proved = [tuple(verified_hand(hand).results) for hand in hands_over(table)]
        assert proved == [deal.hands for deal in kept_sheet(table.sheet).deals]


def test_bots_of_the_demo_have_something_to_play_at_once_and_then_every_few_minutes(demo: Demo) -> None:
    now = demo.loaded_at
    waiting = list(BotMatch.objects.order_by("due_at"))
    assert {match.state for match in waiting} == {BotMatchState.DUE}
    assert hand_out(now) == [waiting[0].pk]
    gaps = [later.due_at - sooner.due_at for sooner, later in pairwise(waiting)]
    assert gaps == [datetime.timedelta(minutes=3)] * 6
    alone = Event.objects.get(slug="house-bots-2026")
    assert alone.matches.exclude(state=MatchState.BYE).count() == 6
    assert all(bot.is_bot for bot in alone.entries.all())
    assert str(Match.objects.get(sheet=waiting[0].sheet_id)) == "Hoyle (bot) v Pip (bot)"
    (between,) = Match.objects.filter(between_bots(), event__slug="beat-the-bots-2026")
    assert {match.sheet_id for match in waiting} == {
        between.sheet_id,
        *alone.matches.exclude(state=MatchState.BYE).values_list("sheet", flat=True),
    }
    (schedule,) = BotSchedule.objects.all()
    assert schedule.next_at is not None
    assert now < schedule.next_at <= now + datetime.timedelta(days=8)
    assert schedule.next_at.astimezone(demo.club.zone).strftime("%A %H:%M") == "Friday 20:00"

    play_bot_match(waiting[0].pk)
    played = Match.objects.get(sheet=waiting[0].sheet_id)
    assert played.state == MatchState.FINISHED
    recalculate(played.event_id)
    recalculate_ratings(demo.club.pk)
    assert command("rebuild").strip() == "No differences."


@pytest.mark.looks
def test_demo_is_the_same_every_time(demo: Demo) -> None:
    matches, deals, *_ = now = told()
    assert len(matches) > 200
    assert len(deals) > 1000
    assert demo.of_another == now


def test_demo_when_loaded_again_changes_nothing(demo: Demo) -> None:
    before = contents()
    assert load_demo() is None
    assert contents() == before


def test_tables_of_both_seasons_are_the_right_ones(demo: Demo) -> None:
    check_table("hollywood-league.csv", target=100, columns=3)
    check_table("team-league.csv", target=125, columns=1)


def test_every_saved_sheet_when_opened_reads_back_as_itself(demo: Demo, long: bool) -> None:
    """As a scorekeeper opens it on the sheet's page to look something up.

    However it stands there: either side left, figures as points or as running totals. Each sheet is seen from
    both sides and with both figures, and every other one the other way about; in a long proof, in all ways.
    """
    sheets = list(Scoresheet.objects.select_related("rules").exclude(deal_count=0).order_by("pk"))
    assert len(sheets) > 100
    for number, sheet in enumerate(sheets):
        base = base_of(sheet)
        ways = [(0, number % 2 == 0), (1, number % 2 == 1)]
        for left, running in [*ways, *((1 - left, running) for left, running in ways if long)]:
            reading = read(sheet, blank_draft(base, left=left, running=running))
            wanted = DraftAct.CORRECT if reading.is_swapped else DraftAct.NOTHING
            assert (reading.plan.act, reading.plan.changes or {}) == (wanted, {}), sheet.label
            assert not reading.problems, sheet.label


def test_seasons_of_the_demo_when_exported_are_the_files_they_came_from(demo: Demo) -> None:
    for name in ("hollywood-league.csv", "team-league.csv"):
        data = (SEASONS / name).read_text()
        event = Event.objects.get(name=next(csv.DictReader(data.splitlines()))["event"])
        assert export_hands(event).text == data
        assert export_hands(event).notes == []


# What pages that follow read besides what is counted: who asks, which is asked each time.
ASKED_EACH_TIME = {"django_session"}
# Written with ratings alone, which are counted.
WRITTEN_WITH_OTHERS = {"league_ratingstep"}
FROM = re.compile(r'\b(?:FROM|JOIN) "(\w+)"')


def test_pages_that_follow_read_what_is_counted_and_nothing_else(demo: Demo) -> None:
    """In every format, as a guest, a player and an owner, with all that can stand on a sheet."""
    event = Event.objects.get(slug="tonight")
    playing = event.matches.order_by("table")[5]
    furnish_with_everything(demo.club, playing)
    assert playing.sheet is not None
    owner, player, guest = Client(), Client(), Client()
    owner.force_login(UserFactory.create(club=demo.club, role=Role.OWNER))
    player.force_login(User.objects.get(username="player"))
    pages = [(name, address) for name, address in addresses_in(demo.club, most=3)]
    own = reverse("match", args=[demo.club.slug, event.slug, playing.code])
    read: dict[str, set[str]] = defaultdict(set)

    def look(client: Client, name: str, address: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            status = client.get(address).status_code
        read[name] |= {table for query in asked for table in FROM.findall(query["sql"])}
        return status

    assert {look(owner, *page) for page in pages} == {200}
    # No draft.
    assert {look(guest, *page) for page in pages} == {200, 404}
    assert {look(client, "match", own) for client in (owner, player, guest)} == {200}
    for slug in ("pairs", "later"):
        assert look(player, "event", reverse("event", args=[demo.club.slug, slug])) == 200
    offered = Match.objects.get(event__slug="online")
    assert look(player, "match", reverse("match", args=[demo.club.slug, "online", offered.code])) == 200
    seat = reverse("phone:state", args=[playing.sheet.code, 0])
    assert look(player, "phone", seat) == 200
    stop_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get(pk=playing.sheet.pk))
    assert look(player, "phone", seat) == 200
    Club.objects.filter(pk=demo.club.pk).update(is_public=False, is_guided=True)
    assert [look(client, *pages[0]) for client in (owner, player, guest)] == [200, 200, 404]
    assert set(read) == {
        *("club", "event", "event_rounds", "event_bracket", "event_ladder", "event_race", "round", "match"),
        "phone",
    }
    tables = set[str]().union(*read.values())
    assert tables - {"league_writecount"} - ASKED_EACH_TIME - WRITTEN_WITH_OTHERS == set(COUNTED)


# Where a row is shown that is not on the page of the event or the club it refers to.
SHOWN_WITH = {
    **dict.fromkeys(("Side", "Seat", "SheetAct", "DealVersion", "Signature", "Claim", "Dispute"), "sheet"),
    **dict.fromkeys(("TableLink", "BotMatch", "TableMatch"), "sheet"),
    **dict.fromkeys(("Scoresheet", "Appearance", "BotHand", "ProposedTime", "OnlineOffer"), "match"),
    "LineUpSeat": "match",
    "Arrival": "round",
    "ClaimSettlement": "claim",
    "DisputeSettlement": "dispute",
    "Rating": "player",
}


def shown_on(row: Any, club: Club) -> Club | Event | Match | None:
    """The match, event or club whose page shows a row; the club for what all show, None if none does."""
    if isinstance(row, Club | Event | Match):
        return row
    if isinstance(row, User | HouseRules | ApiToken):
        return club
    if isinstance(row, Entry):
        # Divisions show how many entries the others have.
        return club.events.exclude(pk=row.event_id).order_by("pk")[0]
    if isinstance(row, LadderAbsence):
        return row.entry.event
    own = SHOWN_WITH.get(type(row).__name__) or ("event" if hasattr(row, "event_id") else "club")
    above = getattr(row, own, None)
    return above and shown_on(above, club)


def writes_of(place: Club | Event | Match) -> int:
    """How often was written what the page of a club, an event or a match shows."""
    match place:
        case Club():
            found = version_of(place.slug)
        case Event():
            found = version_of(place.club.slug, place.slug)
        case Match():
            found = version_of(place.event.club.slug, place.event.slug, place.code)
    assert found is not None
    return found.writes


@pytest.mark.postgresql
def test_every_row_that_pages_show_is_counted_when_it_changes_goes_or_comes(demo: Demo) -> None:
    event = Event.objects.get(slug="tonight")
    signed, *_ended, two_ways, playing = event.matches.order_by("table")
    furnish_with_everything(demo.club, playing)
    settle_claim(
        actor=OPERATOR, claim=Claim.objects.get(sheet=two_ways.sheet_id), take=False, reason="misread"
    )
    settle_dispute(actor=OPERATOR, dispute=Dispute.objects.latest("pk"), reason="it is so")
    add_adjustment(actor=OPERATOR, entry=playing.entry_a, points=Decimal(-1), reason="late")
    add_alias(actor=OPERATOR, player=playing.entry_a.players.get(), name="Another Name")
    voided = Scoresheet.objects.get(match=signed)
    void_sheet(actor=OPERATOR, sheet=voided, reason="wrong table")
    renew_sheet(actor=OPERATOR, match=Match.objects.get(pk=signed.pk))
    Exhibition.objects.create(club=demo.club, sheet=voided)
    ClubRules.objects.get_or_create(club=demo.club, rules=event.rules)
    ProposedTime.objects.create(match=playing, side=0, at=timezone.now())
    BotHand.objects.create(match=BotMatch.objects.latest("pk"), deal=1, log=[])
    CutDecision.objects.create(
        event=event, kind="group", key="x", how=CutHow.LOT, lot=1, **CutDecision.actor_fields(OPERATOR)
    )
    request_standings(event.pk)
    models = {model._meta.db_table: model for model in apps.get_models()}
    missing = set()
    for table, counted in COUNTED.items():
        rows = models[table]._base_manager
        found = [(row, shown_on(row, demo.club)) for row in rows.order_by("-pk")[:200]]
        row, place = next((one for one in found if one[1] is not None), (None, None))
        if row is None or place is None:
            missing.add(table)
            continue
        key = models[table]._meta.pk.column
        column = counted.columns.partition(",")[0] or key
        with transaction.atomic():
            seen = [writes_of(place)]
            with connection.cursor() as cursor:
                cursor.execute(
                    f'UPDATE "{table}" SET {column} = {column} WHERE {key} = %s',  # noqa: S608
                    [row.pk],
                )
            seen.append(writes_of(place))
            if row is not place:
                rows.filter(pk=row.pk)._raw_delete("default")
                seen.append(writes_of(place))
                rows.bulk_create([row])
                seen.append(writes_of(place))
            transaction.set_rollback(True)
        assert seen == sorted(set(seen)), table
    assert missing == set()


def furnish_with_everything(club: Club, match: Match) -> None:
    """Cover names, and have an account and a program record on the sheet of a match, one of whose players has
    an account too; he is invited to a team, and somebody looks for a partner. The sheet was played at a table
    for a while, and a match may be played at one, which waits for its players. He is checked in for
    an evening.
    """
    covered = list(club.players.order_by("pk").values_list("pk", flat=True))[::3]
    Player.objects.filter(pk__in=covered).update(shown_as=ShownAs.INITIALS)
    Player.objects.filter(appearances__match=match, appearances__side=0).update(
        user=UserFactory.create(club=club, role=Role.MEMBER, username="player", is_staff=False)
    )
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    token, _secret = issue_token(user=keeper, name="Tablet", scope=TokenScope.RECORD, club=club, days=1)
    assert match.sheet is not None
    one, other = (side.name for side in kept_sheet(match.sheet).sides)
    for actor in (actor_of(keeper), actor_of(token)):
        record_deals(actor=actor, sheet=match.sheet, deals=[factories.won(one, other, 3)])
    pairs = factories.EventFactory.create(club=club, slug="pairs", kind="team", team_size=2, state="open")
    captain, searcher = club.players.filter(user=None)[:2]
    team = EntryRequest.objects.create(
        event=pairs, player=captain, state=RequestState.FORMING, position=1, kept_until=timezone.now()
    )
    invited = club.players.get(user__username="player")
    PartnerInvitation.objects.create(event=pairs, request=team, player=invited)
    PartnerSearch.objects.create(event=pairs, player=searcher)
    rival = club.players.filter(user=None, strategy="").exclude(pk__in=[captain.pk, searcher.pk])[0]
    rival.user = UserFactory.create(club=club, role=Role.MEMBER, is_staff=False)
    rival.save(update_fields=["user"])
    online = factories.EventFactory.create(club=club, slug="online", played=PlayedWhere.EITHER)
    sides = [
        factories.EntryFactory.create(event=online, name=each.name, players=[each])
        for each in (invited, rival)
    ]
    offered = factories.MatchFactory.create(event=online, entry_a=sides[0], entry_b=sides[1])
    OnlineOffer.objects.create(match=offered, side=1)
    now = timezone.now()
    Evening.objects.create(event=online, round=offered.round, come_by=now, state=EveningState.GOING)
    Arrival.objects.create(round=offered.round, player=invited, at=now)
    teams = factories.EventFactory.create(club=club, slug="teams", played=PlayedWhere.ONLINE, team_size=2)
    Evening.objects.create(event=teams)
    closed = factories.MatchFactory.create(event=teams)
    author = LineUpSeat.actor_fields(factories.OPERATOR)
    LineUpSeat.objects.create(match=closed, side=0, position=0, player=invited, at=now, **author)
    TableMatch.objects.create(sheet=match.sheet, cut_seed=1, is_live=False)
    later = factories.EventFactory.create(club=club, slug="later", format="swiss", check_in=True)
    Evening.objects.create(event=later)
    entry = factories.EntryFactory.create(event=later, name=invited.name, players=[invited])
    Presence.objects.create(event=later, entry=entry, round_number=1, state=PresenceState.HERE)


def check_table(name: str, *, target: int, columns: int) -> None:
    rows = list(csv.DictReader((SEASONS / name).read_text().splitlines()))
    event = Event.objects.get(name=rows[0]["event"])
    standings = Standing.objects.filter(event=event).select_related("entry").order_by("position")
    found = [
        (
            row.entry.name,
            *(row.played, row.wins, row.losses, int(row.points)),
            *(row.net, row.columns_won, row.boxes),
        )
        for row in standings
    ]
    assert found == expected_table(rows, target=target, columns=columns)


@pytest.mark.parametrize(
    ("name", "sides", "rounds", "tables", "on_a_side"),
    [("hollywood-league.csv", 16, 15, 8, 1), ("team-league.csv", 8, 7, 4, 2)],
)
def test_file_of_the_demo_is_a_whole_season(
    name: str, sides: int, rounds: int, tables: int, on_a_side: int
) -> None:
    sheets = {
        (int(row["round"]), int(row["table"]), frozenset((row["side_a"], row["side_b"])))
        for row in csv.DictReader((SEASONS / name).read_text().splitlines())
    }
    assert {(number, table) for number, table, _ in sheets} == {
        (number, table) for number in range(1, rounds + 1) for table in range(1, tables + 1)
    }
    everybody = frozenset[str]().union(*(pair for _, _, pair in sheets))
    assert {len(side.split("+")) for side in everybody} == {on_a_side}
    assert len(everybody) == sides
    # Everybody has met everybody once.
    assert len(sheets) == len({pair for _, _, pair in sheets}) == sides * (sides - 1) // 2


@pytest.mark.postgresql
def test_all_of_the_demo_goes_and_nothing_else(demo: Demo) -> None:
    club = demo.club
    assert entered_by_people(club) == 0
    event = club.events.earliest("pk").pk
    loaded = rows()
    assert len(loaded["scoring.DealVersion"]) > 1000
    play(MatchFactory.create(), 30)
    both = rows()
    beside = {label: both[label] - loaded[label] for label in both}
    assert all(beside[label] for label in ("league.Club", "league.Match", "scoring.DealVersion"))
    entries = set(AuditEntry.objects.exclude(club=club).values_list("pk", flat=True))
    remove_demo(actor=OPERATOR, club=club, reason="Seen enough.")
    left = rows()
    assert left == {label: demo.empty[label] | beside[label] for label in both}
    assert not WriteCount.objects.filter(club_id=club.pk).exists()
    new = AuditEntry.objects.exclude(pk__in=entries)
    assert [(row.action, row.object_name, row.club, row.reason) for row in new] == [
        ("club.remove_demo", str(club), None, "Seen enough.")
    ]
    # What waited in a queue finds nothing to do.
    recalculate(event)
    assert rows() == left
