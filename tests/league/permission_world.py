"""The world of the permission table: a private club with one of everything, and everybody who may ask.

`place` turns a route of the URL configuration into an address of that world; `ask` sends a request and takes
back whatever it did.
"""

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from league.core.secrets import new_secret
from league.draws.ladders import add_absence
from league.events.self_check_in import open_self_check_in
from league.matches.member_tables import begin_table
from league.models import (
    ApiToken,
    Club,
    Event,
    Exhibition,
    ImportDraft,
    JoinRequest,
    Match,
    Player,
    PushDevice,
    Role,
    TableLink,
    Tie,
    TokenScope,
    Webhook,
    persons_of,
)
from league.notices.choices import secret_to_stop
from league.people.calendar_addresses import renew_address
from league.people.friendlies import play_bot
from league.people.invitations import invite
from league.people.lobbies import Wanted, offer_game
from league.people.tokens import issue_token
from league.policy import actor_of
from league.record.audit import record_audit
from scoring.core.sheets import SheetSide
from scoring.services import open_sheet
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    play,
)
from tests.league.ladder_cases import entry, ladder
from tests.league.permission_askers import Asker, Drawing
from tests.league.permission_house import House, furnish

# In the order in which a difference is told.
ACTORS: Final = (
    "anonymous",
    "stranger",
    "member",
    # A member who sits at the table.
    "player",
    "scorekeeper",
    "director",
    "owner",
    "administrator",
    "read token",
    "record token",
    # The scorekeeper's, where the others are the owner's.
    "keeper's token",
    "manage token",
    # To record in one event, and on one sheet.
    "event token",
    "sheet token",
    "table link",
)
# Who sees least of a page and who sees most get it whole, the others an empty one.
_DRAWN_FOR: Final = frozenset({"anonymous", "member", "owner", "administrator", "table link"})
_PARAMETER: Final = re.compile(r"<(?:\w+:)?(\w+)>")
# What the admin writes as an expression, and what stands for it in an address.
_EXPRESSIONS: Final = {
    r"^(?P<app_label>auth|axes|league|games|scoring)/$": "league/",
    r"(?P<url>.*)$": "nothing-of-the-kind/",
}


class _TakenBackError(Exception):
    """Ends a transaction so that nothing of it is kept."""


@dataclass
class World:
    """The club and who asks about it; `values` are what parameters of routes stand for, by name."""

    club: Club
    values: dict[str, object]
    clients: dict[str, Asker]
    drawing: Drawing | None

    def place(self, route: str, names: Mapping[str, str]) -> str:
        """The address of a route; `names` says which value a parameter stands for, itself otherwise."""
        for expression, text in _EXPRESSIONS.items():
            route = route.replace(expression, text)
        found = _PARAMETER.sub(lambda part: str(self.values[names.get(part[1], part[1])]), route)
        return f"/{found}"

    def ask(self, actor: str, method: str, address: str, body: Any = None) -> int:
        """The status of a request; what it wrote is taken back."""
        cache.clear()  # limits to how often one may ask are another table's
        if self.drawing is not None:
            self.drawing.whole = actor in _DRAWN_FOR
        client = self.clients[actor]
        kept = client.cookies
        client.cookies = copy(kept)
        sent: dict[str, Any] = {}
        if address.startswith("/api/"):
            headers = {"If-Match": "*", "Idempotency-Key": "once"}
            sent = {"headers": headers, "content_type": "application/json", "data": json.dumps(body)}
        status = 0
        try:
            with transaction.atomic():
                status = client.generic(method, address, **(sent if method != "GET" else {})).status_code
                raise _TakenBackError
        except _TakenBackError:
            client.cookies = kept
            return status


def routes(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[str]:
    """Every route of the URL configuration, as it is written there."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, route)
        elif isinstance(pattern, URLPattern):
            yield route


def make_world(drawing: Drawing | None = None) -> World:
    """The club, private, with its officers, tokens and the link of a table; and another club's owner."""
    house = furnish()
    club = house.club
    Club.objects.filter(pk=club.pk).update(is_public=False)
    club.refresh_from_db()
    match = house.rows["match"]
    assert isinstance(match, Match)
    play(match, 30)
    # What nobody in the club minds being deleted: nothing hangs on it.
    spare = PlayerFactory.create(club=club, name="Spare", external_id="spare")
    handler = ClientHandler(enforce_csrf_checks=False)
    clients = {actor: Asker(handler) for actor in ACTORS}
    clients["stranger"].force_login(
        UserFactory.create(club=ClubFactory.create(is_public=False), role=Role.OWNER)
    )
    player = UserFactory.create(club=club, role=Role.MEMBER, username="player")
    Player.objects.filter(appearances__match=match, appearances__side=0).update(user=player)
    clients["player"].force_login(player)
    for role in (Role.MEMBER, Role.SCOREKEEPER, Role.DIRECTOR, Role.OWNER):
        clients[role.value].force_login(UserFactory.create(club=club, role=role, username=role.value))
    clients["administrator"].force_login(User.objects.create_superuser("administrator"))
    # Made in the club, so that its owner may give him a new password.
    member = User.objects.get(username="member")
    record_audit(OPERATOR, "account.create", member, club=club)
    own = _give_tokens(clients, match)
    secret = _link(match)
    clients["table link"].get(f"/table/{secret}/")
    device = PushDevice.objects.create(
        user=User.objects.get(username="owner"),
        endpoint="https://push.example.test/1",
        made_at=timezone.now(),
    )
    values = _values(house, match, spare)
    values |= {"secret": secret, "own token": own.code, "own device": device.code, "icon size": "192"}
    return World(club, values, clients, drawing)


def _give_tokens(clients: Mapping[str, Asker], match: Match) -> ApiToken:
    """Gives those who ask with tokens theirs; answers the one that reads."""
    club, event = match.event.club, match.event
    bounds: dict[str, tuple[str, TokenScope, dict[str, Any]]] = {
        "read token": ("owner", TokenScope.READ, {"club": club}),
        "record token": ("owner", TokenScope.RECORD, {"club": club}),
        "keeper's token": ("scorekeeper", TokenScope.RECORD, {"club": club}),
        "manage token": ("owner", TokenScope.MANAGE, {"club": club}),
        "event token": ("owner", TokenScope.RECORD, {"event": event}),
        "sheet token": ("owner", TokenScope.RECORD, {"sheet": match.sheet}),
    }
    tokens = {}
    for actor, (username, scope, bound) in bounds.items():
        user = User.objects.get(username=username)
        tokens[actor], key = issue_token(user=user, name=actor, scope=scope, days=1, **bound)
        clients[actor].defaults["HTTP_AUTHORIZATION"] = f"Token {key}"
    # That one is used is written down once a minute, and here it would be taken back time and again.
    ApiToken.objects.update(last_used_at=timezone.now() + datetime.timedelta(hours=1))
    return tokens["read token"]


def _values(house: House, match: Match, spare: Player) -> dict[str, object]:
    event = match.event
    knockout = EventFactory.create(club=house.club, format="single")
    climb = ladder(3, club=house.club)
    swiss = EventFactory.create(club=house.club, format="swiss", check_in=True)
    long_ago = datetime.date(2020, 7, 1)
    absence = add_absence(actor=OPERATOR, entry=entry(climb, "C"), first_day=long_ago, last_day=long_ago)
    drawn = RoundFactory.create(event=knockout)
    Tie.objects.create(event=knockout, number=1, part="final", level=1, stage=1, round=drawn)
    assert match.sheet is not None
    invitation, secret = invite(actor=OPERATOR, club=house.club)
    names = [side.name for side in kept_sheet(match.sheet).sides]
    hand = {"hands": [{"kind": "points", "winner": names[0], "points": 20}]}
    draft = ImportDraft.objects.create(
        club=house.club,
        user=User.objects.get(username="owner"),
        file_name="night.csv",
        content="no table",
        options={"rules": None},
    )
    plays = User.objects.get(username="player")
    offered = offer_game(actor=actor_of(plays), club=house.club, rules=event.rules, others=[Wanted.GUEST])
    values: dict[str, object] = {f"{name} id": row.pk for name, row in house.rows.items()}
    values |= {
        "club": house.club.slug,
        "event": event.slug,
        "season": _slug(house, "season"),
        "table": _slug(house, "seasontable"),
        "pyramid": _slug(house, "pyramid"),
        "number": match.round.number,
        "deal": 1,
        "level": 1,
        "strategy": "simple",
        "match": match.code,
        "sheet": match.sheet.code,
        "side": names[0],
        "own side": 0,
        "hand": hand,
        "correction": {"1": hand},
        "rules": event.rules.code,
        "version": 1,
        "team event": EventFactory.create(club=house.club, team_size=2).slug,
        "knockout": knockout.slug,
        "ladder": climb.slug,
        "swiss": swiss.slug,
        "check-in": open_self_check_in(actor=OPERATOR, event=swiss, number=1, minutes=60),
        "ladder code": climb.code,
        "top rung": entry(climb, "A").code,
        "second rung": entry(climb, "B").code,
        "absence": absence.pk,
        "knockout code": knockout.code,
        "external_id": "spare",
        "uidb36": "1",
        "token": "none",
        "invitation": secret,
        "calendar": renew_address(User.objects.get(username="player")),
        "invitation code": invitation.code,
        "join request": JoinRequest.objects.create(
            club=house.club, user=UserFactory.create(username="asks")
        ).code,
        "claim": JoinRequest.objects.create(
            club=house.club, user=UserFactory.create(username="claims"), name="Spare"
        ).code,
        "stop": secret_to_stop(User.objects.get(username="member").pk, house.club.pk),
        "guest link": offered.secrets[0],
        "offer": offered.offer.code,
        "friendly table": play_bot(
            actor=actor_of(plays), club=house.club, bot="simple", rules=event.rules
        ).code,
        "own player": Player.objects.get(user__username="player").code,
        "guest": UserFactory.create(username="guest").username,
        "round": match.round.code,
        "event code": event.code,
        "entry": match.entry_a.code,
        "player": spare.code,
        "season code": SeasonFactory.create(club=house.club).code,
        "webhook": Webhook.objects.create(club=house.club, url="https://198.51.100.7/").code,
        "membership": house.club.memberships.get(user__username="member").code,
        "bot match": house.rows["botmatch"].code,  # type: ignore[attr-defined]
        "card table": _card_table(house.club),
        "club_id": house.club.pk,
        "event_id": event.pk,
        "draft_id": draft.pk,
        "key": "A" * 22,
        "content_type_id": ContentType.objects.get_for_model(Event).pk,
        "object_id": event.pk,
        "id": User.objects.get(username="member").pk,
        "user": User.objects.get(username="member").pk,
        "group": 10**6,
        "nobody": 10**6,
    }
    return values


def _slug(house: House, name: str) -> str:
    return str(house.rows[name].slug)  # type: ignore[attr-defined]


def _card_table(club: Club) -> str:
    """The player plays an evening's sheet against a bot."""
    player = Player.objects.get(user__username="player")
    assert player.user is not None
    sides = (SheetSide(player.name, (player.name,)), SheetSide("Guest", ("Guest",)))
    rules = club.house_rules.get().rules
    sheet = open_sheet(actor=OPERATOR, rules=rules, sides=sides, persons=persons_of([player]))
    Exhibition.objects.create(sheet=sheet, club=club)
    return begin_table(actor=actor_of(player.user), sheet=sheet, bot="simple").code


def _link(match: Match) -> str:
    assert match.sheet is not None
    secret, digest = new_secret()
    TableLink.objects.create(
        sheet=match.sheet,
        side=0,
        digest=digest,
        expires_at=timezone.now() + datetime.timedelta(days=1),
        **TableLink.actor_fields(OPERATOR),
    )
    return secret
