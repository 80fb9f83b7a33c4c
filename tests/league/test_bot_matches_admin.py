"""Bot matches in the admin: shown with all that is known of them, cancelled, and tried again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import MOST_ATTEMPTS, BotMatch, BotMatchState
from games.services import hand_out, play_bot_match
from league.admin.bot_acts import cancelled_words
from league.bots.bot_matches import cancel, play_now
from league.models import (
    Club,
    Event,
    Role,
)
from tests.factories import (
    OPERATOR,
    EventFactory,
    MatchFactory,
    UserFactory,
)
from tests.league import bot_cases
from tests.league.admin_pages import page, text
from tests.league.bot_cases import bot_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def planned() -> BotMatch:
    return bot_cases.of(bot_cases.planted())


@pytest.fixture
def director(planned: BotMatch) -> Client:
    client = Client()
    club = Club.objects.get(events__matches__sheet=planned.sheet_id)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    return client


def where(act: str, *rows: BotMatch) -> str:
    return reverse(f"admin:games_botmatch_{act}", args=[row.pk for row in rows])


def confirmed(client: Client, url: str, data: dict[str, Any]) -> str:
    """The preview of an act, then the deed; what the page says afterwards."""
    assert client.post(url, data).status_code == 200
    return text(client.post(url, data | {"_confirm": "1"}, follow=True))


def test_what_stays_of_a_cancelled_match_is_said_before(director: Client, planned: BotMatch) -> None:
    shown = text(director.post(where("cancel_bots", planned), {"reason": "Too late"}))
    assert "Bots will not play it; it will wait to be played." in shown
    assert cancelled_words(2) == ["2 deals will stay on the sheet, and bots will add none."]


def test_match_is_shown_with_all_that_is_known_of_it(director: Client, planned: BotMatch) -> None:
    play_bot_match(planned.pk)
    planned.refresh_from_db()
    listed = text(director.get(where("changelist")))
    shown = text(director.get(where("change", planned)))
    names = [side.name for side in planned.sheet.sides.all()]
    for said in (listed, shown):
        assert " – ".join(names) in said
        assert "played" in said
    assert f"{names[0]}: simple; {names[1]}: simple" in shown
    assert str(planned.seed) in shown
    assert reverse("bot_match", args=[planned.code]) in shown
    assert "Cancel the bot match" not in shown


def test_match_is_cancelled_with_a_reason(director: Client, planned: BotMatch) -> None:
    assert "Cancel the bot match" in text(director.get(where("change", planned)))
    assert director.post(where("cancel_bots", planned), {"reason": ""}).status_code == 422
    said = confirmed(director, where("cancel_bots", planned), {"reason": "Too late"})
    assert "Bots no longer play" in said
    planned.refresh_from_db()
    assert planned.state == BotMatchState.CANCELLED
    assert "Too late" in planned.note
    assert "Too late" in text(director.get(where("changelist"), {"q": "too late"}))
    assert "Cancelled by" not in text(director.get(where("changelist"), {"q": "too early"}))
    again = director.post(where("cancel_bots", planned), {"reason": "Once more"})
    assert again.status_code == 422


def test_exhibition_is_cancelled_here_too(client: Client) -> None:
    shown, _reason = bot_cases.exhibition()
    planned = BotMatch.objects.get(sheet__exhibition=shown)
    client.force_login(UserFactory.create(club=shown.club, role=Role.DIRECTOR))
    confirmed(client, where("cancel_bots", planned), {"reason": "Nobody looks"})
    planned.refresh_from_db()
    assert planned.state == BotMatchState.CANCELLED


def test_match_that_was_left_alone_is_tried_again(director: Client, planned: BotMatch) -> None:
    BotMatch.objects.filter(pk=planned.pk).update(attempts=MOST_ATTEMPTS, said="It could not go on.")
    assert hand_out(timezone.now()) == []
    shown = text(director.get(where("change", planned)))
    assert "It could not go on." in shown
    assert "Try again" in shown
    assert director.post(where("try_again", planned)).status_code == 302
    planned.refresh_from_db()
    assert (planned.attempts, planned.note) == (0, "")
    assert hand_out(timezone.now()) == [planned.pk]
    assert director.post(where("try_again", planned)).status_code == 422


def test_lists_take_as_many_queries_however_many_there_are(
    director: Client, planned: BotMatch, django_assert_max_num_queries: Any
) -> None:
    event = EventFactory.create(club=Club.objects.get(events__matches__sheet=planned.sheet_id))
    for _ in range(5):
        bot_cases.planted(event)
    with django_assert_max_num_queries(15):
        listed = text(director.get(where("changelist")))
    assert "6 bot matches" in listed


# In the admin of the league, and on the entry page.


def test_acts_are_offered_where_they_can_be_done(owner: Client, event: Event) -> None:
    waiting, person = bot_match(event), MatchFactory.create(event=event)
    assert "Let the bots play" in text(owner.get(page("match", waiting)))
    assert "Let the bots play" not in text(owner.get(page("match", person)))
    assert "Let the bots play" in text(owner.get(page("round", waiting.round)))
    play_now(actor=OPERATOR, match=waiting)
    shown = text(owner.get(page("match", waiting)))
    assert "Cancel the bot match" in shown
    assert "Let the bots play" not in shown
    assert "Cancel the bot matches" in text(owner.get(page("round", waiting.round)))


def test_preview_says_who_plays_how(owner: Client, event: Event) -> None:
    match = bot_match(event)
    shown = text(owner.post(page("match", match, "let_bots_play")))
    assert f"{match.entry_a}: simple" in shown
    assert "It can be cancelled at any deal." in shown
    assert not BotMatch.objects.exists()


def test_entry_page_says_that_bots_play_and_saves_no_deal(owner: Client, event: Event) -> None:
    match = bot_match(event)
    address = reverse("entry:sheet", args=[match.code])
    said = "Bots play this sheet: no deal is added here"
    assert said not in text(owner.get(address))
    play_now(actor=OPERATOR, match=match)
    assert said in text(owner.get(address))
    cancel(actor=OPERATOR, match=match, reason="by hand")
    assert said not in text(owner.get(address))
