"""Long lists of entries, rounds, matches, sheets: who sees which, and that as many are counted as listed."""

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.core.secrets import digest_of
from league.models import (
    ApiToken,
    Appearance,
    Club,
    Entry,
    Event,
    EventState,
    Exhibition,
    FormerSheet,
    Match,
    Role,
    Round,
    RoundState,
    TokenScope,
)
from league.policy import (
    Who,
    entries_counted,
    entries_seen,
    events_seen,
    matches_counted,
    matches_seen,
    rounds_counted,
    rounds_listed,
    rounds_seen,
    sheets_counted,
    sheets_seen,
)
from scoring.models import Scoresheet
from tests.factories import ClubFactory, EventFactory, MatchFactory, RoundFactory, UserFactory, sheet_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

WEEK = datetime.timedelta(days=7)
EVENTS: tuple[dict[str, Any], ...] = (
    {},
    {"holds_results": True},
    {"state": EventState.DRAFT},
)
ROUNDS: tuple[dict[str, Any], ...] = (
    {"state": RoundState.DRAFTED},
    {"state": RoundState.PUBLISHED},
    {"state": RoundState.COMPLETE, "released_at": timezone.now() - WEEK},
)


def _fill(club: Club) -> None:
    """Of every kind of round a match with its sheet and two whose sheets were theirs once; an exhibition."""
    for event_is in EVENTS:
        event = EventFactory.create(club=club, **event_is)
        for round_is in ROUNDS:
            round_ = RoundFactory.create(event=event)
            _played, renewed, forgotten = (
                MatchFactory.create(event=event, round=round_, table=table) for table in (1, 2, 3)
            )
            Round.objects.filter(pk=round_.pk).update(**round_is)
            for match, was in ((renewed, renewed), (forgotten, None)):
                FormerSheet.objects.create(sheet=sheet_of(match), club=club, event=event, match=was)
                Match.objects.filter(pk=match.pk).update(sheet=None)
    shown = MatchFactory.create(event=EventFactory.create(club=club))
    gone = MatchFactory.create(event=shown.event)
    Exhibition.objects.create(club=club, sheet=sheet_of(shown))
    FormerSheet.objects.create(sheet=sheet_of(gone), club=club)
    Match.objects.filter(pk__in=(shown.pk, gone.pk)).update(sheet=None)


def _readers(club: Club) -> dict[str, Who]:
    """Everybody who may come to the lists."""
    owner = UserFactory.create(club=club, role=Role.OWNER)
    seated = UserFactory.create(club=club, role=Role.MEMBER)
    withheld = Match.objects.filter(
        event__club=club, event__holds_results=True, round__state=RoundState.PUBLISHED
    )
    player = Appearance.objects.filter(match=withheld.exclude(sheet=None).earliest("pk"), side=0).get().player
    player.user = seated
    player.save()
    event = Event.objects.filter(club=club, holds_results=True).earliest("pk")
    sheet = withheld.exclude(sheet=None).earliest("pk").sheet
    bounds: dict[str, dict[str, Any]] = {
        "of everything": {},
        "of a club": {"club": club},
        "of an event": {"club": club, "event": event},
        "of a sheet": {"club": club, "event": event, "sheet": sheet},
    }
    tokens = {
        f"token {bound}, {scope}": ApiToken.objects.create(
            user=owner, name="t", scope=scope, digest=digest_of(f"{bound} {scope}"), **fields
        )
        for bound, fields in bounds.items()
        for scope in (TokenScope.READ, TokenScope.RECORD)
        if fields or scope is TokenScope.READ
    }
    return {
        "guest": AnonymousUser(),
        "stranger": UserFactory.create(),
        "closed account": UserFactory.create(club=club, role=Role.OWNER, is_active=False),
        **{str(role): UserFactory.create(club=club, role=role) for role in Role},
        "who sits there": seated,
        "administrator": UserFactory.create(is_superuser=True),
        **tokens,
    }


@pytest.fixture
def readers() -> dict[str, Who]:
    """Of a club that is not public, beside one that is."""
    club = ClubFactory.create(is_public=False)
    for each in (club, ClubFactory.create(is_public=True)):
        _fill(each)
    return _readers(club)


@pytest.mark.dear("makes matches of every kind, for every reader")
@pytest.mark.parametrize("few", [500, 1])
def test_lists_have_what_may_be_read_and_are_counted_as_they_are(
    readers: dict[str, Who], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether few or many rounds are hidden."""
    monkeypatch.setattr("league.policy.reading.FEW", few)
    matches = list(Match.objects.values_list("pk", "event", "round"))
    sheets = Scoresheet.objects.all()
    listed = list(Round.objects.values_list("pk", "event"))
    entered = list(Entry.objects.values_list("pk", "event"))
    counts = {}
    for name, who in readers.items():
        events = set(events_seen(who).values_list("pk", flat=True))
        rounds = set(rounds_seen(who).values_list("pk", flat=True))
        wanted = {pk for pk, event, round_ in matches if event in events and round_ in rounds}
        assert set(matches_seen(who).values_list("pk", flat=True)) == wanted, name
        assert matches_counted(who) == len(wanted), name
        shown = {pk for pk, event in listed if event in events and pk in rounds}
        assert set(rounds_listed(who).values_list("pk", flat=True)) == shown, name
        assert rounds_counted(who) == len(shown), name
        ranked = {pk for pk, event in entered if event in events}
        assert set(entries_seen(who).values_list("pk", flat=True)) == ranked, name
        assert entries_counted(who) == len(ranked), name
        seen = set(sheets_seen(who, sheets).values_list("pk", flat=True))
        assert sheets_counted(who) == len(seen), name
        counts[name] = (len(wanted), len(seen))
    everything = (len(matches), sheets.count())
    assert counts["administrator"] == everything
    # Nobody sees what another club keeps to itself, or its drafts; a member not even what is held back.
    assert counts["guest"] < counts["member"] < counts["scorekeeper"] < counts["director"] < everything
    assert counts["stranger"] == counts["closed account"] == counts["guest"]
    assert counts["who sits there"] == (counts["member"][0], counts["member"][1] + 1)
