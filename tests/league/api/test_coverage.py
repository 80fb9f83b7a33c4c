"""Every kind of row that the API is to tell has its resource, and every resource says how it is used."""

from typing import Any, Final

import pytest
from django.test import Client

from deploy.document import gathered_document
from games.models import BotMatch
from league.api.urls import urlpatterns
from league.models import Deletion, Role, Tracked
from tests.league.api.world import World

pytestmark = pytest.mark.django_db

# What an integrator looks for, and where it is.
RESOURCES: Final = {
    "clubs": ("clubs/", "clubs/<slug:slug>/"),
    "players": ("players/", "players/<slug:code>/"),
    "memberships": ("memberships/", "memberships/<slug:code>/"),
    "seasons": ("seasons/", "seasons/<slug:code>/"),
    "events": ("events/", "events/<slug:code>/"),
    "entries": ("entries/", "entries/<slug:code>/", "events/<slug:event>/entries/"),
    "rounds": ("rounds/", "rounds/<slug:code>/", "events/<slug:event>/rounds/"),
    "matches": ("matches/", "matches/<slug:code>/", "events/<slug:event>/matches/"),
    "sheets": ("sheets/", "sheets/<slug:code>/"),
    "deals": ("sheets/<slug:code>/deals/", "batches/"),
    "corrections": ("sheets/<slug:code>/corrections/",),
    "signatures": ("sheets/<slug:code>/signatures/",),
    "standings": ("events/<slug:event>/standings/",),
    "brackets": ("events/<slug:event>/bracket/",),
    "decisions at a tie": (
        "events/<slug:event>/cuts/",
        "events/<slug:event>/levels/",
        "events/<slug:event>/levels/<slug:key>/decision/",
        "events/<slug:event>/levels/<slug:key>/cancellation/",
    ),
    "evenings that run themselves": (
        "events/<slug:event>/evening/",
        "events/<slug:event>/evening/begin/",
        "events/<slug:event>/evening/pause/",
        "events/<slug:event>/evening/back/",
        "events/<slug:event>/evening/out/",
    ),
    "challenges": (
        "events/<slug:event>/challenges/",
        "events/<slug:event>/challenges/<int:number>/",
        "events/<slug:event>/challenges/<int:number>/cancellation/",
    ),
    "absences": ("events/<slug:event>/absences/", "events/<slug:event>/absences/<int:number>/"),
    "house rules": ("house-rules/", "house-rules/<slug:code>/", "house-rules/<slug:code>/versions/"),
    "bots": ("bots/", "bots/<slug:strategy>/"),
    "tables of members": (
        "tables/",
        "tables/<slug:code>/",
        "tables/<slug:code>/actions/",
        "tables/<slug:code>/hands/<int:deal>/",
        "tables/<slug:code>/break-off/",
        "tables/<slug:code>/try-again/",
        "tables/<slug:code>/end/",
        "tables/<slug:code>/adjourn/",
        "tables/<slug:code>/go-on/",
        "tables/<slug:code>/deal-anew/",
        "tables/<slug:code>/warn/",
        "tables/<slug:code>/conduct/",
    ),
    "friendly games": (
        "offers/",
        "offers/<slug:code>/",
        "offers/<slug:code>/take/",
        "offers/<slug:code>/decline/",
        "offers/<slug:code>/withdraw/",
        "offers/<slug:code>/begin/",
        "clubs/<slug:slug>/games/",
    ),
    "matches on this site": ("matches/<slug:code>/play/", "matches/<slug:code>/offer/"),
    "daily hands": ("clubs/<slug:slug>/daily-hand/", "clubs/<slug:slug>/daily-hand/actions/"),
    "sitting in": ("matches/<slug:code>/sitting-in/", "matches/<slug:code>/arrival/"),
    "bot matches": ("bot-matches/", "bot-matches/<slug:code>/"),
}


def test_every_kind_of_row_has_its_resource() -> None:
    routes = {str(pattern.pattern) for pattern in urlpatterns}
    for name, addresses in RESOURCES.items():
        assert set(addresses) <= routes, name


def test_every_row_whose_change_is_known_can_be_followed(world: World) -> None:
    """What the triggers note is told: a tracked model has a list, under the name its tombstones have."""
    tracked = {*Tracked.__subclasses__(), BotMatch}
    followed = {}
    for pattern in urlpatterns:
        view: Any = getattr(pattern.callback, "cls", None)
        if hasattr(view, "deletions") and "<" not in str(pattern.pattern):
            followed[str(pattern.pattern).rstrip("/")] = view
    # A list that is empty today is a list as well.
    assert {"clubs", "memberships", "house-rules", "players", "seasons", "events", "entries"} <= set(followed)
    for name, view in followed.items():
        assert view.resource == name
    serializers = [view.serializer_class for view in followed.values()]
    told = {each.Meta.model for each in serializers if hasattr(each, "Meta")}
    assert tracked - told == set()


def test_every_operation_says_what_it_answers_with_an_example(client: Client) -> None:
    document = client.get("/api/v1/schema/?format=json").json()
    assert Deletion.objects.count() == 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            name = f"{method} {path}"
            assert operation["summary"], name
            assert operation["tags"], name
            answered = [status for status in operation["responses"] if status.startswith("2")]
            assert answered, name
            if path in ("/api/v1/score/", "/api/v1/judge/", "/api/v1/schema/"):
                continue
            assert {"401", "429"} <= set(operation["responses"]), name
            if method in ("patch", "delete"):
                assert {"412", "428", "403", "404"} <= set(operation["responses"]), name
            for status in answered:
                for media in operation["responses"][status].get("content", {}).values():
                    assert "example" in media or "examples" in media, (name, status)


def test_every_list_says_in_the_document_what_it_may_be_asked_with(world: World) -> None:
    """As it says itself where it is asked with something else."""
    asked, owner = 0, world.as_user(Role.OWNER)
    assert world.match.sheet is not None
    known = {
        "/api/v1/clubs/{slug}/": {"slug": world.club.slug},
        "/api/v1/house-rules/{code}/versions/": {"code": world.rules.rules.code},
        "/api/v1/events/{event}/": {"event": world.event.code},
        "/api/v1/sheets/{code}/": {"code": world.match.sheet.code},
    }
    for path, operations in gathered_document()["paths"].items():
        answered = operations.get("get", {"responses": {}})["responses"].get("200", {})
        schema = answered.get("content", {}).get("application/json", {}).get("schema", {})
        if "Paginated" not in schema.get("$ref", "") and "results" not in schema.get("properties", {}):
            continue
        codes = next((codes for prefix, codes in known.items() if path.startswith(prefix)), {})
        response = owner.read(path.format(**codes).removeprefix("/api/v1/"), nonsense="1")
        assert (response.status_code, response.json()["code"]) == (422, "unknown_parameter"), path
        listed = response.json()["detail"].rpartition("there are: ")[2].rstrip(".").split(", ")
        parameters = operations["get"]["parameters"]
        assert sorted(one["name"] for one in parameters if one["in"] == "query") == sorted(listed), path
        assert all(one["description"] for one in parameters if one["in"] == "query"), path
        asked += 1
    assert asked == 24
