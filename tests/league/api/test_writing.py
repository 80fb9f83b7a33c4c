"""Writing the resources: what is made and changed, over which version, and what is refused."""

from typing import Any

import pytest

from league.draws.recalculating import recalculate
from league.draws.rounds import draw_round_robin
from league.models import (
    AuditEntry,
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
    ShownAs,
    TokenScope,
)
from scoring.models import HouseRules
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.kept import contents
from tests.league.api.world import ANYBODY, Asking, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(world: World) -> Asking:
    """A program of the owner that may all he may in the club."""
    return world.program(TokenScope.MANAGE)


def test_what_is_made_is_answered_with_its_address_and_version(world: World, manager: Asking) -> None:
    league = EventFactory.create(club=world.club, rules=world.rules.rules, slug="new")
    eve = PlayerFactory.create(club=world.club, name="Eve")
    UserFactory.create(username="guest", club=world.club, role=Role.MEMBER)
    for address, body in (
        ("memberships/", {"club": "harbour", "username": "guest", "role": "scorekeeper"}),
        ("seasons/", {"club": "harbour", "slug": "spring", "name": "Spring", "starts_on": "2026-04-01"}),
        ("players/", {"club": "harbour", "name": "Fay", "external_id": "9", "shown_as": "initials"}),
        ("house-rules/", {"club": "harbour", "name": "Short", "rules": {"columns": 1}}),
        (
            "events/",
            {"club": "harbour", "name": "Cup", "slug": "a-cup", "rules": world.rules.rules.code},
        ),
        ("entries/", {"event": league.code, "players": [eve.code]}),
        ("rounds/", {"event": league.code, "number": 1, "date": "2026-04-01"}),
    ):
        response = manager.send("POST", address, body)
        assert response.status_code == 201, (address, response.content)
        again = manager.read(response["Location"])
        assert (again.content, again["ETag"]) == (response.content, response["ETag"]), address
    event = Event.objects.select_related("rules").get(slug="a-cup")
    assert (event.state, event.rules, event.criteria[0]) == ("draft", world.rules.rules, "match_points")
    fay = Player.objects.get(name="Fay")
    assert (fay.external_id, fay.shown_as) == ("9", ShownAs.INITIALS)
    entry = AuditEntry.objects.get(action="player.create", object_name="Fay")
    assert (entry.actor_kind, entry.actor_name, entry.door) == ("token", "the-owner (till)", "api")


def test_change_names_the_version_it_changes(world: World, manager: Asking) -> None:
    changes: dict[str, dict[str, Any]] = {
        "club": {"name": "Harbour Gin", "rated_games": "members"},
        "membership": {"role": "scorekeeper"},
        "season": {"ends_on": "2026-03-31"},
        "player": {"member_number": "17", "nickname": "Annie", "shown_as": "nickname"},
        "event": {"holds_results": True},
        "entry": {"is_guest": True},
        "round": {"date": "2026-01-08"},
        "match": {"table": 7},
        "rules": {"rules": {"columns": 2}},
    }
    for name, address in world.single().items():
        if name == "version":
            continue
        change, read = changes[name], manager.read(address)
        before = contents()
        without = manager.send("PATCH", address, change)
        assert (without.status_code, without.json()["code"]) == (428, "no_version"), name
        stale = manager.send("PATCH", address, change, etag='"another"')
        assert (stale.status_code, stale.json()["code"]) == (412, "stale_version"), name
        assert contents() == before, name
        done = manager.send("PATCH", address, change, etag=read["ETag"])
        assert done.status_code == 200, (name, done.content)
        told: dict[str, Any] = done.json()
        if name != "rules":
            assert {key: told[key] for key in change} == change, name
        assert manager.read(address)["ETag"] == done["ETag"] != read["ETag"], name
        assert manager.send("PATCH", address, change, etag=read["ETag"]).status_code == 412, name
    assert ClubRules.objects.get(pk=world.rules.pk).rules.version == 2
    assert Match.objects.get(pk=world.match.pk).table == 7


def test_what_is_deleted_is_gone(world: World, manager: Asking) -> None:
    league = EventFactory.create(club=world.club, rules=world.rules.rules, slug="new")
    made = [
        manager.send("POST", address, body)["Location"]
        for address, body in (
            ("seasons/", {"club": "harbour", "slug": "spring", "name": "Spring"}),
            ("players/", {"club": "harbour", "name": "Fay"}),
            ("rounds/", {"event": league.code, "number": 1}),
            ("house-rules/", {"club": "harbour", "name": "Short", "rules": {}}),
        )
    ]
    made.append(f"events/{league.code}/")
    made.append(f"memberships/{Membership.objects.get(club=world.club, role=Role.MEMBER).code}/")
    # What is deleted last is what others hang on.
    made.sort(key=lambda address: "events" in address)
    for address in made:
        assert manager.send("DELETE", address).status_code == 428, address
        assert manager.change(address, None, method="DELETE").status_code == 204, address
        assert manager.read(address).status_code == 404, address
    kept = manager.change(f"players/{world.player.code}/", None, method="DELETE")
    assert (kept.status_code, kept.json()["code"]) == (422, "in_use")


@pytest.mark.parametrize(
    ("asks", "status"),
    [
        ("nobody", 401),
        ("member", 403),
        ("scorekeeper", 403),
        ("read token", 403),
        ("record token", 403),
        ("manage token of the event", 403),
        ("another club's owner", 403),
    ],
)
def test_nothing_is_written_by_who_may_not(world: World, asks: str, status: int) -> None:
    stranger = Asking(ANYBODY.client.__class__())
    stranger.client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    asking = {
        "nobody": lambda: ANYBODY,
        "member": lambda: world.as_user(Role.MEMBER),
        "scorekeeper": lambda: world.as_user(Role.SCOREKEEPER),
        "read token": lambda: world.program(TokenScope.READ),
        "record token": lambda: world.program(TokenScope.RECORD),
        "manage token of the event": lambda: world.program(TokenScope.MANAGE, event=world.event),
        "another club's owner": lambda: stranger,
    }[asks]()
    before = contents()
    bodies: dict[str, Any] = {
        "seasons/": {"club": "harbour", "slug": "spring", "name": "Spring"},
        "players/": {"club": "harbour", "name": "Fay"},
        "house-rules/": {"club": "harbour", "name": "Short", "rules": {}},
        "entries/": {"event": world.event.code, "players": [world.player.code]},
        "rounds/": {"event": world.event.code, "number": 9},
        "memberships/": {"club": "harbour", "username": "the-member", "role": "owner"},
        "clubs/harbour/register/": {"players": [{"external_id": "1", "name": "Fay"}]},
        f"entries/{world.entry.code}/withdrawal/": {"reason": "So."},
    }
    for address, body in bodies.items():
        assert asking.send("POST", address, body).status_code == status, address
    for name, address in world.single().items():
        if name in ("version", "membership") or (name == "match" and asks in ("scorekeeper", "record token")):
            continue
        for method in ("PATCH", "DELETE"):
            if name == "match" and method == "DELETE":
                continue
            assert asking.send(method, address, {}, etag="*").status_code == status, (method, address)
    # That a token was used is noted with it.
    assert {**contents(), "ApiToken": []} == {**before, "ApiToken": []}


def test_nothing_of_a_private_club_is_named_to_who_writes(world: World) -> None:
    Club.objects.update(is_public=False)
    own = ClubFactory.create(slug="own")
    stranger = Asking(ANYBODY.client.__class__())
    stranger.client.force_login(UserFactory.create(club=own, role=Role.OWNER))
    there = (
        ("players/", {"club": "harbour", "name": "Fay"}),
        ("rounds/", {"event": world.event.code, "number": 1}),
    )
    nowhere = ("players/", {"club": "nowhere", "name": "Fay"}), ("rounds/", {"event": "nowhere", "number": 1})
    for (address, body), (_address, other) in zip(there, nowhere, strict=True):
        hidden = stranger.send("POST", address, body)
        absent = stranger.send("POST", address, other)
        assert hidden.status_code == absent.status_code == 422
        said = hidden.content.decode().replace("harbour", "nowhere").replace(world.event.code, "nowhere")
        assert said == absent.content.decode()
    for address in world.single().values():
        assert stranger.send("PATCH", address, {}, etag="*").status_code in (404, 405), address


@pytest.mark.parametrize(
    ("address", "body", "code", "field"),
    [
        ("players/", {"club": "harbour", "name": "Fay", "user": 1}, "unknown_field", "user"),
        ("players/", {"club": "harbour", "name": "Fay", "merged_into": "x"}, "unknown_field", "merged_into"),
        ("players/", {"club": "harbour"}, "required", "name"),
        ("players/", {"club": "harbour", "name": "Ann"}, "name_taken", "name"),
        ("players/", {"club": "harbour", "name": "A\0"}, "null_characters_not_allowed", "name"),
        ("players/", {"club": "harbour", "name": "Fay", "shown_as": "nickname"}, "invalid", "nickname"),
        ("players/", {"club": {"slug": "harbour"}, "name": "Fay"}, "invalid", "club"),
        ("players/", [1], "invalid", None),
        (
            "events/",
            {"club": "harbour", "name": "X", "slug": "x", "rules": "none"},
            "does_not_exist",
            "rules",
        ),
        ("events/", {"club": "harbour", "state": "running"}, "unknown_field", "state"),
        ("seasons/", {"club": "harbour", "slug": "winter", "name": "W"}, "invalid", None),
        (
            "house-rules/",
            {"club": "harbour", "name": "R", "rules": {"columns": 99}},
            "out_of_range",
            "rules.columns",
        ),
        (
            "house-rules/",
            {"club": "harbour", "name": "R", "rules": {"colums": 1}},
            "unknown_knob",
            "rules.colums",
        ),
        (
            "house-rules/",
            {"club": "harbour", "name": "R", "rules": {"columns": 3, "deals": 8}},
            "conflicting_knobs",
            "rules.columns",
        ),
        ("memberships/", {"club": "harbour", "username": "no", "role": "member"}, "unknown_user", "username"),
        ("memberships/", {"club": "harbour", "username": "no", "role": "king"}, "invalid_choice", "role"),
        ("clubs/", {"slug": "new", "name": "New"}, "not_allowed", None),
    ],
)
def test_bad_request_is_refused_with_its_field_and_changes_nothing(
    world: World, address: str, body: Any, code: str, field: str | None
) -> None:
    owner = world.as_user(Role.OWNER)
    before = contents()
    response = owner.send("POST", address, body)
    told = response.json()
    assert (told["code"], told["field"]) == (code, field)
    assert response.status_code == (403 if code == "not_allowed" else 422)
    assert told["detail"]
    assert contents() == before


def test_event_keeps_the_version_of_rules_it_was_given(world: World, manager: Asking) -> None:
    assert manager.change(f"house-rules/{world.rules.rules.code}/", {"name": "Ours"}).status_code == 200
    code = world.rules.rules.code
    manager.change(f"house-rules/{code}/", {"rules": {"columns": 1}})
    body = {"club": "harbour", "name": "X", "rules": code}
    newest = manager.send("POST", "events/", {**body, "slug": "newest"}).json()
    first = manager.send("POST", "events/", {**body, "slug": "first", "rules_version": 1}).json()
    assert (newest["rules"]["version"], first["rules"]["version"]) == (2, 1)
    refused = manager.send("POST", "events/", {**body, "slug": "third", "rules_version": 3})
    assert (refused.status_code, refused.json()["field"]) == (422, "rules_version")
    versions = manager.get(f"house-rules/{code}/versions/")["results"]
    assert [(row["version"], row["rules"]["columns"]) for row in versions] == [(2, 1), (1, 3)]


def test_rules_are_told_with_every_knob_though_they_were_stored_without(
    world: World, manager: Asking
) -> None:
    rules = world.rules.rules
    stored = {knob: value for knob, value in rules.knobs.items() if knob not in ("deals", "undercut_penalty")}
    HouseRules.objects.filter(pk=rules.pk).update(knobs=stored)
    for told in (
        manager.get(f"house-rules/{rules.code}/"),
        manager.get(f"house-rules/{rules.code}/versions/1/"),
    ):
        assert told["rules"] == rules.rules.to_document()
    changed = {"rules": {"columns": 1, "deals": 8, "undercut_penalty": "all"}}
    assert manager.change(f"house-rules/{rules.code}/", changed).status_code == 200
    told = manager.get(f"house-rules/{rules.code}/")["rules"]
    assert (told["columns"], told["deals"], told["undercut_penalty"]) == (1, 8, "all")


def test_team_is_entered_and_withdrawn(world: World, manager: Asking) -> None:
    event = EventFactory.create(club=world.club, rules=world.rules.rules, slug="teams", team_size=2)
    players = PlayerFactory.create_batch(2, club=world.club)
    codes = [player.code for player in players]
    small = manager.send("POST", "entries/", {"event": event.code, "name": "We", "players": codes[:1]})
    assert (small.status_code, small.json()["code"]) == (422, "team_too_small")
    made = manager.send("POST", "entries/", {"event": event.code, "name": "We", "players": codes, "seed": 1})
    told = made.json()
    assert ([player["code"] for player in told["players"]], told["seed"]) == (codes, 1)
    address = f"entries/{told['code']}/"
    turned = manager.change(address, {"players": codes[::-1]})
    assert [player["code"] for player in turned.json()["players"]] == codes[::-1]
    gone = manager.send("POST", f"{address}withdrawal/", {"reason": "Ill."})
    assert gone.json()["withdrawn_at"] is not None
    assert manager.send("POST", f"{address}withdrawal/", {"reason": "Ill."}).status_code == 422
    back = manager.send("POST", f"{address}reinstatement/", {"reason": "Well."})
    assert back.json()["withdrawn_at"] is None
    assert Entry.objects.get(code=told["code"]).withdrawn_at is None


def test_results_are_annulled_and_count_again(world: World, manager: Asking) -> None:
    event = EventFactory.create(
        club=world.club, rules=world.rules.rules, slug="to-annul", format="round_robin"
    )
    entries = [EntryFactory.create(event=event, name=name) for name in ("Ida", "Jon", "Kai")]
    draw_round_robin(actor=OPERATOR, event=event)
    match = event.matches.exclude(entry_b=None).of_entry(entries[0])[0]
    play(match, 50, stopped=True)
    recalculate(event.pk)
    address, table = f"entries/{entries[0].code}/", f"events/{event.code}/standings/"
    before, read = manager.get(table), manager.read(f"matches/{match.code}/")
    early = manager.send("POST", f"{address}annulment/", {"reason": "The rule."})
    assert (early.status_code, early.json()["code"]) == (422, "not_withdrawn")
    gone = manager.send("POST", f"{address}withdrawal/", {"reason": "Ill.", "annul": True})
    assert gone.json()["annulled_at"] is not None
    # Who follows the event is told of the entry, and of its matches, which anew have another ETag.
    since = read.json()["updated_at"]
    told = manager.get("matches/", event=event.code, updated_since=since)["results"]
    assert {row["code"]: (row["is_annulled"], row["counts"]) for row in told}[match.code] == (True, False)
    assert len([row for row in told if row["is_annulled"]]) == 3
    assert manager.read(f"matches/{match.code}/")["ETag"] != read["ETag"]
    assert [
        row["code"] for row in manager.get("entries/", event=event.code, is_annulled="true")["results"]
    ] == [entries[0].code]
    recalculate(event.pk)
    without = manager.get(table)
    assert without["annulled"] == [entries[0].code]
    assert {row["entry"]["name"] for row in without["results"]} == {"Jon", "Kai"}
    back = manager.send("POST", f"{address}restoration/", {"reason": "Misread."})
    assert (back.json()["annulled_at"], back.status_code) == (None, 200)
    recalculate(event.pk)
    again = manager.get(table)
    assert (again["annulled"], again["results"]) == ([], before["results"])


def test_session_writes_with_its_csrf_token_alone(world: World) -> None:
    client = ANYBODY.client.__class__(enforce_csrf_checks=True)
    client.force_login(world.users[Role.OWNER])
    response = Asking(client).send("POST", "players/", {"club": "harbour", "name": "Fay"})
    assert response.status_code == 403
    assert not Player.objects.filter(name="Fay").exists()


def test_slugs_and_days_are_checked(world: World, manager: Asking) -> None:
    for body in (
        {"slug": "no slug"},
        {"starts_on": "2026-13-01"},
        {"starts_on": "2027-01-01", "ends_on": "2026-01-01"},
    ):
        assert manager.change(f"seasons/{world.season.code}/", body).status_code == 422, body
    assert Season.objects.get(pk=world.season.pk).slug == "winter"
    assert Round.objects.filter(event=world.event).count() == 1


def test_no_account_is_attached_or_told_of_by_a_club_it_is_not_of(world: World, manager: Asking) -> None:
    UserFactory.create(username="victim", first_name="Vic", club=ClubFactory.create(is_public=False))
    answers = [
        manager.send("POST", "memberships/", {"club": "harbour", "username": name, "role": "member"})
        for name in ("victim", "nobody")
    ]
    told = [(answer.status_code, answer.json()["code"]) for answer in answers]
    assert told == [(422, "unknown_user")] * 2
    said = [answer.json()["detail"] for answer in answers]
    assert said[0].replace("victim", "nobody") == said[1]
    assert not world.club.memberships.filter(user__username="victim").exists()
