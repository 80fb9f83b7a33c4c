"""A scorekeeper at a real browser, as the tests of the sheet page drive one."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from league.models import Match
from scoring.models import Scoresheet

# Thirteen rows; Castell wins by 114, six boxes each.
ROWS = ["a18", "b12", "a25g", "b30", "d", "a15", "b53", "a44g", "b27u", "a8 20", "b6", "a9", "b14"]
ECHO = re.compile(r"/echo/$")
REPAIRS = re.compile(r"/repairs/$")
SAVE = re.compile(r"/save/$")


class Line(Enum):
    """What becomes of what is saved, on its way to the server and back."""

    UP = auto()
    CUT = auto()
    ANSWER_LOST = auto()


@dataclass
class Keeper:
    """A scorekeeper at a browser, and everything it complained about. `lost` allows for requests cut off."""

    page: Page
    url: str
    match: Match
    other: Match
    user: User
    complaints: list[str] = field(default_factory=list)
    lost: bool = False
    line: Line = Line.UP

    def open_sheet(self, match: Match | None = None) -> None:
        self.page.goto(self.url + reverse("entry:sheet", args=[(match or self.match).code]))
        self.is_ready()

    def is_ready(self) -> None:
        expect(self.page.locator("#save")).to_be_enabled()

    def type_rows(self, *rows: str) -> None:
        for row in rows:
            self.page.keyboard.type(row)
            self.page.keyboard.press("Enter")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def save(self) -> None:
        """Saves, and waits for the page that follows."""
        with self.page.expect_navigation():
            self.press("Control+s")
        self.is_ready()

    def echo_of(self, row: int) -> Any:
        return expect(self.page.locator(f"#echo-{row}"))

    def cells(self) -> list[str]:
        return [one.input_value() for one in self.page.locator("#rows input.cell").all()]

    def drafts(self) -> list[dict[str, Any]]:
        """What the browser holds of sheets that are not saved."""
        found = self.page.evaluate(
            "Object.entries(localStorage).filter(([key]) => key.startsWith('gin-draft')).map((one) => one[1])"
        )
        return [json.loads(text) for text in found]

    @property
    def sheet(self) -> Scoresheet:
        return Scoresheet.objects.get(match=self.match)

    def hold(self, address: re.Pattern[str]) -> Callable[[], Route]:
        """Holds back the next request to this address; the answer waits for it and returns its route."""
        held: list[Route] = []

        def take(route: Route) -> None:
            held.append(route)

        def wait() -> Route:
            while not held:
                self.page.evaluate("new Promise(requestAnimationFrame)")
            return held[0]

        self.page.route(address, take, times=1)
        return wait

    def guard(self) -> None:
        """Puts the line under control, before the first page: chromium takes a moment to begin with that."""
        self.page.route(SAVE, self._pass_or_cut)

    @contextmanager
    def cut(self, *, after_answer: bool = False) -> Iterator[None]:
        """No saving is answered meanwhile, however often the page tries.

        With `after_answer` the server has had each of them, and only its answer is lost.
        """
        self.line = Line.ANSWER_LOST if after_answer else Line.CUT
        yield
        self.line = Line.UP

    def _pass_or_cut(self, route: Route) -> None:
        line = self.line
        if line is Line.UP:
            route.continue_()
            return
        if line is Line.ANSWER_LOST:
            route.fetch()
        route.abort()

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("body")).to_contain_text(text)
