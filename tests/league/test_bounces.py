"""Mail that comes back switches an address off, and says so; what is no fault of the address does not."""

import datetime
import io
import sys
import time
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any, Final

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.urls import reverse

from league.core.bounces import Fault, fault_of, read_report, status_of_reply
from league.models import Event, EventState, MailBounce, Notice, NoticeEnd, NoticeKind, Role
from league.notices import delivery
from league.notices.bounces import LONGEST_LOCAL_PART, MOST_TIMES, note_bounce, return_path
from league.notices.causes import entries_opened
from league.notices.choices import choose, reached
from league.notices.mail import Refused
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import ClubFactory, EventFactory, UserFactory
from tests.league.admin_pages import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]

# As Postfix writes it, shortened; RFC 3464, 2 to 2.3, names the fields.
REPORT: Final = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.test (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="9B095B5ADSN"

This is a MIME-encapsulated message.

--9B095B5ADSN
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

<ann@example.test>: host mx.example.test said: 550 5.7.1 whatever people are told here

--9B095B5ADSN
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test
X-Postfix-Queue-ID: 9B095B5ADSN
Arrival-Date: Mon,  2 Nov 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; ann@example.test
Original-Recipient: rfc822;ann@example.test
Action: {action}
Status: {status}
Remote-MTA: dns; mx.example.test
Diagnostic-Code: smtp; {said}

--9B095B5ADSN
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

From: Harbour <gin@example.test>
To: ann@example.test

--9B095B5ADSN--
"""


def report(to: str, status: str = "5.1.1", action: str = "failed", said: str = "550 no") -> bytes:
    return REPORT.format(to=to, status=status, action=action, said=said).encode()


@pytest.fixture(autouse=True)
def address_for_reports(settings: Any) -> None:
    settings.BOUNCE_ADDRESS = "bounces@gin.example.test"


@pytest.fixture
def ann() -> User:
    club = ClubFactory.create(name="Harbour", slug="harbour")
    made: User = UserFactory.create(club=club, role=Role.MEMBER, username="ann", email="ann@example.test")
    choose(actor=actor_of(made), user=made, club=club, kinds={NoticeKind.EVENT: True})
    return made


@pytest.fixture
def event(ann: User) -> Event:
    made: Event = EventFactory.create(club=ann.memberships.get().club, state=EventState.OPEN)
    return made


@pytest.fixture
def take(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """The command with a message on its standard input; its status and what it says."""

    def taken(message: bytes, *arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(message)))
        said = io.StringIO()
        try:
            call_command("take_bounce", *arguments, stdout=said)
        except CommandError as refused:
            return refused.returncode, str(refused)
        return 0, said.getvalue().strip()

    return taken


def mailed(event: Event) -> mail.EmailMessage | None:
    """The mail by which Ann is told now that the event takes entries; None if she is told nothing."""
    mail.outbox.clear()
    entries_opened(event)
    delivery.deliver()
    return mail.outbox[0] if mail.outbox else None


def sent(event: Event) -> mail.EmailMessage:
    found = mailed(event)
    assert found is not None
    return found


def test_a_notice_has_a_return_path_of_its_own_and_is_from_the_club_all_the_same(event: Event) -> None:
    first, second = sent(event), sent(event)
    assert first.from_email.startswith("bounces+")
    assert first.from_email.endswith("@gin.example.test")
    assert first.from_email != second.from_email
    assert first.message()["From"] == "Harbour <gin@example.test>"
    assert len(first.from_email.partition("@")[0]) <= LONGEST_LOCAL_PART


def test_the_longest_return_path_is_within_bounds_and_a_longer_address_is_refused_at_the_start(
    event: Event, settings: Any
) -> None:
    settings.BOUNCE_ADDRESS = f"{'b' * 23}@gin.example.test"
    call_command("check")
    longest = return_path(Notice(pk=10**19 - 1), "ann@example.test")
    assert longest is not None
    assert len(longest.partition("@")[0]) == LONGEST_LOCAL_PART
    for wrong in (f"{'b' * 24}@gin.example.test", "gin.example.test", "bounces@"):
        settings.BOUNCE_ADDRESS = wrong
        with pytest.raises(SystemCheckError, match="BOUNCE_ADDRESS"):
            call_command("check")


def test_without_an_address_for_reports_they_go_to_whom_the_mail_is_from(event: Event, settings: Any) -> None:
    settings.BOUNCE_ADDRESS = ""
    assert sent(event).from_email == "Harbour <gin@example.test>"


def test_a_report_switches_the_address_off_and_the_member_switches_it_on_again(
    ann: User, event: Event, take: Callable[..., tuple[int, str]]
) -> None:
    path = sent(event).from_email
    assert take(report(path)) == (0, "The address is switched off.")
    notice = Notice.objects.get()
    assert (notice.end, notice.answer) == (NoticeEnd.REFUSED, "5.1.1")
    assert reached(NoticeKind.EVENT, event.club, {ann.pk}).users == set()
    assert mailed(event) is None
    client = logged_in(ann)
    page = text(client.get(reverse("account")))
    assert "Mail to ann@example.test came back on" in page
    assert "(code 5.1.1)" in page
    assert client.post(reverse("mail_again")).status_code == 302
    assert "came back" not in text(client.get(reverse("account")))
    assert mailed(event) is not None
    # The same report once more is about what was told before.
    assert take(report(path)) == (0, "This report was taken before: nothing is changed.")
    assert not MailBounce.objects.exists()


def test_what_waited_when_the_address_was_switched_off_is_not_sent(ann: User, event: Event) -> None:
    entries_opened(event)
    note_bounce(ann, "5.1.1")
    delivery.deliver()
    assert mail.outbox == []
    assert Notice.objects.get().end == NoticeEnd.DROPPED


@pytest.mark.parametrize(
    ("message", "status"),
    [
        (lambda path: report(path.replace("+", "+1")), 67),
        (lambda path: report(f"{path[: path.index('@') - 1]}a{path[path.index('@') :]}x"), 67),
        (lambda path: report("bounces+1-aaaaaaaaaaaaaaaaaaaa@gin.example.test"), 67),
        (lambda path: report("bounces@gin.example.test"), 67),
        (lambda path: report("ann@example.test"), 67),
        (lambda path: report(path).replace(b"multipart/report", b"multipart/mixed"), 65),
        (lambda path: report(path).replace(b"delivery-status;", b"feedback-report;"), 65),
        (lambda path: report(path).replace(b"message/delivery-status", b"text/plain"), 65),
        (lambda path: b"To: " + path.encode() + b"\n\nYour mail to ann@example.test failed: 5.1.1", 65),
        (lambda path: b"\xff\x00", 65),
        (lambda path: b"", 65),
        (lambda path: b"Content-Type: message/rfc822\n\n" * 5_000, 65),
        (lambda path: report(path, "4.4.1", "delayed"), 0),
        (lambda path: report(path, "4.2.2", "failed"), 0),
        (lambda path: report(path, "2.1.5", "delivered"), 0),
        (lambda path: report(path, "5.7.1"), 0),
        (lambda path: report(path, "5.6.0"), 0),
    ],
)
def test_what_is_forged_is_no_report_or_no_fault_of_the_address_changes_nothing(
    message: Callable[[str], bytes],
    status: int,
    event: Event,
    take: Callable[..., tuple[int, str]],
) -> None:
    path = sent(event).from_email
    assert take(message(path))[0] == status
    assert not MailBounce.objects.exists()
    assert Notice.objects.get().end == NoticeEnd.SENT


def test_a_report_on_an_address_that_was_changed_since_says_nothing_of_the_new_one(
    ann: User, event: Event, take: Callable[..., tuple[int, str]]
) -> None:
    path = sent(event).from_email
    User.objects.filter(pk=ann.pk).update(email="ann@new.example.test")
    assert take(report(path))[0] == 67
    assert not MailBounce.objects.exists()


def test_the_server_may_say_to_which_address_it_came(event: Event, take: Callable[..., Any]) -> None:
    path = sent(event).from_email
    # Then that alone counts, in whatever letters.
    assert take(report(path), "bounces@gin.example.test")[0] == 67
    assert take(report("postmaster@gin.example.test"), path.upper()) == (0, "The address is switched off.")


def test_another_or_a_verified_address_is_told_again(ann: User, event: Event) -> None:
    note_bounce(ann, "5.1.1")
    assert mailed(event) is None
    User.objects.filter(pk=ann.pk).update(email="ann@new.example.test")
    assert sent(event).to == ["ann@new.example.test"]
    ann.refresh_from_db()
    note_bounce(ann, "5.1.1")
    assert mailed(event) is None
    address = EmailAddress.objects.create(user=ann, email=ann.email, verified=True)
    email_confirmed.send(sender=EmailAddress, request=None, email_address=address)
    assert mailed(event) is not None


def test_what_may_be_the_address_is_it_after_three_days(
    ann: User, event: Event, clock: time_machine.Traveller
) -> None:
    for _again in range(MOST_TIMES + 1):
        assert not note_bounce(ann, "5.2.2")  # of one day
    for day in range(2, MOST_TIMES + 1):
        clock.shift(datetime.timedelta(days=1))
        ann = User.objects.get(pk=ann.pk)
        assert note_bounce(ann, "5.0.0") is (day == MOST_TIMES)
    assert mailed(event) is None


def test_what_was_counted_long_ago_is_forgotten(ann: User, clock: time_machine.Traveller) -> None:
    note_bounce(ann, "5.0.0")
    clock.shift(datetime.timedelta(days=1))
    note_bounce(ann, "5.0.0")
    clock.shift(datetime.timedelta(days=31))
    assert not note_bounce(ann, "5.0.0")
    assert MailBounce.objects.get().times == 1


def test_officers_see_that_it_is_off_and_not_the_address(ann: User, event: Event) -> None:
    note_bounce(ann, "5.1.1")
    director = logged_in(UserFactory.create(club=event.club, role=Role.DIRECTOR, username="dee"))
    page = text(director.get(reverse("members", args=["harbour"])))
    assert page.count("mail comes back") == 1
    assert "ann@example.test" not in page


def test_a_refusal_at_once_counts_as_a_report_does(
    ann: User, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(answer: str) -> None:
        def send(post: object, message: EmailMessage) -> None:
            raise Refused(answer, unsaid="5.0.0")

        monkeypatch.setattr("league.notices.mail.Post.send", send)
        entries_opened(event)
        delivery.deliver()

    refuse("554 5.7.1 Service unavailable; client host blocked")
    assert not MailBounce.objects.exists()
    refuse("550 no such user")
    assert MailBounce.objects.get().off_at is None
    refuse("550 5.1.1 no such user")
    assert MailBounce.objects.get().off_at is not None


# RFC 3463, 3; 5.1.10 is RFC 7505's.
@pytest.mark.parametrize(
    ("status", "fault"),
    [
        ("5.1.1", Fault.ADDRESS),
        ("5.1.2", Fault.ADDRESS),
        ("5.1.10", Fault.ADDRESS),
        ("5.2.1", Fault.ADDRESS),
        ("5.0.0", Fault.PERHAPS),
        ("5.1.0", Fault.PERHAPS),
        ("5.2.2", Fault.PERHAPS),
        ("5.4.4", Fault.PERHAPS),
        ("5.1.8", Fault.OTHER),
        ("5.2.3", Fault.OTHER),
        ("5.3.4", Fault.OTHER),
        ("5.7.26", Fault.OTHER),
        ("4.1.1", Fault.OTHER),
        ("", Fault.OTHER),
    ],
)
def test_whose_fault_a_code_says_it_is(status: str, fault: Fault) -> None:
    assert fault_of(status) is fault


def test_the_reason_that_is_left_to_the_quoted_answer_is_read_there() -> None:
    """Exim gives the status 5.0.0 and quotes; a status of its own is not outdone by what is quoted."""
    quoted = read_report(report("a@b.test", "5.0.0", said="550-5.1.1 no such user\n 550 5.1.1 gone"))
    assert quoted is not None
    assert (quoted.status, quoted.came_to) == ("5.1.1", ("a@b.test",))
    own = read_report(report("a@b.test", "5.2.2 (mailbox full)", said="550 5.1.1 no"))
    assert own is not None
    assert own.status == "5.2.2"
    assert status_of_reply("550 no") == ""


@pytest.mark.parametrize(
    "to",
    [
        "Sorry <bounces+1-a@gin.example.test>",
        "us:them;bounces+1-a@gin.example.test",
        "[, @, <bounces+1-a@gin.example.test>, =?x?q?\xff?=",
        "(" * 3_000 + "bounces+1-a@gin.example.test",
        "x@y.test, " * 2_000 + "bounces+1-a@gin.example.test",
        "x@y.test\nTo: " * 2_000 + "bounces+1-a@gin.example.test",
    ],
)
def test_mangled_and_endless_lines_of_addresses_are_read_at_once(to: str) -> None:
    began = time.process_time()
    read = read_report(report(to))
    assert read is not None
    assert (read.came_to[-1], read.status) == ("bounces+1-a@gin.example.test", "5.1.1")
    assert time.process_time() - began < 1
