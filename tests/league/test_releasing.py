"""Results held back until the director releases the night: nothing of them reaches who may not know yet."""

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from league.core.pairing_reasons import because
from league.draws.brackets import draw_bracket
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round, withhold_round
from league.draws.round_life import publish_round
from league.errors import LeagueError
from league.events.event_life import finish_event, reopen_event, unfinished
from league.matches.matches import renew_sheet
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventState,
    FormerSheet,
    IndividualStanding,
    Match,
    Membership,
    Role,
    Round,
    RoundState,
    Standing,
    Tie,
    TokenScope,
)
from league.people.records import players_of
from league.people.tokens import issue_token
from league.policy import actor_of, results_seen, sheets_seen
from league.policy.naming import AS_WRITTEN
from league.tables.ratings import rated_matches
from league.tables.results import points_so_far
from league.upkeep.rebuilding import check_table
from scoring.core.actors import Actor
from scoring.core.messages import mark
from scoring.models import Scoresheet
from scoring.services import void_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    play,
)
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db

# What Ann has won by in the round that is held back: nothing else on any page is this number.
TOLD = re.compile(r"\b548\b")


@pytest.fixture
def night(club: Club) -> Match:
    """The second night, held back: Ann has beaten Bob by 548. The first, released, was Bob's."""
    event = EventFactory.create(club=club, name="Winter", slug="winter", holds_results=True)
    sides = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob")]
    first = RoundFactory.create(event=event)
    earlier = MatchFactory.create(event=event, round=first, entry_a=sides[0], entry_b=sides[1])
    play(earlier, -40, stopped=True)
    release_round(actor=OPERATOR, round_=first)
    match = MatchFactory.create(
        event=event, round=RoundFactory.create(event=event), entry_a=sides[0], entry_b=sides[1]
    )
    assert play(match, 91, 91, stopped=True).net == 548
    recalculate(event.pk)
    return match


def addresses(match: Match) -> list[str]:
    """The pages on which the match, or what came of it, has a place."""
    event, club = match.event, match.event.club
    way = [club.slug, event.slug]
    ann = match.entry_a.players.get()
    return [
        reverse("home"),
        reverse("club", args=[club.slug]),
        reverse("event", args=way),
        reverse("event", args=way) + "?round=2",
        reverse("event_standings_pdf", args=way),
        reverse("event_crosstable", args=way),
        reverse("event_crosstable", args=way) + "?by=rounds",
        reverse("event_rounds", args=way),
        reverse("round", args=[*way, match.round.number]),
        reverse("match", args=[*way, match.code]),
        reverse("players", args=[club.slug]),
        reverse("player", args=[club.slug, ann.code]),
        reverse("ratings", args=[club.slug]),
        reverse("rating", args=[club.slug, ann.code]),
        reverse("club_me", args=[club.slug]),
        reverse("event_race", args=way),
        reverse("honours", args=[club.slug]),
        reverse("head_to_head", args=[club.slug])
        + f"?one={ann.code}&other={match.entry_b.players.get().code}",  # type: ignore[union-attr]
    ]


def reader(club: Club, role: Role | None = None) -> Client:
    return logged_in(UserFactory.create(club=club, role=role)) if role is not None else Client()


def says_it(client: Client, match: Match) -> set[str]:
    """The pages that tell by how much Ann has won, or that she has."""
    told = set()
    for address in addresses(match):
        answer = client.get(address)
        text = " ".join(texts(answer.content)) if address.endswith(".pdf") else answer.content.decode()
        if TOLD.search(re.sub(r"<[^>]+>", " ", text)):
            told.add(address)
    return told


def test_of_the_clubs_players_only_what_is_released_is_counted(night: Match, club: Club) -> None:
    """Bob has won on the first night; what Ann has won on the second is counted once that is released too."""

    def counted() -> dict[str, tuple[int, int, datetime.date | None]]:
        found = players_of(club, AS_WRITTEN)
        return {each.name: (each.match_count, each.win_count, each.last_played) for each in found}  # type: ignore[attr-defined]

    first, second = datetime.date(2026, 1, 7), datetime.date(2026, 1, 14)
    for number, date in enumerate((first, second), start=1):
        Round.objects.filter(event=night.event, number=number).update(date=date)
    assert counted() == {"Ann": (1, 0, first), "Bob": (1, 1, first)}
    release_round(actor=OPERATOR, round_=night.round)
    assert counted() == {"Ann": (2, 1, second), "Bob": (2, 1, second)}


@pytest.mark.parametrize("role", [None, Role.MEMBER])
def test_nobody_is_told_before_the_night_is_released(night: Match, club: Club, role: Role | None) -> None:
    client = reader(club, role)
    assert says_it(client, night) == set()
    page = client.get(addresses(night)[9]).content.decode()
    assert "hidden until the night is released" in page
    assert "hidden" in client.get(addresses(night)[8]).content.decode()
    release_round(actor=OPERATOR, round_=night.round)
    recalculate(night.event_id)
    assert len(says_it(client, night)) >= 6


def test_officers_know(night: Match, club: Club) -> None:
    told = says_it(reader(club, Role.SCOREKEEPER), night)
    assert {addresses(night)[8], addresses(night)[9], addresses(night)[11]} <= told
    assert addresses(night)[4] not in told, "the table is what everybody has"


def test_why_two_meet_is_told_to_who_may_know_their_points(night: Match, club: Club) -> None:
    """A Swiss says how many points both had, which the round before it keeps back."""
    third = MatchFactory.create(
        event=night.event,
        round=RoundFactory.create(event=night.event),
        entry_a=night.entry_a,
        entry_b=night.entry_b,
    )
    Match.objects.filter(pk=third.pk).update(reasons=[because(mark("both are on %(points)s", points="548"))])
    address = reverse("round", args=[club.slug, night.event.slug, third.round.number])
    assert "548" not in reader(club, Role.MEMBER).get(address).content.decode()
    assert "both are on 548" in reader(club, Role.DIRECTOR).get(address).content.decode()


def test_who_sat_there_reads_his_own_sheet(night: Match, club: Club) -> None:
    ann = night.entry_a.players.get()
    ann.user = UserFactory.create()
    ann.save()
    Membership.objects.create(club=club, user=ann.user, role=Role.MEMBER)
    client = logged_in(ann.user)
    assert says_it(client, night) == {addresses(night)[9]}, "and nothing else tells him"
    assert set(sheets_seen(ann.user, Scoresheet.objects.all())) == set(Scoresheet.objects.all())


def test_sheet_is_not_there_for_others(night: Match, club: Club) -> None:
    member = UserFactory.create(club=club, role=Role.MEMBER)
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    assert night.sheet not in sheets_seen(member, Scoresheet.objects.all())
    assert night.sheet in sheets_seen(keeper, Scoresheet.objects.all())
    assert list(results_seen(member)) == []
    release_round(actor=OPERATOR, round_=night.round)
    assert night.sheet in sheets_seen(member, Scoresheet.objects.all())


def test_sheet_that_was_replaced_tells_no_more_than_its_match(night: Match, club: Club) -> None:
    member = UserFactory.create(club=club, role=Role.MEMBER)
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    assert night.sheet is not None
    former = night.sheet
    void_sheet(actor=OPERATOR, sheet=former, reason="Played on the wrong form")
    renew_sheet(actor=OPERATOR, match=night)
    every = Scoresheet.objects.filter(former__sheet=former)
    readers = (AnonymousUser(), member, keeper)

    def who_reads() -> list[bool]:
        return [sheets_seen(who, every).exists() for who in readers]

    assert who_reads() == [False, False, True]
    release_round(actor=OPERATOR, round_=night.round)
    assert who_reads() == [True, True, True]
    Round.objects.filter(pk=night.round_id).update(state=RoundState.DRAFTED)
    assert who_reads() == [False, False, False], "a drafted round is its director's alone"
    Round.objects.filter(pk=night.round_id).update(state=RoundState.PUBLISHED)
    Event.objects.filter(pk=night.event_id).update(state=EventState.DRAFT)
    assert who_reads() == [False, False, False], "so is an event that is a draft"
    Event.objects.filter(pk=night.event_id).update(state=EventState.RUNNING)
    FormerSheet.objects.update(match=None)
    assert who_reads() == [False, False, True], "which night it was of is not known any more"
    Event.objects.filter(pk=night.event_id).update(holds_results=False)
    assert who_reads() == [True, True, True]


@pytest.mark.parametrize("scope", [TokenScope.READ, TokenScope.RECORD])
def test_token_of_a_sheet_reads_what_its_user_may_be_told(
    night: Match, club: Club, scope: TokenScope
) -> None:
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    token, _secret = issue_token(
        user=keeper, name="till", scope=scope, days=1, club=club, event=night.event, sheet=night.sheet
    )
    every = Scoresheet.objects.all()
    assert night.sheet in sheets_seen(token, every)
    Membership.objects.filter(user=keeper).delete()
    assert night.sheet not in sheets_seen(token, every)
    release_round(actor=OPERATOR, round_=night.round)
    assert night.sheet in sheets_seen(token, every)


def test_table_and_ratings_wait_and_pairing_does_not(night: Match, director: Actor) -> None:
    event = Event.objects.get(pk=night.event_id)
    assert Standing.objects.get(entry=night.entry_a).played == 1
    assert Standing.objects.get(rank=1).entry == night.entry_b
    assert points_so_far(event, event.entries.all()) == {night.entry_a_id: 2, night.entry_b_id: 2}
    assert night.pk not in {each.id for each in rated_matches(event.club_id)}
    assert check_table(event).lines == []
    release_round(actor=director, round_=night.round)
    recalculate(event.pk)
    assert Standing.objects.get(rank=1).entry == night.entry_a
    assert night.pk in {each.id for each in rated_matches(event.club_id)}
    withhold_round(actor=director, round_=night.round)
    recalculate(event.pk)
    assert Standing.objects.get(rank=1).entry == night.entry_b
    assert list(AuditEntry.objects.order_by("id").values_list("action", flat=True))[-2:] == [
        "round.release",
        "round.withhold",
    ]


def test_bracket_tells_nobody_who_goes_on(club: Club, director: Actor) -> None:
    event = EventFactory.create(club=club, format="single", holds_results=True, name="Cup", slug="cup")
    for seed, name in enumerate(("Ann", "Bob", "Cid", "Dan"), start=1):
        EntryFactory.create(event=event, name=name, seed=seed)
    draw_bracket(actor=director, event=event)
    first: Round = event.rounds.get()
    if first.state == "drafted":
        publish_round(actor=director, round_=first)
    for match in first.matches.all():
        play(match, 100, 100, 100)
    recalculate(event.pk)
    final = Tie.objects.get(event=event, part="final")
    assert final.entry_a is not None, "the bracket goes on all the same"
    address = reverse("event_bracket", args=[club.slug, event.slug])

    def stages(client: Client) -> Any:
        # Of a page that is kept there is no context.
        caches["looks"].clear()
        return client.get(address).context["bracket"].stages

    def told(client: Client) -> Any:
        sides = stages(client)[-1].ties[0].sides
        return [(str(side), side.is_winner, side.score) for side in sides]

    assert [name for name, _won, _score in told(Client())] == ["", ""]
    semis = stages(Client())[0].ties
    assert not any(side.is_winner or side.score for tie in semis for side in tie.sides)
    assert "" not in [name for name, _won, _score in told(reader(club, Role.DIRECTOR))]
    table = Client().get(reverse("event", args=[club.slug, event.slug])).context["table"]
    assert len({row.standing.metrics["place"] for row in table.rows}) == 1
    release_round(actor=director, round_=first)
    assert "" not in [name for name, _won, _score in told(Client())]


def test_release_is_refused(night: Match, club: Club, director: Actor) -> None:
    def code(actor: Actor, round_: Round) -> str:
        with pytest.raises(LeagueError) as refusal:
            release_round(actor=actor, round_=round_)
        return refusal.value.code

    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    assert code(keeper, night.round) == "not_allowed"
    assert code(director, night.event.rounds.get(number=1)) == "nothing_changed"
    assert code(director, RoundFactory.create(event=EventFactory.create(club=club))) == "nothing_held"
    assert code(director, RoundFactory.create(event=night.event, state="drafted")) == "round_drafted"
    with pytest.raises(LeagueError):
        withhold_round(actor=director, round_=night.round)


def test_finish_says_which_nights_are_not_released(night: Match, director: Actor) -> None:
    with pytest.raises(LeagueError, match=r"^The results of round 2 are not released\.$") as refusal:
        finish_event(actor=director, event=night.event)
    assert (refusal.value.code, refusal.value.field) == ("unfinished", "despite_unfinished")
    finish_event(actor=director, event=night.event, despite_unfinished=True)
    assert "round 2" in AuditEntry.objects.get(action="event.finish").reason
    release_round(actor=director, round_=night.round)
    reopen_event(actor=director, event=night.event)
    assert not unfinished(night.event).anything


def test_players_table_of_a_team_event_waits_too(club: Club) -> None:
    event = EventFactory.create(club=club, team_size=2, holds_results=True)
    match = MatchFactory.create(event=event)
    play(match, 40, stopped=True)
    recalculate(event.pk)
    assert not IndividualStanding.objects.filter(event=event, played__gt=0).exists()
    release_round(actor=OPERATOR, round_=match.round)
    recalculate(event.pk)
    assert IndividualStanding.objects.filter(event=event, played=1).count() == 4
