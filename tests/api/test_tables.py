"""Members play through the API: who acts, what each answer tells, and what the sheet has after it."""

import random
from functools import partial
from typing import Any

import pytest
from django.test import Client

from games.gin.actions import Action
from games.gin.cards import CARD_TEXTS
from games.models import TableAct, TableHand, TableMatch
from games.services import verified_hand
from games.tables.members import commitment_of
from league.models import AuditEntry, Club, Event, Match, PlayedWhere, Player, Role, TokenScope
from league.people.own_data import own_data
from league.policy import actor_of
from scoring.models import Scoresheet
from scoring.services import record_deals, stop_sheet, void_sheet
from tests.api.card_tables import (
    At,
    assert_hidden,
    assert_sheet_is_replay,
    chosen,
    evening,
    in_play,
    member,
    play,
)
from tests.api.programs import code_of
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory, sheet_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def looks_on(private: Club) -> At:
    return member(private, "Cid")


@pytest.fixture
def stranger(db: None) -> At:
    return member(ClubFactory.create(is_public=False), "Dot")


@pytest.fixture
def against_bot(private: Club, ann: At) -> str:
    """The code of a table at which Ann plays a bot."""
    begun = ann.begin(sheet=evening(private, "Ann", "Guest").code, bot="simple")
    assert begun.status_code == 201, begun.content
    return str(begun.json()["code"])


def stored(code: str) -> Any:
    """All that is kept of a table."""
    match = TableMatch.objects.get(code=code)
    sheet = Scoresheet.objects.get(pk=match.sheet_id)
    hands = list(match.hands.order_by("deal").values())
    return match.version, match.is_live, sheet.version, hands, list(match.acts.order_by("pk").values())


def refused(answer: Any, status: int, code: str) -> None:
    assert code_of(answer) == (status, code), answer.content
    assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize("hands", [10, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.dear("plays ten hands through the API")
def test_a_member_and_a_bot_fill_sheets_that_equal_the_replay(
    private: Club, ann: At, looks_on: At, hands: int, settings: Any
) -> None:
    # A quick machine plays a thousand hands at more requests a minute than a person may send.
    settings.LIMITS = {**settings.LIMITS, "token": "0", "user": "0"}
    chances = random.Random(5)
    for number in range(hands // 10):
        # With a high limit most hands are short.
        sheet = evening(private, "Guest", "Ann", knock_limit=40 if number % 4 else 10)
        code = ann.begin(sheet=sheet.code, bot="simple").json()["code"]
        assert play(code, {1: ann}, looks_on, chances, 10) > 10
        assert_sheet_is_replay(code)
        assert TableHand.objects.filter(match__code=code, is_over=True).count() >= 10


@pytest.mark.dear("plays at random, and asks for what is refused at each step")
def test_nobody_moves_for_another_and_nothing_is_lost_whatever_two_programs_send(
    match: Match, ann: At, bob: At, looks_on: At, stranger: At
) -> None:
    """Requests that are late, doubled, stale, illegal, somebody else's or malformed between the others."""
    chances = random.Random(6)
    seats = {0: ann, 1: bob}
    Event.objects.update(played=PlayedWhere.ONLINE)
    code = ann.begin(sheet=sheet_of(match).code).json()["code"]
    done: list[tuple[int, str, int, str, int]] = []
    told = looks_on.look(code).json()
    for step in range(30):
        seat, version, key = told["turn"], told["version"], f"step {step}"
        mover, other = seats[seat], seats[1 - seat]
        hand = mover.look(code).json()["hand"]
        action = chosen(hand, chances)
        absent = next(card for card in chances.sample(CARD_TEXTS, 52) if card not in hand["hand"].split())
        wrong = [
            (partial(other.act, code, action, version), 1 - seat, 422, "not_your_turn"),
            (partial(other.act, code, action, version, seat=seat), 1 - seat, 403, "not_your_seat"),
            (partial(looks_on.act, code, action, version), None, 403, "not_your_seat"),
            (partial(looks_on.act, code, action, version, seat=seat), None, 403, "not_your_seat"),
            (partial(stranger.act, code, action, version), None, 404, "not_found"),
            (partial(mover.act, code, action, version - 1), seat, 412, "stale_version"),
            (partial(mover.act, code, action, version + 1), seat, 412, "stale_version"),
            (partial(mover.act, code, f"discard {absent}", version), seat, 422, None),
            (partial(mover.act, code, ["draw"], version), seat, 422, "wrong_type"),
            (partial(mover.act, code, "\x00", version), seat, 422, "unknown_action"),
            (partial(mover.act, code, "knock 2C: " + " " * 200, version), seat, 422, None),
            (partial(mover.act, code, action, "*"), seat, 428, "no_version"),
            (partial(mover.act, code, action, version, key=""), seat, 400, "key_missing"),
            (partial(mover.act, code, action, version, key="k" * 65), seat, 422, "wrong_key"),
            (partial(mover.act, code, action, version, now=True), seat, 422, "unknown_field"),
            (partial(Client().post, f"/api/v1/tables/{code}/actions/"), None, 401, "not_authenticated"),
        ]
        before_all = stored(code)
        if done:
            # What was sent once comes again, late, as it was and with other content.
            by, earlier, before, sent, after = chances.choice(done)
            again = seats[by].act(code, sent, before, key=earlier)
            assert (again.status_code, again.json()["answered"]) == (201, after)
            assert_hidden(code, again, by)
            reused = partial(seats[by].act, code, "gin AS", before, key=earlier)
            wrong.append((reused, by, 422, "key_reused"))
        asked = chances.sample(wrong, 2) if step else wrong
        for send, reader, status, why in asked:
            answer = send()
            assert answer.headers["Content-Type"] == "application/problem+json", answer.content
            problem = answer.json()
            assert answer.status_code == status, problem
            assert why in (None, problem["code"]), problem
            assert problem["detail"].endswith("."), problem
            if why is not None:
                assert_hidden(code, answer, reader)
        assert stored(code) == before_all
        acted = mover.act(code, action, version, key=key)
        assert (acted.status_code, acted.json()["answered"]) == (201, version + 1), acted.content
        assert_hidden(code, acted, seat)
        assert_hidden(code, other.look(code), 1 - seat)
        done.append((seat, key, version, action, version + 1))
        watched = looks_on.look(code)
        assert_hidden(code, watched, None)
        told = watched.json()
    acts = list(TableAct.objects.filter(match__code=code, version__gt=0).order_by("version"))
    assert [(act.seat, act.key, act.version, act.action, act.answered) for act in acts] == done
    hands = list(TableHand.objects.filter(match__code=code).order_by("deal"))
    made = [Action.parse(action).plain for hand in hands for action in hand.actions]
    assert made == [Action.parse(act.action).plain for act in acts]
    assert_sheet_is_replay(code)


def test_who_looks_on_is_told_whose_turn_it_is_and_no_card(
    ann: At, looks_on: At, stranger: At, against_bot: str
) -> None:
    seen, watched = ann.look(against_bot).json(), looks_on.look(against_bot).json()
    assert {name for name in seen if seen[name] != watched[name]} == {"seat", "hand"}
    assert (watched["seat"], watched["hand"], watched["turn"]) == (None, None, in_play(against_bot).turn)
    seats = [{"seat": 0, "side": 0, "bot": None}, {"seat": 1, "side": 1, "bot": "simple"}]
    assert watched["seats"] == seats
    assert watched["move_count"] == len(in_play(against_bot).actions)
    assert Client().get(f"/api/v1/tables/{against_bot}/").status_code == 404
    for what in ("", "hands/1/"):
        assert stranger.client.get(f"/api/v1/tables/{against_bot}/{what}").status_code == 404
        assert ann.client.get(f"/api/v1/tables/none/{what}").status_code == 404


def test_program_acts_in_the_seat_of_its_user_where_it_may_record(private: Club, against_bot: str) -> None:
    user = Player.objects.get(name="Ann").user
    assert user is not None
    sheet = TableMatch.objects.get(code=against_bot).sheet
    other = evening(private, "Ann", "Guest")
    told = At(user, {"sheet": sheet}).look(against_bot).json()
    assert told["seat"] == 0
    action = told["hand"]["legal"][0]
    for elsewhere, status in (
        (At(user, {"club": private}, TokenScope.READ), 403),
        (At(user, {}, TokenScope.READ), 403),
        (At(user, {"sheet": other}), 404),
    ):
        looked = elsewhere.look(against_bot)
        assert looked.status_code == (404 if status == 404 else 200)
        if looked.status_code == 200:
            assert (looked.json()["seat"], looked.json()["hand"]) == (None, None)
        code = "not_found" if status == 404 else "not_your_seat"
        refused(elsewhere.act(against_bot, action, told["version"]), status, code)
        refused(elsewhere.act(against_bot, action, told["version"], seat=0), status, code)
    page = logged_in(user)
    assert page.get(f"/api/v1/tables/{against_bot}/").json()["hand"] == told["hand"]
    acted = At(user, {"sheet": sheet}).act(against_bot, action, told["version"])
    assert (acted.status_code, acted.json()["table"]["seat"]) == (201, 0)


def test_nothing_new_is_a_304_and_all_that_changes_the_answer_changes_its_etag(
    ann: At, looks_on: At, against_bot: str
) -> None:
    looked = ann.look(against_bot)
    tag = looked.headers["ETag"]
    same = ann.look(against_bot, tag)
    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
    assert ann.look(against_bot, f'"other", W/{tag}').status_code == 304
    assert looks_on.look(against_bot, tag).status_code == 200
    assert "private" in same.headers["Cache-Control"]
    table = looked.json()
    acted = ann.act(against_bot, table["hand"]["legal"][0], tag)
    assert acted.status_code == 201
    assert ann.look(against_bot, tag).headers["ETag"] == acted.headers["ETag"] != tag
    match = TableMatch.objects.get(code=against_bot)
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="Never mind.")
    voided = ann.look(against_bot, acted.headers["ETag"])
    assert (voided.status_code, voided.json()["is_live"], voided.json()["hand"]) == (200, False, None)
    assert TableMatch.objects.get().version == match.version


def test_hand_is_told_when_it_is_over_with_all_that_checks_it(
    ann: At, looks_on: At, against_bot: str
) -> None:
    address = f"/api/v1/tables/{against_bot}/hands/1/"
    assert ann.client.get(address).status_code == looks_on.client.get(address).status_code == 404
    play(against_bot, {0: ann}, looks_on, random.Random(7), 1)
    told = looks_on.client.get(address)
    assert told.json() == looks_on.look(against_bot).json()["last_hand"] == ann.client.get(address).json()
    hand = TableHand.objects.get(match__code=against_bot, deal=1)
    assert verified_hand(hand).is_over
    fields = ("deal", "dealer", "actions", "commitment", "pack", "nonce")
    apart = {"table": 1, "seats": [0, 1]}
    assert told.json() == {name: getattr(hand, name) for name in fields} | apart
    for table, status in (("1", 200), ("0", 404), ("2", 404), ("x", 404), ("9" * 9, 404)):
        assert ann.client.get(address, {"table": table}).status_code == status
    assert ann.client.get(address, headers={"If-None-Match": told.headers["ETag"]}).status_code == 304
    assert ann.client.get(f"/api/v1/tables/{against_bot}/hands/2/").status_code == 404


def test_director_ends_a_table_with_a_reason_and_the_hand_is_told_to_nobody(
    private: Club, ann: At, against_bot: str
) -> None:
    director = At(UserFactory.create(club=private, role=Role.DIRECTOR), {"club": private}, TokenScope.MANAGE)
    refused(ann.send(f"{against_bot}/end", {"reason": "no"}), 403, "not_allowed")
    refused(director.send(f"{against_bot}/end", {}), 422, "reason_missing")
    assert TableMatch.objects.get().is_live
    ended = director.send(f"{against_bot}/end", {"reason": "Ann went home."})
    assert (ended.status_code, ended.json()["is_live"]) == (200, False)
    assert AuditEntry.objects.get(action="table.end").reason == "Ann went home."
    assert ann.client.get(f"/api/v1/tables/{against_bot}/hands/1/").status_code == 404
    refused(ann.act(against_bot, "draw", ended.json()["version"]), 422, "table_over")
    refused(director.send(f"{against_bot}/end", {"reason": "once more"}), 422, "table_over")
    sheet = TableMatch.objects.get().sheet
    record_deals(actor=OPERATOR, sheet=sheet, deals=[{"hands": [{"kind": "dead"}]}])


def test_the_same_key_begins_a_table_once(private: Club, ann: At, bob: At) -> None:
    sheet, other = evening(private, "Ann", "Guest"), evening(private, "Ann", "Guest")
    begun = ann.begin("a", sheet=sheet.code, bot="simple")
    assert begun.status_code == 201, begun.content
    code = begun.json()["code"]
    assert begun.headers["Location"].endswith(f"/api/v1/tables/{code}/")
    play(code, {0: ann}, bob, random.Random(8), 1)
    again = ann.begin("a", sheet=sheet.code, bot="simple")
    assert (again.status_code, again.json()) == (201, ann.look(code).json())
    assert again.headers["ETag"] == ann.look(code).headers["ETag"]
    refused(ann.begin("a", sheet=sheet.code, bot="steady"), 422, "key_reused")
    refused(ann.begin("a", sheet=other.code, bot="simple"), 422, "key_reused")
    refused(ann.begin("b", sheet=sheet.code, bot="simple"), 422, "table_plays")
    refused(bob.begin("a", sheet=sheet.code, bot="simple"), 422, "table_plays")
    refused(ann.begin("k" * 65, sheet=other.code, bot="simple"), 422, "wrong_key")
    assert TableMatch.objects.count() == 1


@pytest.mark.parametrize(
    ("names", "knobs", "sides", "own"),
    [
        (("Ann + Guest", "Robot + Guy"), {}, [0, 0, 1, 1], {0, 2}),
        (("Guest", "Ann", "Guy"), {"kind": "cutthroat"}, [0, 1, 2], None),
        (("Ann", "Guest + Guy"), {"kind": "captains"}, [0, 1, 1], None),
    ],
)
def test_more_than_two_play_where_a_bot_takes_the_seats_of_guests(
    private: Club, ann: At, names: Any, knobs: Any, sides: list[int], own: set[int] | None
) -> None:
    """Whose hand it is at first the rules say; of teams it is the first of each side."""
    PlayerFactory.create(club=private, name="Robot", strategy="steady")
    answer = ann.begin(sheet=evening(private, *names, **knobs).code, bot="simple")
    assert answer.status_code == 201
    told = answer.json()
    assert [seat["side"] for seat in told["seats"]] == sides
    mine = told["seat"]
    assert [seat["bot"] is None for seat in told["seats"]] == [seat == mine for seat in range(len(sides))]
    if own is not None:
        assert [seat["bot"] for seat in told["seats"]] == [None, "simple", "steady", "simple"]
        assert [one["is_over"] for one in told["tables"]] == [False, True]
        assert set(told["tables"][0]["seats"]) == own
        at = f"/api/v1/tables/{told['code']}/hands/1/"
        assert ann.client.get(at, {"table": "2"}).json()["seats"] == [1, 3]
        assert ann.client.get(at, {"table": "1"}).status_code == 404


@pytest.mark.parametrize(
    ("names", "knobs", "players"),
    [
        (("Ann", "Guest", "Guy"), {"kind": "jersey"}, 3),
        (("Ann + Guest", "Guy + Gil"), {"packs": "shared"}, 4),
        (("Ann", "Guest", "Guy", "Gil"), {"kind": "basic_rummy"}, 4),
    ],
)
def test_several_play_one_hand_to_its_end(
    private: Club, ann: At, bob: At, names: Any, knobs: Any, players: int
) -> None:
    """A member by a program, with bots in the other seats; everybody may check the pack when it is over."""
    chances = random.Random(6)
    table = ann.begin(sheet=evening(private, *names, **knobs).code, bot="steady").json()
    commitment, code = table["commitment"], table["code"]
    while table["last_hand"] is None:
        hand = table["hand"]
        assert (len(hand["counts"]), len(hand["known_by"]), table["turn"]) == (
            players,
            players,
            table["seat"],
        )
        assert hand["counts"][table["tables"][0]["seats"].index(table["seat"])] == len(hand["hand"].split())
        acted = ann.act(code, chances.choice(hand["legal"]), table["version"])
        assert acted.status_code == 201, acted.content
        table = acted.json()["table"]
        watched = bob.look(code).json()
        assert (watched["hand"], watched["turn"]) == (None, table["turn"])
    told = bob.client.get(f"/api/v1/tables/{code}/hands/1/").json()
    assert (told["commitment"], len(told["seats"])) == (commitment, players)
    assert commitment_of(told["pack"], told["nonce"]) == commitment
    assert verified_hand(TableHand.objects.get(match__code=code, deal=1)).is_over
    refused(ann.begin(sheet=evening(private, *names, **knobs).code, bot="simple"), 422, "not_played")


def test_a_table_begins_with_those_who_sit_there_and_bots_for_guests(
    private: Club, match: Match, ann: At, bob: At, stranger: At
) -> None:
    PlayerFactory.create(club=private, name="Eve")
    robot = PlayerFactory.create(club=private, name="Robot", strategy="steady")

    def asked(at: At, *names: str, **body: Any) -> Any:
        return at.begin(**{"sheet": evening(private, *names).code, **body})

    refused(asked(ann, "Ann", "Bob", bot="simple"), 422, "others_seat")
    refused(asked(ann, "Ann", "Eve", bot="simple"), 422, "others_seat")
    refused(asked(ann, "Ann", "Robot", bot="simple"), 422, "others_seat")
    refused(asked(ann, "Ann", "Eve"), 422, "no_account")
    refused(asked(ann, "Ann", "Guest"), 422, "no_account")
    refused(asked(ann, "Ann", "Guest", bot="nobody"), 422, "unknown_strategy")
    refused(asked(ann, "Ann", "Guest", bot="simple", seat=1), 403, "not_your_seat")
    refused(asked(ann, "Eve", "Guest", bot="simple"), 403, "not_allowed")
    refused(asked(ann, "Ann", "Guest", bot="simple", seat="0"), 422, "wrong_type")
    refused(asked(ann, "Ann", "Guest", bot=7), 422, "wrong_type")
    refused(asked(stranger, "Ann", "Guest", bot="simple"), 404, "not_found")
    refused(ann.begin(sheet="none"), 404, "not_found")
    refused(ann.begin(sheet="\x00"), 404, "not_found")
    refused(ann.begin(), 422, "missing_field")
    over = evening(private, "Ann", "Guest")
    stop_sheet(actor=OPERATOR, sheet=over, reason="late")
    refused(ann.begin(sheet=over.code, bot="simple"), 422, "sheet_over")
    keeper = UserFactory.create(club=private, role=Role.SCOREKEEPER)
    refused(asked(At(keeper, {"club": private}), "Ann", "Guest", bot="simple"), 403, "not_your_seat")
    assert not TableMatch.objects.exists()

    seats = [{"seat": 0, "side": 0, "bot": None}, {"seat": 1, "side": 1, "bot": "steady"}]
    assert asked(ann, "Ann", robot.name).json()["seats"] == seats
    # Another member is asked first, but in an event that is played online.
    refused(asked(bob, "Ann", "Bob"), 422, "not_online")
    refused(ann.begin(sheet=sheet_of(match).code, bot="simple"), 422, "others_seat")
    refused(ann.begin(sheet=sheet_of(match).code), 422, "not_online")
    Event.objects.update(played=PlayedWhere.ONLINE, online_clock="lively", online_time_out="lose_hand")
    mine = bob.begin(sheet=sheet_of(match).code)
    assert (mine.status_code, mine.json()["seat"]) == (201, 1)
    clock = mine.json()["clock"]
    assert (clock["turn_seconds"], clock["time_out"]) == (30, "lose_hand")
    assert ann.look(mine.json()["code"]).json()["seat"] == 0


def test_set_phrases_are_told_to_both_seats_alone_and_each_may_mute_the_other(
    private: Club, match: Match, ann: At, bob: At, looks_on: At
) -> None:
    Club.objects.filter(pk=private.pk).update(has_phrases=True)
    Event.objects.update(played=PlayedWhere.ONLINE)
    code = ann.begin(sheet=sheet_of(match).code).json()["code"]
    known, watched = bob.look(code).headers["ETag"], looks_on.look(code).headers["ETag"]
    said = ann.send(f"{code}/say", {"phrase": "good_luck"})
    assert (said.status_code, said.json()["version"]) == (200, 1)
    news = bob.look(code, known)
    assert news.status_code == 200
    (heard,) = news.json()["phrases"]["latest"]
    assert (heard["seat"], heard["phrase"]) == (0, "good_luck")
    assert looks_on.look(code).json()["phrases"] is None
    assert looks_on.look(code, watched).status_code == 304
    refused(ann.send(f"{code}/say", {"phrase": "good_luck"}), 422, "too_soon")
    refused(bob.send(f"{code}/say", {"phrase": "Nonsense."}), 422, "unknown_phrase")
    refused(bob.send(f"{code}/say", {}), 422, "missing_field")
    refused(looks_on.send(f"{code}/say", {"phrase": "good_luck"}), 403, "not_your_seat")
    refused(looks_on.send(f"{code}/mute", {"is_muted": True}), 403, "not_your_seat")
    refused(bob.send(f"{code}/mute", {"is_muted": "yes"}), 422, "wrong_type")
    assert bob.send(f"{code}/mute", {"is_muted": True}).json()["phrases"] == {"is_muted": True, "latest": []}
    assert len(bob.send(f"{code}/mute", {"is_muted": False}).json()["phrases"]["latest"]) == 1


def test_programs_agree_on_a_pause_and_either_goes_on(
    match: Match, ann: At, bob: At, looks_on: At, against_bot: str
) -> None:
    Event.objects.update(played=PlayedWhere.ONLINE, online_clock="relaxed")
    code = ann.begin(sheet=sheet_of(match).code).json()["code"]
    refused(looks_on.send(f"{code}/pause", {}), 403, "not_your_seat")
    refused(bob.send(f"{code}/resume", {}), 422, "not_paused")
    asked = ann.send(f"{code}/pause", {}).json()["clock"]
    assert (asked["pause_asked_by"], asked["paused_at"]) == (0, None)
    refused(ann.send(f"{code}/pause", {}), 422, "pause_asked")
    agreed = bob.send(f"{code}/pause", {}).json()
    assert agreed["clock"]["paused_at"] is not None
    assert [seat["deadline"] for seat in agreed["clock"]["seats"]] == [None, None]
    seats = {0: ann, 1: bob}
    mover = seats[agreed["turn"]]
    hand = mover.look(code).json()["hand"]
    refused(mover.act(code, hand["legal"][0], agreed["version"]), 422, "paused")
    refused(looks_on.send(f"{code}/resume", {}), 403, "not_your_seat")
    gone_on = ann.send(f"{code}/resume", {}).json()
    assert gone_on["clock"]["paused_at"] is None
    assert mover.act(code, hand["legal"][0], gone_on["version"]).status_code == 201
    refused(ann.send(f"{against_bot}/pause", {}), 422, "no_clock")


def test_nothing_is_said_to_a_bot(ann: At, against_bot: str) -> None:
    Club.objects.update(has_phrases=True)
    refused(ann.send(f"{against_bot}/say", {"phrase": "good_luck"}), 422, "no_phrases")


def test_own_data_has_the_seat_and_what_was_done_in_it(ann: At, bob: At, against_bot: str) -> None:
    told = ann.look(against_bot).json()
    action = told["hand"]["legal"][0]
    ann.act(against_bot, action, told["version"])
    (seat,) = own_data(ann.user)["seats_at_tables"]
    assert (seat["sheet"], seat["seat"]) == (told["sheet"], 0)
    (done,) = seat["acts"]
    assert (done["version"], done["action"]) == (told["version"], action)
    assert 0 <= done["took_seconds"] < 600
    assert (seat["phrases"], seat["warnings"]) == ([], [])
    assert own_data(bob.user)["seats_at_tables"] == []
    assert actor_of(ann.user).name == AuditEntry.objects.get(action="table.begin").actor_name.split(" (")[0]
