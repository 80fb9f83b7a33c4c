"""Members play friendly games through the API: they offer, take seats, play bots, and break off."""

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import TableMatch, TableSeat
from league.draws.online import play_online
from league.events.house_rules import make_club_rules
from league.models import (
    Club,
    Event,
    GameOffer,
    Match,
    PlayedWhere,
    Player,
    RatedGames,
    Role,
    ShownAs,
    TokenScope,
)
from league.people import friendlies
from league.people.clubs import remove_member
from league.people.daily_hands import begin_daily
from league.policy import actor_of
from scoring.core.rules import Rules
from scoring.models import HouseRules
from tests.api.card_tables import At, member
from tests.api.programs import code_of
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    house_rules,
)
from tests.league.table_players import QUICK

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules(private: Club) -> HouseRules:
    return make_club_rules(actor=OPERATOR, club=private, name="Quick", rules=Rules(**QUICK)).rules


@pytest.fixture
def cid(private: Club) -> At:
    return member(private, "Cid")


def offer(who: At, rules: HouseRules, *seats: dict[str, Any], key: str | None = None, **more: Any) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"club": "harbour", "rules": rules.code, "seats": list(seats), **more}
    return who.client.post("/api/v1/offers/", body, content_type="application/json", headers=headers)


def do(who: At, code: str, act: str) -> Any:
    return who.client.post(f"/api/v1/offers/{code}/{act}/", {}, content_type="application/json")


def read(who: At, what: str) -> Any:
    answer = who.client.get(f"/api/v1/{what}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def refused(answer: Any, status: int, code: str) -> None:
    assert code_of(answer) == (status, code), answer.content
    assert answer.json()["detail"].endswith((".", "”?"))


def play_out(code: str, seats: dict[int, At]) -> None:
    """Plays to the end of the sheet; by these rules all knock as soon as they may."""
    for _number in range(500):
        told = [who.look(code).json() for who in seats.values()]
        if not told[0]["is_live"]:
            return
        seat = told[0]["turn"]
        own = next(each for each in told if each["seat"] == seat)
        legal = own["hand"]["legal"]
        action = next((each for each in legal if each.startswith("knock")), legal[-1])
        assert seats[seat].act(code, action, own["version"]).status_code == 201
    raise AssertionError("The sheet does not end.")


def test_two_programs_play_a_whole_game_that_one_has_offered(ann: At, bob: At, rules: HouseRules) -> None:
    made = offer(ann, rules, {"wanted": "anybody"})
    assert made.status_code == 201, made.content
    code = made.json()["code"]
    assert made.headers["Location"] == f"http://testserver/api/v1/offers/{code}/"
    assert (made.json()["state"], made.json()["may"], made.json()["table"]) == ("open", ["withdraw"], None)
    (seen,) = read(bob, "offers/?club=harbour&is_open=true")["results"]
    assert (seen["code"], seen["by"]["name"], seen["may"]) == (code, "Ann", ["take"])
    begun = do(bob, code, "take")
    assert begun.status_code == 200, begun.content
    table = begun.json()["table"]
    assert table == TableMatch.objects.get().code
    assert (begun.json()["state"], begun.json()["may"]) == ("taken", [])
    assert [seat["player"]["name"] for seat in begun.json()["seats"]] == ["Ann", "Bob"]
    # Who has offered it learns of it from the offer.
    assert read(ann, f"offers/{code}/")["table"] == table
    assert read(bob, "offers/?is_open=true")["results"] == []
    play_out(table, {0: ann, 1: bob})


def test_the_same_key_makes_one_offer_and_one_game(ann: At, bob: At, rules: HouseRules) -> None:
    wanted = {"wanted": "anybody"}
    made = offer(ann, rules, wanted, key="one")
    again = offer(ann, rules, wanted, key="one")
    assert (again.status_code, again.json()) == (201, made.json())
    # As a version without clocks kept it, which may have been asked before.
    kept = hashlib.sha256(json.dumps([rules.code, ["anybody"], False]).encode()).hexdigest()
    assert GameOffer.objects.get().digest == kept
    refused(offer(ann, rules, wanted, wanted, key="one"), 422, "key_reused")
    refused(offer(ann, rules, wanted, key="one", clock="relaxed"), 422, "key_reused")
    refused(offer(ann, rules, wanted, key="one", length={"target": 5}), 422, "key_reused")
    refused(offer(ann, rules, wanted, key="x" * 201), 422, "wrong_key")
    refused(offer(ann, rules, wanted), 422, "offered")
    assert offer(bob, rules, wanted, key="one").json()["code"] != made.json()["code"]
    assert GameOffer.objects.count() == 2
    table = do(bob, made.json()["code"], "take").json()["table"]
    late = offer(ann, rules, wanted, key="one").json()
    assert (late["state"], late["table"]) == ("taken", table)

    begun = play_bot(ann, rules, key="one")
    assert begun.status_code == 201, begun.content
    assert play_bot(ann, rules, key="one").json() == begun.json()
    refused(play_bot(ann, rules, bot="steady", key="one"), 422, "key_reused")
    refused(play_bot(ann, rules, length={"target": 5}, key="one"), 422, "key_reused")
    assert TableMatch.objects.count() == 2


def play_bot(who: At, rules: HouseRules, *, key: str | None = None, **more: Any) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"rules": rules.code, "bot": "simple"} | more
    address = "/api/v1/clubs/harbour/games/"
    return who.client.post(address, body, content_type="application/json", headers=headers)


def test_a_game_has_the_length_that_it_is_offered_with(ann: At, bob: At, rules: HouseRules) -> None:
    asked = {"target": 5, "columns": None}
    made = offer(ann, rules, {"wanted": "anybody"}, key="one", length=asked)
    assert made.json()["length"] == {"target": 5, "columns": 1, "deals": None}
    assert read(bob, "offers/")["results"][0]["length"] == made.json()["length"]
    again = offer(ann, rules, {"wanted": "anybody"}, key="one", length=asked)
    assert again.json() == made.json()
    refused(offer(ann, rules, {"wanted": "anybody"}, key="one", length={"target": 6}), 422, "key_reused")
    begun = do(bob, made.json()["code"], "take").json()
    assert begun["length"] == made.json()["length"]
    played = TableMatch.objects.get().sheet.rules
    assert (begun["rules"], played.code) == (rules.code, f"{rules.code}-5")
    play_out(begun["table"], {0: ann, 1: bob})
    (versions,) = read(bob, f"house-rules/{rules.code}/versions/")["results"]
    assert versions["rules"]["target"] == 10
    # What it says of itself is the sheet's, and is read with it.
    sheet = read(bob, f"sheets/{TableMatch.objects.get().sheet.code}/")
    assert sheet["house_rules"] == {"code": played.code, "version": 1, "name": "Quick"}
    assert [row["code"] for row in read(bob, "house-rules/")["results"]] == [rules.code]
    # A bot is played for as long.
    game = play_bot(ann, rules, length={"target": 5, "columns": 1}, key="two").json()
    assert play_bot(ann, rules, length={"target": 5, "columns": 1}, key="two").json() == game
    refused(play_bot(ann, rules, length={"target": 7}, key="two"), 422, "key_reused")
    assert TableMatch.objects.get(code=game["table"]).sheet.rules == played


@pytest.mark.parametrize(
    ("length", "code"),
    [
        ({"target": 0}, "min_value"),
        ({"target": 10_001}, "max_value"),
        ({"columns": 13}, "max_value"),
        ({"deals": 501}, "max_value"),
        ({"target": "far"}, "invalid"),
        ({"hands": 3}, "unknown_field"),
        ({"deals": 3}, "conflicting_knobs"),
        (None, "null"),
        (50, "invalid"),
    ],
)
def test_a_length_that_these_rules_cannot_say_is_refused(
    ann: At, rules: HouseRules, length: Any, code: str
) -> None:
    refused(offer(ann, rules, {"wanted": "anybody"}, length=length), 422, code)
    refused(play_bot(ann, rules, length=length), 422, code)
    assert not GameOffer.objects.exists()
    assert not TableMatch.objects.exists()


def test_game_against_a_bot_is_played_and_listed(ann: At, bob: At, rules: HouseRules) -> None:
    begun = play_bot(ann, rules)
    table = begun.json()["table"]
    assert begun.headers["Location"] == f"http://testserver/api/v1/tables/{table}/"
    assert begun.json()["others"] == [{"who": "bot", "code": None, "name": "simple"}]
    assert read(ann, "clubs/harbour/games/")["results"] == [begun.json()]
    assert read(bob, "clubs/harbour/games/")["results"] == []
    refused(play_bot(ann, rules, bot="nobody"), 422, "unknown_strategy")
    refused(play_bot(ann, rules, level=3), 422, "level_out_of_range")
    play_out(table, {0: ann})
    (game,) = read(ann, "clubs/harbour/games/")["results"]
    assert (game["table"], game["is_over"], game["is_turn"]) == (table, True, None)
    assert game["won"] in (True, False)


def test_lists_of_games_and_offers_tell_nothing_new_by_a_304(ann: At, bob: At, rules: HouseRules) -> None:
    """With a member's move the answer is another one."""
    code = offer(ann, rules, {"wanted": "anybody"}).json()["code"]
    play_bot(ann, rules)
    offers, games, one = "offers/", "clubs/harbour/games/", f"offers/{code}/"
    tags = {what: unchanged(ann, what) for what in (offers, games, one)}
    offer(ann, rules, {"wanted": "guest"})
    assert changed(ann, offers, tags)
    assert not changed(ann, games, tags) | changed(ann, one, tags)
    table = do(bob, code, "take").json()["table"]
    assert changed(ann, games, tags) & changed(ann, one, tags)
    told = [who.look(table).json() for who in (ann, bob)]
    turn = told[0]["turn"]
    tags = {games: unchanged(ann, games)}
    version, legal = told[turn]["version"], told[turn]["hand"]["legal"]
    assert (ann, bob)[turn].act(table, legal[-1], version).status_code == 201
    assert changed(ann, games, tags)


def unchanged(who: At, what: str) -> str:
    """The tag of an answer; asked again with it, the answer is empty."""
    tag: str = who.client.get(f"/api/v1/{what}").headers["ETag"]
    again = who.client.get(f"/api/v1/{what}", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    return tag


def changed(who: At, what: str, tags: dict[str, str]) -> bool:
    """Whether there is something new; then it has another tag."""
    answer = who.client.get(f"/api/v1/{what}", headers={"If-None-Match": tags[what]})
    assert (answer.status_code == 200) == (answer.headers["ETag"] != tags[what])
    return bool(answer.status_code == 200)


def test_games_and_offers_ask_as_often_however_many_there_are(
    ann: At, bob: At, cid: At, rules: HouseRules, private: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game against a bot, one against a member, one of teams, and one on offer; then four of each."""
    monkeypatch.setattr(friendlies, "MOST_TABLES", 8)
    dan = member(private, "Dan")
    event = EventFactory.create(club=private, team_size=2, rules=rules, played=PlayedWhere.ONLINE)
    match = of_teams(event)
    lists = ("clubs/harbour/games/", "offers/")
    counts = []
    for more in (1, 3):
        for _ in range(more):
            play_bot(ann, rules)
            do(ann, offer(bob, rules, {"wanted": "anybody"}).json()["code"], "take")
            offer(ann, rules, {"wanted": "guest"})
            sits_down(ann, match)
            round_ = RoundFactory.create(event=event)
            match = MatchFactory.create(
                event=event, round=round_, entry_a=match.entry_a, entry_b=match.entry_b
            )
        counts.append([queries(who, what) for who in (ann, dan, cid) for what in lists])
    assert len(read(ann, lists[0])["results"]) == 12
    assert counts[0] == counts[1]


def queries(who: At, what: str) -> int:
    who.client.get(f"/api/v1/{what}")
    with CaptureQueriesContext(connection) as asked:
        who.client.get(f"/api/v1/{what}")
    return len(asked)


def test_guests_links_are_told_once_and_never_listed(ann: At, bob: At, rules: HouseRules) -> None:
    made = offer(ann, rules, {"wanted": "guest"}, key="one")
    (link,) = made.json()["guest_links"]
    assert link.startswith("http://testserver/play/with/")
    assert made.json()["seats"][1]["wanted"] == "guest"
    code = made.json()["code"]
    assert offer(ann, rules, {"wanted": "guest"}, key="one").json()["guest_links"] == []
    assert read(ann, f"offers/{code}/")["guest_links"] == []
    secret = link.rsplit("/", 2)[1]
    assert secret not in str(read(ann, "offers/"))
    assert read(bob, "offers/")["results"] == []
    assert bob.client.get(f"/api/v1/offers/{code}/").status_code == 404


def test_game_of_four_with_a_bot_begins_with_the_last_seat(
    ann: At, bob: At, cid: At, rules: HouseRules, private: Club
) -> None:
    dot = member(private, "Dot")
    code_of_bob = read(bob, "players/?search=Bob")["results"][0]["code"]
    seats = [{"bot": "simple"}, {"player": code_of_bob}, {"wanted": "anybody"}]
    code = offer(ann, rules, *seats).json()["code"]
    assert read(bob, f"offers/{code}/")["may"] == ["take", "decline"]
    waits = do(cid, code, "take").json()
    assert (waits["state"], waits["may"], waits["table"]) == ("open", ["decline"], None)
    # Somebody has the last free seat.
    refused(do(dot, code, "take"), 404, "not_found")
    assert do(cid, code, "decline").json()["may"] == ["take"]
    assert do(dot, code, "take").json()["may"] == ["decline"]
    begun = do(bob, code, "take").json()
    assert [seat["side"] for seat in begun["seats"]] == [0, 0, 1, 1]
    (game,) = read(ann, "clubs/harbour/games/")["results"]
    assert game["table"] == begun["table"]
    assert {(one["who"], one["name"]) for one in game["others"]} == {("player", "Bob"), ("player", "Dot")}
    (game,) = read(dot, "clubs/harbour/games/")["results"]
    assert {(one["who"], one["name"]) for one in game["others"]} == {("player", "Ann"), ("bot", "simple")}


def test_offer_is_declined_withdrawn_or_begun_without_the_others(
    ann: At, bob: At, cid: At, private: Club
) -> None:
    rummy = make_club_rules(
        actor=OPERATOR, club=private, name="Rummy", rules=Rules.preset("basic_rummy")
    ).rules
    wanted = {"wanted": "anybody"}
    code = offer(ann, rummy, wanted, wanted).json()["code"]
    do(bob, code, "take")
    assert read(ann, f"offers/{code}/")["may"] == ["begin", "withdraw"]
    refused(do(bob, code, "begin"), 403, "not_allowed")
    refused(do(bob, code, "withdraw"), 403, "not_allowed")
    begun = do(ann, code, "begin").json()
    assert (begun["state"], len(begun["seats"])) == ("taken", 2)
    refused(do(ann, code, "withdraw"), 422, "offer_over")
    more = ann.client.post(
        f"/api/v1/offers/{code}/withdraw/", {"why": "rain"}, content_type="application/json"
    )
    refused(more, 422, "unknown_field")
    assert more.json()["detail"] == "“why” has no meaning here."
    named = [{"player": read(ann, "players/?search=Cid")["results"][0]["code"]}]
    code = offer(ann, rummy, *named).json()["code"]
    refused(do(ann, code, "take"), 422, "same_member")
    assert do(cid, code, "decline").json()["state"] == "declined"
    refused(do(cid, code, "take"), 422, "offer_over")
    code = offer(ann, rummy, wanted).json()["code"]
    assert do(ann, code, "withdraw").json()["state"] == "withdrawn"
    # Who did not sit there is told nothing of it any more.
    refused(do(bob, code, "take"), 404, "not_found")


def test_what_cannot_be_offered_is_refused_with_a_sentence(
    ann: At, bob: At, rules: HouseRules, private: Club
) -> None:
    alone = PlayerFactory.create(club=private, name="Zed")
    own = read(ann, "players/?search=Ann")["results"][0]["code"]
    anybody = {"wanted": "anybody"}
    refused(offer(ann, rules), 422, "min_length")
    refused(offer(ann, rules, {}), 422, "invalid")
    refused(offer(ann, rules, anybody | {"bot": "simple"}), 422, "invalid")
    refused(offer(ann, rules, {"wanted": "someone"}), 422, "invalid_choice")
    refused(offer(ann, rules, {"player": alone.code}), 422, "no_account")
    refused(offer(ann, rules, {"player": own}), 422, "same_member")
    refused(offer(ann, rules, {"player": "nobody"}), 422, "does_not_exist")
    # Of a public club whose players have covered their names none is told with a refusal.
    far = PlayerFactory.create(club=ClubFactory.create(), name="Far Away", shown_as=ShownAs.INITIALS)
    told = offer(ann, rules, {"player": far.code})
    refused(told, 422, "does_not_exist")
    assert "Far" not in told.content.decode()
    refused(offer(ann, house_rules(), anybody), 422, "does_not_exist")
    other = make_club_rules(actor=OPERATOR, club=far.club, name="Theirs", rules=Rules(**QUICK)).rules
    refused(offer(ann, other, anybody), 422, "other_club")
    refused(offer(ann, rules, anybody, anybody), 422, "wrong_number")
    refused(offer(ann, rules, anybody, is_rated=True), 422, "not_rated")
    refused(offer(ann, rules, anybody, clock="hourglass"), 422, "invalid_choice")
    assert not GameOffer.objects.exists()


def test_only_who_plays_breaks_off_and_its_sheet_is_void(ann: At, bob: At, rules: HouseRules) -> None:
    table = play_bot(ann, rules).json()["table"]
    refused(bob.send(f"{table}/break-off", {}), 403, "not_allowed")
    refused(ann.send(f"{table}/try-again", {}), 403, "not_allowed")
    ended = ann.send(f"{table}/break-off", {})
    assert (ended.status_code, ended.json()["is_live"]) == (200, False)
    assert TableMatch.objects.get().sheet.status == "void"
    refused(ann.send(f"{table}/break-off", {}), 422, "table_over")
    assert read(ann, "clubs/harbour/games/")["results"] == []


def test_daily_hand_is_played_and_the_table_of_the_day_told_after_it(
    ann: At, bob: At, rules: HouseRules
) -> None:
    address = "clubs/harbour/daily-hand/"
    assert set(read(ann, address).values()) == {None}
    refused(daily(ann, "draw", 1), 422, "not_begun")
    begun = ann.client.post(f"/api/v1/{address}", {}, content_type="application/json")
    assert (begun.status_code, begun.json()["rules"]) == (201, rules.code)
    again = ann.client.post(f"/api/v1/{address}", {}, content_type="application/json")
    assert (again.json(), again.headers["ETag"]) == (begun.json(), begun.headers["ETag"])
    told, version = begun.json(), begun.headers["ETag"]
    assert (told["table"], told["points"], told["version"]) == (None, None, 1)
    refused(daily(ann, "draw", None), 428, "no_version")
    refused(daily(ann, "draw", 7), 412, "stale_version")
    for _number in range(100):
        if told["hand"] is None:
            break
        legal = told["hand"]["legal"]
        ending = next((each for each in legal if each.split()[0] in ("knock", "gin", "big_gin")), legal[-1])
        acted = daily(ann, ending, version)
        assert acted.status_code == 201, acted.content
        told, version = acted.json(), acted.headers["ETag"]
    assert [line["player"]["name"] for line in told["table"]] == ["Ann"]
    assert told["table"][0]["points"] == told["points"]
    refused(daily(ann, "draw", version), 422, "table_over")
    before = read(bob, address)
    assert (before["commitment"], before["table"], before["hand"]) == (told["commitment"], None, None)


def daily(who: At, action: str, version: Any) -> Any:
    headers = {} if version is None else {"If-Match": str(version)}
    address = "/api/v1/clubs/harbour/daily-hand/actions/"
    return who.client.post(address, {"action": action}, content_type="application/json", headers=headers)


def test_token_that_only_reads_plays_nothing_and_one_of_an_event_reads_nothing(
    ann: At, bob: At, rules: HouseRules, private: Club, league: Event
) -> None:
    reads = At(ann.user, {"club": private}, TokenScope.READ)
    code = offer(bob, rules, {"wanted": "anybody"}).json()["code"]
    assert [each["code"] for each in read(reads, "offers/")["results"]] == [code]
    refused(do(reads, code, "take"), 403, "not_allowed")
    refused(offer(reads, rules, {"wanted": "anybody"}), 403, "not_allowed")
    refused(play_bot(reads, rules), 403, "not_allowed")
    begun = reads.client.post("/api/v1/clubs/harbour/daily-hand/", {}, content_type="application/json")
    refused(begun, 403, "not_allowed")
    narrow = At(ann.user, {"event": league})
    assert read(narrow, "offers/")["results"] == []
    assert narrow.client.get(f"/api/v1/offers/{code}/").status_code == 404
    assert not TableMatch.objects.exists()


def test_nothing_of_it_is_told_to_who_has_no_player_in_the_club(
    ann: At, bob: At, rules: HouseRules, private: Club
) -> None:
    """In a public club everybody reads results; who plays with whom, and the daily hand, only members do."""
    Club.objects.filter(pk=private.pk).update(is_public=True)
    Player.objects.filter(name="Ann").update(shown_as=ShownAs.INITIALS)
    code = offer(ann, rules, {"wanted": "anybody"}).json()["code"]
    play_bot(ann, rules)
    address = "clubs/harbour/daily-hand/"
    with time_machine.travel(timezone.now() - timedelta(days=1)):
        begin_daily(actor=actor_of(ann.user), club=private)
    assert read(bob, address)["before"]["table"][0]["player"]["name"] == "Ann"
    office = UserFactory.create(club=private, role=Role.OWNER)
    for who in (Client(), logged_in(UserFactory.create()), logged_in(office)):
        answers = [who.get(f"/api/v1/{each}") for each in ("offers/", "clubs/harbour/games/", address)]
        assert [answer.status_code for answer in answers] == [200] * 3
        assert all("Ann" not in answer.content.decode() for answer in answers)
        assert [answer.json()["results"] for answer in answers[:2]] == [[], []]
        assert set(answers[2].json().values()) == {None}
        assert who.get(f"/api/v1/offers/{code}/").status_code == 404


def test_who_does_not_belong_to_a_private_club_any_more_is_offered_nothing_there(
    ann: At, bob: At, rules: HouseRules, private: Club
) -> None:
    """He stays linked to his player, but may not see the club."""
    code = offer(ann, rules, {"wanted": "anybody"}).json()["code"]
    remove_member(actor=OPERATOR, membership=bob.user.memberships.get())
    person = logged_in(bob.user)
    for who in (bob.client, person):
        assert who.get("/api/v1/offers/").json()["results"] == []
        assert who.get(f"/api/v1/offers/{code}/").status_code == 404
        taken = who.post(f"/api/v1/offers/{code}/take/", {}, content_type="application/json")
        refused(taken, 404, "not_found")
    assert not TableMatch.objects.exists()


def test_match_that_is_offered_is_taken_here_too(match: Match, ann: At, bob: At) -> None:
    Event.objects.update(played=PlayedWhere.EITHER)
    address = f"/api/v1/matches/{match.code}/offer/"
    assert bob.client.get(address).status_code == 404
    for is_declined in (True, False):
        made = ann.client.post(address, {}, content_type="application/json")
        assert made.status_code == 201, made.content
        refused(ann.client.post(address, {}, content_type="application/json"), 422, "offered")
        assert bob.client.get(address).json() == made.json()
        assert made.json()["side"] == 0
        if is_declined:
            assert bob.client.delete(address).status_code == 204
            refused(bob.client.delete(address), 422, "offer_over")
    refused(sits_down(ann, match), 422, "not_online")
    begun = sits_down(bob, match)
    assert begun.status_code == 200, begun.content
    assert begun.json()["table"] == TableMatch.objects.get().code
    assert ann.client.get(address).status_code == 404
    (game,) = read(bob, "clubs/harbour/games/")["results"]
    assert (game["match"], game["others"][0]["name"]) == (match.code, "Ann")


def test_each_of_a_team_takes_the_match_that_is_offered_to_it(
    ann: At, bob: At, cid: At, private: Club, rules: HouseRules
) -> None:
    member(private, "Dan")
    event = EventFactory.create(club=private, team_size=2, rules=rules, played=PlayedWhere.EITHER)
    match = of_teams(event)
    bob.client.post(f"/api/v1/matches/{match.code}/offer/", {}, content_type="application/json")
    told = {read(who, f"matches/{match.code}/offer/")["side"] for who in (ann, bob, cid)}
    assert len(told) == 1
    assert sits_down(cid, match).json()["table"] == TableMatch.objects.get().code
    (game,) = read(cid, "clubs/harbour/games/")["results"]
    assert [one["who"] for one in game["others"]] == ["entry"]


def of_teams(event: Event) -> Match:
    """Ann, captain, and Cid against Bob and Dan."""
    players = {player.name: player for player in Player.objects.filter(club=event.club)}
    pairs = [[players[name] for name in names] for names in (("Ann", "Cid"), ("Bob", "Dan"))]
    one, other = [EntryFactory.create(event=event, players=pair) for pair in pairs]
    one.captain = players["Ann"]
    one.save()
    match: Match = MatchFactory.create(event=event, entry_a=one, entry_b=other)
    return match


def sits_in(who: At, match: Match, **body: Any) -> Any:
    address = f"/api/v1/matches/{match.code}/sitting-in/"
    return who.client.post(address, body, content_type="application/json")


def test_captain_lets_the_bot_sit_in_and_who_comes_late_takes_his_seat(
    ann: At, bob: At, private: Club, league: Event
) -> None:
    cid = member(private, "Cid")
    member(private, "Dan")
    robo = PlayerFactory.create(club=private, name="Robo", strategy="simple")
    event = EventFactory.create(
        club=private, slug="teams", team_size=2, rules=league.rules, played=PlayedWhere.ONLINE, sits_in=robo
    )
    players = {player.name: player for player in Player.objects.filter(club=private)}
    match = of_teams(event)
    refused(sits_in(bob, match, absent=players["Cid"].code), 403, "not_allowed")
    refused(sits_in(ann, match, absent=players["Bob"].code), 403, "not_allowed")
    refused(sits_in(ann, match, absent="nobody"), 422, "does_not_exist")
    # A program for the event alone will do.
    seated = sits_in(At(ann.user, {"event": event}), match, absent=players["Cid"].code)
    assert seated.status_code == 200, seated.content
    side = seated.json()["sides"][0]
    assert side["sits_in_for"] == {"code": players["Cid"].code, "name": "Cid"}
    assert [player["name"] for player in side["players"]] == ["Ann", "Robo"]
    arrival = f"/api/v1/matches/{match.code}/arrival/"
    refused(bob.client.post(arrival, {}, content_type="application/json"), 403, "not_allowed")
    came = cid.client.post(arrival, {}, content_type="application/json")
    assert came.status_code == 200, came.content
    assert [player["name"] for player in came.json()["sides"][0]["players"]] == ["Ann", "Cid"]
    # At a table that has begun he has his seat with the next hand.
    sits_in(ann, match, absent=players["Cid"].code)
    play_online(actor=actor_of(bob.user), match=match)
    assert cid.client.post(arrival, {}, content_type="application/json").status_code == 200
    assert TableSeat.objects.get(number=1).arrived == cid.user


def sits_down(who: At, match: Match) -> Any:
    return who.client.post(f"/api/v1/matches/{match.code}/play/", {}, content_type="application/json")


def test_who_plays_a_match_opens_its_table_and_nobody_else(match: Match, ann: At, bob: At, cid: At) -> None:
    refused(sits_down(ann, match), 422, "not_online")
    Event.objects.update(played=PlayedWhere.ONLINE)
    refused(sits_down(cid, match), 403, "not_allowed")
    opened = sits_down(bob, match)
    assert opened.json() == {"table": TableMatch.objects.get().code}
    assert sits_down(ann, match).json() == opened.json()
    refused(sits_down(cid, match), 403, "not_allowed")


def test_bot_that_failed_tries_again_for_who_plays_it(ann: At, rules: HouseRules, settings: Any) -> None:
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.CLUELESS"]
    code = play_bot(ann, rules).json()["table"]
    chair = TableSeat.objects.filter(number=1)
    chair.update(bot={"strategy": "clueless", "level": None, "samples": None})
    told = ann.look(code).json()
    legal = told["hand"]["legal"]
    refused(ann.act(code, "pass" if "pass" in legal else legal[0], told["version"]), 422, "bot_failed")
    chair.update(bot={"strategy": "simple", "level": None, "samples": None})
    again = ann.send(f"{code}/try-again", {})
    assert (again.status_code, again.json()["adjourned_at"]) == (200, None)


def test_rated_game_of_two_members_has_a_clock_and_is_lost_by_who_breaks_it_off(
    ann: At, bob: At, private: Club, rules: HouseRules
) -> None:
    EventFactory.create(club=private, rules=rules)
    wanted = {"wanted": "anybody"}
    Club.objects.filter(pk=private.pk).update(rated_games=RatedGames.MEMBERS)
    code = offer(ann, rules, wanted, is_rated=True).json()["code"]
    table = do(bob, code, "take").json()["table"]
    assert ann.look(table).json()["clock"] is not None
    assert read(bob, "clubs/harbour/games/")["results"][0]["is_rated"]
    assert ann.send(f"{table}/break-off", {}).json()["forfeited_by"] == 0
    (game,) = read(bob, "clubs/harbour/games/")["results"]
    assert (game["is_over"], game["won"]) == (True, True)
    refused(play_bot(ann, rules, is_rated=True), 422, "unrated_bot")
