"""`python -m tests.bench.night prepare|telephones|tables|check`: makes a night, looks at it afterwards.

Prints JSON. `prepare SHEETS CLIENTS` answers the sheets, with the names of their sides, and tokens.
`telephones TABLES MEMBERS` answers the sheets of a round, with the link of a side, pages of its event, and
sessions of members, a director first. `tables TABLES` answers tables of two members, with the code and both
sessions. `check` answers each deal stored, by sheet: its number, the key of the act that brought it, its
points; and the sheets whose derived figures are not what their deals say.
"""

import json
import sys
from typing import Any

import django

from tests.clients import logged_in


def main(arguments: list[str]) -> None:
    django.setup()
    from django.core.management import call_command

    if arguments[0] == "prepare":
        call_command("migrate", verbosity=0)
        answer: Any = prepare(*map(int, arguments[1:]))
    elif arguments[0] == "telephones":
        call_command("migrate", verbosity=0)
        answer = telephones(*map(int, arguments[1:]))
    elif arguments[0] == "tables":
        call_command("migrate", verbosity=0)
        answer = tables(*map(int, arguments[1:]))
    else:
        answer = check()
    print(json.dumps(answer))


def prepare(sheets: int, clients: int) -> dict[str, Any]:
    from django.contrib.auth.models import User

    from league.models import Membership, Role, TokenScope
    from league.people.tokens import issue_token
    from tests.factories import ClubFactory, EventFactory, MatchFactory, house_rules

    club = ClubFactory.create()
    event = EventFactory.create(club=club, rules=house_rules(columns=3, target=10_000))
    matches = [MatchFactory.create(event=event) for _ in range(sheets)]
    tokens = []
    for number in range(clients):
        user = User.objects.create(username=f"keeper {number}")
        Membership.objects.create(club=club, user=user, role=Role.SCOREKEEPER)
        _, secret = issue_token(user=user, name="A table", scope=TokenScope.RECORD, club=club, days=1)
        tokens.append(secret)
    return {
        "sheets": [
            {"code": match.sheet.code, "sides": [match.entry_a.name, str(match.entry_b)]}
            for match in matches
            if match.sheet is not None
        ],
        "tokens": tokens,
    }


def telephones(tables: int, members: int) -> dict[str, Any]:
    from django.contrib.auth.models import User
    from django.urls import reverse

    from league.matches.table_links import make_links
    from league.models import EventState, Membership, Role
    from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, RoundFactory, house_rules

    # So that `up` finds its site set up.
    User.objects.create_superuser("admin", password="a long night of cards")
    club = ClubFactory.create(is_public=True)
    rules = house_rules(columns=3, target=10_000)
    event = EventFactory.create(club=club, rules=rules, state=EventState.RUNNING)
    round_ = RoundFactory.create(event=event)
    matches = [MatchFactory.create(event=event, round=round_, table=one + 1) for one in range(tables)]
    of_event = [club.slug, event.slug]
    sessions = []
    for number in range(members):
        user = User.objects.create(username=f"member {number}")
        Membership.objects.create(club=club, user=user, role=Role.MEMBER if number else Role.DIRECTOR)
        client = logged_in(user)
        sessions.append(client.cookies["sessionid"].value)
    return {
        "sessions": sessions,
        "sheets": [
            {
                "code": match.sheet.code,
                "link": reverse("phone:table_open", args=[make_links(actor=OPERATOR, match=match)[0][1]]),
            }
            for match in matches
            if match.sheet is not None
        ],
        "pages": [
            reverse("club", args=[club.slug]),
            reverse("event", args=of_event),
            reverse("event_rounds", args=of_event),
            reverse("round", args=[*of_event, round_.number]),
            *[reverse("match", args=[*of_event, match.code]) for match in matches[:4]],
        ],
    }


def tables(count: int) -> list[dict[str, Any]]:
    from django.contrib.auth.models import User

    from games.services import open_table
    from league.models import Membership, Role
    from league.policy import actor_of
    from tests.factories import ClubFactory, EventFactory, MatchFactory, house_rules

    club = ClubFactory.create()
    event = EventFactory.create(club=club, rules=house_rules(columns=3, target=10_000))
    found = []
    for number in range(count):
        sheet = MatchFactory.create(event=event).sheet
        assert sheet is not None
        members, sessions = {}, []
        for seat in (0, 1):
            user = User.objects.create(username=f"member {number}-{seat}")
            Membership.objects.create(club=club, user=user, role=Role.SCOREKEEPER)
            members[seat] = actor_of(user)
            client = logged_in(user)
            sessions.append(client.cookies["sessionid"].value)
        table = open_table(sheet=sheet, seats=members)
        found.append({"code": table.code, "sessions": sessions})
    return found


def check() -> dict[str, Any]:
    from scoring.models import DealVersion, Scoresheet
    from tests.kept import assert_derived

    stored: dict[str, list[list[Any]]] = {}
    rows = DealVersion.objects.select_related("act", "sheet").order_by("sheet_id", "number", "version")
    for row in rows:
        points = row.body["hands"][0]["points"] if row.body else None
        stored.setdefault(row.sheet.code, []).append([row.number, row.act.key, points])
    wrong = []
    for sheet in Scoresheet.objects.all():
        try:
            assert_derived(sheet)
        except AssertionError:
            wrong.append(sheet.code)
    return {"stored": stored, "wrong": wrong}


if __name__ == "__main__":
    main(sys.argv[1:])
