"""Command lines that are refused, and rules as a command line names them."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from league.errors import LeagueError
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.models import Club
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RulesError
from scoring.core.rules import Rules
from scoring.documents.knobs import rules_from_text
from tests.factories import ClubFactory, EventFactory
from tests.league.hand_files import (
    THREE_COLUMNS,
    command,
    dead,
    file_of,
    lines_of_refusal,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("clubs", "words", "sentence"),
    [
        ([], [], "There is no club yet."),
        (["harbour"], ["--club", "harbor"], "There is no club “harbor”; there are: harbour."),
        ([], ["--club", "harbor"], "There is no club “harbor”; there is none at all."),
        (["harbour", "old-town"], [], "Say which club with --club: harbour, old-town."),
        (["harbour"], ["--rules", "columns=3"], "--rules, --season and --club-name go with --create."),
        (["harbour"], ["--create", "--rules", "columns"], "rules: “columns” is not a knob with a value"),
        (["harbour"], ["--create", "--rules", "colums=3"], "rules.colums: “colums” is not a knob of"),
        (["harbour"], ["--create", "--rules", "preset=house"], "rules.preset: There is no preset “house”"),
        (["harbour"], ["--create", "--correct", "x" * 301], "A reason has at most 300 characters."),
        (["harbour"], ["--create", "--club-name", "Harbour"], "There is a club “harbour” already"),
    ],
)
def test_command_line_when_wrong_is_refused(
    tmp_path: Path, clubs: list[str], words: list[str], sentence: str
) -> None:
    for slug in clubs:
        ClubFactory.create(slug=slug)
    assert lines_of_refusal(tmp_path, file_of(dead(1)), *words)[0].startswith(sentence)


def test_file_that_is_not_there_is_refused(club: Club, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.csv cannot be read: No such file") as refusal:
        command("import_hands", tmp_path / "none.csv")
    assert refusal.value.returncode == 2


@pytest.mark.parametrize("name", ["standings", "export_hands", "rebuild"])
def test_other_commands_refuse_an_unknown_event_and_club(club: Club, name: str) -> None:
    for words in (["Nowhere"], ["Nowhere", "--club", "nowhere"]):
        with pytest.raises(CommandError, match="There is no") as refusal:
            command(name, *words)
        assert refusal.value.returncode == 2


def test_event_of_one_name_in_two_clubs_must_be_told_apart(club: Club) -> None:
    for one in (club, ClubFactory.create(slug="old-town")):
        EventFactory.create(club=one, name="Winter Cup", slug="winter-cup")
    with pytest.raises(CommandError, match="harbour/winter-cup, old-town/winter-cup"):
        command("standings", "winter-cup")
    assert "no table yet" in command("standings", "winter-cup", "--club", "harbour")


def test_importer_without_the_right_is_refused(club: Club) -> None:
    plan = plan_import(
        club=club, data=file_of(dead(1)), file_name="n.csv", options=ImportOptions(create=True)
    )
    with refuses(LeagueError, "not_allowed"):
        apply_import(actor=Actor(ActorKind.USER, "0", "Nobody"), plan=plan)


# Rules as a command line names them


def test_rules_from_text_reads_every_kind_of_knob() -> None:
    text = (
        "preset=classic, columns=3, undercut_on_tie=no, big_gin_bonus=none, shutout=none, oklahoma=off,"
        "extra_boxes.gin=1,target=150"
    )
    rules = rules_from_text(text)
    assert rules == Rules.preset(
        "classic",
        columns=3,
        undercut_on_tie=False,
        big_gin_bonus=None,
        shutout="none",
        oklahoma="off",
        extra_boxes={"gin": 1},
        target=150,
    )
    assert rules_from_text("") == Rules()
    assert rules_from_text("columns=3") == THREE_COLUMNS
    assert rules_from_text("deals=8,undercut_penalty=none") == Rules(deals=8)
    assert rules_from_text("deals=none,undercut_penalty=all") == Rules(undercut_penalty="all")


def test_rules_from_text_reads_the_knobs_of_a_kind() -> None:
    assert rules_from_text("preset=jersey, jersey.count=sum, jersey.stock_left=2") == Rules.preset(
        "jersey", jersey={"count": "sum", "stock_left": 2}
    )
    assert rules_from_text("kind=cutthroat,cutthroat.sitter_deals=no") == Rules.preset(
        "cutthroat", cutthroat={"sitter_deals": False}
    )


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("columns=3,columns=1", "conflicting_knobs", "rules.columns"),
        ("columns=", "wrong_type", "rules"),
        ("=3", "wrong_type", "rules"),
        ("columns=three", "wrong_type", "rules.columns"),
        ("extra_boxes=1", "wrong_type", "rules.extra_boxes"),
        ("jersey.count=sum", "unknown_knob", "rules.jersey"),
        ("preset=jersey,jersey.count=sum,jersey.count=each", "conflicting_knobs", "rules.jersey.count"),
        ("preset=jersey,jersey.counts=sum", "unknown_knob", "rules.jersey.counts"),
    ],
)
def test_rules_from_text_refuses_what_is_none(text: str, code: str, field: str) -> None:
    with refuses(RulesError, code, field=field):
        rules_from_text(text)
