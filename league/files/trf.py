"""A Swiss as FIDE's Tournament Report File, to check its pairings and table with other programs.

It has the rounds in which everything is decided, and the table after them. An event that gives twice as much
for a win as for a draw is written with 1 and ½, as all programs know it. Rounds that late entries missed are
byes, for the points that they were given. What counts nothing is a round that neither played: an annulled
match, and one of bots that do not count. Play-offs are no part of a Swiss, and left out. Guests, and whoever
has all results annulled, are last.

What puts the table in order is told as far as FIDE has it, and the table computes it so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import takewhile

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from league.core.standings import CountsAs, Number
from league.core.trf import Game, Tournament, TrfPlayer, Virtual, fits, written
from league.core.trf_letters import ACRONYMS, Worth, letter_alone
from league.draws.swiss_rounds import first_half, in_pairing_order, virtual_runs
from league.errors import LeagueError
from league.models import (
    CONTESTED,
    PLAYED,
    SAT_OUT,
    Entry,
    Event,
    Match,
    MatchState,
    PointsScheme,
    Rest,
    RoundState,
    SitInCounts,
    between_bots,
    counts_as_played,
    wants_result,
)
from league.policy.naming import in_full
from league.tables.placings import ranks_at_lines
from league.tables.results import (
    Ranked,
    criteria_of,
    late_points,
    plain,
    points_by_round,
    ranking_of,
    scheme_of,
)


def export_trf(event: Event) -> str:
    """Return the file of a Swiss, entries in the order in which rounds are paired from them.

    Refused: points that have no room in it (`trf_points`), an entry in two matches of a round (`trf_twice`).
    """
    return written(_Exported(event).tournament())


@dataclass(frozen=True)
class _Exported:
    """An event while it is written."""

    event: Event

    def tournament(self) -> Tournament:
        event, names = self.event, in_full(self.event.club)
        last = self.rounds[-1] if self.rounds else 0
        lines = ranking_of(event, self.entries, until=last, withheld_too=True, later_too=True)
        rank_of = ranks_at_lines(event, lines)
        games = self._games()
        dates = [self.dates.get(number) for number in self.rounds]
        known = [day for day in dates if day is not None]
        # A reader takes the only day of an event for that of rounds without a date.
        is_dated = bool(known) and len(known) == len(dates)
        is_over = event.rounds_planned is not None and len(dates) >= event.rounds_planned
        return Tournament(
            name=event.name,
            starts_on=min(known) if is_dated else None,
            ends_on=max(known) if is_dated and is_over else None,
            dates=dates,
            players=[
                TrfPlayer(
                    names.entry(entry),
                    rank_of.get(entry.pk, len(self.entries)),
                    games[entry.pk],
                    self._told(self.bonuses[entry.pk]),
                )
                for entry in self.entries
            ],
            # A Swiss of open length is never known to be over.
            rounds=max(event.rounds_planned, len(self.rounds)) if event.rounds_planned else 0,
            worth=self.worth,
            tie_breaks=self._tie_breaks(lines),
            virtual=self._virtual(),
            apart=sorted(
                (min(pair), max(pair))
                for pair in (
                    (self.number_of[a], self.number_of[b])
                    for a, b in event.forbidden_pairs.values_list("entry_a_id", "entry_b_id")
                )
            ),
        )

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """All entries in the order in which rounds are paired from them."""
        return in_pairing_order(self.event, self.event.entries.all())

    @cached_property
    def number_of(self) -> Mapping[int, int]:
        return {entry.pk: number for number, entry in enumerate(self.entries, start=1)}

    @cached_property
    def rounds(self) -> Sequence[int]:
        """The numbers of the first rounds in which nothing is open."""
        event = self.event
        waiting = Match.objects.filter(event=event, play_off=None)
        open_rounds = waiting.filter(wants_result()).values("round")
        play_offs = Match.objects.filter(event=event).exclude(play_off=None).values("round")
        rounds = event.rounds.order_by("number").exclude(Q(state=RoundState.DRAFTED) | Q(pk__in=play_offs))
        first_open = rounds.filter(pk__in=open_rounds).first()
        decided = rounds if first_open is None else rounds.filter(number__lt=first_open.number)
        return list(decided.values_list("number", flat=True))

    @cached_property
    def dates(self) -> Mapping[int, date | None]:
        """The dates of rounds by number."""
        return dict(self.event.rounds.values_list("number", "date"))

    @cached_property
    def points(self) -> Mapping[int, Mapping[int, Number]]:
        """What each entry has from its match or rest, by id and round."""
        found: dict[int, dict[int, Number]] = {}
        for entry, rounds in points_by_round(self.event, self.entries).items():
            for number in (number for number in self.rounds if len(rounds.get(number, ())) > 1):
                raise LeagueError(
                    "trf_twice",
                    _("%(entry)s has two matches in round %(number)d: FIDE's TRF has room for one.")
                    % {"entry": self.entries[self.number_of[entry] - 1], "number": number},
                )
            found[entry] = {number: points for number, (points, *_more) in rounds.items()}
        return found

    @cached_property
    def bonuses(self) -> Mapping[int, Number]:
        """Points of no round: adjustments, and what late entries have for rounds with a match of theirs."""
        event, last = self.event, self.rounds[-1] if self.rounds else 0
        rows = event.adjustments.order_by().values_list("entry").annotate(Sum("points"))
        adjusted = dict(rows)
        return {
            entry.pk: 0
            if entry.annulled_at
            else plain(adjusted.get(entry.pk, 0))
            + late_points(event, entry, last)
            - plain(event.late_points) * sum(self._is_missed(entry, number) for number in self.rounds)
            for entry in self.entries
        }

    @cached_property
    def unit(self) -> Decimal:
        """What counts as 1 in the file: a win where a draw is half of it, if all points can be written so.

        What was taken over is written as it came.
        """
        event, scheme = self.event, scheme_of(self.event)
        unit = Decimal(1 if event.taken_over else scheme.unit)
        said: list[Number] = [scheme.draw, scheme.bye.won, plain(event.late_points), *self.bonuses.values()]
        said += [points for rounds in self.points.values() for points in rounds.values()]
        return unit if all(fits(points / unit) for points in said) else Decimal(1)

    @cached_property
    def worth(self) -> Worth:
        """What a win, a draw and so on are worth; where columns count, what byes of such points are."""
        scheme = scheme_of(self.event)
        draw = max(scheme.half_bye, scheme.loss)
        return {
            "W": self._told(max(scheme.full_bye, draw)),
            "D": self._told(draw),
            "L": self._told(scheme.loss),
            "A": self._told(scheme.walkover.lost),
            "P": self._told(scheme.bye.won),
        }

    def _told(self, points: Number) -> Decimal:
        return Decimal(points) / self.unit

    def _virtual(self) -> list[Virtual]:
        runs = virtual_runs(self.event)
        last = max((self.number_of[entry] for entry in first_half(self.event)), default=0) if runs else 0
        return [Virtual(self._told(points), first, to, last) for points, first, to in runs if last]

    def _games(self) -> dict[int, list[Game]]:
        event = self.event
        games = {
            entry.pk: {number: self._missed(entry, number) for number in self.rounds}
            for entry in self.entries
        }
        had_bye: set[int] = set()
        rows = Match.objects.filter(event=event, round__number__in=self.rounds, annulled=False, play_off=None)
        for match in rows.select_related("sheet", "round").order_by("id"):
            a, b, number = match.entry_a_id, match.entry_b_id, match.round.number
            if number not in self.points.get(a, {}):
                continue
            points = self._told(self.points[a][number])
            if b is None:
                is_bye = match.state == MatchState.BYE and number not in had_bye
                had_bye |= {number} if is_bye else set()
                is_usual = is_bye and match.rest != Rest.PLAYED
                letter = "U" if is_usual else letter_alone(points, self.worth)
                games[a][number] = Game(result=letter, points=points)
                continue
            first, second = _results(match, begun=event.taken_over or _has_hands(match))
            if match.bot_side is not None and match.absent_forfeits and match.state in PLAYED:
                # Whoever was not there has lost by forfeit, whatever the bot in his place has played, and no
                # file has a forfeit for one side alone.
                other = "+" if match.winner_side == 1 - match.bot_side else "-"
                first, second = ("-", other) if match.bot_side == 0 else (other, "-")
            games[a][number] = Game(self.number_of[b], "w", first, points)
            games[b][number] = Game(self.number_of[a], "b", second, self._told(self.points[b][number]))
        return {entry: list(of_rounds.values()) for entry, of_rounds in games.items()}

    def _missed(self, entry: Entry, number: int) -> Game:
        """A round in which nothing was drawn for an entry, or what was counts nothing."""
        points = self._told(plain(self.event.late_points) if self._is_missed(entry, number) else 0)
        return Game(result=letter_alone(points, self.worth), points=points)

    def _is_missed(self, entry: Entry, number: int) -> bool:
        """Whether a round was over when a late entry came."""
        is_late = number < entry.first_round and entry.annulled_at is None
        return is_late and number not in self.points[entry.pk]

    def _tie_breaks(self, lines: Sequence[Ranked]) -> list[str]:
        """FIDE's names of the criteria, from the first on, as far as they are what FIDE means.

        What counts nothing is a round in which neither played here, and for the opponents' criteria in the
        table nothing at all. Whoever is last whatever his points is in no order.
        """
        event = self.event
        strengths = {event.bye_strength, event.forfeit_strength, event.absent_strength}
        is_fide = strengths == {CountsAs.FIDE} and not event.former_tie_breaks and not self._leaves_out()
        meant = set(ACRONYMS) if is_fide else {"match_points", "head_to_head"}
        by_columns = event.points_scheme == PointsScheme.COLUMNS
        if event.restart_criteria or event.former_tie_breaks or by_columns:
            meant.discard("head_to_head")
        if event.best_nights or self._has_last(lines):
            meant.clear()
        order = criteria_of(event)
        told = [ACRONYMS[name] for name in takewhile(meant.__contains__, order)]
        return told if order[0] == "match_points" else []

    def _leaves_out(self) -> bool:
        """Whether there are matches that count nothing, or not the same for both sides."""
        counts_nothing = Q(annulled=True)
        if self.event.sits_in_counts == SitInCounts.FORFEIT:
            counts_nothing |= Q(bot_side__isnull=False, state__in=PLAYED)
        if not self.event.bot_matches_count:
            counts_nothing |= between_bots() & ~Q(state__in=SAT_OUT)
        matches = Match.objects.filter(event=self.event, round__number__in=self.rounds, play_off=None)
        # A bye that was played and not won is written as a round asked off, which for FIDE is a draw.
        byes = matches.filter(counts_as_played(), annulled=False).values_list("entry_a", "round__number")
        return matches.filter(counts_nothing).exists() or any(
            self._told(self.points.get(entry, {}).get(number, 0)) != self.worth["W"] for entry, number in byes
        )

    def _has_last(self, lines: Sequence[Ranked]) -> bool:
        """Whether somebody is last whatever his points: a guest, or annulled with others below 0."""
        is_annulled = any(entry.annulled_at for entry in self.entries)
        return any(entry.is_guest for entry in self.entries) or (
            is_annulled and any(line.row.points < 0 for line in lines)
        )


def _has_hands(match: Match) -> bool:
    return match.sheet is not None and match.sheet.deal_count > 0


def _results(match: Match, *, begun: bool) -> tuple[str, str]:
    """The letters of both sides; a forfeit of what had begun was a game, which both lose if nobody won it."""
    given = match.state == MatchState.WALKOVER or (match.state == MatchState.FORFEIT and not begun)
    won, lost = ("+", "-") if given else ("1", "0")
    if match.winner_side is None:
        level = "=" if match.state in CONTESTED else lost
        return level, level
    return (won, lost) if match.winner_side == 0 else (lost, won)
