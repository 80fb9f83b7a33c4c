"""A Swiss as FIDE's Tournament Report File, to check its pairings and table with other programs.

It has the rounds in which everything is decided. An event that gives twice as much for a win as for a draw is
written with 1 and ½, as all programs know it. Adjustments and points for late entries are in the points only.
An annulled match is a round that neither played. Play-offs are no part of a Swiss, and left out.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import count, groupby, takewhile

from django.db.models import Q

from league.core.lifecycle import UNFINISHED
from league.core.trf import Game, Player, Tournament, Virtual, written
from league.draws.swiss_rounds import first_half, in_pairing_order, virtual_points_in
from league.models import CONTESTED, Event, Match, MatchState, RoundState
from league.policy.naming import in_full
from league.tables.results import points_so_far, ranking_of


def export_trf(event: Event) -> str:
    """Return the file of a Swiss, entries in the order in which rounds are paired from them."""
    rounds = _decided(event)
    entries = in_pairing_order(event, event.entries.all())
    number_of = {entry.pk: number for number, entry in enumerate(entries, start=1)}
    unit = _unit(event)
    games = _games(event, rounds, number_of)
    rank_of = {line.entry_id: line.row.rank for line in ranking_of(event, entries, withheld_too=True)}
    points = points_so_far(event, entries)
    names = in_full(event.club)
    return written(
        Tournament(
            name=event.name,
            players=[
                Player(
                    names.entry(entry),
                    Decimal(points[entry.pk]) / unit,
                    rank_of.get(entry.pk, len(entries)),
                    games[entry.pk],
                )
                for entry in entries
            ],
            rounds=event.rounds_planned or len(rounds),
            worth=_worth(event, unit),
            virtual=_virtual(event, number_of, unit),
            forbidden=[
                (number_of[a], number_of[b])
                for a, b in event.forbidden_pairs.values_list("entry_a_id", "entry_b_id")
            ],
        )
    )


def _decided(event: Event) -> list[int]:
    """The numbers of the first rounds in which nothing is open."""
    waiting = Match.objects.filter(event=event, state__in=UNFINISHED, annulled=False, play_off=None)
    open_rounds = waiting.values("round")
    play_offs = Match.objects.filter(event=event).exclude(play_off=None).values("round")
    rounds = event.rounds.order_by("number").exclude(Q(state=RoundState.DRAFTED) | Q(pk__in=play_offs))
    first_open = rounds.filter(pk__in=open_rounds).first()
    decided = rounds if first_open is None else rounds.filter(number__lt=first_open.number)
    return list(decided.values_list("number", flat=True))


def _unit(event: Event) -> Decimal:
    """What counts as 1 in the file."""
    plain = event.win_points == 2 * event.draw_points > 0 == event.loss_points
    return Decimal(event.win_points) if plain else Decimal(1)


def _worth(event: Event, unit: Decimal) -> list[tuple[str, Decimal]]:
    win, draw, loss, bye = (
        Decimal(points) / unit
        for points in (event.win_points, event.draw_points, event.loss_points, event.bye_points)
    )
    worth = [("W", win), ("D", draw), ("L", loss), ("P", bye)]
    return [] if worth == [("W", 1), ("D", Decimal("0.5")), ("L", 0), ("P", 1)] else worth


def _virtual(event: Event, number_of: Mapping[int, int], unit: Decimal) -> list[Virtual]:
    if not event.accelerated:
        return []
    last = max((number_of[entry] for entry in first_half(event)), default=0)
    numbers = takewhile(lambda number: virtual_points_in(event, number), count(1))
    runs = [(more, list(run)) for more, run in groupby(numbers, key=lambda at: virtual_points_in(event, at))]
    return [Virtual(Decimal(more) / unit, run[0], run[-1], last) for more, run in runs if last]


def _games(event: Event, rounds: Sequence[int], number_of: Mapping[int, int]) -> dict[int, list[Game]]:
    games = {entry: dict.fromkeys(rounds, Game()) for entry in number_of}
    rows = Match.objects.filter(event=event, round__number__in=rounds, annulled=False, play_off=None)
    for match in rows.select_related("sheet", "round").order_by("id"):
        number = match.round.number
        if match.entry_b_id is None:
            games[match.entry_a_id][number] = Game(result=_bye(event, match))
            continue
        first, second = _results(match, begun=event.taken_over or _has_hands(match))
        games[match.entry_a_id][number] = Game(number_of[match.entry_b_id], "w", first)
        games[match.entry_b_id][number] = Game(number_of[match.entry_a_id], "b", second)
    return {entry: list(of_rounds.values()) for entry, of_rounds in games.items()}


def _bye(event: Event, match: Match) -> str:
    if match.state == MatchState.BYE:
        return "U"
    points = event.absent_points if match.given_points is None else match.given_points
    if points >= event.win_points:
        return "F"
    return "H" if points > event.loss_points else "Z"


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
