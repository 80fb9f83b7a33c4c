"""A telephone at a table: what is tapped on it, and what it says."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect


class Telephone:
    """One side's telephone; what its console complains of is kept."""

    def __init__(self, page: Page, address: str, complaints: list[str]) -> None:
        self.page = page
        self.complaints = complaints
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.expose_function("reportViolation", lambda what: complaints.append(what))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
        )
        page.goto(address)

    def tap(self, *names: str) -> None:
        """Presses what bears these names, one after the other: choices, digits, the key that saves."""
        for name in names:
            choice = self.page.locator("#entry").get_by_role("radio", name=name, exact=True)
            if choice.count():
                choice.check()
            else:
                self.page.locator(".keypad").get_by_role("button", name=name, exact=True).click()

    def knock(self, winner: str, own: str, other: str) -> None:
        """Enters a knock, up to the worth that the server names."""
        first, second = (own, other) if winner == "Eklund" else (other, own)
        self.tap(f"{winner} won", "Knock")
        self.page.locator("[name=count0-0]").fill(first)
        self.page.locator("[name=count1-0]").fill(second)

    def points(self, winner: str, points: int) -> None:
        """Enters bare points and saves them."""
        self.tap(f"{winner} won", "Knock", "Points")
        self.page.locator("[name=points-0]").fill(str(points))
        self.save()

    def save(self) -> None:
        self.page.locator("#save").click()

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("body")).to_contain_text(text)

    def kept(self, text: str) -> None:
        expect(self.page.locator("#kept")).to_have_text(text)

    @contextmanager
    def offline(self) -> Iterator[None]:
        self.page.context.set_offline(True)
        yield
        self.page.context.set_offline(False)


Sit = Callable[..., Telephone]
