"""The knobs of the house rules in words: title, help, and a sentence for each value.

`GROUPS` holds all of it, in the order of forms and rule sheets.
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy
from django_stubs_ext import StrOrPromise

from scoring.core.kinds import KINDS, kind_of
from scoring.core.rule_differences import OWN_SINGLE_KNOBS, single_knobs
from scoring.core.rules import Rules
from scoring.words.knob import Knob
from scoring.words.messages import translated, translated_lazy
from scoring.words.own_knobs import OWN_GROUPS, why_own_idle


def knob_sentence(rules: Rules, knob: str) -> str:
    """The meaning of a knob's value, or why the knob is not in force."""
    idle = _why_idle(rules, knob)
    return _("Not in force: %s") % idle if idle else KNOBS[knob].sentence(rules, single_knobs(rules)[knob])


def knob_sentences(rules: Rules) -> dict[str, str]:
    """The sentence of every knob that the kind of game has, by name."""
    return {knob: knob_sentence(rules, knob) for _title, knobs in groups_of(rules) for knob in knobs}


def groups_of(rules: Rules) -> list[tuple[StrOrPromise, list[str]]]:
    """Each group's title and its knobs, as the kind of game has them."""
    foreign = {knob for kind, knobs in OWN_SINGLE_KNOBS.items() if kind != rules.kind for knob in knobs}
    groups = [(title, [knob for knob in knobs if knob not in foreign]) for title, knobs in GROUPS]
    return [(title, knobs) for title, knobs in groups if knobs]


def is_in_force(rules: Rules, knob: str) -> bool:
    """Whether the knob makes a difference, given the other knobs."""
    return not _why_idle(rules, knob)


# Knobs without effect where nobody may knock.
_OF_KNOCKS: Final = frozenset(
    {
        "oklahoma",
        "zero_knock",
        "undercut_bonus",
        "undercut_on_tie",
        "undercut_penalty",
        "extra_boxes_undercut",
        "extra_boxes_gin_off",
    }
)


def _why_idle(rules: Rules, knob: str) -> str:
    kind = kind_of(rules)
    if knob in kind.idle_knobs:
        return _("%(game)s is played without it.") % {"game": translated(kind.title)}
    if knob == "deals" and rules.deals is None:
        return _("a sheet ends at its target.")
    if knob in ("target", "team_target") and rules.deals is not None:
        return _("a sheet ends after a number of deals.")
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
    return why_own_idle(rules, knob)


def _big_gin_bonus(rules: Rules) -> str:
    if rules.big_gin_bonus is None:
        return _("Big gin is not played: a player with all eleven cards melded discards one and has gin.")
    return (
        _("Big gin, all eleven cards melded, scores what the other has left over, and %s more.")
        % rules.big_gin_bonus
    )


def _undercut_bonus(rules: Rules) -> str:
    match rules.undercut_penalty:
        case "bonus":
            said = _("A knocker who is undercut loses %s.")
        case "all":
            said = _("A knocker who is undercut loses the difference, and %s more.")
        case _:
            said = _("A defender who has less than the knocker scores the difference, and %s more.")
    return said % rules.undercut_bonus


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


def _deals(rules: Rules) -> str:
    return ngettext(
        "A sheet ends after %(count)s deal, and whoever has more points has won.",
        "A sheet ends after %(count)s deals, dead ones counted, and whoever has most points has won.",
        rules.deals or 0,
    ) % {"count": rules.deals}


def _box_credit(rules: Rules) -> str:
    if rules.deals is not None:
        if rules.box_credit == "at_once":
            return _("A box counts as points as it is won.")
        return _("Boxes are added when the game is over; they do not help to win it.")
    if rules.box_credit == "at_once":
        return _("A box counts towards the target as it is won.")
    return _("Boxes are added when the game is over; they do not help to reach the target.")


def _stock_end(rules: Rules) -> str:
    if hasattr(rules.own, "stock_left"):
        # Which tells itself how many cards are left.
        return (
            _(
                "The next player, then the third, may still knock with the last discard; then the hand is "
                "dead."
            )
            if rules.stock_end == "fiftieth_card"
            else _("If nobody has knocked by the end of the stock, the hand is dead.")
        )
    if rules.stock_end == "fiftieth_card":
        return _(
            "The last two cards are not drawn; the discard after the 50th card may still be taken to knock, "
            "then the hand is dead."
        )
    return _("The last two cards are not drawn: if nobody has knocked by then, the hand is dead.")


_KNOCKING: Final = {
    "knock_limit": Knob(
        gettext_lazy("Knock limit"),
        gettext_lazy("The most deadwood a player may knock with; 0 is gin only."),
        ngettext_lazy(
            "A player may knock with %(count)s point or less left over.",
            "A player may knock with %(count)s points or less left over.",
            "count",
        ),
        nothing=gettext_lazy("Nobody knocks: a hand is ended by gin alone."),
    ),
    "oklahoma": Knob(
        gettext_lazy("Oklahoma"),
        gettext_lazy("The upcard lowers the knock limit of the hand to its own value."),
        {
            "off": gettext_lazy("The card turned up does not change the knock limit."),
            "ace_is_one": gettext_lazy(
                "Oklahoma: nobody knocks with more than the card turned up counts; an ace means 1."
            ),
            "ace_is_gin": gettext_lazy(
                "Oklahoma: nobody knocks with more than the card turned up counts; an ace means gin."
            ),
        },
        {
            "off": gettext_lazy("not played"),
            "ace_is_one": gettext_lazy("played; an ace means 1"),
            "ace_is_gin": gettext_lazy("played; an ace means gin"),
        },
    ),
    "spades_double": Knob(
        gettext_lazy("Spades double"),
        gettext_lazy("A hand whose upcard is a spade counts double."),
        {
            True: gettext_lazy(
                "Where the card turned up is a spade, all points of the hand count double, bonus included."
            ),
            False: gettext_lazy("A spade turned up doubles nothing."),
        },
    ),
    "zero_knock": Knob(
        gettext_lazy("Knock with nothing left"),
        gettext_lazy("What a knock with no deadwood is, by a player who did not say gin."),
        {
            "knock": gettext_lazy(
                "A player who knocks with nothing left over and does not say gin has only knocked: no bonus "
                "for gin."
            ),
            "gin": gettext_lazy("A knock with nothing left over is gin, said or not."),
        },
        {"knock": gettext_lazy("a knock"), "gin": gettext_lazy("gin")},
    ),
    "undercut_on_tie": Knob(
        gettext_lazy("Equal counts are an undercut"),
        gettext_lazy("Otherwise a hand with equal deadwood is dead."),
        {
            True: gettext_lazy("Equal counts are an undercut: the defender scores."),
            False: gettext_lazy("Equal counts are a dead hand: nobody scores."),
        },
    ),
    "ace": Knob(
        gettext_lazy("Ace"),
        gettext_lazy("Whether queen, king, ace is a run too; an ace counts 1 either way."),
        {
            "low": gettext_lazy(
                "The ace is low: ace, two, three is a run; queen, king, ace is not. An ace counts 1."
            ),
            "low_or_high": gettext_lazy(
                "The ace is low or high: queen, king, ace is a run too. An ace counts 1 all the same."
            ),
        },
        {"low": gettext_lazy("low only"), "low_or_high": gettext_lazy("low or high")},
    ),
}
_BONUSES_OF_A_HAND: Final = {
    "gin_bonus": Knob(
        gettext_lazy("Gin"),
        gettext_lazy("Points on top of the defender's deadwood."),
        gettext_lazy("Gin scores what the other has left over, and %(count)s more."),
    ),
    "big_gin_bonus": Knob(
        gettext_lazy("Big gin"),
        gettext_lazy("All eleven cards melded. Empty where it is not played; 0 where it has no bonus."),
        _big_gin_bonus,
    ),
    "undercut_bonus": Knob(
        gettext_lazy("Undercut"),
        gettext_lazy("Points for the defender on top of the difference."),
        _undercut_bonus,
    ),
    "undercut_penalty": Knob(
        gettext_lazy("Penalty for being undercut"),
        gettext_lazy("What of an undercut is taken off the knocker, instead of the defender scoring it."),
        {
            "none": gettext_lazy("Nothing is taken off the knocker; the defender scores it."),
            "bonus": gettext_lazy("The defender scores the difference; the bonus is taken off the knocker."),
            "all": gettext_lazy(
                "The defender has the hand and its box, and all points are taken off the knocker."
            ),
        },
        {
            "none": gettext_lazy("nothing"),
            "bonus": gettext_lazy("the bonus"),
            "all": gettext_lazy("the bonus and the difference"),
        },
    ),
}
_THE_GAME: Final = {
    "kind": Knob(
        gettext_lazy("Kind of game"),
        gettext_lazy("Who plays against whom, and how a hand is scored."),
        {
            "gin": gettext_lazy("Gin rummy: of two players, or of two teams."),
            "cutthroat": gettext_lazy("Cutthroat: of three or four players two play, and the others wait."),
            "captains": gettext_lazy(
                "Captains: one is alone against the others, for whom their captain plays."
            ),
            "jersey": gettext_lazy(
                "Jersey gin: three play at once, and the winner of a hand wins from both others."
            ),
            "partners_one_pack": gettext_lazy(
                "Partners with one pack: two games of two are dealt from one pack."
            ),
            "basic_rummy": gettext_lazy(
                "Basic rummy: two to six play, and melds are laid down in the course of play."
            ),
        },
        {key: translated_lazy(kind.title) for key, kind in KINDS.items()},
    ),
    "columns": Knob(
        gettext_lazy("Games on a sheet"),
        gettext_lazy("1 is an ordinary game, 3 is Hollywood."),
        _columns,
    ),
    "deals": Knob(
        gettext_lazy("Number of deals"),
        gettext_lazy("A sheet ends after this many, with one game on it. Empty where it ends at the target."),
        _deals,
        absent=gettext_lazy("to the target"),
    ),
    "target": Knob(
        gettext_lazy("Target"),
        gettext_lazy("The points that win a game."),
        gettext_lazy("Whoever first reaches %(count)s points wins the game."),
    ),
    "team_target": Knob(
        gettext_lazy("Target of teams"),
        gettext_lazy("The points that win a game between teams."),
        gettext_lazy("Between teams, whoever first reaches %(count)s points wins the game."),
    ),
    "game_bonus": Knob(
        gettext_lazy("Game bonus"),
        gettext_lazy("What the winner of a game adds."),
        gettext_lazy("The winner of a game adds %(count)s."),
        nothing=gettext_lazy("The winner of a game adds no bonus for it."),
    ),
    "shutout": Knob(
        gettext_lazy("Shutout"),
        gettext_lazy("What the winner adds where the loser has nothing in the game (schneider, blitz)."),
        {
            "none": gettext_lazy("A loser with nothing in the game pays nothing more for it."),
            "double_game_bonus": gettext_lazy(
                "Against a loser with nothing in the game, the winner adds the game bonus once more."
            ),
            "double_points": gettext_lazy(
                "Against a loser with nothing in the game, the winner adds the points of all hands won again."
            ),
            "double_total": gettext_lazy(
                "Against a loser with nothing in the game, the winner adds points, boxes and game bonus once "
                "more."
            ),
            "flat": gettext_lazy("Against a loser with nothing in the game, the winner adds a fixed amount."),
        },
        {
            "none": gettext_lazy("nothing"),
            "double_game_bonus": gettext_lazy("the game bonus again"),
            "double_points": gettext_lazy("the points of the hands again"),
            "double_total": gettext_lazy("the whole total again"),
            "flat": gettext_lazy("a fixed amount"),
        },
    ),
    "shutout_amount": Knob(
        gettext_lazy("Fixed shutout bonus"),
        gettext_lazy("In force where the shutout adds a fixed amount."),
        gettext_lazy("That amount is %(count)s."),
    ),
    "double_if_loser_boxless": Knob(
        gettext_lazy("Doubled against no box"),
        gettext_lazy("The difference doubles where the loser has no box in the game."),
        {
            True: gettext_lazy("Where the loser has no box in the game, the whole difference counts twice."),
            False: gettext_lazy("A loser without a box pays the difference once, like any other."),
        },
    ),
    "last_column_double": Knob(
        gettext_lazy("Last game double"),
        gettext_lazy("The result of the last game counts twice."),
        {
            True: gettext_lazy("The last game of the sheet counts twice."),
            False: gettext_lazy("All games of the sheet count alike."),
        },
    ),
}
_BOXES: Final = {
    "box_bonus": Knob(
        gettext_lazy("Box"),
        gettext_lazy("Points for each box, at the settlement; 0 is none."),
        gettext_lazy("Each hand won is a box, and each box adds %(count)s."),
        nothing=gettext_lazy("A box is worth nothing at the settlement."),
    ),
    "box_credit": Knob(
        gettext_lazy("Boxes and the target"),
        gettext_lazy("Whether boxes count towards the target."),
        _box_credit,
        {"at_end": gettext_lazy("counted at the end"), "at_once": gettext_lazy("count at once")},
    ),
    "extra_boxes_gin": Knob(
        gettext_lazy("Extra boxes for gin"),
        gettext_lazy("Beyond the hand's own."),
        ngettext_lazy("Gin gives %(count)s box more.", "Gin gives %(count)s boxes more.", "count"),
        nothing=gettext_lazy("Gin is one box, like any hand won."),
    ),
    "extra_boxes_big_gin": Knob(
        gettext_lazy("Extra boxes for big gin"),
        gettext_lazy("Beyond the hand's own."),
        ngettext_lazy("Big gin gives %(count)s box more.", "Big gin gives %(count)s boxes more.", "count"),
        nothing=gettext_lazy("Big gin is one box, like any hand won."),
    ),
    "extra_boxes_undercut": Knob(
        gettext_lazy("Extra boxes for an undercut"),
        gettext_lazy("Beyond the hand's own."),
        ngettext_lazy(
            "An undercut gives %(count)s box more.",
            "An undercut gives %(count)s boxes more.",
            "count",
        ),
        nothing=gettext_lazy("An undercut is one box, like any hand won."),
    ),
    "extra_boxes_gin_off": Knob(
        gettext_lazy("Extra boxes for an undercut with nothing left"),
        gettext_lazy("In place of those for an undercut."),
        ngettext_lazy(
            "An undercut with nothing left over gives %(count)s box more, in place of those for an undercut.",
            "An undercut with nothing left over gives %(count)s boxes more, in place of those for an "
            "undercut.",
            "count",
        ),
        nothing=gettext_lazy("An undercut with nothing left over is one box, like any hand won."),
    ),
    "sweep_boxes": Knob(
        gettext_lazy("Extra boxes for a sweep"),
        gettext_lazy("For a team that wins every hand of a deal."),
        ngettext_lazy(
            "A team that wins every hand of a deal has %(count)s box more.",
            "A team that wins every hand of a deal has %(count)s boxes more.",
            "count",
        ),
        nothing=gettext_lazy("A team that wins every hand of a deal has nothing extra for it."),
    ),
    "spades_double_boxes": Knob(
        gettext_lazy("Boxes of a spade hand"),
        gettext_lazy("What a spade doubles of the boxes."),
        {
            "none": gettext_lazy("A spade doubles no boxes."),
            "extra": gettext_lazy("A spade doubles the extra boxes of the hand too."),
            "all": gettext_lazy("A spade doubles all boxes of the hand too."),
        },
        {
            "none": gettext_lazy("nothing"),
            "extra": gettext_lazy("the extra boxes"),
            "all": gettext_lazy("all boxes of the hand"),
        },
    ),
}
_TEAMS: Final = {
    "team_scoring": Knob(
        gettext_lazy("A team's line"),
        gettext_lazy("What a team enters after each deal."),
        {
            "net": gettext_lazy(
                "After each deal the better team enters the difference, as one line and one box."
            ),
            "sum": gettext_lazy("After each deal each team enters what its own winners made."),
        },
        {
            "net": gettext_lazy("the difference of the hands"),
            "sum": gettext_lazy("what its own winners made"),
        },
    ),
    "packs": Knob(
        gettext_lazy("Packs of cards"),
        gettext_lazy("A pack for each table, or one among four players."),
        {
            "per_table": gettext_lazy("Each table of a team game has a pack of its own."),
            "shared": gettext_lazy("Four players share one pack, which leaves a stock of twelve cards."),
        },
        {"per_table": gettext_lazy("one at each table"), "shared": gettext_lazy("one among four")},
    ),
}
_DEAL_AND_PLAY: Final = {
    "first_dealer": Knob(
        gettext_lazy("First dealer"),
        gettext_lazy("Which cut chooses the first dealer."),
        {
            "high": gettext_lazy("Both cut for the first deal: the higher card chooses who deals."),
            "low": gettext_lazy("Both cut for the first deal: the lower card chooses who deals."),
        },
        {"high": gettext_lazy("the high cut"), "low": gettext_lazy("the low cut")},
    ),
    "next_dealer": Knob(
        gettext_lazy("Next dealer"),
        gettext_lazy("Who deals the next hand."),
        {
            "loser": gettext_lazy(
                "The loser of a hand deals the next; after a dead hand the same dealer deals again."
            ),
            "winner": gettext_lazy(
                "The winner of a hand deals the next; after a dead hand the same dealer deals again."
            ),
            "alternate": gettext_lazy("The deal alternates; after a dead hand the same dealer deals again."),
        },
        {
            "loser": gettext_lazy("the loser of the hand"),
            "winner": gettext_lazy("the winner of the hand"),
            "alternate": gettext_lazy("both in turn"),
        },
    ),
    "deal": Knob(
        gettext_lazy("The 21st card"),
        gettext_lazy("It is turned up, or goes to the player who did not deal."),
        {
            "upcard": gettext_lazy(
                "The 21st card is turned up; the player who did not deal may take it first, then the dealer."
            ),
            "elder_eleven": gettext_lazy(
                "The 21st card goes to the player who did not deal, who begins by discarding."
            ),
        },
        {
            "upcard": gettext_lazy("turned up"),
            "elder_eleven": gettext_lazy("dealt to the other player"),
        },
    ),
    "discard_taken_card": Knob(
        gettext_lazy("Discarding the card just taken"),
        gettext_lazy("Whether the card taken from the pile may be discarded in the same turn."),
        {
            "never": gettext_lazy("A card taken from the pile may not be discarded in the same turn."),
            "always": gettext_lazy("A card taken from the pile may be discarded in the same turn."),
            "fiftieth_card": gettext_lazy(
                "A card taken from the pile may be discarded in the same turn only to knock with the 50th."
            ),
        },
        {
            "never": gettext_lazy("never"),
            "always": gettext_lazy("always"),
            "fiftieth_card": gettext_lazy("only to knock after the 50th card"),
        },
    ),
    "stock_end": Knob(
        gettext_lazy("End of the stock"),
        gettext_lazy("When a hand that nobody ends is dead."),
        _stock_end,
        {
            "two_left": gettext_lazy("two cards are left"),
            "fiftieth_card": gettext_lazy("two cards are left, and the last discard is passed"),
        },
    ),
}

# Each group's title, and its knobs in order.
GROUPS: Final[tuple[tuple[StrOrPromise, dict[str, Knob]], ...]] = (
    (gettext_lazy("Knocking"), _KNOCKING),
    (gettext_lazy("Bonuses of a hand"), _BONUSES_OF_A_HAND),
    (gettext_lazy("The game"), _THE_GAME),
    (gettext_lazy("Boxes"), _BOXES),
    (gettext_lazy("Teams"), _TEAMS),
    (gettext_lazy("Deal and play"), _DEAL_AND_PLAY),
    *OWN_GROUPS,
)

KNOBS: Final[dict[str, Knob]] = {name: knob for _title, knobs in GROUPS for name, knob in knobs.items()}
