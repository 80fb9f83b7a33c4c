"""Officers write to those who play and to all of a club: each is sent it once, and it is on the record."""

import datetime
from functools import partial
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core import mail

from league.errors import LeagueError
from league.models import AuditEntry, Event, EventState, Notice, NoticeKind, Player, Role
from league.notices.choices import choose
from league.notices.delivery import deliver
from league.notices.writing import MOST_A_DAY, write_letter
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.clients import logged_in
from tests.factories import ClubFactory, EntryFactory, EventFactory, UserFactory
from tests.league.admin_pages import page, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]

NIGHT: Final = datetime.datetime(2026, 11, 6, 18, 0, tzinfo=datetime.UTC)


@pytest.fixture
def event() -> Event:
    """Ann and Bob play, Cid has withdrawn, Dee is a member; only Bob has no address."""
    made: Event = EventFactory.create(
        club=ClubFactory.create(name="Harbour", slug="harbour"), name="Winter", state=EventState.RUNNING
    )
    for name in ("Ann", "Bob", "Cid"):
        entry = EntryFactory.create(event=made, name=name)
        address = "" if name == "Bob" else f"{name.lower()}@example.test"
        user = UserFactory.create(username=name.lower(), email=address)
        Player.objects.filter(memberships_in_entries__entry=entry).update(user=user)
    made.entries.filter(name="Cid").update(withdrawn_at=NIGHT)
    UserFactory.create(club=made.club, role=Role.MEMBER, username="dee", email="dee@example.test")
    return made


@pytest.fixture
def director(event: Event) -> Actor:
    user = UserFactory.create(
        club=event.club, role=Role.DIRECTOR, username="eve", first_name="Eve", email="eve@example.test"
    )
    return actor_of(user)


def refusal(call: Any) -> str:
    before = AuditEntry.objects.count(), Notice.objects.count()
    with pytest.raises(LeagueError) as refused:
        call()
    assert (AuditEntry.objects.count(), Notice.objects.count()) == before
    return refused.value.code


def sent() -> dict[str, str]:
    """What is delivered now, by whom it is for."""
    mail.outbox.clear()
    deliver()
    return {one.to[0].partition("@")[0]: f"{one.subject}\n{one.body}" for one in mail.outbox}


def test_those_who_play_are_each_sent_it_once_by_the_name_of_the_officer(
    event: Event, director: Actor
) -> None:
    count = write_letter(
        actor=director,
        club=event.club,
        event=event,
        subject=" Doors\nopen ",
        text="At seven.\n\nBring <pens>.",
    )
    assert count == 1
    letters = sent()
    assert letters.keys() == {"ann"}
    assert letters["ann"].startswith("Harbour: Doors open\nAt seven.\nBring <pens>.\nEve, for Winter\n")
    assert "/clubs/harbour/events/" in letters["ann"]
    assert sent() == {}
    record = AuditEntry.objects.get(action="letter.send")
    assert record.after == {"subject": "Doors open", "text": "At seven.\n\nBring <pens>.", "readers": 1}


def test_all_of_a_club_are_its_members_and_players(event: Event, director: Actor) -> None:
    UserFactory.create(club=ClubFactory.create(), username="far", email="far@example.test")
    assert write_letter(actor=director, club=event.club, subject="Hello", text="All.") == 4
    assert sent().keys() == {"ann", "cid", "dee", "eve"}


def test_who_wants_none_has_left_or_is_named_no_more_is_sent_nothing(event: Event, director: Actor) -> None:
    ann, dee = User.objects.get(username="ann"), User.objects.get(username="dee")
    wants = dict.fromkeys(NoticeKind, True) | {NoticeKind.LETTER: False}
    choose(actor=actor_of(ann), user=ann, club=event.club, kinds=wants)
    assert write_letter(actor=director, club=event.club, subject="Hello", text="All.") == 3
    dee.memberships.all().delete()
    # A word that is struck out of the record is not sent any more.
    record = AuditEntry.objects.get(action="letter.send")
    AuditEntry.objects.filter(pk=record.pk).update(after={"subject": "Hello", "text": "█"})
    letters = sent()
    assert letters.keys() == {"cid", "eve"}
    assert "All." not in letters["cid"]


def test_five_a_day_are_enough(event: Event, director: Actor) -> None:
    write = partial(write_letter, actor=director, club=event.club, subject="Hello", text="All.")
    for _letter in range(MOST_A_DAY):
        write()
    assert refusal(write) == "too_many"
    oldest = AuditEntry.objects.filter(action="letter.send").earliest("pk")
    AuditEntry.objects.filter(pk=oldest.pk).update(at=oldest.at - datetime.timedelta(days=1))
    assert write() == 4


def test_what_cannot_be_written_is_refused(event: Event, director: Actor, settings: Any) -> None:
    write = partial(write_letter, actor=director, club=event.club, event=event)
    assert refusal(partial(write, subject=" \n", text="x")) == "invalid"
    assert refusal(partial(write, subject="x", text=" ")) == "invalid"
    keeper = actor_of(UserFactory.create(club=event.club, role=Role.SCOREKEEPER))
    assert refusal(partial(write, actor=keeper, subject="x", text="y")) == "not_allowed"
    User.objects.filter(username="ann").update(email="")
    assert refusal(partial(write, subject="x", text="y")) == "nobody"
    settings.SITE_URL = ""
    assert refusal(partial(write, subject="x", text="y")) == "no_mail"


def test_director_sees_to_how_many_it_goes_before_it_does(event: Event, director: Actor) -> None:
    browser = logged_in(User.objects.get(pk=director.id))
    address = page("event", event, "write")
    said = {"subject": "Doors", "text": "At seven."}
    shown = text(browser.post(address, said))
    assert "It will go to 1 person." in shown
    assert "1 has no address, or wants no mail from officers." in shown
    assert not Notice.objects.exists()
    assert "Written to 1 person." in text(browser.post(address, {**said, "_confirm": "1"}, follow=True))
    assert Notice.objects.get().user.username == "ann"


def test_sites_that_send_no_mail_do_not_offer_it(club_page: str, event: Event, settings: Any) -> None:
    root = logged_in(User.objects.create_superuser("root"))
    assert "Write to all of the club" in text(root.get(club_page))
    settings.SENDS_MAIL = False
    assert "Write to all of the club" not in text(root.get(club_page))


@pytest.fixture
def club_page(event: Event) -> str:
    return page("club", event.club)
