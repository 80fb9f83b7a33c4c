"""A night's report: a finished round told in a few sentences, made from its figures alone.

The sentences are in the past tense, whose verbs are the same for a player and for partners. Each has a
weight, by how remarkable it is; the heaviest are told, always in the same order. So the same results give the
same report.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import F
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.standings.cuts import ranks_without_lot
from league.models import (
    AWARDED,
    PLAYED,
    Entry,
    Event,
    EventState,
    Match,
    Player,
    RatingStep,
    Round,
    RoundState,
    traits_of,
)
from league.policy.naming import Names
from league.policy.withholding import is_withheld, told_until
from league.tables.results import Ranked, criteria_of, plain, ranking_of
from league.tables.words import won_how
from scoring.core.skills import shown
from scoring.models import Seat
from scoring.templatetags.figures import grouped

MOST_SENTENCES: Final = 8
# What is less than this is not remarkable: places climbed, gins of one player, points behind, a net that is
# close, points of rating between a winner and a stronger loser, matches won in a row since the start.
CLIMB: Final = 2
GINS: Final = 3
COME_BACK: Final = 50
CLOSE: Final = 25
UPSET: Final = 100
UNBEATEN: Final = 3
# Of more than these only their number is told.
_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class _Sentence:
    weight: int
    text: str


class _Seated(NamedTuple):
    """What a player did in a match of the round, with the come-back of his side."""

    match: int
    side: int
    person: str
    name: str
    gins: int
    best_hand: int
    how: str
    come_back: int
    come_back_from: int


def night_report(event: Event, round_: Round, matches: Sequence[Match], names: Names) -> list[str]:
    """Return the report of a round as sentences, with names as `names` shows them.

    In six queries at most, and one more once the event is over. Empty for a round that is not finished, or
    whose results are withheld, whoever reads it. `matches` are all of the round, with their entries.
    """
    if is_withheld(event, round_) or round_.state == RoundState.DRAFTED:
        return []
    met = [match for match in matches if match.entry_b_id is not None and not match.annulled]
    counted = [match for match in met if match.has_result]
    played = [match for match in counted if match.state in PLAYED]
    if not played or (len(counted) < len(met) and round_.state != RoundState.COMPLETE):
        return []
    sentences = [
        *_of_table(event, round_, names),
        *_of_upset(played, names),
        *_of_matches(played, names),
        *_of_hands(played, names),
        *_of_rest(counted, played),
    ]
    heaviest = sorted(sentences, key=lambda one: -one.weight)[:MOST_SENTENCES]
    return [one.text for one in sentences if one in heaviest]


def _of_table(event: Event, round_: Round, names: Names) -> Iterator[_Sentence]:
    """Who leads and by what, who has climbed, and who has won everything; where there is one table."""
    traits = traits_of(event)
    until = told_until(event, round_.number)
    if not traits.counts_rounds or traits.has_bracket or traits.has_groups or traits.has_challenges:
        return
    if until is None or until < round_.number:
        return
    entries = {entry.pk: entry for entry in Entry.objects.filter(event=event)}
    lines = ranking_of(event, entries.values(), until=until)
    called = {line.entry_id: names.marked(entries[line.entry_id]) for line in lines}
    # As among the champions: the lot puts nobody above others, but where it had always settled places.
    ranks = [line.rank for line in lines]
    if not event.lot_settled_places:
        ranks = ranks_without_lot([line.row for line in lines], criteria_of(event)[0])
    first = [line for line, rank in zip(lines, ranks, strict=True) if rank == 1]
    if not first:
        return
    values = {
        "name": called[first[0].entry_id],
        "points": grouped(plain(first[0].row.points)),
        "number": round_.number,
        "event": event.name,
    }
    is_over = event.state in (EventState.FINISHED, EventState.ARCHIVED) and _is_last(event, round_)
    before = [line for line in lines if line.previous_rank == 1]
    if len(first) > 1:
        if len(first) <= _MOST_NAMED:
            values["names"] = get_text_list([called[line.entry_id] for line in first], _("and"))
            yield _Sentence(100, _("%(names)s shared first place after round %(number)s.") % values)
        else:
            values["count"] = len(first)
            yield _Sentence(100, _("%(count)s shared first place after round %(number)s.") % values)
    elif is_over:
        yield _Sentence(100, _("%(name)s finished first in %(event)s, with %(points)s points.") % values)
    elif not before:
        yield _Sentence(100, _("%(name)s led after round %(number)s, with %(points)s points.") % values)
    elif first[0] in before:
        said = _("%(name)s stayed first, now with %(points)s points.")
        if len(before) > 1:
            said = _("%(name)s was now alone in first place, with %(points)s points.")
        yield _Sentence(100, said % values)
    else:
        said = _("%(name)s took the lead, with %(points)s points.")
        if len(before) == 1:
            values["other"] = called[before[0].entry_id]
            said = _("%(name)s took the lead from %(other)s, with %(points)s points.")
        yield _Sentence(100, said % values)
    yield from _behind(lines, first, called)
    yield from _climb(lines, called)
    unbeaten = [line for line in lines if line.row.wins == line.row.played >= UNBEATEN]
    if 0 < len(unbeaten) <= _MOST_NAMED:
        values["names"] = get_text_list([called[line.entry_id] for line in unbeaten], _("and"))
        said = _("%(names)s had won every match by then.")
        yield _Sentence(58, said % values)


def _is_last(event: Event, round_: Round) -> bool:
    return not event.rounds.filter(number__gt=round_.number).exclude(state=RoundState.DRAFTED).exists()


def _behind(
    lines: Sequence[Ranked], first: Sequence[Ranked], called: Mapping[int, str]
) -> Iterator[_Sentence]:
    """By how much the one in second place is behind the one in first."""
    second = [line for line in lines if line.rank == 2]
    if len(first) > 1 or len(second) != 1:
        return
    behind = plain(first[0].row.points - second[0].row.points)
    values = {"name": called[second[0].entry_id], "points": grouped(behind)}
    if behind > 0:
        said = _("Second was %(name)s, %(points)s point behind.")
        if behind != 1:
            said = _("Second was %(name)s, %(points)s points behind.")
        yield _Sentence(50, said % values)
    elif behind == 0:
        yield _Sentence(52, _("Second was %(name)s, level on points.") % values)


def _climb(lines: Sequence[Ranked], called: Mapping[int, str]) -> Iterator[_Sentence]:
    """Who has climbed most, alone."""
    climbs = sorted(
        ((line.previous_rank - line.rank, line) for line in lines if line.previous_rank is not None),
        key=lambda climb: -climb[0],
    )
    if not climbs or climbs[0][0] < CLIMB or (len(climbs) > 1 and climbs[1][0] == climbs[0][0]):
        return
    places, line = climbs[0]
    values = {"name": called[line.entry_id], "before": line.previous_rank, "now": line.rank}
    said = _("%(name)s climbed most, from place %(before)s to place %(now)s.")
    yield _Sentence(50 + min(4 * places, 30), said % values)


def _of_upset(played: Sequence[Match], names: Names) -> Iterator[_Sentence]:
    """The win against the loser who was rated highest above the winner, one against one."""
    single = {match.pk: match for match in played if not match.is_table and match.winner_side is not None}
    steps: dict[int, dict[int, int]] = {}
    rows = RatingStep.objects.filter(
        match__in=single, match__appearances__player=F("player"), match__appearances__from_deal=1
    )
    for match, side, before in rows.values_list("match_id", "match__appearances__side", "mu_before"):
        # Of teams no one player is told.
        of_match = steps.setdefault(match, {})
        of_match[-1 if side in of_match else side] = shown(before)
    upsets = [
        (ratings[1 - winner] - ratings[winner], pk, winner)
        for pk, ratings in steps.items()
        if ratings.keys() == {0, 1} and (winner := single[pk].winner_side) is not None
    ]
    if not upsets:
        return
    above, pk, winner = max(upsets, key=lambda upset: (upset[0], -upset[1]))
    if above >= UPSET:
        values = {**_sides(single[pk], winner, names), "points": grouped(above)}
        said = _("%(name)s beat %(other)s, who was rated %(points)s points higher.")
        yield _Sentence(60 + min(above // 20, 30), said % values)


def _of_matches(played: Sequence[Match], names: Names) -> Iterator[_Sentence]:
    """The biggest and the closest win of two sides, where they are one's alone."""
    # A game of rummy is won by points, whoever has paid; and other programs do not tell by how much.
    won = sorted(
        (match for match in played if not match.is_table and _won_by(match) > 0),
        key=lambda match: -_won_by(match),
    )
    if len(won) < 2:
        if won:
            yield _Sentence(60, _("%(name)s beat %(other)s by %(points)s points.") % _won(won[0], names))
        return
    if _won_by(won[0]) > _won_by(won[1]):
        said = _("%(name)s had the biggest win: %(points)s points against %(other)s.")
        yield _Sentence(62, said % _won(won[0], names))
    closest = _won_by(won[-1])
    if closest <= CLOSE and closest < _won_by(won[-2]):
        said = ngettext(
            "The closest match went to %(name)s, by %(points)s point against %(other)s.",
            "The closest match went to %(name)s, by %(points)s points against %(other)s.",
            closest,
        )
        yield _Sentence(56, said % _won(won[-1], names))


def _of_hands(played: Sequence[Match], names: Names) -> Iterator[_Sentence]:
    """The biggest hand, the biggest come-back, and the most gins, each if it is one's alone."""
    by_id = {match.pk: match for match in played}
    seats = [
        _Seated(*row)
        for row in Seat.objects.filter(sheet__match__in=by_id)
        .order_by("sheet__match", "number")
        .values_list(
            "sheet__match",
            "side__position",
            "person",
            "name",
            "gins",
            "best_hand",
            "best_hand_how",
            "side__come_back",
            "side__come_back_from",
        )
    ]
    keys = {seat.person for seat in seats} - {""}
    rows = Player.objects.filter(code__in=keys).select_related("merged_into")
    players = {player.code: player.merged_into or player for player in rows}

    def called(person: str, name: str) -> str:
        return names.marked(players[person]) if person in players else name

    hands = sorted(seats, key=lambda seat: -seat.best_hand)
    if hands and hands[0].best_hand and (len(hands) == 1 or hands[0].best_hand > hands[1].best_hand):
        best = hands[0]
        values = {
            **_sides(by_id[best.match], best.side, names),
            "name": called(best.person, best.name),
            "points": grouped(best.best_hand),
            "how": won_how(best.how),
        }
        said = _("%(name)s won the biggest hand, %(points)s points against %(other)s.")
        if values["how"]:
            said = _("%(name)s won the biggest hand, %(points)s points %(how)s against %(other)s.")
        yield _Sentence(64, said % values)
    furthest = max(seats, key=lambda seat: seat.come_back, default=None)
    if furthest is not None and furthest.come_back >= COME_BACK:
        values = {
            **_sides(by_id[furthest.match], furthest.side, names),
            "own": grouped(furthest.come_back_from),
            "their": grouped(furthest.come_back_from + furthest.come_back),
        }
        said = _("%(name)s came back from %(own)s to %(their)s and won the game against %(other)s.")
        yield _Sentence(50 + min(furthest.come_back // 5, 35), said % values)
    gins: dict[tuple[str, str], int] = {}
    for seat in seats:
        gins[seat.person, seat.name] = gins.get((seat.person, seat.name), 0) + seat.gins
    most = sorted(gins.items(), key=lambda one: -one[1])
    if most and most[0][1] >= GINS and (len(most) == 1 or most[0][1] > most[1][1]):
        (person, name), count = most[0]
        values = {"name": called(person, name), "count": str(count)}
        yield _Sentence(
            45 + 3 * count, _("%(name)s went gin %(count)s times, more than anybody else.") % values
        )


def _of_rest(counted: Sequence[Match], played: Sequence[Match]) -> Iterator[_Sentence]:
    """How many matches there were, how many ended level, and how many were given."""
    said = ngettext("%(count)s match was played.", "%(count)s matches were played.", len(played))
    yield _Sentence(10, said % {"count": len(played)})
    if level := sum(match.winner_side is None for match in played):
        said = ngettext("%(count)s ended level.", "%(count)s ended level.", level)
        yield _Sentence(20, said % {"count": level})
    if given := sum(match.state in AWARDED for match in counted):
        said = ngettext(
            "%(count)s match was decided without play.", "%(count)s matches were decided without play.", given
        )
        yield _Sentence(15, said % {"count": given})


def _won_by(match: Match) -> int:
    """What the winner of two sides has won, net; 0 if nobody has won."""
    if match.winner_side is None:
        return 0
    return -match.net if match.winner_side else match.net


def _won(match: Match, names: Names) -> dict[str, str]:
    return {**_sides(match, match.winner_side or 0, names), "points": grouped(_won_by(match))}


def _sides(match: Match, side: int, names: Names) -> dict[str, str]:
    """A side of a match as `name`, and the others as `other`."""
    others = [names.marked_side(match, each) for each in match.sides if each != side]
    return {"name": names.marked_side(match, side), "other": get_text_list(others, _("and"))}
