"""A Swiss in every state goes out as a file that both readers take, and comes back as it went."""

import datetime
import random
from decimal import Decimal
from typing import Any, Final

import pytest

from league.core.trf_reading import read_trf
from league.draws.confirming import confirm_result
from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.errors import LeagueError
from league.events.entries import enter_late, withdraw_entry
from league.events.events import usual_settings
from league.events.presence import set_presence
from league.files.taking_over import TakingOptions, apply_taking, plan_taking
from league.files.trf import export_trf
from league.models import Club, Event, ForbiddenPair, Match, MatchState, PresenceState, Round
from league.tables.adjustments import add_adjustment
from league.tables.results import points_so_far
from league.tables.standings import current_standings
from league.upkeep.rebuilding import check_matches, check_table
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, play
from tests.league.shared_seeds import told_here
from tests.league.swiss_rounds import swiss_of
from tests.league.trf_checker import File, checked

pytestmark = pytest.mark.django_db

SCHEMES: Final[list[dict[str, Any]]] = [
    {},
    {"win_points": 1, "draw_points": Decimal("0.5"), "bye_points": 1},
    {"win_points": 3, "draw_points": 1, "bye_points": 3},
    {"win_points": 3, "draw_points": 2, "loss_points": 1, "bye_points": 2},
    {"points_scheme": "columns", "bye_points": 4},
]
FIDE: Final = ("buchholz", "buchholz_cut1", "median_buchholz", "sonneborn_berger", "head_to_head")
SEEDS: Final = 8
LONG_SEEDS: Final = 120


def players(text: str) -> list[str]:
    """The lines of players and of their points: what a round in play changes nothing of."""
    return [line for line in text.split("\r\n") if line[:3] in ("001", "299")]


class Evening:
    """A Swiss whose settings and course are by chance, written in every state that it goes through."""

    def __init__(self, club: Club, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        scheme = SCHEMES[seed % len(SCHEMES)]
        criteria = chance.sample(FIDE, chance.randint(0, len(FIDE)))
        settings = usual_settings("swiss") if chance.random() < 0.8 else {}
        self.event: Event = swiss_of(
            club,
            chance.randint(4, 8),
            rounds_planned=chance.choice([None, 4, 4, 5]),
            criteria=["match_points", *criteria, *chance.choice([[], ["net", "lot"]])],
            counts_when=chance.choice(["at_once", "director"]),
            absent_points=chance.choice([0, 1, scheme.get("draw_points", 1), scheme.get("win_points", 2)]),
            late_points=chance.choice(
                [0, scheme.get("draw_points", 1), Decimal("1.5"), scheme.get("win_points", 2)]
            ),
            accelerated=chance.random() < 0.4,
            **settings,
            **scheme,
        )
        if not self.event.accelerated and chance.random() < 0.3:
            self.event.entries.update(seed=None)
        self.written: list[str] = []
        self.keep_apart()

    def keep_apart(self) -> None:
        if self.chance.random() < 0.3:
            one, other = sorted(
                self.chance.sample(list(self.event.entries.all()), 2), key=lambda each: each.pk
            )
            ForbiddenPair.objects.create(event=self.event, entry_a=one, entry_b=other)

    def write(self) -> File:
        """The file as of now: both readers take it, and its points are those of the table of its rounds."""
        text = export_trf(self.event)
        file = checked(text)
        read = read_trf(text.encode())
        assert {player.number: player.points for player in read.players} == file.points
        self.written.append(text)
        return file

    def run(self, rounds: int) -> None:
        self.write()
        for _number in range(rounds):
            if not self._next():
                return

    def _next(self) -> bool:
        chance, event = self.chance, self.event
        number = event.rounds.count() + 1
        for entry in event.entries.filter(withdrawn_at=None):
            if chance.random() < 0.12:
                set_presence(actor=OPERATOR, event=event, entry=entry, number=number, state=PresenceState.BYE)
        try:
            date = chance.choice([None, datetime.date(2026, 9, 1) + datetime.timedelta(7 * number)])
            drafted = draft_round(actor=OPERATOR, event=event, date=date, accept_offer=True)
        except LeagueError:
            return False  # Too few are left.
        before = players(self.written[-1])
        self.write()
        round_ = publish_round(actor=OPERATOR, round_=drafted)
        self.write()
        assert [players(text) for text in self.written[-2:]] == [before] * 2
        self._play(round_, before)
        self._come_and_go()
        return True

    def _play(self, round_: Round, before: list[str]) -> None:
        matches = list(round_.matches.filter(state=MatchState.SCHEDULED).select_related("sheet", "event"))
        for match in matches:
            self._decide(match)
            if match is matches[0] and len(matches) > 1:
                self.write()
                assert players(self.written[-1]) == before
        held = [match for match in round_.matches.all() if match.held]
        if held:
            self.write()
            assert players(self.written[-1]) == before
            for match in held:
                confirm_result(actor=OPERATOR, match=match)
        file = self.write()
        assert file.rounds == round_.number
        points = points_so_far(self.event, self.event.entries.all())
        unit = 2 if self._is_halved(file) else 1
        assert sorted(file.points.values()) == sorted(Decimal(each) / unit for each in points.values())

    def _is_halved(self, file: File) -> bool:
        return file.worth["W"] == 1 and self.event.win_points == 2 and self.event.points_scheme == "match"

    def _decide(self, match: Match) -> None:
        chance = self.chance
        what = chance.random()
        if what < 0.2:
            side = chance.choice([0, 1, None])
            award_walkover(actor=OPERATOR, match=match, winner_side=side, reason="not there")
        elif what < 0.35:
            if chance.random() < 0.6:
                play(match, 7)
            side = chance.choice([0, 1, None])
            award_forfeit(actor=OPERATOR, match=match, winner_side=side, reason="had to leave")
        elif what < 0.5:
            play(match, stopped=True)
        else:
            play(match, chance.choice([40, -40, 60, -60]), stopped=True)

    def _come_and_go(self) -> None:
        chance, event = self.chance, self.event
        staying = list(event.entries.filter(withdrawn_at=None))
        if chance.random() < 0.25 and len(staying) > 4:
            withdraw_entry(actor=OPERATOR, entry=chance.choice(staying), reason="gone home")
        if chance.random() < 0.3:
            late = PlayerFactory.create(club=event.club, name=f"Late {event.rounds.count()}")
            enter_late(actor=OPERATOR, event=event, players=[late])
        if chance.random() < 0.3:
            points = chance.choice([Decimal("-0.5"), Decimal(1), Decimal(-2)])
            add_adjustment(
                actor=OPERATOR, entry=chance.choice(staying), points=points, reason="late at the table"
            )
        recalculate(event.pk)
        self.write()


def taken(club: Club, text: str) -> Event:
    plan = plan_taking(club=club, data=text.encode(), file_name="s.trf", options=TakingOptions())
    assert plan.lines()[-1] == "Places are as in the file."
    batch = apply_taking(actor=OPERATOR, plan=plan)
    assert batch.event is not None
    recalculate(batch.event.pk)
    return Event.objects.get(pk=batch.event.pk)


@pytest.mark.dear("plays whole events by chance")
def test_a_swiss_goes_out_in_every_state_and_comes_back_as_it_went(club: Club, long: bool) -> None:
    """Byes, half byes, forfeits of one or both, adjustments, late entries, points of every kind.

    What is taken over is written as the file was, byte by byte, with its places, and so are all figures of
    tables and sheets that are made again.
    """
    for seed in told_here(range(LONG_SEEDS if long else SEEDS), long=long):
        own = ClubFactory.create()
        evening = Evening(own, seed)
        evening.run(4)
        text = evening.written[-1]
        if not checked(text).rounds:
            continue
        back = taken(club, text.replace("012 Saturday Swiss", f"012 Came back {seed}"))
        assert export_trf(back) == text.replace("012 Saturday Swiss", f"012 Came back {seed}"), seed
        dates = list(evening.event.rounds.order_by("number").values_list("date", flat=True))
        assert list(back.rounds.order_by("number").values_list("date", flat=True)) == dates, seed
        rank_of = {row.entry.seed: row.rank for row in current_standings(back)}
        assert rank_of == checked(text).ranks, seed
        assert check_table(back).lines == []
        assert list(check_matches(back, {})) == []
