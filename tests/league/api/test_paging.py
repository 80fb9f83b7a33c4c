"""Lists page after page: whole in every order, forwards and backwards, whatever comes or goes meanwhile."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.api.resources import Resource
from league.models import Entry, Player, Role, Round
from tests.factories import EntryFactory, MatchFactory, PlayerFactory, RoundFactory
from tests.league.api.world import ANYBODY, Asking, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

LISTS = ("players", "events", "matches", "entries", "rounds", "sheets")


def orders(resource: str) -> list[str]:
    """What the list may be ordered by, either way; and none."""
    views = [view for view in _views(Resource) if view.resource == resource and "ordering" in _filters(view)]
    names = [name for view in views[:1] for name in _filters(view)["ordering"].param_map]
    return ["", *names, *(f"-{name}" for name in names)]


def _filters(view: Any) -> Any:
    return getattr(getattr(view, "filterset_class", None), "base_filters", {})


def _views(view: Any) -> list[Any]:
    found = [view] if hasattr(view, "resource") else []
    return found + [each for below in view.__subclasses__() for each in _views(below)]


def key(row: Any) -> Any:
    return row.get("code") or row.get("id")


def walked(asking: Asking, page: Any, *, back: bool = False) -> tuple[list[Any], list[int], Any]:
    """The keys of a page and of all that follow it, or go before it; how many each has, and the last one."""
    keys = [key(row) for row in page["results"]]
    sizes = [len(keys)]
    while address := page["previous" if back else "next"]:
        page = asking.get(address)
        more = [key(row) for row in page["results"]]
        keys = [*more, *keys] if back else [*keys, *more]
        sizes.append(len(more))
    return keys, sizes, page


@pytest.fixture
def world(world: World) -> World:
    """Rows that are level, and rows without a value, in every order."""
    event = world.event
    for number in range(4):
        round_ = RoundFactory.create(event=event)
        for table in (1, 2):
            a, b = (EntryFactory.create(event=event) for _ in range(2))
            MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b, table=table)
        Entry.objects.filter(pk=a.pk).update(seed=number + 1)
    Round.objects.filter(number__in=(2, 4)).update(date="2026-11-02")
    Round.objects.filter(number__in=(3, 5)).update(date=None)
    return world


@pytest.mark.parametrize("resource", LISTS)
def test_every_list_is_whole_in_every_order_forwards_and_backwards(world: World, resource: str) -> None:
    asking = world.as_user(Role.OWNER)
    for order in orders(resource):
        query = {"ordering": order} if order else {}
        whole = [key(row) for row in asking.get(f"{resource}/", page_size="200", **query)["results"]]
        assert len(whole) > 2
        size = 2 if len(whole) < 5 else 4
        first = asking.get(f"{resource}/", page_size=str(size), **query)
        assert first["previous"] is None
        keys, sizes, last = walked(asking, first)
        assert keys == whole, order
        assert set(sizes[:-1]) == {size}
        assert last["count"] == len(whole)
        assert walked(asking, last, back=True)[0] == whole, order


def test_what_comes_and_goes_meanwhile_moves_no_other_row(world: World) -> None:
    asking = world.as_user(Role.OWNER)
    before = [row["name"] for row in asking.get("players/", page_size="200", ordering="name")["results"]]
    first = asking.get("players/", page_size="4", ordering="name")
    PlayerFactory.create(club=world.club, name="Aaron")  # on a page that was read
    PlayerFactory.create(club=world.club, name="Zzz")
    gone = Player.objects.create(club=world.club, name="Aab")
    gone.delete()
    names = [row["name"] for row in first["results"]]
    page = first
    while page["next"]:
        page = asking.get(page["next"])
        names += [row["name"] for row in page["results"]]
    assert names == [*before, "Zzz"]


def test_row_that_a_page_ended_with_may_be_gone(world: World) -> None:
    asking = world.as_user(Role.OWNER)
    for name in ("Aa", "Ab", "Ac", "Ad"):
        PlayerFactory.create(club=world.club, name=name)
    first = asking.get("players/", page_size="2", ordering="name")
    Player.objects.filter(name="Ab").delete()
    assert [row["name"] for row in asking.get(first["next"])["results"]] == ["Ac", "Ad"]


def test_page_by_its_number_goes_on_by_cursor(world: World) -> None:
    whole = [row["code"] for row in ANYBODY.get("matches/", page_size="200")["results"]]
    page = ANYBODY.get("matches/", page_size="2", page="2")
    assert [row["code"] for row in page["results"]] == whole[2:4]
    assert page["count"] == len(whole)
    assert "page=2" not in page["next"].replace("page_size=2", "")
    assert "page_size=2" in page["next"]
    assert walked(ANYBODY, page)[0] == whole[2:]
    assert ANYBODY.get(page["previous"])["results"] == ANYBODY.get("matches/", page_size="2")["results"]


@pytest.mark.parametrize("resource", ["entries", "matches", "rounds", "sheets"])
def test_pages_by_their_numbers_are_the_whole_list(world: World, resource: str) -> None:
    """Those of the second half are reached from the end; the last has what is left."""
    for order in orders(resource):
        query = {"ordering": order} if order else {}
        whole = [key(row) for row in ANYBODY.get(f"{resource}/", page_size="200", **query)["results"]]
        size = 3 if len(whole) % 3 else 4
        pages = -(-len(whole) // size)
        assert pages > 2
        found = []
        for number in range(1, pages + 1):
            with CaptureQueriesContext(connection) as queries:
                page = ANYBODY.get(f"{resource}/", page_size=str(size), page=str(number), **query)
            found += [key(row) for row in page["results"]]
            assert page["count"] == len(whole)
            assert (page["next"] is None) == (number == pages)
        assert found == whole, order
        assert not any("OFFSET" in statement["sql"] for statement in queries)


def test_rows_are_counted_once_or_not_at_all(world: World) -> None:
    def asked(address: str, **query: str) -> tuple[Any, str]:
        with CaptureQueriesContext(connection) as queries:
            page = ANYBODY.get(address, **query)
        return page, "\n".join(query["sql"] for query in queries)

    first, statements = asked("matches/", page_size="2")
    assert statements.count("COUNT(") == 1
    second, statements = asked(first["next"])
    assert second["count"] == first["count"]
    for never in ("COUNT(", "OFFSET"):
        assert never not in statements
    uncounted, statements = asked("matches/", page_size="2", count="false")
    assert "COUNT(" not in statements
    assert uncounted["results"] == first["results"]
    assert "count" not in uncounted
    assert "count" not in ANYBODY.get(uncounted["next"])
    assert "count" not in ANYBODY.get("matches/", page_size="2", page="2", count="false")
    whole, statements = asked("matches/")
    assert whole["count"] == len(whole["results"])
    assert "COUNT(" not in statements


def test_cursor_of_another_list_or_none_is_refused(world: World) -> None:
    following = ANYBODY.get("matches/", page_size="1")["next"]
    cursor = following.partition("cursor=")[2].partition("&")[0].replace("%3A", ":")
    assert ANYBODY.get("matches/", page_size="1", cursor=cursor)["results"]
    for query in (
        {"cursor": cursor, "ordering": "table"},
        {"cursor": cursor, "page": "1"},
        {"cursor": cursor[:-1]},
        {"cursor": "W10="},
        {"cursor": ""},
    ):
        told = ANYBODY.read("matches/", **query)
        assert (told.status_code, told.json()["code"], told.json()["field"]) == (
            422,
            "invalid_cursor",
            "cursor",
        )
    told = ANYBODY.read("matches/", count="perhaps")
    assert (told.status_code, told.json()["code"], told.json()["field"]) == (422, "invalid_choice", "count")
