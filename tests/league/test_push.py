"""Being told on devices: what arrives at a push service, once, readable by the device alone; and who is."""

import datetime
import json
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.models import (
    Event,
    EventState,
    Match,
    Notice,
    NoticeChoices,
    NoticeEnd,
    NoticeKind,
    NoticeWay,
    Player,
    PushDevice,
    Role,
)
from league.notices.choices import choose, secret_to_stop
from league.notices.delivery import deliver
from league.notices.devices import MOST_DEVICES, device_called, switch_on
from league.notices.push import MOST_BYTES, PushMessage, key_told
from league.notices.writing import write_letter
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.players import merge_players
from league.policy import actor_of
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.push_service import Browser, PushService

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]

CHROME: Final = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36"


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.OUTGOING_NETWORKS = [ip_network("127.0.0.0/8")]
    with PushService().open() as opened:
        opened.key = key_told()
        yield opened


@pytest.fixture
def event() -> Event:
    """An event of Ann and Bob, who have accounts with addresses."""
    event = EventFactory.create(
        club=ClubFactory.create(name="Harbour", slug="harbour"), name="Winter", slug="winter"
    )
    for name in ("Ann", "Bob"):
        entry = EntryFactory.create(event=event, name=name)
        user = UserFactory.create(username=name.lower(), email=f"{name.lower()}@example.test")
        Player.objects.filter(memberships_in_entries__entry=entry).update(user=user)
    return event


def user(name: str) -> User:
    return User.objects.get(username=name)


def due() -> None:
    """Let what waits be due."""
    Notice.objects.filter(ended_at=None).update(due_at=timezone.now(), claimed_until=None)


def drawn_twice(event: Event) -> None:
    """Tell both that they play in this event, and in another one."""
    other = EventFactory.create(club=event.club, slug="spring")
    for player in Player.objects.order_by("pk"):
        EntryFactory.create(event=other, name=player.name, players=[player])
    for each in (event, other):
        draw_round_robin(actor=OPERATOR, event=each)


def signed_in(name: str) -> Client:
    client = Client(headers={"user-agent": CHROME})
    client.force_login(user(name))
    return client


def test_device_shows_title_and_link_once_and_mail_comes_too(event: Event, service: PushService) -> None:
    telephone, laptop = service.device(user("ann"), "/telephone"), service.device(user("ann"), "/laptop")
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 4
    assert [letter.to for letter in mail.outbox] == [["ann@example.test"], ["bob@example.test"]]
    rows = {row.device: row for row in Notice.objects.filter(way=NoticeWay.PUSH)}
    assert {message.pop("path_of_device"): message for message in service.arrived} == {
        device.endpoint.removeprefix(service.address): {
            "title": "Winter, round 1",
            "body": "Harbour",
            "path": "/clubs/harbour/events/winter/rounds/1/",
            "tag": rows[device].message_id[1:33],
            "topic": rows[device].message_id[1:33],
        }
        for device in (telephone, laptop)
    }
    telephone.refresh_from_db()
    assert telephone.reached_at is not None
    assert deliver() == 0


@pytest.mark.parametrize(("by_mail", "by_push"), [(True, True), (True, False), (False, True), (False, False)])
def test_each_kind_is_told_by_mail_on_devices_by_both_or_not(
    event: Event, service: PushService, by_mail: bool, by_push: bool
) -> None:
    service.device(user("ann"), "/ann")
    wanted = {NoticeWay.MAIL: by_mail, NoticeWay.PUSH: by_push}
    form = {name: "round" for name, on in (("kinds", by_mail), ("pushed_kinds", by_push)) if on}
    address = reverse("notice_choices", args=["harbour"])
    assert signed_in("ann").post(address, form)["Location"] == "/account/#told-harbour"
    draw_round_robin(actor=OPERATOR, event=event)
    play(Match.objects.get(), 250, stopped=True)
    rows = Notice.objects.filter(user=user("ann")).values_list("way", "kind")
    assert set(rows) == {(way.value, "round") for way, on in wanted.items() if on}


def test_club_says_what_is_usual_and_letters_are_read_in_the_mail(event: Event, service: PushService) -> None:
    event.club.told_by_push = ["result"]
    event.club.save()
    service.device(user("ann"), "/ann")
    director = actor_of(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    draw_round_robin(actor=OPERATOR, event=Event.objects.get())
    play(Match.objects.get(), 250, stopped=True)
    write_letter(actor=director, club=event.club, subject="Hall", text="It is closed.")
    pushed = Notice.objects.filter(way=NoticeWay.PUSH).values_list("kind", flat=True)
    assert list(pushed) == ["result"]
    choose(
        actor=actor_of(user("ann")),
        user=user("ann"),
        club=event.club,
        kinds={},
        pushed_kinds={NoticeKind.LETTER: True},
    )
    assert not NoticeChoices.objects.get().wants(NoticeKind.LETTER, NoticeWay.PUSH)


def test_device_that_is_gone_is_forgotten(event: Event, service: PushService) -> None:
    gone, stays = service.device(user("ann"), "/gone"), service.device(user("ann"), "/stays")
    service.answers["/gone"] = [410]
    drawn_twice(event)
    assert deliver() == 6
    assert list(PushDevice.objects.all()) == [stays]
    ends = Notice.objects.filter(user=user("ann"), way=NoticeWay.PUSH, device=None)
    assert {(row.end, row.answer) for row in ends} == {(NoticeEnd.REFUSED, "410"), (NoticeEnd.DROPPED, "")}
    assert {message["path_of_device"] for message in service.arrived} == {"/stays"}
    assert gone.endpoint.endswith("/gone")


def test_push_service_in_trouble_is_asked_later_and_later_and_once_for_all(
    event: Event, service: PushService
) -> None:
    service.device(user("ann"), "/ann")
    service.answers["/ann"] = [503, 429, 500]
    User.objects.update(email="")
    drawn_twice(event)
    pauses = []
    for _attempt in range(3):
        assert deliver() == 0
        waits = {row.due_at - timezone.now() for row in Notice.objects.filter(ended_at=None)}
        assert len(waits) == 2
        pauses.append(round(max(waits) / datetime.timedelta(minutes=1)))
        # The one that failed alone.
        Notice.objects.filter(tries__gt=0).update(due_at=timezone.now())
    assert pauses == [1, 2, 4]
    assert Notice.objects.filter(tries=3).get().answer == "500"
    due()
    assert deliver() == 2
    assert set(service.topics().values()) == {1}


def test_pause_is_as_long_as_the_push_service_asks(event: Event, service: PushService) -> None:
    service.device(user("ann"), "/ann")
    service.answers["/ann"], service.retry_after = [429], "7200"
    draw_round_robin(actor=OPERATOR, event=event)
    deliver()
    (waits,) = Notice.objects.filter(ended_at=None)
    assert round((waits.due_at - timezone.now()) / datetime.timedelta(minutes=1)) == 120


@pytest.mark.parametrize("host", ["[2606:4700::1111]", "push.example.test:"])
def test_address_that_no_push_service_has_stops_nothing_else(
    event: Event, service: PushService, host: str
) -> None:
    assert switched_on(signed_in("ann"), f"https://{host}/1") == 201
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 2
    assert Notice.objects.get(way=NoticeWay.PUSH).end == NoticeEnd.REFUSED


def test_answer_that_cannot_be_read_stops_nothing_else(event: Event, service: PushService) -> None:
    service.device(user("ann"), "/ann")
    service.answer_text = ("text/plain; charset=undefined", b"words")
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 3


def test_site_by_a_name_without_a_dot_tells_and_one_with_a_wrong_key_waits(
    event: Event, service: PushService, settings: Any
) -> None:
    service.device(user("ann"), "/ann")
    draw_round_robin(actor=OPERATOR, event=event)
    settings.SITE_URL, service.sender = "https://office", "https://office"
    own, settings.PUSH_KEY = settings.PUSH_KEY, "word"
    assert deliver() == 2
    settings.PUSH_KEY = own
    due()
    assert deliver() == 1


def test_mails_do_not_wait_for_devices(event: Event, service: PushService) -> None:
    service.device(user("ann"), "/ann")
    draw_round_robin(actor=OPERATOR, event=event)
    before: list[int] = []
    service.on_arrival = lambda: before.append(len(mail.outbox))
    assert deliver() == 3
    assert before == [2]


def test_mail_server_that_is_down_holds_back_no_device(
    event: Event, service: PushService, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    service.device(user("bob"), "/bob")
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 1
    assert Notice.objects.filter(way=NoticeWay.MAIL, ended_at=None).count() == 2


def test_quiet_hours_are_quiet_on_devices_and_all_in_one_is_for_mail(
    event: Event, service: PushService
) -> None:
    ann, now = user("ann"), timezone.now()
    service.device(ann, "/ann")
    quiet = [(now + datetime.timedelta(hours=hours)).time() for hours in (-1, 2)]
    kinds = dict.fromkeys(NoticeKind, True)
    choose(actor=actor_of(ann), user=ann, club=event.club, kinds=kinds, quiet=(quiet[0], quiet[1]))
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 1
    assert [letter.to for letter in mail.outbox] == [["bob@example.test"]]
    choose(actor=actor_of(ann), user=ann, club=event.club, kinds=kinds, digest=quiet[1])
    due()
    assert deliver() == 1
    assert len(service.arrived) == 1
    assert Notice.objects.get(ended_at=None).way == NoticeWay.MAIL


def test_address_of_the_sites_own_network_is_not_asked(
    event: Event, service: PushService, settings: Any
) -> None:
    service.device(user("ann"), "/ann")
    settings.OUTGOING_NETWORKS = []
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 2
    assert Notice.objects.get(way=NoticeWay.PUSH).end == NoticeEnd.REFUSED
    assert service.arrived == []


def test_no_message_is_larger_than_push_services_take() -> None:
    longest = PushMessage("牌" * 400, "牌" * 120, "/" + "x" * 300, "t" * 32)
    assert len(longest.as_json()) <= MOST_BYTES
    told = json.loads(longest.as_json())
    assert told["title"] == "牌" * 199 + "…"


def switched_on(client: Client, endpoint: str = "https://push.example.test/1", **other: str) -> int:
    said = {"endpoint": endpoint, **Browser().keys, **other}
    return client.post(reverse("add_device"), said).status_code


def test_device_is_switched_on_listed_and_ended(event: Event) -> None:
    ann, bob = signed_in("ann"), signed_in("bob")
    assert switched_on(ann) == 201
    device = PushDevice.objects.get()
    assert (device.user, device.name) == (user("ann"), "Chrome, Android")
    page = ann.get(reverse("account")).content.decode()
    assert f'data-key="{key_told()}"' in page
    assert "Chrome, Android" in page
    (listed,) = own_data(user("ann"))["devices"]
    assert (listed["name"], listed["push_service"]) == ("Chrome, Android", "push.example.test")
    # The same browser, used by somebody else.
    assert switched_on(bob) == 201
    assert PushDevice.objects.get().user == user("bob")
    address = reverse("remove_device", args=[PushDevice.objects.get().code])
    assert ann.post(address).status_code == 404
    assert bob.post(address)["Location"] == "/account/#devices"
    assert not PushDevice.objects.exists()


def test_who_signs_out_is_told_nothing_more_in_that_browser(event: Event) -> None:
    ann, elsewhere = signed_in("ann"), signed_in("ann")
    assert switched_on(ann) == 201
    assert switched_on(elsewhere, "https://push.example.test/2") == 201
    ann.post(reverse("logout"))
    assert [device.endpoint[-1] for device in PushDevice.objects.all()] == ["2"]


def test_who_signs_out_in_a_later_session_is_told_nothing_more_either(event: Event) -> None:
    assert switched_on(signed_in("ann"), "https://push.example.test/1") == 201
    for name, left in (("bob", 1), ("ann", 0)):
        signed_in(name).post(reverse("logout"), {"endpoint": "https://push.example.test/1"})
        assert PushDevice.objects.count() == left


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example.test/1"},
        {"endpoint": "https://user:word@push.example.test/1"},
        {"endpoint": "ftp://push.example.test/1"},
        {"endpoint": "https://push.example.test/" + "1" * 1000},
        {"p256dh": "AAAA"},
        {"p256dh": "B" + "A" * 86},
        {"auth": "AAAA"},
        {"auth": "="},
    ],
)
def test_what_no_browser_sends_is_refused(event: Event, wrong: dict[str, str]) -> None:
    assert switched_on(signed_in("ann"), **wrong) == 422
    assert not PushDevice.objects.exists()


def test_account_has_so_many_devices_and_no_more(event: Event) -> None:
    ann = user("ann")
    for number in range(MOST_DEVICES):
        switch_on(
            actor=actor_of(ann), user=ann, endpoint=f"https://p.test/{number}", browser="", **Browser().keys
        )
    assert switched_on(signed_in("ann"), "https://p.test/0") == 201
    assert switched_on(signed_in("ann"), "https://p.test/more") == 422
    with pytest.raises(LeagueError, match="may not"):
        switch_on(actor=OPERATOR, user=ann, endpoint="https://p.test/0", browser="", **Browser().keys)


def test_stopping_mail_stops_no_device_and_an_erased_person_is_told_nothing(
    event: Event, service: PushService
) -> None:
    service.device(user("ann"), "/ann")
    service.device(user("bob"), "/bob")
    Client().post(reverse("notices_stop", args=[secret_to_stop(user("ann").pk, event.club.pk)]))
    draw_round_robin(actor=OPERATOR, event=event)
    erase_person(actor=OPERATOR, player=Player.objects.get(user__username="bob"))
    assert deliver() == 1
    assert [message["path_of_device"] for message in service.arrived] == ["/ann"]
    assert [device.user.username for device in PushDevice.objects.all()] == ["ann"]


def test_site_without_a_key_offers_no_device_and_shows_the_account(event: Event, settings: Any) -> None:
    settings.PUSH_KEY = "word"
    page = signed_in("ann").get(reverse("account"))
    assert page.status_code == 200
    assert 'id="devices"' not in page.content.decode()


def test_site_without_mail_tells_on_devices(event: Event, service: PushService, settings: Any) -> None:
    settings.SENDS_MAIL = False
    service.device(user("ann"), "/ann")
    page = signed_in("ann").get(reverse("account")).content.decode()
    assert 'name="pushed_kinds"' in page
    assert 'name="kinds"' not in page
    draw_round_robin(actor=OPERATOR, event=event)
    assert deliver() == 1
    assert Notice.objects.get().way == NoticeWay.PUSH


@pytest.mark.parametrize(
    ("browser", "name"),
    [
        (CHROME, "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) Version/18.1 Safari/604.1", "Safari, iPhone"),
        ("", "a browser"),
    ],
)  # fmt: skip
def test_device_is_called_after_its_browser(browser: str, name: str) -> None:
    assert device_called(browser) == name


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({}, set()),
        ({"PUSH_KEY": ""}, {"league.E007"}),
        ({"PUSH_KEY": "word"}, {"league.E007"}),
        ({"CELERY_BROKER_URL": "redis://h", "PUSH_KEY_IS_OWN": True}, {"league.W002"}),
        ({"CELERY_BROKER_URL": "redis://h", "PUSH_KEY_IS_OWN": False}, set()),
    ],
)
def test_check_looks_at_the_key(settings: Any, values: dict[str, Any], found: set[str]) -> None:
    settings.CELERY_BROKER_URL = "filesystem://localhost"
    for name, value in values.items():
        setattr(settings, name, value)
    assert {one.id for one in run_checks()} & {"league.E007", "league.W002"} == found


def until(days: int) -> datetime.date:
    return timezone.now().date() + datetime.timedelta(days=days)


def test_who_is_under_age_is_told_nothing_and_asked_nothing(event: Event, service: PushService) -> None:
    """Whatever was switched on before; and from the day on as everybody else."""
    service.device(user("ann"), "/ann")
    director = actor_of(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    draw_round_robin(actor=OPERATOR, event=event)
    Player.objects.filter(name="Ann").update(under_age_until=until(2))
    assert deliver() == 1
    play(Match.objects.get(), 250, stopped=True)
    write_letter(actor=director, club=event.club, subject="Hall", text="It is closed.")
    assert set(Notice.objects.filter(ended_at=None).values_list("user__username", flat=True)) == {"bob"}
    client = signed_in("ann")
    page = client.get(reverse("account")).content.decode()
    assert "tells me" not in page
    assert "devices.js" not in page
    assert switched_on(client) == 422
    assert client.post(reverse("notice_choices", args=["harbour"]), {"kinds": "round"}).status_code == 422
    Player.objects.filter(name="Ann").update(under_age_until=until(-1))
    assert "tells me" in client.get(reverse("account")).content.decode()
    Event.objects.update(state=EventState.RUNNING)
    write_letter(actor=director, club=event.club, subject="Hall", text="It is open.")
    assert Notice.objects.filter(user=user("ann"), ended_at=None).count() == 1


def test_public_sees_initials_of_who_is_under_age(event: Event) -> None:
    Player.objects.filter(name="Ann").update(name="Ann Berg", under_age_until=until(2))
    event.entries.filter(name="Ann").update(name="Ann Berg")
    page = reverse("players", args=["harbour"])
    entered = reverse("event", args=["harbour", "winter"])
    assert "Ann Berg" in signed_in("bob").get(page).content.decode()
    for address in (page, entered):
        shown = Client().get(address).content.decode()
        assert "A. B." in shown
        assert "Ann Berg" not in shown
    code = Player.objects.get(name="Ann Berg").code
    assert Client().get(f"/api/v1/players/{code}/").json()["name"] == "A. B."
    Player.objects.update(under_age_until=until(-1))
    assert "Ann Berg" in Client().get(page).content.decode()


def test_age_ends_at_midnight_of_the_club(event: Event, time_machine: Any) -> None:
    event.club.time_zone = "Pacific/Auckland"
    event.club.save()
    Player.objects.filter(name="Ann").update(under_age_until=datetime.date(2026, 12, 31))
    # It is 13 hours ahead of UTC.
    for at, is_minor in (("2026-12-30T10:59Z", True), ("2026-12-30T11:00Z", False)):
        time_machine.move_to(at, tick=False)
        assert Player.objects.select_related("club").get(name="Ann").is_under_age is is_minor
        assert ("A." in Client().get(reverse("players", args=["harbour"])).content.decode()) is is_minor


def test_whoever_is_merged_is_under_age_until_the_later_day() -> None:
    club = ClubFactory.create()
    keep, drop = (
        PlayerFactory.create(club=club, under_age_until=datetime.date(year, 1, 1)) for year in (2026, 2031)
    )
    kept = merge_players(actor=OPERATOR, keep=keep, drop=drop)
    assert kept.under_age_until == datetime.date(2031, 1, 1)
