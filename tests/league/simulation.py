"""Events played to the end through the services: results, withdrawals and late entries by a seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from league.draws.brackets import draw_bracket
from league.draws.forfeits import award_walkover
from league.draws.group_rounds import draw_groups
from league.draws.levels import decide_level, undecided
from league.draws.movements import draw_movement, draw_rest
from league.draws.recalculating import recalculate
from league.draws.round_life import complete_round, draft_round, publish_round
from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.events.entries import enter_late, enter_players, enter_team, withdraw_entry
from league.events.event_life import finish_event, start_event
from league.models import UNFINISHED, CutHow, Entry, Event, EventKind, Match, Round, Standing, traits_of
from scoring.core.sheets import Deal, TeamLine
from scoring.services import record_deals, stop_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, ClubFactory, EventFactory, PlayerFactory, house_rules, key_of, won

# One deal ends a sheet, and what it is worth is its net.
SHORT: Final[Mapping[str, Any]] = {
    "columns": 1,
    "target": 1,
    "team_target": 1,
    "box_bonus": 0,
    "game_bonus": 0,
    "shutout": "none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What an event goes through.

    Chances: `withdraws` per entry and round, `given` and `drawn` per match. So many entries come `late`, and
    never fewer than `fewest` are left.
    """

    format: str
    entries: int
    seed: int
    rounds: int | None = None
    withdraws: float = 0.0
    late: int = 0
    given: float = 0.05
    drawn: float = 0.1
    fewest: int = 4
    settings: Mapping[str, Any] = field(default_factory=dict)


class Simulation:
    """One event from its start to its end, and what was done in it, as lines that name no row."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.chance = Random(course.seed)
        self.told: list[str] = []
        # The last round that was drawn before an entry went.
        self.gone: dict[Entry, int] = {}
        settings = dict(course.settings)
        if course.format == "rotation":
            settings["team_size"] = 2
        self.event: Event = EventFactory.create(
            club=ClubFactory.create(),
            name="Random Cup",
            format=course.format,
            rounds_planned=course.rounds,
            rules=house_rules(**SHORT),
            state="open",
            **settings,
        )
        self.enter(course.entries)

    def run(self) -> "Simulation":
        """Plays the event to its end and finishes it."""
        self.event = start_event(actor=OPERATOR, event=self.event)
        if self.course.format == "rotation":
            self._rotate()
        else:
            self._play_by_rounds()
        recalculate(self.event.pk)
        self.event = finish_event(actor=OPERATOR, event=Event.objects.get(pk=self.event.pk))
        for row in Standing.objects.filter(event=self.event).select_related("entry"):
            self.told.append(f"{row.rank}. {row.entry} {row.points} {row.net}")
        return self

    def _play_by_rounds(self) -> None:
        draw_whole = {"round_robin": draw_round_robin, "groups": draw_groups}
        if self.course.format in draw_whole:
            for round_ in draw_whole[self.course.format](actor=OPERATOR, event=self.event):
                self.play(round_)
        if self.course.format != "round_robin":
            while (paired := self.next_round()) is not None:
                self.play(paired)

    def _rotate(self) -> None:
        """All rounds are drawn at once; the rest is drawn anew where somebody has come or gone."""
        rounds = len(draw_movement(actor=OPERATOR, event=self.event))
        for number in range(1, rounds + 1):
            self.play(self.event.rounds.get(number=number))
            if number < rounds and self._come_and_go(after=number):
                draw_rest(actor=OPERATOR, event=self.event)

    def enter(self, count: int) -> None:
        """Enters so many more, named by number."""
        event = self.event
        first = event.entries.count() + 1
        size = event.team_size if event.kind == EventKind.TEAM else 1
        for number in range(first, first + count):
            players = [
                PlayerFactory.create(club=event.club, name=f"P{number:03}{letter}")
                for letter in ([""] if size == 1 else "abcdefghijkl"[:size])
            ]
            if event.rounds.exists():
                enter_late(actor=OPERATOR, event=event, players=players, name=f"Team {number:03}")
            elif size == 1:
                enter_players(actor=OPERATOR, event=event, players=players)
            else:
                enter_team(actor=OPERATOR, event=event, name=f"Team {number:03}", players=players)
            self.told.append(f"entered {number}")
        for entry in event.entries.all():
            Entry.objects.filter(pk=entry.pk).update(lot_key=key_of(entry.name))

    def next_round(self) -> Round | None:
        """The next round, published; before it somebody may come or go. None where there is no other."""
        recalculate(self.event.pk)
        if last := self.event.rounds.count():
            self._come_and_go(after=last)
        if traits_of(self.event).has_bracket and not self.event.ties.exists():
            self._decide_levels()
            round_ = draw_bracket(actor=OPERATOR, event=self.event)
        else:
            try:
                round_ = draft_round(actor=OPERATOR, event=self.event, accept_offer=True)
            except LeagueError as refusal:
                if refusal.code != "no_more_rounds":
                    raise
                return None
        return publish_round(actor=OPERATOR, round_=round_)

    def _decide_levels(self) -> None:
        """Puts who is level in the groups in the order of the names."""
        while asked := undecided(self.event):
            order = sorted(asked[0].entries, key=lambda entry: entry.name)
            decide_level(
                actor=OPERATOR,
                event=self.event,
                key=asked[0].cut.key,
                how=CutHow.WORD,
                order=order,
                reason="by name",
            )
            self.told.append("level: " + ", ".join(entry.name for entry in order))

    def play(self, round_: Round) -> None:
        """Plays whatever of the round can be played, extra sheets too, and closes it."""
        while matches := list(
            round_.matches.filter(state__in=UNFINISHED, sheet__isnull=False)
            .select_related("entry_a", "entry_b", "sheet")
            .order_by("table", "leg", "label")
        ):
            for match in matches:
                self._decide(match)
            recalculate(self.event.pk)
        complete_round(actor=OPERATOR, round_=round_)

    def _decide(self, match: Match) -> None:
        assert match.sheet is not None
        what = self.chance.random()
        winner = self.chance.randint(0, 1)
        points = self.chance.randint(1, 60)
        line = f"{match.label} {match}: "
        if what < self.course.given:
            award_walkover(actor=OPERATOR, match=match, winner_side=winner, reason="not there")
            self.told.append(f"{line}given to {winner}")
            return
        if what < self.course.given + self.course.drawn:
            stop_sheet(actor=OPERATOR, sheet=match.sheet)
            self.told.append(f"{line}drawn")
            return
        sides = kept_sheet(match.sheet).sides
        names = [sides[winner].name, sides[1 - winner].name]
        alone = len(sides[0].players) == 1
        deal = won(names[0], names[1], points) if alone else Deal(line=TeamLine(names[0], points))
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=[deal])
        self.told.append(f"{line}{winner} by {points}")

    def _come_and_go(self, *, after: int) -> bool:
        """What may happen after a round; whether anything has."""
        before = len(self.told)
        there = list(Entry.objects.filter(event=self.event, withdrawn_at=None).order_by("name"))
        for entry in there:
            if len(there) > self.course.fewest and self.chance.random() < self.course.withdraws:
                withdraw_entry(actor=OPERATOR, entry=entry, reason="gone home", give_matches=True)
                self.gone[entry] = after
                self.told.append(f"{entry} has gone")
                break
        come = self.event.entries.count() - self.course.entries
        if come < self.course.late and self.chance.random() < 0.6:
            self.enter(1)
        return len(self.told) > before
