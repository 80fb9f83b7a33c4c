"""Who may do what in the admin: role × page × method → status, in the own club and in another."""

import html
import json
import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.models import (
    AuditEntry,
    Club,
    ImportDraft,
    Match,
    Player,
    Role,
)
from league.policy import Permission
from tests.clients import logged_in
from tests.factories import (
    UserFactory,
)
from tests.league.permission_askers import Asker, Drawing, granted
from tests.league.permission_house import House, furnish

pytestmark = [pytest.mark.django_db, pytest.mark.dear("asks at every page of the admin as everybody")]

OFFICES = ("administrator", "owner", "director", "scorekeeper", "member", "nobody")


@pytest.fixture
def own() -> House:
    return furnish()


@pytest.fixture
def other() -> House:
    return furnish()


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch, long: bool) -> Drawing:
    return Drawing(monkeypatch, anywhere=long)


def client_of(office: str, club: Club) -> Client:
    """Signed in as somebody with this office; all of them let into the admin, so that the pages decide."""
    client = Asker()
    if office == "administrator":
        client.force_login(User.objects.create_superuser("root"))
    elif office == "nobody":
        client.force_login(UserFactory.create())
    else:
        client.force_login(UserFactory.create(club=club, role=Role(office)))
    return client


APPS = {"scoresheet": "scoring", "botmatch": "games"}


def address(name: str, row: Model, act: str) -> str:
    return reverse(address_name(name, act), args=[row.pk])


def statuses(permission: Permission, let: int = 200, else_: int = 403) -> tuple[int, ...]:
    """By office: how those are answered to whom the table of grants gives this, and how all others."""
    return tuple(let if office in granted(permission) else else_ for office in OFFICES)


# Status by office for: administrator, owner, director, scorekeeper, member, nobody.
READ = statuses(Permission.RECORD)
WRITE = statuses(Permission.DIRECT)
MANAGE = statuses(Permission.MANAGE)
NEVER = (403, 403, 403, 403, 403, 403)

LISTS = {
    "club": READ,
    "season": READ,
    "seasontable": READ,
    "pyramid": READ,
    "player": READ,
    "clubrules": READ,
    "botschedule": WRITE,
    "exhibition": READ,
    "event": READ,
    "entry": READ,
    "entryrequest": WRITE,
    "round": READ,
    "tie": READ,
    "match": READ,
    "adjustment": READ,
    "cutdecision": READ,
    "forbiddenpair": WRITE,
    "auditentry": WRITE,
    "scoresheet": READ,
    "botmatch": READ,
    "importbatch": WRITE,
}
# The audit of a row is its directors', as the audit is.
HISTORIES = dict.fromkeys(LISTS, WRITE) | {
    "auditentry": statuses(Permission.DIRECT, else_=404),
    "scoresheet": statuses(Permission.RECORD, else_=404),
}
ADDS = {
    "club": (200, 403, 403, 403, 403, 403),
    "season": WRITE,
    "seasontable": WRITE,
    "pyramid": WRITE,
    "player": WRITE,
    "clubrules": WRITE,
    "botschedule": WRITE,
    "exhibition": NEVER,
    "event": WRITE,
    "entry": WRITE,
    "entryrequest": NEVER,
    "round": WRITE,
    "tie": NEVER,
    "match": NEVER,
    "adjustment": NEVER,
    "cutdecision": NEVER,
    "forbiddenpair": NEVER,
    "auditentry": NEVER,
    "scoresheet": NEVER,
    "botmatch": NEVER,
    "importbatch": WRITE,
}
# A post of an empty form: 422 is the form again with what is missing.
REFUSED = statuses(Permission.DIRECT, 422)
POSTS = {
    "club": statuses(Permission.MANAGE, 422),
    "season": REFUSED,
    "seasontable": REFUSED,
    "pyramid": REFUSED,
    "player": REFUSED,
    "clubrules": NEVER,
    "botschedule": REFUSED,
    "exhibition": NEVER,
    "event": REFUSED,
    "entry": REFUSED,
    "entryrequest": NEVER,
    "round": statuses(Permission.DIRECT, 302),
    "tie": NEVER,
    "match": statuses(Permission.RECORD, 302),
    "adjustment": NEVER,
    "cutdecision": NEVER,
    "forbiddenpair": NEVER,
    "auditentry": NEVER,
    "scoresheet": NEVER,
    "botmatch": NEVER,
    "importbatch": NEVER,
}
DELETES = {
    "club": (200, 403, 403, 403, 403, 403),
    "season": WRITE,
    "seasontable": WRITE,
    "pyramid": WRITE,
    "player": WRITE,
    "clubrules": WRITE,
    "botschedule": WRITE,
    "exhibition": NEVER,
    "event": WRITE,
    "entry": WRITE,
    "entryrequest": WRITE,
    "round": WRITE,
    "tie": NEVER,
    "match": WRITE,
    "adjustment": WRITE,
    "cutdecision": NEVER,
    "forbiddenpair": WRITE,
    "auditentry": NEVER,
    "scoresheet": NEVER,
    "botmatch": NEVER,
    "importbatch": NEVER,
}
ACTS = {
    ("club", "add_member"): MANAGE,
    ("club", "write"): WRITE,
    ("club", "remove_demo"): MANAGE,
    ("player", "merge"): WRITE,
    ("player", "shown_as"): WRITE,
    ("player", "erase"): WRITE,
    ("player", "strike"): WRITE,
    ("seasontable", "make"): WRITE,
    ("pyramid", "next_season"): WRITE,
    ("clubrules", "next_version"): WRITE,
    ("botschedule", "plant_now"): WRITE,
    ("exhibition", "cancel_bots"): WRITE,
    ("exhibition", "end_play"): WRITE,
    ("cutdecision", "take_back"): WRITE,
    ("event", "decide_level"): WRITE,
    ("event", "open"): WRITE,
    ("event", "to_draft"): WRITE,
    ("event", "start"): WRITE,
    ("event", "finish"): WRITE,
    ("event", "reopen"): WRITE,
    ("event", "archive"): WRITE,
    ("event", "unarchive"): WRITE,
    ("event", "enter"): WRITE,
    ("event", "seed"): WRITE,
    ("event", "draft_again"): WRITE,
    ("event", "pair"): WRITE,
    ("event", "keep_apart"): WRITE,
    ("event", "set_evening"): WRITE,
    ("event", "begin_evening"): WRITE,
    ("event", "pause_evening"): WRITE,
    ("event", "resume_evening"): WRITE,
    ("event", "drop_evening"): WRITE,
    ("event", "check_in"): READ,
    ("event", "fees"): READ,
    ("event", "draw"): WRITE,
    ("event", "delete_draw"): WRITE,
    ("event", "arrange"): WRITE,
    ("event", "points"): WRITE,
    ("event", "recalculate"): WRITE,
    ("event", "write"): WRITE,
    ("round", "publish"): WRITE,
    ("round", "swap"): WRITE,
    ("round", "repair"): WRITE,
    ("round", "complete"): WRITE,
    ("round", "unpublish"): WRITE,
    ("round", "call_time"): WRITE,
    ("round", "draw_packs"): WRITE,
    ("round", "take_packs"): WRITE,
    ("round", "start_clock"): WRITE,
    ("round", "change_clock"): WRITE,
    ("round", "stop_clock"): WRITE,
    ("round", "confirm"): WRITE,
    ("round", "release"): WRITE,
    ("round", "withhold"): WRITE,
    ("round", "reopen"): WRITE,
    ("round", "discard"): WRITE,
    ("round", "let_bots_play"): WRITE,
    ("round", "cancel_bots"): WRITE,
    ("entryrequest", "approve"): WRITE,
    ("entryrequest", "decline"): WRITE,
    ("entryrequest", "move"): WRITE,
    ("entry", "withdraw"): WRITE,
    ("entry", "reinstate"): WRITE,
    ("entry", "annul"): WRITE,
    ("entry", "restore"): WRITE,
    ("entry", "link"): WRITE,
    ("round", "add_match"): WRITE,
    ("round", "deadline"): WRITE,
    ("tie", "decide"): WRITE,
    ("tie", "clear"): WRITE,
    ("tie", "confirm_change"): WRITE,
    ("event", "draw_bracket"): WRITE,
    ("event", "keep_bracket"): WRITE,
    ("event", "draw_groups"): WRITE,
    ("event", "draw_movement"): WRITE,
    ("event", "draw_rest"): WRITE,
    ("event", "challenge"): WRITE,
    ("event", "call_off"): WRITE,
    ("event", "away"): WRITE,
    ("event", "end_absence"): WRITE,
    ("match", "line_ups"): READ,
    ("match", "absent"): WRITE,
    ("match", "sit_in"): WRITE,
    ("match", "bye_instead"): WRITE,
    ("match", "substitute"): READ,
    ("match", "unseat"): READ,
    ("match", "postpone"): WRITE,
    ("match", "let_bots_play"): WRITE,
    ("match", "cancel_bots"): WRITE,
    ("botmatch", "cancel_bots"): WRITE,
    ("botmatch", "try_again"): WRITE,
    ("match", "forfeit"): WRITE,
    ("match", "walkover"): WRITE,
    ("match", "clear"): WRITE,
    ("match", "end_table"): WRITE,
    ("match", "show_in_hall"): WRITE,
    ("match", "hide_in_hall"): WRITE,
    ("match", "warn"): WRITE,
    ("match", "adjourn"): WRITE,
    ("match", "let_go_on"): WRITE,
    ("match", "deal_anew"): WRITE,
    ("match", "void_sheet"): WRITE,
    ("match", "new_sheet"): WRITE,
    ("match", "confirm"): WRITE,
    ("match", "decide_claim"): WRITE,
    ("match", "settle"): WRITE,
    ("importbatch", "undo"): WRITE,
}
MODELS = tuple(LISTS)

# Pages beside the models'. What is not one's own is not there.
THERE = statuses(Permission.RECORD, else_=404)
PAGES = {
    "night": (302, 302, 302, 302, 200, 200),
    "tray": THERE,
    "sheet": THERE,
    "compare": THERE,
    "export": THERE,
    "tables": THERE,
    "preview": statuses(Permission.DIRECT, 422, 404),
    "autocomplete": READ,
}
# The administrator's own, and nobody else's.
ADMINISTRATORS = (
    "auth_user",
    "auth_group",
    "scoring_houserules",
    "axes_accessattempt",
    "axes_accesslog",
    "axes_accessfailurelog",
)


def other_pages(house: House, client: Client) -> dict[str, str]:
    """Where they are; the file that waits is the user's own, whatever the office."""
    user = User.objects.get(pk=client.session["_auth_user_id"])
    draft = ImportDraft.objects.create(
        club=house.club, user=user, file_name="night.csv", content="no table", options={"rules": None}
    )
    match, round_ = house.rows["match"], house.rows["round"]
    assert isinstance(match, Match)
    query = "app_label=league&model_name=entrymember&field_name=player"
    return {
        "night": reverse("entry:night"),
        "tray": reverse("entry:tray", args=[round_.code]),  # type: ignore[attr-defined]
        "sheet": reverse("entry:sheet", args=[match.code]),
        "compare": reverse("entry:compare", args=[match.code]),
        "export": reverse("admin:league_importbatch_export", args=[match.event_id]),
        "tables": reverse("admin:league_importbatch_tables", args=[house.club.pk]),
        "preview": reverse("admin:league_importbatch_preview", args=[draft.pk]),
        "autocomplete": f"{reverse('admin:autocomplete')}?{query}",
    }


def test_no_model_of_the_admin_is_left_out() -> None:
    """A model that is registered stands in the tables, or is the administrator's alone."""
    registered = {f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry}
    tables = (LISTS, HISTORIES, ADDS, POSTS, DELETES)
    assert all(set(table) == set(MODELS) for table in tables)
    listed = {address_name(name, "changelist").split(":")[1].removesuffix("_changelist") for name in MODELS}
    assert registered == listed | set(ADMINISTRATORS)


def by_office(table: dict[Any, tuple[int, ...]]) -> list[Any]:
    return [
        pytest.param(office, key, status, id=f"{office}-{key}")
        for key, statuses in table.items()
        for office, status in zip(OFFICES, statuses, strict=True)
    ]


@pytest.mark.parametrize("office", OFFICES)
def test_every_page_answers_as_the_table_says(office: str, own: House, drawing: Drawing) -> None:
    client = client_of(office, own.club)
    # For the others the permission table draws them.
    drawing.whole = office in ("director", "scorekeeper", "nobody")
    place = OFFICES.index(office)
    wrong = []
    for name, row in own.rows.items():
        asked = {
            "list": (client.get(reverse(address_name(name, "changelist"))), LISTS[name]),
            "add": (client.get(reverse(address_name(name, "add"))), ADDS[name]),
            "read": (client.get(address(name, row, "change")), LISTS[name]),
            "delete": (client.get(address(name, row, "delete")), DELETES[name]),
            "history": (client.get(address(name, row, "history")), HISTORIES[name]),
        }
        if name in ("club", "season", "player", "event", "entry"):
            # These have fields that must be given; an empty form writes nothing.
            empty = {
                f"{prefix}-{count}": "0"
                for prefix in ("memberships", "aliases", "members")
                for count in ("TOTAL_FORMS", "INITIAL_FORMS")
            }
            asked["change"] = (client.post(address(name, row, "change"), empty), POSTS[name])
        elif name not in ("round",):
            asked["change"] = (client.post(address(name, row, "change"), {}), POSTS[name])
        wrong += [
            (name, what, answer.status_code, expected[place])
            for what, (answer, expected) in asked.items()
            if answer.status_code != expected[place]
        ]
    for (name, act), statuses in ACTS.items():
        answer = client.get(address(name, own.rows[name], act))
        if answer.status_code != statuses[place]:
            wrong.append((name, act, answer.status_code, statuses[place]))
    for name, where in other_pages(own, client).items():
        answer = client.get(where)
        if answer.status_code != PAGES[name][place]:
            wrong.append((name, "page", answer.status_code, PAGES[name][place]))
    assert wrong == []


@pytest.mark.parametrize("office", ["owner", "director", "scorekeeper"])
def test_what_is_another_clubs_is_not_there(office: str, own: House, other: House, drawing: Drawing) -> None:
    client = client_of(office, own.club)
    drawing.whole = False
    there = []
    pages = [(name, page) for name in MODELS for page in ("change", "delete", "history")] + list(ACTS)
    for name, page in pages:
        where = address_name(name, page)
        for ask in (client.get, lambda url: client.post(url, {"reason": "x", "winner": "0"})):
            answer = ask(reverse(where, args=[other.rows[name].pk]))
            missing = ask(reverse(where, args=[10**6]))
            if answer.status_code != missing.status_code or answer.status_code not in (404, 403):
                there.append((name, page, answer.status_code, missing.status_code))
    assert there == []


@pytest.mark.parametrize("office", ["owner", "director", "scorekeeper"])
def test_other_pages_of_another_club_are_not_there(office: str, own: House, other: House) -> None:
    client = client_of(office, own.club)
    pages = other_pages(other, client)
    told = {name: client.get(where).status_code for name, where in pages.items()}
    assert told.pop("night") == 302
    found = json.loads(client.get(pages["autocomplete"]).content)["results"]
    assert str(other.rows["player"]) not in {each["text"] for each in found}
    assert told.pop("autocomplete") == 200
    assert set(told.values()) == {404}


def address_name(name: str, page: str) -> str:
    return f"admin:{APPS.get(name, 'league')}_{name}_{page}"


@pytest.mark.parametrize("office", ["owner", "director", "scorekeeper"])
def test_lists_and_filters_name_nothing_of_another_club(office: str, own: House, other: House) -> None:
    client = client_of(office, own.club)
    secrets = {str(other.club), str(other.rows["event"]), str(other.rows["player"]), str(other.rows["entry"])}
    told = []
    for name in MODELS:
        if office == "scorekeeper" and LISTS[name] is WRITE:
            continue
        page = client.get(reverse(address_name(name, "changelist"))).content.decode()
        told += [(name, secret) for secret in secrets if f">{secret}<" in page]
    assert told == []


@pytest.mark.looks
@pytest.mark.parametrize("office", ["owner", "director", "scorekeeper"])
def test_no_page_leads_to_what_one_may_not_open(office: str, own: House, drawing: Drawing) -> None:
    client = client_of(office, own.club)
    astray = []
    seen: set[str] = set()
    for name, row in own.rows.items():
        if office == "scorekeeper" and LISTS[name] is WRITE:
            continue
        drawing.whole = True
        page = client.get(address(name, row, "change")).content.decode()
        drawing.whole = False
        for link in {html.unescape(link) for link in re.findall(r'href="(/[^"#]*)"', page)} - seen:
            seen.add(link)
            if not link.startswith("/static/") and client.get(link).status_code >= 400:
                astray.append((name, link))
    assert astray == []
    assert len(seen) > 30


def test_choices_and_search_name_nothing_of_another_club(own: House, other: House) -> None:
    client = client_of("director", own.club)
    told = []
    secrets = {
        str(other.club),
        str(other.rows["event"]),
        str(other.rows["player"]),
        str(other.rows["season"]),
        *map(str, Player.objects.filter(club=other.club).exclude(strategy="")),
    }
    pages = [
        reverse(address_name(name, "add"))
        for name in ("season", "player", "event", "entry", "round", "botschedule")
    ] + [reverse(address_name("clubrules", "add"))]
    pages += [address(name, own.rows[name], act) for name, act in ACTS if name != "club"]
    for page in pages:
        text = client.get(page).content.decode()
        told += [(page, secret) for secret in secrets if f">{secret}<" in text]
    assert told == []
    query = {"app_label": "league", "model_name": "entrymember", "field_name": "player"}
    found = json.loads(client.get(reverse("admin:autocomplete"), query).content)["results"]
    ours = set(map(str, own.club.players.all()))
    assert {each["text"] for each in found} == ours


@pytest.mark.parametrize("name", ["season", "event", "player"])
def test_a_post_cannot_name_another_club(name: str, own: House, other: House) -> None:
    client = client_of("director", own.club)
    data = {
        "club": other.club.pk,
        "name": "Planted",
        "slug": "planted",
        "aliases-TOTAL_FORMS": "0",
        "aliases-INITIAL_FORMS": "0",
    }
    answer = client.post(reverse(address_name(name, "add")), data)
    assert answer.status_code == 422
    assert "Select a valid choice" in answer.content.decode()
    assert not type(own.rows[name])._default_manager.filter(name="Planted").exists()


def test_who_holds_no_office_is_not_let_in(own: House) -> None:
    client = logged_in(UserFactory.create(is_staff=False))
    answer = client.get(reverse("admin:index"))
    assert answer.status_code == 302
    assert reverse("admin:login") in answer["Location"]


def test_accounts_and_groups_are_the_administrators(own: House) -> None:
    for office in OFFICES[1:]:
        client = client_of(office, own.club)
        for name in ADMINISTRATORS:
            assert client.get(reverse(f"admin:{name}_changelist")).status_code == 403


def test_audit_is_never_written_from_the_admin(own: House) -> None:
    client = client_of("administrator", own.club)
    before = AuditEntry.objects.count()
    answer = client.post(address("auditentry", own.rows["auditentry"], "delete"), {"post": "yes"})
    assert answer.status_code == 403
    assert AuditEntry.objects.count() == before
