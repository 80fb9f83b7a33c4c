"""A long act in the admin: its bar moves while the request runs, and it is sent once."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.draws import rounds
from league.models import Event, Role
from tests.factories import EntryFactory, EventFactory, UserFactory

# No browser lets itself be watched from outside while an answer is on its way, so the page notes what it says
# when the bar first moves; and then somebody impatient presses again.
WATCH = """
  const bar = document.getElementById("progress"), gauge = bar.querySelector("progress");
  const figures = bar.querySelector(".figures"), yes = document.querySelector("[name=_confirm]");
  new MutationObserver(() => {
    requestAnimationFrame(() => {
      const shown = `${figures.textContent}, ${gauge.value} of ${gauge.max}, hidden: ${bar.hidden}`;
      sessionStorage.shown ??= shown;
      yes.click();
    });
  }).observe(figures, { childList: true });
  setTimeout(() => yes.click());
"""


class SlowDraw:
    """The draw, halting after three of its matches until it may go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.calls = 0
        self._draw = rounds.draw_round_robin

    def __call__(self, *, progress: Any, **values: Any) -> Any:
        # The rehearsal before the preview ends here.
        progress(3, 6)
        self.calls += 1
        assert self.go_on.wait(20)
        return self._draw(progress=progress, **values)


@pytest.fixture
def slow_draw(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDraw]:
    slow = SlowDraw()
    monkeypatch.setattr(rounds, "draw_round_robin", slow)
    yield slow
    slow.go_on.set()


@pytest.fixture
def event(transactional_db: None) -> Event:
    event: Event = EventFactory.create()
    for _ in range(4):
        EntryFactory.create(event=event)
    return event


def test_the_bar_of_a_draw(
    page: Page, client: Client, live_server: Any, event: Event, slow_draw: SlowDraw
) -> None:
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    client.force_login(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(live_server.url + reverse("admin:league_event_draw", args=[event.pk]))
    page.get_by_role("button", name="Show the draw").click()
    expect(page.get_by_role("button", name="Yes, do it")).to_be_visible()
    expect(page.locator("#progress")).to_be_hidden()
    with page.expect_request("**/admin/progress/*/"):
        page.evaluate(WATCH)
    for _ in range(3):  # it asks again once it has shown an answer
        page.wait_for_event("request")
    slow_draw.go_on.set()
    expect(page.locator(".messagelist")).to_contain_text("3 rounds were drawn.")
    assert page.evaluate("sessionStorage.shown") == "3 / 6, 3 of 6, hidden: false"
    assert (slow_draw.calls, event.matches.count()) == (1, 6)
    assert complaints == []
