"""What a lesson is: how a kind of game is played, in sections whose sentences follow the house rules."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from games.gin.cards import Hand
from games.tables.laid import LaidHand
from league.learn.sources import Source
from scoring.core.rule_differences import KnobValue, single_knobs
from scoring.core.rules import EXTRA_BOX_KINDS, Rules
from scoring.words.knobs import groups_of, is_in_force, knob_sentence

# Values of knobs of which a lesson says nothing: who learns need not hear of what is not played.
_SILENT: Final[dict[str, KnobValue]] = {
    "oklahoma": "off",
    "spades_double": False,
    "spades_double_boxes": "none",
    "undercut_penalty": "none",
    **{f"extra_boxes_{kind}": 0 for kind in EXTRA_BOX_KINDS},
    "sweep_boxes": 0,
    "shutout": "none",
    "double_if_loser_boxless": False,
    "columns": 1,
    "last_column_double": False,
    "basic_rummy_floating": False,
}


def always(rules: Rules) -> bool:
    """Under any rules."""
    return True


def knocks(rules: Rules) -> bool:
    """Whether anybody may knock."""
    return rules.knock_limit > 0


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence: a text, or else what the value of its `knob` means. Left out unless `when` holds."""

    text: StrOrPromise = ""
    knob: str = ""
    when: Callable[[Rules], bool] = always

    def said(self, rules: Rules) -> str:
        """The sentence under these rules, "" where there is nothing to say."""
        if not self.when(rules):
            return ""
        return str(self.text) if self.text else _meaning(rules, self.knob, _SILENT)


# Sentences that follow each other in one paragraph.
Paragraph = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards that illustrate a section: a caption, and the cards as text."""

    caption: StrOrPromise
    cards: str

    def laid(self, rules: Rules) -> LaidHand:
        """The cards in their best arrangement."""
        return LaidHand.best(Hand.parse(self.cards).mask, ace=rules.ace)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a lesson; `drawn` stands below its paragraphs."""

    title: StrOrPromise
    paragraphs: tuple[Paragraph, ...]
    drawn: tuple[Drawn, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """How a kind of game is played, in short (`sentence`) and section by section.

    `preset` has the rules that the site's own page tells. `is_judged`: the judge rules on its hands.
    """

    kind: str
    preset: str
    players: StrOrPromise
    sentence: StrOrPromise
    sections: tuple[Section, ...]
    sources: tuple[Source, ...]
    is_judged: bool = True


@dataclass(frozen=True, slots=True)
class ToldSection:
    """A section under certain rules."""

    title: StrOrPromise
    paragraphs: list[str]
    drawn: list[tuple[StrOrPromise, LaidHand]]


def told(lesson: Lesson, rules: Rules) -> list[ToldSection]:
    """The sections with what they say under these rules, without those that say nothing.

    A house rule that no line of the lesson is about is told in a last section, unless it has its default.
    """
    about = {line.knob for section in lesson.sections for each in section.paragraphs for line in each}
    usual = single_knobs(Rules(kind=rules.kind))
    rest = [knob for _title, knobs in groups_of(rules) for knob in knobs if knob not in {*about, "kind"}]
    found = [
        *(
            ToldSection(
                section.title,
                [said for each in section.paragraphs if (said := _joined(line.said(rules) for line in each))],
                [(each.caption, each.laid(rules)) for each in section.drawn],
            )
            for section in lesson.sections
        ),
        ToldSection(
            _("Further house rules"), [said for knob in rest if (said := _meaning(rules, knob, usual))], []
        ),
    ]
    return [section for section in found if section.paragraphs]


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(filter(None, sentences))


def _meaning(rules: Rules, knob: str, silent: Mapping[str, KnobValue]) -> str:
    """The sentence of a knob; "" where it is without effect, or has the value of which nothing is said."""
    if not is_in_force(rules, knob) or (knob in silent and single_knobs(rules)[knob] == silent[knob]):
        return ""
    return knob_sentence(rules, knob)
