"""Every knob of some house rules as a plain sentence that says what its value means at the table."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.rule_differences import SINGLE_KNOBS
from scoring.core.rules import Rules


def knob_sentence(rules: Rules, knob: str) -> str:
    """What the value of a knob of `SINGLE_KNOBS` means; of one that is not in force, why."""
    idle = _why_idle(rules, knob)
    if idle:
        return _("Not in force: %s") % idle
    if knob.startswith("extra_boxes_"):
        return _extra_boxes(rules, knob.removeprefix("extra_boxes_"))
    return _SENTENCES[knob](rules)


def knob_sentences(rules: Rules) -> dict[str, str]:
    """The sentence of every knob, by its name."""
    return {knob: knob_sentence(rules, knob) for knob in SINGLE_KNOBS}


def is_in_force(rules: Rules, knob: str) -> bool:
    """Whether the value of a knob makes any difference beside the others."""
    return not _why_idle(rules, knob)


# Knobs of what happens only where somebody knocks.
_OF_KNOCKS: Final = frozenset(
    {
        "oklahoma",
        "zero_knock",
        "undercut_bonus",
        "undercut_on_tie",
        "extra_boxes_undercut",
        "extra_boxes_gin_off",
    }
)


def _why_idle(rules: Rules, knob: str) -> str:
    if knob in _OF_KNOCKS and rules.knock_limit == 0:
        return _("nobody knocks.")
    if knob == "extra_boxes_big_gin" and rules.big_gin_bonus is None:
        return _("big gin is not played.")
    if knob == "spades_double_boxes" and not rules.spades_double:
        return _("no hand is doubled by a spade.")
    if knob == "box_credit" and not rules.box_bonus:
        return _("a box is worth nothing.")
    if knob == "shutout_amount" and rules.shutout != "flat":
        return _("a shutout adds no fixed amount.")
    if knob == "last_column_double" and rules.columns == 1:
        return _("there is one game on a sheet.")
    return ""


def _knock_limit(rules: Rules) -> str:
    if rules.knock_limit == 0:
        return _("Nobody knocks: a hand is ended by gin alone.")
    return ngettext(
        "A player may knock with %(count)s point or less left over.",
        "A player may knock with %(count)s points or less left over.",
        rules.knock_limit,
    ) % {"count": rules.knock_limit}


def _oklahoma(rules: Rules) -> str:
    match rules.oklahoma:
        case "ace_is_one":
            return _("Oklahoma: nobody knocks with more than the card turned up counts; an ace means 1.")
        case "ace_is_gin":
            return _("Oklahoma: nobody knocks with more than the card turned up counts; an ace means gin.")
    return _("The card turned up does not change the knock limit.")


def _spades_double(rules: Rules) -> str:
    if rules.spades_double:
        return _("Where the card turned up is a spade, all points of the hand count double, bonus included.")
    return _("A spade turned up doubles nothing.")


def _zero_knock(rules: Rules) -> str:
    if rules.zero_knock == "gin":
        return _("A knock with nothing left over is gin, said or not.")
    return _("Who knocks with nothing left over and does not say gin has only knocked: no bonus for gin.")


def _undercut_on_tie(rules: Rules) -> str:
    if rules.undercut_on_tie:
        return _("Equal counts are an undercut: the defender scores.")
    return _("Equal counts are a dead hand: nobody scores.")


def _ace(rules: Rules) -> str:
    if rules.ace == "low_or_high":
        return _("The ace is low or high: queen, king, ace is a run too. An ace counts 1 all the same.")
    return _("The ace is low: ace, two, three is a run; queen, king, ace is none. An ace counts 1.")


def _gin_bonus(rules: Rules) -> str:
    return _("Gin scores what the other has left over, and %s more.") % rules.gin_bonus


def _big_gin_bonus(rules: Rules) -> str:
    if rules.big_gin_bonus is None:
        return _("Big gin is not played: who has all eleven cards melded discards one and has gin.")
    return (
        _("Big gin, all eleven cards melded, scores what the other has left over, and %s more.")
        % rules.big_gin_bonus
    )


def _undercut_bonus(rules: Rules) -> str:
    return _("A defender who has less than the knocker scores the difference, and %s more.") % (
        rules.undercut_bonus
    )


def _columns(rules: Rules) -> str:
    match rules.columns:
        case 1:
            return _("One game stands on a sheet.")
        case 2:
            return _("Two games stand on a sheet: a first win is entered in the first, a second in both.")
        case 3:
            return _(
                "Hollywood, three games on a sheet: a first win is entered in the first, a second in two, "
                "every later one in all three."
            )
    return _(
        "%(count)s games stand on a sheet, entered as in Hollywood: with each win a side comes into one more."
    ) % {"count": rules.columns}


def _target(rules: Rules) -> str:
    return _("Who first reaches %s points wins the game.") % rules.target


def _team_target(rules: Rules) -> str:
    return _("Between teams, who first reaches %s points wins the game.") % rules.team_target


def _game_bonus(rules: Rules) -> str:
    if not rules.game_bonus:
        return _("The winner of a game adds no bonus for it.")
    return _("The winner of a game adds %s.") % rules.game_bonus


def _shutout(rules: Rules) -> str:
    match rules.shutout:
        case "double_game_bonus":
            return _("Against a loser with nothing in the game, the winner adds the game bonus once more.")
        case "double_points":
            return _(
                "Against a loser with nothing in the game, the winner adds the points of his hands again."
            )
        case "double_total":
            return _(
                "Against a loser with nothing in the game, the winner adds points, boxes and game bonus once "
                "more."
            )
        case "flat":
            return _("Against a loser with nothing in the game, the winner adds a fixed amount.")
    return _("A loser with nothing in the game pays nothing more for it.")


def _shutout_amount(rules: Rules) -> str:
    return _("That amount is %s.") % rules.shutout_amount


def _double_if_loser_boxless(rules: Rules) -> str:
    if rules.double_if_loser_boxless:
        return _("Where the loser has no box in the game, the whole difference counts twice.")
    return _("A loser without a box pays the difference once, like any other.")


def _last_column_double(rules: Rules) -> str:
    if rules.last_column_double:
        return _("The last game of the sheet counts twice.")
    return _("All games of the sheet count alike.")


def _box_bonus(rules: Rules) -> str:
    if not rules.box_bonus:
        return _("A box is worth nothing at the settlement.")
    return _("Each hand won is a box, and each box adds %s.") % rules.box_bonus


def _box_credit(rules: Rules) -> str:
    if rules.box_credit == "at_once":
        return _("A box counts towards the target as it is won.")
    return _("Boxes are added when the game is over; they do not help to reach the target.")


def _extra_boxes(rules: Rules, kind: str) -> str:
    count = getattr(rules.extra_boxes, kind)
    words = {"count": count}
    match kind:
        case "gin":
            none = _("Gin is one box, like any hand won.")
            some = ngettext("Gin gives %(count)s box more.", "Gin gives %(count)s boxes more.", count)
        case "big_gin":
            none = _("Big gin is one box, like any hand won.")
            some = ngettext("Big gin gives %(count)s box more.", "Big gin gives %(count)s boxes more.", count)
        case "undercut":
            none = _("An undercut is one box, like any hand won.")
            some = ngettext(
                "An undercut gives %(count)s box more.", "An undercut gives %(count)s boxes more.", count
            )
        case _:
            none = _("An undercut with nothing left over is one box, like any hand won.")
            some = ngettext(
                "An undercut with nothing left over gives %(count)s box more, in place of those for an "
                "undercut.",
                "An undercut with nothing left over gives %(count)s boxes more, in place of those for an "
                "undercut.",
                count,
            )
    return some % words if count else none


def _sweep_boxes(rules: Rules) -> str:
    if not rules.sweep_boxes:
        return _("A team that wins every hand of a deal has nothing extra for it.")
    return ngettext(
        "A team that wins every hand of a deal has %(count)s box more.",
        "A team that wins every hand of a deal has %(count)s boxes more.",
        rules.sweep_boxes,
    ) % {"count": rules.sweep_boxes}


def _spades_double_boxes(rules: Rules) -> str:
    match rules.spades_double_boxes:
        case "extra":
            return _("A spade doubles the extra boxes of the hand too.")
        case "all":
            return _("A spade doubles all boxes of the hand too.")
    return _("A spade doubles no boxes.")


def _team_scoring(rules: Rules) -> str:
    if rules.team_scoring == "net":
        return _("After each deal the better team enters the difference, as one line and one box.")
    return _("After each deal each team enters what its own winners made.")


def _packs(rules: Rules) -> str:
    if rules.packs == "shared":
        return _("Four players share one pack, which leaves a stock of twelve cards.")
    return _("Each table of a team game has a pack of its own.")


def _first_dealer(rules: Rules) -> str:
    if rules.first_dealer == "low":
        return _("Both cut for the first deal: the lower card chooses who deals.")
    return _("Both cut for the first deal: the higher card chooses who deals.")


def _next_dealer(rules: Rules) -> str:
    match rules.next_dealer:
        case "winner":
            return _("The winner of a hand deals the next; after a dead hand the same dealer deals again.")
        case "alternate":
            return _("The deal goes to and fro; after a dead hand the same dealer deals again.")
    return _("The loser of a hand deals the next; after a dead hand the same dealer deals again.")


def _deal(rules: Rules) -> str:
    if rules.deal == "elder_eleven":
        return _("The 21st card goes to the player who did not deal, who begins by discarding.")
    return _("The 21st card is turned up; the player who did not deal may take it first, then the dealer.")


def _discard_taken_card(rules: Rules) -> str:
    match rules.discard_taken_card:
        case "always":
            return _("A card taken from the pile may be discarded in the same turn.")
        case "fiftieth_card":
            return _(
                "A card taken from the pile may be discarded in the same turn only to knock with the 50th."
            )
    return _("A card taken from the pile may not be discarded in the same turn.")


def _stock_end(rules: Rules) -> str:
    if rules.stock_end == "fiftieth_card":
        return _(
            "The last two cards are not drawn; the discard after the 50th card may still be taken to knock, "
            "then the hand is dead."
        )
    return _("The last two cards are not drawn: if nobody has knocked by then, the hand is dead.")


_SENTENCES: Final[dict[str, Callable[[Rules], str]]] = {
    "knock_limit": _knock_limit,
    "ace": _ace,
    "oklahoma": _oklahoma,
    "spades_double": _spades_double,
    "gin_bonus": _gin_bonus,
    "big_gin_bonus": _big_gin_bonus,
    "undercut_bonus": _undercut_bonus,
    "undercut_on_tie": _undercut_on_tie,
    "sweep_boxes": _sweep_boxes,
    "spades_double_boxes": _spades_double_boxes,
    "zero_knock": _zero_knock,
    "target": _target,
    "team_target": _team_target,
    "box_bonus": _box_bonus,
    "box_credit": _box_credit,
    "game_bonus": _game_bonus,
    "shutout": _shutout,
    "shutout_amount": _shutout_amount,
    "double_if_loser_boxless": _double_if_loser_boxless,
    "columns": _columns,
    "last_column_double": _last_column_double,
    "team_scoring": _team_scoring,
    "packs": _packs,
    "first_dealer": _first_dealer,
    "next_dealer": _next_dealer,
    "deal": _deal,
    "discard_taken_card": _discard_taken_card,
    "stock_end": _stock_end,
}
