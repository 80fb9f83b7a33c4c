"""Programs are told what happens: signed, again until they take it, and nothing that is held back."""

import base64
import datetime
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.draws.recalculating import recalculate
from league.draws.releasing import release_round, withhold_round
from league.errors import LeagueError
from league.events.annulling import annul_results
from league.events.entries import enter_players, withdraw_entry
from league.models import (
    CHOSEN_KINDS,
    AuditEntry,
    Club,
    Event,
    EventState,
    Match,
    Role,
    Webhook,
    WebhookDelivery,
)
from league.notices import calling, delivery
from league.notices.calling import PATIENCE, PAUSES, deliver
from league.notices.causes import (
    entries_opened,
    event_finished,
    result_changed,
    result_counts,
    rounds_published,
)
from league.notices.claiming import TakenRows
from league.people.webhooks import (
    MOST_WEBHOOKS,
    add_webhook,
    deliver_again,
    pause_webhook,
    remove_webhook,
    renew_secret,
    resume_webhook,
)
from league.people.webhooks import (
    test_webhook as send_test,
)
from league.policy import actor_of
from scoring.core.actors import Actor, ActorKind
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    play,
)
from tests.league.admin_pages import text

pytestmark = pytest.mark.django_db

ROOT: Final = Path(__file__).parents[2]
ALL: Final = [kind.value for kind in CHOSEN_KINDS]


class Program(ThreadingHTTPServer):
    """A program on this machine: what it was sent, and the status with which it answers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Listener)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status, self.said = 204, ""
        self.headers: dict[str, str] = {}
        self.url = f"http://127.0.0.1:{self.server_port}/gin"
        self.before_it_answers: Callable[[], object] = lambda: None

    def documents(self) -> list[dict[str, Any]]:
        """What it was sent, each once, without when."""
        return [json.loads(body) for _headers, body in self.got]

    def kinds(self) -> list[str]:
        return sorted(document["type"] for document in self.documents())


class _Listener(BaseHTTPRequestHandler):
    server: Program

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.server.before_it_answers()
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.server.said:
            self.wfile.write(self.server.said.encode())

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def program(settings: Any) -> Iterator[Program]:
    """A program, on a site that may call this machine."""
    settings.OUTGOING_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.SITE_URL = "https://gin.example.test"
    with Program() as server:
        running = threading.Thread(target=server.serve_forever, args=(0.01,))
        running.start()
        yield server
        server.shutdown()
        running.join()


@pytest.fixture
def event(club: Club) -> Event:
    made: Event = EventFactory.create(club=club, name="Winter", state=EventState.RUNNING)
    return made


@pytest.fixture
def hook(program: Program, club: Club, director: Actor) -> Webhook:
    made, _secret = add_webhook(actor=director, club=club, url=program.url, kinds=ALL)
    return made


def verified(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """As a program would, by the specification alone."""
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body.decode()}".encode()
    key = base64.b64decode(secret.split("_", 1)[1])
    wanted = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(wanted, each) for each in headers["webhook-signature"].split(" "))


def test_the_example_of_the_interfaces_verifies_what_comes(
    program: Program, club: Club, director: Actor
) -> None:
    chapter = (ROOT / "docs" / "INTERFACES.md").read_text().partition("## 7. ")[2]
    example: dict[str, Any] = {}
    exec(chapter.partition("```python\n")[2].partition("```")[0], example)  # noqa: S102 - ours
    hook, secret = add_webhook(actor=director, club=club, url=program.url, kinds=ALL)
    send_test(actor=director, webhook=hook)
    deliver()
    ((headers, body),) = program.got
    is_genuine = example["is_genuine"]
    assert is_genuine(secret, headers, body)
    assert not is_genuine(secret, headers, body.replace(b"test", b"TEST"))
    assert not is_genuine(secret, {**headers, "webhook-id": "msg_other"}, body)
    assert not is_genuine(renew_secret(actor=director, webhook=hook), headers, body)
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=6)):
        assert not is_genuine(secret, headers, body)
    for kind in CHOSEN_KINDS:
        assert f"`{kind.value}`" in chapter


def refusal(call: Callable[[], object]) -> tuple[str, str]:
    """The code of a refusal and its sentence; nothing is written."""
    before = Webhook.objects.count(), WebhookDelivery.objects.count(), AuditEntry.objects.count()
    with pytest.raises(LeagueError) as refused:
        call()
    assert before == (
        Webhook.objects.count(),
        WebhookDelivery.objects.count(),
        AuditEntry.objects.count(),
    )
    return refused.value.code, str(refused.value)


def test_a_result_is_told_with_a_signature_and_without_names(
    program: Program, club: Club, director: Actor, event: Event
) -> None:
    made, secret = add_webhook(actor=director, club=club, url=f" {program.url}", kinds=["result.changed"])
    match = play(MatchFactory.create(event=event), 300, 300, 300)
    assert deliver() == 1
    ((headers, body),) = program.got
    assert verified(secret, headers, body)
    assert not verified(secret, headers, body + b" ")
    assert headers["content-type"] == "application/json"
    row = WebhookDelivery.objects.get()
    assert headers["webhook-id"] == row.message_id
    assert json.loads(body) == {
        "type": "result.changed",
        "timestamp": row.made_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "data": {
            "club": "harbour",
            "event": event.code,
            "match": match.code,
            "look": f"https://gin.example.test/api/v1/matches/{match.code}/",
        },
    }
    assert (row.end, row.status, row.tries) == ("taken", 204, 1)
    assert deliver() == 0
    assert secret not in made.secret


def test_each_cause_is_told_once_and_where_to_look(
    program: Program, hook: Webhook, club: Club, director: Actor
) -> None:
    ann, bob = PlayerFactory.create_batch(2, club=club)
    event = EventFactory.create(club=club, state=EventState.OPEN)
    first, _second = enter_players(actor=director, event=event, players=[ann, bob])
    withdraw_entry(actor=director, entry=first, reason="ill", give_matches=True)
    recalculate(event.pk)
    recalculate(event.pk)
    entries_opened(event)
    rounds_published(event, RoundFactory.create_batch(2, event=event))
    event.state = EventState.FINISHED
    event_finished(event)
    deliver()
    assert program.kinds() == [
        "entry.made",
        "entry.made",
        "entry.withdrawn",
        "event.finished",
        "event.opened",
        "round.published",
        "round.published",
        "table.changed",
    ]
    assert {document["data"].get("round") for document in program.documents()} == {None, 1, 2}
    reader = logged_in(UserFactory.create(club=club, role=Role.MEMBER))
    for document in program.documents():
        path = document["data"]["look"].removeprefix("https://gin.example.test")
        assert reader.get(path).status_code == 200
        assert ann.name not in str(document)


def test_of_a_draft_and_to_whom_it_does_not_ask_nothing_is_told(
    program: Program, club: Club, director: Actor
) -> None:
    add_webhook(actor=director, club=club, url=program.url, kinds=["event.finished"])
    other = ClubFactory.create()
    add_webhook(actor=OPERATOR, club=other, url=program.url, kinds=ALL)
    drafted = EventFactory.create(club=other, state=EventState.DRAFT)
    for event in (drafted, EventFactory.create(club=club, state=EventState.OPEN)):
        enter_players(actor=OPERATOR, event=event, players=[PlayerFactory.create(club=event.club)])
        recalculate(event.pk)
    assert not WebhookDelivery.objects.exists()


def test_what_is_held_back_is_told_when_it_is_released(
    program: Program, hook: Webhook, club: Club, director: Actor
) -> None:
    event = EventFactory.create(club=club, state=EventState.RUNNING, holds_results=True)
    match: Match = MatchFactory.create(event=event)
    play(match, 300, 300, 300)
    recalculate(event.pk)
    assert not WebhookDelivery.objects.exists()
    release_round(actor=director, round_=match.round)
    assert sorted(WebhookDelivery.objects.values_list("kind", "subject")) == [
        ("result.changed", match.code),
        ("table.changed", ""),
    ]
    withhold_round(actor=director, round_=match.round)
    deliver()
    assert program.kinds() == ["table.changed"]
    assert WebhookDelivery.objects.get(kind="result.changed").end == "dropped"


def test_while_a_later_round_is_held_back_the_table_is_told_of_that_all_may_see(
    hook: Webhook, club: Club, director: Actor
) -> None:
    event = EventFactory.create(club=club, state=EventState.RUNNING, holds_results=True)
    shown, held = (
        MatchFactory.create(event=event, round=each) for each in RoundFactory.create_batch(2, event=event)
    )
    release_round(actor=director, round_=shown.round)

    def told() -> list[str]:
        kinds = list(WebhookDelivery.objects.values_list("kind", flat=True))
        WebhookDelivery.objects.all().delete()
        return kinds

    shown.refresh_from_db()
    told()
    by_file = Actor(ActorKind.IMPORT, "1", "a file")
    result_counts(held, by_file)
    assert told() == []
    result_counts(shown, by_file)
    assert told() == ["table.changed"]
    withdraw_entry(actor=director, entry=shown.entry_a, reason="ill", give_matches=True)
    told()
    annul_results(actor=director, entry=shown.entry_a, reason="ill")
    assert told() == ["table.changed"]


def test_what_happens_again_before_it_is_told_is_told_once(
    program: Program, hook: Webhook, event: Event
) -> None:
    match = play(MatchFactory.create(event=event), 300, 300, 300)
    first = WebhookDelivery.objects.get()
    result_changed(match)
    assert WebhookDelivery.objects.get().pk != first.pk
    # What is on its way may have been sent before the change.
    WebhookDelivery.objects.update(owner="another worker", claimed_until=timezone.now() + calling.LEASE)
    result_changed(match)
    assert WebhookDelivery.objects.count() == 2


def test_until_it_is_taken_it_is_sent_again_with_the_same_id(
    program: Program, hook: Webhook, event: Event, clock: time_machine.Traveller
) -> None:
    program.status, program.said = 500, "<b>down</b>\n" + "x" * 300
    play(MatchFactory.create(event=event), 300, 300, 300)
    assert deliver() == 0
    row = WebhookDelivery.objects.get()
    assert (row.status, row.tries, row.end, len(row.answer)) == (500, 1, "", 200)
    assert row.answer.startswith("<b>down</b> x")
    assert deliver() == 0
    assert len(program.got) == 1
    program.status = 200
    clock.shift(PAUSES[0] * 1.2)
    assert deliver() == 1
    (first, second) = [headers for headers, _body in program.got]
    assert first["webhook-id"] == second["webhook-id"]
    assert int(second["webhook-timestamp"]) - int(first["webhook-timestamp"]) == 72
    assert program.got[0][1] == program.got[1][1]
    hook.refresh_from_db()
    assert hook.failing_since is None


def test_after_three_days_it_is_given_up_and_after_five_the_address_is_paused(
    program: Program, hook: Webhook, event: Event, clock: time_machine.Traveller, mails: None
) -> None:
    UserFactory.create(club=event.club, role=Role.DIRECTOR, username="dee", email="dee@example.test")
    UserFactory.create(club=event.club, role=Role.MEMBER, username="mo", email="mo@example.test")
    program.status = 302
    program.headers = {"Location": program.url}
    play(MatchFactory.create(event=event), 300, 300, 300)
    began = timezone.now()
    for pause in (datetime.timedelta(), *PAUSES):
        clock.shift(pause * 1.2)
        deliver()
    given_up = WebhookDelivery.objects.get()
    assert (given_up.end, given_up.tries, given_up.status) == ("failed", len(PAUSES) + 1, 302)
    assert len(program.got) == len(PAUSES) + 1
    assert sum(PAUSES, datetime.timedelta()) > datetime.timedelta(days=3)
    hook.refresh_from_db()
    assert (hook.pause, hook.failing_since) == ("", began)
    clock.move_to(began + PATIENCE)
    play(MatchFactory.create(event=event), 300, 300, 300)
    deliver()
    hook.refresh_from_db()
    assert hook.pause == "failing"
    assert set(WebhookDelivery.objects.values_list("end", flat=True)) == {"failed", "dropped"}
    entry = AuditEntry.objects.get(action="webhook.pause")
    assert entry.after == {"pause": "failing"}
    mail.outbox.clear()
    delivery.deliver()
    told = {one.to[0]: one.body for one in mail.outbox if "webhook" in one.subject}
    assert told.keys() == {"dee@example.test"}
    assert "127.0.0.1" in told["dee@example.test"]
    assert "/clubs/harbour/webhooks/" in told["dee@example.test"]
    # What happens now is not noted for it.
    before = WebhookDelivery.objects.count()
    play(MatchFactory.create(event=event), 300, 300, 300)
    assert WebhookDelivery.objects.count() == before


def test_who_says_that_it_is_gone_is_paused_at_once_and_who_asks_for_time_has_it(
    program: Program, hook: Webhook, event: Event, clock: time_machine.Traveller
) -> None:
    program.status, program.headers = 429, {"Retry-After": "7200"}
    play(MatchFactory.create(event=event), 300, 300, 300)
    deliver()
    assert WebhookDelivery.objects.get().due_at == timezone.now() + datetime.timedelta(hours=2)
    clock.shift(datetime.timedelta(hours=2))
    program.status = 410
    deliver()
    hook.refresh_from_db()
    assert hook.pause == "gone"


def test_the_row_is_there_before_it_is_sent_and_a_killed_worker_holds_it_no_longer_than_its_lease(
    program: Program, hook: Webhook, event: Event, clock: time_machine.Traveller
) -> None:
    play(MatchFactory.create(event=event), 300, 300, 300)
    row = WebhookDelivery.objects.get()
    claim: TakenRows[WebhookDelivery] = TakenRows(WebhookDelivery.objects.all(), calling.LEASE)
    claim.take([row.pk])
    assert claim.ids == [row.pk]
    assert deliver() == 0
    clock.shift(calling.LEASE + datetime.timedelta(seconds=1))
    assert deliver() == 1
    # It may have been sent before: the program knows it by its id.
    assert program.got[0][0]["webhook-id"] == row.message_id
    assert claim.end(end="taken") == 0


def test_addresses_that_are_slow_are_waited_for_together(
    program: Program, club: Club, director: Actor, event: Event
) -> None:
    for number in range(4):
        add_webhook(actor=director, club=club, url=f"{program.url}/{number}", kinds=ALL)
    play(MatchFactory.create(event=event), 300, 300, 300)
    together = threading.Barrier(4, timeout=10)
    program.before_it_answers = together.wait
    assert deliver() == 4


def test_an_address_for_which_much_waits_does_not_keep_others_waiting(
    program: Program, club: Club, director: Actor, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "AT_ONCE", 1)
    add_webhook(actor=director, club=club, url=f"{program.url}/busy", kinds=["round.published"])
    rounds_published(event, RoundFactory.create_batch(3, event=event))
    add_webhook(actor=director, club=club, url=program.url, kinds=["result.changed"])
    play(MatchFactory.create(event=event), 300, 300, 300)
    assert deliver() == 4
    told = [document["type"] for document in program.documents()]
    assert told == ["round.published", "result.changed", "round.published", "round.published"]


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "http://[::1]/",
        "https://[::1]:8443/",
        "https://0x7f000001/",
        "https://2130706433/",
        "https://localhost/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data/",
        "https://me:secret@example.org/",
        "http://example.org/",
        "ftp://example.org/",
        "example.org",
        "https:///gin",
        "https://example.org:99999/",
    ],
)
def test_addresses_that_the_site_does_not_call_are_refused_with_a_sentence(
    url: str, club: Club, director: Actor
) -> None:
    code, sentence = refusal(lambda: add_webhook(actor=director, club=club, url=url, kinds=ALL))
    assert code == "bad_address"
    assert sentence.endswith((".", "https://."))


def test_where_an_address_leads_is_looked_at_again_when_it_is_sent_to(
    program: Program, hook: Webhook, event: Event, settings: Any
) -> None:
    settings.OUTGOING_NETWORKS = []
    play(MatchFactory.create(event=event), 300, 300, 300)
    assert deliver() == 0
    row = WebhookDelivery.objects.get()
    assert (program.got, row.status, row.tries) == ([], None, 1)
    assert row.answer == "The address must begin with https://."


def test_a_renewed_secret_signs_with_the_former_one_for_a_day(
    program: Program, club: Club, director: Actor, event: Event, clock: time_machine.Traveller
) -> None:
    hook, old = add_webhook(actor=director, club=club, url=program.url, kinds=ALL)
    new = renew_secret(actor=director, webhook=hook)
    send_test(actor=director, webhook=hook)
    deliver()
    assert [verified(secret, *program.got[0]) for secret in (old, new)] == [True, True]
    clock.shift(datetime.timedelta(days=1, seconds=1))
    send_test(actor=director, webhook=hook)
    deliver()
    assert [verified(secret, *program.got[1]) for secret in (old, new)] == [False, True]
    noted = json.dumps(list(AuditEntry.objects.values("before", "after", "object_name")))
    assert new not in noted
    assert hook.secret not in noted


def test_what_another_key_sealed_is_said_and_not_sent(
    program: Program, hook: Webhook, director: Actor, settings: Any
) -> None:
    settings.SECRET_KEY = "another"
    send_test(actor=director, webhook=hook)
    deliver()
    row = WebhookDelivery.objects.get()
    assert (program.got, row.end) == ([], "failed")
    assert row.answer == "The secret can no longer be read: renew it."


def test_a_paused_address_is_told_nothing_but_tests(
    program: Program, hook: Webhook, director: Actor, event: Event
) -> None:
    play(MatchFactory.create(event=event), 300, 300, 300)
    pause_webhook(actor=director, webhook=hook)
    told = WebhookDelivery.objects.get()
    assert told.end == "dropped"
    assert refusal(lambda: deliver_again(actor=director, delivery=told))[0] == "paused"
    send_test(actor=director, webhook=hook)
    assert refusal(lambda: send_test(actor=director, webhook=hook))[0] == "too_many"
    deliver()
    assert program.kinds() == ["test"]
    resume_webhook(actor=director, webhook=hook)
    deliver_again(actor=director, delivery=told)
    assert refusal(lambda: deliver_again(actor=director, delivery=told))[0] == "nothing_changed"
    deliver()
    assert program.kinds() == ["result.changed", "test"]
    assert program.got[1][0]["webhook-id"] == told.message_id


def test_what_cannot_be_is_refused(program: Program, hook: Webhook, club: Club, director: Actor) -> None:
    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    for act in (renew_secret, pause_webhook, send_test, remove_webhook):
        assert refusal(partial(act, actor=keeper, webhook=hook))[0] == "not_allowed"
    add = partial(add_webhook, actor=director, club=club)
    assert refusal(lambda: add_webhook(actor=keeper, club=club, url=hook.url, kinds=ALL))[0] == "not_allowed"
    again = refusal(partial(add, url=hook.url, kinds=ALL))
    assert again == ("invalid", "This address is told already.")
    for kinds in ([], ["test"], ["result.changed", "all"]):
        assert refusal(partial(add, url=f"{hook.url}/2", kinds=kinds))[0] == "invalid"
    assert refusal(lambda: resume_webhook(actor=director, webhook=hook))[0] == "nothing_changed"
    Webhook.objects.bulk_create(
        [Webhook(club=club, url=f"https://example.org/{number}") for number in range(MOST_WEBHOOKS - 1)]
    )
    assert refusal(partial(add, url=f"{hook.url}/3", kinds=ALL))[0] == "too_many"


def test_a_director_adds_tries_and_deletes_an_address_on_its_pages(
    program: Program, club: Club, owner: Client, event: Event
) -> None:
    page = reverse("webhooks", args=[club.slug])
    assert "None." in text(owner.get(page))
    refused = owner.post(page, {"url": "https://10.0.0.1/", "kinds": ["table.changed"]})
    assert refused.status_code == 422
    assert "is not on the public Internet" in text(refused)
    made = owner.post(page, {"url": program.url, "kinds": ["result.changed"]})
    hook = Webhook.objects.get()
    assert "whsec_" in text(made)
    shown = reverse("webhook", args=[club.slug, hook.code])
    assert "whsec_" not in text(owner.get(shown))
    program.status, program.said = 404, "<script>no</script>"
    assert owner.post(shown, {"act": "test"}).status_code == 302
    deliver()
    seen = owner.get(shown)
    assert "given up" in text(seen)
    assert "answered 404" in text(seen)
    assert b"<script>no" not in seen.content
    row = WebhookDelivery.objects.get()
    program.status = 200
    assert owner.post(shown, {"act": "again", "delivery": row.message_id}).status_code == 302
    deliver()
    assert "answered 200" in text(owner.get(shown))
    assert owner.post(shown, {"url": program.url, "kinds": ["entry.made"]}).status_code == 302
    hook.refresh_from_db()
    assert hook.kinds == ["entry.made"]
    assert owner.post(shown, {"act": "resume"}).status_code == 422
    assert owner.post(shown, {"act": "sing"}).status_code == 404
    assert "whsec_" in text(owner.post(shown, {"act": "renew"}))
    assert owner.post(shown, {"act": "remove"}).url == page  # type: ignore[attr-defined]
    assert not Webhook.objects.exists()
    acts = AuditEntry.objects.filter(object_id=str(hook.pk), object_type="webhook").order_by("pk")
    assert [entry.action.removeprefix("webhook.") for entry in acts] == [
        "create",
        "test",
        "redeliver",
        "change",
        "renew",
        "remove",
    ]
