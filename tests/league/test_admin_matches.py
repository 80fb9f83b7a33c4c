"""Rounds, matches and sheets in the admin."""

import pytest
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from league.admin.writing import ServiceAdmin
from league.draws.matches_by_hand import add_match
from league.draws.rounds import draw_round_robin
from league.models import (
    Club,
    ClubRules,
    Event,
    Match,
    MatchState,
    PlayedWhere,
    Player,
    Round,
)
from scoring.core.rules import Rules
from scoring.documents.sheets import DealReader
from scoring.models import SheetStatus
from scoring.services import correct_deals
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
)
from tests.kept import contents
from tests.league.admin_pages import page, record, text

pytestmark = pytest.mark.django_db

CONFIRMED = {"_confirm": "1"}


def test_round_is_moved_and_gets_a_match(owner: Client, event: Event) -> None:
    first, second = EntryFactory.create(event=event), EntryFactory.create(event=event)
    data = {"event": event.pk, "number": "1", "date": ""}
    assert owner.post(reverse("admin:league_round_add"), data).status_code == 302
    again = owner.post(reverse("admin:league_round_add"), data)
    assert "already exists" in text(again)
    round_ = Round.objects.get()
    assert owner.post(page("round", round_), {"date": "2026-09-03"}).status_code == 302
    round_.refresh_from_db()
    assert str(round_.date) == "2026-09-03"
    pair = {"entry_a": first.pk, "entry_b": second.pk, "table": ""}
    assert owner.post(page("round", round_, "add_match"), pair).status_code == 302
    assert "plays in this round already" in text(owner.post(page("round", round_, "add_match"), pair))
    shown = text(owner.get(page("round", round_)))
    for address in (
        reverse("entry:tray", args=[round_.code]),
        reverse("blank_sheets_pdf", args=[event.club.slug, event.slug, 1]),
    ):
        assert address in shown


def test_where_all_play_on_this_site_nothing_is_printed_or_scanned(owner: Client, event: Event) -> None:
    """On the pages of a round and its matches, on its tray, and among the nights of the workplace."""
    Event.objects.update(played=PlayedWhere.EITHER)
    match = MatchFactory.create(event=event, round__date=timezone.localdate())
    way = [event.club.slug, event.slug, 1]
    printed = [reverse("blank_sheets_pdf", args=way), reverse("round_links", args=way)]
    scanned = reverse("match_links", args=[*way[:2], match.code])
    pages = {
        page("round", match.round): printed,
        page("match", match): [scanned],
        reverse("entry:tray", args=[match.round.code]): printed,
        reverse("admin:index"): printed,
    }

    def linked(where: str) -> list[str]:
        shown = owner.get(where).content.decode()
        return [address for address in (*printed, scanned) if f'href="{address}"' in shown]

    assert {where: linked(where) for where in pages} == pages
    Event.objects.update(played=PlayedWhere.ONLINE)
    assert {where: linked(where) for where in pages} == {where: [] for where in pages}


def test_forfeit_is_stated_and_taken_back(owner: Client, event: Event) -> None:
    match = MatchFactory.create(event=event)
    answer = owner.post(page("match", match, "forfeit"), {"reason": "Left"})
    assert "This field is required." in text(answer)
    said = text(owner.post(page("match", match, "forfeit"), {"reason": "Left", "winner": "1"}))
    assert f"forfeit, the match will go to {match.entry_b}." in said
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED
    data = {"reason": "Left", "winner": "1", **CONFIRMED}
    assert owner.post(page("match", match, "forfeit"), data).status_code == 302
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.FORFEIT, 1)
    again = owner.post(page("match", match, "forfeit"), {"reason": "Left", "winner": "neither"})
    assert "was awarded already" in text(again)
    data = {"reason": "Wrong match", **CONFIRMED}
    assert owner.post(page("match", match, "clear"), data).status_code == 302
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED


def test_line_ups_open_the_sheet(owner: Client, club: Club, own_rules: ClubRules) -> None:
    teams = EventFactory.create(club=club, rules=own_rules.rules, team_size=2)
    entries = [
        EntryFactory.create(event=teams, players=[PlayerFactory.create(club=club) for _ in range(3)])
        for _ in range(2)
    ]
    draw_round_robin(actor=OPERATOR, event=teams)
    match = Match.objects.get()
    assert match.sheet is None
    seats = {
        f"seat_{side}_{seat}": player.pk
        for side, entry in enumerate((match.entry_a, match.entry_b))
        for seat, player in enumerate(entry.players.order_by("pk")[:2] if entry else [])
    }
    answer = owner.post(page("match", match, "line_ups"), seats | {"seat_1_1": seats["seat_1_0"]})
    assert "A side has 2 different players." in text(answer)
    said = text(owner.post(page("match", match, "line_ups"), seats))
    assert "The sheet will be opened once all line-ups are complete," in said
    assert owner.post(page("match", match, "line_ups"), seats | CONFIRMED).status_code == 302
    sheet = Match.objects.get().sheet
    assert sheet is not None
    assert {side.name for side in sheet.sides.all()} == {entry.name for entry in entries}


def test_sheet_shows_every_version_of_every_deal(owner: Client, event: Event) -> None:
    match = MatchFactory.create(event=event)
    record(match)
    sheet = match.sheet
    assert sheet is not None
    sides = kept_sheet(sheet).sides
    deal = DealReader(sides, Rules()).read(
        {"hands": [{"kind": "points", "winner": sides[1].name, "points": 53}]}, 1
    )
    correct_deals(
        actor=OPERATOR,
        sheet=sheet,
        changes={1: deal, 2: DealReader(sides, Rules()).read(None)},
        reason="Swapped",
    )
    shown = text(owner.get(reverse("admin:scoring_scoresheet_change", args=[sheet.pk])))
    assert f"<dt>1</dt><dd>{sides[0].name} 35 (replaced)</dd>" in shown
    assert f"<dt>1, version 2</dt><dd>{sides[1].name} 53: I 53</dd>" in shown
    assert "<dt>2, version 2</dt>" in shown
    assert "The tests" in shown
    assert "Swapped" in shown


def test_a_sheet_is_voided_and_replaced(owner: Client, event: Event) -> None:
    match = MatchFactory.create(event=event)
    record(match)
    assert owner.post(page("match", match, "new_sheet"), {}).status_code == 422
    data = {"reason": "Other people's"}
    said = text(owner.post(page("match", match, "void_sheet"), data))
    assert "2 deals of" in said
    assert owner.post(page("match", match, "void_sheet"), data | CONFIRMED).status_code == 302
    old = Match.objects.get().sheet
    assert old is not None
    assert old.status == SheetStatus.VOID
    assert owner.post(page("match", match, "new_sheet"), CONFIRMED).status_code == 302
    new = Match.objects.get().sheet
    assert new is not None
    assert (new.label, new.status) == (old.label, SheetStatus.OPEN)


def test_what_names_no_service_is_not_done(rf: RequestFactory) -> None:
    """Matches are drawn or added to a round; their own page has no service that adds one."""
    model_admin = admin.site.get_model_admin(Match)
    assert isinstance(model_admin, ServiceAdmin)
    request = rf.post("/")
    request.user = UserFactory.create()
    with pytest.raises(PermissionDenied):
        model_admin.add_row(request, {}, [])


def test_line_ups_of_which_one_is_refused_leave_both_as_they_were(owner: Client, club: Club) -> None:
    event = EventFactory.create(club=club, team_size=2)
    sides = [EntryFactory.create(event=event, players=PlayerFactory.create_batch(3, club=club)) for _ in "ab"]
    round_ = RoundFactory.create(event=event)
    match = add_match(actor=OPERATOR, round_=round_, entry_a=sides[0], entry_b=sides[1])
    first, second = (list(Player.objects.filter(memberships_in_entries__entry=one)) for one in sides)
    seats = {"seat_0_0": first[0].pk, "seat_0_1": first[1].pk, "seat_1_0": second[0].pk}
    before = contents()
    answer = owner.post(page("match", match, "line_ups"), seats)
    assert answer.status_code == 422
    assert "A side has 2 different players." in text(answer)
    assert contents() == before
