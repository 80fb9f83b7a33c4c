"""Brackets in which everything happens by chance: results, corrections, doubts, decisions, withdrawals."""

from random import Random

import pytest

from league.errors import LeagueError
from league.models import UNPLAYED, Club, Event, EventFormat, Match, MatchState, TieDecider
from league.services.advancing import settle_ties, unsettled
from league.services.deciding import confirm_change, decide_tie
from league.services.entries import withdraw_entry
from league.services.placings import placings
from league.services.round_life import draft_round, publish_round
from league.services.standings import recalculate
from league.services.tie_tree import bracket_now
from scoring.records import kept_sheet
from scoring.services import correct_deals, stop_sheet
from tests.factories import OPERATOR, play, won
from tests.league.bracket_play import cup, drawn

pytestmark = pytest.mark.django_db


class Story:
    """One event and the chance that drives it."""

    def __init__(self, event: Event, seed: int) -> None:
        self.event, self.chance, self.points = event, Random(seed), 5

    def run(self, steps: int) -> None:
        for _step in range(steps):
            act = self.chance.choices(
                [self.play, self.correct, self.confirm, self.decide, self.pair, self.withdraw],
                [8, 3, 2, 2, 4, 0.2],
            )[0]
            act()
            recalculate(self.event.pk)
            self.check()

    def finish(self) -> None:
        """Everything is played as it comes, until there is nothing left."""
        for _try in range(60):
            self.confirm()
            self.decide()
            while self.play():
                recalculate(self.event.pk)
            recalculate(self.event.pk)
            self.check()
            if not self.pair() and not self.confirm() and not self.decide():
                recalculate(self.event.pk)
                if not self.event.matches.filter(state__in=UNPLAYED).exists():
                    return

    def check(self) -> None:
        """Nothing is left to settle, and every sheet is that of those who stand in its tie."""
        event = Event.objects.get(pk=self.event.pk)
        assert unsettled(event) == []
        assert settle_ties(event) is False
        for match in Match.objects.filter(event=event, tie__isnull=False).select_related("tie"):
            assert match.tie is not None
            assert {match.entry_a_id, match.entry_b_id} == {match.tie.entry_a_id, match.tie.entry_b_id}
            if match.sheet is not None:
                names = [side.name for side in kept_sheet(match.sheet).sides]
                assert names == [match.side_name(0), match.side_name(1)]

    def play(self) -> bool:
        rows = self.event.matches.filter(state=MatchState.SCHEDULED, sheet__isnull=False)
        matches = list(rows.exclude(tie=None).select_related("sheet", "event").order_by("pk"))
        if not matches:
            return False
        match = self.chance.choice(matches)
        try:
            if self.chance.random() < 0.15 and match.sheet is not None:
                stop_sheet(actor=OPERATOR, sheet=match.sheet)
            else:
                play(match, self.chance.choice((5, -5)))
        except LeagueError as refusal:
            if refusal.code != "withdrawn":
                raise
        return True

    def correct(self) -> None:
        rows = self.event.matches.filter(state=MatchState.FINISHED).exclude(tie=None)
        matches = list(rows.select_related("sheet").order_by("pk"))
        if matches:
            match = self.chance.choice(matches)
            assert match.sheet is not None
            winner, loser = self.chance.sample([match.side_name(0), match.side_name(1)], 2)
            # Never what the sheet says already.
            self.points += 1
            changes = {1: won(winner, loser, self.points)}
            correct_deals(
                actor=OPERATOR,
                sheet=match.sheet,
                changes=changes,
                reason="misread",
                expected_version=match.sheet.version,
            )

    def confirm(self) -> bool:
        now = bracket_now(self.event)
        assert now is not None
        doubtful = [tie for tie in now.ties.values() if tie.in_doubt]
        if not doubtful:
            return False
        confirm_change(actor=OPERATOR, tie=doubtful[0].tie, reason="so it was")
        return True

    def decide(self) -> bool:
        now = bracket_now(self.event)
        assert now is not None
        asked = [tie for tie in now.ties.values() if tie.needs_director and tie.pair is not None]
        if not asked:
            return False
        assert asked[0].pair is not None
        winner = next(entry for entry in asked[0].pair if entry.withdrawn_at is None)
        decide_tie(actor=OPERATOR, tie=asked[0].tie, winner=winner, reason="cut the cards")
        return True

    def pair(self) -> bool:
        try:
            round_ = draft_round(actor=OPERATOR, event=self.event, despite_missing=True)
        except LeagueError as refusal:
            if refusal.code not in ("no_more_rounds", "nothing_ready"):
                raise
            return False
        publish_round(actor=OPERATOR, round_=round_)
        return True

    def withdraw(self) -> None:
        left = list(self.event.entries.filter(withdrawn_at=None).order_by("pk"))
        if len(left) > 3:
            withdraw_entry(actor=OPERATOR, entry=self.chance.choice(left), reason="ill")


@pytest.mark.parametrize("seed", [0, 1, 2, 7])
@pytest.mark.parametrize(
    ("format", "settings"),
    [
        (EventFormat.SINGLE_ELIMINATION, {"third_place": True, "tie_decider": TieDecider.DIRECTOR}),
        (EventFormat.SINGLE_ELIMINATION, {"best_of": 3}),
        (EventFormat.DOUBLE_ELIMINATION, {"tie_decider": TieDecider.LOT}),
    ],
    ids=["director", "best of three", "double"],
)
def test_bracket_holds_whatever_happens(
    club: Club, format: str, settings: dict[str, object], seed: int, long: bool
) -> None:
    event = cup(club, 7, format=format, **settings)
    drawn(event)
    story = Story(event, seed)
    story.run(120 if long else 25)
    story.finish()
    assert sorted(placings(event).values())[:2] == [1, 2]
    assert len(placings(event)) == 7
