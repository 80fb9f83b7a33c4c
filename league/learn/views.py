"""The pages to learn from: of the site by the presets, of a club by its own house rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe
from django_stubs_ext import StrOrPromise

from league.core.collation import name_key
from league.learn import positions
from league.learn.glossary import TERMS
from league.learn.house import OwnRules, own_rules
from league.learn.lessons import LESSONS
from league.learn.lessons.lesson import Lesson, told
from league.learn.questions import TOPICS, Question
from league.learn.rulings import RuledHand, ruled
from league.learn.strategy import CHAPTERS
from league.models import Club
from league.pages.pages import followed, page, reader_of, visible_club
from scoring.core.kinds import KINDS
from scoring.core.rule_differences import differences
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.words.example_words import worked_examples
from scoring.words.knob_words import ChangeWords, change_words
from scoring.words.messages import translated
from scoring.words.rules_words import rules_headline

# The preset by which hands are judged where there are no house rules. The judge knows those of two-sided gin;
# the values of this one are those of all lessons that it rules on.
_JUDGED_BY: Final = "standard"
# What a knob says of a whole sheet does not bear on how a single hand is played for.
_OF_HANDS: Final = (
    "knock_limit", "oklahoma", "ace", "gin_bonus", "big_gin_bonus", "undercut_bonus", "undercut_on_tie",
    "undercut_penalty", "spades_double", "zero_knock", "discard_taken_card", "stock_end", "target", "deals",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shelf:
    """Whose pages they are: the site's, or those of a club with its house rules."""

    club: Club | None = None
    own: OwnRules = field(default_factory=lambda: OwnRules({}))

    def way(self, name: str, *args: str) -> str:
        """The address of one of these pages, by its route's name on the site."""
        if self.club is None:
            return reverse(name, args=args)
        return reverse(f"club_{name}", args=[self.club.slug, *args])

    @property
    def ways(self) -> dict[str, str]:
        """The addresses of the pages that are no lessons."""
        return {name: self.way(f"learn_{name}") for name in ("strategy", "glossary", "questions")} | {
            "index": self.way("learn")
        }

    def rules_for(self, kind: str) -> tuple[Rules, str]:
        """The main rules for a kind, and their name as the judge's page takes it."""
        house = self.own.main(kind)
        if house is None:
            return Rules.preset(LESSONS[kind].preset), _JUDGED_BY
        return house.rules, asked(house)


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A lesson in the list of all; `house` are the club's rules for it."""

    lesson: Lesson
    title: str
    address: str
    house: HouseRules | None

    @property
    def headline(self) -> str:
        """The club's rules in a few words."""
        return "" if self.house is None else rules_headline(self.house.rules)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its ruling under certain rules."""

    question: Question
    ruling: str
    hand: RuledHand | None


@dataclass(frozen=True, slots=True)
class Choice:
    """House rules by which a lesson can be told."""

    name: str
    address: str
    is_shown: bool


def asked(house: HouseRules) -> str:
    """House rules as the judge's page takes them in its query."""
    return f"{house.code}.{house.version}"


def route_of(kind: str) -> str:
    """The name of the site's route to the lesson of a kind."""
    return f"learn_{kind}"


def index_page(request: HttpRequest, shelf: Shelf) -> HttpResponse:
    """All lessons, and the ways to strategy, glossary and questions."""
    lines = [
        LessonLine(lesson, title_of(kind), shelf.way(route_of(kind)), shelf.own.main(kind))
        for kind, lesson in LESSONS.items()
    ]
    return _answer(request, "index", {"lines": lines}, shelf)


def lesson_page(request: HttpRequest, shelf: Shelf, kind: str, rules: str = "") -> HttpResponse:
    """How a kind of game is played; a 404 for house rules that the club does not list for it."""
    house = shelf.own.called(kind, rules) if rules else shelf.own.main(kind)
    if rules and house is None:
        raise Http404
    lesson = LESSONS[kind]
    told_by = Rules.preset(lesson.preset) if house is None else house.rules
    context = {
        "lesson": lesson,
        "title": title_of(kind),
        "house": house,
        "headline": rules_headline(told_by),
        "choices": list(_choices(shelf, kind, house)),
        "sections": told(lesson, told_by),
        "examples": worked_examples(told_by).hands,
        "judged_by": asked(house) if house else _JUDGED_BY,
    }
    return _answer(request, "lesson", context, shelf)


def strategy_page(request: HttpRequest, shelf: Shelf) -> HttpResponse:
    """Advice with positions, and where the club's rules for gin differ from those they were played by."""
    rules, _name = shelf.rules_for("gin")
    changes: list[ChangeWords] = []
    if rules != positions.RULES:
        changes = change_words(
            change for change in differences(positions.RULES, rules) if change.knob in _OF_HANDS
        )
    return _answer(request, "strategy", {"chapters": CHAPTERS, "changes": changes}, shelf)


def glossary_page(request: HttpRequest, shelf: Shelf) -> HttpResponse:
    """The words of the game, in the order of the reader's language."""
    return _answer(
        request, "glossary", {"terms": sorted(TERMS, key=lambda term: name_key(str(term.name)))}, shelf
    )


def questions_page(request: HttpRequest, shelf: Shelf) -> HttpResponse:
    """Questions, with rulings by the rules for gin; hands are judged as the judge does."""
    rules, name = shelf.rules_for("gin")
    topics: list[tuple[StrOrPromise, list[AnsweredQuestion]]] = [
        (topic.title, [_ruling(question, rules, name) for question in topic.questions]) for topic in TOPICS
    ]
    return _answer(request, "questions", {"topics": topics, "house": shelf.own.main("gin")}, shelf)


def title_of(kind: str) -> str:
    """The title of a kind of game in the reader's language."""
    return translated(KINDS[kind].title)


def _on_site(tell: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The view of the site's own page, by presets."""

    @require_safe
    @wraps(tell)
    def view(request: HttpRequest, **places: str) -> HttpResponse:
        return tell(request, Shelf(), **places)

    return view


def _in_club(tell: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The view of a club's page, by its main rules or those in the address."""

    @require_safe
    @followed
    @wraps(tell)
    def view(request: HttpRequest, club: str, **places: str) -> HttpResponse:
        return tell(request, _shelf(request, club), **places)

    return view


index, club_index = _on_site(index_page), _in_club(index_page)
lesson, club_lesson = _on_site(lesson_page), _in_club(lesson_page)
strategy, club_strategy = _on_site(strategy_page), _in_club(strategy_page)
glossary, club_glossary = _on_site(glossary_page), _in_club(glossary_page)
questions, club_questions = _on_site(questions_page), _in_club(questions_page)


def _shelf(request: HttpRequest, slug: str) -> Shelf:
    """The pages of a club; a 404 if the reader may not see the club, or it hides them."""
    club = visible_club(request, slug)
    if not club.has_learn_pages:
        raise Http404
    return Shelf(club, own_rules(club, reader_of(request)))


def _answer(request: HttpRequest, template: str, context: dict[str, Any], shelf: Shelf) -> HttpResponse:
    shared = {"at": "learn", "ways": shelf.ways, "page_at": template}
    if shelf.club is not None:
        return page(request, f"league/learn/{template}.html", shared | context, club=shelf.club)
    response = render(request, f"league/learn/{template}.html", shared | context)
    patch_cache_control(response, no_cache=True)
    return response


def _choices(shelf: Shelf, kind: str, shown: HouseRules | None) -> Iterator[Choice]:
    """The house rules among which a reader may choose, if there are several."""
    rules = shelf.own.by_kind.get(kind, [])
    if len(rules) > 1:
        for each in rules:
            yield Choice(each.name, shelf.way(f"{route_of(kind)}_by", each.code), each == shown)


def _ruling(question: Question, rules: Rules, name: str) -> AnsweredQuestion:
    said = " ".join([said for line in question.ruling if (said := line.said(rules))])
    return AnsweredQuestion(
        question, said, None if question.hand is None else ruled(question.hand, rules, name)
    )
