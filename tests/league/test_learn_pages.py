"""The pages to learn from: by whose rules they are told, where a club hides them, where their links lead."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.events.house_rules import make_club_rules, next_version
from league.learn.lessons import LESSONS
from league.learn.questions import TOPICS
from league.models import AuditEntry, Club, ClubRules, Role
from scoring.core.rules import Rules
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EventFactory, UserFactory
from tests.markup import together

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(db: None) -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


@pytest.fixture
def ours(harbour: Club) -> ClubRules:
    rules = Rules(knock_limit=7, box_bonus=20, gin_bonus=30)
    return make_club_rules(actor=OPERATOR, club=harbour, name="Friday rules", rules=rules)


def text(response: Any) -> str:
    return unescape(together(response.content.decode()))


def at_club(name: str = "learn_gin", *args: str) -> str:
    return reverse(f"club_{name}", args=["harbour", *args])


def links(html: str) -> set[str]:
    """The addresses on this site to which a page links, without the place on the page."""
    return {unescape(found).partition("#")[0] for found in re.findall(r'<a\b[^>]*\bhref="(/[^"]*)"', html)}


def test_the_site_tells_the_usual_rules_and_the_club_its_own(client: Client, ours: ClubRules) -> None:
    usual = text(client.get(reverse("learn_gin")))
    assert "A player may knock with 10 points or less left over." in usual
    told = text(client.get(at_club()))
    assert "A player may knock with 7 points or less left over." in told
    assert "each box adds 20" in told
    assert "Friday rules" in told
    # A game for which the club has no rules is told by the usual ones.
    assert "the club has none of its own for this game" in text(client.get(at_club("learn_jersey")))


def test_a_new_version_is_told_at_once(client: Client, ours: ClubRules) -> None:
    assert "less left over" in text(client.get(at_club()))
    next_version(actor=OPERATOR, club_rules=ours, name="Friday rules", rules=Rules(knock_limit=5))
    assert "A player may knock with 5 points or less left over." in text(client.get(at_club()))


def test_of_several_rules_those_of_the_newest_event_come_first_and_all_can_be_chosen(
    client: Client, harbour: Club, ours: ClubRules
) -> None:
    other = make_club_rules(actor=OPERATOR, club=harbour, name="Cup rules", rules=Rules(knock_limit=3))
    assert "knock with 7 points" in text(client.get(at_club()))
    EventFactory.create(club=harbour, rules=other.rules)
    first = client.get(at_club())
    assert "knock with 3 points" in text(first)
    by_ours = at_club("learn_gin_by", ours.rules.code)
    assert by_ours in links(first.content.decode())
    assert "knock with 7 points" in text(client.get(by_ours))
    # Rules for gin are none for Jersey; a code of another club's is none here.
    assert client.get(at_club("learn_jersey_by", ours.rules.code)).status_code == 404
    elsewhere = make_club_rules(actor=OPERATOR, club=ClubFactory.create(), name="x", rules=Rules())
    assert client.get(at_club("learn_gin_by", elsewhere.rules.code)).status_code == 404


def test_a_club_hides_the_pages_and_all_ways_to_them(client: Client, harbour: Club, ours: ClubRules) -> None:
    way = at_club("learn")
    for page in (reverse("club", args=["harbour"]), reverse("rules", args=[ours.rules.code])):
        assert way in links(client.get(page).content.decode())
    owner = logged_in(UserFactory.create(club=harbour, role=Role.OWNER))
    change = reverse("admin:league_club_change", args=[harbour.pk])
    assert 'name="has_learn_pages"' in owner.get(change).content.decode()
    settings = {
        "name": "Harbour",
        "slug": "harbour",
        "time_zone": "UTC",
        "column_order": "abab",
        "is_public": "on",
        "is_indexed": "on",
        "told_by_mail": harbour.told_by_mail,
        "told_by_push": harbour.told_by_push,
        "joining": harbour.joining,
        "claiming": harbour.claiming,
        "rated_games": harbour.rated_games,
    }
    forms = {f"memberships-{name}": value for name, value in (("TOTAL_FORMS", 0), ("INITIAL_FORMS", 0))}
    assert owner.post(change, settings | forms).status_code == 302
    note = AuditEntry.objects.get(action="club.change")
    assert (note.before, note.after) == ({"has_learn_pages": True}, {"has_learn_pages": False})
    for name in (
        "learn",
        "learn_strategy",
        "learn_glossary",
        "learn_questions",
        *map("learn_{}".format, LESSONS),
    ):
        assert client.get(at_club(name)).status_code == 404
        assert client.get(reverse(name)).status_code == 200
    assert client.get(at_club("learn_gin_by", ours.rules.code)).status_code == 404
    for page in (reverse("club", args=["harbour"]), reverse("rules", args=[ours.rules.code])):
        assert not [link for link in links(client.get(page).content.decode()) if link.startswith(way)]


def test_a_rule_sheet_leads_to_the_lesson_by_its_rules(
    client: Client, harbour: Club, ours: ClubRules
) -> None:
    jersey = make_club_rules(actor=OPERATOR, club=harbour, name="Jersey", rules=Rules.preset("jersey"))
    for kind, own in (("gin", ours), ("jersey", jersey)):
        sheet = client.get(reverse("rules", args=[own.rules.code]))
        assert at_club(f"learn_{kind}_by", own.rules.code) in links(sheet.content.decode())


def test_only_owners_hide_them(harbour: Club) -> None:
    director = logged_in(UserFactory.create(club=harbour, role=Role.DIRECTOR))
    answer = director.post(reverse("admin:league_club_change", args=[harbour.pk]), {"name": "x"})
    assert answer.status_code == 403
    harbour.refresh_from_db()
    assert harbour.has_learn_pages


def test_a_private_clubs_pages_are_for_its_members(client: Client, harbour: Club, ours: ClubRules) -> None:
    Club.objects.update(is_public=False)
    assert client.get(at_club()).status_code == 404
    client.force_login(UserFactory.create(club=harbour, role=Role.MEMBER))
    answer = client.get(at_club())
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]


@pytest.mark.parametrize("start", ["learn", "club_learn"])
def test_every_link_of_the_pages_leads_somewhere(client: Client, ours: ClubRules, start: str) -> None:
    make_club_rules(actor=OPERATOR, club=ours.club, name="Other", rules=Rules.preset("continental"))
    begin = reverse(start, args=["harbour"] if start == "club_learn" else [])
    to_read, read, wrong = [begin], set(), []
    while to_read:
        address = to_read.pop()
        if address in read:
            continue
        read.add(address)
        answer = client.get(address, follow=True)
        # The judge says with 422 that a hand breaks a rule, which is what some questions ask.
        if answer.status_code != 200 and not (answer.status_code == 422 and "/judge/?" in address):
            wrong.append(f"{address}: {answer.status_code}")
        if address.startswith(begin):
            to_read += links(answer.content.decode())
    assert wrong == []
    assert {address for address in read if address.startswith(begin)} >= {
        f"{begin}{kind.replace('_', '-')}/" for kind in LESSONS
    }


def test_anchors_within_a_page_are_there(client: Client, ours: ClubRules) -> None:
    for name in (
        "learn",
        "learn_strategy",
        "learn_glossary",
        "learn_questions",
        *map("learn_{}".format, LESSONS),
    ):
        html = client.get(at_club(name)).content.decode()
        ids = re.findall(r'\bid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), name
        labels = re.findall(r'aria-labelledby="([^"]+)"', html)
        assert set(labels) <= set(ids), name


def test_questions_are_ruled_as_the_judge_rules(client: Client, ours: ClubRules) -> None:
    """By the club's rules, which are named in the way to the judge."""
    page = client.get(at_club("learn_questions"))
    asked = f"rules={ours.rules.code}.{ours.rules.version}"
    hands = [link for link in links(page.content.decode()) if link.startswith(reverse("judge_page") + "?")]
    assert len(hands) == len({q.hand for topic in TOPICS for q in topic.questions if q.hand})
    assert all(asked in hand for hand in hands)
    # 54 at the usual rules: 29 left over, and the bonus for gin is 30 here.
    assert "Gin: the defender is left with 29, and 59 go to the knocker." in text(page)
    by_gin = next(hand for hand in hands if "JS" in hand and "7S" in hand.partition("defender=")[2])
    assert "59 points to the knocker" in text(client.get(by_gin))
    # Knocking with eight is more than the seven that this club allows.
    assert "The knocker cannot knock with 8: the limit is 7." in text(page)


def test_strategy_says_where_the_club_plays_otherwise(client: Client, ours: ClubRules) -> None:
    said = text(client.get(at_club("learn_strategy")))
    assert "Knock limit: 7 (usually 10)" in said
    assert "Gin: 30 (usually 25)" in said
    assert "Yours differ" not in text(client.get(reverse("learn_strategy")))


def test_cards_are_read_out(client: Client) -> None:
    html = client.get(reverse("learn_strategy")).content.decode()
    assert 'role="img" aria-label="seven of spades"' in html
    faces = re.findall(r'<span class="face[^"]*"[^>]*>', html)
    assert len(faces) > 100
    assert all('role="img" aria-label="' in face for face in faces)


def test_pages_take_few_queries(
    client: Client, ours: ClubRules, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The site's none; a club's its version, the club, its rules and the menu; kept ones the first."""
    for name in (
        "learn",
        "learn_strategy",
        "learn_glossary",
        "learn_questions",
        *map("learn_{}".format, LESSONS),
    ):
        with django_assert_num_queries(0):
            client.get(reverse(name))
        with django_assert_num_queries(4):
            client.get(at_club(name))
        with django_assert_num_queries(1):
            client.get(at_club(name))
