"""Versions of pages: every write to what they show is counted, whoever writes, in whatever order it ends."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction

from league.matches.matches import renew_sheet
from league.models import Club, Entry, Event, EventState, Match, Player, WriteCount
from league.record.requests import request_standings
from league.record.triggers import silenced
from league.record.write_counts import COUNTED, PageVersion, fold_counts, version_of, version_of_sheet
from league.tasks import sweep
from scoring.services import void_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    play,
)
from tests.faults.threads import DEADLINE_SECONDS, at_once

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

# Tables of the leagues, games and sheets that no page that follows shows.
NOT_SHOWN = {
    # Only officers read these, on pages of their own.
    "league_auditentry", "league_botschedule", "league_forbiddenpair", "league_importbatch_acts",
    "league_importdraft", "league_invitation", "league_joinrequest", "league_namingtext",
    "league_removedmember", "league_webhook", "league_webhookdelivery",
    "scoring_secondtyping",
    # Its digest stands in the club's row.
    "league_clublogo",
    # The account page alone, and mails.
    "league_mailbounce", "league_notice", "league_noticechoices", "league_pushdevice",
    # Who has a password that somebody else chose is led elsewhere before any page.
    "league_givenpassword", "league_signup",
    # Where a calendar is read is told on the account's page only.
    "league_calendaraddress",
    # Where somebody is away, a daily hand, friendly games on offer, and teams that form, is read on pages
    # made anew each time.
    "league_dailyhand", "league_dailytry", "league_gameoffer", "league_offerseat", "league_playerabsence",
    # So is what tables made of packs, which have pages of their own.
    "league_roundpacks",
    # Its code is shown to officers once, and read by whoever scans it.
    "league_selfcheckin",
    # Notes of work that is to be done, and for other programs; how often was written is counted here.
    "league_deletion", "league_ratingsrequest", "league_sweepmark", "league_writecount",
    # When clocks were last looked after.
    "games_siteheartbeat",
    # What a table is answered that sends again.
    "scoring_tableanswer",
    "scoring_openingkey",
    # Read by the players at the table only, with a version of its own; the sheet's writes are counted.
    "games_sealedpack", "games_tableact", "games_tablehand", "games_tablephrase", "games_tableseat",
    "games_tablewarning",
    # Told to their players alone.
    "games_handreport",
    # Pages of their own.
    "games_botmeeting", "games_botrating", "league_individualstanding", "league_ratingstep",
    "league_seasontable_events",
}  # fmt: skip


def test_every_table_is_counted_or_shown_on_no_page_that_follows() -> None:
    tables = {
        model._meta.db_table
        for app in ("league", "games", "scoring")
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    }
    assert NOT_SHOWN.isdisjoint(COUNTED)
    assert NOT_SHOWN | set(COUNTED) == tables | {"auth_user"}


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="league")
    made: Match = MatchFactory.create(event=event)
    return made


def of_match(match: Match) -> PageVersion:
    found = version_of("harbour", "league", match.code)
    assert found is not None
    return found


def of_event() -> PageVersion:
    found = version_of("harbour", "league")
    assert found is not None
    return found


def of_club() -> PageVersion:
    found = version_of("harbour")
    assert found is not None
    return found


def test_version_is_of_what_the_address_names(match: Match) -> None:
    assert match.sheet is not None
    club, event, sheet = match.event.club_id, match.event_id, match.sheet_id
    assert (of_club().ids, of_event().ids) == ((club,), (club, event))
    assert of_match(match).ids == (club, event, sheet)
    assert version_of_sheet(match.sheet.code) == of_match(match)
    for wrong in (("bay",), ("bay", "league"), ("harbour", "cup"), ("harbour", "cup", match.code)):
        assert version_of(*wrong) is None
    assert version_of("harbour", "league", "x") is None
    assert version_of_sheet("x") is None


def told_by(write: Callable[[], Any], match: Match, other: Match) -> set[str]:
    """The versions that are others once something is written."""
    asked: dict[str, Callable[[], PageVersion]] = {
        "club": of_club,
        "event": of_event,
        "match": lambda: of_match(match),
        "other match": lambda: of_match(other),
        "event of another": lambda: version_of("bay", "league"),  # type: ignore[dict-item,return-value]
    }
    before = {name: ask() for name, ask in asked.items()}
    write()
    after = {name: ask() for name, ask in asked.items()}
    assert all(after[name].writes >= before[name].writes for name in asked)
    return {name for name in asked if after[name] != before[name]}


def test_write_is_counted_where_it_is_shown(match: Match) -> None:
    other = MatchFactory.create(event=match.event, round=match.round)
    EventFactory.create(club=ClubFactory.create(slug="bay"), slug="league")
    account = User.objects.create_user("keeper")
    own = {"club", "event", "match"}
    of_all = own | {"other match"}
    writes: list[tuple[Callable[[], Any], set[str]]] = [
        (lambda: play(match, 5), own),
        (lambda: Match.objects.filter(pk=match.pk).update(table=7), own),
        (lambda: Entry.objects.filter(pk=match.entry_a_id).update(name="Renamed"), of_all),
        (lambda: Player.objects.filter(club=match.event.club_id).update(nickname="Ace"), of_all),
        (lambda: Club.objects.filter(slug="harbour").update(name="Bay"), of_all | {"event of another"}),
        (lambda: User.objects.filter(pk=account.pk).update(first_name="Kit"), of_all | {"event of another"}),
        (lambda: User.objects.filter(pk=account.pk).update(last_login=None), set()),
        (lambda: Event.objects.filter(club__slug="bay").update(name="Cup"), {"event of another"}),
    ]
    for number, (write, expected) in enumerate(writes):
        assert told_by(write, match, other) == expected, number


def test_sheet_that_takes_the_place_of_another_is_another_version(match: Match) -> None:
    play(match, 5)
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="wrong table")
    before = of_match(match)
    renewed = renew_sheet(actor=OPERATOR, match=Match.objects.get(pk=match.pk))
    after = of_match(match)
    assert after.ids == (*before.ids[:2], renewed.sheet_id) != before.ids
    play(renewed, 5)
    assert of_match(match).writes > after.writes


def test_what_is_taken_back_is_not_counted_and_what_follows_it_is(match: Match) -> None:
    entries = Entry.objects.filter(event=match.event)
    before = of_event()
    with transaction.atomic():
        with transaction.atomic():
            entries.update(is_guest=True)
            assert of_event() != before
            transaction.set_rollback(True)
        assert of_event() == before
        entries.update(is_guest=True)
        assert of_event() != before


def test_every_statement_is_counted_however_many_rows_it_writes(match: Match) -> None:
    EntryFactory.create_batch(20, event=match.event)
    entries = Entry.objects.filter(event=match.event)
    seen = {of_event().writes}
    for is_guest in (True, False, True):
        entries.update(is_guest=is_guest)
        seen.add(of_event().writes)
    assert len(seen) == 4


def test_restore_ends_all_versions(match: Match) -> None:
    before = [of_club(), of_event(), of_match(match)]
    connection.check_constraints()
    with silenced("default"):
        WriteCount.objects.all().delete()
        Entry.objects.filter(event=match.event).update(is_guest=True)
        connection.check_constraints()
    after = [of_club(), of_event(), of_match(match)]
    assert {each.writes for each in before}.isdisjoint(each.writes for each in after)


def test_what_is_over_is_counted_by_few_rows_and_as_often(match: Match) -> None:
    """Of an event that is finished, of one that is gone, and of a club that is gone."""
    club = match.event.club
    running, gone = (EventFactory.create(club=club, state=EventState.RUNNING) for _ in range(2))
    for event in (match.event, match.event, running):
        play(MatchFactory.create(event=event), 5)
    play(match, 5)
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    before = [of_club(), of_event(), version_of(club.slug, running.slug)]
    of_one, of_all = of_match(match).writes, of_event().writes
    fold_counts()
    assert [of_club(), of_event(), version_of(club.slug, running.slug)] == before
    assert of_match(match).writes > of_one
    of_sheets = WriteCount.objects.exclude(sheet_id=0).values_list("event_id", flat=True)
    assert set(of_sheets) == {running.pk}
    Match.objects.filter(pk=match.pk).update(table=7)
    assert of_event().writes > of_all

    request_standings(gone.pk)
    gone.delete()
    whole, one = of_club(), of_event()
    other = ClubFactory.create()
    PlayerFactory.create(club=other).delete()
    other.delete()
    sweep()
    assert of_club().writes >= whole.writes
    assert of_event().writes > one.writes
    left = set(WriteCount.objects.exclude(club_id=0).values_list("club_id", "event_id"))
    assert left == {(club.pk, 0), (club.pk, match.event_id), (club.pk, running.pk)}


@pytest.mark.django_db(transaction=True)
def test_who_begins_earlier_and_ends_later_is_counted_and_nobody_waits(match: Match) -> None:
    """One writes, another writes and ends, the one ends; on SQLite the other has his turn after that."""
    is_alone = connection.vendor != "postgresql"
    first_wrote, second_ended = threading.Event(), threading.Event()
    seen = [of_event().writes]

    def first() -> None:
        with transaction.atomic():
            Entry.objects.filter(pk=match.entry_a_id).update(is_guest=True)
            first_wrote.set()
            assert is_alone or second_ended.wait(DEADLINE_SECONDS), "the second waits for the first"
        seen.append(of_event().writes)

    def second() -> None:
        assert first_wrote.wait(DEADLINE_SECONDS)
        Entry.objects.filter(matches_as_b=match).update(is_guest=True)
        seen.append(of_event().writes)
        second_ended.set()

    at_once([first, second])
    start, *later = sorted(seen)
    assert start < later[0] <= later[1] == of_event().writes
    assert is_alone or later[0] < later[1]


@pytest.mark.django_db(transaction=True)
def test_no_write_of_many_at_once_is_lost(match: Match) -> None:
    threads, times = 6, 20
    entries = [EntryFactory.create(event=match.event).pk for _ in range(threads)]
    before = of_event().writes

    def write(entry: int) -> None:
        for _ in range(times):
            Entry.objects.filter(pk=entry).update(is_guest=True)

    at_once([lambda entry=entry: write(entry) for entry in entries])  # type: ignore[misc]
    # On SQLite a row is stamped by a second write.
    each = 2 if connection.vendor == "sqlite" else 1
    assert of_event().writes - before == each * threads * times
    assert WriteCount.objects.filter(club_id=match.event.club_id, event_id=0).count() <= threads
