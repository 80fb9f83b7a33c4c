"""Whether what is said of a round is true, by looking at every other round there could be."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Final

from league.core.pairing.swiss import Entrant, Met, Number, Pair, Pairing, Reason
from tests.league.pairing.exhaustive import Cost, cost_of, costs_of_all


class Said:
    """A round, and all that can be known about it."""

    def __init__(
        self,
        drawn: Pairing,
        entries: Sequence[Entrant],
        history: Sequence[Met],
        apart: Collection[tuple[int, int]],
        *,
        round_number: int,
        is_offer: bool,
    ) -> None:
        self.drawn, self.is_offer, self.round_number = drawn, is_offer, round_number
        self.score: Mapping[int, Number] = {entry.id: entry.score for entry in entries}
        self.history = history
        self.apart = {frozenset(pair) for pair in apart}
        self.have_met = {frozenset((met.first, met.second)) for met in history if met.second is not None}
        self.free_wins = {met.first for met in history if met.second is None and met.is_free_win}
        self.against = {
            one: other
            for pair in drawn.pairs
            for one, other in ((pair.first, pair.second), (pair.second, pair.first))
        }
        self.cost = cost_of(drawn, entries, history, apart, round_number=round_number)
        self._everything = (entries, history, apart)

    @cached_property
    def others(self) -> Sequence[tuple[Cost, int | None]]:
        """What every round costs, and who has its bye."""
        entries, history, apart = self._everything
        return list(costs_of_all(entries, history, apart, round_number=self.round_number))

    @cached_property
    def lawful(self) -> Sequence[tuple[Cost, int | None]]:
        return [(cost, bye) for cost, bye in self.others if not cost.breaks_a_rule]

    def may_meet(self, one: int, other: int) -> bool:
        return frozenset((one, other)) not in self.have_met | self.apart

    def sides(self, pair: Pair) -> tuple[int, int]:
        """Who has more points, and who has fewer."""
        return (pair.second, pair.first) if pair.floated == pair.second else (pair.first, pair.second)

    def left_on(self, score: Number) -> list[int]:
        """Who has this score, plays, and meets nobody who has more."""
        return [
            entry
            for entry, other in self.against.items()
            if self.score[entry] == score and self.score[other] <= score
        ]

    def floating_with(self, entry: int) -> list[int]:
        """Who else floats down from the score."""
        left = self.left_on(self.score[entry])
        return [each for each in left if each != entry and self.score[self.against[each]] < self.score[each]]

    def ups(self, entry: int) -> set[int]:
        return {
            met.round
            for met in self.history
            if met.floated not in (None, entry) and entry in (met.first, met.second)
        }

    def downs(self, entry: int) -> set[int]:
        return {met.round for met in self.history if met.floated == entry}

    @property
    def repeats_are_fewest(self) -> bool:
        return self.cost.same_as_last_round == min(cost for cost, _bye in self.others).same_as_last_round

    def floats_are_fewest(self, score: Number) -> bool:
        """Whether fewer to below a score would need more above, or another bye, or leave somebody over."""
        places = [each for each in sorted(set(self.score.values()), reverse=True) if each >= score]
        own = self.cost.floats_from_the_top[: len(places)]
        return all(
            cost.floats_from_the_top[: len(places)] >= own
            for cost, _bye in self.lawful
            if cost.bye_above_lowest == self.cost.bye_above_lowest
        )

    def lower_without_free_win(self, bye: int) -> set[int]:
        return {
            entry
            for entry, score in self.score.items()
            if score < self.score[bye] and entry not in self.free_wins
        }

    def is_true(self, pair: Pair, reason: Reason) -> bool:
        return _OF_PAIRS[reason](self, *self.sides(pair))

    def is_true_of_the_bye(self, bye: int, reason: Reason) -> bool:
        return _OF_BYES[reason](self, bye)


def _lower_bye_breaks_more(said: Said, bye: int) -> bool:
    own = (said.cost.not_apart, said.cost.byes_again, said.cost.rematches)
    lower = [
        (cost.not_apart, cost.byes_again, cost.rematches)
        for cost, other in said.others
        if other is not None and said.score[other] < said.score[bye]
    ]
    return bool(lower) and min(lower) > own


def _floats_for_others(said: Said, one: int) -> bool:
    return (
        not said.is_offer
        and any(said.may_meet(one, each) for each in said.floating_with(one))
        and said.floats_are_fewest(said.score[one])
    )


_OF_PAIRS: Final[Mapping[Reason, Callable[[Said, int, int], bool]]] = {
    Reason.SAME_SCORE: lambda said, a, b: said.score[a] == said.score[b],
    Reason.NOT_MET: lambda said, a, b: frozenset((a, b)) not in said.have_met,
    Reason.ODD_GROUP: lambda said, a, b: len(said.left_on(said.score[a])) % 2 == 1,
    Reason.NO_PARTNER: lambda said, a, b: (
        bool(said.floating_with(a)) and not any(said.may_meet(a, each) for each in said.floating_with(a))
    ),
    Reason.OTHERS: lambda said, a, b: said.drawn.bye is None and _floats_for_others(said, a),
    Reason.OTHERS_WITH_BYE: lambda said, a, b: said.drawn.bye is not None and _floats_for_others(said, a),
    Reason.NEAREST: lambda said, a, b: said.is_offer and not said.lawful,
    Reason.NONE_BETWEEN: lambda said, a, b: (
        not any(
            said.may_meet(a, each)
            for each, score in said.score.items()
            if said.score[a] > score > said.score[b]
        )
    ),
    Reason.UP_FIRST: lambda said, a, b: not said.ups(b),
    Reason.UP_BEFORE: lambda said, a, b: bool(said.ups(b)) and said.round_number - 1 not in said.ups(b),
    Reason.UP_AGAIN: lambda said, a, b: said.round_number - 1 in said.ups(b) and said.repeats_are_fewest,
    Reason.DOWN_AGAIN: lambda said, a, b: said.round_number - 1 in said.downs(a) and said.repeats_are_fewest,
    Reason.REMATCH: lambda said, a, b: frozenset((a, b)) in said.have_met and not said.lawful,
    Reason.NOT_APART: lambda said, a, b: frozenset((a, b)) in said.apart and not said.lawful,
}
_OF_BYES: Final[Mapping[Reason, Callable[[Said, int], bool]]] = {
    Reason.BYE: lambda said, bye: bye not in said.free_wins and not said.lower_without_free_win(bye),
    Reason.BYE_HIGHER: lambda said, bye: (
        bye not in said.free_wins
        and bool(said.lower_without_free_win(bye))
        and not said.lower_without_free_win(bye) & {other for _cost, other in said.lawful}
    ),
    Reason.BYE_NEAREST: lambda said, bye: not said.lawful and _lower_bye_breaks_more(said, bye),
    Reason.BYE_AGAIN: lambda said, bye: bye in said.free_wins and not said.lawful,
}
assert {*_OF_PAIRS, *_OF_BYES} == set(Reason)
