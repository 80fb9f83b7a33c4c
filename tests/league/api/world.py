"""A club with something of everything that the API tells, and programs that ask for it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from league.events.house_rules import make_club_rules
from league.models import (
    Adjustment,
    Club,
    ClubRules,
    Entry,
    Event,
    Match,
    Membership,
    Player,
    Role,
    Round,
    Season,
    TokenScope,
)
from league.people.tokens import issue_token
from scoring.core.rules import Rules
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    count_table,
    play,
)
from tests.league.bot_cases import planted
from tests.league.bracket_play import cup, drawn


@dataclass
class World:
    """The club and one of each that is in it."""

    club: Club
    rules: ClubRules
    season: Season
    event: Event
    cup: Event
    entry: Entry
    round: Round
    match: Match
    player: Player
    membership: Membership
    users: dict[Role, User] = field(default_factory=dict)

    def lists(self) -> dict[str, str]:
        """Every list, by the name of its address."""
        return {
            "clubs": "clubs/",
            "memberships": "memberships/",
            "seasons": "seasons/",
            "players": "players/",
            "events": "events/",
            "event entries": f"events/{self.event.code}/entries/",
            "event rounds": f"events/{self.event.code}/rounds/",
            "event matches": f"events/{self.event.code}/matches/",
            "event standings": f"events/{self.event.code}/standings/",
            "entries": "entries/",
            "rounds": "rounds/",
            "matches": "matches/",
            "house rules": "house-rules/",
            "versions": f"house-rules/{self.rules.rules.code}/versions/",
            "bots": "bots/",
            "bot matches": "bot-matches/",
        }

    def single(self) -> dict[str, str]:
        """One of each, but for what has no version."""
        return {
            "club": f"clubs/{self.club.slug}/",
            "membership": f"memberships/{self.membership.code}/",
            "season": f"seasons/{self.season.code}/",
            "player": f"players/{self.player.code}/",
            "event": f"events/{self.event.code}/",
            "entry": f"entries/{self.entry.code}/",
            "round": f"rounds/{self.round.code}/",
            "match": f"matches/{self.match.code}/",
            "rules": f"house-rules/{self.rules.rules.code}/",
            "version": f"house-rules/{self.rules.rules.code}/versions/1/",
        }

    def as_user(self, role: Role) -> "Asking":
        """Somebody who holds an office, signed in."""
        client = logged_in(self.users[role])
        return Asking(client)

    def program(self, scope: TokenScope, *, role: Role = Role.OWNER, **bounds: Any) -> "Asking":
        """A token of somebody who holds an office."""
        bounds = bounds or {"club": self.club}
        _token, secret = issue_token(user=self.users[role], name="till", scope=scope, days=1, **bounds)
        return Asking(Client(headers={"Authorization": f"Token {secret}"}))


@dataclass
class Asking:
    """A client that speaks JSON to the API."""

    client: Client

    def get(self, address: str, **query: Any) -> Any:
        """What is answered to a reading, which is let in."""
        response = self.read(address, **query)
        assert response.status_code == 200, (address, response.content)
        return response.json()

    def read(self, address: str, *, headers: dict[str, str] | None = None, **query: Any) -> Any:
        return self.client.get(_address(address), query, headers=headers)

    def send(self, method: str, address: str, body: Any = None, *, etag: str | None = None) -> Any:
        """A writing request, with If-Match where an ETag is given."""
        return self.client.generic(
            method,
            _address(address),
            b"" if body is None else json.dumps(body),
            content_type="application/json",
            headers=None if etag is None else {"If-Match": etag},
        )

    def change(self, address: str, body: Any, *, method: str = "PATCH") -> Any:
        """Reads the row, and changes that version of it."""
        return self.send(method, address, body, etag=self.read(address)["ETag"])

    def followed(self, address: str, since: str, **query: Any) -> Iterator[Any]:
        """The pages of changes since then."""
        page = self.get(address, updated_since=since, **query)
        yield page
        while page["next"]:
            page = self.get(page["next"])
            yield page


ANYBODY = Asking(Client())


def make_world(*, is_public: bool = True) -> World:
    """The club; whoever is in it has a name that is nobody else's."""
    club: Club = ClubFactory.create(name="Harbour", slug="harbour", is_public=is_public)
    users = {role: UserFactory.create(club=club, role=role, username=f"the-{role}") for role in Role}
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules(columns=3))
    season = SeasonFactory.create(club=club, slug="winter", name="Winter")
    event: Event = EventFactory.create(
        club=club, rules=rules.rules, season=season, slug="league", name="League"
    )
    entries = [
        EntryFactory.create(event=event, name=name, seed=None) for name in ("Ann", "Bob", "Cid", "Dee")
    ]
    round_ = RoundFactory.create(event=event)
    match = MatchFactory.create(event=event, round=round_, entry_a=entries[0], entry_b=entries[1])
    MatchFactory.create(event=event, round=round_, entry_a=entries[2], entry_b=entries[3])
    play(match, 60, 60, 60, 60)
    Adjustment.objects.create(
        event=event, entry=entries[3], points=-1, reason="Late.", **Adjustment.actor_fields(OPERATOR)
    )
    count_table(event.pk)
    knockout = cup(club, 4)
    drawn(knockout)
    planted(EventFactory.create(club=club, rules=rules.rules, slug="robots", name="Robots"))
    player = Player.objects.get(club=club, name="Ann")
    membership = Membership.objects.get(club=club, role=Role.DIRECTOR)
    return World(club, rules, season, event, knockout, entries[0], round_, match, player, membership, users)


def _address(address: str) -> str:
    return address if address.startswith("http") else f"/api/v1/{address}"
