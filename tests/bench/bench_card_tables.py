"""What an action at a table of members costs, by recording a deal, and a look of who waits for his turn."""

import itertools
from collections.abc import Callable

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.gin.actions import ActionKind
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.models import SealedPack, TableMatch
from games.services import act, open_table
from league.models import Role, TokenScope
from league.people.tokens import issue_token
from league.policy import actor_of
from tests.bench.bench_recording import DEALS, recording
from tests.bench.registry import Figure, bench, best_of
from tests.factories import ClubFactory, EventFactory, MatchFactory, UserFactory, house_rules

SHEETS = 8
AT_MOST = 3


@bench(database=True)
def acting_at_a_table() -> list[Figure]:
    record, go_on, look = recording(), acting(), looking()
    for _ in range(2):
        record()
        go_on()
        look()
    with CaptureQueriesContext(connection) as queries:
        go_on()
    with CaptureQueriesContext(connection) as asked:
        look()
    action, deal = best_of(go_on, record, rounds=SHEETS, times=DEALS)
    return [
        Figure("act at a table, by record_deals for one deal", action / deal, "×", AT_MOST),
        Figure("act within a hand, BEGIN and COMMIT counted", len(queries), "queries", 12),
        Figure("a look at a table without news, with a token", len(asked), "queries", 2),
        Figure("act at a table", action * 1e3, "ms"),
    ]


def acting() -> Callable[[], object]:
    """Two members draw and discard, hand after hand, as a page would send it; nobody ends one."""
    club = ClubFactory.create()
    rules = house_rules(columns=1, target=10_000)
    match = MatchFactory.create(event=EventFactory.create(club=club, rules=rules))
    assert match.sheet is not None
    members = [actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER)) for _ in range(2)]
    table = open_table(sheet=match.sheet, seats=dict(enumerate(members)))
    versions = itertools.count(table.version)
    hands: list[HandState] = []

    def go_on() -> None:
        if not hands or hands[-1].is_over:
            hands.append(_dealt(table))
        hand, version = hands[-1], next(versions)
        seat, legal = hand.turn, hand.legal_actions()
        action = next(each for each in legal if each.kind in _GOES_ON)
        act(
            actor=members[seat], match=table, seat=seat, version=version, action=str(action), key=str(version)
        )
        hand.act(action)

    return go_on


_GOES_ON = frozenset({ActionKind.PASS, ActionKind.DRAW, ActionKind.DISCARD})


def _dealt(table: TableMatch) -> HandState:
    """The hand in play, as it was dealt."""
    sealed = SealedPack.objects.select_related("hand").get(hand__match=table)
    log = HandLog.from_document({"deck": sealed.pack, "dealer": sealed.hand.dealer, "actions": []})
    return HandState.replay(table.sheet.rules.rules, log, players=("0", "1"))


def looking() -> Callable[[], object]:
    """Looks at a table at which somebody else is to move."""
    club = ClubFactory.create()
    match = MatchFactory.create(event=EventFactory.create(club=club, rules=house_rules(columns=1)))
    assert match.sheet is not None
    users = [UserFactory.create(club=club, role=Role.SCOREKEEPER) for _ in range(2)]
    table = open_table(sheet=match.sheet, seats=dict(enumerate(map(actor_of, users))))
    _, secret = issue_token(user=users[0], name="Cards", scope=TokenScope.RECORD, club=club, days=1)
    client = Client(headers={"host": "localhost", "authorization": f"Token {secret}"})
    address = f"/api/v1/tables/{table.code}/"
    known = {"if-none-match": client.get(address).headers["ETag"]}

    def look() -> None:
        assert client.get(address, headers=known).status_code == 304

    return look
