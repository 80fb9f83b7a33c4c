"""Authors are references: whoever is renamed or erased is called so wherever something says who did it."""

import csv
import importlib
import io
import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations import RunPython
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Club, ImportBatch, Match, Player, Role, TableLink, TokenScope
from league.people.erasing import erase_person
from league.people.players import change_player
from league.people.tokens import issue_token
from league.policy import actor_of
from league.policy.authors import OF_ROW, authored_by
from league.policy.grants import actor_at
from league.policy.naming import Names, in_full
from league.record.audit import record_audit
from scoring.core.actors import Actor, ActorKind
from scoring.core.hands import Points
from scoring.models import SecondTyping, SheetAct
from scoring.services import correct_deals, record_deals
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

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(club: Club) -> Match:
    event = EventFactory.create(club=club, slug="league")
    sides = [
        EntryFactory.create(event=event, name=name, players=[PlayerFactory.create(club=club, name=name)])
        for name in ("Ann Archer", "Bob Baker")
    ]
    return MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])


def link_of(match: Match) -> TableLink:
    sheet = sheet_of(match)
    made = Actor(ActorKind.OPERATOR, "tests", "tests")
    return TableLink.objects.create(
        sheet=sheet, side=0, digest="d", expires_at="2999-01-01T00:00Z", **TableLink.actor_fields(made)
    )


def shown(client: Client, match: Match, **query: str) -> dict[str, list[str]]:
    """Whom each place names as the authors: the audit page, its file, the match's page and the API."""
    club, event = match.event.club, match.event
    page = client.get(reverse("audit", args=[club.slug]), query)
    file = client.get(reverse("audit_csv", args=[club.slug]), query).content.decode()
    history = client.get(reverse("match", args=[club.slug, event.slug, match.code])).content.decode()
    api = client.get(f"/api/v1/sheets/{sheet_of(match).code}/corrections/").json()["results"]
    return {
        "page": [each["line"].who for each in page.context["lines"]],
        "file": [row["Who"] for row in csv.DictReader(io.StringIO(file))],
        "history": [name for name in ("Kim Keeper", "Kim Berg", "Erased") if name in history],
        "api": [row["by"] for row in api],
    }


def test_renamed_account_is_called_so_everywhere_and_found_by_that_name(
    club: Club, match: Match, owner: Client
) -> None:
    kim = UserFactory.create(first_name="Kim", last_name="Keeper", club=club, role=Role.DIRECTOR)
    record_deals(actor=actor_of(kim), sheet=sheet_of(match), deals=[won("Ann Archer", "Bob Baker", 20)])
    changes = {1: won("Ann Archer", "Bob Baker", 25)}
    correct_deals(actor=actor_of(kim), sheet=sheet_of(match), changes=changes, reason="misread")
    kim.last_name = "Berg"
    kim.save()
    assert shown(owner, match, who="Berg") == {
        "page": ["Kim Berg", "Kim Berg"],
        "file": ["Kim Berg", "Kim Berg"],
        "history": ["Kim Berg"],
        "api": ["Kim Berg"],
    }
    assert shown(owner, match, who="Keeper")["page"] == []
    assert set(SheetAct.objects.values_list("actor_name", flat=True)) == {"Kim Keeper"}, "as it was written"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_erased_author_is_called_so_everywhere_and_not_found_by_the_name(
    club: Club, match: Match, owner: Client, elsewhere: bool
) -> None:
    """An account that goes on in another club, under its name there, says nothing here."""
    kim = UserFactory.create(first_name="Kim", last_name="Keeper", club=club, role=Role.DIRECTOR)
    player = PlayerFactory.create(club=club, name="Kim Keeper", user=kim)
    if elsewhere:
        PlayerFactory.create(club=ClubFactory.create(), name="Kim Keeper", user=kim)
    record_deals(actor=actor_of(kim), sheet=sheet_of(match), deals=[won("Ann Archer", "Bob Baker", 20)])
    changes = {1: won("Ann Archer", "Bob Baker", 25)}
    correct_deals(actor=actor_of(kim), sheet=sheet_of(match), changes=changes, reason="misread")
    manager = actor_of(UserFactory.create(club=club, role=Role.OWNER))
    name = erase_person(actor=manager, player=player).new_name
    assert shown(owner, match, action="sheet.correct", who=name) == {
        "page": [name],
        "file": [name],
        "history": ["Erased"],
        "api": [name],
    }
    assert shown(owner, match, who="Keeper")["page"] == []
    own = SheetAct.objects.filter(actor_kind=ActorKind.USER, actor_id=str(kim.pk))
    assert own.exists() == (not elsewhere)


def test_programs_imports_and_tables_are_called_as_today(club: Club, match: Match, owner: Client) -> None:
    kim = UserFactory.create(first_name="Kim", last_name="Keeper", club=club, role=Role.SCOREKEEPER)
    token, _secret = issue_token(user=kim, name="laptop", scope=TokenScope.RECORD, days=5, club=club)
    link = link_of(match)
    for by in (actor_of(token), actor_at(link, "Ann Archer")):
        record_audit(by, "club.change", club, club=club)
    kim.last_name = "Berg"
    kim.save()
    director = actor_of(UserFactory.create(club=club, role=Role.DIRECTOR))
    change_player(actor=director, player=Player.objects.get(name="Ann Archer"), name="Ann Adler")

    def found(who: str) -> list[str]:
        page = owner.get(reverse("audit", args=[club.slug]), {"who": who, "action": "club.change"})
        return [each["line"].who for each in page.context["lines"]]

    assert found("") == ["Ann Adler", "Kim Berg (laptop)"]
    assert found("berg (lap") == ["Kim Berg (laptop)"]
    assert found("adler") == ["Ann Adler"]
    assert [*found("Keeper"), *found("Archer")] == []
    token.delete()
    link.delete()
    assert found("") == ["Ann Archer", "Kim Keeper (laptop)"], "what is gone is called as it was written"
    assert [*found("Keeper"), *found("Archer")] == ["Kim Keeper (laptop)", "Ann Archer"]


def test_team_at_a_table_is_found_by_its_own_name(club: Club) -> None:
    event = EventFactory.create(club=club, kind="team", team_size=2)
    sides = [
        EntryFactory.create(event=event, name=name, players=PlayerFactory.create_batch(2, club=club))
        for name in ("Sharks", "Whales")
    ]
    match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    record_audit(actor_at(link_of(match), "Sharks"), "club.change", club, club=club)
    assert AuditEntry.objects.filter(authored_by("shark", OF_ROW)).count() == 1
    assert AuditEntry.objects.filter(authored_by("whale", OF_ROW)).count() == 0


def test_authors_of_many_rows_are_asked_for_at_once(
    club: Club, match: Match, django_assert_num_queries: Any
) -> None:
    users = UserFactory.create_batch(5, club=club)
    for user in users:
        record_audit(actor_of(user), "club.change", club, club=club)
    rows = list(AuditEntry.objects.all())
    names = Names(club.pk, covered=False)
    with django_assert_num_queries(1):
        names.learn_authors(rows)
        assert {names.author(row) for row in rows} == {actor_of(user).name for user in users}


def test_admin_search_finds_by_the_name_of_today(club: Club, owner: Client) -> None:
    kim = UserFactory.create(first_name="Kim", last_name="Keeper", club=club, role=Role.DIRECTOR)
    record_audit(actor_of(kim), "club.change", club, club=club)
    kim.last_name = "Berg"
    kim.save()
    address = reverse("admin:league_auditentry_changelist")
    assert "Kim Berg" in owner.get(address, {"q": "berg"}).content.decode()
    assert owner.get(address, {"q": "keeper"}).context["cl"].result_count == 0


def test_sheet_that_is_typed_has_the_names_of_today(club: Club, match: Match, owner: Client) -> None:
    """Also where a new player is called as the renamed one was when the sheet was written."""
    ann, bob = Player.objects.get(name="Ann Archer"), Player.objects.get(name="Bob Baker")
    director = actor_of(UserFactory.create(club=club, role=Role.DIRECTOR))
    record_deals(actor=director, sheet=sheet_of(match), deals=[won("Ann Archer", "Bob Baker", 20)])
    change_player(actor=director, player=ann, name="Ann Berg")
    ann.aliases.all().delete()
    change_player(actor=director, player=bob, name="Ann Archer")
    Player.objects.filter(pk=bob.pk).update(shown_as="initials")
    address = reverse("entry:sheet", args=[match.code])
    page = owner.get(address)
    assert page.context["names"] == ["Ann Berg", "Ann Archer"]
    assert "Bob Baker" not in page.content.decode()
    draft = page.context["page_data"]["draft"] | {"rows": [["a20"], ["a23"]], "key": "a draft of tests"}
    draft["paper"] |= {"net": "a23"}
    echo = owner.post(reverse("entry:preview", args=[match.code]), {"draft": json.dumps(draft)})
    assert "Ann Berg" in echo.context["page"].status
    for place in ("preview", "repairs"):
        answer = owner.post(reverse(f"entry:{place}", args=[match.code]), {"draft": json.dumps(draft)})
        assert answer.status_code == 200
        assert "Bob Baker" not in answer.content.decode()
    saved = owner.post(reverse("entry:save", args=[match.code]), {"draft": json.dumps(draft)})
    assert saved.status_code == 200, saved.content
    kept = in_full(club).sheet(kept_sheet(sheet_of(match)), match)
    assert kept.deals[1].hands == (Points("Ann Berg", "Ann Archer", 23),)
    latest, *_earlier = owner.get(address).context["history"]
    assert latest.note == "the paper says Ann Berg 23"


def migrated(module: str) -> None:
    """Runs the steps of a migration that move data, in their order, on the tables as they are."""
    schema_editor: Any = SimpleNamespace(connection=connection)
    tables: Any = apps
    for step in importlib.import_module(module).Migration.operations:
        if isinstance(step, RunPython):
            step.code(tables, schema_editor)


def test_former_names_become_references_where_they_can_be_matched(
    club: Club, match: Match, capsys: pytest.CaptureFixture[str]
) -> None:
    kim = actor_of(UserFactory.create(first_name="Kim", last_name="Keeper", club=club, role=Role.DIRECTOR))
    record_deals(actor=kim, sheet=sheet_of(match), deals=[won("Ann Archer", "Bob Baker", 20)])
    for name in ("Kim Keeper", "Nobody Known"):
        SecondTyping.objects.create(
            sheet=sheet_of(match),
            key=name,
            against_version=1,
            deals=[],
            settled_by_name=name,
            **SecondTyping.actor_fields(kim),
        )
        batch = ImportBatch.objects.create(
            club=club,
            event_name="e",
            file_name=name,
            digest="d",
            hands=0,
            deals=0,
            sheets=0,
            undone_by_name=name,
            **ImportBatch.actor_fields(kim),
        )
        if name == kim.name:
            record_audit(kim, "import.undo", batch, club=club)
    migrated("scoring.migrations.0007_settled_by_is_a_reference")
    migrated("league.migrations.0019_authors_are_references")
    references = [("user", kim.id, "Kim Keeper"), ("", "", "Nobody Known")]
    settled = SecondTyping.objects.order_by("pk")
    assert list(settled.values_list("settled_by_kind", "settled_by_id", "settled_by_name")) == references
    undone = ImportBatch.objects.order_by("pk")
    assert list(undone.values_list("undone_by_kind", "undone_by_id", "undone_by_name")) == references
    said = capsys.readouterr().out
    assert "second typings that say who settled them: 1; name as written: 1" in said
    assert "imports that say who undid them: 1; name as written: 1" in said


def test_persons_erased_before_stay_so(club: Club, match: Match) -> None:
    """Then a closed account had no name, and what one that went on had done referred to it still."""
    closed, other = (PlayerFactory.create(club=club, erased_at=timezone.now()) for _number in range(2))
    for player in (closed, other):
        Player.objects.filter(pk=player.pk).update(name=f"Erased {player.code}")
    users = [UserFactory.create(username=f"erased-{closed.code}"), UserFactory.create(first_name="Kim")]
    authors = [
        Actor(ActorKind.USER, str(user.pk), f"Erased {player.code}")
        for user, player in zip(users, (closed, other), strict=True)
    ]
    for by in authors:
        record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Ann Archer", "Bob Baker", 20)])
        SheetAct.objects.filter(sheet=sheet_of(match)).update(**SheetAct.actor_fields(by))
        SecondTyping.objects.create(
            sheet=sheet_of(match),
            key=by.name,
            against_version=1,
            deals=[],
            settled_by_name=by.name,
            **SecondTyping.actor_fields(OPERATOR),
        )
        migrated("scoring.migrations.0007_settled_by_is_a_reference")
        batch = ImportBatch.objects.create(
            club=club,
            event_name="e",
            file_name="night.csv",
            digest=by.id,
            hands=0,
            deals=0,
            sheets=0,
            undone_by_name="▇▇▇",
            **ImportBatch.actor_fields(OPERATOR),
        )
        record_audit(by, "import.undo", batch, club=club)
    migrated("league.migrations.0019_authors_are_references")
    names = in_full(club)
    erased = [by.name for by in authors]
    assert [names.author(note) for note in AuditEntry.objects.order_by("pk")] == erased
    assert [names.author(row, "settled_by") for row in SecondTyping.objects.order_by("pk")] == erased
    undone = [names.author(row, "undone_by") for row in ImportBatch.objects.order_by("pk")]
    assert undone == [erased[0], "▇▇▇"]


def test_who_plays_here_is_called_as_on_the_sheets_whatever_the_account_says(
    club: Club, match: Match, client: Client
) -> None:
    """An account may be called like another player."""
    account = UserFactory.create(username="bob baker", club=club, role=Role.MEMBER)
    Player.objects.filter(name="Ann Archer").update(user=account)
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Ann Archer", "Bob Baker", 20)])
    names = in_full(club)
    row = SheetAct.objects.latest("pk")
    row.actor_kind, row.actor_id, row.actor_name = ActorKind.USER, str(account.pk), "bob baker"
    assert names.author(row) == "Ann Archer"
    record_audit(actor_of(account), "match.sheet", match, club=club)
    for where in (club, OF_ROW):
        by = {who: AuditEntry.objects.filter(authored_by(who, where)).count() for who in ("archer", "baker")}
        assert by == {"archer": 1, "baker": 0}
    Player.objects.filter(name="Ann Archer").update(user=None)
    assert in_full(club).author(row) == "bob baker"
