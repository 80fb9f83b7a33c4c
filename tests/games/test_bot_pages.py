"""The pages of bots: the bots, their matches live, their hands move by move; and who may see them."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template.defaultfilters import floatformat
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.arena.shipped import Circumstances, ShippedArena, ShippedBot, ShippedMeeting, shipped
from games.bots import STRATEGIES, HouseBot, house_bot
from games.gin.log import read_log
from games.models import MOST_ATTEMPTS, BotHand, BotMatch, BotMeeting, BotRating
from games.services import cancel_bot_match, end_failed
from games.services.matches import HandPage
from games.tables.dealing import hand_class
from games.tables.play import BotError
from league.models import Club, Role
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, ClubFactory, UserFactory
from tests.games.bot_matches import WE_AND_YOU
from tests.games.kinds.sheets import seats_of
from tests.games.shown_matches import THOUGHTFUL, THOUGHTFUL_PATH, TOKEN, exhibition, play_some
from tests.markup import together

pytestmark = pytest.mark.django_db


# One against two, of whom one plays.
CAPTAIN = (SheetSide("Ann", ("Ann",)), SheetSide("They", ("Bob", "Cid")))


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


@pytest.fixture
def match(club: Club) -> BotMatch:
    """Ann, who is simple, against Bob, who is steady, after two deals of three games."""
    return play_some(exhibition(club, house_bot("simple"), house_bot("steady"), columns=3), 2)


def words(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    text = re.sub(r"<head>.*?</head>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("\ufe0e", ""))


def pages_of(match: BotMatch) -> list[str]:
    return [
        reverse("bot_match", args=[match.code]),
        reverse("bot_match_live", args=[match.code]),
        reverse("bot_hand", args=[match.code, 1]),
        reverse("bot_hand", args=[match.code, 1, 1]),
    ]


# Who may see what.


def test_a_private_clubs_matches_are_there_for_its_members_only(
    client: Client, match: BotMatch, club: Club
) -> None:
    assert [client.get(page).status_code for page in pages_of(match)] == [200] * 4
    assert "Ann v Bob" in words(client, reverse("bots"))
    Club.objects.update(is_public=False)
    assert [client.get(page).status_code for page in pages_of(match)] == [404] * 4
    for page in (reverse("bots"), reverse("bot_profile", args=["simple"])):
        assert "Ann v Bob" not in words(client, page)
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    assert [client.get(page).status_code for page in pages_of(match)] == [404] * 4
    client.force_login(UserFactory.create(club=club, role=Role.MEMBER))
    assert [client.get(page).status_code for page in pages_of(match)] == [200] * 4
    response = client.get(pages_of(match)[0])
    assert "private" in response["Cache-Control"]


@pytest.mark.parametrize(
    "address",
    [
        "/bots/nobody/",
        "/bots/simple/1/",
        "/bots/expert/0/",
        "/bots/expert/100/",
        "/bots/matches/none/",
        "/bots/matches/none/live/",
        "/bots/matches/none/deals/1/",
        f"/bots/expert/{10**30}/",
    ],
)
def test_what_there_is_not_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_only_deals_tables_and_moves_that_there_are_are_found(client: Client, match: BotMatch) -> None:
    base = reverse("bot_match", args=[match.code])
    for address in ("deals/0/", "deals/3/", f"deals/{10**30}/", "deals/1/tables/0/", "deals/1/tables/2/"):
        assert client.get(base + address).status_code == 404, address
    for move in ("-1", "x", "999", "1" * 50, "²"):
        assert client.get(base + "deals/1/", {"move": move}).status_code == 404, move


# The match, live.


def test_a_match_says_that_bots_play_it(client: Client, match: BotMatch) -> None:
    text = words(client, reverse("bot_match", args=[match.code]))
    assert "Ann v Bob bot match played by programs of the house · three games to 100" in text
    assert "being played" in text
    assert "Plays as simple steady" in text
    content = client.get(reverse("bot_match", args=[match.code])).content.decode()
    assert f'href="{reverse("bot_hand", args=[match.code, 2])}"' in content
    assert 'hx-trigger="every 2s' in content


def test_the_list_says_which_deal_is_being_played(client: Client, match: BotMatch, club: Club) -> None:
    just_begun = play_some(exhibition(club), 0)
    assert just_begun.state == "playing"
    said = re.findall(r"deal \d+", words(client, reverse("bots")))
    assert sorted(said) == ["deal 1", "deal 3"]


def test_a_page_that_is_up_to_date_is_told_so(client: Client, match: BotMatch) -> None:
    address = reverse("bot_match_live", args=[match.code])
    first = client.get(address)
    tag = first["ETag"]
    assert f"If-None-Match&quot;: &quot;\\&quot;{tag.strip(chr(34))}\\&quot;" in first.content.decode()
    same = client.get(address, headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    play_some(match, 1)
    new = client.get(address, headers={"If-None-Match": tag})
    assert new.status_code == 200
    assert new["ETag"] != tag
    assert re.search(r'id="latest"[^>]*>Deal 3: ', together(new.content.decode()))


def test_a_match_that_is_over_asks_for_nothing(client: Client, match: BotMatch) -> None:
    play_some(match)
    for name in ("bot_match", "bot_match_live"):
        assert "hx-get" not in client.get(reverse(name, args=[match.code])).content.decode()
    assert "played" in words(client, reverse("bot_match", args=[match.code]))


def test_a_forfeit_says_why(client: Client, match: BotMatch) -> None:
    end_failed(match, TOKEN, BotError("Bob", 3, "KeyError: 7"))
    text = words(client, reverse("bot_match", args=[match.code]))
    assert "Forfeited. Bob failed in deal 3: KeyError: 7 The match goes to Ann." in text
    assert "forfeited" in words(client, reverse("bots"))


def test_a_cancelled_match_says_so_and_keeps_the_reason_to_itself(client: Client, club: Club) -> None:
    match = exhibition(club)
    assert "Nothing is on the sheet yet." in words(client, reverse("bot_match", args=[match.code]))
    cancel_bot_match(actor=OPERATOR, match=match, reason="The power went off.")
    text = words(client, reverse("bot_match", args=[match.code]))
    assert "This bot match was cancelled" in text
    assert "The power went off." not in text
    assert "The tests" not in text


def test_a_match_that_is_not_tried_any_more_says_so(client: Client, club: Club) -> None:
    match = exhibition(club)
    BotMatch.objects.filter(pk=match.pk).update(attempts=MOST_ATTEMPTS, said="Given up.")
    text = words(client, reverse("bot_match", args=[match.code]))
    assert "It does not go on by itself" in text
    assert "put aside" in text
    assert "put aside" in words(client, reverse("bots"))


# Its hands.


def test_a_hand_begins_with_the_deal(client: Client, match: BotMatch) -> None:
    text = words(client, reverse("bot_hand", args=[match.code, 1]))
    assert "has dealt." in text
    assert "31 in the stock" in text
    assert re.search(r"0 / \d+", text)
    assert "Deal 2 →" in text
    assert "← Deal" not in text
    assert "← Deal 1" in words(client, reverse("bot_hand", args=[match.code, 2]))


def test_a_hand_ends_as_its_sheet_says(client: Client, match: BotMatch) -> None:
    sheet = words(client, reverse("bot_match", args=[match.code]))
    for hand in BotHand.objects.filter(match=match):
        address = reverse("bot_hand", args=[match.code, hand.deal])
        end = words(client, f"{address}?move={len(hand.log['actions'])}")
        said = re.search(r"(Ann|Bob)(, gin \d+| (knocks|undercuts) \d+–\d+: \d+)", end)
        assert said is not None
        assert said[0] in sheet


def test_every_move_has_its_page(client: Client, match: BotMatch) -> None:
    hand = BotHand.objects.get(match=match, deal=1)
    address = reverse("bot_hand", args=[match.code, 1])
    for number, action in enumerate(hand.log["actions"], start=1):
        content = client.get(f"{address}?move={number}").content.decode()
        assert content.count('aria-current="step"') == 1
        assert f'<a id="move-{number}" href="?move={number}" aria-current="step">' in together(content)
        assert action.split()[0].rstrip("s") in content


def test_what_a_bot_weighed_is_shown(client: Client, club: Club, settings: Any) -> None:
    settings.BOT_STRATEGIES = [THOUGHTFUL_PATH]
    match = play_some(exhibition(club, HouseBot.of(THOUGHTFUL)), 1)
    address = reverse("bot_hand", args=[match.code, 1])
    hand = BotHand.objects.get(match=match, deal=1)
    number = next(at for at, each in enumerate(hand.estimates, start=1) if each)
    text = words(client, f"{address}?move={number}")
    weighed = text.partition("What it weighed")[2].partition("Moves")[0]
    assert re.match(r" Choice Deals Wins discard \S+ played 300 60.0 % discard \S+ 30 55.0 %", weighed)
    assert len(re.findall(r"played \d", weighed)) == 1
    assert "What it weighed" not in words(client, address)


def test_tables_of_teams_are_looked_at_one_by_one(client: Client, club: Club) -> None:
    match = play_some(exhibition(club, house_bot("simple"), sides=WE_AND_YOU), 2)
    content = client.get(reverse("bot_match", args=[match.code])).content.decode()
    assert reverse("bot_hand", args=[match.code, 2, 2]) in content
    # Ann meets Bob, then Dan.
    assert "Ann v Bob" in words(client, reverse("bot_hand", args=[match.code, 1, 1]))
    assert "Cid v Bob" in words(client, reverse("bot_hand", args=[match.code, 2, 2]))


@pytest.mark.parametrize(
    ("sides", "knobs", "strategy", "meets"),
    [
        (seats_of(3), {"kind": "jersey"}, "steady", {"seats": 3, "boards": 1}),
        (CAPTAIN, {"kind": "captains"}, "simple", {"seats": 2, "boards": 1}),
        (seats_of(4), {"kind": "basic_rummy"}, "steady", {"seats": 4, "boards": 1}),
        (WE_AND_YOU, {"packs": "shared"}, "steady", {"seats": 4, "boards": 2}),
    ],
    ids=["jersey", "captains", "rummy", "one pack"],
)
def test_hands_of_every_kind_are_looked_at_move_by_move(
    client: Client,
    club: Club,
    sides: tuple[SheetSide, ...],
    knobs: dict[str, Any],
    strategy: str,
    meets: dict[str, int],
) -> None:
    match = play_some(exhibition(club, house_bot(strategy), sides=sides, target=10_000, **knobs), 2)
    page = client.get(reverse("bot_match", args=[match.code])).content.decode()
    said = kept_sheet(Scoresheet.objects.get(pk=match.sheet_id))
    for hand in BotHand.objects.filter(match=match):
        address = reverse("bot_hand", args=[match.code, hand.deal])
        assert f'href="{address}"' in page
        end = client.get(address, {"move": len(hand.log["actions"])})
        assert end.status_code == 200
        shown = end.context["hand"]
        assert len(shown.players) == meets["seats"]
        assert len(end.context["boards"]) == meets["boards"]
        # What the replay ends with is what the sheet says of the same players.
        assert end.context["frame"].lines
        assert replayed_results(match, hand, shown) == list(said.deals[hand.deal - 1].hands)


def replayed_results(match: BotMatch, hand: BotHand, shown: HandPage) -> list[object]:
    """What a hand comes to, played again by the names under which it is shown."""
    rules = match.sheet.rules.rules
    kind = hand_class(rules, match.sheet.seats.filter(side__position=0).count())
    log = read_log(hand.log, kind.parsed)
    return list(kind.replay(rules, log, players=tuple([one.name for one in shown.players])).results)


def test_cards_are_read_out(client: Client, match: BotMatch) -> None:
    content = client.get(reverse("bot_hand", args=[match.code, 1])).content.decode()
    faces = re.findall(r'<span class="face (\w+)[^"]*" role="img" aria-label="(\w+) of (\w+)">', content)
    assert len(faces) == 21
    assert all(suit == named for suit, _rank, named in faces)


def test_a_hand_that_is_over_stays_as_it_is(client: Client, match: BotMatch) -> None:
    address = reverse("bot_hand", args=[match.code, 1])
    first = client.get(address, {"move": 3})
    again = client.get(address, {"move": 3}, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


# The bots.


@pytest.fixture
def measured() -> dict[str, BotRating]:
    now = timezone.now()
    ratings = {
        name: BotRating.objects.create(
            strategy=name,
            level=level,
            samples=(level and house_bot(name, level).samples) or 0,
            mu=mu,
            sigma=0.5,
            games=400,
            rated_at=now,
        )
        for name, level, mu in (
            ("simple", 0, 25.0),
            ("steady", 0, 30.0),
            ("rash", 0, 20.0),
            ("expert", 2, 32.0),
        )
    }
    met = {"hands": 4000, "error": 0.025}
    BotMeeting.objects.create(
        one=ratings["simple"], other=ratings["steady"], games=400, wins=120, points=-8000, **met
    )
    BotMeeting.objects.create(
        one=ratings["rash"], other=ratings["simple"], games=400, wins=100, points=-6000, **met
    )
    return ratings


@pytest.fixture
def came_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ShippedArena]:
    """Figures that the program comes with: of `simple`, and of level 2 of `expert`."""
    bots = (
        ShippedBot("expert:2", "expert", 2, house_bot("expert", 2).samples, 30.0, 1.0, 60, 0.0021),
        ShippedBot("simple", "simple", None, None, 25.0, 0.5, 60, 0.000012),
    )
    met = (ShippedMeeting("expert:2", "simple", 60, 45, 0.05, 600, 2400),)
    played = Circumstances("1.2.3", "2026-11-27", 2, "3.11.2", True, "a")
    figures = ShippedArena(played, 7, 60, 60, bots, met, ())
    place = tmp_path / "shipped.json"
    place.write_text(json.dumps(figures.to_document()))
    monkeypatch.setattr("games.arena.shipped.PLACE", place)
    shipped.cache_clear()
    yield figures
    shipped.cache_clear()


def test_a_new_site_knows_how_strong_its_bots_are(client: Client, came_with: ShippedArena) -> None:
    """1500 + 30 · (mu − 25); two standard errors reach from 1470 to 1530 and from 1590 to 1710."""
    text = words(client, reverse("bots"))
    assert "1400 1800 Rating Time, ms simple 1500 ± 15 0.012 expert, level 2 1650 ± 30 2.1" in text
    assert "60 games of its bots among themselves, 60 of any two and 60 where one has levels (seed 7)" in text
    assert "Version 1.2.3 played them on 27 Nov 2026. Times are of one processor, with 2 at work" in text
    assert "Measured here" not in text
    assert re.search(r"novice not rated yet", text)
    content = client.get(reverse("bots")).content.decode()
    assert '<rect class="strength-bar" x="25.00" y="3" width="37.50"' in content
    assert '<rect class="share-interval" x="47.50" y="1.5" width="30.00"' in content
    assert "style=" not in content


def test_what_was_measured_here_stands_beside_what_the_program_came_with(
    client: Client, came_with: ShippedArena, measured: dict[str, BotRating]
) -> None:
    text = words(client, reverse("bots"))
    assert "Measured here" in text
    assert "expert, level 2 1650 ± 30 1710 ± 15 2.1" in text


def test_a_profile_shows_what_the_program_came_with_until_it_is_measured(
    client: Client, came_with: ShippedArena
) -> None:
    """45 of 60 won, in 30 pairs; Agresti and Min: 23.5/32 ± 1.96 · 0.05."""
    text = words(client, reverse("bot_profile", args=["expert", 2]))
    assert "simple 60 75.0 % 63.6–83.2 +4.0" in text
    assert re.search(r"Rating 1650 Margin ±30 Games 60 Deals imagined \d+ Time a choice 2.1 ms", text)
    assert "it was not measured on this site yet" in text
    assert "simple" in words(client, reverse("bot_profile", args=["simple"]))
    assert "−4.0" in words(client, reverse("bot_profile", args=["simple"]))


def test_a_bot_without_any_figures_is_not_rated(client: Client, came_with: ShippedArena) -> None:
    text = words(client, reverse("bot_profile", args=["expert", 1]))
    assert "Its strength has not been measured yet." in text
    assert "Not rated yet." in text


def test_bots_are_listed_with_their_ratings(
    client: Client, came_with: ShippedArena, measured: dict[str, BotRating]
) -> None:
    """1500 + 30 · (mu − 25), as of players."""
    text = words(client, reverse("bots"))
    assert re.search(r"novice not rated yet", text)
    assert re.search(r"simple 1500 ± 15 Takes", text)
    assert re.search(r"steady 1650 ± 15 ", text)
    assert "Level 2 1710" in text


def test_a_profile_says_how_strong_it_is(client: Client, measured: dict[str, BotRating]) -> None:
    """30 % of 200 pairs, the error 2.5, around 61 of 202: 25.3 to 35.1; 75 % around 151 of 202: 69.9 to 79.7.

    Two more pairs as Agresti and Min (2005) add them.
    """
    text = words(client, reverse("bot_profile", args=["simple"]))
    assert "steady 400 30.0 % 25.3–35.1 −2.0" in text
    assert "rash 400 75.0 % 69.9–79.7 +1.5" in text
    assert text.index("steady 400") < text.index("rash 400")
    content = client.get(reverse("bot_profile", args=["simple"])).content.decode()
    assert '<rect class="share-interval" x="25.30" y="2.5" width="9.80"' in content
    assert "style=" not in content


def test_a_level_that_is_no_more_leads_to_the_usual_one(client: Client) -> None:
    """As of a bot that was set up at it, and keeps it as its label."""
    gone = reverse("bot_profile", args=["expert", STRATEGIES["expert"].levels + 1])
    assert client.get(gone).headers["Location"] == reverse("bot_profile", args=["expert"])


def test_a_rating_of_a_level_with_other_samples_is_not_that_of_the_level(client: Client) -> None:
    BotRating.objects.create(
        strategy="expert", level=2, samples=200, mu=32, sigma=0.5, games=400, rated_at=timezone.now()
    )
    assert "1710" not in words(client, reverse("bots"))
    assert "1710" not in words(client, reverse("bot_profile", args=["expert", 2]))


def test_the_list_says_how_far_levels_are_apart(client: Client) -> None:
    """What the program comes with, of every level but the lowest."""
    text = words(client, reverse("bots"))
    steps = shipped().steps_of(STRATEGIES["expert"])
    assert len(steps) == STRATEGIES["expert"].levels - 1
    for step in steps:
        ahead, error = floatformat(step.ahead, 1), floatformat(step.error, 1)
        than = f"more games of a hundred than level {step.lower}"
        assert f"level {step.higher}, wins {ahead} ± {error} {than}" in text


def test_a_profile_of_a_level(client: Client, measured: dict[str, BotRating]) -> None:
    text = words(client, reverse("bot_profile", args=["expert", 2]))
    assert "expert, level 2" in text
    assert "Rating 1710" in text
    assert "Its strength has not been measured yet." in text


def test_the_lowest_level_is_said_to_imagine_nothing(client: Client) -> None:
    text = words(client, reverse("bot_profile", args=["expert", 1]))
    assert "at its lowest level it does neither" in text
    assert re.search(r"Deals imagined 0 ", text)
    assert "Deals imagined" not in words(client, reverse("bot_profile", args=["steady"]))


def test_a_profile_lists_its_own_matches(client: Client, club: Club, match: BotMatch) -> None:
    play_some(match)
    play_some(exhibition(club, house_bot("novice")))
    assert words(client, reverse("bot_profile", args=["steady"])).count("Ann v Bob") == 2
    assert words(client, reverse("bots")).count("Ann v Bob") == 4
    assert "Ann v Bob" not in words(client, reverse("bot_profile", args=["expert"]))


# Queries.


def test_pages_take_as_many_queries_however_many_deals_there_are(
    client: Client, match: BotMatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The match, who reads it, its seats with deals, and hands; of a hand also that hand."""
    live = reverse("bot_match_live", args=[match.code])
    for deals in (2, 6):
        tag = client.get(live)["ETag"]
        with django_assert_num_queries(4):
            client.get(reverse("bot_match", args=[match.code]))
        with django_assert_num_queries(5):
            client.get(reverse("bot_hand", args=[match.code, 2]))
        with django_assert_num_queries(2):
            assert client.get(live, headers={"If-None-Match": tag}).status_code == 304
        assert match.hands.count() == deals
        play_some(match, 4)


def test_lists_take_as_many_queries_however_many_matches_there_are(
    client: Client, club: Club, match: BotMatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Ratings; running and latest: who reads, matches, sides and seats each."""
    play_some(exhibition(club))
    for _ in range(2):
        with django_assert_num_queries(9):
            client.get(reverse("bots"))
        # The rating, who reads, whose matches, then those with sides and seats.
        with django_assert_num_queries(6):
            client.get(reverse("bot_profile", args=["simple"]))
        for seed in range(3):
            exhibition(club, seed=seed)
            play_some(exhibition(club, seed=seed))
