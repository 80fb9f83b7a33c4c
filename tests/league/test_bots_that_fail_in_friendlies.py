"""A bot that fails in a friendly game: its player reads it, and has it try again or breaks the game off."""

import logging
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import TableMatch, TableSeat
from games.services import act, adjourn, table_state
from league.errors import LeagueError
from league.models import AuditEntry, ClubRules, Notice, Player, Role
from league.notices.words import said_by
from league.people.friendlies import let_bot_try_again, play_bot
from league.policy.naming import names_for
from scoring.core.errors import CodedError
from scoring.models import Scoresheet, SheetStatus
from tests.factories import OPERATOR, ClubFactory, UserFactory, house_rules
from tests.league.table_players import by, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Player:
    club = ClubFactory.create(slug="harbour")
    ClubRules.objects.create(club=club, rules=house_rules())
    return member(club, "Ann")


@pytest.fixture
def table(ann: Player, settings: Any) -> TableMatch:
    """Ann against a bot that raises at its first choice."""
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.CLUELESS"]
    rules = ClubRules.objects.get().rules
    table = play_bot(actor=by(ann), club=ann.club, bot="simple", rules=rules)
    clueless = {"strategy": "clueless", "level": None, "samples": None}
    TableSeat.objects.filter(match=table, number=1).update(bot=clueless)
    return table


def move(ann: Player, table: TableMatch, key: str) -> str:
    """The code of the refusal of Ann's move, "" if it was carried out."""
    told = table_state(actor=by(ann), match=table, seat=0)
    legal = told["hand"]["legal"]
    action = "pass" if "pass" in legal else legal[0]
    try:
        act(actor=by(ann), match=table, seat=0, version=told["version"], action=action, key=key)
    except CodedError as refusal:
        return refusal.code
    return ""


def client_of(player: Player) -> Client:
    assert player.user is not None
    client = Client()
    client.force_login(player.user)
    return client


def test_its_player_reads_it_and_has_it_try_again(
    ann: Player, table: TableMatch, caplog: pytest.LogCaptureFixture
) -> None:
    client, page = client_of(ann), reverse("play_table", args=[table.code])
    play = reverse("club_play", args=[ann.club.slug])
    with caplog.at_level(logging.ERROR):
        assert move(ann, table, "a") == "bot_failed"
    assert "ValueError: no idea" in caplog.text
    noted = AuditEntry.objects.get(action="table.adjourn")
    assert (noted.club, noted.actor_name) == (ann.club, "the table")
    told = client.get(page).content.decode()
    assert "failed in deal 1." in told
    assert "Let the bot try again" in told
    assert "A director says how it goes on." not in told
    # Until it does, the table asks for nothing.
    assert 'class="to-do' not in told
    assert 'class="act-bar"' not in told
    assert all("disabled" in button for button in re.findall('<button[^>]* name="action"[^>]*>', told))
    listed = client.get(play).content.decode()
    assert "play is adjourned" in listed
    assert "your turn" not in listed
    answer = client.post(play, {"again": table.code})
    assert (answer.status_code, answer["Location"]) == (302, page)
    # It has not learned: the next move stops play again, until its bot is another.
    assert move(ann, table, "b") == "bot_failed"
    TableSeat.objects.filter(match=table, number=1).update(
        bot={"strategy": "simple", "level": None, "samples": None}
    )
    client.post(play, {"again": table.code})
    assert move(ann, table, "c") == ""
    assert "Let the bot try again" not in client.get(page).content.decode()


def test_its_player_breaks_the_game_off(ann: Player, table: TableMatch) -> None:
    move(ann, table, "a")
    client_of(ann).post(reverse("club_play", args=[ann.club.slug]), {"break_off": table.code})
    assert Scoresheet.objects.get(pk=table.sheet_id).status == SheetStatus.VOID


def test_nobody_else_has_it_try_again_and_no_member_overrules_a_director(
    ann: Player, table: TableMatch
) -> None:
    bob = member(ann.club, "Bob")

    def refused(player: Player) -> str:
        with pytest.raises(LeagueError) as refusal:
            let_bot_try_again(actor=by(player), table=table)
        return refusal.value.code

    assert refused(ann) == "not_allowed"
    adjourn(actor=OPERATOR, match=table, reason="The hall closes.")
    assert refused(ann) == "not_allowed"
    TableMatch.objects.update(adjourned_at=None, adjourned_why=None)
    move(ann, table, "a")
    assert refused(bob) == "not_allowed"
    told = client_of(bob).get(reverse("play_table", args=[table.code])).content.decode()
    assert "Let the bot try again" not in told


@pytest.mark.usefixtures("mails")
def test_its_player_and_directors_are_told_while_it_stands_still(ann: Player, table: TableMatch) -> None:
    director = UserFactory.create(club=ann.club, role=Role.DIRECTOR, email="director@a.test")
    UserFactory.create(club=ann.club, role=Role.SCOREKEEPER, email="keeper@a.test")
    move(ann, table, "a")
    told = {notice.user: notice for notice in Notice.objects.all()}
    assert ann.user is not None
    assert set(told) == {ann.user, director}
    said = {user: said_by(notice, user, names_for(user, ann.club)) for user, notice in told.items()}
    own, other = said[ann.user], said[director]
    assert own is not None
    assert other is not None
    assert own.path == reverse("play_table", args=[table.code])
    assert any("failed in deal 1." in line for line in own.lines)
    client = Client()
    client.force_login(director)
    assert client.get(other.path).status_code == 200
    TableMatch.objects.update(adjourned_at=None, adjourned_why=None)
    assert [said_by(notice, user, names_for(user, ann.club)) for user, notice in told.items()] == [None] * 2
