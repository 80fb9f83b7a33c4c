"""Undoing an import: one act, as long as nobody has built on it; afterwards the file can come again."""

from collections.abc import Callable

import pytest

from league.draws.forfeits import award_forfeit
from league.errors import LeagueError
from league.events.house_rules import make_club_rules
from league.files.undoing import UndoPlan, plan_undo, undo_import
from league.matches.club_sheets import open_friendly_sheet
from league.models import (
    Adjustment,
    AuditEntry,
    Club,
    ClubRules,
    Entry,
    EntryRequest,
    Event,
    EventState,
    ImportBatch,
    Match,
    Player,
    RequestState,
    Round,
    Season,
    StandingsRequest,
)
from league.tables.standings import current_standings
from scoring.core.actors import Actor, ActorKind
from scoring.core.lengths import Length
from scoring.core.rules import Rules
from scoring.core.sheets import VOID
from scoring.models import ActKind, DealVersion, HouseRules, Scoresheet
from scoring.services import correct_deals, record_deals, sign_sheet, stop_sheet
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    won,
)
from tests.kept import assert_derived, contents
from tests.league.hand_files import (
    HOLLYWOOD,
    OTHER,
    TEAMS,
    THREE_COLUMNS,
    batch_of,
    dead,
    file_of,
    imported,
    knock,
    points,
    stopped,
    the_sheet,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def undo(batch: ImportBatch) -> UndoPlan:
    return undo_import(actor=OPERATOR, batch=batch)


@pytest.mark.dear("imports a whole season")
@pytest.mark.parametrize("data", [HOLLYWOOD, TEAMS], ids=["hollywood", "teams"])
def test_season_when_undone_leaves_only_voided_sheets(club: Club, data: bytes) -> None:
    rules = THREE_COLUMNS if data == HOLLYWOOD else None
    batch = batch_of(club, data, season="2025", rules=rules)
    sheets, deals = Scoresheet.objects.count(), DealVersion.objects.count()

    undo(batch)

    for model in (Match, Round, Entry, Event, Player, Season, ClubRules):
        assert not model.objects.exists(), model
    assert Scoresheet.objects.filter(status="void", match=None).count() == sheets
    assert DealVersion.objects.count() == deals
    assert HouseRules.objects.count() == 1
    batch.refresh_from_db()
    assert (batch.event, batch.undone_by_name) == (None, OPERATOR.name)
    assert batch.undone_at is not None
    assert AuditEntry.objects.filter(action="import.undo", object_id=str(batch.pk)).exists()

    again = batch_of(club, data, rules=rules)
    assert again.deals == batch.deals
    assert Match.objects.filter(state="finished").count() == sheets


def test_house_rules_stay_by_which_one_has_played_a_game_of_another_length(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1)), season="2026", rules=None)
    own = ClubRules.objects.get()
    one, other = Player.objects.filter(club=club).order_by("name")[:2]
    sides, length = [[one], [other]], Length(target=50)
    open_friendly_sheet(actor=OPERATOR, club=club, rules=own.rules, sides=sides, length=length)
    undo(batch)
    assert ClubRules.objects.get() == own


def test_plan_says_what_undoing_does(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1), dead(1, **OTHER)), season="2026")
    assert plan_undo(batch).lines() == [
        "Voided: 2 sheets, whose deals can still be read but do not count.",
        "Deleted: matches: 2, rounds: 1, entries: 4, players: 4, events: 1, seasons: 1.",
    ]
    assert Match.objects.count() == 2


def test_players_of_a_rated_game_or_for_whom_a_bot_sat_in_stay(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1), dead(1, **OTHER)), season="2026")
    one, other, absent, _last = Player.objects.filter(club=club).order_by("name")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Own", rules=Rules()).rules
    sides = [[one], [other]]
    open_friendly_sheet(actor=OPERATOR, club=club, rules=rules, sides=sides, is_rated=True)
    elsewhere = MatchFactory.create(event=EventFactory.create(club=club, slug="elsewhere"))
    elsewhere.appearances.filter(side=0).update(sits_in_for=absent)

    undo(batch)

    assert set(Player.objects.filter(pk__in=batch.created["player"])) == {one, other, absent}


def test_deals_added_to_a_sheet_are_voided_and_can_come_again(club: Club) -> None:
    imported(club, file_of(knock(1)))
    longer = file_of(knock(1), knock(2, "Bob"), dead(3), stopped())
    batch = batch_of(club, longer)
    assert plan_undo(batch).lines() == ["Corrected back to what it was: 1 older sheet."]

    undo(batch)

    sheet = assert_derived(Scoresheet.objects.get())
    assert kept_sheet(sheet).deals[1:] == [VOID, VOID]
    assert (sheet.stopped, sheet.status) == (False, "open")
    assert Match.objects.get().state == "playing"

    again = batch_of(club, longer)
    assert again.deals == 2
    sheet = assert_derived(Scoresheet.objects.get())
    assert (sheet.stopped, sheet.deal_count, VOID in kept_sheet(sheet).deals) == (True, 3, False)
    undo(again)
    assert kept_sheet(assert_derived(Scoresheet.objects.get())).deals[1:] == [VOID, VOID]


def test_deals_that_were_voided_by_hand_do_not_come_again(club: Club) -> None:
    imported(club, file_of(knock(1), knock(2)))
    correct_deals(actor=OPERATOR, sheet=Scoresheet.objects.get(), changes={2: VOID}, reason="not played")
    with pytest.raises(LeagueError, match=r"stored differently \(voided\)"):
        imported(club, file_of(knock(1), knock(2)))


def test_correction_when_undone_is_corrected_back(club: Club) -> None:
    imported(club, file_of(knock(1), knock(2), knock(3), stopped()))
    before = kept_sheet(Scoresheet.objects.get()).deals
    batch = batch_of(
        club, file_of(knock(1, other=55), dead(2, kind="void"), knock(3), knock(4)), correct="wrong sheet"
    )
    assert Scoresheet.objects.get().stopped is False

    undo(batch)

    sheet = assert_derived(Scoresheet.objects.get())
    assert kept_sheet(sheet).deals == [*before, VOID]
    assert sheet.stopped is True


def test_time_called_when_undone_is_taken_back(club: Club) -> None:
    imported(club, file_of(knock(1)))
    batch = batch_of(club, file_of(stopped()))
    undo(batch)
    assert assert_derived(Scoresheet.objects.get()).status == "open"


def test_drawn_match_when_undone_has_a_fresh_sheet(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    match = MatchFactory.create(event=event, label="W1-1", entry_a=a, entry_b=b)
    first = match.sheet
    data = file_of(*[points(number, "Ann", 300) for number in (1, 2, 3)])
    batch = batch_of(club, data, create=False, rules=None)
    match.refresh_from_db()
    assert match.state == "finished"

    undo(batch)

    match.refresh_from_db()
    assert match.sheet is not None
    assert match.sheet != first
    assert (match.state, match.sheet.deal_count, match.sheet.version) == ("scheduled", 0, 0)
    assert Entry.objects.count() == 2
    assert batch_of(club, data, create=False, rules=None).deals == 3
    match.refresh_from_db()
    assert match.state == "finished"


def test_match_drawn_without_a_sheet_is_left_as_it_was(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    match = MatchFactory.create(event=event, label="W1-1", entry_a=a, entry_b=b)
    Match.objects.update(sheet=None)
    match.appearances.all().delete()
    batch = batch_of(club, file_of(knock(1)), create=False, rules=None)
    assert match.appearances.count() == 2

    undo(batch)

    match.refresh_from_db()
    assert (match.sheet, match.state, match.appearances.count()) == (None, "scheduled", 0)


def test_what_others_use_by_now_stays(club: Club) -> None:
    first = batch_of(club, file_of(knock(1)))
    batch_of(club, file_of(dead(1, round=2, sheet="W2-1")))
    eve = PlayerFactory.create(club=club, name="Eve")
    EntryFactory.create(event=Event.objects.get(), name="Eve", players=[eve])

    said = [
        "Voided: 1 sheet, whose deals can still be read but do not count.",
        "Deleted: matches: 1, rounds: 1.",
        "Kept, as others use them: entries: 2, players: 2, events: 1.",
    ]
    assert plan_undo(first).lines() == said
    assert undo(first).lines() == said

    assert Event.objects.get().rounds.get().number == 2
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Ann", "Bob", "Eve"]
    assert sorted(Entry.objects.values_list("name", flat=True)) == ["Ann", "Bob", "Eve"]
    assert Match.objects.get().label == "W2-1"
    assert {row.entry.name for row in current_standings(Event.objects.get())} == {"Ann", "Bob", "Eve"}
    assert StandingsRequest.objects.exists()


def test_player_who_waits_for_a_place_elsewhere_stays(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1)))
    other = EventFactory.create(club=club, state=EventState.OPEN)
    ann = Player.objects.get(name="Ann")
    EntryRequest.objects.create(event=other, player=ann, state=RequestState.WAITING, position=1)
    assert undo(batch).kept["player"] == 1
    assert list(Player.objects.values_list("name", flat=True)) == ["Ann"]


def test_whom_an_import_enters_waits_for_no_place_there(club: Club) -> None:
    batch_of(club, file_of(knock(1)))
    event = Event.objects.get()
    cid = PlayerFactory.create(club=club, name="Cid")
    EntryRequest.objects.create(event=event, player=cid, state=RequestState.WAITING, position=1)
    batch_of(club, file_of(knock(1, knocker="Cid", side_a="Cid", round=2, sheet="R2-1")))
    assert event.entries.filter(players=cid).exists()
    assert not EntryRequest.objects.exists()


Building = Callable[[Scoresheet], object]

BUILT: dict[str, Building] = {
    "recorded": lambda sheet: record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Bob", "Ann", 9)]),
    "corrected": lambda sheet: correct_deals(actor=OPERATOR, sheet=sheet, changes={1: VOID}, reason="no"),
    "stopped": lambda sheet: stop_sheet(actor=OPERATOR, sheet=sheet),
    "given": lambda sheet: award_forfeit(
        actor=OPERATOR, match=Match.objects.get(), winner_side=0, reason="left"
    ),
    "adjusted": lambda sheet: Adjustment.objects.create(
        event=Event.objects.get(),
        entry=Entry.objects.filter(name="Ann").get(),
        points=-1,
        reason="late",
        **Adjustment.actor_fields(OPERATOR),
    ),
}


@pytest.mark.parametrize("build", BUILT.values(), ids=BUILT.keys())
def test_import_that_was_built_upon_stays(club: Club, build: Building) -> None:
    batch = batch_of(club, file_of(knock(1)))
    build(Scoresheet.objects.get())
    before = contents()
    with refuses(LeagueError, "built_upon"):
        undo(batch)
    assert contents() == before


def test_import_that_was_signed_since_stays(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1), stopped()))
    sign_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get())
    with pytest.raises(LeagueError, match="has changed since the import"):
        undo(batch)


def test_import_upon_which_another_was_built_is_undone_after_it(club: Club) -> None:
    first = batch_of(club, file_of(knock(1)))
    second = batch_of(club, file_of(knock(1), knock(2)))
    with pytest.raises(LeagueError, match="has changed since"):
        undo(first)
    undo(second)
    undo(first)
    assert not Match.objects.exists()
    assert assert_derived(Scoresheet.objects.get()).status == "void"


def test_import_whose_correction_was_undone_is_undone_too(club: Club) -> None:
    imported(club, file_of(knock(1)))
    before = kept_sheet(the_sheet()).deals
    first = batch_of(club, file_of(knock(2), knock(3)))
    second = batch_of(club, file_of(knock(1, other=55), knock(2), knock(3, other=60)), correct="misread")
    undo(second)

    undo(first)

    assert kept_sheet(assert_derived(the_sheet())).deals == [*before, VOID, VOID]


def test_import_upon_which_a_person_built_stays_though_a_later_one_is_undone(club: Club) -> None:
    first = batch_of(club, file_of(knock(1)))
    second = batch_of(club, file_of(knock(1), knock(2)))
    undo(second)
    correct_deals(actor=OPERATOR, sheet=the_sheet(), changes={1: VOID}, reason="not played")
    with pytest.raises(LeagueError, match="has changed since"):
        undo(first)


def test_import_is_undone_once_and_by_who_may(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1)))
    with refuses(LeagueError, "not_allowed"):
        undo_import(actor=Actor(ActorKind.USER, "0", "Nobody"), batch=batch)
    undo(batch)
    with refuses(LeagueError, "undone_already"):
        undo(batch)


def test_undoing_is_written_in_the_history_of_each_sheet(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1)))
    undo(batch)
    act = Scoresheet.objects.get().acts.get(kind=ActKind.VOID)
    assert act.reason == "Undo of the import of night.csv"
    assert act.actor_name == "The tests (import)"
