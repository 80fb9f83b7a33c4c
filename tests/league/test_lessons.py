"""Lessons: every kind of game has one, and whatever a house rule changes is told in it."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from league.learn.glossary import TERMS
from league.learn.lessons import LESSONS
from league.learn.lessons.lesson import ToldSection, told
from league.learn.questions import TOPICS
from scoring.core.errors import RulesError
from scoring.core.kinds import KINDS
from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rules import CHOICES, EXTRA_BOX_KINDS, RANGES, Rules
from scoring.words.knobs import groups_of, is_in_force, knob_sentence
from tests.catalogue import ROOT

# Turned so that knobs which are idle by default are in force.
TURNED: dict[str, dict[str, Any]] = {
    "gin": {"spades_double": True, "shutout": "flat", "columns": 3},
    "cutthroat": {"spades_double": True, "shutout": "flat"},
    "captains": {"spades_double": True, "shutout": "flat", "captains": {"box_held": "hand"}},
    "jersey": {"spades_double": True, "shutout": "flat"},
    "partners_one_pack": {"spades_double": True, "shutout": "flat", "columns": 3},
    "basic_rummy": {"basic_rummy": {"last_discard": True, "ace": "low_or_high"}},
}


def text_of(rules: Rules) -> str:
    sections: list[ToldSection] = told(LESSONS[rules.kind], rules)
    return "\n".join(f"{section.title}: {' '.join(section.paragraphs)}" for section in sections)


def changed(rules: Rules, knob: str) -> Iterator[Rules]:
    """The rules with every other value of a knob that they may have, of numbers with one more."""
    document = rules.to_document()
    place, name = document, knob
    choices: dict[str, tuple[Any, ...]] = {**CHOICES}
    numbers = {*RANGES}
    own = OWN_KNOBS.get(rules.kind)
    if own is not None and knob.startswith(f"{rules.kind}_"):
        place, name = document[rules.kind], knob.removeprefix(f"{rules.kind}_")
        choices, numbers = {**own.CHOICES}, {*own.RANGES}
    elif knob.startswith("extra_boxes_"):
        place, name = document["extra_boxes"], knob.removeprefix("extra_boxes_")
        numbers = {*EXTRA_BOX_KINDS}
    before = place[name]
    if name in choices:
        values = [value for value in choices[name] if value != before]
    elif name in numbers:
        values = [before + 1 if before else 5]
    else:
        assert isinstance(before, bool), knob
        values = [not before]
    for value in values:
        place[name] = value
        # Some values go only with another knob that is turned too.
        with suppress(RulesError):
            yield Rules.from_document(document)
    place[name] = before


def test_every_kind_of_game_has_a_lesson_and_every_lesson_an_address() -> None:
    assert list(LESSONS) == list(KINDS)
    for kind, lesson in LESSONS.items():
        assert Rules.preset(lesson.preset).kind == kind
        assert reverse(f"learn_{kind}") == f"/learn/{kind.replace('_', '-')}/"
        assert lesson.sources


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_changed_house_rule_changes_the_lesson(kind: str, is_turned: bool) -> None:
    rules = Rules.preset(LESSONS[kind].preset, **(TURNED[kind] if is_turned else {}))
    before, tried = text_of(rules), 0
    for _title, knobs in groups_of(rules):
        for knob in knobs:
            if knob == "kind" or not is_in_force(rules, knob):
                continue
            for other in changed(rules, knob):
                assert text_of(other) != before, (knob, other)
                tried += 1
    assert tried > 10


@pytest.mark.parametrize("kind", KINDS)
def test_a_house_rule_without_a_line_is_told_last(kind: str) -> None:
    """As if all knobs were new: each says nothing at its default, and whatever else is played."""
    usual, tried = Rules(kind=kind), 0
    bare = replace(LESSONS[kind], sections=())
    assert told(bare, usual) == []
    for _title, knobs in groups_of(usual):
        for knob in knobs:
            if knob != "kind":
                for other in changed(usual, knob):
                    said = [line for section in told(bare, other) for line in section.paragraphs]
                    assert (knob_sentence(other, knob) in said) == is_in_force(other, knob), knob
                    tried += 1
    assert tried > 10
    assert "Further house rules" not in text_of(Rules.preset(LESSONS[kind].preset, **TURNED[kind]))


def test_the_values_of_the_rules_stand_in_the_text() -> None:
    usual = text_of(Rules())
    assert "A player may knock with 10 points or less left over." in usual
    assert "each box adds 25" in usual
    ours = text_of(Rules(knock_limit=7, box_bonus=20, gin_bonus=20))
    assert "A player may knock with 7 points or less left over." in ours
    assert "each box adds 20" in ours
    assert "Gin scores what the other has left over, and 20 more." in ours


def test_where_nobody_knocks_nothing_is_said_of_laying_off() -> None:
    said = text_of(Rules.preset("gin_only"))
    assert "Nobody knocks: a hand is ended by gin alone." in said
    assert "lays off:" not in said
    assert "undercut" not in said


def test_the_glossary_has_the_terms_of_the_rules() -> None:
    """Those that RULES §1 sets in bold."""
    rules = (ROOT / "docs/RULES.md").read_text(encoding="utf-8")
    chapter = rules.partition("## 1. Terms")[2].partition("## 2.")[0]
    bold = {" ".join(term.split()).lower() for term in chapter.split("**")[1::2]}
    known = {str(term.name).lower() for term in TERMS}
    assert len(bold) > 20
    assert bold - known == set()
    assert len({term.key for term in TERMS}) == len(TERMS)


@pytest.mark.parametrize("preset", ["standard", "tournament", "continental", "gin_only", "oklahoma"])
def test_every_question_has_an_answer_by_any_rules(preset: str) -> None:
    rules = Rules.preset(preset)
    for topic in TOPICS:
        for question in topic.questions:
            assert any(line.said(rules) for line in question.ruling), question.key
