"""The bracket of an event as its page and its print show it."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.bracket_lists import event_bracket
from league.draws.brackets import draw_bracket
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.models import (
    Entry,
    Event,
    Match,
    MatchState,
    Role,
    Round,
    RoundState,
    Tie,
    TieDecision,
)
from league.pages.bracket_svg import svg_bracket
from league.policy.naming import AS_WRITTEN
from scoring.paper.pdf import Document
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, UserFactory, play
from tests.league.drawn_brackets import decide, draw_ties, play_out, sheet
from tests.markup import together
from tests.pdf_text import pages, texts

pytestmark = pytest.mark.django_db

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture
def cup() -> Event:
    return EventFactory.create(
        club=ClubFactory.create(slug="harbour"),
        slug="cup",
        format="single",
        third_place=True,
    )


def test_a_double_elimination_of_seven_fits_on_a_desk() -> None:
    event = EventFactory.create(format="double")
    ties = draw_ties(event, NAMES[:7], double=True)
    sheet(ties, 2)
    found = event_bracket(event, AS_WRITTEN, seen=Round.objects.all())
    assert found is not None
    # 1,070 pixels at 1,280 for the window, without the room around the drawing.
    assert svg_bracket(found).width <= 1054


def content_of(client: Client, name: str = "event_bracket") -> str:
    response = client.get(reverse(name, args=["harbour", "cup"]))
    assert response.status_code == 200
    return str(response.content.decode())


def said(content: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", content)))


def lists(content: str) -> str:
    return said(content[content.index('class="bracket-stages"') : content.index("<footer")])


def drawing(content: str) -> list[str]:
    svg = content[content.index("<svg") : content.index("</svg>")]
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def test_a_cup_shows_who_met_whom_and_who_comes_next(client: Client, cup: Event) -> None:
    """Four entries: the first semifinal is played, the second is being played."""
    ties = draw_ties(cup, NAMES[:4], third_place=True)
    play_out(ties, 1, 341)
    Match.objects.filter(pk=sheet(ties, 2).pk).update(state=MatchState.PLAYING)
    content = content_of(client)
    assert (
        " Semifinals Semifinals Tie Sides Result 1 Ann (1) Dee (4) +341 Ann v Dee 2"
        " Bob (2) Cid (3) playing deal 0 Bob v Cid For third place" in lists(content)
    )
    assert "3 Dee (4) loser of 2" in lists(content)
    assert "4 Ann (1) winner of 2" in lists(content)
    assert drawing(content) == [
        *("Semifinals", "For third place", "Final"),
        *("1", "1", "Ann", "+341", "4", "Dee"),
        *("2", "playing", "2", "Bob", "3", "Cid"),
        *("3", "4", "Dee", "loser of 2"),
        *("4", "1", "Ann", "winner of 2"),
    ]


def test_byes_are_in_the_list_and_not_in_the_drawing(client: Client, cup: Event) -> None:
    ties = draw_ties(cup, NAMES[:3])
    sheet(ties, 2)
    content = content_of(client)
    assert "1 Ann (1) bye 2 Bob (2) Cid (3)" in lists(content)
    assert drawing(content).count("Ann") == 1
    assert "bye" not in drawing(content)


def test_a_decided_cup_names_its_winner(client: Client, cup: Event) -> None:
    ties = draw_ties(cup, NAMES[:2])
    play_out(ties, 1, -12)
    assert "won by Bob" in said(content_of(client))


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (TieDecision.WALKOVER, "walkover"),
        (TieDecision.HIGHER_SEED, "by higher seed"),
        (TieDecision.LOT, "by lot"),
        (TieDecision.DIRECTOR, "by the director"),
    ],
)
def test_a_tie_that_its_sheets_did_not_decide_says_what_did(
    client: Client, cup: Event, decision: TieDecision, words: str
) -> None:
    ties = draw_ties(cup, NAMES[:2])
    match = sheet(ties, 1)
    Match.objects.filter(pk=match.pk).update(state=MatchState.FINISHED, net=0, winner_side=None)
    decide(ties, 1, 0, by=decision)
    content = content_of(client)
    assert f"Ann (1) Bob (2) {words} level" in lists(content)
    assert words in drawing(content)


def test_best_of_three_is_told_in_sheets_won(client: Client, cup: Event) -> None:
    Event.objects.filter(pk=cup.pk).update(best_of=3)
    cup.refresh_from_db()
    ties = draw_ties(cup, NAMES[:2])
    play_out(ties, 1, 341, -96, 120)
    content = content_of(client)
    assert "Ann (1) Bob (2) 2–1 +341 Ann v Bob, sheet 1 −96 Ann v Bob, sheet 2 +120" in lists(content)
    assert drawing(content) == ["Final", "1", "1", "Ann", "2", "2", "Bob", "1"]


def test_the_second_final_is_dashed_until_it_is_known_whether_it_is_played(
    client: Client, cup: Event
) -> None:
    Event.objects.filter(pk=cup.pk).update(format="double", third_place=False)
    cup.refresh_from_db()
    ties = draw_ties(cup, NAMES[:2], double=True)
    numbers = {tie.part: number for number, tie in ties.items()}
    play_out(ties, 1, 10)
    content = content_of(client)
    assert {"Winners’ final", "Final", "Second final", "if needed"} <= set(drawing(content))
    assert 'class="bracket-tie bracket-maybe"' in content
    play_out(ties, numbers["final"], 25)
    Tie.objects.filter(pk=ties[numbers["reset"]].pk).update(decided_by=TieDecision.NOT_NEEDED)
    content = content_of(client)
    assert "Second final" not in said(content)
    assert "bracket-maybe" not in content
    assert "won by Ann" in said(content)


def test_a_drafted_bracket_is_for_directors(client: Client, cup: Event) -> None:
    sheet(draw_ties(cup, NAMES[:4]), 1)
    Round.objects.update(state=RoundState.DRAFTED)
    assert "Not drawn yet." in said(content_of(client))
    assert client.get(reverse("bracket_pdf", args=["harbour", "cup"])).status_code == 404
    client.force_login(UserFactory.create(club=cup.club, role=Role.DIRECTOR))
    assert "Semifinals" in said(content_of(client))


def test_an_event_without_a_bracket_has_no_such_page(client: Client, cup: Event) -> None:
    Event.objects.filter(pk=cup.pk).update(format="swiss")
    assert client.get(reverse("event_bracket", args=["harbour", "cup"])).status_code == 404


def test_a_large_bracket_takes_few_queries(client: Client, cup: Event) -> None:
    ties = draw_ties(cup, [f"Player {number}" for number in range(64)])
    for number in range(1, 33):
        play_out(ties, number, number)
    for name in ("event_bracket", "bracket_pdf"):
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse(name, args=["harbour", "cup"]))
        assert len(queries) < 10, name


def test_a_cup_is_shown_as_it_is_drawn_published_and_played(client: Client, cup: Event) -> None:
    for seed, name in enumerate(NAMES[:4], start=1):
        EntryFactory.create(event=cup, name=name, seed=seed)
    round_ = draw_bracket(actor=OPERATOR, event=cup)
    assert "Not drawn yet." in said(content_of(client))
    publish_round(actor=OPERATOR, round_=round_)
    assert {"Ann", "Bob", "Cid", "Dee", "winner of 1", "loser of 2"} <= set(drawing(content_of(client)))
    for tie, stage in ((1, 1), (2, 1), (3, 2), (4, 2)):
        if stage == 2 and tie == 3:
            second = draft_round(actor=OPERATOR, event=cup)
            assert "Semifinals" in said(content_of(client))
            publish_round(actor=OPERATOR, round_=second)
        match = Match.objects.get(event=cup, tie__number=tie)
        play(match, 105, 105, 105)
        recalculate(cup.pk)
    champion = Match.objects.get(event=cup, tie__part="final").entry_a.name
    content = content_of(client)
    assert f"won by {champion}" in said(content)
    assert "winner of" not in said(content)
    match = Match.objects.get(event=cup, tie__number=1)
    page = client.get(reverse("match", args=["harbour", "cup", match.code])).content.decode()
    assert 'href="/clubs/harbour/events/cup/bracket/#winners-1">tie 1</a>' in together(page)


def printed(client: Client) -> bytes:
    return bytes(client.get(reverse("bracket_pdf", args=["harbour", "cup"])).content)


@pytest.mark.parametrize("double", [False, True])
def test_thirty_two_print_on_one_sheet(client: Client, cup: Event, double: bool) -> None:
    form = "double" if double else "single"
    Event.objects.filter(pk=cup.pk).update(format=form)
    names = [f"Papadopoulou {number}" for number in range(32)]
    ties = draw_ties(cup, names, double=double, third_place=not double)
    play_out(ties, 1, 341)
    pdf = printed(client)
    assert pages(pdf) == 1
    assert set(names) <= set(texts(pdf))
    assert texts(pdf).count("Papadopoulou 0") == 2
    assert "+341" in texts(pdf)


def test_a_small_bracket_fills_its_sheet_with_names_that_are_read_from_afar(
    client: Client, cup: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of short names; long ones keep the size at which they stand whole."""
    papers: list[Document] = []
    finished = Document.finished

    def kept(paper: Document) -> bytes:
        papers.append(paper)
        return finished(paper)

    monkeypatch.setattr(Document, "finished", kept)
    sheet(draw_ties(cup, NAMES[:8]), 1)
    printed(client)
    Entry.objects.filter(name="Hal").update(name="Bartholomew Featherstonehaugh of the Old Harbour")
    assert "…" not in "".join(texts(printed(client)))
    sizes: list[float] = []
    for paper in papers:
        for name, stroke in paper._strokes:
            if name == "set_font":
                size = stroke[2]
            elif name == "line_at" and stroke[4] == "Ann":
                sizes.append(size)
    assert sizes == [16, 10]
    boxes = [stroke for name, stroke in papers[0]._strokes if name == "rect"]
    assert max(box[1] + box[3] for box in boxes) > 0.55 * 210


def test_a_larger_one_prints_on_sheets_that_are_numbered(client: Client, cup: Event) -> None:
    names = [f"Player {number}" for number in range(64)]
    sheet(draw_ties(cup, names), 1)
    pdf = printed(client)
    assert pages(pdf) == 3
    assert set(names) <= set(texts(pdf))
    assert "sheet 3 of 3" in texts(pdf)


def test_names_too_long_for_their_boxes_are_printed_in_full_at_the_end(client: Client, cup: Event) -> None:
    long = "The Worshipful Company of Gin Players of the Harbour and the Hills beyond it"
    sheet(draw_ties(cup, [long, *[f"Player {number}" for number in range(31)]]), 2)
    pdf = printed(client)
    assert pages(pdf) == 2
    assert texts(pdf)[-1] == long
    assert "Names in full" in texts(pdf)
