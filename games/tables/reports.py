"""Reports on the play of a hand: every choice of one seat weighed, and the dearest of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from games.bots.appraising import Appraisal, ChoiceKind, Option
from games.bots.judges import Judge
from games.gin.actions import ActionKind
from games.gin.cards import parse_number
from games.gin.playing import InPlay
from games.tables.dealing import parser_of

# A choice is told as dear from so many points on.
LEAST_DEAR: Final = 1.0
MOST_DEAR: Final = 3
_DIGITS: Final = 2
_NO_ACTIONS: Final[Mapping[int, Sequence[str]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DearChoice:
    """A choice that cost clearly something: the `move`-th action of a deal, and how it was weighed.

    `top` is the card that had just been put on the pile, None where that was no discard.
    """

    deal: int
    move: int
    appraisal: Appraisal
    top: int | None = None

    @property
    def points(self) -> float:
        """What it cost."""
        return self.appraisal.cost

    @property
    def compared(self) -> tuple[Option, ...]:
        """The choice and the better one."""
        made, better = self.appraisal.chosen, self.appraisal.better
        found = {option.action: option for option in self.appraisal.options}
        return tuple([found[action] for action in (made, better) if action is not None])


@dataclass(frozen=True, slots=True)
class ChoiceTally:
    """How many choices there were of each kind, and what they cost together."""

    counts: Mapping[ChoiceKind, int]
    costs: Mapping[ChoiceKind, float]


def weighed_hand(
    dealt: InPlay, actions: Iterable[Any], seat: int, judge: Judge
) -> tuple[Appraisal | None, ...]:
    """What each of these actions cost this seat, parallel to them; None where it chose nothing.

    That is so where the clock ended the hand. `dealt` is the hand before them, and is played on. The seat is
    judged by what it could see alone. Refuses as `Playing.act_again`.
    """
    found: list[Appraisal | None] = []
    for action in actions:
        is_choice = dealt.turn == seat and action.kind != ActionKind.TIME_OUT
        found.append(judge.appraise(dealt, seat, action) if is_choice else None)
        dealt.act_again(action)
    return tuple(found)


def tally_of(appraisals: Iterable[Appraisal | None]) -> ChoiceTally:
    """The choices added up by their kind."""
    counts, costs = dict.fromkeys(ChoiceKind, 0), dict.fromkeys(ChoiceKind, 0.0)
    for one in appraisals:
        if one is not None:
            counts[one.kind] += 1
            costs[one.kind] += one.cost
    return ChoiceTally(counts, costs)


def dearest(
    hands: Mapping[int, Sequence[Appraisal | None]], actions: Mapping[int, Sequence[str]] = _NO_ACTIONS
) -> list[DearChoice]:
    """The choices that clearly cost most, up to `MOST_DEAR`, of the hands by deal; the dearest first.

    `actions` are those of the hands, as far as they are known.
    """
    dear = [
        DearChoice(deal, move, one, _just_discarded(actions.get(deal, ()), move))
        for deal, appraisals in hands.items()
        for move, one in enumerate(appraisals, start=1)
        if one is not None and one.is_clear and one.cost >= LEAST_DEAR
    ]
    return sorted(dear, key=lambda one: (-one.points, one.deal, one.move))[:MOST_DEAR]


def _just_discarded(actions: Sequence[str], move: int) -> int | None:
    kind, _space, card = actions[move - 2].partition(" ") if 1 < move <= len(actions) else ("", "", "")
    return parse_number(card) if kind == ActionKind.DISCARD else None


def appraisal_document(appraisal: Appraisal | None) -> dict[str, Any] | None:
    """The appraisal as JSON, figures rounded to a hundredth."""
    if appraisal is None:
        return None
    document = {
        "kind": str(appraisal.kind),
        "chosen": str(appraisal.chosen),
        "better": None if appraisal.better is None else str(appraisal.better),
        "cost": round(appraisal.cost, _DIGITS),
        "error": round(appraisal.error, _DIGITS),
        "options": [
            [
                str(option.action),
                round(option.points, _DIGITS),
                option.deadwood,
                None if option.risk is None else round(option.risk, _DIGITS),
                option.knocking,
            ]
            for option in appraisal.options
        ],
    }
    return document if appraisal.game is None else {**document, "game": appraisal.game}


def read_appraisal(document: Any) -> Appraisal | None:
    """The appraisal from `appraisal_document`."""
    if document is None:
        return None
    game, better = document.get("game"), document["better"]
    parse = parser_of(game)
    return Appraisal(
        ChoiceKind(document["kind"]),
        parse(document["chosen"]),
        None if better is None else parse(better),
        document["cost"],
        document["error"],
        tuple([Option(parse(text), *figures) for text, *figures in document["options"]]),
        game,
    )
