"""Members at a table on telephones of their own: a Hollywood sheet to its end, and how cards are handled."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from games.gin.cards import Hand, parse_number, text_of
from games.models import TableAct, TableMatch
from games.services import act, ask_pause, open_table
from games.services.hands import state_of
from games.tables.clocks import Clock, TimeOut
from league.draws.recalculating import recalculate
from league.models import Player, Standing
from scoring.core.actors import Actor
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.faults.workers import ROOT, database_url
from tests.games.bot_matches import blank_sheet
from tests.games.kinds.sheets import seats_of
from tests.games.member_tables import hand_in_play, hand_of, member, table
from tests.league.table_players import by, playing

# The colours of a card of each suit in one's hand.
COLOURS = """() => ["clubs", "diamonds", "hearts", "spades"].map((suit) => {
  const card = document.createElement("label");
  card.className = `playing-card ${suit}`;
  document.getElementById("own-hand").append(card);
  const { color } = getComputedStyle(card);
  card.remove();
  return color;
})"""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Telephone:
    """A member's telephone with the page of a table open."""

    def __init__(self, context: BrowserContext, address: str, said: list[str]) -> None:
        self.context, self.page = context, context.new_page()
        self.page.on("console", lambda message: said.append(message.text))
        self.page.on("pageerror", lambda error: said.append(str(error)))
        self.page.goto(address)

    @property
    def cards(self) -> Locator:
        return self.page.locator("#own-hand .playing-card")

    def press(self, button: Locator) -> None:
        with self.page.expect_response(re.compile("/act/$")):
            button.click()

    def look(self) -> None:
        """As when the page is looked at again, which then asks at once."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def choose_discard(self) -> Locator:
        """The button that discards, with the last card chosen that is in no meld."""
        loose = self.page.locator("#own-hand .playing-card:not(.melded) input:enabled")
        (loose if loose.count() else self.page.locator("#own-hand input:enabled")).last.check()
        return self.page.get_by_role("button", name="Discard", exact=True)

    def move(self) -> None:
        """The next step of a turn: whatever ends the hand, or a card drawn, or the last loose one down."""
        page = self.page
        if page.get_by_role("button", name="Lay down").count():
            self.press(page.get_by_role("button", name="Lay down"))
        elif page.get_by_role("button", name=re.compile("^(Gin|Big gin)")).count():
            self.press(page.get_by_role("button", name=re.compile("^(Gin|Big gin)")).first)
        elif page.locator(".knock-ways").count():
            page.locator(".knock-ways > summary").click()
            self.press(page.get_by_role("button", name="Knock", exact=True))
        elif page.get_by_role("button", name="Pass").count():
            self.press(page.get_by_role("button", name="Pass"))
        elif page.get_by_role("button", name="Draw from the stock").is_enabled():
            self.press(page.get_by_role("button", name="Draw from the stock"))
        else:
            self.press(self.choose_discard())


class Server:
    """The site in a process of its own, on the test's database; killed, it comes back at the same address."""

    def __init__(self, data: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self._port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self._port}"
        own = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "GIN_"))}
        self._environment = own | {
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "DATA_DIR": str(data),
            "DATABASE_URL": database_url(),
            "SECRET_KEY": settings.SECRET_KEY,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """It answers in a while; whoever asks until then waits."""
        with socket.create_server(("127.0.0.1", self._port)) as listener:
            number = listener.fileno()
            command = [sys.executable, "-m", "deploy.web_server", str(number)]
            self._process = subprocess.Popen(command, cwd=ROOT, env=self._environment, pass_fds=[number])

    def kill(self) -> None:
        """As by kill -9; nobody is left to answer."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def sit(browser: Browser) -> Iterator[Any]:
    """Opens a table at a member's telephone; what a console says fails the test, but for what was cut off."""
    contexts: list[BrowserContext] = []
    said: list[str] = []

    def open_at(url: str, match: TableMatch, actor: Actor, width: int) -> Telephone:
        client = logged_in(get_user_model().objects.get(pk=actor.id))
        context = browser.new_context(viewport={"width": width, "height": 740}, has_touch=True)
        contexts.append(context)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": url}])
        return Telephone(context, url + reverse("play_table", args=[match.code]), said)

    yield open_at
    for context in contexts:
        context.close()
    cut_off = re.compile(
        r"ERR_[A-Z_]+|^htmx:(afterRequest|sendError|sendAbort)|(Code|status of) (40[34]|503)"
    )
    assert [one for one in said if not cut_off.search(one)] == []


def play_quickly(match: TableMatch, players: list[Actor]) -> None:
    """Carries out what comes before the next knock, or before laying off after one."""
    while True:
        state = hand_in_play(match)
        legal = [str(one) for one in state.legal_actions()]
        if any(one.startswith(("knock", "lay_off")) for one in legal):
            return
        match.refresh_from_db()
        key, version, action = f"quick {match.version}", match.version, "draw" if "draw" in legal else "pass"
        act(actor=players[state.turn], match=match, seat=state.turn, version=version, action=action, key=key)


@pytest.mark.dear("two telephones, and a server that is killed and started again")
def test_two_members_play_a_hollywood_sheet_to_its_end(sit: Any, server: Server) -> None:
    """With a reload, a lost connection and a server that is killed in mid-hand; the standings follow.

    Of each hand after the first the telephones press the knock and what answers it.
    """
    drawn = playing(columns=3)
    match = TableMatch.objects.get(sheet=drawn.sheet)
    players = [by(player) for player in Player.objects.order_by("name")]
    phones: list[Telephone] = [
        sit(server.url, match, players[0], 320),
        sit(server.url, match, players[1], 390),
    ]

    def mover(*, waits: bool = False) -> Telephone:
        phone = phones[hand_in_play(match).turn]
        if not waits:
            phone.look()
        match.refresh_from_db()
        expect(phone.page.locator("#at-table [name=version]")).to_have_value(str(match.version))
        expect(phone.page.locator("#table")).to_have_attribute("data-turn", "own")
        return phone

    # The page of the other follows by itself.
    for _ in range(2):
        mover(waits=True).move()
    # A reload takes over where it was.
    phone = mover()
    todo = phone.page.locator(".to-do").inner_text()
    phone.page.reload()
    expect(phone.page.locator(".to-do")).to_have_text(todo)
    # Without a connection nothing is sent; pressed again it is carried out once.
    if phone.cards.locator("input:enabled").count() == 0:
        phone.press(phone.page.get_by_role("button", name="Draw from the stock"))
    acts = TableAct.objects.count()
    button = phone.choose_discard()
    phone.context.set_offline(True)
    button.click()
    expect(phone.page.locator("#lost")).to_be_visible()
    phone.context.set_offline(False)
    phone.press(button)
    expect(phone.page.locator("#lost")).to_be_hidden()
    assert TableAct.objects.count() == acts + 1
    # Nor does the server remember anything: killed in mid-hand, it goes on with the press that it missed.
    phone = mover()
    phone.press(phone.page.get_by_role("button", name="Draw from the stock"))
    button, held = phone.choose_discard(), hand_in_play(match).hands
    server.kill()
    button.click()
    expect(phone.page.locator("#lost")).to_be_visible()
    server.start()
    assert phone.page.request.get(f"{server.url}/healthz", timeout=120_000).ok
    assert hand_in_play(match).hands == held
    phone.press(button)
    expect(phone.page.locator("#lost")).to_be_hidden()
    assert TableAct.objects.count() == acts + 3
    # To the end, by whoever is to move.
    while Scoresheet.objects.get(pk=match.sheet_id).status == SheetStatus.OPEN:
        play_quickly(match, players)
        mover().move()
    for phone in phones:
        phone.look()
        expect(phone.page.locator(".play-over")).to_contain_text("wins")
        expect(phone.page.locator(".sheet-table .sheet-games")).to_contain_text("III")
    kept = kept_sheet(Scoresheet.objects.get(pk=match.sheet_id))
    over = match.hands.filter(is_over=True).order_by("deal")
    replayed = [result for hand in over for result in hand_of(match, hand, hand.pack).results]
    assert replayed == [hand for deal in kept.deals for hand in deal.hands]
    assert phones[0].page.locator(".sheet-table .deal").count() == len(kept.deals) == len(over)
    recalculate(drawn.event_id)
    rows = Standing.objects.filter(event=drawn.event)
    lead = kept.state.nets[0]
    assert {row.entry.name: (row.wins, row.losses) for row in rows.select_related("entry")} == {
        "Ann": (int(lead > 0), int(lead < 0)),
        "Bob": (int(lead < 0), int(lead > 0)),
    }


def test_cards_are_chosen_given_back_sorted_and_dragged(sit: Any, live_server: Any) -> None:
    players = member(), member()
    match = table(*players)
    turn = hand_in_play(match).turn
    phone = sit(live_server.url, match, players[turn], 320)
    other = sit(live_server.url, match, players[1 - turn], 320)
    page = phone.page
    page.get_by_role("button", name=re.compile("^Take the")).focus()
    with page.expect_response(re.compile("/act/$")):
        page.keyboard.press("Enter")
    # By keyboard one goes on with what is to be done next.
    expect(page.locator("#table :focus")).to_have_attribute("name", re.compile("action|card"))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    boxes = [card.bounding_box() for card in phone.cards.all()]
    assert len(boxes) == 11
    # Nothing moves for whoever has asked his device for that.
    moves_for = (
        "parseFloat(getComputedStyle(document.querySelector('#own-hand .playing-card')).transitionDuration)"
    )
    assert page.evaluate(moves_for) > 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moves_for) == 0
    assert all(box["width"] >= 40 and box["height"] >= 44 for box in boxes)
    others = page.locator("main button[data-sort], main .button:visible, details.card > summary").all()
    assert len(others) >= 7
    assert all(each.bounding_box()["height"] >= 44 for each in others)
    # A second tap gives a card back.
    choice = page.locator("#own-hand input:enabled").first
    choice.click()
    expect(choice).to_be_checked()
    choice.click()
    expect(choice).not_to_be_checked()
    # Sorted by ranks, and by hand: the first card dragged onto the fourth.
    sent = _numbers(page)
    page.get_by_role("button", name="ranks").click()
    numbers = _numbers(page)
    assert [number % 13 for number in numbers] == sorted(number % 13 for number in numbers)
    phone.cards.nth(0).drag_to(phone.cards.nth(3))
    moved = [*numbers[1:4], numbers[0], *numbers[4:]]
    assert _numbers(page) == moved
    page.reload()
    assert _numbers(page) == moved
    page.get_by_role("button", name="melds").click()
    assert _numbers(page) == sent
    # A card drawn onto the pile is discarded, and the other sees it.
    loose = page.locator("#own-hand .playing-card:has(input:enabled)").last
    card = int(loose.get_attribute("data-card") or "")
    with page.expect_response(re.compile("/act/$")):
        loose.drag_to(page.locator("#pile"))
    expect(page.locator("#table")).to_have_attribute("data-turn", "")
    expect(other.page.locator("#table")).to_have_attribute("data-turn", "own")
    assert hand_in_play(match).pile[-1] == card
    # What the site does not take is said: this telephone has lost what a form is sent with.
    other.context.clear_cookies(name="csrftoken")
    other.press(other.page.get_by_role("button", name="Draw from the stock"))
    expect(other.page.locator("#failed")).to_be_visible()
    assert hand_in_play(match).turn == 1 - turn


def test_what_is_chosen_and_dragged_stays_so_while_the_page_changes(sit: Any, live_server: Any) -> None:
    """The other asks for a pause while a way to knock is chosen and a card is held; then the session ends."""
    players = [member(), member()]
    clock = Clock(300, 0, TimeOut.DEFAULT_ACTION)
    match = open_table(sheet=blank_sheet(knock_limit=98), seats=dict(enumerate(players)), clock=clock)
    play_quickly(match, players)
    turn = hand_in_play(match).turn
    page = sit(live_server.url, match, players[turn], 320).page
    assert page.locator("#own-hand").bounding_box()["y"] + 140 < 740
    page.locator(".knock-ways > summary").click()
    way = page.locator(".knock-way input").nth(1)
    way.check()
    chosen = way.input_value()
    page.locator(".ways").evaluate("list => { list.scrollTop = 40 }")
    numbers, cards = _numbers(page), page.locator("#own-hand .playing-card")
    page.evaluate("document.getElementById('own-hand').scrollIntoView()")
    card, onto = cards.nth(0).bounding_box(), cards.nth(3).bounding_box()
    page.mouse.move(card["x"] + 9, card["y"] + 9)
    page.mouse.down()
    page.mouse.move(card["x"] + 60, card["y"] + 9)
    ask_pause(actor=players[1 - turn], match=match, seat=1 - turn)
    with page.expect_response(re.compile("/live/$")) as answer:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert answer.value.status == 200
    asked = page.get_by_text("asks for a pause")
    expect(cards.nth(0)).to_have_class(re.compile("dragged"))
    expect(asked).to_have_count(0)
    page.mouse.move(onto["x"] + 9, onto["y"] + 9)
    page.mouse.up()
    expect(asked).to_be_visible()
    assert _numbers(page) == [*numbers[1:4], numbers[0], *numbers[4:]]
    expect(page.locator(".knock-way input:checked")).to_have_value(chosen)
    expect(page.locator(".ways")).to_be_visible()
    assert page.locator(".ways").evaluate("list => list.scrollTop") == 40
    # By keyboard a card is put in place, and given back.
    first = cards.nth(0).locator("input")
    first.focus()
    page.keyboard.press("Space")
    expect(first).to_be_checked()
    page.keyboard.press("Shift+ArrowRight")
    assert _numbers(page)[:2] == [numbers[2], numbers[1]]
    page.keyboard.press("Space")
    expect(page.locator("#own-hand input:checked")).to_have_count(0)
    # Four colours are kept by the device, for hands that are over too.
    page.locator("#looks > summary").click()
    assert not page.get_by_label("a sound when it is my turn").is_checked()
    small = cards.nth(0).bounding_box()
    page.get_by_label("large cards").check()
    assert cards.nth(0).bounding_box()["width"] > small["width"] * 1.2
    page.get_by_label("large cards").uncheck()
    page.get_by_label("four colours").check()
    page.reload()
    assert page.evaluate("document.documentElement.className") == "four-colours"
    assert len(set(page.evaluate(COLOURS))) == 4
    # Nobody looks: nothing is asked for, unless a sound is to call him.
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#looks > summary").click()
    assert asked_for == []
    page.get_by_label("a sound when it is my turn").check()
    with page.expect_request(re.compile("/live/$")):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    # Whose session ends is told so, whatever a press would have come to; signed in he is back at his cards.
    page.context.clear_cookies(name="sessionid")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#away")).to_be_in_viewport()
    page.locator("#away a").click()
    expect(page).to_have_url(re.compile(f"/login/[?]next=/play/{match.code}/$"))


def test_second_tap_of_a_slow_press_sends_nothing_more(sit: Any, live_server: Any) -> None:
    """And whoever pressed by keyboard finds the focus where he goes on."""
    players = [member(), member()]
    match = table(*players)
    turn = hand_in_play(match).turn
    phone = sit(live_server.url, match, players[turn], 320)
    sent: list[str] = []
    held: list[Route] = []

    def hold(route: Route) -> None:
        sent.append(route.request.url)
        held.append(route)

    phone.page.route("**/act/", hold)
    take = phone.page.locator("#pile")
    # A server that is being restarted has lost nothing, and the press can be made again.
    phone.page.route("**/act/", lambda route: route.fulfill(status=503), times=1)
    take.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#lost")).to_be_in_viewport()
    expect(take).to_be_focused()
    phone.page.keyboard.press("Enter")
    expect(take).to_be_disabled()
    expect(phone.page.get_by_role("button", name="Pass")).to_be_disabled()
    phone.page.keyboard.press("Enter")
    take.click(force=True)
    with phone.page.expect_response(re.compile("/act/$")):
        held[0].continue_()
    expect(phone.page.locator("#table :focus")).to_have_attribute("name", re.compile("action|card"))
    assert len(sent) == 1
    assert TableAct.objects.filter(match=match).count() == 1
    # The page that one comes back to is asked for anew.
    phone.page.unroute("**/act/")
    phone.page.goto(live_server.url + reverse("judge_page"))
    state = hand_in_play(match)
    match.refresh_from_db()
    discard = next(str(one) for one in state.legal_actions() if one.kind == "discard")
    act(actor=players[turn], match=match, seat=turn, version=match.version, action=discard, key="elsewhere")
    phone.page.go_back()
    expect(phone.page.locator("#table")).to_have_attribute("data-turn", "")


def _numbers(page: Page) -> list[int]:
    cards = page.locator("#own-hand .playing-card").all()
    return [int(card.get_attribute("data-card") or "") for card in cards]


def test_rummy_is_played_at_a_telephone(sit: Any, live_server: Any) -> None:
    """A card is drawn, a meld laid down, a card laid off on it, and one discarded; three others look on."""
    players = [member() for _seat in range(4)]
    sheet = blank_sheet(seats_of(4), kind="basic_rummy")
    match = open_table(sheet=sheet, seats=dict(enumerate(players)))
    hand = match.hands.select_related("sealed_pack").get()
    turn = (hand.dealer + 1) % 4
    own = Hand.parse("7C 7D 7H KS QD 2D 4H")
    others = [card for card in range(52) if card not in own]
    seven = parse_number("7S")
    others.remove(seven)
    dealt = [card for number, mine in enumerate(own) for card in (mine, *others[3 * number : 3 * number + 3])]
    hand.sealed_pack.pack = text_of([*dealt, others[21], seven, *others[22:]])
    hand.sealed_pack.save()
    phone = sit(live_server.url, match, players[turn], 320)
    page = phone.page
    expect(page.locator(".across")).to_have_count(3)
    phone.press(page.get_by_role("button", name="Draw from the stock"))
    page.get_by_text("Lay down …").click()
    page.locator("[name=meld][value='meld 7C 7D 7H']").check()
    phone.press(page.get_by_role("button", name="Lay down", exact=True))
    page.get_by_text("Lay off …").click()
    phone.press(page.get_by_role("button", name="Lay off", exact=True))
    expect(page.locator(".on-table .meld .face")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    phone.press(phone.choose_discard())
    expect(page.locator("#table")).to_contain_text("is to move")
    state = state_of(match.hands.select_related("sealed_pack").get(), kept_sheet(match.sheet))
    assert [str(action).split()[0] for action in state.actions] == ["draw", "meld", "lay_off", "discard"]
