"""Whatever people are called or say stands on every page as text: none is a script, an image or a style."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest
from django.apps import apps
from django.db.models import CharField, TextField
from django.urls import reverse
from playwright.sync_api import Dialog, Page, expect

from league.draws.round_life import complete_round
from league.matches.table_links import make_links
from league.models import Club, Match, Round
from league.policy import actor_at
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services import dispute_sheet, settle_dispute
from scoring.services.claims import open_claims, record_at_table, settle_claim
from scoring.services.disputes import open_disputes
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    house_rules,
    play,
    won,
)
from tests.league.permission_cells import READ
from tests.league.permission_rows import PAGES
from tests.league.permission_rows_admin import ADMIN
from tests.league.permission_world import World, make_world

pytestmark = pytest.mark.looks

# Ends a text, an attribute of either kind, a script and a comment; short enough for the shortest of names.
HOSTILE = "'\"><img src=x onerror=x>{{7*7}}"
# Where somebody may write what he likes, and what is printed of it somewhere.
FIELDS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "league": {
        "Club": ("name",),
        "Season": ("name",),
        "Event": ("name",),
        "Player": ("name", "nickname", "member_number", "external_id"),
        "Entry": ("name",),
        "Pyramid": ("name",),
        "SeasonTable": ("name",),
        "BotSchedule": ("name",),
        "Adjustment": ("reason", "actor_name"),
        "AuditEntry": ("object_name", "actor_name"),
        "ImportBatch": ("file_name", "event_name"),
        "Match": ("label",),
        "ApiToken": ("name",),
        "Invitation": ("email",),
    },
    "scoring": {
        "HouseRules": ("name",),
        "Side": ("name",),
        "Seat": ("name",),
        "SheetAct": ("reason", "actor_name"),
        "Scoresheet": ("label",),
    },
    "auth": {"User": ("first_name", "last_name")},
}


def call_everything_so() -> None:
    """Every text that people choose is hostile, as far as it must not be another one; a number follows it."""
    for app, models in FIELDS.items():
        for name, fields in models.items():
            model = apps.get_model(app, name)
            for number, pk in enumerate(model._default_manager.values_list("pk", flat=True).order_by("pk")):
                values = {}
                for field in fields:
                    found = model._meta.get_field(field)
                    assert isinstance(found, CharField | TextField)
                    length = found.max_length or 80
                    values[field] = f"{number}{HOSTILE}"[:length]
                model._default_manager.filter(pk=pk).update(**values)


def pages_of(world: World) -> list[str]:
    """The pages that members read, the officers', and the lists and forms of the admin."""
    read = [
        world.place(route, row.names)
        for route, row in PAGES.items()
        if row.cells.get("GET") == READ and not route.endswith((".pdf", ".svg", ".ics", ".atom"))
    ]
    officers = [
        world.place(f"clubs/<slug:club>/{page}", {})
        for page in ("audit/", "people/", "rules/new/", "events/<slug:event>/rounds/<int:number>/board/")
    ]
    admin = [
        world.place(route, row.names)
        for route, row in ADMIN.items()
        if "/league/" in route and (route.endswith("/change/") or route.count("/") == 3)
    ]
    return [*read, *officers, *admin, reverse("account"), reverse("tokens"), reverse("home")]


class Reader:
    """Opens pages, and finds that nothing of their texts has become anything else."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.done: list[str] = []
        page.on("dialog", self._note)
        page.expose_function("reportViolation", lambda what: self.done.append(what))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
        )

    def _note(self, dialog: Dialog) -> None:
        self.done.append(dialog.message)
        dialog.dismiss()

    def sign_in(self, session: str) -> None:
        self.page.context.add_cookies([{"name": "sessionid", "value": session, "url": self.site}])

    def read(self, where: str) -> str:
        """The text of a page that is let in."""
        answer = self.page.goto(f"{self.site}{where}", wait_until="domcontentloaded")
        assert answer is not None
        assert answer.status == 200, where
        return self.look(where)

    def look(self, where: str) -> str:
        """The text of the page as it is by now."""
        assert self.page.locator("img[src=x], [onerror]").count() == 0, where
        assert self.done == [], where
        return self.page.locator("body").inner_text()


@pytest.mark.long
def test_a_hostile_name_is_text_on_every_page(page: Page, live_server: Any, transactional_db: None) -> None:
    world = make_world()
    call_everything_so()
    Club.objects.update(is_public=True)
    reader = Reader(page, live_server.url)
    reader.sign_in(world.clients["administrator"].cookies["sessionid"].value)
    seen = sum(HOSTILE in reader.read(where) for where in pages_of(world))
    # Most pages print some name; where none did, nothing was tested.
    assert seen > 30


# At a table


@pytest.fixture
def round_(transactional_db: None) -> Round:
    """Two tables at which everybody is called so; the second has ended and is disputed."""
    club = ClubFactory.create(name=f"Club {HOSTILE}", slug="harbour")
    event = EventFactory.create(
        club=club, name=f"League {HOSTILE}", slug="league", rules=house_rules(columns=1, target=200)
    )
    drawn: Round = RoundFactory.create(event=event)
    for pair in ("AB", "CD"):
        sides = [EntryFactory.create(event=event, name=f"{letter}{HOSTILE}") for letter in pair]
        MatchFactory.create(event=event, round=drawn, entry_a=sides[0], entry_b=sides[1])
    return drawn


def sheet_of(match: Match) -> Scoresheet:
    return Scoresheet.objects.select_related("rules").get(match=match)


def open_links(match: Match) -> tuple[list[str], list[Actor]]:
    """The addresses of both sides' links, and who acts by them."""
    made = make_links(actor=OPERATOR, match=match)
    places = [reverse("phone:table_open", args=[secret]) for _, secret in made]
    return places, [actor_at(link, match.side_name(link.side)) for link, _ in made]


def say_two_things(match: Match, sides: list[Actor]) -> None:
    """Deal 1 and deal 2 are entered in two ways, and about the first somebody has decided."""
    names = [match.side_name(side) for side in (0, 1)]
    for number in (1, 2):
        for side, actor in enumerate(sides):
            deal = won(names[side], names[1 - side], 9 + side)
            record_at_table(actor=actor, sheet=sheet_of(match), number=number, deal=deal, key=f"{number}")
    first, _second = open_claims(sheet_of(match))
    settle_claim(actor=OPERATOR, claim=first, take=True, reason=f"Taken, {HOSTILE}")


def dispute_twice(match: Match, sides: list[Actor]) -> None:
    """Both sides dispute the end; one is settled."""
    play(match, 200)
    for actor, sentence in zip(sides, ("Mine", "No, mine"), strict=True):
        dispute_sheet(actor=actor, sheet=sheet_of(match), sentence=f"{sentence}! {HOSTILE}")
    settled = open_disputes(sheet_of(match)).order_by("pk")[0]
    settle_dispute(actor=sides[0], dispute=settled, reason=f"Never mind, {HOSTILE}")


def enter(page: Page, winner: str, points: int) -> None:
    """Taps a deal in at the table."""
    for choice in (f"{winner} won", "Knock", "Points"):
        page.locator("#entry").get_by_role("radio", name=choice, exact=True).check()
    page.locator("[name=points-0]").fill(str(points))
    page.locator("#save").click()


def test_what_is_said_at_a_table_is_text_on_every_page(page: Page, live_server: Any, round_: Round) -> None:
    begun, ended = round_.matches.select_related("event__club").order_by("table")
    (place, _), sides = open_links(begun)
    places, others = open_links(ended)
    say_two_things(begun, sides)
    dispute_twice(ended, others)
    reader = Reader(page, live_server.url)

    # The telephones: what the server says, and what the script puts there.
    first, second = (begun.side_name(side) for side in (0, 1))
    shown = reader.read(place)
    assert "was entered twice" in shown
    assert shown.count(HOSTILE) >= 4
    enter(page, second, 7)
    expect(page.locator("#kept")).to_have_text("deal 4 · all saved")
    expect(page.locator("#state")).to_contain_text(f"Deal 3: {second} 7")
    page.context.set_offline(True)
    enter(page, first, 5)
    expect(page.locator("#waiting")).to_contain_text(f"Deal 4: {first} 5")
    reader.look("a deal that waits")
    page.context.set_offline(False)
    expect(page.locator("#kept")).to_have_text("deal 5 · all saved")
    reader.look("a deal that was sent")
    for each in places:
        assert f"No, mine! {HOSTILE}" in reader.read(each)

    # The board and the administration.
    complete_round(actor=OPERATOR, round_=round_, reason=f"Enough, {HOSTILE}")
    client = logged_in(UserFactory.create(is_superuser=True))
    reader.sign_in(client.cookies["sessionid"].value)
    way = ["harbour", "league"]
    on_board = reader.read(reverse("round_board", args=[*way, round_.number]))
    assert f"Enough, {HOSTILE}" in on_board
    assert all(f"{letter}{HOSTILE}" in on_board for letter in "ABCD")
    claims, disputes = (f"admin:league_match_{act}" for act in ("decide_claim", "settle"))
    assert second in reader.read(reverse(claims, args=[begun.pk]))
    assert f"No, mine! {HOSTILE}" in reader.read(reverse(disputes, args=[ended.pk]))
    told = {where: reader.read(where) for where in pages_about(round_, [begun, ended])}
    assert [where for where, text in told.items() if HOSTILE not in text] == []
    for said in ("Taken,", "Mine!", "No, mine!", "Never mind,", "Enough,"):
        assert any(f"{said} {HOSTILE}" in text for text in told.values()), said


def pages_about(round_: Round, matches: list[Match]) -> list[str]:
    """Where the round and its matches are read and kept."""
    way = ["harbour", "league"]
    return [
        reverse("round", args=[*way, round_.number]),
        f"/clubs/harbour/events/league/rounds/{round_.number}/links/",
        reverse("admin:league_round_change", args=[round_.pk]),
        reverse("audit", args=["harbour"]),
        *(reverse("match", args=[*way, match.code]) for match in matches),
        *(f"/clubs/harbour/events/league/matches/{match.code}/links/" for match in matches),
        *(reverse("admin:league_match_change", args=[match.pk]) for match in matches),
        *(reverse("admin:scoring_scoresheet_change", args=[match.sheet_id]) for match in matches),
        *(reverse("entry:sheet", args=[match.code]) for match in matches),
    ]
