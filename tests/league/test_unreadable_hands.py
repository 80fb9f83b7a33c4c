"""Stored hands that cannot be read: every reader is told so in a sentence, and a director goes on."""

import logging
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.errors import GameError
from games.models import SealedPack, TableHand, TableMatch
from games.services import act, deal_anew, keep_clocks, let_go_on, table_state
from games.tables.clocks import PRESETS
from league.draws.hall import hall_table, show_in_hall
from league.matches.member_tables import deal_anew_for, end_table_for
from league.models import Match, Player, Role
from league.people.friendlies import own_tables
from tests.factories import OPERATOR, UserFactory
from tests.league.table_players import by, playing
from tests.league.test_directing_tables import play_a_hand

pytestmark = pytest.mark.django_db

SAID = "cannot be played on: what is stored of it was changed"


@pytest.fixture
def match() -> Match:
    return playing(target=500)


def client_of(player: Player | None) -> Client:
    client = Client()
    if player is not None:
        assert player.user is not None
        client.force_login(player.user)
    return client


def table_of(match: Match) -> TableMatch:
    return TableMatch.objects.get(sheet=match.sheet)


def break_actions(match: Match) -> None:
    """As an older engine, or a hand in the database, may have left it."""
    TableHand.objects.filter(match=table_of(match), is_over=False).update(actions=["fold", "draw"])


def break_pack(match: Match) -> None:
    SealedPack.objects.filter(hand__match=table_of(match)).update(pack="AC AC")


def lose_pack(match: Match) -> None:
    SealedPack.objects.filter(hand__match=table_of(match)).delete()


@pytest.mark.parametrize("damage", [break_actions, break_pack, lose_pack])
def test_every_reader_of_the_table_is_told_in_a_sentence(
    match: Match, damage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    damage(match)
    table, ann = table_of(match), Player.objects.get(name="Ann")
    live = reverse("play_live", args=[table.code])
    with caplog.at_level(logging.ERROR):
        for reader in (None, ann):
            client = client_of(reader)
            page = client.get(reverse("play_table", args=[table.code]))
            assert page.status_code == 409
            assert SAID in page.content.decode()
            # In place of the table of a page that is open already, which asks no more.
            part = client.get(live, headers={"HX-Request": "true"}).content.decode()
            assert SAID in part
            assert "hx-get" not in part
            told = client.get(f"/api/v1/tables/{table.code}/")
            assert (told.status_code, told.json()["code"]) == (409, "hand_unreadable")
            assert told["Content-Type"] == "application/problem+json"
            assert SAID in told.json()["detail"]
        pressed = client.post(
            reverse("play_act", args=[table.code]), {"action": "draw", "version": "1", "key": "k"}
        )
        assert SAID in pressed.content.decode()
        assert client.get(reverse("club_play", args=[match.event.club.slug])).status_code == 200
    faults = [one for one in caplog.records if "stored hand" in one.getMessage()]
    assert len(faults) == 1
    assert table.code in faults[0].getMessage()


def test_play_is_stopped_for_a_director_who_deals_anew_or_ends_it(match: Match) -> None:
    break_actions(match)
    table, (ann, bob) = table_of(match), Player.objects.order_by("name")
    with pytest.raises(GameError) as refused:
        table_state(actor=by(ann), match=table, seat=0)
    assert refused.value.code == "hand_unreadable"
    table.refresh_from_db()
    assert SAID in table.adjourned_note
    for seat, player in enumerate((ann, bob)):
        with pytest.raises(GameError) as refused:
            act(actor=by(player), match=table, seat=seat, version=table.version, action="draw", key="late")
        assert refused.value.code == "adjourned"
    with pytest.raises(GameError) as refused:
        let_go_on(actor=OPERATOR, match=table)
    assert refused.value.code == "hand_unreadable"
    deal_anew_for(actor=OPERATOR, match=table, reason="It was damaged.")
    assert table_state(actor=by(ann), match=table, seat=0)["deal"] == 1
    break_pack(match)
    # Also where nobody has looked since.
    deal_anew(actor=OPERATOR, match=table)
    lose_pack(match)
    end_table_for(actor=OPERATOR, match=table, reason="It is damaged again.")
    page = client_of(None).get(reverse("play_table", args=[table.code]))
    assert page.status_code == 200
    assert "Play has ended here." in page.content.decode()


def test_a_director_is_led_on_from_the_page(match: Match) -> None:
    break_actions(match)
    client = Client()
    client.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    page = client.get(reverse("play_table", args=[table_of(match).code])).content.decode()
    link = reverse("match_conduct", args=[match.event.club.slug, match.event.slug, match.code])
    assert f'href="{link}"' in page
    assert SAID in client.get(link).content.decode()
    acts = reverse("admin:league_match_change", args=[match.pk])
    assert client.get(acts).status_code == 200


def test_lists_the_hall_and_the_sweep_get_over_it(match: Match) -> None:
    show_in_hall(actor=OPERATOR, match=match)
    match.event.refresh_from_db()
    assert hall_table(match.event) is not None
    now = timezone.now()
    keep_clocks(now)
    break_actions(match)
    # Its time is over too, which the sweep cannot play.
    late = {"turn_since": now, "deadline": now, "clock": PRESETS["lively"].to_document()}
    TableMatch.objects.update(**late)
    keep_clocks(now)
    assert SAID in table_of(match).adjourned_note
    assert hall_table(match.event) is None
    ann = Player.objects.get(name="Ann")
    assert ann.user is not None
    assert [one.is_turn for one in own_tables(ann.user.pk, match.event.club)] == [False]


def test_a_hand_that_is_over_and_cannot_be_read_stops_nothing(match: Match) -> None:
    hand = play_a_hand(match)
    TableHand.objects.filter(pk=hand.pk).update(actions=["fold"])
    client, table = client_of(Player.objects.get(name="Ann")), table_of(match)
    page = client.get(reverse("play_table", args=[table.code]))
    assert page.status_code == 200
    assert 'id="own-hand"' in page.content.decode()
    shown = client.get(reverse("play_hand", args=[table.code, hand.deal]))
    assert shown.status_code == 409
    assert "Its result stays on the sheet." in shown.content.decode()
    assert client.get(f"/api/v1/tables/{table.code}/").status_code == 200
    table.refresh_from_db()
    assert table.adjourned_at is None
