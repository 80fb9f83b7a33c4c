"""House rules in words: knobs with their values, differences between rules, names of presets."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from scoring.core.rule_differences import KnobChange, KnobValue, single_knobs
from scoring.core.rules import Rules
from scoring.words.knobs import KNOBS, groups_of

# The presets of RULES §9: title, and the school each stands for.
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
    "cutthroat": (_("Cutthroat"), _("Three or four players, of whom two play; the loser makes room.")),
    "captains": (_("Captains"), _("One alone in the box, against the captain of all others.")),
    "jersey": (_("Jersey gin"), _("Three play at once, and the winner wins from both others.")),
    "battle_royal": (
        _("Battle Royal"),
        _("Jersey for the sum of both counts; the bonus of an undercut is taken off the knocker."),
    ),
    "partners_one_pack": (
        _("Partners with one pack"),
        _("Two against two, in two games dealt from one pack."),
    ),
    "basic_rummy": (_("Basic rummy"), _("Two to six players, who lay down melds in the course of play.")),
}
# Those of two-sided gin.
GIN_PRESET_WORDS: Final = {
    name: words for name, words in PRESET_WORDS.items() if Rules.preset(name).own is None
}


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A changed knob in words: “Gin”, “25”, “20”."""

    knob: str
    title: StrOrPromise
    before: StrOrPromise
    after: StrOrPromise


def knob_rows(rules: Rules) -> Iterator[tuple[StrOrPromise, list[tuple[StrOrPromise, StrOrPromise]]]]:
    """Every knob that the kind of game has with its value in words, by group."""
    values = single_knobs(rules)
    for title, knobs in groups_of(rules):
        yield title, [(KNOBS[knob].title, value_words(knob, values[knob])) for knob in knobs]


def change_words(changes: Iterable[KnobChange]) -> list[ChangeWords]:
    """The changes in words, in the order of the groups."""
    order = list(KNOBS)
    return [
        ChangeWords(
            change.knob,
            KNOBS[change.knob].title,
            value_words(change.knob, change.before),
            value_words(change.knob, change.after),
        )
        for change in sorted(changes, key=lambda change: order.index(change.knob))
    ]


def value_words(knob: str, value: KnobValue) -> StrOrPromise:
    """A value of a knob in words."""
    if value is None:
        return KNOBS[knob].absent
    if choices := KNOBS[knob].choices:
        return choices[str(value)]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)
