"""Brackets in which everything happens by chance, and the worker comes now and then: nothing ever sticks."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from league.core.pairing.elimination import Readiness
from league.draws.advancing import settle_ties, unsettled
from league.draws.bracket_rounds import for_the_director
from league.draws.deciding import clear_decision, confirm_change, decide_tie
from league.draws.forfeits import award_forfeit, award_walkover, clear_award
from league.draws.planning import plan_next_round
from league.draws.recalculating import recalculate
from league.draws.round_life import discard_round, draft_round, publish_round, unpublish_round
from league.draws.tie_tree import bracket_now
from league.errors import LeagueError
from league.events.entries import reinstate_entry, withdraw_entry
from league.matches.matches import renew_sheet
from league.models import (
    UNFINISHED,
    Event,
    Match,
    MatchState,
    RoundState,
    StandingsRequest,
    TieDecider,
    TieDecision,
)
from league.tables.placings import placings
from scoring.core.errors import ScoringError
from scoring.models import SheetStatus
from scoring.services import correct_deals, stop_sheet, void_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, ClubFactory, play, won
from tests.league.bracket_play import cup, drawn
from tests.league.shared_seeds import told_here

pytestmark = pytest.mark.django_db

_UNFINISHED = (Readiness.READY, Readiness.WAITING)


class Story:
    """One event and the chance that drives it."""

    def __init__(self, event: Event, seed: int, lag: float = 0) -> None:
        self.event, self.chance, self.points, self.lag = event, Random(seed), 5, lag

    def run(self, steps: int) -> None:
        acts: dict[Callable[[], object], float] = {
            self.play: 8,
            self.correct: 3,
            self.confirm: 1.5,
            self.decide: 2,
            self.pair: 4,
            self.withdraw: 0.3,
            self.reinstate: 0.3,
            self.void: 1.5,
            self.renew: 1.5,
            self.give: 0.7,
            self.take_back: 0.7,
            self.unpublish: 0.5,
        }
        for _step in range(steps):
            act = self.chance.choices(list(acts), list(acts.values()))[0]
            act()
            self.settle()

    def settle(self, *, comes: bool = False) -> None:
        """The worker, who is late with a chance of `lag`."""
        if comes or self.chance.random() >= self.lag:
            recalculate(self.event.pk)
            self.check()

    def finish(self) -> None:
        """Everything is played as it comes, until there is nothing left."""
        for _try in range(60):
            self.settle(comes=True)
            goes_on = [self.confirm(), self.decide(), self.renew()]
            while self.play():
                self.settle()
                goes_on.append(True)
            self.settle(comes=True)
            if not any([*goes_on, self.pair()]):
                return

    def check(self) -> None:
        """Nothing is left to settle, every sheet is that of those who stand there, and somebody can act."""
        event = Event.objects.get(pk=self.event.pk)
        assert unsettled(event) == []
        assert settle_ties(event) is False
        assert not StandingsRequest.objects.filter(event=event).exists()
        now = bracket_now(event)
        assert now is not None
        unfinished = [tie for tie in now.ties.values() if tie.readiness in _UNFINISHED]
        sheets = [match for tie in unfinished for match in tie.own_sheets if match.state in UNFINISHED]
        if unfinished and not sheets and not for_the_director(now):
            # Nothing to play and nothing to decide: the next round is drafted, or can be.
            drafted = event.rounds.filter(state=RoundState.DRAFTED).exists()
            assert drafted or plan_next_round(event, despite_missing=True).matches
        for match in Match.objects.filter(event=event, tie__isnull=False).select_related("tie"):
            assert match.tie is not None
            assert {match.entry_a_id, match.entry_b_id} == {match.tie.entry_a_id, match.tie.entry_b_id}
            if match.sheet is not None and match.sheet.status != SheetStatus.VOID:
                names = [side.name for side in kept_sheet(match.sheet).sides]
                assert names == [match.side_name(0), match.side_name(1)]

    def play(self) -> bool:
        rows = self.event.matches.filter(state=MatchState.SCHEDULED, sheet__status=SheetStatus.OPEN)
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
            self.settle(comes=True)
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
        winner = self.chance.choice([entry for entry in asked[0].pair if entry.withdrawn_at is None])
        decide_tie(actor=OPERATOR, tie=asked[0].tie, winner=winner, reason="cut the cards")
        return True

    def pair(self) -> bool:
        """A round more, and every draft is published or, where nothing is left of it, deleted."""
        drafts = self.event.rounds.filter(state=RoundState.DRAFTED)
        if not drafts.exists():
            try:
                draft_round(actor=OPERATOR, event=self.event, despite_missing=True)
            except LeagueError as refusal:
                if refusal.code not in ("no_more_rounds", "nothing_ready"):
                    raise
                return False
            self.settle()
        for round_ in drafts.order_by("-number"):
            try:
                publish_round(actor=OPERATOR, round_=round_)
            except LeagueError as refusal:
                if refusal.code != "no_matches":
                    raise
                discard_round(actor=OPERATOR, round_=round_)
        return True

    def withdraw(self) -> None:
        left = list(self.event.entries.filter(withdrawn_at=None).order_by("pk"))
        if len(left) > 3:
            give = self.chance.random() < 0.5
            withdraw_entry(actor=OPERATOR, entry=self.chance.choice(left), reason="ill", give_matches=give)

    def reinstate(self) -> None:
        for entry in self.event.entries.exclude(withdrawn_at=None):
            reinstate_entry(actor=OPERATOR, entry=entry, reason="came after all")

    def void(self) -> None:
        match = self.some_match()
        if match.sheet is not None:
            tried(void_sheet, actor=OPERATOR, sheet=match.sheet, reason="misdealt")

    def renew(self) -> bool:
        rows = self.event.matches.filter(state=MatchState.SCHEDULED, sheet__status=SheetStatus.VOID)
        matches = list(rows.order_by("pk"))
        for match in matches:
            renew_sheet(actor=OPERATOR, match=match)
        return bool(matches)

    def give(self) -> None:
        how = self.chance.choice((award_walkover, award_forfeit))
        side = self.chance.choice((0, 1, None))
        tried(how, actor=OPERATOR, match=self.some_match(), winner_side=side, reason="no-show")

    def take_back(self) -> None:
        tried(clear_award, actor=OPERATOR, match=self.some_match(), reason="he came")
        for tie in self.event.ties.filter(decided_by=TieDecision.DIRECTOR):
            tried(clear_decision, actor=OPERATOR, tie=tie, reason="wrong name")

    def unpublish(self) -> None:
        tried(unpublish_round, actor=OPERATOR, round_=self.some_match().round)

    def some_match(self) -> Match:
        rows = self.event.matches.exclude(tie=None).select_related("sheet", "event", "round")
        return self.chance.choice(list(rows.order_by("pk")))


def tried(service: Callable[..., object], **what: object) -> None:
    """What may be refused as it comes."""
    with suppress(LeagueError, ScoringError):
        service(**what)


@pytest.mark.dear("tells whole brackets by chance")
@pytest.mark.parametrize(("seeds", "lag"), [((0, 1), 0), ((2, 7), 0.7)], ids=["at once", "late"])
@pytest.mark.parametrize(
    ("format", "settings"),
    [
        ("single", {"third_place": True, "tie_decider": TieDecider.DIRECTOR}),
        ("single", {"best_of": 3}),
        ("double", {"tie_decider": TieDecider.LOT}),
    ],
    ids=["director", "best of three", "double"],
)
def test_bracket_holds_whatever_happens(
    format: str, settings: dict[str, object], seeds: tuple[int, int], lag: float, long: bool
) -> None:
    for seed in told_here(seeds, long=long):
        event = cup(ClubFactory.create(), 7, format=format, **settings)
        drawn(event)
        story = Story(event, seed, lag)
        story.run(120 if long else 25)
        story.finish()
        assert sorted(placings(event).values())[:2] == [1, 2]
        assert len(placings(event)) == 7
