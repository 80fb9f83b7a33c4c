"""Evenings that run themselves, for tests: set up, begun, gone on with by the clock, and played."""

import datetime
from typing import Any, Final

import time_machine
from django.utils import timezone

from games.models import SiteHeartbeat, TableMatch
from games.services.outages import beat_site
from league.draws.online import come_to_table
from league.events.evening_sweep import sweep_evenings
from league.events.evenings import begin_evening, set_evening
from league.models import AbsentAt, Club, Entry, Evening, Match, PlayedWhere, Player, Round
from tests.factories import OPERATOR, EntryFactory, EventFactory, house_rules
from tests.league.table_players import QUICK, by, member, play_on

START: Final = datetime.datetime(2026, 11, 6, 19, 0, tzinfo=datetime.UTC)
NAMES: Final = ("Ann", "Bob", "Cid", "Dan")


def at(clock: time_machine.Traveller, minutes: float) -> None:
    """So many minutes after the start; the site has been up until then, and looks after its evenings."""
    clock.move_to(START + datetime.timedelta(minutes=minutes))
    SiteHeartbeat.objects.update(beaten_at=timezone.now())
    sweep_evenings(timezone.now())


class Night:
    """An event of members of the club, set up to run itself.

    With `team_size` each of the names is a team's: of the members Ann, Ann2 and so on.
    """

    def __init__(self, club: Club, format_: str, names: tuple[str, ...] = NAMES, **settings: Any) -> None:
        size = settings.get("team_size", 1)
        teams = {name: [name, *(f"{name}{number}" for number in range(2, size + 1))] for name in names}
        self.players = {each: member(club, each) for team in teams.values() for each in team}
        how: dict[str, Any] = {"absent": AbsentAt.FORFEIT, "break_minutes": 5, "wait_minutes": 10}
        how |= {name: settings.pop(name) for name in list(how) if name in settings}
        if format_ == "swiss":
            settings = {"rounds_planned": 3, "check_in": True} | settings
        self.event = EventFactory.create(
            club=club, format=format_, rules=house_rules(**QUICK), played=PlayedWhere.ONLINE, **settings
        )
        self.entered: dict[int, list[Player]] = {}
        for seed, (name, team) in enumerate(teams.items(), start=1):
            players = [self.players[each] for each in team]
            entry = EntryFactory.create(event=self.event, seed=seed, name=name, players=players)
            self.entered[entry.pk] = players
        set_evening(actor=OPERATOR, event=self.event, **how)
        beat_site(timezone.now())

    def begin(self) -> None:
        begin_evening(actor=OPERATOR, event=self.event)

    @property
    def evening(self) -> Evening:
        return Evening.objects.select_related("event__club", "round").get(event=self.event)

    def entry(self, name: str) -> Entry:
        return Entry.objects.get(event=self.event, name=name)

    def matches(self, number: int) -> list[Match]:
        rows = Match.objects.filter(event=self.event, round__number=number).exclude(entry_b=None)
        return list(rows.with_sides("round", "event__club", "sheet__rules").order_by("table", "id"))

    def pair(self, match: Match) -> list[Player]:
        """Who plays it, in the order of their seats."""
        entries = [entry for side in match.sides for entry in match.side(side)]
        return [player for entry in entries for player in self.entered[entry.pk]]

    def match_of(self, name: str, number: int) -> Match:
        """The match of this round that the member plays."""
        return next(each for each in self.matches(number) if self.players[name] in self.pair(each))

    def come(self, name: str, number: int) -> TableMatch | None:
        """Come to one's table of this round."""
        match = self.match_of(name, number)
        return come_to_table(actor=by(self.players[name]), match=match)

    def play(self, number: int, absent: tuple[str, ...] = ()) -> None:
        """Everybody but some comes to his table of this round; the first side of each gives up its match."""
        for match in self.matches(number):
            pair = self.pair(match)
            tables = [
                come_to_table(actor=by(player), match=match) for player in pair if player.name not in absent
            ]
            if len(tables) == len(pair):
                *before, table = tables
                assert not any(before)
                assert table is not None
                play_on(table, *pair)

    def rounds(self) -> int:
        return Round.objects.filter(event=self.event).count()
