"""The permission table of the admin, from the tables of the admin's own tests; see `permission_cells`."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.league.permission_cells import (
    ADMINISTRATOR,
    ANYBODY,
    DIRECTORS,
    KEEPERS,
    NOBODY,
    SIGNED_IN,
    Cell,
    Row,
    let,
)
from tests.league.test_permissions_admin import (
    ACTS,
    ADDS,
    ADMINISTRATORS,
    APPS,
    DELETES,
    HISTORIES,
    LISTS,
    OFFICES,
    POSTS,
)

# What a post without a form is answered that does not say what is missing (422): a page to be confirmed, a
# form of which nothing is asked, or it is done.
_EMPTY_ADDS: Final = {"clubrules": 200}
_EMPTY_ACTS: Final = {
    ("player", "erase"): 200,
    ("player", "strike"): 302,
    ("botschedule", "plant_now"): 200,
    ("event", "draft_again"): 200,
    ("event", "check_in"): 302,
    ("event", "fees"): 302,
    ("event", "recalculate"): 302,
    ("round", "call_time"): 200,
    ("match", "line_ups"): 200,
    ("importbatch", "undo"): 200,
}
# Of a model that is the administrator's alone, how he is answered: adding, changing (asked, sent), deleting.
# Of what is not there the admin leads back to its index.
_SITES: Final = {
    "auth_user": (200, 200, 200, 200),
    "auth_group": (200, 302, 302, 302),
    "scoring_houserules": (403, 302, 403, 403),
}
_KEPT_BY_THE_SITE: Final = (403, 302, 302, 302)


def _by_office(statuses: tuple[int, ...], stranger: int, *, let_in: int = 200) -> Cell:
    """A cell of the admin from a line of its own tables; who is not signed in is led to its door.

    `let_in` stands for the 200 of those tables.
    """
    by_office = dict(zip(OFFICES, statuses, strict=True))
    cell = dict(let(NOBODY, 200, else_=302))
    by_office["player"] = by_office["member"]
    for actor in SIGNED_IN - {"stranger"}:
        cell[actor] = let_in if by_office[actor] == 200 else by_office[actor]
    cell["stranger"] = stranger
    return cell


def _of_admin(get: Cell, post: Cell, names: Mapping[str, str] | None = None) -> Row:
    return Row({"GET": get, "POST": post}, names or {}, methods=("GET", "POST"))


def _row_pages(where: str, name: str) -> Iterator[tuple[str, Row]]:
    """The pages of a model that the league's admin shows: one's own rows, and nobody else's."""
    of_row = {"object_id": f"{name} id"}
    # A stranger is the owner of another club, which has lists too.
    lists, adds = _by_office(LISTS[name], LISTS[name][1]), ADDS[name]
    yield where, _of_admin(lists, lists)
    empty = _EMPTY_ADDS.get(name, 422)
    added = _by_office(adds, empty if adds[1] == 200 else adds[1], let_in=empty)
    yield f"{where}add/", _of_admin(_by_office(adds, adds[1]), added)
    row = f"{where}<path:object_id>/"
    yield row, _of_admin(_by_office((302,) * 6, 302), _by_office((302,) * 6, 302), of_row)
    # A stranger may not what his office does not allow in his own club either, and finds nothing else.
    posts, deletes = POSTS[name], DELETES[name]
    changed = _by_office(posts, _elsewhere(posts))
    yield f"{row}change/", _of_admin(_by_office(LISTS[name], 404), changed, of_row)
    for page, cell in (
        ("delete", _by_office(deletes, _elsewhere(deletes))),
        ("history", _by_office(HISTORIES[name], 404)),
    ):
        yield f"{row}{page}/", _of_admin(cell, cell, of_row)
    for (model, act), offices in ACTS.items():
        if model == name:
            sent = _EMPTY_ACTS.get((model, act), 422)
            cells = _by_office(offices, 404), _by_office(offices, 404, let_in=sent)
            yield f"{row}{act.replace('_', '-')}/", _of_admin(*cells, of_row)


def _elsewhere(statuses: tuple[int, ...]) -> int:
    """How the owner of another club is answered where his own is answered so."""
    return 403 if statuses[OFFICES.index("owner")] == 403 else 404


def _administrators(name: str) -> Iterator[tuple[str, Row]]:
    """The pages of a model that is the administrator's alone; some of them are nobody's."""
    where = f"admin/{name.replace('_', '/')}/"
    refused = dict.fromkeys(SIGNED_IN - ADMINISTRATOR, 403)
    model = {"object_id": name.split("_")[1] if name.startswith("auth") else "nobody"}
    own = {status: let(ADMINISTRATOR, status, else_=302, others=refused) for status in (200, 302, 403)}
    led = let(ANYBODY, 302)
    add, asked, sent, deleted = _SITES.get(name, _KEPT_BY_THE_SITE)
    yield where, _of_admin(own[200], own[200])
    yield f"{where}add/", _of_admin(own[add], own[add])
    yield f"{where}<path:object_id>/", _of_admin(led, led, model)
    yield f"{where}<path:object_id>/change/", _of_admin(own[asked], own[sent], model)
    yield f"{where}<path:object_id>/delete/", _of_admin(own[deleted], own[deleted], model)
    # Whether a row is there is looked up first; its history tells nobody else of it.
    told = own[200] if name == "auth_user" else led
    yield f"{where}<path:object_id>/history/", _of_admin(told, told, model)


def _admin() -> Iterator[tuple[str, Row]]:
    for name in LISTS:
        yield from _row_pages(f"admin/{APPS.get(name, 'league')}/{name}/", name)
    for name in ADMINISTRATORS:
        yield from _administrators(name)
    yield from _other_pages()


def _other_pages() -> Iterator[tuple[str, Row]]:
    """The pages of the admin that are no model's, and those of the night."""
    unknown = dict.fromkeys(SIGNED_IN, 405)
    only_read = let(NOBODY, 200, else_=302, others=unknown)
    led = let(SIGNED_IN, 200, else_=302)
    led_on = let(ANYBODY, 302)
    yield "admin/", _of_admin(led, led)
    yield "admin/password_change/done/", _of_admin(led, only_read)
    yield "admin/password_change/", _of_admin(led_on, led_on)
    yield "admin/login/", _of_admin(led_on, led_on)
    yield (
        "admin/logout/",
        _of_admin(only_read, led_on),
    )
    yield "admin/jsi18n/", _of_admin(led, only_read)
    bare = let(NOBODY, 200, else_=302, others=dict.fromkeys(SIGNED_IN, 403))
    yield "admin/autocomplete/", _of_admin(bare, only_read)
    # Rows have no pages of their own that the admin would lead to.
    nowhere = let(NOBODY, 200, else_=302, others=dict.fromkeys(SIGNED_IN, 404))
    yield "admin/r/<path:content_type_id>/<path:object_id>/", _of_admin(nowhere, nowhere)
    app = let(KEEPERS | {"stranger"}, 200, else_=302, others={"member": 404, "player": 404})
    yield r"admin/^(?P<app_label>auth|axes|league|games|scoring)/$", _of_admin(app, app)
    yield r"admin/(?P<url>.*)$", _of_admin(nowhere, nowhere)
    own = let(SIGNED_IN, 200, else_=302)
    yield "admin/progress/<slug:key>/", _of_admin(own, own)
    user = {"id": "user"}
    password = let(ADMINISTRATOR, 200, else_=302, others=dict.fromkeys(SIGNED_IN - ADMINISTRATOR, 403))
    yield "admin/auth/user/<id>/password/", _of_admin(password, password, user)
    exported = let(KEEPERS, 200, else_=302, others=dict.fromkeys(SIGNED_IN - KEEPERS, 404))
    yield "admin/league/importbatch/export/<int:event_id>/", _of_admin(exported, exported)
    yield "admin/league/importbatch/tables/<int:club_id>/", _of_admin(exported, exported)
    # The event of the matrix is no Swiss.
    yield "admin/league/importbatch/trf/<int:event_id>/", _of_admin(nowhere, nowhere)
    preview = let(frozenset({"owner"}), 422, else_=302, others=dict.fromkeys(SIGNED_IN - {"owner"}, 404))
    yield "admin/league/importbatch/add/<int:draft_id>/", _of_admin(preview, preview)
    # The stranger directs a club of his own.
    directing = DIRECTORS | {"stranger"}
    no_director = dict.fromkeys(SIGNED_IN - directing, 403)
    asked = let(directing, 200, else_=302, others=no_director)
    sent = let(directing, 422, else_=302, others=no_director)
    yield "admin/league/importbatch/take-over/", _of_admin(asked, sent)
    # The file of the matrix is one of hands.
    yield "admin/league/importbatch/take-over/<int:draft_id>/", _of_admin(nowhere, nowhere)
    yield from _night()


def _night() -> Iterator[tuple[str, Row]]:
    """The pages on which sheets are typed."""
    others = {"member": 404, "player": 404, "stranger": 404}
    read = let(KEEPERS, 200, else_=302, others=others)
    written = let(KEEPERS, 422, else_=302, others=others)
    # Which of the typings is meant is in the form, and none is.
    none = let(NOBODY, 200, else_=302, others=dict.fromkeys(SIGNED_IN, 404))
    no = let(NOBODY, 200, else_=302, others=dict.fromkeys(SIGNED_IN, 405))
    yield "admin/night/", _of_admin(let(SIGNED_IN - KEEPERS, 200, else_=302), no)
    yield "admin/night/rounds/<slug:code>/", _of_admin(read, no, {"code": "round"})
    sheets = "admin/night/sheets/<slug:code>/"
    yield sheets, _of_admin(read, no, {"code": "match"})
    yield f"{sheets}compare/", _of_admin(read, none, {"code": "match"})
    # Whoever keeps no club's sheets has none to open.
    yield "admin/night/tables/", _of_admin(let(SIGNED_IN, 200, else_=302), let(SIGNED_IN, 422, else_=302))
    yield f"{sheets}paper.pdf", _of_admin(read, no, {"code": "match"})
    # Of a match they are seated on its own page.
    elsewhere = let(KEEPERS, 302, else_=302, others=others)
    yield f"{sheets}substitutes/", _of_admin(elsewhere, elsewhere, {"code": "match"})
    for act in ("echo", "repairs", "save"):
        yield f"{sheets}{act}/", _of_admin(no, written, {"code": "match"})


ADMIN: Final[dict[str, Row]] = dict(_admin())
