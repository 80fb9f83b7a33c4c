"""Several results of a round are counted in one act: each or not at all; what changed meanwhile is told."""

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.confirming import confirm_results
from league.errors import LeagueError
from league.models import AuditEntry, Club, CountsWhen, Match, Role, Round, RoundState
from league.policy import actor_of
from scoring.services import correct_deals, dispute_sheet
from tests.clients import logged_in
from tests.factories import OPERATOR, EventFactory, MatchFactory, RoundFactory, UserFactory, play, won
from tests.league.admin_pages import page, text
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(club: Club) -> Round:
    """Four tables, of which three have ended; the director looks at every result."""
    event = EventFactory.create(club=club, name="Winter", slug="winter", counts_when=CountsWhen.DIRECTOR)
    round_: Round = RoundFactory.create(event=event, date=None)
    made = [MatchFactory.create(event=event, round=round_) for _table in range(4)]
    for match in made[:3]:
        play(match, 30, stopped=True)
    return round_


@pytest.fixture
def director(club: Club) -> Client:
    return logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))


def tables(night: Round) -> list[Match]:
    return list(night.matches.order_by("pk"))


def chosen(*matches: Match) -> list[str]:
    return [f"{match.pk}-{match.sheet.version}" for match in matches if match.sheet is not None]


def held(night: Round) -> list[bool]:
    return [match.held for match in tables(night)]


def correct(match: Match) -> None:
    assert match.sheet is not None
    names = list(match.sheet.sides.order_by("position").values_list("name", flat=True))
    correct_deals(
        actor=OPERATOR, sheet=match.sheet, changes={1: won(names[0], names[1], 20)}, reason="misread"
    )


def test_preview_says_what_will_count_and_the_deed_counts_it(night: Round, director: Client) -> None:
    first, second, third, open_ = tables(night)
    address = page("round", night, "confirm")
    asked = director.get(address)
    assert asked.context["form"]["matches"].value() == chosen(first, second, third)
    assert open_.label not in text(asked)
    shown = text(director.post(address, {"matches": chosen(first, third)}))
    assert "2 results will count, as their sheets stand." in shown
    assert held(night) == [True, True, True, False]
    data = {"matches": chosen(first, third), "_confirm": "1"}
    done = director.post(address, data, follow=True)
    assert done.redirect_chain[0][0] == reverse("round_board", args=[night.event.club.slug, "winter", 1])
    assert f"2 results count now: {first.label}, {third.label}." in text(done)
    assert held(night) == [False, True, False, False]
    assert AuditEntry.objects.filter(action="match.confirm").count() == 2


def test_what_changed_meanwhile_does_not_count_and_is_told(night: Round, director: Client) -> None:
    first, second, *_others = tables(night)
    seen = chosen(first, second)
    correct(first)
    address = page("round", night, "confirm")
    shown = text(director.post(address, {"matches": seen}))
    assert "1 result will count" in shown
    assert "1 result that you have chosen has changed since" in shown
    done = text(director.post(address, {"matches": seen, "_confirm": "1"}, follow=True))
    assert f"1 result counts now: {second.label}." in done
    assert f"The sheet of {first.label} has just changed" in done
    assert held(night) == [True, False, True, False]


def test_nothing_is_done_if_none_of_them_can_count(night: Round, director: Client) -> None:
    first, *_others = tables(night)
    assert first.sheet is not None
    seen = chosen(first)
    dispute_sheet(actor=OPERATOR, sheet=first.sheet, side=0, sentence="That was gin.")
    answer = director.post(page("round", night, "confirm"), {"matches": seen, "_confirm": "1"})
    assert answer.status_code == 422
    assert f"{first.label} is disputed" in text(answer)
    assert held(night) == [True, True, True, False]
    assert not AuditEntry.objects.filter(action="match.confirm").exists()


@pytest.mark.parametrize("strange", [["x"], ["1"], ["1-1-1"], ["-"], ["9" * 30 + "-1"], ["0-0"], []])
def test_what_no_page_has_sent_is_refused(night: Round, director: Client, strange: list[str]) -> None:
    answer = director.post(page("round", night, "confirm"), {"matches": strange, "_confirm": "1"})
    assert answer.status_code == 422
    assert held(night) == [True, True, True, False]


def test_missing_signatures_ask_for_a_reason(club: Club, director: Client) -> None:
    event = EventFactory.create(club=club, counts_when=CountsWhen.BOTH_SIGNATURES)
    round_ = RoundFactory.create(event=event, date=None)
    match = play(MatchFactory.create(event=event, round=round_), 30, stopped=True)
    address = page("round", round_, "confirm")
    assert director.get(address).context["form"]["matches"].value() == []
    data = {"matches": chosen(match), "_confirm": "1"}
    assert director.post(address, data).status_code == 422
    assert held(round_) == [True]
    director.post(address, data | {"reason": "They have gone home."})
    assert held(round_) == [False]
    assert AuditEntry.objects.get(action="match.confirm").reason == "They have gone home."


def test_matches_of_another_round_are_not_touched(night: Round) -> None:
    other = RoundFactory.create(event=night.event, date=None)
    match = play(MatchFactory.create(event=night.event, round=other), 30, stopped=True)
    assert match.sheet is not None
    director = actor_of(UserFactory.create(club=night.event.club, role=Role.DIRECTOR))
    with refuses(LeagueError, "none_counts"):
        confirm_results(actor=director, round_=night, versions={match.pk: match.sheet.version})
    assert held(other) == [True]


def test_the_tray_leads_to_the_board_the_prints_and_the_current_round(night: Round, director: Client) -> None:
    way = [night.event.club.slug, "winter", 1]
    tray = text(director.get(reverse("entry:tray", args=[night.code])))
    for link in (
        reverse("round_board", args=way),
        reverse("event", args=way[:2]),
        reverse("blank_sheets_pdf", args=way),
        reverse("round_print", args=way),
    ):
        assert f'href="{link}"' in tray
    assert "The current round" not in tray
    later = RoundFactory.create(event=night.event, date=None, state=RoundState.PUBLISHED)
    MatchFactory.create(event=night.event, round=later)
    shown = text(director.get(reverse("entry:tray", args=[later.code])))
    assert "The current round is round 1." in shown


def test_board_and_tray_offer_it_while_several_can_be_counted(night: Round, director: Client) -> None:
    """Also the part of the tray that is asked for again and again, as results come in."""
    first, second, third, _open = tables(night)
    link = f'href="{page("round", night, "confirm")}"'
    board = reverse("round_board", args=[night.event.club.slug, "winter", 1])
    tray = reverse("entry:tray", args=[night.code])

    def offers() -> set[bool]:
        followed = director.get(tray, headers={"HX-Request": "true"})
        return {link in text(answer) for answer in (director.get(board), director.get(tray), followed)}

    assert offers() == {True}
    keeper = logged_in(UserFactory.create(club=night.event.club, role=Role.SCOREKEEPER))
    assert link not in text(keeper.get(tray))
    for match in (first, second):
        assert match.sheet is not None
        dispute_sheet(actor=OPERATOR, sheet=match.sheet, side=0, sentence="That was gin.")
    assert held(night) == [True, True, True, False]
    assert offers() == {False}, "one alone is counted at its table"
    assert third.sheet is not None
    dispute_sheet(actor=OPERATOR, sheet=third.sheet, side=0, sentence="That was gin.")
    assert offers() == {False}
