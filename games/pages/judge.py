"""The director's judge: cards are tapped or typed, and ruled on. Open to everybody; nothing is stored."""

import re
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.errors import GameError
from games.gin.cards import CARD_COUNT, RANK_COUNT, parse_number
from games.gin.documents import judged
from games.gin.judging import DEFENDER, KNOCKER, Ruling
from games.pages.judge_cards import TableCards
from games.pages.pages import kept_fresh, page, reader_of
from games.services import judge_refusal
from games.tables.laid import LaidHand, laid_down
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError, shown
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.documents.hand_readers import READERS
from scoring.models import HouseRules
from scoring.policy import policy
from scoring.words.knob_words import GIN_PRESET_WORDS
from scoring.words.messages import translated
from scoring.words.rules_words import hand_sentences

# Problems shown beside a field of the form; others are shown with the ruling.
_FIELDS: Final = (KNOCKER, DEFENDER, "upcard", "melds", "rules")
# A code of house rules, perhaps with a version: `h7k2mdr9qx` or `h7k2mdr9qx.2`.
_CODE: Final = re.compile(r"([a-z0-9]{1,16})(?:\.([0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """The rules to judge by: their name in the query, their title, and their knobs."""

    asked: str
    title: str
    document: dict[str, Any]
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class Judgment:
    """A ruling for display; without one, the `problems` by field, or the cards still missing."""

    cards: TableCards
    rules: ChosenRules
    problems: dict[str, str]
    ruling: Ruling | None = None
    laid: tuple[LaidHand, ...] | None = None

    @property
    def missing(self) -> tuple[int, int]:
        """The numbers of cards missing of the knocker and of the defender."""
        return self.cards.missing(KNOCKER), self.cards.missing(DEFENDER)

    @property
    def other_problem(self) -> str:
        """A problem that belongs to no field."""
        return self.problems.get("", "")


@require_safe
def judge_page(request: HttpRequest) -> HttpResponse:
    """The page, with the cards from the query and their ruling, if any.

    `tapping` in the query means that cards were being tapped, and continues that.
    """
    judgment = _judgment(request, waits="tapping" in request.GET)
    context = _context(judgment) | {
        "at": "judge",
        "suits": [range(first, first + RANK_COUNT) for first in range(0, CARD_COUNT, RANK_COUNT)],
        "presets": [(name, title) for name, (title, _school) in GIN_PRESET_WORDS.items()],
        "pack": range(CARD_COUNT),
        "upcard": _known_card(judgment.cards.upcard),
        "entering": DEFENDER if request.GET.get("entering") == DEFENDER else KNOCKER,
    }
    return page(request, "games/judge.html", context, status=422 if judgment.problems else 200)


@require_safe
def judge_ruling(request: HttpRequest) -> HttpResponse:
    """The ruling alone, requested while cards are tapped: missing cards are no mistake yet."""
    response = render(request, "games/_judge_answer.html", _context(_judgment(request, waits=True)))
    query = request.GET.copy()
    query["tapping"] = "1"
    response["HX-Replace-Url"] = f"{reverse('judge_page')}?{query.urlencode()}"
    return kept_fresh(request, response)


def _context(judgment: Judgment) -> dict[str, Any]:
    sentences: list[str] = []
    if "rules" not in judgment.problems:
        sentences = hand_sentences(Rules.from_document(judgment.rules.document))
    return {"judgment": judgment, "sentences": sentences}


def _judgment(request: HttpRequest, *, waits: bool) -> Judgment:
    cards = TableCards.read(dict(request.GET.lists()))
    asked = request.GET.get("rules", "") or "standard"
    try:
        rules = _rules(asked, reader_of(request))
    except GameError as error:
        return Judgment(cards, ChosenRules(asked, "", {}), {"rules": translated(error.message)})
    if cards.is_blank or (waits and cards.is_being_entered):
        return Judgment(cards, rules, {})
    refused = judge_refusal(reader_of(request)) if request.user.is_authenticated else None
    if refused is not None:
        return Judgment(cards, rules, {"": translated(refused.message)})
    try:
        ruling = judged(cards.to_document(rules.document))
    except (GameError, ScoringError) as error:
        field = (error.field or "").partition(".")[0]
        return Judgment(cards, rules, {field if field in _FIELDS else "": translated(error.message)})
    ace = Rules.from_document(rules.document).ace
    return Judgment(cards, rules, {}, ruling, laid_down(ruling.knocker, ruling.defender, ace=ace))


def _known_card(text: str) -> int | None:
    try:
        return parse_number(text)
    except GameError:
        return None


def _rules(asked: str, reader: Actor) -> ChosenRules:
    """A preset by name, or house rules by code, in the newest version unless a number is given.

    House rules that the reader may not read are refused as unknown (`unknown_rules`).
    """
    if asked in GIN_PRESET_WORDS:
        return ChosenRules(asked, str(GIN_PRESET_WORDS[asked][0]), {"preset": asked})
    found = None
    if code := _CODE.fullmatch(asked):
        readable = policy().readable(reader, HouseRules.objects.filter(code=code[1]))
        versions = readable.order_by("-version")
        found = versions.filter(version=code[2]).first() if code[2] else versions.first()
    if found is None:
        raise GameError(
            "unknown_rules",
            _("There are no rules “%(asked)s”: give the name of a preset or the code of house rules.")
            % {"asked": shown(asked)},
            field="rules",
        )
    kind = kind_of(found.rules)
    if READERS[kind.key] is not READERS["gin"]:
        raise GameError(
            "not_judged",
            _("Hands of two are ruled on here, not those of %(game)s.") % {"game": translated(kind.title)},
            field="rules",
        )
    return ChosenRules(asked, str(found), found.knobs, is_house=True)
