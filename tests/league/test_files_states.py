"""Files and the life of an event: what its state and its format let a file do."""

from pathlib import Path

import pytest

from league.errors import LeagueError
from league.events.event_life import archive_event, finish_event
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.files.undoing import plan_undo, undo_import
from league.models import (
    BracketPart,
    Club,
    Event,
    EventState,
    Match,
    RatingsRequest,
    Round,
    RoundState,
    StandingsRequest,
    Tie,
)
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, RoundFactory, sheet_of
from tests.kept import contents
from tests.league.hand_files import OTHER, batch_of, dead, file_of, imported, knock, lines_of_refusal
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def finished_cup(club: Club) -> Event:
    imported(club, file_of(knock(1), knock(2)))
    return finish_event(actor=OPERATOR, event=Event.objects.get(), despite_unfinished=True)


def refused(club: Club, data: bytes, **options: str) -> str:
    before = contents()
    with refuses(LeagueError, "wrong_state") as refusal:
        imported(club, data, **options)
    assert contents() == before
    return str(refusal.value.message)


def test_event_made_by_an_import_runs(club: Club) -> None:
    imported(club, file_of(dead(1)))
    assert Event.objects.get().state == EventState.RUNNING


@pytest.mark.parametrize("state", [EventState.DRAFT, EventState.OPEN])
def test_event_that_has_not_started_takes_no_hands(club: Club, state: EventState) -> None:
    EventFactory.create(club=club, name="Winter Cup", state=state)
    assert "start it first" in refused(club, file_of(dead(1)))


def test_finished_event_takes_corrections_and_nothing_new(club: Club) -> None:
    event = finished_cup(club)
    assert imported(club, file_of(knock(1), knock(2))) is None
    refused(club, file_of(knock(1), knock(2), knock(3)))
    refused(club, file_of(dead(1, **OTHER)))
    assert imported(club, file_of(knock(1), knock(2, other=30)), correct="the paper") is not None
    archive_event(actor=OPERATOR, event=event)
    refused(club, file_of(knock(1), knock(2, other=40)), correct="the paper")


def test_event_that_is_finished_between_preview_and_yes_takes_nothing(club: Club) -> None:
    imported(club, file_of(knock(1)))
    options = ImportOptions(create=True)
    plan = plan_import(club=club, data=file_of(knock(1), knock(2)), file_name="n.csv", options=options)
    finish_event(actor=OPERATOR, event=Event.objects.get(), despite_unfinished=True)
    with refuses(LeagueError, "wrong_state"):
        apply_import(actor=OPERATOR, plan=plan)


def test_import_into_a_finished_event_is_not_undone(club: Club) -> None:
    batch = batch_of(club, file_of(knock(1), knock(2)))
    finish_event(actor=OPERATOR, event=Event.objects.get(), despite_unfinished=True)
    batch.refresh_from_db()
    with pytest.raises(LeagueError, match="reopen it first"):
        plan_undo(batch)
    with pytest.raises(LeagueError, match="reopen it first"):
        undo_import(actor=OPERATOR, batch=batch)


def test_undo_of_a_whole_event_has_the_ratings_made_anew(club: Club) -> None:
    """There is no event left whose table would ask for them."""
    batch = batch_of(club, file_of(knock(1)))
    RatingsRequest.objects.all().delete()
    undo_import(actor=OPERATOR, batch=batch)
    assert not Event.objects.exists()
    assert RatingsRequest.objects.filter(club=club).exists()
    assert not StandingsRequest.objects.exists()


def test_sheet_of_a_drafted_round_is_not_filled(club: Club, tmp_path: Path) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann"),
        entry_b=EntryFactory.create(event=event, name="Bob"),
        label="W1-1",
    )
    Round.objects.update(state=RoundState.DRAFTED)
    (line,) = lines_of_refusal(tmp_path, file_of(dead(1)))
    assert line == "row 2, round: Round 1 is a draft; publish it before its sheets are filled."
    assert Match.objects.get() == match


@pytest.mark.parametrize(
    ("event_format", "team_size"),
    [("single", 1), ("groups", 1), ("rotation", 2)],
)
def test_match_that_was_not_drawn_is_refused_where_all_are_drawn(
    club: Club, tmp_path: Path, event_format: str, team_size: int
) -> None:
    event = EventFactory.create(club=club, name="Winter Cup", format=event_format, team_size=team_size)
    for name in ("Ann", "Bob", "Cid", "Dora"):
        EntryFactory.create(event=event, name=name)
    rows = [knock(1)]
    if team_size == 2:
        sides = {"side_a": "Ann+Cid", "side_b": "Bob+Dora"}
        rows = [knock(1, a, **sides | {"defender": b}) for a, b in (("Ann", "Bob"), ("Cid", "Dora"))]
    (line, *_) = lines_of_refusal(tmp_path, file_of(*rows), "--create")
    assert line == "row 2, sheet: “Winter Cup” has no sheet W1-1, and takes none that it has not drawn."
    assert not Match.objects.exists()


def test_sheets_of_one_tie_are_of_one_round(club: Club) -> None:
    """The same two play twice in a round, on sheets of one tie."""
    event = EventFactory.create(club=club, name="Winter Cup", format="single", best_of=3)
    ann, bob = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    tie = Tie.objects.create(
        event=event, number=1, part=BracketPart.WINNERS, level=1, stage=1, entry_a=ann, entry_b=bob
    )
    round_ = RoundFactory.create(event=event)
    for leg in (1, 2):
        match = MatchFactory.create(
            event=event, round=round_, entry_a=ann, entry_b=bob, label=f"W1-{leg}", tie=tie, leg=leg
        )
    imported(club, file_of(knock(1, date=""), knock(1, sheet="W1-2", date="")))
    match.refresh_from_db()
    assert sheet_of(match).deal_count == 1
