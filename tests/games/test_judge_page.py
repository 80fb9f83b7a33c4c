"""The judge's page: cards in its query, the ruling in words and cards, refusals beside what they concern."""

import html
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.bots import house_bot
from games.services import end_table
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.services import make_house_rules
from tests.factories import OPERATOR, ClubFactory
from tests.games.member_tables import member, table
from tests.markup import together

pytestmark = pytest.mark.django_db

KNOCKER = "AS 2S 3S 7C 7D 7H JC JD JH 4D"
DEFENDER = "5C 6C 7S 9H 9D 9S KC KD 4S AD"


def ask(client: Client, name: str = "judge_page", **query: Any) -> HttpResponse:
    response: HttpResponse = client.get(reverse(name), query)  # type: ignore[assignment]
    return response


def words(response: HttpResponse) -> str:
    text = re.sub(r"<head>.*?</head>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("\ufe0e", ""))


def ticked(response: HttpResponse, hand: str) -> str:
    found = re.findall(
        rf'name="{hand}" value="(..)" aria-label="[^"]+" checked', together(response.content.decode())
    )
    return " ".join(found)


def test_a_knock_is_ruled_on(client: Client) -> None:
    """4 is left of the knocker's; the defender lays off 7S and 4S and keeps 5, 6, two kings and an ace."""
    response = ask(client, knocker=KNOCKER, defender=DEFENDER)
    assert response.status_code == 200
    text = words(response)
    assert "Knock: 28 points to the knocker" in text
    assert "The knocker has 4, the defender is left with 32: 28 to the knocker. It is 1 box." in text
    assert "Deadwood 4 " in text
    assert "Deadwood 32 Laid off: 7 ♠ 4 ♠" in text
    assert 'aria-label="seven of spades, laid off"' in response.content.decode()
    assert "Knock with 10 or less." in text


@pytest.mark.parametrize(
    ("knocker", "defender", "said"),
    [
        # 5, 6, 7, two kings, 4 and an ace, and 25; nothing is laid off.
        ("AS 2S 3S 7C 7D 7H JC JD JH JS", DEFENDER, "Gin: 68 points to the knocker"),
        # 4-5-6 is a run here: 7, two kings and an ace, and 31.
        (
            "AS 2S 3S 4S 7C 7D 7H JC JD JH JS",
            "5C 6C 7S 9H 9D 9S KC KD 4C AD",
            "Big gin: 59 points to the knocker",
        ),
        (KNOCKER, "5C 5H 5S 9H 9D 9S QC QD QS AD", "Undercut: 28 points to the defender"),
        # The 4 goes onto A-2-3.
        (KNOCKER, "5C 5H 5S 9H 9D 9S QC QD QS 4S", "Undercut: 29 points to the defender"),
    ],
    ids=["gin", "big gin", "undercut", "nothing left"],
)
def test_endings_are_named(client: Client, knocker: str, defender: str, said: str) -> None:
    assert said in words(ask(client, knocker=knocker, defender=defender))


def test_cards_come_one_by_one_or_in_a_text(client: Client) -> None:
    tapped = ask(client, knocker=KNOCKER.split(), defender=DEFENDER.split())
    mixed = ask(client, knocker=[*KNOCKER.split()[:3], "7c, 7♦ 7H jc JD JH 4d"], defender=DEFENDER)
    assert ticked(mixed, "knocker") == ticked(tapped, "knocker") == "7C JC 4D 7D JD 7H JH AS 2S 3S"
    assert "Knock: 28 points to the knocker" in words(mixed)


def test_the_empty_page_asks_for_cards(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        response = ask(client)
    assert response.status_code == 200
    assert "The ruling stands here as soon as both hands are complete." in words(response)
    content = response.content.decode()
    assert len(re.findall(r'type="checkbox" name="knocker"', content)) == 52
    assert 'aria-label="ten of hearts, defender"' in content


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"knocker": f"{KNOCKER} 4D"}, "4D is there twice."),
        ({"defender": DEFENDER.replace("AD", "4D")}, "4D cannot be in both hands."),
        (
            {"knocker": KNOCKER[:-3]},
            "The knocker has 10 cards after the discard, 11 for big gin; not 9.",
        ),
        (
            {"knocker": f"{KNOCKER} QH 5D"},
            "The knocker has 10 cards after the discard, 11 for big gin; not 12.",
        ),
        ({"defender": DEFENDER[:-3]}, "The defender has 10 cards, not 9."),
        ({"defender": f"{DEFENDER} QH QS"}, "The defender has 10 cards, not 12."),
        ({"defender": ""}, "The defender has 10 cards, not 0."),
        ({"knocker": KNOCKER.replace("4D", "7X")}, "“7X” is not a card"),
        ({"knocker": f"{KNOCKER} QH"}, "11 cards are big gin or too many"),
        ({"knocker": KNOCKER.replace("7H", "QH")}, "The knocker cannot knock with 28: the limit is 10."),
        ({"melds": "AS 2S"}, "“AS 2S” is neither a set nor a run."),
        ({"melds": "AS 2S 3S, AS 2S 3S"}, "is in two melds."),
        ({"melds": "9H 9D 9S"}, "The knocker does not hold"),
        ({"melds": "7C 7D 7H"}, "The knocker cannot knock with 40: the limit is 10."),
        ({"upcard": "1Z"}, "“1Z” is not a card"),
        ({"rules": "monopoly"}, "There are no rules “monopoly”"),
        ({"rules": "nosuchcode.7"}, "There are no rules “nosuchcode.7”"),
        ({"rules": "oklahoma", "upcard": "3C"}, "the upcard 3C allows 3."),
    ],
)
def test_refusals_are_sentences(client: Client, query: dict[str, str], said: str) -> None:
    asked = {"knocker": KNOCKER, "defender": DEFENDER, **query}
    response = ask(client, **asked)
    assert response.status_code == 422
    assert said in words(response)
    assert "points to the" not in words(response)
    assert ask(client, "judge_ruling", **asked).status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [({"melds": "AS 2S"}, "melds"), ({"upcard": "1Z"}, "upcard"), ({"rules": "none"}, "rules")],
)
def test_a_refusal_stands_beside_its_field(client: Client, query: dict[str, str], field: str) -> None:
    for name in ("judge_page", "judge_ruling"):
        content = ask(client, name, knocker=KNOCKER, defender=DEFENDER, **query).content.decode()
        assert re.search(rf'id="problem-{field}"[^>]*>[^<]+<', content)


def test_what_is_no_card_can_be_mended(client: Client) -> None:
    response = ask(client, knocker=f"{KNOCKER} 7X 7C", defender=DEFENDER)
    assert 'name="knocker" value="7X 7C"' in response.content.decode()
    assert ticked(response, "knocker") == "7C JC 4D 7D JD 7H JH AS 2S 3S"


def test_a_fixed_arrangement_counts(client: Client) -> None:
    """7-7-7 could be 7-8-9 of hearts: with the set laid, 8 and 9 are left, and the 7S is laid off."""
    knocker, defender = "AS 2S 3S 4S 7C 7D 7H 8H JC JD", "5C 6C 7S 9H 9D 9S KC KD 4D AD"
    rules = {"rules": make_house_rules(actor=OPERATOR, name="Loose", rules=Rules(knock_limit=50)).code}
    free = words(ask(client, knocker=knocker, defender=defender, **rules))
    fixed = words(ask(client, knocker=knocker, defender=defender, melds="AS 2S 3S; 7C 7D 7H", **rules))
    assert "The knocker has 28" in free
    assert "The knocker has 32" in fixed


def test_cards_still_to_come_are_no_mistake(client: Client) -> None:
    response = ask(client, "judge_ruling", knocker="AS 2S 3S 4S 5S 6S 7S", entering="knocker")
    assert response.status_code == 200
    assert "Still to come: 3 of the knocker’s cards, 10 of the defender’s." in words(response)
    address = response["HX-Replace-Url"]
    assert address.startswith(reverse("judge_page") + "?knocker=AS")
    opened_again = client.get(address)
    assert opened_again.status_code == 200
    assert "Still to come: 3 of the knocker’s cards" in opened_again.content.decode()


def test_house_rules_by_their_code(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """On equal counts these rules call the hand dead; the version before knew no such thing."""
    first = make_house_rules(actor=OPERATOR, name="Harbour", rules=Rules())
    HouseRules.objects.create(
        code=first.code,
        version=2,
        name="Harbour",
        knobs=Rules(undercut_on_tie=False).to_document(),
        **HouseRules.actor_fields(OPERATOR),
    )
    hands = {"knocker": KNOCKER, "defender": "5C 5H 5S 9H 9D 9S QC QD QS 4C"}
    # Who reads, and the rules.
    with django_assert_num_queries(2):
        newest = words(ask(client, rules=first.code, **hands))
    assert "Dead hand" in newest
    assert "Both are left with 4: under these rules a dead hand, and nobody scores." in newest
    assert "Harbour, version 2" in newest
    assert "Undercut: 25 points to the defender" in words(ask(client, rules=f"{first.code}.1", **hands))


def test_a_spade_doubles_where_it_does(client: Client) -> None:
    response = ask(client, knocker=KNOCKER, defender=DEFENDER, rules="oklahoma", upcard="KS")
    assert "Knock: 56 points to the knocker" in words(response)


def test_script_and_texts_are_harmless(client: Client) -> None:
    for value in ("<script>alert(1)</script>", "\x00", "A" * 3000):
        response = ask(client, knocker=value, defender=value, melds=value, upcard=value, rules=value)
        assert response.status_code == 422
        assert "<script>alert" not in response.content.decode()


def test_pages_of_clubs_lead_here(client: Client) -> None:
    ClubFactory.create(slug="harbour")
    content = client.get(reverse("club", args=["harbour"])).content.decode()
    assert f'href="{reverse("judge_page")}"' in content
    assert f'href="{reverse("bots")}"' in content


def test_nothing_is_judged_for_who_plays_another_member_now(client: Client) -> None:
    ann, bob = member(), member()
    match = table(ann, bob)
    client.force_login(get_user_model().objects.get(pk=ann.id))
    refused = ask(client, knocker=KNOCKER, defender=DEFENDER)
    assert refused.status_code == 422
    assert "until that is over nothing is judged for you" in words(refused)
    end_table(actor=ann, match=match)
    table(ann, house_bot("simple"))
    assert ask(client, knocker=KNOCKER, defender=DEFENDER).status_code == 200
