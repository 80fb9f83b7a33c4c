"""The director's board: every table of a round, and what he decides there."""

import datetime
import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.draws.board import board_of
from league.draws.round_life import complete_round, reopen_round
from league.draws.time_called import call_time
from league.errors import LeagueError
from league.models import AuditEntry, Club, CountsWhen, Event, Match, PlayedWhere, Role, Round, RoundState
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.models import SheetAct, SheetStatus
from scoring.services import dispute_sheet, settle_dispute, sign_sheet
from scoring.services.claims import open_claims, record_at_table, settle_claim
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    play,
    sheet_of,
    won,
)
from tests.kept import assert_derived
from tests.league.admin_pages import page, text
from tests.league.bot_cases import NOON
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(club: Club) -> Round:
    """Five tables; a match counts when both sides have signed."""
    event = EventFactory.create(
        club=club, name="Winter", slug="winter", counts_when=CountsWhen.BOTH_SIGNATURES
    )
    round_: Round = RoundFactory.create(event=event)
    for pair in ("Ann Bob", "Cid Dan", "Eve Flo", "Gus Hal", "Ida Jon"):
        first, second = (EntryFactory.create(event=event, name=name) for name in pair.split())
        MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second)
    return round_


def tables(night: Round) -> list[Match]:
    return list(night.matches.order_by("table"))


def address(night: Round) -> str:
    return reverse("round_board", args=[night.event.club.slug, night.event.slug, night.number])


def board(night: Round, *, minutes: int = 0) -> list[tuple[str, list[str]]]:
    """What stands at each table, and what it needs, so many minutes after the last that was written."""
    last = SheetAct.objects.order_by("at").values_list("at", flat=True).last()
    assert last is not None
    found = board_of(night, now=last + datetime.timedelta(minutes=minutes))
    return [(table.says, list(table.needs)) for table in found.tables]


def claim(match: Match) -> None:
    """The other side has the first deal otherwise."""
    first, second = match.side_name(0), match.side_name(1)
    record_at_table(actor=OPERATOR, sheet=sheet_of(match), number=1, deal=won(second, first, 9), key="other")


def test_every_table_says_where_it_stands(night: Round) -> None:
    begun, ended, disputed, claimed, _still = tables(night)
    play(begun, 91, 91)
    play(ended, 40, stopped=True)
    play(disputed, 40, stopped=True)
    play(claimed, 40)
    claim(claimed)
    dispute_sheet(actor=OPERATOR, sheet=sheet_of(disputed), sentence="Not so.", side=0)
    sign_sheet(actor=OPERATOR, sheet=sheet_of(disputed), sides=[1])
    sign_sheet(actor=OPERATOR, sheet=sheet_of(ended), sides=[1])
    ones = ["1 deal entered in two ways"]
    assert board(night, minutes=10) == [
        ("2 deals", []),
        ("it waits for a signature", []),
        ("it is disputed, it waits for a signature", ["disputed"]),
        ("1 deal", ones),
        ("not begun", []),
    ]
    assert [needs for _says, needs in board(night, minutes=15)] == [
        ["idle for 15 minutes"],
        [],
        ["disputed"],
        [*ones, "idle for 15 minutes"],
        [],
    ]
    first = board_of(night, now=NOON).tables[0]
    assert (first.columns_closed, first.columns, first.signed) == (1, 3, [])
    assert board_of(night, now=NOON).counts == [
        "1 not begun",
        "2 playing",
        "1 entered in two ways",
        "2 wait for a signature",
        "1 disputed",
    ]


def test_board_asks_one_query_however_many_tables(night: Round, django_assert_num_queries: object) -> None:
    for match in tables(night):
        play(match, 40, stopped=True)
    with django_assert_num_queries(1):  # type: ignore[operator]
        board_of(night, now=NOON)


def test_directors_alone_find_the_board(night: Round, club: Club) -> None:
    def status(client: Client) -> int:
        return client.get(address(night)).status_code

    assert status(Client()) == 404
    for role, of, expected in [
        (Role.DIRECTOR, club, 200),
        (Role.OWNER, club, 200),
        (Role.SCOREKEEPER, club, 404),
        (Role.OWNER, ClubFactory.create(), 404),
    ]:
        client = logged_in(UserFactory.create(club=of, role=role))
        assert status(client) == expected


_FOR_KEEPERS = ["Telephones at the tables", "The tray of its sheets"]
_FOR_ALL = ["Pairings to print", "Result slips as PDF", "Blank sheets as PDF"]


@pytest.mark.parametrize(
    ("role", "ways"),
    [
        (None, _FOR_ALL),
        (Role.MEMBER, _FOR_ALL),
        (Role.SCOREKEEPER, [*_FOR_KEEPERS, *_FOR_ALL]),
        (Role.DIRECTOR, ["The board", *_FOR_KEEPERS, *_FOR_ALL, "In the administration"]),
    ],
)
def test_ways_from_a_round_are_those_one_may_go(night: Round, role: Role | None, ways: list[str]) -> None:
    client = Client()
    if role is not None:
        client.force_login(UserFactory.create(club=night.event.club, role=role))

    def ways_at(name: str) -> dict[str, str]:
        html = client.get(reverse(name, args=[night.event.club.slug, night.event.slug, 1])).text
        _head, _nav, shown = html.partition('aria-label="The round"')
        found = re.findall(r'<a href="([^"]+)">([^<]+)</a>', shown.partition("</nav>")[0])
        return {title: address for address, title in found}

    assert list(ways_at("round")) == ways
    assert {client.get(address).status_code for address in ways_at("round").values()} == {200}
    if role is Role.DIRECTOR:
        assert list(ways_at("round_board")) == ways[1:]
    Event.objects.update(played=PlayedWhere.ONLINE)
    # Nobody sits at a table, and nothing is printed for one.
    at_tables = ["Telephones at the tables", *_FOR_ALL]
    assert list(ways_at("round")) == [way for way in ways if way not in at_tables]
    Event.objects.update(played=PlayedWhere.AT_TABLE)
    Round.objects.filter(pk=night.pk).update(state=RoundState.DRAFTED)
    if role is Role.DIRECTOR:
        assert list(ways_at("round")) == ["The board", *_FOR_ALL, "In the administration"]


def test_board_is_asked_for_again_and_answers_only_news(night: Round, owner: Client) -> None:
    with time_machine.travel(NOON, tick=False):
        first = owner.get(address(night), headers={"HX-Request": "true"})
        assert "<html" not in text(first)
        asked = {"HX-Request": "true", "If-None-Match": first.headers["ETag"]}
        assert owner.get(address(night), headers=asked).status_code == 304
        play(tables(night)[0], 40)
        again = owner.get(address(night), headers=asked)
    assert (again.status_code, "1 deal" in text(again)) == (200, True)


def test_time_is_called_for_all_tables(night: Round, owner: Client, director: Actor) -> None:
    begun, other, ended, stated, still = tables(night)
    for match in (begun, other):
        play(match, 40)
    play(ended, 100, 100, 100)
    Match.objects.filter(pk=stated.pk).update(state="forfeit")
    act = page("round", night, "call_time")
    assert "2 tables are being played" in text(owner.post(act))
    answer = owner.post(act, {"_confirm": "yes"}, follow=True)
    assert "Time is called: 2 sheets have stopped." in text(answer)
    assert "Time was called at" in text(owner.get(address(night)))
    for match in (begun, other):
        assert match.sheet is not None
        assert assert_derived(match.sheet).status == SheetStatus.STOPPED
    for match in (ended, stated, still):
        assert match.sheet is not None
        match.sheet.refresh_from_db()
        assert match.sheet.status != SheetStatus.STOPPED
    note = AuditEntry.objects.get(action="round.call_time")
    assert note.after is not None
    assert note.after["stopped"] == [f"{match.label} {match}" for match in (begun, other)]
    with refuses(LeagueError, "nobody_plays"):
        call_time(actor=director, round_=night)


def test_time_is_called_by_directors(night: Round, club: Club) -> None:
    play(tables(night)[0], 40)
    with refuses(LeagueError, "not_allowed"):
        call_time(actor=actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER)), round_=night)


def test_round_closes_with_nothing_open_or_with_a_reason(club: Club, director: Actor) -> None:
    event: Event = EventFactory.create(club=club)
    match = MatchFactory.create(event=event)
    play(match, 40, stopped=True)
    claim(match)
    dispute = dispute_sheet(actor=OPERATOR, sheet=sheet_of(match), sentence="Not so.", side=0)

    def refused() -> str:
        with refuses(LeagueError, "results_missing", field="reason") as refusal:
            complete_round(actor=director, round_=match.round)
        return str(refusal.value.message)

    assert refused() == (
        f"1 result is missing: {match.label} {match} (pending). "
        f"Two entries of a deal differ at {match.label}, and nobody has decided."
    )
    settle_dispute(actor=director, dispute=dispute, reason="It is so.")
    assert refused() == (
        f"1 result is missing: {match.label} {match} (pending). "
        f"Two entries of a deal differ at {match.label}, and nobody has decided."
    )
    closed = complete_round(actor=director, round_=match.round, reason="  They have\ngone home. ")
    assert (closed.state, closed.closed_reason) == (RoundState.COMPLETE, "They have gone home.")
    assert reopen_round(actor=director, round_=closed).closed_reason == ""
    settle_claim(actor=director, claim=open_claims(sheet_of(match)).get(), take=False, reason="As it stands.")
    assert complete_round(actor=director, round_=closed).closed_reason == ""


def test_director_decides_between_two_entries(night: Round, owner: Client) -> None:
    match = tables(night)[0]
    play(match, 40)
    claim(match)
    assert match.sheet is not None
    act = page("match", match, "decide_claim")
    shown = text(owner.get(act))
    assert "The tests: Bob 9. On the sheet stands: Ann 40." in shown
    data = {"claim": open_claims(sheet_of(match)).get().pk, "take": "1", "reason": "Both say so."}
    answer = owner.post(act, data, follow=True)
    assert "Deal 1 is corrected" in text(answer)
    assert answer.redirect_chain[-1][0] == address(night)
    match.sheet.refresh_from_db()
    assert (match.sheet.version, open_claims(sheet_of(match)).count()) == (2, 0)


def test_director_settles_and_lets_count(night: Round, owner: Client) -> None:
    match = tables(night)[0]
    play(match, 40, stopped=True)
    dispute = dispute_sheet(actor=OPERATOR, sheet=sheet_of(match), sentence="I <b>won</b>.", side=1)
    act = page("match", match, "settle")
    assert "Bob: I &lt;b&gt;won&lt;/b&gt;." in text(owner.get(act))
    owner.post(act, {"dispute": dispute.pk, "reason": "The cards say no."})
    confirm = page("match", match, "confirm")
    answer = owner.post(confirm, {"reason": ""})
    assert answer.status_code == 422
    owner.post(confirm, {"reason": "They have gone home.", "_confirm": "yes"})
    match.refresh_from_db()
    assert (match.held, match.confirmed_version) == (False, 1)
    assert board(night)[0] == ("counts", [])
