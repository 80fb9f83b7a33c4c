"""Races for one sheet: nothing lost, nothing doubled, no error but those that are promised."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from league.draws.forfeits import award_forfeit
from league.models import Match, MatchState, TokenScope
from league.people.tokens import issue_token
from league.policy import actor_of
from scoring.core.actors import Actor, ActorKind
from scoring.core.rules import Rules
from scoring.core.sheets import Deal
from scoring.models import DealVersion, HouseRules, Scoresheet, SheetAct, SheetStatus, Signature
from scoring.services import (
    Receipt,
    correct_deals,
    make_house_rules,
    open_sheet,
    record_deals,
    reseat_sheet,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    UserFactory,
    house_rules,
    won,
)
from tests.faults.threads import DEADLINE_SECONDS, at_once
from tests.kept import assert_derived
from tests.refusals import code_of
from tests.scoring.conftest import ANN_AND_BOB, WE_AND_YOU

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 8
ROUNDS = 5


@pytest.fixture
def sheet(transactional_db: None) -> Scoresheet:
    """Ann against Bob, long enough for everybody to write on."""
    return open_sheet(actor=OPERATOR, rules=house_rules(columns=1, target=10_000), sides=ANN_AND_BOB)


def actor(number: int) -> Actor:
    return Actor(ActorKind.IMPORT, str(number), f"Writer {number}")


def stored_points(sheet: Scoresheet) -> list[int]:
    return [deal.hands[0].points for deal in kept_sheet(sheet).deals]  # type: ignore[union-attr]


def test_eight_writers_append_to_one_sheet(sheet: Scoresheet) -> None:
    def write(writer: int) -> list[tuple[Receipt, list[int]]]:
        receipts = []
        for round_ in range(ROUNDS):
            points = [writer * 15 + round_ * 3 + offset for offset in range(1 + round_ % 3)]
            send = partial(
                record_deals,
                actor=actor(writer),
                sheet=sheet,
                deals=[won("Ann", "Bob", figure) for figure in points],
                key=f"act {round_}",
            )
            receipt = send()
            # A reply that was lost: the same once more.
            assert send().to_document() == receipt.to_document()
            receipts.append((receipt, points))
        return receipts

    written = [pair for pairs in at_once([partial(write, n) for n in range(WRITERS)]) for pair in pairs]
    kept = assert_derived(sheet)
    assert kept.version == WRITERS * ROUNDS
    assert sorted(receipt.version for receipt, _ in written) == list(range(1, kept.version + 1))
    stored = stored_points(kept)
    assert Counter(stored) == Counter(figure for _, points in written for figure in points)
    for receipt, points in written:
        assert receipt.first is not None
        assert stored[receipt.first - 1 : receipt.first - 1 + receipt.count] == points


def test_same_draft_saved_at_once_is_recorded_once(sheet: Scoresheet) -> None:
    draft = [won("Ann", "Bob", 40), won("Bob", "Ann", 7)]
    receipts = at_once(
        [
            partial(record_deals, actor=OPERATOR, sheet=sheet, deals=draft, key="draft", expected_version=0)
            for _ in range(WRITERS)
        ]
    )
    assert sorted(receipt.repeated for receipt in receipts) == [False] + [True] * (WRITERS - 1)
    assert len({str(receipt.to_document()) for receipt in receipts}) == 1
    kept = assert_derived(sheet)
    assert (kept.version, stored_points(kept)) == (1, [40, 7])


def test_same_key_by_two_tokens_of_a_person_at_once_is_recorded_once() -> None:
    """The token is renewed while an answer is awaited; the page is signed in besides."""
    match = MatchFactory.create()
    assert match.sheet is not None
    club, (first, second) = match.event.club, match.sheet.seats.values_list("name", flat=True)
    user, other = UserFactory.create(club=club), UserFactory.create(club=club)
    tokens = [
        issue_token(user=person, name="till", scope=TokenScope.RECORD, club=club, days=1)[0]
        for person in (user, user, other)
    ]
    sent = partial(record_deals, sheet=match.sheet, deals=[won(first, second, 4)], key="deal 1")
    for round_ in range(1, ROUNDS + 1):
        again = partial(sent, key=f"deal {round_}")
        writers = [actor_of(user), *map(actor_of, tokens[:2])] * 2
        receipts = at_once([partial(again, actor=one) for one in writers])
        assert sorted(receipt.repeated for receipt in receipts) == [False] + [True] * 5
        assert {receipt.version for receipt in receipts} == {round_}
    # Somebody else's key is another one, even if it reads the same.
    assert not sent(actor=actor_of(tokens[2])).repeated
    assert stored_points(assert_derived(match.sheet)) == [4] * (ROUNDS + 1)


def test_two_drafts_of_one_sheet_saved_at_once_keep_one(sheet: Scoresheet) -> None:
    def save(writer: int) -> str:
        draft = [won("Ann", "Bob", writer + 1)] * 2
        return code_of(
            partial(
                record_deals,
                actor=OPERATOR,
                sheet=sheet,
                deals=draft,
                key=f"tab {writer}",
                expected_version=0,
            )
        )

    answers = at_once([partial(save, n) for n in range(WRITERS)])
    assert Counter(answers) == {"done": 1, "stale_version": WRITERS - 1}
    kept = assert_derived(sheet)
    assert stored_points(kept) == [answers.index("done") + 1] * 2


def test_corrections_against_appends(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1), won("Ann", "Bob", 2)])

    def append(writer: int) -> None:
        for round_ in range(ROUNDS):
            deals = [won("Bob", "Ann", 100 + writer * 10 + round_)]
            record_deals(actor=actor(writer), sheet=sheet, deals=deals, key=str(round_))

    def correct(writer: int) -> None:
        for round_ in range(ROUNDS):
            changes = {1: won("Ann", "Bob", 1000 + writer * 10 + round_)}
            correct_deals(actor=actor(writer), sheet=sheet, changes=changes, reason="again", key=str(round_))

    half = WRITERS // 2
    at_once([partial(append, n) for n in range(half)] + [partial(correct, n) for n in range(half, WRITERS)])
    kept = assert_derived(sheet)
    assert kept.version == 1 + WRITERS * ROUNDS
    assert sorted(stored_points(kept)[2:]) == sorted(
        100 + n * 10 + round_ for n in range(half) for round_ in range(ROUNDS)
    )
    corrections = DealVersion.objects.filter(sheet=sheet, number=1, version__gt=1).order_by("version")
    figures = [row.body["hands"][0]["points"] for row in corrections if row.body]
    assert sorted(figures) == sorted(
        1000 + n * 10 + round_ for n in range(half, WRITERS) for round_ in range(ROUNDS)
    )
    assert stored_points(kept)[0] == figures[-1]


def test_corrections_of_the_version_that_was_seen(sheet: Scoresheet) -> None:
    """Who looks, changes and sends back what he saw never undoes what he has not seen."""
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 0)])

    def add_one(writer: int) -> int:
        stale = 0
        for _ in range(ROUNDS):
            while True:
                seen = Scoresheet.objects.select_related("rules").get(pk=sheet.pk)
                changed = {1: won("Ann", "Bob", stored_points(seen)[0] + 1)}
                with transaction.atomic():
                    code = code_of(
                        partial(
                            correct_deals,
                            actor=actor(writer),
                            sheet=sheet,
                            changes=changed,
                            reason="one more",
                            expected_version=seen.version,
                        )
                    )
                if code == "done":
                    break
                assert code in ("stale_version", "nothing_changed")
                stale += 1
        return stale

    at_once([partial(add_one, n) for n in range(4)])
    assert stored_points(assert_derived(sheet)) == [4 * ROUNDS]


def test_time_is_called_while_hands_arrive(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 5)])

    def write(writer: int) -> str:
        deals = [won("Bob", "Ann", writer)]
        return code_of(partial(record_deals, actor=OPERATOR, sheet=sheet, deals=deals))

    stop = partial(code_of, partial(stop_sheet, actor=OPERATOR, sheet=sheet))
    *answers, first, second = at_once([*(partial(write, n) for n in range(6)), stop, stop])
    assert sorted([first, second]) == ["done", "sheet_finished"]
    assert set(answers) <= {"done", "sheet_stopped"}
    kept = assert_derived(sheet)
    assert (kept.status, kept.deal_count) == (SheetStatus.STOPPED, 1 + answers.count("done"))
    assert SheetAct.objects.filter(sheet=sheet).order_by("id").values_list("kind", flat=True).last() == "stop"


def test_sheet_is_voided_while_hands_arrive(sheet: Scoresheet) -> None:
    def write(writer: int) -> str:
        deals = [won("Bob", "Ann", writer)]
        return code_of(partial(record_deals, actor=OPERATOR, sheet=sheet, deals=deals))

    void = partial(code_of, partial(void_sheet, actor=OPERATOR, sheet=sheet, reason="typed twice"))
    *answers, first, second = at_once([*(partial(write, n) for n in range(6)), void, void])
    assert sorted([first, second]) == ["done", "sheet_void"]
    assert set(answers) <= {"done", "sheet_void"}
    kept = assert_derived(sheet)
    assert (kept.status, kept.deal_count) == (SheetStatus.VOID, answers.count("done"))


def test_sheet_is_signed_once_by_each_side(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 5)], stopped=True)
    change = partial(
        correct_deals, actor=OPERATOR, sheet=sheet, changes={1: won("Ann", "Bob", 6)}, reason="6"
    )
    sign = [partial(sign_sheet, actor=actor(n), sheet=sheet) for n in range(6)]
    calls: list[Callable[[], Any]] = [*sign, change]
    *signatures, _ = at_once(calls)
    given = [signature for made in signatures for signature in made]
    signed = sorted(Signature.objects.filter(sheet=sheet).values_list("version", "side"))
    assert len(given) == len(signed)
    # Before the correction, after it, or some before and some after: each version once by each side.
    assert signed in ([(1, 0), (1, 1)], [(2, 0), (2, 1)], [(1, 0), (1, 1), (2, 0), (2, 1)])


def test_names_are_written_while_the_first_hand_arrives(sheet: Scoresheet) -> None:
    record = partial(
        code_of, partial(record_deals, actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 5)])
    )
    rename = partial(code_of, partial(reseat_sheet, actor=OPERATOR, sheet=sheet, sides=WE_AND_YOU))
    answers = at_once([record, rename])
    assert answers in (["done", "sheet_begun"], ["wrong_hand_count", "done"])
    sides = WE_AND_YOU if answers[1] == "done" else ANN_AND_BOB
    assert kept_sheet(assert_derived(sheet)).sides == sides


def test_directors_make_the_next_version_of_their_rules_at_once(transactional_db: None) -> None:
    rules = house_rules()
    made = at_once(
        [
            partial(
                make_house_rules,
                actor=OPERATOR,
                name="Ours",
                rules=Rules.preset("standard", target=100 + n),
                earlier=rules,
            )
            for n in range(WRITERS)
        ]
    )
    assert sorted(version.version for version in made) == list(range(2, 2 + WRITERS))
    assert HouseRules.objects.filter(code=rules.code).count() == 1 + WRITERS


def test_forfeit_is_stated_while_the_last_hand_arrives(transactional_db: None) -> None:
    event = EventFactory.create()
    names = [("Ann", "Bob"), ("Cid", "Dot"), ("Eve", "Fay"), ("Gil", "Hal")]
    matches = [
        MatchFactory.create(
            event=event,
            entry_a=EntryFactory.create(event=event, name=first),
            entry_b=EntryFactory.create(event=event, name=second),
        )
        for first, second in names
    ]

    def finish(match: Match) -> str:
        assert match.sheet is not None
        deals: list[Deal] = [won(match.entry_a.name, str(match.entry_b), 100)] * 3
        return code_of(partial(record_deals, actor=OPERATOR, sheet=match.sheet, deals=deals))

    def forfeit(match: Match) -> str:
        fields: dict[str, Any] = {"match": match, "winner_side": 1, "reason": "gone home"}
        return code_of(partial(award_forfeit, actor=OPERATOR, **fields))

    answers = at_once([partial(call, match) for match in matches for call in (finish, forfeit)])
    for match, finished, forfeited in zip(matches, answers[::2], answers[1::2], strict=True):
        assert (finished, forfeited) in (("done", "done"), ("done", "has_result"))
        match.refresh_from_db()
        stated = forfeited == "done"
        assert match.state == (MatchState.FORFEIT if stated else MatchState.FINISHED)
        assert match.winner_side == int(stated)
        assert match.sheet is not None
        assert_derived(match.sheet)


def test_writer_waits_for_a_long_transaction_and_readers_do_not(sheet: Scoresheet) -> None:
    """On SQLite, too, where all writers share one lock: they take turns, and nobody hears "locked"."""
    holding, seen = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1)])
            holding.set()
            assert seen.wait(DEADLINE_SECONDS)

    def read_then_write() -> int:
        assert holding.wait(DEADLINE_SECONDS)
        version = Scoresheet.objects.get(pk=sheet.pk).version
        # Let go only when the writer here is on its way, and waits.
        release = threading.Timer(1.5, seen.set)
        release.start()
        record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 2)])
        release.join()
        return version

    versions = at_once([hold, read_then_write])
    assert versions[1] == 0, "what is not committed is not seen, and the reader did not wait for it"
    assert stored_points(assert_derived(sheet)) == [1, 2]
