"""Brackets whose sheets are voided, taken back, or ahead of the worker: what was begun stays."""

import pytest

from league.draws import advancing
from league.draws.advancing import unsettled
from league.draws.deciding import confirm_change, decide_tie, plan_change
from league.draws.forfeits import clear_award
from league.draws.matches_by_hand import add_match, remove_match
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round, repair_round
from league.errors import LeagueError
from league.events.entries import reinstate_entry, withdraw_entry
from league.events.next_step import next_step
from league.matches.matches import renew_sheet
from league.models import (
    Club,
    Event,
    FormerSheet,
    Match,
    MatchState,
    Standing,
    StandingsRequest,
    TieDecider,
)
from league.record.locking import Clash
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services import correct_deals, stop_sheet, void_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, play, won
from tests.kept import contents
from tests.league.bracket_play import (
    after_first_round,
    correct,
    cup,
    drawn,
    match_of,
    pairs,
    places,
    ties,
    win,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(club: Club) -> Event:
    """Four entries: E1 and E2 have begun the final; its first sheet is won by E1."""
    event = after_first_round(cup(club, 4), "E1", "E2")
    win(event, 3, "E1")
    return event


def sheet_of(event: Event, tie: int, leg: int = 1) -> Scoresheet:
    sheet = match_of(event, tie, leg).sheet
    assert sheet is not None
    return sheet


def misread(event: Event, tie: int, by: Actor) -> None:
    """The sheet of a tie is corrected so that its loser has won; no worker comes."""
    sheet = sheet_of(event, tie)
    first, second = (side.name for side in kept_sheet(sheet).sides)
    correct_deals(
        actor=by,
        sheet=sheet,
        changes={1: won(second, first, 7)},
        reason="misread",
        expected_version=sheet.version,
    )


def test_voided_sheet_stays_with_its_entries_where_others_come(final: Event, keeper: Actor) -> None:
    old = sheet_of(final, 3)
    void_sheet(actor=OPERATOR, sheet=old, reason="misdealt")
    recalculate(final.pk)
    correct(final, 1, "E4", by=keeper)
    assert ties(final)[3] == "E4-E2"
    new = sheet_of(final, 3)
    assert new != old
    assert [side.name for side in kept_sheet(new).sides] == ["E4", "E2"]
    assert [side.name for side in kept_sheet(old).sides] == ["E1", "E2"]
    assert FormerSheet.objects.get().sheet == old
    assert not StandingsRequest.objects.filter(event=final).exists()
    win(final, 3, "E4")
    assert places(final)["E4"] == 1


def test_doubt_ends_where_the_sheet_that_was_begun_is_voided(final: Event) -> None:
    correct(final, 1, "E4")
    assert ties(final)[3] == "E1-E2 E1 by sheet"
    void_sheet(actor=OPERATOR, sheet=sheet_of(final, 3), reason="the wrong two")
    recalculate(final.pk)
    assert ties(final)[3] == "E4-E2"
    assert [side.name for side in kept_sheet(sheet_of(final, 3)).sides] == ["E4", "E2"]


def test_pairing_stores_what_it_pairs_from(club: Club, keeper: Actor) -> None:
    """No worker has come since the semifinals: pairing the final says who has gone on."""
    event = cup(club, 4)
    drawn(event)
    play(match_of(event, 1), 5)
    play(match_of(event, 2), 5)
    round_ = draft_round(actor=OPERATOR, event=event)
    assert ties(event)[3] == "E1-E2"
    assert unsettled(Event.objects.get(pk=event.pk)) == []
    publish_round(actor=OPERATOR, round_=round_)
    play(match_of(event, 3), 5)
    before = contents()
    with refuses(LeagueError, "next_begun"):
        misread(event, 1, keeper)
    assert contents() == before
    misread(event, 1, OPERATOR)
    recalculate(event.pk)
    assert "Match 1: the sheets say E4, and E1 has gone on and begun to play." in next_step(event)
    confirm_change(actor=OPERATOR, tie=event.ties.get(number=1), reason="misread")
    assert str(match_of(event, 3)) == "E4 v E2"


def test_drafted_round_is_published_as_its_sheets_say_now(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    round_ = draft_round(actor=OPERATOR, event=event)
    misread(event, 1, OPERATOR)
    assert pairs(publish_round(actor=OPERATOR, round_=round_)) == ["E4 v E2"]
    assert [side.name for side in kept_sheet(sheet_of(event, 3)).sides] == ["E4", "E2"]
    misread(event, 2, OPERATOR)
    repair_round(actor=OPERATOR, round_=round_)
    assert ties(event)[3] == "E4-E3"


@pytest.mark.parametrize("stored", [None, "E4"], ids=["nobody was written", "another was written"])
def test_who_sits_on_the_begun_sheet_has_gone_on(final: Event, keeper: Actor, stored: str | None) -> None:
    winner = stored and final.entries.get(name=stored)
    final.ties.filter(number=1).update(winner=winner, decided_by="sheet" if stored else "")
    before = contents()
    with refuses(LeagueError, "next_begun"):
        misread(final, 1, keeper)
    assert contents() == before
    correct(final, 1, "E4")
    assert ties(final)[1] == "E1-E4 E1 by sheet"
    assert str(plan_change(final.ties.get(number=1)).says) == "E4"


def test_sheet_begun_by_others_waits_for_the_director(final: Event) -> None:
    """Nothing leads there any more; a file from elsewhere, or a hand in the database, may."""
    Match.objects.filter(tie__number=3).update(entry_a=final.entries.get(name="E3"))
    recalculate(final.pk)
    tie = final.ties.get(number=3)
    assert "Match 3 is for E1 v E2, and E3 v E2 have begun to play in it." in next_step(final)
    with refuses(LeagueError, "next_begun"):
        decide_tie(actor=OPERATOR, tie=tie, winner=final.entries.get(name="E1"), reason="fog")
    old = sheet_of(final, 3)
    confirm_change(actor=OPERATOR, tie=tie, reason="sat down at the wrong table")
    assert FormerSheet.objects.get().sheet == old
    assert str(match_of(final, 3)) == "E1 v E2"
    win(final, 3, "E2")
    assert places(final)["E2"] == 1


def test_table_is_made_and_asked_for_again_where_the_bracket_cannot_be_settled(
    final: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def always_changed(*_args: object) -> bool:
        raise Clash

    void_sheet(actor=OPERATOR, sheet=sheet_of(final, 1), reason="misdealt")
    void_sheet(actor=OPERATOR, sheet=sheet_of(final, 3), reason="misdealt")
    # Somebody is faster each time.
    monkeypatch.setattr(advancing, "_settle", always_changed)
    assert recalculate(final.pk)
    assert StandingsRequest.objects.filter(event=final).exists()
    assert Standing.objects.get(entry__name="E1").played == 0
    monkeypatch.undo()
    recalculate(final.pk)
    assert not StandingsRequest.objects.filter(event=final).exists()
    assert ties(final)[3] == "?-E2"


def test_bracket_keeps_its_sheets(club: Club) -> None:
    event = cup(club, 2, best_of=3)
    drawn(event)
    win(event, 1, "E1")
    void_sheet(actor=OPERATOR, sheet=sheet_of(event, 1), reason="misdealt")
    renew_sheet(actor=OPERATOR, match=match_of(event, 1))
    before = contents()
    with refuses(LeagueError, "bracket"):
        remove_match(actor=OPERATOR, match=match_of(event, 1))
    assert contents() == before


def test_tie_whose_first_sheet_is_missing_goes_on(club: Club) -> None:
    event = cup(club, 2, best_of=3)
    drawn(event)
    win(event, 1, "E1")
    Match.objects.filter(leg=1).delete()
    win(event, 1, "E2", leg=2)
    assert list(Match.objects.order_by("leg").values_list("leg", flat=True)) == [2, 3]
    win(event, 1, "E2", leg=3)
    assert ties(event)[1] == "E1-E2 E2 by sheet"


def test_voided_sheet_is_played_again_before_the_tie_goes_on(club: Club) -> None:
    event = cup(club, 2, best_of=3)
    drawn(event)
    win(event, 1, "E1")
    void_sheet(actor=OPERATOR, sheet=sheet_of(event, 1), reason="misdealt")
    win(event, 1, "E2", leg=2)
    renew_sheet(actor=OPERATOR, match=match_of(event, 1))
    assert not Match.objects.filter(leg=3).exists()
    win(event, 1, "E2")
    assert ties(event)[1] == "E1-E2 E2 by sheet"


def test_extra_sheet_is_waited_for_before_the_worker_makes_it(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 2, "E2")
    stop_sheet(actor=OPERATOR, sheet=sheet_of(event, 1))
    assert "Match 1 (E1 v E4) goes on with another sheet." in next_step(event)
    with refuses(LeagueError, "results_missing"):
        draft_round(actor=OPERATOR, event=event)


def test_walkover_is_not_taken_back_while_the_entry_is_withdrawn(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    gone = event.entries.get(name="E1")
    withdraw_entry(actor=OPERATOR, entry=gone, reason="ill")
    recalculate(event.pk)
    before = contents()
    with refuses(LeagueError, "withdrawn"):
        clear_award(actor=OPERATOR, match=match_of(event, 1), reason="came after all")
    assert contents() == before
    reinstate_entry(actor=OPERATOR, entry=gone, reason="came after all")
    clear_award(actor=OPERATOR, match=match_of(event, 1), reason="came after all")
    recalculate(event.pk)
    assert ties(event)[1] == "E1-E4"
    assert match_of(event, 1).state == MatchState.SCHEDULED


def test_walkover_that_follows_from_a_decision_goes_with_it(club: Club) -> None:
    event = cup(club, 2, tie_decider=TieDecider.DIRECTOR)
    drawn(event)
    decide_tie(actor=OPERATOR, tie=event.ties.get(), winner=event.entries.get(name="E2"), reason="fog")
    with refuses(LeagueError, "decided_already"):
        clear_award(actor=OPERATOR, match=match_of(event, 1), reason="no fog")


@pytest.mark.parametrize("format", ["single", "double"])
def test_no_match_beside_the_bracket(club: Club, format: str) -> None:
    event = cup(club, 4, format=format)
    round_ = drawn(event)
    entries = {entry.name: entry for entry in event.entries.all()}
    for each in (round_, event.rounds.create(number=2)):
        before = contents()
        with refuses(LeagueError, "bracket"):
            add_match(actor=OPERATOR, round_=each, entry_a=entries["E3"], entry_b=entries["E4"])
        assert contents() == before
