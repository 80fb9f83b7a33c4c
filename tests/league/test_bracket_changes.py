"""A corrected sheet changes who goes on: before what comes next has begun, after it, and who may say so."""

import pytest

from league.draws.deciding import clear_decision, confirm_change, decide_tie, plan_change
from league.draws.forfeits import award_forfeit, clear_award
from league.draws.planning import plan_next_round
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round
from league.errors import LeagueError
from league.events.next_step import next_step
from league.models import (
    AuditEntry,
    Club,
    Event,
    FormerSheet,
    Match,
    MatchState,
    Notice,
    NoticeKind,
    Player,
    Role,
    TieDecider,
)
from league.upkeep.rebuilding import check_table
from scoring.core.actors import Actor
from scoring.models import SheetStatus
from scoring.services import void_sheet
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.entry_drafts import correction, save, sheet_of
from tests.factories import OPERATOR, UserFactory, play
from tests.kept import contents
from tests.league.bracket_play import (
    after_first_round,
    correct,
    cup,
    draw_it,
    drawn,
    match_of,
    next_round,
    pairs,
    places,
    ties,
    win,
)
from tests.league.told import as_written
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(club: Club) -> Event:
    """Four entries: E1 and E2 have come to the final, which is published and blank."""
    return after_first_round(cup(club, 4), "E1", "E2")


def names_on(event: Event, tie: int) -> list[str]:
    sheet = match_of(event, tie).sheet
    assert sheet is not None
    return [side.name for side in kept_sheet(sheet).sides]


def test_blank_sheet_of_the_next_match_takes_the_new_names(final: Event, keeper: Actor) -> None:
    code = match_of(final, 3).sheet.code  # type: ignore[union-attr]
    correct(final, 1, "E4", by=keeper)
    assert ties(final)[3] == "E4-E2"
    match = match_of(final, 3)
    assert str(match) == "E4 v E2"
    assert names_on(final, 3) == ["E4", "E2"]
    assert sheet_of(match).code == code
    assert set(match.appearances.values_list("player__name", flat=True)) == {"E4", "E2"}
    note = AuditEntry.objects.get(action="match.advance")
    assert as_written([note.before, note.after]) == [{"match": "E1 v E2"}, {"match": "E4 v E2"}]


@pytest.mark.usefixtures("mails")
def test_who_plays_in_the_next_match_now_is_told_and_who_does_not(final: Event, keeper: Actor) -> None:
    for name in ("E1", "E2", "E4"):
        user = UserFactory.create(username=name.lower(), email=f"{name.lower()}@example.test")
        Player.objects.filter(club=final.club, name=name).update(user=user)
    correct(final, 1, "E4", by=keeper)
    match = match_of(final, 3)
    told = Notice.objects.filter(kind=NoticeKind.ROUND, round=match.round, ended_at=None)
    assert set(told.values_list("user__username", flat=True)) == {"e1", "e2", "e4"}


def test_two_matches_of_a_round_exchange_their_entries(club: Club) -> None:
    event = cup(club, 4, format="double")
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    round_ = next_round(event)
    assert pairs(round_) == ["E1 v E2", "E4 v E3"]
    correct(event, 1, "E4")
    assert pairs(round_) == ["E4 v E2", "E1 v E3"]
    assert names_on(event, 3) == ["E4", "E2"]
    assert names_on(event, 4) == ["E1", "E3"]


def test_drafted_round_follows_a_correction_without_sheets(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    draft_round(actor=OPERATOR, event=event)
    correct(event, 1, "E4")
    match = match_of(event, 3)
    assert str(match) == "E4 v E2"
    assert match.sheet is None
    assert not match.appearances.exists()


def test_blank_match_goes_when_its_entry_is_no_longer_known(final: Event) -> None:
    sheet = match_of(final, 1).sheet
    assert sheet is not None
    void_sheet(actor=OPERATOR, sheet=sheet, reason="wrong table")
    recalculate(final.pk)
    assert ties(final)[3] == "?-E2"
    assert not Match.objects.filter(tie__number=3).exists()


def test_scorekeeper_may_not_change_who_goes_on_once_the_next_match_has_begun(
    final: Event, keeper: Actor
) -> None:
    win(final, 3, "E2")
    before = contents()
    with pytest.raises(LeagueError, match="only a director may do that") as refused:
        correct(final, 1, "E4", by=keeper)
    assert refused.value.code == "next_begun"
    assert contents() == before


def test_scorekeeper_may_correct_what_changes_nobody(final: Event, keeper: Actor) -> None:
    win(final, 3, "E2")
    correct(final, 1, "E1", by=keeper)
    assert ties(final)[1] == "E1-E4 E1 by sheet"


def test_page_of_the_sheet_says_why_a_correction_is_refused(final: Event, club: Club) -> None:
    win(final, 3, "E2")
    client = logged_in(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    match = match_of(final, 1)
    status, answer = save(client, match, correction("b5", version=1))
    assert status == 422
    assert "only a director may do that" in answer["message"]
    assert sheet_of(match).version == 1


def test_directors_correction_leaves_the_bracket_until_he_confirms(final: Event, director: Actor) -> None:
    win(final, 3, "E2")
    correct(final, 1, "E4", by=director)
    assert match_of(final, 1).winner_side == 1
    assert ties(final) == {1: "E1-E4 E1 by sheet", 2: "E2-E3 E2 by sheet", 3: "E1-E2 E2 by sheet"}
    change = plan_change(final.ties.get(number=1))
    assert (str(change.says), str(change.instead_of)) == ("E4", "E1")
    assert [match.label for _tie, match in change.put_away] == [match_of(final, 3).label]


def test_confirmed_change_puts_away_what_was_begun(final: Event, director: Actor) -> None:
    win(final, 3, "E2")
    old = match_of(final, 3)
    correct(final, 1, "E4", by=director)
    confirm_change(actor=director, tie=final.ties.get(number=1), reason="the sheet was misread")
    recalculate(final.pk)
    assert ties(final) == {1: "E1-E4 E4 by sheet", 2: "E2-E3 E2 by sheet", 3: "E4-E2"}
    match = match_of(final, 3)
    assert (match.state, match.round, match.table) == (MatchState.SCHEDULED, old.round, old.table)
    assert names_on(final, 3) == ["E4", "E2"]
    former = FormerSheet.objects.get()
    assert (former.sheet, former.sheet.status) == (old.sheet, SheetStatus.VOID)
    note = AuditEntry.objects.get(action="tie.change")
    assert as_written(note.before) == {
        "match": "E1 v E4",
        "winner": "E1",
        "decided_by": "sheet",
        "put_away": [old.label],
    }
    assert as_written(note.after)["winner"] == "E4"
    win(final, 3, "E4")
    assert places(final)["E4"] == 1
    assert rebuild_is_clean(final)


def rebuild_is_clean(event: Event) -> bool:
    return not check_table(Event.objects.get(pk=event.pk)).lines


def test_director_may_leave_who_has_gone_on(final: Event, director: Actor) -> None:
    win(final, 3, "E2")
    correct(final, 1, "E4", by=director)
    tie = final.ties.get(number=1)
    decide_tie(actor=director, tie=tie, winner=final.entries.get(name="E1"), reason="both agreed")
    recalculate(final.pk)
    assert ties(final)[1] == "E1-E4 E1 by director"
    assert ties(final)[3] == "E1-E2 E2 by sheet"
    with refuses(LeagueError, "not_in_doubt"):
        plan_change(final.ties.get(number=1))


def test_correction_back_settles_the_doubt(final: Event, director: Actor, keeper: Actor) -> None:
    win(final, 3, "E2")
    correct(final, 1, "E4", by=director)
    correct(final, 1, "E1", by=keeper)
    with refuses(LeagueError, "not_in_doubt"):
        confirm_change(actor=director, tie=final.ties.get(number=1), reason="?")


def test_everything_that_followed_goes_with_a_confirmed_change(club: Club, director: Actor) -> None:
    event = after_first_round(cup(club, 8), "E1", "E4", "E2", "E3")
    win(event, 5, "E1")
    win(event, 6, "E2")
    next_round(event)
    win(event, 7, "E1")
    correct(event, 1, "E8", by=director)
    put_away = [match.label for _tie, match in plan_change(event.ties.get(number=1)).put_away]
    assert put_away == [match_of(event, 5).label, match_of(event, 7).label]
    confirm_change(actor=director, tie=event.ties.get(number=1), reason="misread")
    recalculate(event.pk)
    assert ties(event)[5] == "E8-E4"
    assert ties(event)[7] == "?-E2"
    win(event, 5, "E8")
    assert pairs(next_round(event)) == ["E8 v E2"]


def test_doubt_is_a_warning_when_the_next_round_is_paired(club: Club, director: Actor) -> None:
    event = after_first_round(cup(club, 8), "E1", "E4", "E2", "E3")
    win(event, 5, "E1")
    win(event, 6, "E2")
    correct(event, 1, "E8", by=director)
    assert plan_next_round(event).warnings == (
        "Match 1: the sheets say E8, and E1 has gone on and begun to play.",
    )
    assert "the sheets say E8" in next_step(event)


def test_given_match_taken_back_after_the_next_has_begun_is_in_doubt(club: Club, director: Actor) -> None:
    event = cup(club, 4)
    drawn(event)
    award_forfeit(actor=director, match=match_of(event, 1), winner_side=0, reason="went home")
    win(event, 2, "E2")
    next_round(event)
    play(match_of(event, 3), 5)
    clear_award(actor=director, match=match_of(event, 1), reason="came back")
    recalculate(event.pk)
    assert ties(event)[1] == "E1-E4 E1 by walkover"
    assert plan_change(event.ties.get(number=1)).says is None


@pytest.fixture
def open_tie(club: Club) -> Event:
    event = cup(club, 4, tie_decider=TieDecider.DIRECTOR)
    drawn(event)
    draw_it(event, 1)
    win(event, 2, "E2")
    return event


def test_page_of_the_event_says_that_the_director_is_waited_for(open_tie: Event) -> None:
    assert "The director is to decide match 1 (E1 v E4)." in next_step(open_tie)


def test_director_decides_a_drawn_tie(open_tie: Event, director: Actor) -> None:
    tie = open_tie.ties.get(number=1)
    decide_tie(actor=director, tie=tie, winner=open_tie.entries.get(name="E4"), reason="cut the cards")
    assert ties(open_tie)[1] == "E1-E4 E4 by director"
    assert ties(open_tie)[3] == "E4-E2"
    note = AuditEntry.objects.get(action="tie.decide")
    assert (note.reason, as_written(note.after)["winner"]) == ("cut the cards", "E4")


def test_decision_is_taken_back_until_the_next_match_has_begun(open_tie: Event, director: Actor) -> None:
    tie = open_tie.ties.get(number=1)
    decide_tie(actor=director, tie=tie, winner=open_tie.entries.get(name="E4"), reason="cut the cards")
    clear_decision(actor=director, tie=open_tie.ties.get(number=1), reason="wrong name")
    assert ties(open_tie)[1] == "E1-E4"
    decide_tie(actor=director, tie=tie, winner=open_tie.entries.get(name="E1"), reason="cut the cards")
    next_round(open_tie)
    win(open_tie, 3, "E1")
    before = contents()
    with refuses(LeagueError, "next_begun"):
        clear_decision(actor=director, tie=open_tie.ties.get(number=1), reason="again")
    assert contents() == before


def test_decision_ends_a_match_that_nobody_began(club: Club, director: Actor) -> None:
    event = cup(club, 2)
    drawn(event)
    decide_tie(actor=director, tie=event.ties.get(), winner=event.entries.get(name="E2"), reason="fog")
    recalculate(event.pk)
    assert ties(event)[1] == "E1-E2 E2 by director"
    match = match_of(event, 1)
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)


@pytest.mark.parametrize(
    ("tie", "winner", "code"),
    [
        pytest.param(1, "E2", "other_entry", id="who does not stand in it"),
        pytest.param(2, "E3", "decided_already", id="decided by its sheet"),
        pytest.param(3, "E2", "not_ready", id="one side unknown"),
    ],
)
def test_director_cannot_decide(open_tie: Event, director: Actor, tie: int, winner: str, code: str) -> None:
    before = contents()
    with refuses(LeagueError, code):
        decide_tie(
            actor=director,
            tie=open_tie.ties.get(number=tie),
            winner=open_tie.entries.get(name=winner),
            reason="?",
        )
    assert contents() == before


@pytest.mark.parametrize("service", [decide_tie, clear_decision, confirm_change])
def test_only_a_director_decides(open_tie: Event, keeper: Actor, service: object) -> None:
    more = {"winner": open_tie.entries.get(name="E1")} if service is decide_tie else {}
    with refuses(LeagueError, "not_allowed"):
        service(actor=keeper, tie=open_tie.ties.get(number=1), reason="mine", **more)  # type: ignore[operator]
