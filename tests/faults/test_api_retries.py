"""Recording by the API over a bad network and by several at once: nothing lost, nothing doubled."""

import http.client
import json
import threading
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import transaction

from league.api import at_sheet
from league.models import Match
from scoring.models import DealVersion, Scoresheet, SheetAct
from scoring.services.acts import locked_sheet
from tests.api.programs import Program, points, scorekeepers_program
from tests.factories import EntryFactory, EventFactory, MatchFactory, house_rules, sheet_of
from tests.faults.lossy import Fate, lossy
from tests.faults.threads import DEADLINE_SECONDS, at_once
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 6
DEALS = 8


@pytest.fixture
def match(transactional_db: None) -> Match:
    """Ann against Bob, long enough for everybody to write on."""
    event = EventFactory.create(rules=house_rules(columns=1, target=10_000))
    ann, bob = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    return MatchFactory.create(event=event, entry_a=ann, entry_b=bob)


def ready(match: Match) -> Program:
    """A program that was used a moment ago, so that its next request writes nothing but what it asks for."""
    program = scorekeepers_program(match)
    assert program.get().status_code == 200
    return program


def deals_by_key(sheet: Scoresheet) -> dict[str, list[tuple[int, int]]]:
    """Number and points of what each key has recorded."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row in DealVersion.objects.filter(sheet=sheet).select_related("act").order_by("number"):
        assert row.body is not None
        found.setdefault(str(row.act.key), []).append((row.number, row.body["hands"][0]["points"]))
    return found


def test_one_request_sent_many_times_at_once_is_recorded_once(match: Match) -> None:
    program = ready(match)
    body = [points("Ann", 40), points("Bob", 7)]
    replies = at_once([partial(program.record, "tap", *body, If_Match='"0"') for _ in range(WRITERS)])
    assert {reply.status_code for reply in replies} == {201}
    assert len({reply.content for reply in replies}) == 1
    assert len({reply.headers["ETag"] for reply in replies}) == 1
    assert SheetAct.objects.filter(sheet=sheet_of(match)).count() == 1
    assert assert_derived(sheet_of(match)).deal_count == 2


def test_two_devices_with_one_version_record_one_deal(match: Match) -> None:
    programs = [ready(match) for _ in range(WRITERS)]
    replies = at_once(
        [
            partial(program.record, "deal 1", points("Ann", number), If_Match='"0"')
            for number, program in enumerate(programs)
        ]
    )
    assert sorted(reply.status_code for reply in replies) == [201] + [412] * (WRITERS - 1)
    assert assert_derived(sheet_of(match)).deal_count == 1


def test_programs_write_on_one_sheet_and_repeat_themselves(match: Match) -> None:
    programs = [ready(match) for _ in range(WRITERS)]

    def write(number: int) -> list[tuple[str, int, int]]:
        told = []
        for count in range(DEALS):
            key, figure = f"{number}-{count}", number * DEALS + count
            first = programs[number].record(key, points("Ann", figure))
            assert first.status_code == 201, first.content
            assert programs[number].record(key, points("Ann", figure)).content == first.content
            told.append((key, first.json()["first"], figure))
        return told

    told = [each for part in at_once([partial(write, n) for n in range(WRITERS)]) for each in part]
    assert deals_by_key(sheet_of(match)) == {key: [(number, figure)] for key, number, figure in told}
    assert assert_derived(sheet_of(match)).deal_count == WRITERS * DEALS


def test_request_waits_for_another_and_is_busy_only_after_a_while(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = ready(match)
    sheet = sheet_of(match)
    holding, refused = threading.Event(), threading.Event()

    def hold() -> Any:
        with transaction.atomic():
            locked_sheet(sheet)
            holding.set()
            assert refused.wait(DEADLINE_SECONDS)

    def send() -> tuple[Any, Any]:
        assert holding.wait(DEADLINE_SECONDS)
        monkeypatch.setattr(at_sheet, "PATIENCE_SECONDS", 0.3)
        busy = program.record("one", points("Ann", 5))
        monkeypatch.setattr(at_sheet, "PATIENCE_SECONDS", 30)
        # Let go while the next one is on its way.
        release = threading.Timer(0.3, refused.set)
        release.start()
        waited = program.record("one", points("Ann", 5))
        release.join()
        return busy, waited

    busy, waited = at_once([hold, send])[1]
    assert (busy.status_code, busy.json()["code"]) == (409, "busy")
    assert busy.headers["Content-Type"] == "application/problem+json"
    assert (waited.status_code, waited.json()["first"]) == (201, 1)
    assert assert_derived(sheet).deal_count == 1


def test_batches_sent_at_once_record_each_deal_once(match: Match) -> None:
    other = MatchFactory.create(event=match.event)
    program = ready(match)
    entries = [
        {"sheet": sheet_of(each).code, "key": str(n), "deals": [points(each.entry_a.name, n)]}
        for n in range(DEALS)
        for each in (match, other)
    ]
    send = partial(
        program.client.post, "/api/v1/batches/", {"entries": entries}, content_type="application/json"
    )
    first, *others = at_once([send] * 4)
    assert {outcome["status"] for outcome in first.json()["outcomes"]} == {201}
    assert {reply.content for reply in others} == {first.content}
    for each in (match, other):
        assert deals_by_key(sheet_of(each)).keys() == {str(n) for n in range(DEALS)}
        assert assert_derived(sheet_of(each)).deal_count == DEALS


def test_nothing_is_lost_or_doubled_where_replies_are(match: Match, live_server: Any) -> None:
    """Programs send the same again until they hear, over a network that keeps most answers to itself."""
    programs = [ready(match) for _ in range(4)]
    address = urlsplit(live_server.url)

    def write(number: int) -> list[tuple[str, int, int]]:
        told = []
        for count in range(DEALS):
            key, figure = f"{number}-{count}", number * DEALS + count
            reply = until_heard(programs[number], key, figure)
            told.append((key, reply["first"], figure))
        return told

    def until_heard(program: Program, key: str, figure: int) -> Any:
        headers = {
            "Authorization": program.authorization,
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "Connection": "close",
            "Host": address.netloc,
        }
        body = json.dumps({"deals": [points("Ann", figure)]})
        for _ in range(100):
            connection = http.client.HTTPConnection(
                "127.0.0.1", proxy.server_address[1], timeout=DEADLINE_SECONDS
            )
            try:
                connection.request("POST", f"{program.address}deals/", body, headers)
                response = connection.getresponse()
                answer = json.loads(response.read())
            except (http.client.HTTPException, ConnectionError):
                continue
            finally:
                connection.close()
            assert response.status == 201, answer
            return answer
        raise AssertionError("never heard")

    with lossy((str(address.hostname), int(address.port or 0)), seed=7) as proxy:
        told = [each for part in at_once([partial(write, n) for n in range(4)]) for each in part]
        fates = proxy.fates
    assert set(fates) == set(Fate)
    assert fates[Fate.REPLY_LOST] + fates[Fate.REPLY_CUT] > fates[Fate.DELIVERED] / 2
    assert deals_by_key(sheet_of(match)) == {key: [(number, figure)] for key, number, figure in told}
    assert assert_derived(sheet_of(match)).deal_count == 4 * DEALS
