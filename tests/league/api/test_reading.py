"""Reading the resources: what is told, to whom, in few queries, and not again while nothing has changed."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import (
    Club,
    CountsWhen,
    Event,
    EventState,
    Match,
    Player,
    Role,
    Round,
    RoundState,
    ShownAs,
    TokenScope,
)
from scoring.services import dispute_sheet, sign_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    big_event,
    play,
)
from tests.league.api.world import ANYBODY, Asking, World, make_world

pytestmark = pytest.mark.django_db

# By its own account who may, and whose it is; then the rows, and what they lead to.
MOST_QUERIES = 8


def test_everything_of_a_public_club_is_read_by_anybody(world: World) -> None:
    for name, address in world.lists().items():
        body = ANYBODY.get(address)
        assert body["next"] is None, name
        assert (body["count"], body["results"]) == (len(body["results"]), body["results"])
        assert bool(body["results"]) is (name != "memberships"), name
    for name, address in world.single().items():
        assert ANYBODY.read(address).status_code == (404 if name == "membership" else 200), name


def test_nothing_of_a_private_club_is_there_for_those_outside(world: World) -> None:
    Club.objects.update(is_public=False)
    stranger = Asking(ANYBODY.client.__class__())
    stranger.client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    for asking in (ANYBODY, stranger):
        for name, address in world.lists().items():
            if name.startswith("event ") or name == "versions":
                assert asking.read(address).status_code == 404, name
                continue
            results = [row for row in asking.get(address)["results"] if row.get("club") == "harbour"]
            assert name == "bots" or results == [], name
        for name, address in world.single().items():
            assert asking.read(address).status_code == 404, name
        assert asking.read(f"events/{world.cup.code}/bracket/").status_code == 404
        for filters in ({"club": "harbour"}, {"search": "Ann"}):
            assert asking.get("players/", **filters)["results"] == []
    assert world.as_user(Role.MEMBER).get("players/", club="harbour")["count"] == 10


def test_token_reads_what_its_user_may_within_its_bounds(world: World) -> None:
    Club.objects.update(is_public=False)
    of_event = world.program(TokenScope.READ, event=world.event)
    assert [row["code"] for row in of_event.get("events/")["results"]] == [world.event.code]
    assert of_event.read(f"matches/{world.match.code}/").status_code == 200
    assert of_event.read(f"events/{world.cup.code}/bracket/").status_code == 404
    assert of_event.get("players/")["results"] == []
    of_club = world.program(TokenScope.READ)
    assert of_club.get("players/")["count"] == 10
    elsewhere = ClubFactory.create(is_public=False)
    PlayerFactory.create(club=elsewhere)
    elsewhere.memberships.create(user=world.users[Role.OWNER], role=Role.OWNER)
    assert of_club.get("players/")["count"] == 10
    assert {row["club"] for row in of_club.get("memberships/")["results"]} == {"harbour"}


def test_drafts_are_read_by_directors_alone(world: World) -> None:
    draft = EventFactory.create(club=world.club, rules=world.rules.rules, state=EventState.DRAFT)
    round_ = RoundFactory.create(event=world.event, state=RoundState.DRAFTED)
    match = MatchFactory.create(event=world.event, round=round_)
    for role, seen in ((Role.DIRECTOR, True), (Role.SCOREKEEPER, False), (Role.MEMBER, False)):
        asking = world.as_user(role)
        for address in (f"events/{draft.code}/", f"rounds/{round_.code}/", f"matches/{match.code}/"):
            assert (asking.read(address).status_code == 200) is seen, (role, address)
        numbers = [row["number"] for row in asking.get(f"events/{world.event.code}/rounds/")["results"]]
        assert (2 in numbers) is seen


def test_match_tells_both_sides_and_what_came_of_it(world: World) -> None:
    told = ANYBODY.get(f"matches/{world.match.code}/")
    ann, bob = told["sides"]
    assert (ann["name"], ann["entries"]) == ("Ann", [world.entry.code])
    assert ann["players"] == [{"code": world.player.code, "name": "Ann"}]
    assert (bob["name"], bob["columns"]) == ("Bob", 0)
    match = Match.objects.select_related("sheet").get(pk=world.match.pk)
    assert match.sheet is not None
    assert (told["sheet"], told["state"], told["net"]) == (match.sheet.code, match.state, match.net)
    assert (told["round"], told["round_code"], told["table"]) == (1, world.round.code, 1)


def test_match_says_why_it_does_not_count(world: World) -> None:
    assert ANYBODY.get(f"matches/{world.match.code}/")["waits_for"] == []
    event = EventFactory.create(club=world.club, counts_when=CountsWhen.BOTH_SIGNATURES)
    match = play(MatchFactory.create(event=event, round=RoundFactory.create(event=event)), 40, stopped=True)
    sheet, address = match.sheet, f"matches/{match.code}/"
    assert sheet is not None
    told = ANYBODY.get(address)
    assert (told["counts"], told["waits_for"]) == (False, ["both_signatures"])
    sign_sheet(actor=OPERATOR, sheet=sheet, sides=[0])
    dispute_sheet(actor=OPERATOR, sheet=sheet, sentence="The last box is ours.", side=1)
    assert ANYBODY.get(address)["waits_for"] == ["dispute", "one_signature"]
    # Of what is held back nobody learns that it has ended.
    Event.objects.filter(pk=event.pk).update(holds_results=True)
    assert ANYBODY.get(address)["waits_for"] == []


def test_table_is_told_in_its_order_with_what_a_director_gave(world: World) -> None:
    table = ANYBODY.get(f"events/{world.event.code}/standings/")
    assert table["results"][0]["rank"] == 1
    assert {row["entry"]["name"] for row in table["results"]} == {"Ann", "Bob", "Cid", "Dee"}
    (adjustment,) = table["adjustments"]
    assert (adjustment["points"], adjustment["reason"]) == ("-1.00", "Late.")
    assert table["criteria"] == world.event.criteria
    assert table["is_current"] is True


def test_bracket_says_where_winners_go(world: World) -> None:
    bracket = ANYBODY.get(f"events/{world.cup.code}/bracket/")
    first, second, final = bracket["ties"]
    assert [side["seed"] for side in first["sides"]] == [1, 4]
    assert {first["winner_to"]["side"], second["winner_to"]["side"]} == {0, 1}
    assert first["winner_to"]["tie"] == final["number"]
    round_ = world.cup.rounds.get()
    assert (first["round"], first["round_code"]) == (1, round_.code)
    assert (final["round"], final["round_code"]) == (None, None)
    assert (final["sides"], final["winner"]) == ([{"entry": None, "seed": None}] * 2, None)
    assert (bracket["is_drawn"], bracket["champion"]) == (True, None)
    assert ANYBODY.read(f"events/{world.event.code}/bracket/").status_code == 404


def test_names_are_told_as_they_were_chosen(world: World) -> None:
    Player.objects.filter(pk=world.player.pk).update(
        name="Ann Berg", shown_as=ShownAs.INITIALS, member_number="17", external_id="2093"
    )
    world.entry.__class__.objects.filter(pk=world.entry.pk).update(name="Ann Berg")
    addresses = [
        *world.lists().values(),
        f"players/{world.player.code}/",
        f"entries/{world.entry.code}/",
        f"matches/{world.match.code}/",
    ]
    for address in addresses:
        assert b"Ann Berg" not in ANYBODY.read(address).content, address
    told = ANYBODY.get(f"players/{world.player.code}/")
    assert (told["name"], told["member_number"], told["external_id"], told["shown_as"]) == (
        "A. B.",
        None,
        None,
        None,
    )
    for query in ({"search": "Berg"}, {"external_id": "2093"}, {"member_number": "17"}):
        assert ANYBODY.get("players/", **query)["count"] == 0, query
        assert world.as_user(Role.DIRECTOR).get("players/", **query)["count"] == 1, query
    member = world.as_user(Role.MEMBER).get(f"players/{world.player.code}/")
    assert (member["name"], member["external_id"]) == ("Ann Berg", None)
    assert world.as_user(Role.MEMBER).get("players/", search="Berg")["count"] == 1


@pytest.mark.parametrize(
    ("shown_as", "nickname", "found", "not_found"),
    [(ShownAs.INITIALS, "", "A", "Archer"), (ShownAs.NICKNAME, "Zebra", "zebra", "Archer")],
)
def test_who_was_merged_is_searched_and_sorted_as_who_he_is(
    world: World, shown_as: ShownAs, nickname: str, found: str, not_found: str
) -> None:
    keep = PlayerFactory.create(club=world.club, name="Ann Archer", shown_as=shown_as, nickname=nickname)
    drop = PlayerFactory.create(club=world.club, name="Nan Archer", merged_into=keep)
    own = PlayerFactory.create(club=world.club, name="Mo Moss", merged_into=world.player)

    def codes(asking: Asking, **query: str) -> list[str]:
        return [row["code"] for row in asking.get("players/", **query)["results"]]

    assert not {keep.code, drop.code} & set(codes(ANYBODY, search=not_found))
    assert not {keep.code, drop.code} & set(codes(ANYBODY, search="Nan"))
    assert {keep.code, drop.code} <= set(codes(ANYBODY, search=found))
    assert codes(ANYBODY, search="Moss") == [own.code]
    in_order = codes(ANYBODY, ordering="name")
    assert abs(in_order.index(keep.code) - in_order.index(drop.code)) == 1
    member = world.as_user(Role.MEMBER)
    assert set(codes(member, search="Archer")) == {keep.code, drop.code}


def test_results_held_back_are_told_to_officers_alone(world: World) -> None:
    world.event.holds_results = True
    world.event.save()
    told = ANYBODY.get(f"matches/{world.match.code}/")
    assert (told["state"], told["is_withheld"], told["sheet"]) == ("playing", True, None)
    assert (told["net"], told["winner"], told["counts"]) == (0, None, False)
    assert {side["hands_won"] for side in told["sides"]} == {0}
    state = Match.objects.values_list("state", flat=True).get(pk=world.match.pk)
    in_event = f"events/{world.event.code}/matches/"
    assert ANYBODY.get(in_event, state=state)["count"] == (1 if state == "playing" else 0)
    kept = world.as_user(Role.SCOREKEEPER).get(f"matches/{world.match.code}/")
    assert (kept["is_withheld"], kept["sides"][0]["hands_won"]) == (False, 4)
    # An owner's token of the event reads them where it may record there.
    for scope, withheld in ((TokenScope.READ, True), (TokenScope.RECORD, False)):
        program = world.program(scope, event=world.event)
        assert program.get(f"matches/{world.match.code}/")["is_withheld"] is withheld, scope
    Round.objects.filter(pk=world.round.pk).update(released_at="2026-01-08T00:00:00Z")
    assert ANYBODY.get(f"matches/{world.match.code}/")["sides"][0]["hands_won"] == 4


@pytest.mark.dear("reads every list of the API")
def test_reading_again_is_304_while_nothing_has_changed(world: World) -> None:
    for address in [*world.lists().values(), *world.single().values()]:
        response = world.as_user(Role.OWNER).read(address)
        again = world.as_user(Role.OWNER).read(address, headers={"If-None-Match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b""), address
    etag = ANYBODY.read(f"players/{world.player.code}/")["ETag"]
    Player.objects.filter(pk=world.player.pk).update(name="Anna")
    changed = ANYBODY.read(f"players/{world.player.code}/", headers={"If-None-Match": etag})
    assert (changed.status_code, changed["ETag"] == etag) == (200, False)


def test_what_is_kept_of_an_answer_is_kept_for_who_asked(world: World) -> None:
    asked = [*world.lists().values(), *world.single().values(), f"events/{world.cup.code}/bracket/"]
    owner, program = world.as_user(Role.OWNER), world.program(TokenScope.READ)
    for address in asked:
        if address.startswith("bots/"):
            continue  # the same for everybody
        for asking, kept in ((ANYBODY, {"no-cache"}), (owner, {"no-cache", "private"})):
            response = asking.read(address)
            assert {"Authorization", "Cookie"} <= set(response["Vary"].split(", ")), address
            assert set(response["Cache-Control"].split(", ")) == kept, address
    sheet = f"sheets/{world.match.code}/"
    assert set(program.read(asked[0])["Cache-Control"].split(", ")) == {"no-cache", "private"}
    # What is refused is refused to who asks.
    assert "Authorization" in ANYBODY.read(sheet)["Vary"]
    unknown = Asking(ANYBODY.client.__class__(headers={"Authorization": "Token gin_nothing"}))
    response = unknown.read(asked[0])
    assert (response.status_code, "private" in response["Cache-Control"]) == (401, True)


@pytest.mark.dear("reads every list of the API")
@pytest.mark.parametrize("is_private", [False, True])
def test_lists_take_few_queries_whatever_their_length(is_private: bool) -> None:
    world = make_world(is_public=not is_private)
    asking = world.program(TokenScope.READ)
    asking.get("bots/")  # notes that the token is used, as it does once a minute
    for name, address in world.lists().items():
        short = _queries(asking, address)
        assert short <= MOST_QUERIES, (name, short)
    before = {name: _queries(asking, address) for name, address in world.lists().items()}
    big_event(entries=12, matches=40, event=EventFactory.create(club=world.club, rules=world.rules.rules))
    for number in range(6):
        MatchFactory.create(event=world.event, round=RoundFactory.create(event=world.event))
        EntryFactory.create(event=world.event, name=f"More {number}")
    after = {name: _queries(asking, address) for name, address in world.lists().items()}
    assert after == before


def _queries(asking: Asking, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        asking.get(address, count="false")  # a list of one page needs no counting
    return len(queries)


@pytest.mark.parametrize(
    ("address", "query", "code", "field"),
    [
        ("players/", {"clubb": "harbour"}, "unknown_parameter", "clubb"),
        ("players/", {"is_bot": "perhaps"}, "invalid_choice", "is_bot"),
        ("players/", {"ordering": "user__password"}, "invalid_choice", "ordering"),
        ("players/", {"page_size": "0"}, "out_of_range", "page_size"),
        ("players/", {"page_size": "9" * 400}, "out_of_range", "page_size"),
        ("players/", {"search": "\0"}, "null_characters_not_allowed", "search"),
        ("matches/", {"round": "first"}, "invalid", "round"),
        ("matches/", {"round": "1.5"}, "invalid", "round"),
        ("matches/", {"state": "won"}, "invalid_choice", "state"),
        ("events/", {"updated_since": "yesterday"}, "invalid_time", "updated_since"),
        ("events/", {"updated_since": "0001-01-01T00:00:00+14:00"}, "invalid_time", "updated_since"),
        (
            "events/",
            {"updated_since": "2026-01-01T00:00:00Z", "after": "bm90aGluZw=="},
            "invalid_cursor",
            "after",
        ),
        ("bots/", {"level": "1"}, "unknown_parameter", "level"),
    ],
)
def test_list_refuses_what_it_cannot_read(address: str, query: dict[str, Any], code: str, field: str) -> None:
    response = ANYBODY.read(address, **query)
    told: Any = response.json()
    assert (response.status_code, told["code"], told["field"]) == (422, code, field)
    assert response["Content-Type"] == "application/problem+json"


def test_cursor_of_pages_follows_no_changes(world: World) -> None:
    following = ANYBODY.get("players/", page_size="1")["next"]
    cursor = following.partition("cursor=")[2].partition("&")[0].replace("%3A", ":")
    response = ANYBODY.read("players/", updated_since="2000-01-01T00:00:00Z", after=cursor)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_cursor")


def test_before_the_beginning_is_the_beginning(world: World) -> None:
    """And the address of the next page is followed from there too."""
    page = ANYBODY.get("players/", updated_since="0001-01-01T00:00:00Z", page_size="2")
    whole = ANYBODY.get("players/", updated_since="2000-01-01T00:00:00Z")
    rows = [*page["results"], *ANYBODY.get(page["next"])["results"]]
    assert rows == whole["results"][: len(rows)]


@pytest.mark.parametrize("number", ["0", "2", "none", "9" * 5000])
def test_page_that_there_is_not_is_a_404(world: World, number: str) -> None:
    assert ANYBODY.read("players/", page=number).status_code == 404
    assert ANYBODY.read("players/nobody/").status_code == 404


def test_pages_follow_each_other(world: World) -> None:
    names = []
    page = ANYBODY.get("players/", club="harbour", page_size="3", ordering="name")
    while True:
        names += [row["name"] for row in page["results"]]
        if page["next"] is None:
            break
        page = ANYBODY.get(page["next"])
    assert names == sorted(names)
    assert len(names) == page["count"] == 10
