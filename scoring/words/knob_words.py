"""The knobs of the house rules in words: what each is called, what it does, and what a value of it means."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from scoring.core.rule_differences import KnobChange, KnobValue, single_knobs
from scoring.core.rules import EXTRA_BOX_KINDS, Rules

# Title of a group, and its knobs in order.
GROUPS: Final[tuple[tuple[StrOrPromise, tuple[str, ...]], ...]] = (
    (
        _("Knocking"),
        ("knock_limit", "oklahoma", "spades_double", "zero_knock", "undercut_on_tie", "ace"),
    ),
    (_("Bonuses of a hand"), ("gin_bonus", "big_gin_bonus", "undercut_bonus")),
    (
        _("The game"),
        (
            "columns",
            "target",
            "team_target",
            "game_bonus",
            "shutout",
            "shutout_amount",
            "double_if_loser_boxless",
            "last_column_double",
        ),
    ),
    (
        _("Boxes"),
        (
            "box_bonus",
            "box_credit",
            *(f"extra_boxes_{kind}" for kind in EXTRA_BOX_KINDS),
            "sweep_boxes",
            "spades_double_boxes",
        ),
    ),
    (_("Teams"), ("team_scoring", "packs")),
    (
        _("Deal and play"),
        ("first_dealer", "next_dealer", "deal", "discard_taken_card", "stock_end"),
    ),
)

WORDS: Final[Mapping[str, tuple[StrOrPromise, StrOrPromise]]] = {
    "knock_limit": (_("Knock limit"), _("The most deadwood a player may knock with; 0 is gin only.")),
    "oklahoma": (_("Oklahoma"), _("The upcard lowers the knock limit of the hand to its own value.")),
    "spades_double": (_("Spades double"), _("A hand whose upcard is a spade counts double.")),
    "zero_knock": (
        _("Knock with nothing left"),
        _("What a knock with no deadwood is, by a player who did not say gin."),
    ),
    "undercut_on_tie": (
        _("Equal counts are an undercut"),
        _("Otherwise a hand with equal deadwood is dead."),
    ),
    "ace": (_("Ace"), _("Whether queen, king, ace is a run too; an ace counts 1 either way.")),
    "gin_bonus": (_("Gin"), _("Points on top of the defender's deadwood.")),
    "big_gin_bonus": (
        _("Big gin"),
        _("All eleven cards melded. Empty where it is not played; 0 where it has no bonus."),
    ),
    "undercut_bonus": (_("Undercut"), _("Points for the defender on top of the difference.")),
    "columns": (_("Games on a sheet"), _("1 is an ordinary game, 3 is Hollywood.")),
    "target": (_("Target"), _("The points that win a game.")),
    "team_target": (_("Target of teams"), _("The points that win a game between teams.")),
    "game_bonus": (_("Game bonus"), _("What the winner of a game adds.")),
    "shutout": (
        _("Shutout"),
        _("What the winner adds where the loser has nothing in the game (schneider, blitz)."),
    ),
    "shutout_amount": (_("Fixed shutout bonus"), _("In force where the shutout adds a fixed amount.")),
    "double_if_loser_boxless": (
        _("Doubled against no box"),
        _("The difference doubles where the loser has no box in the game."),
    ),
    "last_column_double": (_("Last game double"), _("The result of the last game counts twice.")),
    "box_bonus": (_("Box"), _("Points for each box, at the settlement; 0 is none.")),
    "box_credit": (_("Boxes and the target"), _("Whether boxes count towards the target.")),
    "extra_boxes_gin": (_("Extra boxes for gin"), _("Beyond the hand's own.")),
    "extra_boxes_big_gin": (_("Extra boxes for big gin"), _("Beyond the hand's own.")),
    "extra_boxes_undercut": (_("Extra boxes for an undercut"), _("Beyond the hand's own.")),
    "extra_boxes_gin_off": (
        _("Extra boxes for an undercut with nothing left"),
        _("In place of those for an undercut."),
    ),
    "sweep_boxes": (
        _("Extra boxes for a sweep"),
        _("For a team that wins every hand of a deal."),
    ),
    "spades_double_boxes": (_("Boxes of a spade hand"), _("What a spade doubles of the boxes.")),
    "team_scoring": (_("A team's line"), _("What a team enters after each deal.")),
    "packs": (_("Packs of cards"), _("A pack for each table, or one among four players.")),
    "first_dealer": (_("First dealer"), _("Which cut chooses the first dealer.")),
    "next_dealer": (_("Next dealer"), _("Who deals the next hand.")),
    "deal": (_("The 21st card"), _("It is turned up, or goes to the player who did not deal.")),
    "discard_taken_card": (
        _("Discarding the card just taken"),
        _("Whether the card taken from the pile may be discarded in the same turn."),
    ),
    "stock_end": (_("End of the stock"), _("When a hand that nobody ends is dead.")),
}

CHOICE_WORDS: Final[Mapping[str, Mapping[str, StrOrPromise]]] = {
    "ace": {"low": _("low only"), "low_or_high": _("low or high")},
    "oklahoma": {
        "off": _("not played"),
        "ace_is_one": _("played; an ace means 1"),
        "ace_is_gin": _("played; an ace means gin"),
    },
    "spades_double_boxes": {
        "none": _("nothing"),
        "extra": _("the extra boxes"),
        "all": _("all boxes of the hand"),
    },
    "zero_knock": {"knock": _("a knock"), "gin": _("gin")},
    "box_credit": {"at_end": _("counted at the end"), "at_once": _("count at once")},
    "shutout": {
        "none": _("nothing"),
        "double_game_bonus": _("the game bonus again"),
        "double_points": _("the points of the hands again"),
        "double_total": _("the whole total again"),
        "flat": _("a fixed amount"),
    },
    "team_scoring": {
        "net": _("the difference of the hands"),
        "sum": _("what its own winners made"),
    },
    "packs": {"per_table": _("one at each table"), "shared": _("one among four")},
    "first_dealer": {"high": _("the high cut"), "low": _("the low cut")},
    "next_dealer": {
        "loser": _("the loser of the hand"),
        "winner": _("the winner of the hand"),
        "alternate": _("both in turn"),
    },
    "deal": {"upcard": _("turned up"), "elder_eleven": _("dealt to the other player")},
    "discard_taken_card": {
        "never": _("never"),
        "always": _("always"),
        "fiftieth_card": _("only to knock after the 50th card"),
    },
    "stock_end": {
        "two_left": _("two cards are left"),
        "fiftieth_card": _("two cards are left, and the last discard is passed"),
    },
}

# What the presets of RULES §9 are called, and what school each stands for.
PRESET_WORDS: Final[Mapping[str, tuple[StrOrPromise, StrOrPromise]]] = {
    "standard": (_("Standard"), _("The common modern house rules.")),
    "tournament": (
        _("Tournament"),
        _("Modern tournament play: no big gin, and the 50th card may be taken to knock."),
    ),
    "online": (_("Online"), _("As it is played online: no bonuses at the end of a game.")),
    "classic": (_("Classic"), _("The rules of the old books: a shutout counts the whole total twice.")),
    "continental": (_("Continental"), _("The ace is high or low, and the bonuses are smaller.")),
    "gin_only": (_("Gin only"), _("As standard, and nobody knocks.")),
    "oklahoma": (
        _("Oklahoma"),
        _("As standard; the card turned up sets the limit, and spades count double."),
    ),
}


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A change in words: “Gin”, “25”, “20”."""

    knob: str
    title: StrOrPromise
    before: StrOrPromise
    after: StrOrPromise


def knob_rows(rules: Rules) -> Iterator[tuple[StrOrPromise, list[tuple[StrOrPromise, StrOrPromise]]]]:
    """Every knob with its value in words, by group."""
    values = single_knobs(rules)
    for title, knobs in GROUPS:
        yield title, [(WORDS[knob][0], value_words(knob, values[knob])) for knob in knobs]


def change_words(changes: Iterable[KnobChange]) -> list[ChangeWords]:
    """Changes in words, in the order of the groups."""
    order = [knob for _title, knobs in GROUPS for knob in knobs]
    return [
        ChangeWords(
            change.knob,
            WORDS[change.knob][0],
            value_words(change.knob, change.before),
            value_words(change.knob, change.after),
        )
        for change in sorted(changes, key=lambda change: order.index(change.knob))
    ]


def value_words(knob: str, value: KnobValue) -> StrOrPromise:
    """A value of a knob in words."""
    if knob in CHOICE_WORDS:
        return CHOICE_WORDS[knob][str(value)]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _("not played") if value is None else str(value)
