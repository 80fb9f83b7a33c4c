"""Names as long, as alike and as foreign as they come: the pages hold, and every figure can be read."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.draws.recalculating import recalculate
from league.models import CountsWhen, Event, Match, Player
from league.tables.ratings import recalculate as recalculate_ratings
from scoring.services import record_deals
from scoring.typing.paper_figures import Paper
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    count_table,
    play,
    won,
)

pytestmark = [pytest.mark.browser, pytest.mark.looks]

PAIRS = (
    ("The very long team name number 1", "The very long team name number 2"),
    ("Papadopoulou-Wolkenstein-Featherstonehaugh", "Christensen, P."),
    ("אברהם בן דוד הכהן הגדול", "\U0001f468\u200d\U0001f469\u200d\U0001f467 Ann \U0001f0a1\U0001f389"),
    ("A" * 60, "Christensen, K."),
)

# What is wider than its box, and columns of figures that are not as wide as the others.
FAULTS = """() => {
  const faults = [];
  const boxes = ":root, .card, .scroll, .sheet-scroll, .sheet-table td, td.figure";
  for (const box of document.querySelectorAll(boxes))
    if (box.scrollWidth > box.clientWidth + (box.tagName === "TD" ? 1 : 0))
      faults.push(`${box.className || box.tagName}: ${box.textContent.trim().slice(0, 40)}`);
  for (const table of document.querySelectorAll(".sheet-table")) {
    const widths = [...table.querySelectorAll(".sheet-sides .figure")].map((head) => head.offsetWidth);
    if (Math.max(...widths) - Math.min(...widths) > 2) faults.push(`widths ${widths}`);
  }
  return faults;
}"""


@pytest.fixture(params=["abab", "aabb"])
def event(request: pytest.FixtureRequest, transactional_db: None) -> Event:
    """A round with all of them, one match being checked, one not ended, one not begun; half are bots."""
    club = ClubFactory.create(slug="harbour", column_order=request.param)
    event: Event = EventFactory.create(club=club, slug="league")
    round_ = RoundFactory.create(event=event)
    for index, pair in enumerate(PAIRS):
        a, b = (EntryFactory.create(event=event, name=name) for name in pair)
        Player.objects.filter(memberships_in_entries__entry=a).update(strategy="simple")
        event.entries.all().note_bots()
        match = MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b)
        if index == len(PAIRS) - 1:
            break
        deals = [won(*pair, 105), won(*pair[::-1], 44), won(*pair, 104)]
        if index == 0:
            deals.append(won(*pair, 100))
        assert match.sheet is not None
        paper = Paper(net=12_345) if index == 1 else None
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, paper=paper)
    MatchFactory.create(event=event, round=RoundFactory.create(event=event), entry_a=a, entry_b=b)
    count_table(event.pk)
    return event


@pytest.mark.parametrize("width", [320, 390, 1200, 1300])
def test_long_names_break_and_no_figure_is_cut(
    page: Page, live_server: LiveServer, event: Event, width: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    place = ["harbour", "league"]
    addresses = [
        reverse("event", args=place),
        reverse("event_rounds", args=place),
        reverse("round", args=[*place, 1]),
        reverse("players", args=["harbour"]),
    ]
    for match in Match.objects.filter(round__number=1).order_by("id"):
        addresses.append(reverse("match", args=[*place, match.code]))
        player = match.entry_a.members.get().player
        addresses.append(reverse("player", args=["harbour", player.code]))
    faults = {}
    for address in addresses:
        page.goto(f"{live_server.url}{address}")
        if found := page.evaluate(FAULTS):
            faults[address] = found
    assert faults == {}


def test_a_short_sheet_prints_on_one_page(page: Page, live_server: LiveServer, event: Event) -> None:
    match = Match.objects.filter(round__number=1).earliest("id")
    page.goto(f"{live_server.url}{reverse('match', args=['harbour', 'league', match.code])}")
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


# Words that stand on more than one line.
BROKEN = """() => {
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (const word of texts.currentNode.textContent.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  return broken;
}"""


def test_usual_names_are_not_broken_on_the_smallest_phone(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"), slug="league", name="Hollywood League"
    )
    names = ("Lindqvist", "Kowalski", "Bianchi", "Sorensen")
    entries = [EntryFactory.create(event=event, name=name) for name in names]
    for pair, deals in ((entries[:2], 3), (entries[2:], 1)):
        round_ = RoundFactory.create(event=event)
        match = MatchFactory.create(event=event, round=round_, entry_a=pair[0], entry_b=pair[1])
        play(match, *[105] * deals)
    recalculate(event.pk)
    recalculate_ratings(event.club_id)
    player, other = (entry.members.get().player for entry in entries[:2])
    place: list[object] = ["harbour", "league"]
    addresses = [
        reverse("club", args=["harbour"]),
        reverse("event", args=place),
        reverse("round", args=[*place, 1]),
        reverse("round", args=[*place, 2]),
        reverse("players", args=["harbour"]),
        reverse("player", args=["harbour", player.code]),
        reverse("ratings", args=["harbour"]),
        reverse("honours", args=["harbour"]),
        reverse("head_to_head", args=["harbour"]) + f"?one={player.code}&other={other.code}",
    ]
    page.set_viewport_size({"width": 320, "height": 900})
    broken = {}
    for address in addresses:
        page.goto(f"{live_server.url}{address}")
        if found := [word for word in page.evaluate(BROKEN) if word in {*names, "Hollywood"}]:
            broken[address] = found
        assert not page.evaluate(FAULTS), address
    assert broken == {}


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_name_in_a_list_of_matches_is_broken(
    page: Page, live_server: LiveServer, transactional_db: None, width: int
) -> None:
    """Neither beside a chip nor in bold, whether on a telephone or in the narrow column beside a table."""
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"),
        slug="league",
        name="Tonight",
        counts_when=CountsWhen.BOTH_SIGNATURES,
    )
    round_ = RoundFactory.create(event=event, date=timezone.localdate())
    pairs = (("Haddad", "Lindqvist"), ("Featherstonehaugh", "Christodoulou"), ("Kowalski", "Papadopoulou"))
    points: tuple[list[int], ...] = ([-105, -105, -105], [40], [])
    for table, (pair, hands) in enumerate(zip(pairs, points, strict=True), start=1):
        a, b = (EntryFactory.create(event=event, name=name) for name in pair)
        match = MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b, table=table)
        if hands:
            play(match, *hands)
    recalculate(event.pk)
    place: list[object] = ["harbour", "league"]
    page.set_viewport_size({"width": width, "height": 900})
    for address in (
        reverse("club", args=["harbour"]),
        reverse("event", args=place),
        reverse("event_rounds", args=place),
        reverse("round", args=[*place, 1]),
    ):
        page.goto(f"{live_server.url}{address}")
        rows = page.locator(".match-row")
        assert rows.count() > 0
        assert not {*page.evaluate(BROKEN)} & {name for pair in pairs for name in pair}, address
        assert not page.evaluate(FAULTS), address


def test_what_is_played_tonight_says_at_which_table(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="league")
    round_ = RoundFactory.create(event=event, date=timezone.localdate())
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Abbott", "Bianchi"))
    MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b, table=7)
    page.set_viewport_size({"width": 320, "height": 900})
    for address in (reverse("club", args=["harbour"]), reverse("event", args=["harbour", "league"])):
        page.goto(f"{live_server.url}{address}")
        row = page.get_by_role("row").filter(has_text="Bianchi")
        expect(row.get_by_role("cell").first).to_have_text("7")
        expect(page.get_by_role("columnheader", name="Table", exact=True)).to_be_visible()
