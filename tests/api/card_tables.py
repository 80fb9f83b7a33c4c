"""Members with programs at a table, and what their answers may tell of the hand in play."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from django.contrib.auth.models import User
from django.test import Client

from games.gin.cards import CARD_TEXTS, Hand, parse_number
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.gin.melds import deadwood_of, deadwood_without_each
from games.models import TableHand, TableMatch
from games.tables.members import commitment_of
from league.events.house_rules import make_club_rules
from league.matches.club_sheets import open_club_sheet
from league.models import Club, Player, Role, TokenScope
from league.people.tokens import issue_token
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, PlayerFactory, UserFactory

_CARD: Final = re.compile(r"\b[A2-9TJQK][CDHS]\b")
_ENDINGS: Final = ("knock", "gin", "big_gin")
_HIGHEST: Final = 10_000
_LIVE: Final = TableHand.objects.filter(is_over=False).select_related("sealed_pack", "match__sheet__rules")


@dataclass
class At:
    """Somebody with a program at a table, who sends another key with each action."""

    user: User
    bounds: dict[str, Any]
    scope: TokenScope = TokenScope.RECORD
    client: Client = field(init=False)
    keys: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        _, secret = issue_token(user=self.user, name="cards", scope=self.scope, days=1, **self.bounds)
        self.client = Client(headers={"Authorization": f"Bearer {secret}"})

    def begin(self, key: str | None = None, **body: Any) -> Any:
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.client.post("/api/v1/tables/", body, content_type="application/json", headers=headers)

    def look(self, code: str, known: str | None = None) -> Any:
        headers = {} if known is None else {"If-None-Match": known}
        return self.client.get(f"/api/v1/tables/{code}/", headers=headers)

    def act(self, code: str, action: Any, version: Any, *, key: str | None = None, **body: Any) -> Any:
        key = f"key {next(self.keys)}" if key is None else key
        headers = {"Idempotency-Key": key, "If-Match": str(version)}
        return self.send(f"{code}/actions", {"action": action, **body}, headers)

    def send(self, where: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        address = f"/api/v1/tables/{where}/"
        return self.client.post(address, body, content_type="application/json", headers=headers)


def member(club: Club, name: str) -> At:
    """A member who is the club's player of this name."""
    user = UserFactory.create(club=club, role=Role.MEMBER, username=name.lower())
    player = Player.objects.filter(club=club, name=name).first() or PlayerFactory.create(club=club, name=name)
    Player.objects.filter(pk=player.pk).update(user=user)
    return At(user, {"club": club})


def evening(club: Club, *names: str, **knobs: Any) -> Scoresheet:
    """An open sheet of the club, of one column, that does not end; “Ann + Bob” are a team."""
    rules = Rules.preset("standard", columns=1, target=_HIGHEST, **knobs)
    called = f"Rules {club.house_rules.count()}"
    kept = make_club_rules(actor=OPERATOR, club=club, name=called, rules=rules)
    sides = [SheetSide(name, tuple(name.split(" + "))) for name in names]
    return open_club_sheet(actor=OPERATOR, club=club, rules=kept.rules, sides=sides)


def chosen(hand: Mapping[str, Any], chances: random.Random) -> str:
    """What somebody in a hurry does: ends the hand where that is legal, else takes and keeps what melds."""
    legal, mask = hand["legal"], Hand.parse(hand["hand"]).mask
    endings = [action for action in legal if action.split()[0] in _ENDINGS]
    throws = [action for action in legal if action.startswith("discard")]
    if endings:
        return str(chances.choice(endings))
    if throws:
        left = deadwood_without_each(mask)
        return str(min(throws, key=lambda action: left[parse_number(action.split()[1])]))
    top = Hand.parse(hand["pile"].split()[-1]).mask if hand["pile"] else 0
    melds = bool(top) and min(deadwood_without_each(mask | top).values()) < deadwood_of(mask)
    return "take" if melds and "take" in legal else str(chances.choice([*{*legal} - {"take"}] or legal))


def play(code: str, seats: Mapping[int, At], spectator: At, chances: random.Random, hands: int) -> int:
    """Plays until so many hands are over or the sheet has ended; how many answers were looked through.

    Each answer to an action is, after it the looks of the other seat, and one in eight of the spectator.
    """
    looked = 0
    table = seats[min(seats)].look(code).json()
    while table["is_live"] and (table["last_hand"] or {"deal": 0})["deal"] < hands:
        seat = table["turn"]
        if table["seat"] != seat:
            table = seats[seat].look(code).json()
        acted = seats[seat].act(code, chosen(table["hand"], chances), table["version"])
        assert acted.status_code == 201, acted.content
        table = acted.json()["table"]
        assert acted.json()["answered"] == table["version"]
        assert acted.headers["ETag"].startswith(f'"{table["version"]}.')
        answers = [(acted, seat), *((at.look(code), other) for other, at in seats.items() if other != seat)]
        if table["version"] % 8 == 0:
            answers.append((spectator.look(code), None))
        for answer, reader in answers:
            assert_hidden(code, answer, reader)
        looked += len(answers)
    return looked


def in_play(code: str) -> HandState:
    """The hand in play as only the engine knows it."""
    hand = _LIVE.get(match__code=code)
    return _replayed(hand, hand.sealed_pack.pack)


def assert_hidden(code: str, answer: Any, seat: int | None) -> None:
    """Nowhere in the answer stands a card that its reader has not seen: for a spectator none at all.

    Only the last hand that is over is left out, as everybody may check it.
    """
    text = answer.content.decode()
    body = json.loads(text) if text else {}
    last = body.get("table", body).get("last_hand")
    if last is not None:
        written = json.dumps(last, separators=(",", ":"))
        assert text.count(written) == 1
        text = text.replace(written, "")
    heads = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    told = set(_CARD.findall(f"{heads}\n{text}"))
    hand = _LIVE.filter(match__code=code).first()
    # Hands follow one another: what is called the last one is not the one in play.
    assert hand is None or last is None or last["deal"] < hand.deal
    if hand is None or seat is None:
        assert told == set()
    else:
        state = _replayed(hand, hand.sealed_pack.pack)
        put_down = [action.split() for action in hand.actions if action.startswith(("discard", "knock"))]
        lay_open = {words[1].rstrip(":") for words in put_down}
        if state.knocker is not None:
            # What he has laid down lies open while the other lays off.
            lay_open |= set(str(Hand(state.hands[state.knocker])).split())
        own = set(str(Hand(state.hands[seat])).split())
        assert told <= own | lay_open | {CARD_TEXTS[state.deck[20]]}
        assert own <= told or answer.status_code >= 300
    if hand is not None:
        everything = f"{heads}\n{answer.content.decode()}"
        assert hand.sealed_pack.nonce not in everything
        assert hand.sealed_pack.pack not in everything


def assert_sheet_is_replay(code: str) -> None:
    """The sheet has what its hands come to when they are played again from the packs committed to."""
    match = TableMatch.objects.select_related("sheet__rules").get(code=code)
    over = list(match.hands.filter(is_over=True).select_related("match__sheet__rules").order_by("deal"))
    recorded = [list(deal.hands) for deal in kept_sheet(match.sheet).deals]
    assert [hand.deal for hand in over] == [number for number, _ in enumerate(recorded, start=1)]
    names = [side.name for side in kept_sheet(match.sheet).sides]
    assert [list(_replayed(hand, hand.pack, *names).results) for hand in over] == recorded
    assert [hand.commitment for hand in over] == [commitment_of(hand.pack, hand.nonce) for hand in over]


def _replayed(hand: TableHand, pack: str, one: str = "0", other: str = "1") -> HandState:
    log = HandLog.from_document({"deck": pack, "dealer": hand.dealer, "actions": hand.actions})
    return HandState.replay(hand.match.sheet.rules.rules, log, players=(one, other))
