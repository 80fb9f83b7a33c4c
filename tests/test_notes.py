"""Which tests run on PostgreSQL, which are dear, and which belong to what was changed."""

import time
from pathlib import PurePath

import pytest

from tests.notes import Note, cover, kinds, named, slowness, unexplained
from tests.quick import Deadline, nearest_first, nearness


def note(test: str, seconds: float, *statements: str, reach: str = "covering", why: str = "") -> Note:
    return Note(test, seconds, reach, why, statements)


def test_everything_that_is_asked_is_asked_by_the_chosen() -> None:
    notes = [
        note("all but one", 1, "a", "b", "c"),
        note("the one", 1, "d"),
        note("dear, and nothing of its own", 9, "a", "d"),
        note("cheap, and nothing of its own", 0, "a"),
        note("nothing", 0),
    ]
    chosen = cover(notes)
    assert {"all but one", "the one"} <= chosen
    assert not chosen & {"dear, and nothing of its own", "nothing"}


def test_whoever_was_chosen_first_goes_if_others_ask_it_all() -> None:
    notes = [
        note("most", 1, "a", "b", "c", "d"),
        note("one", 1, "a", "b", "x"),
        note("other", 1, "c", "d", "y"),
    ]
    assert cover(notes) == {"one", "other"}


def test_what_always_runs_covers_and_what_never_runs_does_not_count() -> None:
    notes = [
        note("always", 9, "a", reach="always"),
        note("covered by it", 1, "a"),
        note("never", 1, "b", reach="no"),
    ]
    assert cover(notes) == {"always"}


ALL, A, B = 'SELECT "t"."a" FROM "t"', '"t"."a"', '"t"."b"'
CASE = 'CASE WHEN ("t"."id" = %%s) THEN %s ELSE NULL END'


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("SELECT a FROM t WHERE a IN (%s, %s)", "SELECT a FROM t WHERE a IN (%s)", True),
        ("INSERT INTO t VALUES (%s, %s), (%s, %s)", "INSERT INTO t VALUES (%s, %s)", True),
        ("SELECT a FROM t LIMIT 21", "SELECT a FROM t LIMIT 1 OFFSET 5", True),
        ("SELECT a FROM t", "SELECT a FROM t FOR UPDATE", False),
        ('SELECT "t"."a", "t"."b" AS "c" FROM "t"', 'SELECT "t"."a" FROM "t"', True),
        ('SELECT DISTINCT "t"."a", "t"."b" FROM "t"', 'SELECT DISTINCT "t"."a" FROM "t"', False),
        ('SELECT "t"."a", "t"."b" FROM "t" GROUP BY 1', 'SELECT "t"."a" FROM "t" GROUP BY 1', False),
        ('SELECT "t"."a", COUNT("t"."b") FROM "t"', 'SELECT "t"."a" FROM "t"', False),
        ("SELECT a FROM t WHERE a = %s", "SELECT a FROM t WHERE b = %s", False),
        (f"{ALL} WHERE {A} = %s", f"{ALL} WHERE ({B} IN (%s, %s) AND NOT ({B} IS NULL))", True),
        (f"{ALL} WHERE {A} = %s", f"{ALL} WHERE ({A} = %s OR {A} = %s)", True),
        (f"{ALL} WHERE {A} = %s ORDER BY {A}", f"{ALL} WHERE {A} = %s ORDER BY {B}", False),
        (f"{ALL} WHERE {A} = %s", f"{ALL} WHERE {A} LIKE %s", False),
        (f"{ALL} WHERE {A} = %s", f"{ALL} WHERE {A} IN (SELECT 1)", False),
        (f"{ALL} WHERE {A} = %s", f"{ALL} WHERE {A} = %s FOR UPDATE", False),
        (f"{ALL} WHERE {A} = %s", f"{ALL} JOIN u WHERE {A} = %s", False),
        (ALL, f'{ALL} INNER JOIN "u" ON ({A} = "u"."id")', True),
        (f"{ALL} FOR UPDATE", f'{ALL} INNER JOIN "u" ON ({A} = "u"."id") FOR UPDATE', False),
        (ALL, f'{ALL} ORDER BY "t"."id" ASC', True),
        (ALL, ALL.replace(" FROM", ', 0 AS "covers" FROM'), True),
        ('INSERT INTO "t" ("id", "a") VALUES (%s)', 'INSERT INTO "t" ("a") VALUES (%s)', True),
        (ALL, f"{ALL} ORDER BY {A} ASC", False),
        ('UPDATE "t" SET "a" = %s WHERE "id" = %s', 'UPDATE "t" SET "b" = NULL WHERE "id" = %s', True),
        ('UPDATE "t" SET "a" = %s WHERE "id" = %s', 'UPDATE "t" SET "a" = ("a" + %s) WHERE "id" = %s', False),
        (f'UPDATE "t" SET "a" = {CASE % "NULL"}', f'UPDATE "t" SET "a" = {CASE % "%s"}', False),  # noqa: S608
        (f'UPDATE "t" SET "a" = {CASE % "NULL"}', f'UPDATE "t" SET "b" = {CASE % "NULL"}', False),  # noqa: S608
    ],
)
def test_statements_are_the_same_whatever_their_values(one: str, other: str, same: bool) -> None:
    assert (kinds(one) == kinds(other)) is same


def test_subqueries_and_terms_of_order_are_kinds_by_themselves() -> None:
    inner = f'SELECT COALESCE({A}, {B}) FROM "t" WHERE LOWER({A}) = %s'  # noqa: S608
    whole = kinds(f"{ALL} WHERE {A} IN ({inner}) ORDER BY {A} DESC, LOWER({B})")
    assert kinds(inner) < whole
    assert kinds(f"{ALL} ORDER BY {A} DESC") < whole
    assert kinds(f"{ALL} ORDER BY LOWER({B})") < whole


def test_tests_of_a_module_are_nearer_than_those_of_its_app_and_no_others_are_near() -> None:
    changed = PurePath("league/draws/round_life.py")
    own = nearness(PurePath("tests/league/test_round_life.py"), changed)
    app = nearness(PurePath("tests/league/test_pages.py"), changed)
    assert own > app > 0
    assert nearness(PurePath("tests/scoring/test_round_life.py"), changed) == 0
    itself = PurePath("tests/league/test_pages.py")
    assert nearness(itself, itself) == nearness(itself, PurePath("tests/league")) > own


def test_plain_ones_come_first_and_the_cheapest_of_them_before_all(request: pytest.FixtureRequest) -> None:
    def made(name: str) -> pytest.Item:
        return pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)

    dear, unknown, cheap, stored, stored_cheap, far = map(
        made, ("dear", "new", "cheap", "row", "rows", "far")
    )
    for item in (stored, stored_cheap, far):
        item.add_marker("db")
    far.path = request.config.rootpath / "tests/games/test_far.py"
    seconds = {named(dear): 0.9, named(cheap): 0.1, named(stored): 0.5, named(stored_cheap): 0.2}
    items = [far, dear, stored, cheap, stored_cheap, unknown]
    ordered = nearest_first(items, ["tests/test_notes.py"], request.config.rootpath, seconds)
    assert ordered == [unknown, cheap, dear, stored_cheap, stored]


def test_dear_is_told_of_those_of_which_nobody_says_why() -> None:
    notes = [note("dear", 5), note("dearer", 6), note("marked", 7, why="plays a year"), note("cheap", 4)]
    assert [told.test for told in unexplained(notes, 4)] == ["dearer", "dear"]
    assert slowness() >= 1


def test_what_would_begin_too_late_is_passed_over() -> None:
    assert Deadline(time.time() + 1000).pytest_runtest_protocol() is None
    assert Deadline(time.time()).pytest_runtest_protocol() is True
