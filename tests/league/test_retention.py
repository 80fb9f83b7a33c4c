"""What is kept for a time only: nothing younger goes, nothing older stays, and the page says what is so."""

import datetime
import re
from collections.abc import Callable
from http.cookies import Morsel
from typing import Any, Final

import pytest
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessLog
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from league import tasks
from league.matches.table_links import make_links
from league.models import (
    ApiToken,
    AuditEntry,
    Club,
    DailyHand,
    Deletion,
    GameOffer,
    ImportDraft,
    Invitation,
    MailBounce,
    Notice,
    NoticeEnd,
    NoticeKind,
    OnlineOffer,
    Player,
    PlayerAbsence,
    ProposedTime,
    Role,
    SignUp,
    SweepMark,
    TokenScope,
    Webhook,
    WebhookDelivery,
)
from league.people.invitations import invite
from league.people.tokens import issue_token
from league.upkeep import retention
from league.upkeep.holdings import COOKIES, HOLDINGS, NOT_OF_PERSONS
from league.upkeep.retention import LIFETIMES, PORTION, days_of, forget_what_is_over
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError
from scoring.core.origin import origin
from scoring.models import Claim, DealVersion, Scoresheet, SheetAct, TableAnswer
from scoring.services import record_deals
from scoring.services.claims import record_at_table
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
    won,
)
from tests.league.admin_pages import formset
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

HOME: Final = "203.0.113.7"
BEA: Final = Actor(ActorKind.USER, "900", "Bea Lund")
Time = datetime.datetime


def an_address(at: Time) -> Callable[[], bool]:
    with origin("page", HOME):
        fields = AuditEntry.origin_fields(BEA) | AuditEntry.actor_fields(BEA)
    entry = AuditEntry.objects.create(action="x", object_type="x", object_id="1", at=at, **fields)
    return lambda: AuditEntry.objects.get(pk=entry.pk).address is not None


def a_sign_in(at: Time) -> Callable[[], bool]:
    log = AccessLog.objects.create(username="ann", ip_address=HOME)
    AccessLog.objects.filter(pk=log.pk).update(attempt_time=at)
    return lambda: AccessLog.objects.filter(pk=log.pk).exists()


def a_failed_sign_in(at: Time) -> Callable[[], bool]:
    number = AccessAttempt.objects.count()
    tried = AccessAttempt.objects.create(username=f"ann{number}", ip_address=HOME, failures_since_start=1)
    AccessAttempt.objects.filter(pk=tried.pk).update(attempt_time=at)
    return lambda: AccessAttempt.objects.filter(pk=tried.pk).exists()


def a_session(at: Time) -> Callable[[], bool]:
    store = SessionStore()
    store.create()
    ends = at + datetime.timedelta(seconds=store.get_session_cookie_age())
    Session.objects.filter(pk=store.session_key).update(expire_date=ends)
    return lambda: Session.objects.filter(pk=store.session_key).exists()


def a_listed_session(at: Time) -> Callable[[], bool]:
    listed = UserSession.objects.create(
        user=UserFactory.create(), ip=HOME, session_key=f"key {UserSession.objects.count()}", created_at=at
    )
    return lambda: UserSession.objects.filter(pk=listed.pk).exists()


def a_token(at: Time) -> Callable[[], bool]:
    token, _secret = issue_token(user=UserFactory.create(), name="till", scope=TokenScope.READ, days=1)
    ApiToken.objects.filter(pk=token.pk).update(expiry=at)
    return lambda: ApiToken.objects.filter(pk=token.pk).exists()


def a_notice(at: Time) -> Callable[[], bool]:
    event, number = EventFactory.create(), Notice.objects.count()
    told = Notice.objects.create(
        user=UserFactory.create(), club=event.club, event=event, kind=NoticeKind.EVENT,
        message_id=f"<{number}@archer.test>", made_at=at, due_at=at, ended_at=at, end=NoticeEnd.SENT,
    )  # fmt: skip
    return lambda: Notice.objects.filter(pk=told.pk).exists()


def a_delivery(at: Time) -> Callable[[], bool]:
    hook = Webhook.objects.create(club=ClubFactory.create(), url="https://example.org/")
    told = WebhookDelivery.objects.create(webhook=hook, kind="test", made_at=at, due_at=at, ended_at=at)
    return lambda: WebhookDelivery.objects.filter(pk=told.pk).exists()


def a_bounce(at: Time) -> Callable[[], bool]:
    """Counted once, so that the address is still on."""
    user = UserFactory.create(email="ann@example.test")
    MailBounce.objects.create(user=user, address=user.email, status="5.0.0", at=at)
    return lambda: MailBounce.objects.filter(user=user).exists()


def a_bounce_of_another_address(at: Time) -> Callable[[], bool]:
    user = UserFactory.create(email="ann@example.test")
    MailBounce.objects.create(user=user, address="old@example.test", status="5.1.1", at=at, off_at=at)
    return lambda: MailBounce.objects.filter(user=user).exists()


def an_offer(at: Time) -> Callable[[], bool]:
    by = PlayerFactory.create()
    made = GameOffer.objects.create(club=by.club, by=by, rules=house_rules(), made_at=at)
    return lambda: GameOffer.objects.filter(pk=made.pk).exists()


def an_offer_to_play_online(at: Time) -> Callable[[], bool]:
    made = OnlineOffer.objects.create(match=MatchFactory.create(), side=0, made_at=at)
    return lambda: OnlineOffer.objects.filter(pk=made.pk).exists()


def a_daily_hand(at: Time) -> Callable[[], bool]:
    club = ClubFactory.create()
    sealed = {"dealer": 0, "commitment": "c", "pack": "p", "nonce": "n"}
    made = DailyHand.objects.create(
        club=club, day=at.date(), rules=house_rules(), strategy="steady", made_at=at, **sealed
    )
    return lambda: DailyHand.objects.filter(pk=made.pk).exists()


def an_absence(at: Time) -> Callable[[], bool]:
    day = at.date()
    made = PlayerAbsence.objects.create(
        player=PlayerFactory.create(), first_day=day, last_day=day, over_at=at
    )
    return lambda: PlayerAbsence.objects.filter(pk=made.pk).exists()


def a_proposal(at: Time) -> Callable[[], bool]:
    made = ProposedTime.objects.create(match=MatchFactory.create(), side=0, at=at)
    return lambda: ProposedTime.objects.filter(pk=made.pk).exists()


def an_invitation(at: Time) -> Callable[[], bool]:
    club = ClubFactory.create()
    invitation, _secret = invite(actor=OPERATOR, club=club, role=Role.MEMBER, email="ann@archer.test")
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=at)

    def is_there() -> bool:
        entry = AuditEntry.objects.get(object_type="invitation", object_id=str(invitation.pk))
        assert entry.after is not None
        told = [Invitation.objects.get(pk=invitation.pk).email, entry.object_name, entry.after["email"]]
        there: set[bool] = {text == "ann@archer.test" for text in told}
        assert len(there) == 1, told
        return there.pop()

    return is_there


def a_draft(at: Time) -> Callable[[], bool]:
    club = ClubFactory.create()
    draft = ImportDraft.objects.create(club=club, user=UserFactory.create(), content="Ann", at=at)
    return lambda: ImportDraft.objects.filter(pk=draft.pk).exists()


def a_receipt(at: Time) -> Callable[[], bool]:
    sheet = MatchFactory.create().sheet
    assert sheet is not None
    record_deals(actor=OPERATOR, sheet=sheet, deals=[], stopped=True, key="Ann's last hand")
    act = SheetAct.objects.get(sheet=sheet)
    SheetAct.objects.filter(pk=act.pk).update(at=at)

    def is_there() -> bool:
        act.refresh_from_db()
        there = {act.key == "Ann's last hand", act.answer is not None, act.digest != ""}
        assert len(there) == 1
        return there.pop()

    return is_there


def a_deletion(at: Time) -> Callable[[], bool]:
    row = Deletion.objects.create(resource="players", public_id="x", club_id=0, at=at)
    return lambda: Deletion.objects.filter(pk=row.pk).exists()


def a_sign_up(at: Time) -> Callable[[], bool]:
    user = UserFactory.create()
    SignUp.objects.create(user=user, at=at)
    return lambda: User.objects.filter(pk=user.pk).exists()


KINDS: Final = {
    "addresses": (an_address,),
    "sign_ins": (a_sign_in, a_failed_sign_in),
    "sessions": (a_session, a_listed_session),
    "sign_ups": (a_sign_up,),
    "tokens": (a_token,),
    "invitations": (an_invitation,),
    "drafts": (a_draft,),
    "notices": (a_notice,),
    "deliveries": (a_delivery,),
    "bounces": (a_bounce, a_bounce_of_another_address),
    "proposals": (a_proposal,),
    "absences": (an_absence,),
    "offers": (an_offer, an_offer_to_play_online),
    "daily_hands": (a_daily_hand,),
    "receipts": (a_receipt,),
    "deletions": (a_deletion,),
}
EVERY: Final = [(name, made) for name, kinds in KINDS.items() for made in kinds]


def test_every_lifetime_is_tried() -> None:
    assert set(KINDS) == {lifetime.name for lifetime in LIFETIMES}


@pytest.mark.parametrize(("name", "made"), EVERY)
def test_nothing_younger_goes_and_nothing_older_stays(
    name: str, made: Callable[[Time], Callable[[], bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In portions of two, of which five rows need three."""
    monkeypatch.setattr(retention, "PORTION", 2)
    life, minute = datetime.timedelta(days=days_of(name)), datetime.timedelta(minutes=1)
    now = timezone.now()
    old = [made(now - life - late * minute) for late in (1, 2, 3, 60 * 24 * 365, 60 * 24 * 1000)]
    young = [made(now - life + early * minute) for early in (1, 2, 60)]
    assert all(is_there() for is_there in old + young)
    tasks.sweep()
    assert [is_there() for is_there in old + young] == [False] * 5 + [True] * 3


class AnyAgeAndLifetime(TestCase):
    """The rule that holds for all: older than its days goes, whatever days are set and portions taken."""

    @given(
        days=st.integers(1, 3650),
        ages=st.lists(st.integers(0, 4000), max_size=8),
        portion=st.integers(1, 5),
    )
    def test_only_what_is_older_than_its_days_goes(self, days: int, ages: list[int], portion: int) -> None:
        now = timezone.now()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(retention, "PORTION", portion)
            patch.setitem(settings.KEEP_DAYS, "deletions", days)
            noon = datetime.timedelta(hours=12)
            made = [(age, a_deletion(now - datetime.timedelta(days=age) + noon)) for age in ages]
            assert forget_what_is_over(now)
        assert [is_there() for _age, is_there in made] == [age <= days for age, _is_there in made]


def test_sweep_that_runs_out_of_time_leaves_the_rest_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PORTION", 2)
    monkeypatch.setattr(retention, "_SECONDS", 0.0)
    now = timezone.now()
    old = [a_deletion(now - datetime.timedelta(days=days_of("deletions") + 1)) for _ in range(3)]
    assert not forget_what_is_over(now)
    assert [is_there() for is_there in old] == [False, False, True]
    assert forget_what_is_over(now)
    assert not old[2]()


def test_portion_is_bounded() -> None:
    assert PORTION <= 1000


# Receipts


def test_key_whose_receipt_is_forgotten_records_nothing_again() -> None:
    sheet = MatchFactory.create().sheet
    assert sheet is not None
    first, second = sheet.seats.values_list("name", flat=True)
    hand = won(first, second, 25)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[hand], key="hand 1")
    grow_old(SheetAct)
    tasks.sweep()
    with refuses(RecordingError, "key_expired"):
        record_deals(actor=OPERATOR, sheet=sheet, deals=[hand], key="hand 1")
    assert DealVersion.objects.filter(sheet=sheet).count() == 1
    record_deals(actor=OPERATOR, sheet=sheet, deals=[hand], key="hand 2")
    assert DealVersion.objects.filter(sheet=sheet).count() == 2


def test_keys_of_telephones_stay_spent_too() -> None:
    sheet = MatchFactory.create().sheet
    assert sheet is not None
    first, second = sheet.seats.values_list("name", flat=True)
    hand, other = won(first, second, 25), won(second, first, 30)
    record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=hand, key="one")
    record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=hand, key="same")
    record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=other, key="claimed")
    for model in (SheetAct, TableAnswer, Claim):
        grow_old(model)
    tasks.sweep()
    for key, deal in (("one", hand), ("same", hand), ("claimed", other)):
        with refuses(RecordingError, "key_expired"):
            record_at_table(actor=OPERATOR, sheet=sheet, number=2, deal=deal, key=key)
    assert DealVersion.objects.filter(sheet=sheet).count() == 1
    keys = {*TableAnswer.objects.values_list("key", "digest"), *Claim.objects.values_list("key", "digest")}
    assert all(key.startswith("spent:") and digest == "" for key, digest in keys)


def test_program_is_told_that_its_key_is_spent() -> None:
    club = ClubFactory.create()
    match = MatchFactory.create(event__club=club)
    assert match.sheet is not None
    first, second = match.sheet.seats.values_list("name", flat=True)
    user = UserFactory.create(club=club)
    _token, secret = issue_token(user=user, name="till", scope=TokenScope.RECORD, club=club, days=1)
    client = Client(headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": "one"})
    address = f"/api/v1/sheets/{match.sheet.code}/deals/"
    body = {"deals": [{"hands": [{"kind": "points", "winner": first, "loser": second, "points": 20}]}]}
    assert client.post(address, body, content_type="application/json").status_code == 201
    grow_old(SheetAct)
    tasks.sweep()
    told = client.post(address, body, content_type="application/json")
    assert (told.status_code, told.json()["code"]) == (422, "key_expired")
    assert Scoresheet.objects.get().deal_count == 1


def grow_old(model: Any) -> None:
    years = timezone.now() - datetime.timedelta(days=days_of("receipts") + 1)
    model._base_manager.update(at=years)


# Followers


def followed(since: Time) -> Any:
    return Client().get("/api/v1/players/", {"updated_since": f"{since:%Y-%m-%dT%H:%M:%SZ}"})


def test_follower_is_told_of_every_deletion_or_to_begin_anew() -> None:
    """Whenever it came last: each deletion since then is told, or the answer is 410."""
    now = timezone.now()
    ages = (1, 100, 399, 401, 500, 900)
    for age in ages:
        row = Deletion.objects.create(resource="players", public_id=f"{age} days", club_id=0)
        Deletion.objects.filter(pk=row.pk).update(at=now - datetime.timedelta(days=age))
    answers = set()
    for _sweeps in range(2):
        for last in (0, 50, 200, 399, 400, 402, 600, 1000, 5000):
            told = followed(now - datetime.timedelta(days=last, minutes=1))
            answers.add(told.status_code)
            if told.status_code == 200:
                missed = {f"{age} days" for age in ages if age <= last}
                assert {row["id"] for row in told.json()["deleted"]} == missed
            else:
                assert (told.status_code, told.json()["code"]) == (410, "too_long_ago")
                assert last >= 400
        tasks.sweep()
    assert answers == {200, 410}


def test_longer_lifetime_does_not_make_up_for_what_is_forgotten(settings: Any) -> None:
    now = timezone.now()
    a_deletion(now - datetime.timedelta(days=50))
    settings.KEEP_DAYS = settings.KEEP_DAYS | {"deletions": 30}
    tasks.sweep()
    settings.KEEP_DAYS = settings.KEEP_DAYS | {"deletions": 400}
    tasks.sweep()
    assert followed(now - datetime.timedelta(days=60)).status_code == 410
    assert followed(now - datetime.timedelta(days=20)).status_code == 200


def test_whoever_begins_is_never_too_late_and_goes_on_with_a_time_that_is_not() -> None:
    """Also where nothing has changed for longer than deletions are noted."""
    now = timezone.now()
    PlayerFactory.create(club=ClubFactory.create())
    Player.objects.update(name="Ann")
    a_deletion(now - datetime.timedelta(days=4000))
    tasks.sweep()
    assert SweepMark.objects.get().deletions_since is not None
    for beginning in ("2000-01-01T00:00:00Z", "1970-01-01T00:00:00Z"):
        told = Client().get("/api/v1/players/", {"updated_since": beginning})
        assert told.status_code == 200
    since = told.json()["next_since"]
    assert Client().get("/api/v1/players/", {"updated_since": since}).status_code == 200


def test_time_to_go_on_with_grows_where_nothing_changes() -> None:
    since = timezone.now() - datetime.timedelta(days=300)
    told = followed(since).json()
    assert told["results"] == []
    next_since = datetime.datetime.fromisoformat(told["next_since"])
    assert timezone.now() - next_since <= datetime.timedelta(days=2)


def test_cursor_from_before_is_refused_too() -> None:
    """Who began long ago and comes back in the middle of the pages has rows that are gone since."""
    PlayerFactory.create_batch(3, club=ClubFactory.create(is_public=True))
    begun = Client().get("/api/v1/players/", {"updated_since": "2000-01-01T00:00:00Z", "page_size": "1"})
    following = begun.json()["next"]
    assert Client().get(following).status_code == 200
    SweepMark.objects.update_or_create(pk=1, defaults={"deletions_since": timezone.now()})
    assert Client().get(following).status_code == 410


# The page


def page(client: Client | None = None) -> str:
    answered = (client or Client()).get("/privacy/")
    assert answered.status_code == 200
    return " ".join(answered.content.decode().split())


def test_every_table_is_on_the_page_or_says_that_it_holds_nobody() -> None:
    told = [table for holding in HOLDINGS for table in holding.tables]
    every = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    assert len(told) == len(set(told))
    assert set(told) | NOT_OF_PERSONS == every
    assert set(told).isdisjoint(NOT_OF_PERSONS)


def test_page_says_the_days_that_are_set(settings: Any) -> None:
    assert {holding.lifetime for holding in HOLDINGS} - {""} == {lifetime.name for lifetime in LIFETIMES}
    assert "90 days after the change" in page()
    every = {name: 701 + number for number, name in enumerate(settings.KEEP_DAYS)}
    settings.KEEP_DAYS = every
    text = page()
    assert [days for days in every.values() if f"{days} days" not in text] == []


def test_every_cookie_is_on_the_page_with_its_time() -> None:
    club = ClubFactory.create()
    UserFactory.create(username="ann", password="long and secret", club=club, role=Role.OWNER)
    match = MatchFactory.create(event=EventFactory.create(club=club))
    (_, secret), _ = make_links(actor=OPERATOR, match=match)
    client, got = Client(), list[Morsel[str]]()
    for answer in (
        client.get("/login/"),
        client.post("/login/", {"login": "ann", "password": "long and secret"}),
        client.post(
            reverse("admin:league_player_add"),
            {"club": club.pk, "name": "Bob", **formset("aliases")},
        ),
        client.get(reverse("phone:table_open", args=[secret])),
    ):
        got += answer.cookies.values()
    text = page()
    told = {cookie.name.rstrip("…"): cookie for cookie in COOKIES}
    named = {next((name for name in told if each.key.startswith(name)), each.key): each for each in got}
    assert named.keys() == told.keys()
    for name, cookie in told.items():
        days = int(named[name]["max-age"] or 0) // 86400
        assert f"<code>{cookie.name}</code>" in text
        assert cookie.how_long in text
        assert (f"for {days} days" in cookie.how_long) is bool(cookie.age)


def test_page_says_who_runs_the_site_as_far_as_that_is_known(settings: Any) -> None:
    assert "turn to whoever gave you the address" in page()
    settings.SITE_CONTACT = "Harbour Gin <gin@harbour.test>"
    assert "run by Harbour Gin &lt;gin@harbour.test&gt;. Write there" in page()


def test_every_page_leads_there() -> None:
    club: Club = ClubFactory.create(is_public=True)
    player = PlayerFactory.create(club=club)
    member = logged_in(UserFactory.create(club=club))
    for client in (Client(), member):
        for address in ("/", "/login/", "/judge/", reverse("player", args=[club.slug, player.code])):
            text = client.get(address, follow=True).content.decode()
            assert re.search(r'<footer.*href="/privacy/"', text, re.DOTALL), address


@pytest.mark.parametrize(
    ("name", "days"), [("addresses", 0), ("receipts", 6), ("notices", 3), ("sessions", 3651)]
)
def test_lifetimes_out_of_reason_are_refused_at_the_start(name: str, days: int, settings: Any) -> None:
    settings.KEEP_DAYS = settings.KEEP_DAYS | {name: days}
    with pytest.raises(SystemCheckError, match=f"KEEP_{name.upper()} is {days}"):
        call_command("check")


def test_own_data_have_the_sign_ins() -> None:
    user = UserFactory.create(username="ann")
    a_sign_in(timezone.now())
    client = logged_in(user)
    told = client.get(reverse("own_data")).json()["sign_ins"]
    assert [one["failed"] for one in told if one["address"] == HOME] == [False]
