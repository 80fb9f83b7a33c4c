"""The permission table of the API; see `permission_cells`.

Whoever has not said who he is writes nothing (401), who may not see is told there is nothing (404), who may
see and not write is told so (403). A token may what its user may, as far as its scope and bound go.
"""

from collections.abc import Mapping
from typing import Any, Final

from tests.league.permission_cells import (
    ADMINISTRATOR,
    ANYBODY,
    DIRECTORS,
    KEEPERS,
    MEMBERS,
    NAMELESS,
    NARROW,
    NOBODY,
    NOT_THERE,
    OPEN,
    OWNERS,
    SIGNED_IN,
    TOKENS,
    Cell,
    Row,
    let,
)

_READERS: Final = MEMBERS | TOKENS
_KEEPERS: Final = KEEPERS | {"record token", "keeper's token", "manage token"}
_DIRECTORS: Final = DIRECTORS | {"manage token"}
_OWNERS: Final = OWNERS | {"manage token"}
_ANY_ACCOUNT: Final = SIGNED_IN | TOKENS | NARROW
_OF_EVENT_TOO: Final = frozenset({"event token"})

_READ: Final = let(_READERS, 200)
# Who is nobody in particular, and who is of another club.
_STRANGERS: Final = {**dict.fromkeys((*NAMELESS, *NARROW), 404), "stranger": 404}
_NAMELESS: Final = dict.fromkeys(NAMELESS, 401)
_NO_READING: Final = let(ANYBODY, 405)


def _unless(
    who: frozenset[str], status: int, *, stranger: int = 404, narrow: frozenset[str] = NOBODY
) -> Cell:
    """Who writes; of the others who may see is refused, and a stranger finds nothing.

    `narrow` are the tokens for less than the club that may see.
    """
    blind = dict.fromkeys({"stranger"} | NARROW - narrow, stranger)
    return let(who, status, else_=403, others=_NAMELESS | blind)


def _nothing_else() -> Cell:
    return let(ANYBODY - frozenset(NAMELESS), 405, else_=401)


def _list(
    made_by: frozenset[str], *, stranger: int = 422, narrow: frozenset[str] = NOBODY, **body: Any
) -> Row:
    """A list that anybody reads what he may see of, and who makes a row; `body` names values of the world."""
    cells = {"GET": OPEN}
    if made_by:
        # To a stranger the club that his document names is none.
        cells["POST"] = _unless(made_by, 201, stranger=stranger, narrow=narrow)
    return Row(cells, refused=_nothing_else(), body=lambda values: _filled(body, values))


def _one(
    code: str, changed_by: frozenset[str] = NOBODY, *, deleted: int = 204, narrow: frozenset[str] = NOBODY
) -> Row:
    """A row that members read, and who changes it; `deleted` is 422 where something hangs on it."""
    cells = {"GET": let(_READERS | narrow, 200)}
    if changed_by:
        cells["PATCH"] = _unless(changed_by, 200, narrow=narrow)
        cells["DELETE"] = _unless(changed_by, deleted, narrow=narrow)
    return Row(cells, {"code": code}, refused=_nothing_else())


def _filled(body: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A document in which `@name` and lists of it stand for values of the world."""

    def value(one: Any) -> Any:
        if isinstance(one, list):
            return [value(each) for each in one]
        return values[one[1:]] if isinstance(one, str) and one.startswith("@") else one

    return {name: value(one) for name, one in body.items()}


_SHEET: Final = "api/v1/sheets/<slug:code>/"
_EVENT: Final = "api/v1/events/<slug:event>/"
_OF_SHEET: Final = {"code": "sheet"}
_TABLE: Final = "api/v1/tables/<slug:code>/"
_OF_TABLE: Final = {"code": "card table"}
_OF_EVENT: Final = {"event": "event code"}


def _of_sheet(written_by: frozenset[str], status: int, **body: Any) -> Row:
    cells = {"GET": let(_READERS | NARROW, 200), "POST": _unless(written_by | NARROW, status)}
    return Row(cells, _OF_SHEET, refused=_nothing_else(), body=lambda values: _filled(body, values))


def _directed(status: int, **body: Any) -> Row:
    """What directors do about a table."""
    return Row(
        {"GET": _NO_READING, "POST": _unless(_DIRECTORS, status)},
        _OF_TABLE,
        refused=_nothing_else(),
        body=lambda values: body,
    )


def _of_level(status: int, **body: Any) -> Row:
    return Row(
        {"GET": _NO_READING, "POST": _unless(_DIRECTORS, status)},
        {"event": "knockout code", "key": "nobody"},
        refused=_nothing_else(),
        body=lambda values: body,
    )


# What is to be played on this site is not, whoever asks.
_ON_NO_SITE: Final = _unless(_READERS | _OF_EVENT_TOO, 422)


def _of_evening() -> Row:
    """What those who play say in an evening; a program that only reads is told that it may not."""
    return Row(
        {"GET": _NO_READING, "POST": let(NOBODY, 200, others=_NAMELESS | {"read token": 403})},
        _OF_EVENT,
        refused=_nothing_else(),
        body=lambda values: {},
    )


_AT_TABLE: Final = frozenset({"player"})
_OF_CLUB: Final = {"slug": "club"}


def _plays(status: int, **body: Any) -> Row:
    """What a member plays in the club: by his player, which nobody else has who may see it."""
    others = {**_NAMELESS, **dict.fromkeys(NARROW | {"stranger"}, 404), "read token": 403}
    return Row(
        {"GET": _READ, "POST": let(_AT_TABLE, status, else_=422, others=others)},
        _OF_CLUB,
        refused=_nothing_else(),
        body=lambda values: _filled(body, values),
    )


def _of_offer(status: int) -> Row:
    """What is done with an offer, by the one whom it concerns."""
    return Row(
        {"GET": _NO_READING, "POST": let(_AT_TABLE, status, others=_NAMELESS)},
        {"code": "offer"},
        refused=_nothing_else(),
        body=lambda values: {},
    )


# Stateless: what is sent is scored or judged, and sent back.
_ASKED: Final = Row({"POST": let(ANYBODY, 422)})

API: Final[dict[str, Row]] = {
    "api/v1/score/": _ASKED,
    "api/v1/judge/": _ASKED,
    "api/v1/schema/": Row({"GET": OPEN}, asked_by=("anonymous",)),
    "api/v1/docs/": Row({"GET": OPEN}),
    "api/v1/clubs/": _list(ADMINISTRATOR, stranger=403, slug="new", name="New", time_zone="UTC"),
    "api/v1/clubs/<slug:slug>/": Row(
        {"GET": _READ, "PATCH": _unless(_OWNERS, 200), "DELETE": _unless(ADMINISTRATOR, 422)},
        {"slug": "club"},
        refused=_nothing_else(),
    ),
    "api/v1/memberships/": _list(_OWNERS, club="@club", username="member", role="member"),
    "api/v1/memberships/<slug:code>/": Row(
        {
            # One's own office is read by oneself; the others know nothing of it.
            "GET": let(_OWNERS | {"member"}, 200),
            "PATCH": let(_OWNERS, 200, others={**_NAMELESS, "member": 403}),
            "DELETE": let(_OWNERS, 204, others={**_NAMELESS, "member": 403}),
        },
        {"code": "membership"},
        refused=_nothing_else(),
    ),
    "api/v1/players/": _list(_DIRECTORS, club="@club", name="New"),
    "api/v1/players/<slug:code>/": _one("player", _DIRECTORS),
    "api/v1/clubs/<slug:slug>/register/": Row(
        {"GET": _NO_READING, "POST": _unless(_DIRECTORS, 200)},
        {"slug": "club"},
        refused=_nothing_else(),
        body=lambda values: {"players": [{"external_id": "n", "name": "New"}]},
    ),
    "api/v1/clubs/<slug:slug>/register/<str:external_id>/": Row(
        {
            "GET": let(_DIRECTORS, 200, else_=403, others=_STRANGERS),
            "PUT": _unless(_DIRECTORS, 200),
        },
        {"slug": "club"},
        refused=_nothing_else(),
        body=lambda values: {"name": "Spare"},
    ),
    "api/v1/seasons/": _list(_DIRECTORS, club="@club", name="New", slug="new"),
    "api/v1/seasons/<slug:code>/": _one("season code", _DIRECTORS),
    "api/v1/house-rules/": _list(_DIRECTORS, club="@club", name="New", rules={"preset": "standard"}),
    "api/v1/house-rules/<slug:code>/": _one("rules", _DIRECTORS),
    # Those that an event goes by are read with it; which of them are the club's is the club's.
    "api/v1/house-rules/<slug:code>/versions/": _one("rules", narrow=_OF_EVENT_TOO),
    "api/v1/house-rules/<slug:code>/versions/<int:version>/": _one("rules", narrow=_OF_EVENT_TOO),
    "api/v1/bots/": Row({"GET": OPEN}, refused=_nothing_else()),
    "api/v1/bots/<slug:strategy>/": Row({"GET": OPEN}, refused=_nothing_else()),
    "api/v1/bot-matches/": _list(NOBODY),
    "api/v1/bot-matches/<slug:code>/": _one("bot match"),
    "api/v1/events/": _list(_DIRECTORS, club="@club", name="New", slug="new", rules="@rules"),
    "api/v1/events/<slug:code>/": _one("event code", _DIRECTORS, deleted=422, narrow=_OF_EVENT_TOO),
    **{
        f"{_EVENT}{each}/": Row(
            {"GET": let(_READERS | _OF_EVENT_TOO, 200)}, _OF_EVENT, refused=_nothing_else()
        )
        for each in ("entries", "rounds", "matches", "standings")
    },
    # It does not run itself, and is played at tables.
    f"{_EVENT}evening/": Row(
        {"GET": let(NOBODY, 200), "PUT": _unless(_DIRECTORS, 422, narrow=_OF_EVENT_TOO)},
        _OF_EVENT,
        refused=_nothing_else(),
        body=lambda values: {"break_minutes": 5, "wait_minutes": 10, "absent": "forfeit"},
    ),
    **{
        f"{_EVENT}evening/{act}/": Row(
            {"GET": _NO_READING, "POST": _unless(_DIRECTORS, 422, narrow=_OF_EVENT_TOO)},
            _OF_EVENT,
            refused=_nothing_else(),
            body=lambda values: {},
        )
        for act in ("begin", "pause")
    },
    **{f"{_EVENT}evening/{act}/": _of_evening() for act in ("back", "out")},
    f"{_EVENT}bracket/": Row({"GET": _READ}, {"event": "knockout code"}, refused=_nothing_else()),
    f"{_EVENT}cuts/": Row({"GET": _READ}, {"event": "knockout code"}, refused=_nothing_else()),
    f"{_EVENT}levels/": Row(
        {"GET": let(_DIRECTORS, 200, else_=403, others=_STRANGERS)},
        {"event": "knockout code"},
        refused=_nothing_else(),
    ),
    # Nobody is level there.
    f"{_EVENT}levels/<slug:key>/decision/": _of_level(422, how="lot"),
    f"{_EVENT}levels/<slug:key>/cancellation/": _of_level(404, reason="so it is"),
    f"{_EVENT}challenges/": Row(
        {"GET": _READ, "POST": _unless(_DIRECTORS, 201)},
        {"event": "ladder code"},
        refused=_nothing_else(),
        body=lambda values: _filled({"challenger": "@second rung", "challenged": "@top rung"}, values),
    ),
    f"{_EVENT}challenges/<int:number>/": Row(
        # None is written yet.
        {"GET": let(NOBODY, 200)},
        {"event": "ladder code", "number": "nobody"},
        refused=_nothing_else(),
    ),
    f"{_EVENT}challenges/<int:number>/cancellation/": Row(
        {"GET": _NO_READING, "POST": let(NOBODY, 200, others=_NAMELESS)},
        {"event": "ladder code", "number": "nobody"},
        refused=_nothing_else(),
        body=lambda values: {"reason": "so it is"},
    ),
    f"{_EVENT}absences/": Row(
        # The days are told to directors alone: to others the list is empty.
        {"GET": _READ, "POST": _unless(_DIRECTORS, 201)},
        {"event": "ladder code"},
        refused=_nothing_else(),
        body=lambda values: _filled({"entry": "@top rung", "first_day": "2027-01-01"}, values),
    ),
    f"{_EVENT}absences/<int:number>/": Row(
        {
            "GET": let(_DIRECTORS, 200),
            "PATCH": let(_DIRECTORS, 200, others=_NAMELESS),
            "DELETE": let(_DIRECTORS, 204, others=_NAMELESS),
        },
        {"event": "ladder code", "number": "absence"},
        refused=_nothing_else(),
        body=lambda values: {"last_day": "2020-07-02"},
    ),
    "api/v1/entries/": _list(_DIRECTORS, event="@event code", players=["@player"], late=True),
    "api/v1/entries/<slug:code>/": _one("entry", _DIRECTORS, deleted=422, narrow=_OF_EVENT_TOO),
    **{
        f"api/v1/entries/<slug:code>/{act}/": Row(
            {"GET": _NO_READING, "POST": _unless(_DIRECTORS, status, narrow=_OF_EVENT_TOO)},
            {"code": "entry"},
            refused=_nothing_else(),
            body=lambda values: {"reason": "so it is"},
        )
        # Who has not left is neither annulled nor taken back.
        for act, status in (
            ("withdrawal", 200),
            ("reinstatement", 422),
            ("annulment", 422),
            ("restoration", 422),
        )
    },
    "api/v1/rounds/": _list(_DIRECTORS, narrow=_OF_EVENT_TOO, event="@event code", number=9),
    "api/v1/rounds/<slug:code>/": _one("round", _DIRECTORS, deleted=422, narrow=_OF_EVENT_TOO),
    "api/v1/matches/": _list(NOBODY),
    "api/v1/matches/<slug:code>/": Row(
        {
            "GET": let(_READERS | _OF_EVENT_TOO, 200),
            "PATCH": _unless(_KEEPERS, 200, narrow=_OF_EVENT_TOO),
        },
        {"code": "match"},
        refused=_nothing_else(),
    ),
    "api/v1/matches/<slug:code>/sitting-in/": Row(
        # In its event no bot sits in.
        {"GET": _NO_READING, "POST": _unless(_DIRECTORS, 422, narrow=_OF_EVENT_TOO)},
        {"code": "match"},
        refused=_nothing_else(),
        body=lambda values: _filled({"absent": "@own player", "reason": "so it is"}, values),
    ),
    "api/v1/matches/<slug:code>/line-up/": Row(
        # Of those who ask nobody is captain of a team in it, so who records says for which side; in it each
        # has one player.
        {"GET": let(_READERS | _OF_EVENT_TOO, 200), "POST": _unless(_KEEPERS, 422, narrow=_OF_EVENT_TOO)},
        {"code": "match"},
        refused=_nothing_else(),
        body=lambda values: {"side": 0, "players": []},
    ),
    "api/v1/matches/<slug:code>/play/": Row(
        {"GET": _NO_READING, "POST": _ON_NO_SITE},
        {"code": "match"},
        refused=_nothing_else(),
        body=lambda values: {},
    ),
    "api/v1/matches/<slug:code>/offer/": Row(
        {"GET": NOT_THERE, "POST": _ON_NO_SITE, "DELETE": _ON_NO_SITE},
        {"code": "match"},
        refused=_nothing_else(),
        body=lambda values: {},
    ),
    "api/v1/matches/<slug:code>/arrival/": Row(
        {"GET": _NO_READING, "POST": _unless(NOBODY, 200, narrow=_OF_EVENT_TOO)},
        {"code": "match"},
        refused=_nothing_else(),
        body=lambda values: {},
    ),
    # Of those who ask one has a player in the club.
    "api/v1/offers/": Row(
        {
            "GET": OPEN,
            "POST": let(_AT_TABLE, 201, else_=422, others={**_NAMELESS, "read token": 403}),
        },
        refused=_nothing_else(),
        body=lambda values: _filled(
            {"club": "@club", "rules": "@rules", "seats": [{"wanted": "anybody"}]}, values
        ),
    ),
    "api/v1/offers/<slug:code>/": Row(
        {"GET": let(_AT_TABLE, 200)}, {"code": "offer"}, refused=_nothing_else()
    ),
    # He has made it, and nobody is there to begin with.
    "api/v1/offers/<slug:code>/take/": _of_offer(422),
    "api/v1/offers/<slug:code>/decline/": _of_offer(403),
    "api/v1/offers/<slug:code>/withdraw/": _of_offer(200),
    "api/v1/offers/<slug:code>/begin/": _of_offer(422),
    "api/v1/clubs/<slug:slug>/games/": _plays(201, rules="@rules", bot="simple"),
    "api/v1/clubs/<slug:slug>/daily-hand/": _plays(201),
    # What is sent is on no version.
    "api/v1/clubs/<slug:slug>/daily-hand/actions/": Row(
        {"GET": _NO_READING, "POST": let(_READERS, 428, others=_NAMELESS)},
        _OF_CLUB,
        refused=_nothing_else(),
        body=lambda values: {"action": "pass"},
    ),
    # Everybody is told of himself.
    "api/v1/clubs/<slug:slug>/own-play/": Row(
        {"GET": let(_READERS - {"read token"}, 200)}, _OF_CLUB, refused=_nothing_else()
    ),
    "api/v1/sheets/": _list(
        _KEEPERS, club="@club", rules="@rules", sides=[{"name": "New"}, {"name": "Newer"}]
    ),
    _SHEET: _one("sheet", narrow=NARROW),
    f"{_SHEET}deals/": _of_sheet(_KEEPERS | _AT_TABLE, 201, deals=["@hand"]),
    f"{_SHEET}deals/<int:number>/": _one("sheet", narrow=NARROW),
    f"{_SHEET}corrections/": _of_sheet(_KEEPERS, 201, deals="@correction", reason="so it is"),
    f"{_SHEET}signatures/": _of_sheet(_KEEPERS | _AT_TABLE, 422, sides=["@side"]),
    f"{_SHEET}disputes/": _of_sheet(_KEEPERS | _AT_TABLE, 422, sentence="No.", side="@side"),
    f"{_SHEET}disputes/<int:number>/settlement/": Row(
        # There is none to settle.
        {"GET": _NO_READING, "POST": let(NOBODY, 200, others=_NAMELESS)},
        _OF_SHEET,
        refused=_nothing_else(),
    ),
    "api/v1/tables/": Row(
        # Who sits on the sheet; no bot plays in the name of whoever sits across.
        {"GET": _NO_READING, "POST": _unless(_AT_TABLE, 422, narrow=NARROW)},
        refused=_nothing_else(),
        body=lambda values: _filled({"sheet": "@sheet", "bot": "simple"}, values),
    ),
    # A member plays against a bot, and whoever may see the sheet looks on.
    _TABLE: _one("card table"),
    # The player sits there; what is sent is on no version.
    f"{_TABLE}actions/": Row(
        {"GET": _NO_READING, "POST": _unless(_AT_TABLE, 428)},
        _OF_TABLE,
        refused=_nothing_else(),
        body=lambda values: {"action": "pass"},
    ),
    # The first is in play.
    f"{_TABLE}hands/<int:deal>/": Row({"GET": let(NOBODY, 200)}, _OF_TABLE, refused=_nothing_else()),
    f"{_TABLE}hands/<int:deal>/report/": Row({"GET": let(NOBODY, 200)}, _OF_TABLE, refused=_nothing_else()),
    f"{_TABLE}report/": Row({"GET": let(_AT_TABLE, 200)}, _OF_TABLE, refused=_nothing_else()),
    f"{_TABLE}hint/": Row(
        {"GET": let(_AT_TABLE, 200, others=dict.fromkeys(_READERS - _AT_TABLE, 403))},
        _OF_TABLE,
        refused=_nothing_else(),
    ),
    # It has no clock.
    **{
        f"{_TABLE}{what}/": Row(
            {"GET": _NO_READING, "POST": _unless(_AT_TABLE, 422)},
            _OF_TABLE,
            refused=_nothing_else(),
            body=lambda values: {},
        )
        for what in ("pause", "resume")
    },
    # Nothing is said to a bot.
    f"{_TABLE}say/": Row(
        {"GET": _NO_READING, "POST": _unless(_AT_TABLE, 422)},
        _OF_TABLE,
        refused=_nothing_else(),
        body=lambda values: {"phrase": "good_luck"},
    ),
    f"{_TABLE}mute/": Row(
        {"GET": _NO_READING, "POST": _unless(_AT_TABLE, 200)},
        _OF_TABLE,
        refused=_nothing_else(),
        body=lambda values: {"is_muted": True},
    ),
    f"{_TABLE}break-off/": Row(
        {"GET": _NO_READING, "POST": _unless(_AT_TABLE, 200)},
        {"code": "friendly table"},
        refused=_nothing_else(),
        body=lambda values: {},
    ),
    # No bot has failed there.
    f"{_TABLE}try-again/": Row(
        {"GET": _NO_READING, "POST": _unless(NOBODY, 200)},
        {"code": "friendly table"},
        refused=_nothing_else(),
        body=lambda values: {},
    ),
    f"{_TABLE}end/": _directed(200, reason="so it is"),
    f"{_TABLE}adjourn/": _directed(200, reason="so it is"),
    # It goes on, and its hand can be played on.
    f"{_TABLE}go-on/": _directed(422),
    f"{_TABLE}deal-anew/": _directed(422, reason="so it is"),
    f"{_TABLE}warn/": _directed(200, seat=0, reason="so it is"),
    # Of no match; that of one is in the tests of the card tables.
    f"{_TABLE}conduct/": Row({"GET": let(NOBODY, 200)}, _OF_TABLE, refused=_nothing_else()),
    # Each sheet named in it has an outcome of its own.
    "api/v1/batches/": Row(
        {"GET": _NO_READING, "POST": let(_ANY_ACCOUNT, 422, else_=401)}, refused=_nothing_else()
    ),
}
