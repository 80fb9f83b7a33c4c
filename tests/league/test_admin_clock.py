"""Every time in the admin is shown by the clock of the club whose it is."""

import datetime
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.events.house_rules import make_club_rules, next_version
from league.files.undoing import undo_import
from league.models import AuditEntry, Club, ClubRules, ImportBatch, Match, Role
from league.people.players import create_player
from scoring.core.rules import Rules
from scoring.models import HouseRules, Scoresheet, SheetAct
from scoring.services import record_deals
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, UserFactory, won
from tests.league.hand_files import batch_of, file_of, knock

pytestmark = pytest.mark.django_db

NIGHT = datetime.datetime(2026, 3, 4, 20, 15, tzinfo=datetime.UTC)
TOKYO, LIMA = "2026-03-05 05:15", "2026-03-04 15:15"
ANY_TIME = re.compile(r"\b2026-\d\d-\d\d \d\d:\d\d\b|[A-Z][a-z]+\.? \d+, 2026|\b\d\d? [ap]\.m\.")


@pytest.fixture
def clubs() -> list[Club]:
    """Two clubs far apart, with one of everything that has a time."""
    made = [furnished("Asia/Tokyo"), furnished("America/Lima")]
    ImportBatch.objects.update(at=NIGHT, undone_at=NIGHT)
    AuditEntry.objects.update(at=NIGHT)
    HouseRules.objects.update(created_at=NIGHT)
    Scoresheet.objects.update(opened_at=NIGHT, updated_at=NIGHT)
    SheetAct.objects.update(at=NIGHT)
    return made


def furnished(zone: str) -> Club:
    club = ClubFactory.create(time_zone=zone)
    own = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules(columns=3))
    batch = batch_of(club, file_of(knock(1)))
    undo_import(actor=OPERATOR, batch=batch)
    own = next_version(actor=OPERATOR, club_rules=own, name="Ours", rules=Rules(columns=2))
    event = EventFactory.create(club=club, rules=own.rules)
    entries = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob")]
    match: Match = MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1])
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("Ann", "Bob", 44)])
    create_player(actor=OPERATOR, club=club, name="Cid")
    return club


def times(client: Client, address: str) -> set[str]:
    answer = client.get(address)
    assert answer.status_code == 200
    return set(ANY_TIME.findall(answer.content.decode()))


def rows_of(club: Club) -> dict[str, int]:
    match = Match.objects.get(event__club=club)
    batch, note = ImportBatch.objects.get(club=club), AuditEntry.objects.filter(club=club).earliest("pk")
    assert match.sheet_id is not None
    return {
        "league_importbatch": batch.pk,
        "league_auditentry": note.pk,
        "league_clubrules": ClubRules.objects.filter(club=club).latest("pk").pk,
        "scoring_scoresheet": match.sheet_id,
    }


def test_pages_of_a_row_are_by_its_clubs_clock(clubs: list[Club]) -> None:
    client = logged_in(User.objects.create_superuser("root"))
    for club, here in zip(clubs, (TOKYO, LIMA), strict=True):
        for name, pk in rows_of(club).items():
            assert times(client, reverse(f"admin:{name}_change", args=[pk])) == {here}, name
        assert times(client, reverse("admin:league_club_history", args=[club.pk])) <= {here}


def test_lists_over_clubs_show_each_row_by_its_own_clock(clubs: list[Club]) -> None:
    client = logged_in(User.objects.create_superuser("root"))
    for name in ("league_importbatch", "league_auditentry", "league_clubrules", "scoring_houserules"):
        assert times(client, reverse(f"admin:{name}_changelist")) == {TOKYO, LIMA}, name


def test_officers_see_their_clubs_time(clubs: list[Club]) -> None:
    client = logged_in(UserFactory.create(club=clubs[0], role=Role.DIRECTOR))
    for name in ("league_importbatch", "league_auditentry", "league_clubrules"):
        assert times(client, reverse(f"admin:{name}_changelist")) == {TOKYO}, name
