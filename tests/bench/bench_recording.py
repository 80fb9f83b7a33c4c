"""What recording a deal costs, measured by the insertion of the rows it cannot do without."""

import itertools
from collections.abc import Callable

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from league.models import Match, Role, TokenScope
from league.people.tokens import issue_token
from league.policy import actor_of
from scoring.models import ActKind, DealVersion, SheetAct
from scoring.services import record_deals
from tests.bench.registry import Figure, bench, best_of
from tests.factories import ClubFactory, EventFactory, MatchFactory, UserFactory, won

# What the replay of a sheet costs grows with its deals: a sheet of a club night holds about so many.
DEALS = 12
SHEETS = 40
AT_MOST = {"postgresql": 7, "sqlite": 6}
# SQLite is told for how long to wait, and that it is over.
QUERIES = {"postgresql": 10, "sqlite": 12}


@bench(database=True, by_vendor=True)
def recording_a_deal() -> list[Figure]:
    record, insert, send = recording(), inserting(), sending()
    for _ in range(2):
        record()
        send()
    with CaptureQueriesContext(connection) as queries:
        record()
    with CaptureQueriesContext(connection) as asked:
        send()
    service, bare = best_of(record, insert, rounds=SHEETS, times=DEALS)
    return [
        Figure(
            "record_deals for one deal (mean of a sheet), by inserting its act and deal in one transaction",
            service / bare,
            "×",
            AT_MOST[connection.vendor],
        ),
        Figure("record_deals, BEGIN and COMMIT counted", len(queries), "queries", 9),
        Figure("the same through the API, with a token", len(asked), "queries", QUERIES[connection.vendor]),
        Figure("record_deals", service * 1e3, "ms"),
        Figure("act and deal inserted", bare * 1e3, "ms"),
    ]


def recording() -> Callable[[], object]:
    """Records deal after deal as a scorekeeper does, with a key and the version seen."""
    club = ClubFactory.create()
    event = EventFactory.create(club=club)
    actor = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    matches = iter([MatchFactory.create(event=event) for _ in range(SHEETS + 1)])
    sheets = itertools.chain.from_iterable([match] * DEALS for match in matches)
    count = itertools.count()

    def record() -> None:
        match = next(sheets)
        assert match.sheet is not None
        number = next(count)
        names = [match.entry_a.name, str(match.entry_b)]
        record_deals(
            actor=actor,
            sheet=match.sheet,
            deals=[won(names[number % 2], names[1 - number % 2], 1)],
            key=f"deal {number}",
            expected_version=number % DEALS,
        )

    return record


def sending() -> Callable[[], object]:
    """Sends deal after deal on one sheet, as a program does that was given a token for the club."""
    club = ClubFactory.create()
    match = MatchFactory.create(event=EventFactory.create(club=club))
    assert match.sheet is not None
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    _, secret = issue_token(user=keeper, name="A table", scope=TokenScope.RECORD, club=club, days=1)
    client = APIClient(SERVER_NAME="localhost", HTTP_AUTHORIZATION=f"Token {secret}")
    address = f"/api/v1/sheets/{match.sheet.code}/deals/"
    body = {"deals": [{"hands": [{"kind": "points", "winner": match.entry_a.name, "points": 1}]}]}
    count = itertools.count()

    def send() -> None:
        answer = client.post(address, body, format="json", headers={"Idempotency-Key": str(next(count))})
        assert answer.status_code == 201, answer.content

    return send


def inserting() -> Callable[[], object]:
    """Inserts an act and its deal, and nothing else."""
    match: Match = MatchFactory.create()
    assert match.sheet is not None
    sheet, count = match.sheet, itertools.count(1)
    body = {"hands": [{"kind": "points", "winner": 0, "loser": 1, "points": 1}]}
    answer = {"sheet": sheet.code, "version": 1, "first": 1, "count": 1, "status": "open", "net": 0}

    def insert() -> None:
        number = next(count)
        with transaction.atomic():
            act = SheetAct.objects.create(
                sheet=sheet,
                kind=ActKind.RECORD,
                version=number,
                key=f"deal {number}",
                digest="0" * 64,
                answer=answer,
                body={"stopped": False},
                actor_kind="user",
                actor_id="1",
                actor_name="Sam Scorekeeper",
            )
            DealVersion.objects.create(sheet=sheet, act=act, number=number, body=body)

    return insert
