"""What people are told: the outbox is written with the cause, and each reader gets what he may know then."""

import datetime
from collections.abc import Callable
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from league.core.notice_times import earliest
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round, withhold_round
from league.draws.round_life import publish_round, unpublish_round
from league.draws.rounds import draw_round_robin
from league.events.entering import enter_oneself, withdraw_oneself
from league.events.event_life import close_to_draft, finish_event, open_entries
from league.models import (
    Appearance,
    Club,
    CountsWhen,
    Event,
    EventState,
    Match,
    Notice,
    NoticeChoices,
    NoticeEnd,
    NoticeKind,
    Player,
    Role,
    Round,
    RoundState,
    ShownAs,
    WhoEnters,
)
from league.notices.choices import choose, secret_to_stop
from league.notices.delivery import deliver
from league.notices.words import said_by
from league.notices.writing import write_letter
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.policy import actor_of
from league.policy.naming import names_for
from league.record.audit import record_audit
from scoring.core.sheets import VOID
from scoring.services import correct_deals, dispute_sheet, settle_dispute, sign_sheet
from tests.catalogue import ACCENTS, write_accents
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    play,
    sheet_of,
    won,
)
from tests.league.bracket_play import correct, cup, drawn, match_of, next_round, win

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]

SITE: Final = "https://gin.example.test"


@pytest.fixture
def event(db: None) -> Event:
    """An event of Ann, Bob and Cid, who have accounts with addresses."""
    event = EventFactory.create(
        club=ClubFactory.create(name="Harbour", slug="harbour"), name="Winter", slug="winter"
    )
    for name in ("Ann", "Bob", "Cid"):
        entry = EntryFactory.create(event=event, name=name)
        user = UserFactory.create(username=name.lower(), email=f"{name.lower()}@example.test")
        Player.objects.filter(memberships_in_entries__entry=entry).update(user=user)
    return event


def user(name: str) -> User:
    return User.objects.get(username=name)


def meeting(event: Event, **values: Any) -> Match:
    """Ann against Bob, in a round of their own."""
    ann, bob = (event.entries.get(name=name) for name in ("Ann", "Bob"))
    return MatchFactory.create(event=event, entry_a=ann, entry_b=bob, **values)


def later(minutes: int = 11) -> None:
    """Let what waits be due: as if so much time had passed since it was made."""
    moved = datetime.timedelta(minutes=minutes)
    for row in Notice.objects.filter(ended_at=None):
        row.made_at -= moved
        row.due_at -= moved
        row.save(update_fields=["made_at", "due_at"])


def told(minutes: int = 11) -> dict[str, list[str]]:
    """The subjects of what is delivered now, by whom it is for."""
    mail.outbox.clear()
    later(minutes)
    deliver()
    found: dict[str, list[str]] = {}
    for letter in mail.outbox:
        found.setdefault(letter.to[0].partition("@")[0], []).append(str(letter.subject))
    return found


def to(name: str) -> EmailMultiAlternatives:
    (letter,) = [each for each in mail.outbox if each.to == [f"{name}@example.test"]]
    assert isinstance(letter, EmailMultiAlternatives)
    return letter


def drafted(event: Event, **values: Any) -> Round:
    """A drafted round in which Ann meets Bob; line-ups are set as it is published."""
    round_ = RoundFactory.create(event=event, state=RoundState.DRAFTED)
    meeting(event, round=round_, **values)
    Appearance.objects.all().delete()
    return round_


def publish(event: Event) -> None:
    """Publish the last round of the event anew."""
    round_ = event.rounds.latest("number")
    unpublish_round(actor=OPERATOR, round_=round_)
    publish_round(actor=OPERATOR, round_=round_)


def test_published_round_tells_table_and_opponent(event: Event) -> None:
    round_ = drafted(event, table=2)
    cid = event.entries.get(name="Cid")
    MatchFactory.create(event=event, round=round_, entry_a=cid, entry_b=None, label="R1-bye")
    Appearance.objects.all().delete()
    assert told() == {}
    publish_round(actor=OPERATOR, round_=round_)
    subject = "Harbour: Winter, round 1"
    assert told() == {"ann": [subject], "bob": [subject], "cid": [subject]}
    assert "Ann against Bob, at table 2." in str(to("ann").body)
    assert "Cid has a bye." in str(to("cid").body)
    assert f"{SITE}/clubs/harbour/events/winter/rounds/1/" in str(to("bob").body)
    assert told() == {}
    assert set(Notice.objects.values_list("end", flat=True)) == {NoticeEnd.SENT}


def test_draft_again_is_not_told(event: Event) -> None:
    round_ = drafted(event)
    publish_round(actor=OPERATOR, round_=round_)
    unpublish_round(actor=OPERATOR, round_=round_)
    assert told() == {}
    assert set(Notice.objects.values_list("end", flat=True)) == {NoticeEnd.DROPPED}
    publish_round(actor=OPERATOR, round_=round_)
    publish = Notice.objects.filter(ended_at=None)
    assert publish.count() == 2
    unpublish_round(actor=OPERATOR, round_=round_)
    publish_round(actor=OPERATOR, round_=round_)
    assert publish.count() == 2
    assert told() == {"ann": ["Harbour: Winter, round 1"], "bob": ["Harbour: Winter, round 1"]}


def test_draw_of_several_rounds_is_one_mail(event: Event) -> None:
    draw_round_robin(actor=OPERATOR, event=event)
    assert told() == {name: ["Harbour: You play in Winter"] for name in ("ann", "bob", "cid")}
    lines = [line for line in str(to("ann").body).splitlines() if line.startswith("Round ")]
    assert len(lines) == 3
    assert sum("Ann against Bob" in line for line in lines) == 1
    assert sum("Ann has a bye" in line for line in lines) == 1


def test_what_is_rolled_back_is_not_told(event: Event) -> None:
    round_ = drafted(event)
    with transaction.atomic():
        publish_round(actor=OPERATOR, round_=round_)
        assert Notice.objects.count() == 2
        transaction.set_rollback(True)
    assert not Notice.objects.exists()


@pytest.mark.parametrize("lacks", ["SENDS_MAIL", "SITE_URL"])
def test_site_without_mail_or_address_notes_nothing(event: Event, lacks: str, settings: Any) -> None:
    setattr(settings, lacks, "")
    draw_round_robin(actor=OPERATOR, event=event)
    assert not Notice.objects.exists()


def statements_of_a_round(tables: int) -> tuple[int, int]:
    """The statements on notices and their readers of publishing so many tables, and the rows they write."""
    event = EventFactory.create()
    round_ = RoundFactory.create(event=event, state=RoundState.DRAFTED)
    for number in range(tables):
        match = MatchFactory.create(event=event, round=round_)
        for entry in (match.entry_a, match.entry_b):
            assert entry is not None
            reader = UserFactory.create(email=f"{event.pk}-{number}@example.test")
            Player.objects.filter(memberships_in_entries__entry=entry).update(user=reader)
    Appearance.objects.all().delete()
    with CaptureQueriesContext(connection) as asked:
        publish_round(actor=OPERATOR, round_=round_)
    about = [one for one in asked.captured_queries if "notice" in one["sql"] or '"auth_user"' in one["sql"]]
    return len(about), Notice.objects.filter(event=event).count()


def test_rows_of_a_round_are_written_in_a_fixed_number_of_statements() -> None:
    few, rows = statements_of_a_round(2)
    assert rows == 4
    assert statements_of_a_round(30) == (few, 60)


def test_sheet_that_waits_asks_who_has_not_signed(event: Event) -> None:
    Event.objects.update(counts_when=CountsWhen.BOTH_SIGNATURES)
    event.refresh_from_db()
    match = play(meeting(event), 250, 250, 250, stopped=True)
    assert match.sheet is not None
    sign_sheet(actor=actor_of(user("ann")), sheet=match.sheet)
    assert told(minutes=9) == {}
    assert told(minutes=2) == {"bob": [f"Harbour: Please sign: {match.label}, Winter"]}
    sign_sheet(actor=actor_of(user("bob")), sheet=match.sheet)
    subject = f"Harbour: Result: {match.label}, Winter"
    assert told() == {"ann": [subject], "bob": [subject]}
    assert "Ann beats Bob" in str(to("bob").body)


def test_dispute_is_told_to_the_other_side_and_the_directors(event: Event) -> None:
    club = event.club
    UserFactory.create(username="dora", email="dora@example.test", club=club, role=Role.DIRECTOR)
    UserFactory.create(username="kit", email="kit@example.test", club=club, role=Role.SCOREKEEPER)
    match = play(meeting(event), 250, stopped=True)
    told()
    dispute = dispute_sheet(actor=actor_of(user("ann")), sheet=sheet_of(match), sentence="Row 1 was mine.")
    subject = f"Harbour: Disputed: {match.label}, Winter"
    assert told() == {"bob": [subject], "dora": [subject]}
    assert "Ann disputes sheet" in str(to("bob").body)
    settle_dispute(actor=actor_of(user("dora")), dispute=dispute, reason="It was.")
    said = told()
    assert {name: subjects[0] for name, subjects in said.items()} == dict.fromkeys(
        ("ann", "bob"), f"Harbour: Settled: {match.label}, Winter"
    )


def test_what_is_held_back_is_told_when_it_is_released(event: Event) -> None:
    Event.objects.update(holds_results=True)
    event.refresh_from_db()
    match = play(meeting(event), 250, stopped=True)
    assert told() == {}
    assert not Notice.objects.filter(kind=NoticeKind.RESULT).exists()
    release_round(actor=OPERATOR, round_=match.round)
    withhold_round(actor=OPERATOR, round_=match.round)
    assert told() == {}
    release_round(actor=OPERATOR, round_=match.round)
    subject = f"Harbour: Result: {match.label}, Winter"
    assert told() == {"ann": [subject], "bob": [subject]}
    withhold_round(actor=OPERATOR, round_=match.round)
    release_round(actor=OPERATOR, round_=match.round)
    assert told() == {}
    # Corrected meanwhile, it is news again.
    withhold_round(actor=OPERATOR, round_=match.round)
    changes: dict[int, object] = {1: won("Ann", "Bob", 251)}
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes=changes, reason="Misread.")
    release_round(actor=OPERATOR, round_=match.round)
    assert told() == {"ann": [subject], "bob": [subject]}


def test_final_table_waits_until_it_is_calculated_and_released(event: Event) -> None:
    Event.objects.update(holds_results=True)
    event.refresh_from_db()
    match = play(meeting(event), 250, stopped=True)
    finish_event(actor=OPERATOR, event=event, despite_unfinished=True)
    recalculate(event.pk)
    assert told() == {}
    release_round(actor=OPERATOR, round_=match.round)
    result = f"Harbour: Result: {match.label}, Winter"
    assert told() == {"ann": [result], "bob": [result]}
    recalculate(event.pk)
    assert told() == {name: ["Harbour: Winter: the final table"] for name in ("ann", "bob", "cid")}
    assert "1. Ann" in str(to("cid").body)
    withhold_round(actor=OPERATOR, round_=match.round)
    release_round(actor=OPERATOR, round_=match.round)
    assert told() == {}


def test_who_moves_up_is_told_unless_he_has_withdrawn_meanwhile(event: Event) -> None:
    event.entries.get(name="Cid").delete()
    Event.objects.filter(pk=event.pk).update(state=EventState.OPEN, places=2, who_enters=WhoEnters.PLAYERS)
    event.refresh_from_db()
    ann, bob, cid = (actor_of(user(name)) for name in ("ann", "bob", "cid"))
    enter_oneself(actor=cid, event=event)
    withdraw_oneself(actor=ann, event=event)
    assert told() == {"cid": ["Harbour: You have a place in Winter"]}
    assert "please withdraw" in str(to("cid").body)
    enter_oneself(actor=ann, event=event)
    withdraw_oneself(actor=bob, event=event)
    withdraw_oneself(actor=ann, event=event)
    assert told() == {}


def test_open_entries_are_told_to_who_asks_for_it(event: Event) -> None:
    Event.objects.update(state=EventState.DRAFT)
    event.refresh_from_db()
    bob = user("bob")
    choose(actor=actor_of(bob), user=bob, club=event.club, kinds={NoticeKind.EVENT: True})
    open_entries(actor=OPERATOR, event=event)
    assert told() == {"bob": ["Harbour: Winter takes entries"]}
    close_to_draft(actor=OPERATOR, event=event)
    open_entries(actor=OPERATOR, event=event)
    close_to_draft(actor=OPERATOR, event=event)
    assert told() == {}


def _closes(name: str) -> None:
    User.objects.filter(username=name).update(is_active=False)


def _loses_address(name: str) -> None:
    User.objects.filter(username=name).update(email="")


def _switches_off(name: str) -> None:
    one = user(name)
    choose(actor=actor_of(one), user=one, club=Club.objects.get(), kinds={NoticeKind.ROUND: False})


def _is_erased(name: str) -> None:
    erase_person(actor=OPERATOR, player=Player.objects.get(user__username=name))


@pytest.mark.parametrize("happens", [_closes, _loses_address, _switches_off, _is_erased])
def test_who_is_not_to_be_told_any_more_is_not(event: Event, happens: Callable[[str], None]) -> None:
    """Neither where the row was written before, nor is one written after."""
    draw_round_robin(actor=OPERATOR, event=event)
    happens("bob")
    assert set(told()) == {"ann", "cid"}
    finish_event(actor=OPERATOR, event=event, despite_unfinished=True)
    recalculate(event.pk)
    rows = Notice.objects.filter(kind=NoticeKind.TABLE, user__username="bob")
    assert rows.exists() is (happens is _switches_off)


def test_mail_says_what_its_reader_may_see(event: Event) -> None:
    """Who belongs to the club is told names in full; anybody else would be told what the public sees."""
    Player.objects.filter(name="Bob").update(shown_as=ShownAs.NICKNAME, nickname="Heron")
    Player.objects.filter(name="Ann").update(shown_as=ShownAs.INITIALS)
    round_ = meeting(event).round
    notice = Notice(kind=NoticeKind.ROUND, event=event, round=round_)
    ann = user("ann")
    for names, line in (
        (names_for(ann, event.club), "Ann against Bob"),
        (names_for(AnonymousUser(), event.club), "A. against Heron"),
    ):
        said = said_by(notice, ann, names)
        assert said is not None
        assert line in said.lines[0]
    publish(event)
    told()
    assert "Ann against Bob" in str(to("ann").body)


def test_mail_is_by_the_clubs_name_and_has_its_headers(event: Event) -> None:
    Club.objects.update(name="Harbour, Gin & Co")
    draw_round_robin(actor=OPERATOR, event=Event.objects.get())
    told()
    letter = to("ann")
    assert parseaddr(letter.from_email) == ("Harbour, Gin & Co", "gin@example.test")
    sent = letter.message()
    assert sent["Auto-Submitted"] == "auto-generated"
    assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent["Message-ID"] == Notice.objects.get(user__username="ann").message_id
    assert sent["Message-ID"].endswith("@gin.example.test>")
    (html,) = [str(content) for content, _type in letter.alternatives]
    assert "Harbour, Gin &amp; Co" in html
    assert "Harbour, Gin & Co" in str(letter.body)
    assert "&amp;" not in str(letter.body)


def test_one_post_stops_all_mail_of_the_club(event: Event) -> None:
    draw_round_robin(actor=OPERATOR, event=event)
    told()
    header = to("bob").message()["List-Unsubscribe"].strip("<>")
    assert header.startswith(SITE)
    address = urlsplit(header).path
    # As a mail program does: neither cookies nor a token of ours.
    client = Client(enforce_csrf_checks=True)
    assert client.get(address).status_code == 200
    assert not NoticeChoices.objects.exists()
    assert client.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    finish_event(actor=OPERATOR, event=event, despite_unfinished=True)
    recalculate(event.pk)
    assert set(told()) == {"ann", "cid"}


@pytest.mark.parametrize("secret", ["", "x", "WzEsMV0:1abc:def"])
def test_wrong_address_stops_nothing(event: Event, secret: str) -> None:
    wrong = secret or secret_to_stop(10**6, event.club.pk)
    assert Client().post(reverse("notices_stop", args=[wrong])).status_code == 404
    assert not NoticeChoices.objects.exists()


def test_account_page_has_the_choices(event: Event) -> None:
    client, bob = Client(), user("bob")
    client.force_login(bob)
    page = client.get(reverse("account")).content.decode()
    assert "What Harbour tells me" in page
    assert page.count('name="kinds"') == len(NoticeKind)
    address = reverse("notice_choices", args=["harbour"])
    form = {"kinds": ["event"], "quiet_from": "22:00", "quiet_until": "07:30", "digest_at": ""}
    assert client.post(address, form)["Location"] == "/account/#told-harbour"
    chosen = NoticeChoices.objects.get()
    assert (chosen.wants(NoticeKind.EVENT), chosen.wants(NoticeKind.ROUND)) == (True, False)
    assert own_data(bob)["notice_choices"][0]["quiet_until"] == "07:30:00"
    for wrong in ({"quiet_until": ""}, {"quiet_until": "22:00"}, {"digest_at": "25:00"}, {"kinds": ["all"]}):
        assert client.post(address, form | wrong).status_code == 422
    assert NoticeChoices.objects.get().quiet_from == datetime.time(22)
    ClubFactory.create(slug="other")
    assert client.post(reverse("notice_choices", args=["other"]), form).status_code == 404


def test_quiet_hours_end_before_it_is_told(event: Event) -> None:
    ann, now = user("ann"), timezone.now()
    quiet = [(now + datetime.timedelta(hours=hours)).time() for hours in (-1, 2)]
    kinds = dict.fromkeys(NoticeKind, True)
    choose(actor=actor_of(ann), user=ann, club=event.club, kinds=kinds, quiet=(quiet[0], quiet[1]))
    draw_round_robin(actor=OPERATOR, event=event)
    assert set(told(0)) == {"bob", "cid"}
    waits = Notice.objects.get(ended_at=None)
    assert abs(waits.due_at - now - datetime.timedelta(hours=2)) < datetime.timedelta(seconds=1)


def test_digest_is_one_mail_at_its_hour(event: Event) -> None:
    ann, now = user("ann"), timezone.now()
    at = (now + datetime.timedelta(hours=1)).time()
    choose(actor=actor_of(ann), user=ann, club=event.club, kinds=dict.fromkeys(NoticeKind, True), digest=at)
    draw_round_robin(actor=OPERATOR, event=event)
    play(Match.objects.get(entry_a__name="Ann", entry_b__name="Bob"), 250, stopped=True)
    assert "ann" not in told(0)
    # The day before, at this hour.
    later(24 * 60)
    assert told(0)["ann"] == ["Harbour: 2 messages"]
    own = Notice.objects.filter(user=ann).order_by("due_at")
    assert to("ann").message()["Message-ID"] == own[0].message_id
    assert set(Notice.objects.filter(user=ann).values_list("end", flat=True)) == {NoticeEnd.SENT}


def test_what_is_late_is_not_told(event: Event) -> None:
    draw_round_robin(actor=OPERATOR, event=event)
    assert told(minutes=3 * 24 * 60 + 1) == {}
    assert set(Notice.objects.values_list("end", flat=True)) == {NoticeEnd.LATE}


DAYS: Final = st.datetimes(timezones=st.just(datetime.UTC)).filter(lambda day: 1 < day.year < 9999)
TIMES: Final = st.times()


@given(ready=DAYS, waited=st.timedeltas(datetime.timedelta(0), datetime.timedelta(days=2)), at=TIMES)
def test_digest_comes_at_its_hour_within_a_day(
    ready: datetime.datetime, waited: datetime.timedelta, at: datetime.time
) -> None:
    told_at = earliest(ready, ready + waited, quiet=None, digest=at)
    assert told_at.time() == at
    assert datetime.timedelta(0) <= told_at - ready < datetime.timedelta(days=1)


@given(ready=DAYS, start=TIMES, end=TIMES)
def test_nothing_is_told_in_quiet_hours(
    ready: datetime.datetime, start: datetime.time, end: datetime.time
) -> None:
    told_at = earliest(ready, ready, quiet=(start, end), digest=None)
    assert datetime.timedelta(0) <= told_at - ready < datetime.timedelta(days=1)
    assert told_at in (ready, datetime.datetime.combine(told_at, end, tzinfo=datetime.UTC))
    # Asked again at that time, it is told.
    assert earliest(ready, told_at, quiet=(start, end), digest=None) == told_at


@pytest.mark.parametrize(
    ("at", "expected"),
    [("21:59", "21:59"), ("22:00", "07:30"), ("03:00", "07:30"), ("07:30", "07:30"), ("12:00", "12:00")],
)
def test_quiet_hours_go_over_midnight(at: str, expected: str) -> None:
    time = datetime.datetime.fromisoformat(f"2026-03-01T{at}Z")
    quiet = (datetime.time(22), datetime.time(7, 30))
    assert earliest(time, time, quiet=quiet, digest=None).time().isoformat("minutes") == expected


def test_mail_and_its_page_are_said_in_another_language(event: Event, tmp_path: Any) -> None:
    """No word of the sentences is left in English; names of people, clubs and events are theirs."""
    draw_round_robin(actor=OPERATOR, event=event)
    languages = {"LANGUAGES": [(ACCENTS, "ÁÉ")], "LANGUAGE_CODE": ACCENTS}
    with override_settings(**languages, LOCALE_PATHS=write_accents(tmp_path)):
        told()
    body = str(to("ann").body)
    for word in ("Round", "against", "The event", "You are told", "Choose", "No more mail"):
        assert word not in body


def test_who_loses_a_match_by_a_correction_is_told_and_who_comes_in(club: Club) -> None:
    """E1 beat E4 and is drawn in the final with E2. Corrected it is E4's, and then nobody's for now."""
    event = cup(club, 4)
    for entry in event.entries.all():
        name = entry.name.lower()
        player = Player.objects.filter(memberships_in_entries__entry=entry)
        player.update(user=UserFactory.create(username=name, email=f"{name}@example.test"))
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    next_round(event)
    out = "A result before it was corrected: you no longer have a match in this round."

    def told_of_final() -> dict[str, bool]:
        """Whether each reader of a mail on the final is told that he is out of it."""
        told()
        letters = [letter for letter in mail.outbox if letter.subject == "Harbour: Harbour Cup, round 2"]
        return {letter.to[0].partition("@")[0]: out in str(letter.body) for letter in letters}

    assert told_of_final() == {"e1": False, "e2": False}
    correct(event, 1, "E4")
    assert told_of_final() == {"e1": True, "e2": False, "e4": False}
    sheet = match_of(event, 1).sheet
    assert sheet is not None
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: VOID}, reason="not played")
    recalculate(event.pk)
    assert not event.matches.filter(round__number=2).exists()
    assert told_of_final() == {"e2": True, "e4": True}


def test_a_notice_that_cannot_be_worded_is_logged_and_given_up_and_holds_up_nobody(
    event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    """A letter of which the record has lost its words is tried eight times; the others go at once."""
    write_letter(actor=OPERATOR, club=event.club, subject="Tonight", text="We begin at seven.", event=event)
    broken = Notice.objects.get(user__username="ann")
    record = record_audit(OPERATOR, "letter.send", event, club=event.club, after={"subject": "Tonight"})
    # As the first in the queue.
    early = timezone.now() - datetime.timedelta(minutes=1)
    Notice.objects.filter(pk=broken.pk).update(letter=record, due_at=early)
    assert told(0) == {"bob": ["Harbour: Tonight"], "cid": ["Harbour: Tonight"]}
    for _try in range(9):
        Notice.objects.filter(pk=broken.pk, ended_at=None).update(due_at=timezone.now())
        assert told(0) == {}
    errors = [each for each in caplog.records if each.levelname == "ERROR"]
    assert len(errors) == 8
    assert all(f"notice {broken.pk} cannot be worded" in each.getMessage() for each in errors)
    broken.refresh_from_db()
    assert (broken.end, broken.owner) == (NoticeEnd.LATE, "")
