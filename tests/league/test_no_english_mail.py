"""In another language no mail and no notice says an English word, in the language of accents.

Whatever people have written is in Cyrillic, as in `test_no_english`.
"""

import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, override_settings
from django.test.signals import template_rendered
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch, kept_note
from league.core.evening import EveningState
from league.draws.online import end_online_offer, offer_online, play_online
from league.draws.recalculating import recalculate
from league.models import (
    Club,
    CountsWhen,
    EntryRequest,
    Evening,
    Event,
    EventState,
    InvitationState,
    Joining,
    JoinRequest,
    Match,
    Notice,
    NoticeEnd,
    NoticeKind,
    PartnerInvitation,
    PlayedWhere,
    Player,
    ProposedTime,
    RequestState,
    Role,
    Webhook,
    WebhookPause,
)
from league.notices.letters import letter
from league.notices.push import PushMessage, topic_of
from league.notices.words import said_by
from league.notices.writing import write_letter
from league.people.friendlies import play_bot
from league.people.lobbies import decline_offer, offer_game, take_seat
from league.policy.naming import names_for
from league.record.audit import record_audit
from league.tasks import mail_password_link
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.models import Scoresheet
from scoring.services import correct_deals, dispute_sheet, make_house_rules, settle_dispute
from tests.catalogue import ACCENTS, ROOT, write_accents
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    play,
    sheet_of,
    won,
)
from tests.league.accounts.conftest import PASSWORD
from tests.league.table_players import QUICK, by, member
from tests.league.test_no_english import Findings, texts_of
from tests.tasks import run_tasks

pytestmark = [pytest.mark.looks, pytest.mark.usefixtures("mails", "in_accents")]

_NAMED: Final = frozenset({"simple"})  # a bot, which is called so in every language


@pytest.fixture(scope="module")
def accents(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_accents(tmp_path_factory.mktemp("accents"))


@pytest.fixture
def in_accents(db: None, accents: list[Path]) -> Iterator[None]:
    with override_settings(LANGUAGES=[(ACCENTS, "ÁÉ")], LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        yield


class Scene:
    """A club with a reader, who directs it and plays, and with another who plays."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory.create(name="Ж", slug="harbour")
        self.one, self.other = member(self.club, "Ч"), member(self.club, "Ш")
        assert self.one.user is not None
        assert self.other.user is not None
        self.reader, self.another = self.one.user, self.other.user
        for number, user in enumerate((self.reader, self.another)):
            user.email = f"{number}@a.test"
            user.save()
        self.club.memberships.filter(user=self.reader).update(role=Role.DIRECTOR)

    def event(self, **values: Any) -> Event:
        values = {"name": "Ы", "slug": "winter", **values}
        return EventFactory.create(club=self.club, rules=_rules(), **values)

    def match(self, event: Event | None = None, *, has_bye: bool = False, **values: Any) -> Match:
        """The reader against the other, or alone."""
        event = event or self.event()
        sides = [_entry(event, player) for player in (self.one, self.other)]
        values |= {"entry_a": sides[0], "entry_b": None if has_bye else sides[1]}
        made: Match = MatchFactory.create(event=event, **values)
        return made

    def note(self, kind: NoticeKind, **about: Any) -> Notice:
        return Notice.objects.create(
            user=self.reader, club=self.club, kind=kind,
            # Later than what it tells, by any clock.
            made_at=timezone.now() + datetime.timedelta(minutes=1), due_at=timezone.now(),
            message_id=f"<{Notice.objects.count()}@example.test>", **about,
        )  # fmt: skip

    def of_record(self, kind: NoticeKind, action: str, target: Any, **said: Any) -> Notice:
        return self.note(kind, letter=record_audit(by(self.other), action, target, club=self.club, **said))


def _rules() -> Any:
    return make_house_rules(actor=OPERATOR, name="Ж", rules=Rules.preset("standard", **QUICK))


def _entry(event: Event, player: Player) -> Any:
    return EntryFactory.create(event=event, name=player.name, players=[player])


def _soon() -> datetime.datetime:
    return timezone.now() + datetime.timedelta(days=2)


def _rounds(scene: Scene) -> Iterator[Notice]:
    match = scene.match(round__last_day=_soon().date())
    about: dict[str, Any] = {"event": match.event, "round": match.round}
    yield scene.note(NoticeKind.ROUND, **about)
    yield scene.note(NoticeKind.ROUND, event=match.event)
    Evening.objects.create(event=match.event, round=match.round, come_by=_soon())
    yield scene.note(NoticeKind.ROUND, **about)
    Evening.objects.all().delete()
    Notice.objects.update(end=NoticeEnd.SENT)
    Match.objects.all().delete()
    yield scene.note(NoticeKind.ROUND, **about)
    bye = scene.match(scene.event(slug="bye"), has_bye=True, table=None, label="1")
    for state in ("bye", "absent"):
        Match.objects.filter(pk=bye.pk).update(state=state)
        yield scene.note(NoticeKind.ROUND, event=bye.event, round=bye.round)


def _proposed(scene: Scene) -> Iterator[Notice]:
    match = scene.match(round__last_day=_soon().date())
    ProposedTime.objects.create(match=match, side=1, at=_soon(), place="Ж")
    yield scene.note(NoticeKind.PROPOSED, event=match.event, match=match)


def _agreed(scene: Scene) -> Iterator[Notice]:
    match = scene.match(round__last_day=_soon().date())
    for values in ({"planned_on": _soon().date()}, {"planned_at": _soon(), "planned_place": "Ж"}):
        Match.objects.update(**values)
        yield scene.note(NoticeKind.AGREED, event=match.event, match=match)


def _near(scene: Scene) -> Iterator[Notice]:
    match = scene.match(round__last_day=_soon().date())
    yield scene.note(NoticeKind.NEAR, event=match.event, match=match)


def _sign(scene: Scene) -> Iterator[Notice]:
    match = play(scene.match(scene.event(counts_when=CountsWhen.BOTH_SIGNATURES)), 250, stopped=True)
    yield scene.note(NoticeKind.SIGN, event=match.event, match=match)


def _disputed(scene: Scene) -> Iterator[Notice]:
    match = play(scene.match(), 250, stopped=True)
    dispute_sheet(actor=by(scene.other), sheet=sheet_of(match), sentence="Ж")
    yield scene.note(NoticeKind.DISPUTED, event=match.event, match=match)


def _decided(scene: Scene) -> Iterator[Notice]:
    match = play(scene.match(scene.event(counts_when=CountsWhen.BOTH_SIGNATURES)), 250, stopped=True)
    dispute = dispute_sheet(actor=by(scene.other), sheet=sheet_of(match), sentence="Ж")
    settle_dispute(actor=OPERATOR, dispute=dispute, reason="Ж")
    for counts in (CountsWhen.BOTH_SIGNATURES, CountsWhen.DIRECTOR, CountsWhen.AT_ONCE):
        Event.objects.update(counts_when=counts)
        yield scene.note(NoticeKind.DECIDED, event=match.event, match=match)


def _results(scene: Scene) -> Iterator[Notice]:
    match = play(scene.match(), 250, stopped=True)
    yield scene.note(NoticeKind.RESULT, event=match.event, match=match)


def _place(scene: Scene) -> Iterator[Notice]:
    event = scene.event(state=EventState.OPEN)
    _entry(event, scene.one)
    yield scene.note(NoticeKind.PLACE, event=event)


def _invited(scene: Scene) -> Iterator[Notice]:
    event = scene.event(state=EventState.OPEN, team_size=2)
    team = EntryRequest.objects.create(
        event=event, player=scene.other, state=RequestState.FORMING, position=1
    )
    PartnerInvitation.objects.create(event=event, request=team, player=scene.one)
    for values in ({}, {"team_name": "Ю", "kept_until": _soon()}):
        EntryRequest.objects.update(**values)
        yield scene.note(NoticeKind.INVITED, event=event)


def _teams(scene: Scene) -> Iterator[Notice]:
    event = scene.event(state=EventState.OPEN, team_size=2)
    yield scene.note(NoticeKind.TEAM, event=event)
    team = EntryRequest.objects.create(
        event=event, player=scene.one, state=RequestState.FORMING, position=1, reason="Ж"
    )
    invitation = PartnerInvitation.objects.create(event=event, request=team, player=scene.other)
    for answer in InvitationState:
        invitation.state = answer
        invitation.save()
        yield scene.note(NoticeKind.TEAM, event=event)
    EntryRequest.objects.update(kept_until=_soon())
    for state in RequestState:
        EntryRequest.objects.update(state=state)
        yield scene.note(NoticeKind.TEAM, event=event)
    event.approves_entries = True
    event.save()
    EntryRequest.objects.update(state=RequestState.ASKED)
    yield scene.note(NoticeKind.TEAM, event=event)
    EntryFactory.create(event=event, name="Ю", players=[scene.one, scene.other])
    yield scene.note(NoticeKind.TEAM, event=event)


def _tables(scene: Scene) -> Iterator[Notice]:
    match = play(scene.match(), 250, stopped=True)
    recalculate(match.event_id)
    Event.objects.update(state=EventState.FINISHED)
    yield scene.note(NoticeKind.TABLE, event=Event.objects.get())


def _events(scene: Scene) -> Iterator[Notice]:
    yield scene.note(NoticeKind.EVENT, event=scene.event(state=EventState.OPEN))


def _letters(scene: Scene) -> Iterator[Notice]:
    for event in (None, scene.match().event):
        write_letter(actor=by(scene.one), club=scene.club, event=event, subject="Ж", text="Ж\nЮ")
    yield from Notice.objects.filter(user=scene.reader)


def _answers(scene: Scene) -> Iterator[Notice]:
    for action in ("join.approve", "claim.confirm", "join.refuse", "claim.refuse"):
        yield scene.of_record(NoticeKind.ANSWER, action, scene.one, reason="Ж")


def _people(scene: Scene) -> Iterator[Notice]:
    yield scene.of_record(NoticeKind.PEOPLE, "club.leave", scene.club, after={"stays": ["Ы"]})
    asks = User.objects.create_user(username="а", first_name="Щ")
    for name in ("", "Щ"):
        waits = JoinRequest.objects.create(club=scene.club, user=asks, name=name)
        yield scene.of_record(NoticeKind.PEOPLE, "join.ask", waits)
        waits.delete()


def _paused(scene: Scene) -> Iterator[Notice]:
    for pause in (WebhookPause.FAILING, WebhookPause.GONE):
        Webhook.objects.create(club=scene.club, url=f"https://198.51.100.7/{pause}", pause=pause)
    yield scene.note(NoticeKind.PAUSED)


def _games(scene: Scene) -> Iterator[Notice]:
    """Offered, begun and declined, friendly games and matches."""
    event = scene.event(played=PlayedWhere.EITHER)
    scene.club.house_rules.create(rules=event.rules)
    own = offer_game(actor=by(scene.one), club=scene.club, rules=event.rules, others=[scene.other]).offer
    decline_offer(actor=by(scene.other), offer=own)
    offer = offer_game(actor=by(scene.other), club=scene.club, rules=event.rules, others=[scene.one]).offer
    yield scene.note(NoticeKind.GAME)
    take_seat(actor=by(scene.one), offer=offer)
    yield scene.note(NoticeKind.GAME)
    match = scene.match(event)
    offer_online(actor=by(scene.one), match=match)
    end_online_offer(actor=by(scene.other), match=match)
    yield from Notice.objects.filter(user=scene.reader, letter__isnull=False)
    offer_online(actor=by(scene.other), match=match)
    yield scene.note(NoticeKind.GAME)
    play_online(actor=by(scene.one), match=match)
    yield scene.note(NoticeKind.GAME)
    table = play_bot(actor=by(scene.one), club=scene.club, bot="simple", rules=event.rules)
    _adjourn(table)
    yield scene.of_record(NoticeKind.GAME, "table.adjourn", table)


def _adjourn(table: TableMatch) -> None:
    why = kept_note(mark("It did not answer within %(seconds)s seconds.", seconds="20"))
    rows = TableMatch.objects.filter(pk=table.pk)
    rows.update(adjourned_at=timezone.now(), adjourned_why=why, deadline=None)


def _stopped(scene: Scene) -> Iterator[Notice]:
    match = scene.match(scene.event(played=PlayedWhere.ONLINE))
    scene.club.house_rules.create(rules=match.event.rules)
    table = play_online(actor=by(scene.one), match=match)
    about: dict[str, Any] = {"event": match.event, "match": match}
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes={1: won("Ч", "Ш", 5)}, reason="Ж")
    yield scene.note(NoticeKind.STOPPED, **about)
    _adjourn(table)
    yield scene.note(NoticeKind.STOPPED, **about)
    game = play_bot(actor=by(scene.other), club=scene.club, bot="simple", rules=match.event.rules)
    _adjourn(game)
    # Which has no name but its code.
    Scoresheet.objects.filter(table_match=game).update(label="Ж")
    yield scene.of_record(NoticeKind.STOPPED, "table.adjourn", game)


def _evenings(scene: Scene) -> Iterator[Notice]:
    event = scene.event()
    Evening.objects.create(event=event, state=EveningState.STOPPED)
    for action in ("evening.stop", "evening.absent", "evening.left_out", "evening.end"):
        after = {"absent": ["Ч", "Ш"], "round": 1}
        yield scene.of_record(NoticeKind.EVENING, action, event, after=after, reason="Ж")


TOLD: Final[Mapping[NoticeKind, Callable[[Scene], Iterator[Notice]]]] = {
    NoticeKind.ROUND: _rounds,
    NoticeKind.PROPOSED: _proposed,
    NoticeKind.AGREED: _agreed,
    NoticeKind.NEAR: _near,
    NoticeKind.SIGN: _sign,
    NoticeKind.DISPUTED: _disputed,
    NoticeKind.DECIDED: _decided,
    NoticeKind.RESULT: _results,
    NoticeKind.PLACE: _place,
    NoticeKind.INVITED: _invited,
    NoticeKind.TEAM: _teams,
    NoticeKind.TABLE: _tables,
    NoticeKind.EVENT: _events,
    NoticeKind.LETTER: _letters,
    NoticeKind.ANSWER: _answers,
    NoticeKind.PEOPLE: _people,
    NoticeKind.PAUSED: _paused,
    NoticeKind.GAME: _games,
    NoticeKind.EVENING: _evenings,
    NoticeKind.STOPPED: _stopped,
}


@pytest.mark.parametrize("kind", NoticeKind)
def test_no_notice_says_a_word_of_english(kind: NoticeKind) -> None:
    """Neither its mail, text and HTML, nor what a device shows."""
    scene, findings = Scene(), Findings(_NAMED)
    for notice in TOLD[kind](scene):
        assert notice.kind == kind
        notice = Notice.objects.select_related("user", "club", "event__club", "round", "letter").get(
            pk=notice.pk
        )
        said = said_by(notice, scene.reader, names_for(scene.reader, scene.club))
        assert said is not None
        written = letter(
            user=scene.reader, club=scene.club, said=[said, said], message_id="<1@a>", return_path=None
        )
        findings.read(_sentences(written), str(kind.label))
        message = PushMessage(said.title, scene.club.name, said.path, topic_of(notice))
        shown = json.loads(message.as_json())
        findings.read([shown["title"], shown["body"]], f"push: {kind.label}")
    assert not findings.found, str(findings)
    assert len(findings) > 5


def _sentences(written: Any) -> list[str]:
    """What a mail says: its subject, its text and its HTML."""
    pages = [page for page, _kind in getattr(written, "alternatives", ())]
    return [
        written.subject,
        *str(written.body).splitlines(),
        *(one for page in pages for one in texts_of(page)),
    ]


# A code to sign in by.
_CODE: Final = re.compile(r"^[A-Z]{4}-[A-Z]{4}$")


def test_no_other_mail_says_a_word_of_english(settings: Any) -> None:
    """Those of accounts, all that the site has templates for: each is asked for at the door that sends it."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
    scene, rendered = Scene(), set()

    def note(template: Any, **_: Any) -> None:
        rendered.add(template.name)

    Club.objects.update(joining=Joining.OPEN)
    scene.club.memberships.filter(user=scene.reader).update(role=Role.OWNER)
    for user in (scene.reader, scene.another):
        user.set_password(PASSWORD)
        user.save()
    template_rendered.connect(note)
    try:
        _ask_for_mails(scene)
    finally:
        template_rendered.disconnect(note)
    findings = Findings(frozenset({"testserver"}))
    for written in mail.outbox:
        findings.read([one for one in _sentences(written) if not _CODE.match(one)], str(written.subject))
    assert not findings.found, str(findings)
    assert len({written.subject for written in mail.outbox}) == 8
    own = {f"account/email/{path.name}" for path in (ROOT / "templates/account/email").iterdir()}
    assert own | {"league/password_mail.txt"} <= rendered
    assert own


def _ask_for_mails(scene: Scene) -> None:
    """Whatever is sent but for notices: codes, links, invitations, and that somebody is erased."""
    address = scene.another.email
    for asked in (address, "nobody@a.test"):
        Client().post(reverse("account_request_login_code"), {"email": asked})
    Client().post(reverse("password_reset"), {"email": address})
    assert run_tasks(mail_password_link) == 1
    for name, asked in (("э", "new@a.test"), ("я", address)):
        typed = {"first_name": "Э", "username": name, "email": asked}
        Client().post(reverse("account_signup"), {**typed, "password1": PASSWORD, "password2": PASSWORD})
    sent = {"role": "member", "player": "", "email": "invited@a.test", "days": "3"}
    logged_in(scene.reader).post(reverse("members", args=["harbour"]), sent)
    leaves = Client()
    leaves.post(reverse("login"), {"login": scene.another.username, "password": PASSWORD})
    # Who is in another club, too, keeps the account until it is erased as well.
    PlayerFactory.create(user=scene.another)
    again = leaves.post(reverse("club_erase", args=["harbour"]), {"sure": "on"})
    leaves.post(again.headers["Location"], {"password": PASSWORD})
    leaves.post(reverse("account_email"), {"email": "changed@a.test", "action_add": ""})
    leaves.post(reverse("account_erase"), {"sure": "on"})
