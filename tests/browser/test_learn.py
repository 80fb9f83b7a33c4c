"""The pages to learn from in a browser: on the smallest phone and on a desk, light, dark and printed."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from league.events.house_rules import make_club_rules
from league.learn.lessons import LESSONS
from league.models import Club
from scoring.core.rules import Rules
from tests.factories import OPERATOR, ClubFactory

pytestmark = [pytest.mark.browser, pytest.mark.looks]

NAMES = ["learn", "learn_strategy", "learn_glossary", "learn_questions", *map("learn_{}".format, LESSONS)]


@pytest.fixture
def club(transactional_db: None) -> Club:
    """A club with rules for every kind of game, under a long name."""
    club: Club = ClubFactory.create(name="Harbour Gin Club", slug="harbour")
    name = "Donaudampfschifffahrtsgesellschaftskapitänsrunde"
    for lesson in LESSONS.values():
        for _number in range(2):
            make_club_rules(actor=OPERATOR, club=club, name=name, rules=Rules.preset(lesson.preset))
    return club


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_nothing_is_refused(
    page: Page, live_server: LiveServer, club: Club, complaints: list[str], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    for name in NAMES:
        page.goto(f"{live_server.url}{reverse(f'club_{name}', args=['harbour'])}")
        too_wide = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert too_wide <= 0, name


@pytest.mark.parametrize("kind", LESSONS)
def test_a_lesson_is_printed_on_one_page(page: Page, live_server: LiveServer, club: Club, kind: str) -> None:
    page.goto(f"{live_server.url}{reverse(f'club_learn_{kind}', args=['harbour'])}")
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
