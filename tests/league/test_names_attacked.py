"""Names are told by references alone: none of these moves changes, uncovers or stores another's name."""

import dataclasses
import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from league.models import Club, Entry, Event, Match, NamingText, Player, Role, ShownAs, TokenScope
from league.pages.pages import names_of, visible_event
from league.people.accounts import choose_shown_name
from league.people.erasing import erase_person
from league.people.players import change_player, merge_players
from league.people.tokens import issue_token
from league.policy import actor_of
from league.policy.naming import names_for
from scoring.core.actors import Actor
from scoring.core.sheets import SheetSide
from scoring.models import ActKind, Scoresheet, Seat, SheetAct, Side
from scoring.services import open_sheet, record_deals
from scoring.services.claims import TableReceipt, record_at_table
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    sheet_of,
    won,
)
from tests.league.ladder_cases import entry, ladder

pytestmark = pytest.mark.django_db

API = "/api/v1/"


@pytest.fixture
def director(club: Club) -> Actor:
    """Who may also erase people with an office."""
    return actor_of(UserFactory.create(username="dora", club=club, role=Role.OWNER))


@pytest.fixture
def bob(club: Club) -> Player:
    return PlayerFactory.create(club=club, name="Bob Baker")


@pytest.fixture
def ann(club: Club) -> Player:
    """Her account is named like another player, and so is she in full there."""
    user = UserFactory.create(
        username="Bob Baker", first_name="Bob", last_name="Baker", club=club, role=Role.SCOREKEEPER
    )
    return PlayerFactory.create(club=club, name="Ann Archer", user=user)


@pytest.fixture
def match(club: Club, ann: Player, bob: Player) -> Match:
    """Played by both, recorded by Ann's account."""
    event = EventFactory.create(club=club, slug="league")
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name=ann.name, players=[ann]),
        entry_b=EntryFactory.create(event=event, name=bob.name, players=[bob]),
    )
    assert ann.user is not None
    by = actor_of(ann.user)
    record_deals(actor=by, sheet=sheet_of(match), deals=[won(ann.name, bob.name, 20)], key="one")
    return match


def _guest(club: Club, event: Event) -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    visible_event(request, club.slug, event.slug)
    return request


def _stored() -> list[Any]:
    """Every name that is stored, where it is."""
    return [
        list(model.objects.order_by("pk").values_list("pk", "name")) for model in (Player, Entry, Seat, Side)
    ] + [list(SheetAct.objects.order_by("pk").values_list("pk", "actor_name"))]


def _answers(match: Match, client: Client) -> str:
    """All that the pages and the API say of a match, in one text."""
    event = match.event
    places = [
        reverse(name, args=["harbour", event.slug])
        for name in ("event", "event_rounds", "event_results_atom")
    ]
    places.append(reverse("match", args=["harbour", event.slug, match.code]))
    sheet = f"{API}sheets/{sheet_of(match).code}/"
    places += [sheet, f"{sheet}deals/", f"{API}matches/{match.code}/", f"{API}players/", f"{API}entries/"]
    answers = [client.get(place) for place in places]
    assert [answer.status_code for answer in answers] == [200] * len(places)
    return "\n".join(answer.content.decode() for answer in answers)


def test_whose_account_is_named_like_another_changes_nobody_elses_name(
    club: Club, match: Match, ann: Player, bob: Player, client: Client
) -> None:
    before = _stored()
    assert ann.user is not None
    choose_shown_name(actor=actor_of(ann.user), player=ann, shown_as=ShownAs.NICKNAME, nickname="Annie")
    names = names_for(AnonymousUser(), club)
    assert (names.player(ann), names.player(bob)) == ("Annie", "Bob Baker")
    shown = names.sheet(kept_sheet(sheet_of(match)), match)
    assert [side.name for side in shown.sides] == ["Annie", "Bob Baker"]
    assert names.author(SheetAct.objects.get()) == "Annie"
    said = _answers(match, client)
    assert "Bob Baker" in said
    assert "Ann Archer" not in said
    assert _stored() == before


def test_erasing_her_touches_nobody_elses_sheets_names_or_history(
    club: Club, match: Match, ann: Player, bob: Player, director: Actor
) -> None:
    others = EventFactory.create(club=club)
    cid = PlayerFactory.create(club=club, name="Cid")
    elsewhere = MatchFactory.create(
        event=others,
        entry_a=EntryFactory.create(event=others, name=bob.name, players=[bob]),
        entry_b=EntryFactory.create(event=others, name="Cid", players=[cid]),
    )
    assert elsewhere.sheet is not None
    record_deals(actor=director, sheet=elsewhere.sheet, deals=[won(bob.name, "Cid", 20)])
    derived = list(Scoresheet.objects.order_by("pk").values_list("derived", "nets", "status"))
    done = erase_person(actor=director, player=ann)
    assert [side.name for side in kept_sheet(elsewhere.sheet).sides] == ["Bob Baker", "Cid"]
    assert [side.name for side in kept_sheet(sheet_of(match)).sides] == [done.new_name, "Bob Baker"]
    bob.refresh_from_db()
    assert bob.name == "Bob Baker"
    assert set(Entry.objects.values_list("name", flat=True)) == {done.new_name, "Bob Baker", "Cid"}
    acts = SheetAct.objects.filter(kind=ActKind.RECORD).order_by("pk")
    assert [act.actor_name for act in acts] == [done.new_name, director.name]
    assert list(Scoresheet.objects.order_by("pk").values_list("derived", "nets", "status")) == derived


@pytest.mark.parametrize("name", ["net", "sheet", "status", "Ann Archer"])
def test_key_sent_again_after_she_was_erased_is_answered_as_it_was(
    club: Club, bob: Player, director: Actor, name: str
) -> None:
    """Whatever she was called: the fields of the answer too."""
    event = EventFactory.create(club=club, slug="league")
    player = PlayerFactory.create(club=club, name=name)
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name=name, players=[player]),
        entry_b=EntryFactory.create(event=event, name=bob.name, players=[bob]),
    )
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    _, secret = issue_token(user=keeper, name="t", scope=TokenScope.RECORD, days=5, club=club)
    assert match.sheet is not None
    program = Client(headers={"Authorization": f"Token {secret}", "Idempotency-Key": "k"})
    body = {"deals": [{"hands": [{"kind": "points", "winner": name, "loser": bob.name, "points": 20}]}]}
    address = f"{API}sheets/{match.sheet.code}/deals/"
    first = program.post(address, json.dumps(body), content_type="application/json")
    assert first.status_code == 201
    erase_person(actor=director, player=player)
    again = program.post(address, json.dumps(body), content_type="application/json")
    assert (again.status_code, again.content) == (201, first.content)
    assert name not in [seat.name for seat in match.sheet.seats.all()]


def test_deal_sent_again_from_the_table_after_she_was_erased_is_answered_as_it_was(
    match: Match, ann: Player, director: Actor
) -> None:
    """The telephone tells seats: by now they have another name."""
    assert match.sheet is not None

    def enter() -> TableReceipt:
        assert match.sheet is not None
        first, second = (side.players[0] for side in kept_sheet(match.sheet).sides)
        deal = won(second, first, 30)
        return record_at_table(actor=director, sheet=match.sheet, number=2, deal=deal, key="again")

    first = enter()
    erase_person(actor=director, player=ann)
    again = enter()
    assert again == dataclasses.replace(first, repeated=True)


def test_what_is_read_and_written_for_a_guest_is_what_is_stored(
    club: Club, match: Match, ann: Player, client: Client
) -> None:
    Player.objects.filter(pk=ann.pk).update(shown_as=ShownAs.INITIALS)
    before = _stored()
    request = _guest(club, match.event)
    names = names_of(request)
    assert names.player(ann) == "A. A."
    assert set(Seat.objects.values_list("name", flat=True)) == {"Ann Archer", "Bob Baker"}
    for model in (Player, Entry, Seat, Side):
        for row in model.objects.all():
            row.save()
            assert model.objects.filter(pk=row.pk).update(name=row.name) == 1
    assert names.entry(match.entry_a) == "A. A."
    assert match.sheet is not None
    names.sheet(kept_sheet(match.sheet), match)
    match.sheet.save()
    assert _stored() == before
    assert "Ann Archer" not in _answers(match, client)


@pytest.mark.parametrize("shown_as", [ShownAs.INITIALS, ShownAs.NICKNAME])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"ordering": "name"},
        {"ordering": "-name"},
        {"updated_since": "2000-01-01T00:00:00Z"},
        {"updated_since": "2000-01-01T00:00:00Z", "ordering": "name"},
        {"club": "harbour", "is_bot": "false", "is_merged": "false"},
    ],
)
def test_guest_finds_nobody_by_a_covered_name(
    club: Club, ann: Player, bob: Player, client: Client, shown_as: ShownAs, more: dict[str, str]
) -> None:
    Player.objects.filter(pk=ann.pk).update(shown_as=shown_as, nickname="Zoe")
    nan = PlayerFactory.create(club=club, name="Nan Archer", merged_into=ann)

    def found(text: str) -> list[str]:
        answer = client.get(f"{API}players/", {"search": text, **more})
        assert answer.status_code == 200
        return [row["code"] for row in answer.json()["results"]]

    covered = {ann.code, nan.code}
    for part in ("Ann Archer", "Archer", "nn", "rcher", "Nan"):
        assert covered.isdisjoint(found(part)), part
    merged = set() if "is_merged" in more else {nan.code}
    assert set(found("A. A." if shown_as == ShownAs.INITIALS else "zoe")) == {ann.code} | merged
    assert bob.code in found("Baker")


def test_director_of_another_club_is_refused_without_a_covered_name(
    club: Club, ann: Player, match: Match, client: Client
) -> None:
    """He names people of a club where he is a guest by their codes, which are public."""
    Player.objects.filter(pk=ann.pk).update(shown_as=ShownAs.INITIALS)
    climb = ladder(3, club=ClubFactory.create(slug="elsewhere"))
    client.force_login(UserFactory.create(club=climb.club, role=Role.DIRECTOR))
    hers, own = match.entry_a.code, entry(climb, "A").code
    asked = [
        (f"events/{climb.code}/challenges/", {"challenger": hers, "challenged": own}),
        (f"events/{climb.code}/challenges/", {"challenger": own, "challenged": hers}),
        (f"events/{climb.code}/absences/", {"entry": hers, "first_day": "2026-07-01"}),
        ("entries/", {"event": climb.code, "players": [ann.code]}),
    ]
    for address, body in asked:
        refused = client.post(f"{API}{address}", json.dumps(body), content_type="application/json")
        assert refused.status_code == 422, refused.content
        assert refused.json()["code"] in {"other_event", "other_club"}
        assert "Archer" not in refused.content.decode()


def test_guest_learns_no_order_of_covered_names(club: Club, client: Client) -> None:
    names = {"Zed Young": "Abel", "Abe Adams": "Zora"}
    for name, nickname in names.items():
        PlayerFactory.create(club=club, name=name, shown_as=ShownAs.NICKNAME, nickname=nickname)
    answer = client.get(f"{API}players/", {"ordering": "name"}).json()
    assert [row["name"] for row in answer["results"]] == ["Abel", "Zora"]


def test_renamed_and_merged_are_called_so_on_old_sheets_at_once(
    club: Club, match: Match, ann: Player, bob: Player, director: Actor, client: Client
) -> None:
    assert match.sheet is not None
    client.force_login(UserFactory.create(club=club, role=Role.MEMBER))
    change_player(actor=director, player=ann, name="Ann Berg")
    kept = PlayerFactory.create(club=club, name="Robert Baker")
    merge_players(actor=director, keep=kept, drop=bob)
    said = _answers(match, client)
    assert "Ann Berg" in said
    assert "Robert Baker" in said
    sheet = client.get(f"{API}sheets/{match.sheet.code}/").json()
    assert [side["players"] for side in sheet["sides"]] == [["Ann Berg"], ["Robert Baker"]]
    # What was written on the paper is kept, and deals are taken by either name.
    assert set(Seat.objects.values_list("name", flat=True)) == {"Ann Archer", "Bob Baker"}
    deals = [won("Ann Berg", "Robert Baker", 10), won("Bob Baker", "Ann Archer", 5)]
    assert record_deals(actor=director, sheet=match.sheet, deals=deals).count == 2


def test_sheet_of_no_club_keeps_the_names_that_were_written(match: Match, director: Actor) -> None:
    sides = (SheetSide("Ann Archer", ("Ann Archer",)), SheetSide("Bob Baker", ("Bob Baker",)))
    stray = open_sheet(actor=OPERATOR, rules=match.event.rules, sides=sides)
    erase_person(actor=director, player=Player.objects.get(name="Ann Archer"))
    assert [side.name for side in kept_sheet(stray).sides] == ["Ann Archer", "Bob Baker"]
    assert not NamingText.objects.filter(place="scoring.Seat").exists()
