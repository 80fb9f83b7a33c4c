"""Imports and what others write between the plan and the deed, or while a file is being read."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from league.draws.matches_by_hand import add_match
from league.errors import LeagueError
from league.events.entries import enter_players
from league.events.events import change_event
from league.events.house_rules import next_version
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions, ImportPlan
from league.management.commands import import_hands
from league.matches.line_ups import set_line_up
from league.models import Club, ClubRules, Event, Match, Round
from league.people.players import create_player
from scoring.core.rules import Rules
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, sheet_of
from tests.kept import contents
from tests.league.hand_files import Row, comes, command, file_of, knock
from tests.refusals import refuses


@pytest.fixture
def cup(club: Club, own_rules: ClubRules) -> Event:
    """The event of the plain rows, Ann and Bob entered, nothing drawn."""
    event: Event = EventFactory.create(club=club, name="Winter Cup", rules=own_rules.rules)
    players = [create_player(actor=OPERATOR, club=club, name=name) for name in ("Ann", "Bob")]
    enter_players(actor=OPERATOR, event=event, players=players)
    return event


def planned(club: Club) -> ImportPlan:
    options = ImportOptions(create=True)
    return plan_import(club=club, data=file_of(knock(1)), file_name="night.csv", options=options)


def assert_refused(plan: ImportPlan) -> None:
    before = contents()
    with refuses(LeagueError, "changed_meanwhile"):
        apply_import(actor=OPERATOR, plan=plan)
    assert contents() == before


@pytest.mark.django_db
def test_rules_that_were_changed_meanwhile_import_nothing(cup: Event, own_rules: ClubRules) -> None:
    plan = planned(cup.club)
    rules = next_version(actor=OPERATOR, club_rules=own_rules, name="Ours", rules=Rules(columns=1)).rules
    change_event(actor=OPERATOR, event=cup, rules=rules)
    assert_refused(plan)
    apply_import(actor=OPERATOR, plan=planned(cup.club))
    match = Match.objects.select_related("sheet").get()
    assert sheet_of(match).rules_id == rules.pk


@pytest.mark.django_db
def test_sheet_that_was_opened_meanwhile_imports_nothing(cup: Event) -> None:
    first, second = cup.entries.order_by("name")
    round_ = Round.objects.create(event=cup, number=1)
    match = add_match(actor=OPERATOR, round_=round_, entry_a=first, entry_b=second)
    sheet = match.sheet
    assert sheet is not None
    match.appearances.all().delete()
    Match.objects.filter(pk=match.pk).update(sheet=None, label="W1-1")
    sheet.delete()
    plan = planned(cup.club)
    for side, entry in enumerate((first, second)):
        set_line_up(actor=OPERATOR, match=match, side=side, players=list(entry.players.all()))
    assert_refused(plan)


ROWS: dict[str, tuple[Row, ...]] = {
    "deals": (knock(1),),
    "from deal 1 on": (comes(1, "Xid", "Ann"), knock(1, "Xid", defender="Bob")),
    "from deal 2 on": (knock(1), comes(2, "Xid", "Ann"), knock(2, "Xid", defender="Bob")),
}


@pytest.mark.django_db
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_line_up_that_was_changed_meanwhile_imports_nothing(cup: Event, rows: tuple[Row, ...]) -> None:
    first, second = cup.entries.order_by("name")
    _xid, yve = (create_player(actor=OPERATOR, club=cup.club, name=name) for name in ("Xid", "Yve"))
    round_ = Round.objects.create(event=cup, number=1)
    match = add_match(actor=OPERATOR, round_=round_, entry_a=first, entry_b=second)
    Match.objects.filter(pk=match.pk).update(label="W1-1")
    plan = plan_import(
        club=cup.club, data=file_of(*rows), file_name="night.csv", options=ImportOptions(create=True)
    )
    set_line_up(actor=OPERATOR, match=match, side=0, players=[yve])
    assert_refused(plan)


@pytest.mark.django_db(transaction=True)
def test_file_is_read_and_planned_outside_any_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ClubFactory.create(slug="harbour")
    file = tmp_path / "night.csv"
    file.write_bytes(file_of(knock(1)))
    inside: list[bool] = []

    def plan(**fields: Any) -> ImportPlan:
        inside.append(connection.in_atomic_block)
        return plan_import(**fields)

    monkeypatch.setattr(import_hands, "plan_import", plan)
    before = contents()
    command("import_hands", file, "--create", "--dry-run")
    assert contents() == before
    command("import_hands", file, "--create")
    assert inside == [False, False]
    assert Match.objects.count() == 1


@pytest.mark.django_db
def test_club_made_for_a_file_stays_away_on_a_dry_run(tmp_path: Path) -> None:
    MatchFactory.create()
    file = tmp_path / "night.csv"
    file.write_bytes(file_of(knock(1)))
    before = contents()
    said = command("import_hands", file, "--create", "--club-name", "Old Town", "--dry-run")
    assert said.endswith("Nothing was changed (--dry-run).\n")
    assert contents() == before
