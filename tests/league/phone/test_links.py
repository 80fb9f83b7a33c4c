"""Links of tables as officers make, print and end them."""

import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.core.secrets import digest_of
from league.errors import LeagueError
from league.matches.table_links import make_links, make_round_links, opened_link, revoke_links
from league.models import (
    AuditEntry,
    Event,
    EventState,
    Match,
    MatchState,
    Role,
    Round,
    RoundState,
    TableLink,
)
from league.policy import actor_of, live_links
from scoring.services import void_sheet
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, UserFactory
from tests.kept import contents
from tests.pdf_text import texts
from tests.refusals import refuses

ROUND = ["harbour", "league", 1]


def officer(match: Match, role: Role = Role.SCOREKEEPER) -> Client:
    return logged_in(UserFactory.create(club=match.event.club, role=role))


def test_links_are_made_one_for_each_side_and_kept_as_digests(match: Match) -> None:
    made = make_links(actor=OPERATOR, match=match)
    assert [link.side for link, _secret in made] == [0, 1]
    for link, secret in made:
        assert link.digest == digest_of(secret)
        assert opened_link(secret) == link
    assert made[0][1] != made[1][1]
    note = AuditEntry.objects.get(action="table_links.make")
    assert note.after is not None
    assert note.after["links"] == [link.code for link, _secret in made]
    assert all(secret not in repr(contents()) for _link, secret in made)


def test_links_open_until_two_days_after_the_last_day(match: Match) -> None:
    today = timezone.localdate(timezone=match.event.club.zone)
    (link, _secret), _other = make_links(actor=OPERATOR, match=match)
    assert timezone.now() + datetime.timedelta(days=2) <= link.expires_at
    assert link.expires_at <= timezone.now() + datetime.timedelta(days=3)
    match.deadline = today + datetime.timedelta(days=20)
    (later, _secret), _other = make_links(actor=OPERATOR, match=match)
    assert later.expires_at - link.expires_at == datetime.timedelta(days=20)


def test_links_are_for_matches_that_are_played(match: Match) -> None:
    bye: Match = MatchFactory.create(event=match.event, round=match.round, entry_b=None)
    given: Match = MatchFactory.create(event=match.event, round=match.round)
    Match.objects.filter(pk=given.pk).update(state=MatchState.FORFEIT, winner_side=0)
    given.refresh_from_db()
    voided: Match = MatchFactory.create(event=match.event, round=match.round)
    assert voided.sheet is not None
    void_sheet(actor=OPERATOR, sheet=voided.sheet, reason="wrong table")
    voided.refresh_from_db()
    for other, code in ((bye, "no_sheet"), (given, "wrong_state"), (voided, "wrong_state")):
        with refuses(LeagueError, code):
            make_links(actor=OPERATOR, match=other)
    made = make_round_links(actor=OPERATOR, round_=match.round)
    assert [each for each, _links in made] == [match]


def test_nothing_is_linked_where_nothing_is_played(match: Match) -> None:
    Round.objects.filter(pk=match.round_id).update(state=RoundState.DRAFTED)
    round_ = Round.objects.get(pk=match.round_id)
    with refuses(LeagueError, "nothing_to_link"):
        make_round_links(actor=OPERATOR, round_=round_)
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    match.event.refresh_from_db()
    with refuses(LeagueError, "wrong_state"):
        make_links(actor=OPERATOR, match=match)


def test_who_may_not_record_makes_and_ends_no_links(match: Match) -> None:
    strangers = [
        UserFactory.create(club=match.event.club, role=Role.MEMBER),
        UserFactory.create(club=ClubFactory.create(), role=Role.OWNER),
    ]
    (link, _secret), _other = make_links(actor=OPERATOR, match=match)
    before = contents()
    for user in strangers:
        for act in (
            lambda actor: make_links(actor=actor, match=match),
            lambda actor: make_round_links(actor=actor, round_=match.round),
            lambda actor: revoke_links(actor=actor, match=match),
            lambda actor: revoke_links(actor=actor, match=match, code=link.code),
        ):
            with refuses(LeagueError, "not_allowed"):
                act(actor_of(user))
    assert contents() == before


def test_one_link_is_ended_and_the_others_go_on(match: Match) -> None:
    (first, _), (second, _) = make_links(actor=OPERATOR, match=match)
    revoke_links(actor=OPERATOR, match=match, code=first.code)
    assert list(live_links()) == [second]
    revoke_links(actor=OPERATOR, match=match, code=first.code)
    assert AuditEntry.objects.filter(action="table_links.revoke").count() == 1


def test_officer_prints_the_cards_of_a_round(match: Match) -> None:
    client = officer(match)
    page = client.get(reverse("round_links", args=ROUND))
    assert page.status_code == 200
    assert "Eklund v Castell" in page.text
    assert not TableLink.objects.exists()
    cards = client.post(reverse("round_links", args=ROUND), {"what": "make"}, headers={"Host": "localhost"})
    assert cards.text.count("data:image/svg+xml") == 2
    assert "no-store" in cards["Cache-Control"]
    assert TableLink.objects.count() == 2
    addresses = [part.split('"')[0] for part in cards.text.split('href="http://localhost')[1:]]
    assert [Client().get(address).status_code for address in addresses] == [302, 302]
    again = client.get(reverse("round_links", args=ROUND)).text
    assert "data:image" not in again
    assert '<td class="figure">2</td><td class="figure">2</td>' in again


def test_cards_are_printed_as_pdf(match: Match) -> None:
    for number in range(4):
        pair = [
            EntryFactory.create(event=match.event, name=f"{side} {number}") for side in ("North", "South")
        ]
        seats = {"entry_a": pair[0], "entry_b": pair[1], "table": 10 + number}
        MatchFactory.create(event=match.event, round=match.round, **seats)
    answer = officer(match).post(reverse("round_links", args=ROUND), {"what": "pdf"})
    assert answer["Content-Type"] == "application/pdf"
    assert {"Eklund", "Castell", "North 3", "South 3", "Table 5"} <= set(texts(answer.content))
    assert TableLink.objects.count() == 10


def test_printed_cards_say_the_address_in_letters(match: Match) -> None:
    answer = officer(match).post(reverse("round_links", args=ROUND), {"what": "pdf"})
    lines = texts(answer.content)
    secrets = [lines[place + 1] for place, line in enumerate(lines) if line == "http://testserver/table/"]
    assert [opened_link(secret.rstrip("/")) for secret in secrets] == list(TableLink.objects.order_by("side"))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_nothing_is_printed_that_opens_on_this_machine_alone(match: Match, host: str) -> None:
    client = officer(match)
    for here in (
        reverse("round_links", args=ROUND),
        reverse("match_links", args=["harbour", "league", match.code]),
    ):
        page = client.post(here, {"what": "pdf"}, headers={"Host": host}, follow=True)
        assert "an address that works on this machine only" in page.text
    assert not TableLink.objects.exists()
    cards = client.post(here, {"what": "make"}, headers={"Host": host})
    assert "an address that works on this machine only" in cards.text
    assert "an address that works on this machine only" not in client.post(here, {"what": "make"}).text


def test_links_of_all_tables_are_read_at_once(match: Match) -> None:
    client = officer(match)
    address = reverse("round_links", args=ROUND)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        return len(asked)

    make_round_links(actor=OPERATOR, round_=match.round)
    one = queries()
    for table in (2, 3):
        other = MatchFactory.create(event=match.event, round=match.round, table=table)
        make_links(actor=OPERATOR, match=other)
    assert queries() == one


def test_officer_ends_links(match: Match) -> None:
    client = officer(match)
    here = reverse("match_links", args=["harbour", "league", match.code])
    cards = client.post(here, {"what": "make"})
    # Which night and table; who plays whom stands below.
    assert f"{match.event.name}, round {match.round.number} · Table 5" in cards.text
    one = TableLink.objects.get(side=0)
    page = client.post(here, {"what": "end", "link": one.code}, follow=True)
    assert "1 link was ended." in page.text
    assert [link.side for link in live_links()] == [1]
    page = client.post(reverse("round_links", args=ROUND), {"what": "end"}, follow=True)
    assert "1 link was ended." in page.text
    assert not live_links().exists()


def test_link_of_another_match_is_not_ended_here(match: Match) -> None:
    other: Match = MatchFactory.create(event=EventFactory.create())
    (link, _secret), _other = make_links(actor=OPERATOR, match=other)
    here = reverse("match_links", args=["harbour", "league", match.code])
    officer(match).post(here, {"what": "end", "link": link.code})
    assert link in live_links()


def test_what_cannot_be_made_is_said_on_the_page(match: Match) -> None:
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    page = officer(match).post(reverse("round_links", args=ROUND), {"what": "make"}, follow=True)
    assert "is finished; reopen it first" in page.text
    assert not TableLink.objects.exists()


def test_pages_are_for_officers_of_the_club(match: Match) -> None:
    clients = [Client(), officer(match, Role.MEMBER), officer(MatchFactory.create(), Role.OWNER)]
    for address in (
        reverse("round_links", args=ROUND),
        reverse("match_links", args=["harbour", "league", match.code]),
    ):
        for client in clients:
            assert client.get(address).status_code == 404
            assert client.post(address, {"what": "make"}).status_code == 404
    assert not TableLink.objects.exists()
