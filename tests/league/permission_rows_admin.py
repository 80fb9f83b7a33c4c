"""The permission table of the admin, from the tables of the admin's own tests; see `permission_cells`."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.league.permission_cells import (
    ADMINISTRATOR,
    ANYBODY,
    KEEPERS,
    NOBODY,
    SIGNED_IN,
    TAKEN,
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


def _by_office(statuses: tuple[int, ...], *stranger: int, let_in: tuple[int, ...] = (200,)) -> Cell:
    """A cell of the admin from a line of its own tables; who is not signed in is led to its door.

    `let_in` stands for the 200 of those tables.
    """
    by_office = dict(zip(OFFICES, statuses, strict=True))
    by_office["administrator"] = by_office["superuser"]
    cell = dict(let(NOBODY, else_=302))
    by_office["player"] = by_office["member"]
    for actor in SIGNED_IN - {"stranger"}:
        cell[actor] = frozenset(let_in if by_office[actor] == 200 else {by_office[actor]})
    cell["stranger"] = frozenset(stranger)
    return cell


def _of_admin(get: Cell, post: Cell, names: Mapping[str, str] | None = None) -> Row:
    return Row({"GET": get, "POST": post}, names or {}, methods=("GET", "POST"))


def _row_pages(where: str, name: str) -> Iterator[tuple[str, Row]]:
    """The pages of a model that the league's admin shows: one's own rows, and nobody else's."""
    of_row = {"object_id": f"{name} id"}
    # A stranger is the owner of another club, which has lists too.
    lists, adds = LISTS[name], ADDS[name]
    yield where, _of_admin(_by_office(lists, lists[1]), _by_office(lists, *TAKEN, 403, let_in=TAKEN))
    yield f"{where}add/", _of_admin(_by_office(adds, adds[1]), _by_office(adds, *TAKEN, 403, let_in=TAKEN))
    row = f"{where}<path:object_id>/"
    yield row, _of_admin(_by_office((302,) * 6, 302), _by_office((302,) * 6, 302), of_row)
    # Half of the tables' posts send more than nothing, which is their own tests' affair.
    posts = tuple(200 if status in TAKEN else status for status in POSTS[name])
    yield (
        f"{row}change/",
        _of_admin(_by_office(lists, 404, 403), _by_office(posts, 404, 403, let_in=TAKEN), of_row),
    )
    for page, statuses in (("delete", DELETES[name]), ("history", HISTORIES[name])):
        cell = _by_office(statuses, 404, 403)
        yield f"{row}{page}/", _of_admin(cell, cell, of_row)
    for (model, act), offices in ACTS.items():
        if model == name:
            cells = _by_office(offices, 404, 403), _by_office(offices, 404, 403, let_in=TAKEN)
            yield f"{row}{act.replace('_', '-')}/", _of_admin(*cells, of_row)


def _administrators(name: str) -> Iterator[tuple[str, Row]]:
    """The pages of a model that is the administrator's alone; some of them are nobody's."""
    where = f"admin/{name.replace('_', '/')}/"
    refused = dict.fromkeys(SIGNED_IN - ADMINISTRATOR, 403)
    model = {"object_id": name.split("_")[1] if name.startswith("auth") else "nobody"}
    own = let(ADMINISTRATOR, *TAKEN, 403, 404, else_=302, others=refused)
    led = let(SIGNED_IN, 302, 404, else_=302)
    yield where, _of_admin(own, own)
    yield f"{where}add/", _of_admin(own, own)
    yield f"{where}<path:object_id>/", _of_admin(led, led, model)
    for page in ("change", "delete"):
        yield f"{where}<path:object_id>/{page}/", _of_admin(own, own, model)
    # Of what is not there the admin's own page leads back to its index, and asks no further.
    told = {**own, **dict.fromkeys(refused, frozenset({302, 403}))}
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
    only_read = let(NOBODY, else_=302, others=unknown)
    led = let(SIGNED_IN, 200, else_=302)
    yield "admin/", _of_admin(led, led)
    yield "admin/password_change/done/", _of_admin(led, only_read)
    yield "admin/password_change/", _of_admin(led, let(SIGNED_IN, 200, 422, else_=302))
    yield "admin/login/", _of_admin(let(ANYBODY - SIGNED_IN, 200, else_=302), let(ANYBODY, 200, 302))
    yield (
        "admin/logout/",
        _of_admin(let(NOBODY, else_=302, others=unknown), let(SIGNED_IN, 200, 302, else_=302)),
    )
    yield "admin/jsi18n/", _of_admin(led, only_read)
    bare = let(NOBODY, else_=302, others=dict.fromkeys(SIGNED_IN, 403))
    yield "admin/autocomplete/", _of_admin(bare, only_read)
    # Rows have no pages of their own that the admin would lead to.
    nowhere = let(NOBODY, else_=302, others=dict.fromkeys(SIGNED_IN, 404))
    yield "admin/r/<path:content_type_id>/<path:object_id>/", _of_admin(nowhere, nowhere)
    app = let(KEEPERS | {"stranger"}, 200, else_=302, others={"member": 404, "player": 404})
    yield r"admin/^(?P<app_label>auth|axes|league|games|scoring)/$", _of_admin(app, app)
    yield r"admin/(?P<url>.*)$", _of_admin(nowhere, nowhere)
    own = let(SIGNED_IN, 200, else_=302)
    yield "admin/progress/<slug:key>/", _of_admin(own, own)
    user = {"id": "user"}
    password = let(ADMINISTRATOR, 200, 422, else_=302, others=dict.fromkeys(SIGNED_IN - ADMINISTRATOR, 403))
    yield "admin/auth/user/<id>/password/", _of_admin(password, password, user)
    exported = let(KEEPERS, 200, else_=302, others=dict.fromkeys(SIGNED_IN - KEEPERS, 404))
    yield "admin/league/importbatch/export/<int:event_id>/", _of_admin(exported, exported)
    preview = let(frozenset({"owner"}), *TAKEN, else_=302, others=dict.fromkeys(SIGNED_IN - {"owner"}, 404))
    yield "admin/league/importbatch/add/<int:draft_id>/", _of_admin(preview, preview)
    yield from _night()


def _night() -> Iterator[tuple[str, Row]]:
    """The pages on which sheets are typed."""
    others = {"member": 404, "player": 404, "stranger": 404}
    read = let(KEEPERS, 200, else_=302, others=others)
    written = let(KEEPERS, *TAKEN, else_=302, others=others)
    no = let(NOBODY, else_=302, others=dict.fromkeys(SIGNED_IN, 405))
    yield "admin/night/", _of_admin(let(SIGNED_IN, 200, 302, else_=302), no)
    yield "admin/night/rounds/<slug:code>/", _of_admin(read, no, {"code": "round"})
    sheets = "admin/night/sheets/<slug:code>/"
    yield sheets, _of_admin(read, no, {"code": "match"})
    yield f"{sheets}compare/", _of_admin(read, written, {"code": "match"})
    for act in ("echo", "repairs", "save"):
        yield f"{sheets}{act}/", _of_admin(no, written, {"code": "match"})


ADMIN: Final[dict[str, Row]] = dict(_admin())
