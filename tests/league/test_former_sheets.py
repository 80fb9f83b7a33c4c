"""Voided sheets that are no match's any more: replaced, or left by a draw or an import that is gone."""

import pytest
from django.test import Client
from django.urls import reverse

from league.admin.scope import club_id_of
from league.draws.rounds import delete_draw, draw_round_robin
from league.files.undoing import undo_import
from league.matches.matches import renew_sheet
from league.models import Club, Event, FormerSheet, Match, Role
from league.policy import ClubPolicy, actor_of
from scoring.models import Scoresheet
from scoring.services import void_sheet
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EntryFactory, UserFactory, sheet_of
from tests.kept import contents
from tests.league.admin_pages import page, record, text
from tests.league.hand_files import batch_of, file_of, knock

pytestmark = pytest.mark.django_db


@pytest.fixture
def voided(event: Event) -> Match:
    """A match whose sheet was played on and voided."""
    for _ in range(2):
        EntryFactory.create(event=event)
    draw_round_robin(actor=OPERATOR, event=event)
    match: Match = event.matches.select_related("sheet").get()
    record(match)
    void_sheet(actor=OPERATOR, sheet=sheet_of(match), reason="wrong table")
    return match


def change_page(sheet: Scoresheet) -> str:
    return reverse("admin:scoring_scoresheet_change", args=[sheet.pk])


def assert_the_clubs_alone_read(sheet: Scoresheet, club: Club) -> None:
    club.is_public = False
    club.save()
    assert club_id_of(Scoresheet.objects.get(pk=sheet.pk)) == club.pk
    for role, of, expected in (
        (Role.SCOREKEEPER, club, 200),
        (Role.OWNER, ClubFactory.create(), 404),
    ):
        user = UserFactory.create(club=of, role=role)
        client = logged_in(user)
        assert client.get(change_page(sheet)).status_code == expected
        listed = text(client.get(reverse("admin:scoring_scoresheet_changelist")))
        assert (change_page(sheet) in listed) is (expected == 200)
        mine = ClubPolicy().visible(actor_of(user), Scoresheet.objects.filter(pk=sheet.pk))
        assert mine.exists() is (expected == 200)


def test_replaced_sheet_is_read_from_its_match(owner: Client, voided: Match) -> None:
    old = sheet_of(voided)
    renew_sheet(actor=OPERATOR, match=voided)
    assert_the_clubs_alone_read(old, voided.event.club)
    shown = text(owner.get(page("match", voided)))
    assert f'<a href="{change_page(old)}">The voided sheet {old.code}</a>' in shown
    shown = text(owner.get(reverse("admin:scoring_scoresheet_changelist")))
    assert shown.count(f">{voided.event}</td>") == 2


def test_voided_sheet_outlives_the_draw(voided: Match) -> None:
    old, event = sheet_of(voided), voided.event
    delete_draw(actor=OPERATOR, event=event)
    assert_the_clubs_alone_read(old, event.club)
    kept = FormerSheet.objects.get()
    assert (kept.sheet, kept.event, kept.match) == (old, event, None)


def test_blank_sheets_go_with_the_draw(event: Event) -> None:
    before = contents()
    for _ in range(2):
        EntryFactory.create(event=event)
    draw_round_robin(actor=OPERATOR, event=event)
    delete_draw(actor=OPERATOR, event=event)
    after = contents()
    assert after["Scoresheet"] == before["Scoresheet"] == after["FormerSheet"] == []


def test_sheets_of_an_undone_import_stay_readable(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1)))
    undo_import(actor=OPERATOR, batch=batch)
    assert not Match.objects.exists()
    assert_the_clubs_alone_read(Scoresheet.objects.get(), club)


def test_import_into_a_drawn_match_that_is_undone_leaves_its_sheet_with_the_match(voided: Match) -> None:
    renew_sheet(actor=OPERATOR, match=voided)
    match = Match.objects.select_related("sheet__rules", "round", "event").get()
    night = file_of(
        knock(
            1,
            event=match.event.name,
            sheet=match.label,
            side_a=match.entry_a.name,
            side_b=str(match.entry_b),
            knocker=match.entry_a.name,
            date="",
        )
    )
    batch = batch_of(match.event.club, night, rules=None)
    undo_import(actor=OPERATOR, batch=batch)
    assert list(FormerSheet.objects.values_list("match", flat=True)) == [match.pk, match.pk]
    assert sheet_of(Match.objects.get()).version == 0
