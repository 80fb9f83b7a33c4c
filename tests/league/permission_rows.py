"""The permission table of pages and of the table at which one plays; see `permission_cells`.

Every route stands here, as the URL configuration writes it, or in one of the modules beside this one.
"""

from typing import Final

from league.events.beginning import STEPS, GuideStep
from league.learn.lessons import LESSONS
from tests.league.permission_cells import (
    ADMINISTRATOR,
    ANYBODY,
    DIRECTORS,
    KEEPERS,
    MEMBERS,
    NOT_THERE,
    OPEN,
    OWNERS,
    READ,
    SIGNED_IN,
    Row,
    let,
)
from tests.league.permission_rows_accounts import ACCOUNTS

# A page that asks whoever is not signed in to do so.
ACCOUNT: Final = let(SIGNED_IN, 200, else_=302)
_ASKED: Final = dict.fromkeys(ANYBODY - SIGNED_IN, 302)
# Of a private club, so that nobody is asked to sign in: there is nothing.
MAKES_RULES: Final = let(DIRECTORS, 200)
# Who may read them and directs some club takes them there.
COPIES: Final = let(DIRECTORS, 200)
# Whoever is signed in has no business there.
_ENTERS: Final = let(ANYBODY - SIGNED_IN, 200, else_=302)
# What a form is sent to is also where its refusal stands.
_LEADS_BACK: Final = let(ANYBODY, 302)
_REFUSED: Final = let(ANYBODY - SIGNED_IN, 405, else_=302)

# Who has an office in the club, or a player.
_OF_CLUB: Final = MEMBERS - ADMINISTRATOR

CLUB: Final = "clubs/<slug:club>/"
EVENT: Final = f"{CLUB}events/<slug:event>/"

# A member who sits in the match.
_PLAYER: Final = frozenset({"player"})

_LESSONS: Final = [f"{kind.replace('_', '-')}/" for kind in LESSONS]
_LEARN: Final = ["", "strategy/", "glossary/", "questions/", *_LESSONS]

# Who is not signed in is asked to do so, where he may see the event.
LED_TO_SIGN_IN: Final = frozenset({f"{EVENT}enter/", f"{EVENT}challenge/"})

PAGES: Final[dict[str, Row]] = {
    **ACCOUNTS,
    # Who belongs to one club is led to it.
    "": Row({"GET": let(SIGNED_IN - ADMINISTRATOR, 302, else_=200)}),
    # There is a club, and none that is being begun.
    "begin/": Row({"GET": NOT_THERE, "POST": NOT_THERE}),
    # Nothing is being loaded.
    "begin/demo/": Row({"GET": let(ANYBODY, 302), "POST": NOT_THERE}),
    "begin/demo/progress/": Row({"GET": OPEN}),
    "begin/<str:code>/": Row({"GET": NOT_THERE, "POST": NOT_THERE}, {"code": "token"}),
    **{f"{CLUB}begin/{step}/": Row({"GET": NOT_THERE, "POST": NOT_THERE}) for step in STEPS},
    # Once more is what was done: it is over.
    f"{CLUB}begin/{GuideStep.PRINT}/": Row({"GET": NOT_THERE, "POST": let(OWNERS, 302)}),
    f"{CLUB}begin/leave/": Row({"POST": let(OWNERS, 302)}),
    "privacy/": Row({"GET": OPEN}),
    **{f"learn/{end}": Row({"GET": OPEN}) for end in _LEARN},
    **{f"{CLUB}learn/{end}": Row({"GET": READ}) for end in _LEARN},
    # The club has rules for gin, and for no other game.
    **{
        f"{CLUB}learn/{end}<slug:rules>/": Row({"GET": READ if end == "gin/" else NOT_THERE})
        for end in _LESSONS
    },
    "healthz": Row({"GET": OPEN}),
    "readyz": Row({"GET": OPEN}),
    "judge/": Row({"GET": OPEN}),
    "judge/ruling/": Row({"GET": OPEN}),
    "bots/": Row({"GET": OPEN}),
    "bots/<slug:strategy>/": Row({"GET": OPEN}),
    "bots/<slug:strategy>/<int:level>/": Row({"GET": NOT_THERE}),
    # Whose session ended in mid-hand comes back to it.
    "play/<slug:code>/": Row({"GET": let(MEMBERS, 200, others=_ASKED)}, {"code": "card table"}),
    # Whoever has the link is asked for a name; the address is the permission.
    "play/with/<str:secret>/": Row({"GET": OPEN, "POST": let(ANYBODY, 422)}, {"secret": "guest link"}),
    "play/<slug:code>/live/": Row({"GET": READ}, {"code": "card table"}),
    # Nobody presses anything by sending nothing.
    "play/<slug:code>/act/": Row({"GET": _LEADS_BACK, "POST": let(MEMBERS, 409)}, {"code": "card table"}),
    # Only who sits there gets a hint; the others see the table.
    "play/<slug:code>/hint/": Row(
        {"GET": let(_PLAYER, 200, others=dict.fromkeys(MEMBERS - _PLAYER, 409))}, {"code": "card table"}
    ),
    "play/<slug:code>/clock/": Row({"GET": _LEADS_BACK, "POST": NOT_THERE}, {"code": "card table"}),
    "play/<slug:code>/say/": Row({"GET": _LEADS_BACK, "POST": let(MEMBERS, 409)}, {"code": "card table"}),
    # The first is in play.
    "play/<slug:code>/deals/<int:deal>/": Row({"GET": NOT_THERE}, {"code": "card table"}),
    "play/<slug:code>/deals/<int:deal>/tables/<int:table>/": Row(
        {"GET": NOT_THERE}, {"code": "card table", "table": "deal"}
    ),
    "bots/matches/<slug:code>/": Row({"GET": READ}, {"code": "bot match"}),
    "bots/matches/<slug:code>/live/": Row({"GET": READ}, {"code": "bot match"}),
    # Nothing was dealt yet.
    "bots/matches/<slug:code>/deals/<int:deal>/": Row({"GET": NOT_THERE}, {"code": "bot match"}),
    "bots/matches/<slug:code>/deals/<int:deal>/tables/<int:table>/": Row(
        {"GET": NOT_THERE}, {"code": "bot match", "table": "deal"}
    ),
    # Whatever is sent to the form is a form.
    "login/": Row({"GET": _ENTERS, "POST": _ENTERS, "PUT": _ENTERS}, refused=_REFUSED),
    "logout/": Row({"POST": let(ANYBODY, 302)}),
    # Who belongs to one club is led to it, and who has not signed in is asked to.
    "me/": Row({"GET": let(ADMINISTRATOR, 200, else_=302)}),
    f"{CLUB}me/": Row({"GET": let(MEMBERS, 200, others=_ASKED)}),
    # What nobody asked for is not done.
    f"{CLUB}play/": Row({"GET": let(MEMBERS, 200, others=_ASKED), "POST": let(MEMBERS, 200, others=_ASKED)}),
    f"{CLUB}play/daily/": Row(
        {"GET": let(MEMBERS, 200, others=_ASKED), "POST": let(MEMBERS, 200, others=_ASKED)}
    ),
    # What is sent empty is missing a day, where there is a player to be away.
    f"{CLUB}me/away/": Row(
        {
            "GET": let(MEMBERS, 200, others=_ASKED),
            "POST": let(MEMBERS - _PLAYER, 200, others={**_ASKED, "player": 422}),
        }
    ),
    "account/": Row({"GET": ACCOUNT}),
    CLUB: Row({"GET": READ}),
    f"{CLUB}events/": Row({"GET": READ}),
    f"{CLUB}exhibitions/": Row({"GET": READ}),
    f"{CLUB}seasons/<slug:season>/": Row({"GET": READ}),
    f"{CLUB}tables/<slug:table>/": Row({"GET": READ}),
    f"{CLUB}divisions/<slug:pyramid>/": Row({"GET": READ}),
    f"{CLUB}players/": Row({"GET": READ}),
    f"{CLUB}players/<slug:code>/": Row({"GET": READ}, {"code": "player"}),
    f"{CLUB}players/<slug:code>/rating/": Row({"GET": READ}, {"code": "player"}),
    f"{CLUB}ratings/": Row({"GET": READ}),
    # There is no logo, and the code of a match is no colour.
    f"{CLUB}logo/<slug:digest>.png": Row({"GET": NOT_THERE}, {"digest": "match"}),
    "colours/<slug:colour>.css": Row({"GET": NOT_THERE}, {"colour": "match"}),
    f"{CLUB}logo/": Row({"GET": let(OWNERS, 200, others=_ASKED), "POST": let(OWNERS, 422, others=_ASKED)}),
    f"{CLUB}honours/": Row({"GET": READ}),
    f"{CLUB}champions/": Row({"GET": READ}),
    f"{CLUB}head-to-head/": Row({"GET": READ}),
    EVENT: Row({"GET": READ}),
    # What one is told differs, and what nobody asked for is not done.
    f"{EVENT}enter/": Row({"GET": READ, "POST": let(MEMBERS, 302)}),
    f"{EVENT}standings.pdf": Row({"GET": READ}),
    f"{EVENT}crosstable/": Row({"GET": READ}),
    f"{EVENT}crosstable.pdf": Row({"GET": READ}),
    # No event of duplicate.
    f"{EVENT}packs/": Row({"GET": NOT_THERE}),
    f"{EVENT}packs/<int:number>.csv": Row({"GET": NOT_THERE}),
    f"{EVENT}packs/<int:number>.pdf": Row({"GET": NOT_THERE}),
    f"{EVENT}race/": Row({"GET": READ}),
    f"{EVENT}rounds/": Row({"GET": READ}),
    f"{EVENT}rounds/<int:number>/": Row({"GET": READ}),
    f"{EVENT}rounds/<int:number>/print/": Row({"GET": READ}),
    f"{EVENT}rounds/<int:number>/pairings.pdf": Row({"GET": READ}),
    f"{EVENT}rounds/<int:number>/slips.pdf": Row({"GET": READ}),
    f"{EVENT}rounds/<int:number>/sheets.pdf": Row({"GET": READ}),
    f"{EVENT}matches/<slug:code>/": Row({"GET": READ}, {"code": "match"}),
    # Its event is played at a table.
    f"{EVENT}matches/<slug:code>/play/": Row({"GET": NOT_THERE, "POST": NOT_THERE}, {"code": "match"}),
    f"{EVENT}arranging/": Row({"GET": let(KEEPERS, 200)}),
    # Only those who play in it; what nobody asked for is not done.
    f"{EVENT}matches/<slug:code>/arrange/": Row(
        {"GET": let(_PLAYER, 200), "POST": let(_PLAYER, 200)}, {"code": "match"}
    ),
    f"{EVENT}check-in/": Row({"GET": let(KEEPERS, 200), "POST": let(KEEPERS, 200)}, {"event": "swiss"}),
    # Whoever stands before the wall has seen the code; who is not entered is told so.
    "here/<str:secret>/": Row(
        {
            "GET": let(MEMBERS, 200, others=_ASKED),
            "POST": let(MEMBERS, 422, others=_ASKED),
        },
        {"secret": "check-in"},
    ),
    # What one is told differs, and what nobody asked for is not done.
    f"{EVENT}challenge/": Row({"GET": READ, "POST": let(MEMBERS, 302)}, {"event": "ladder"}),
    f"{EVENT}embed/": Row({"GET": NOT_THERE}),
    f"{EVENT}picture.png": Row({"GET": NOT_THERE}),
    f"{EVENT}matches/<slug:code>/picture.png": Row({"GET": NOT_THERE}, {"code": "match"}),
    f"{CLUB}players/<slug:code>/picture.png": Row({"GET": NOT_THERE}, {"code": "player"}),
    f"{EVENT}rounds.ics": Row({"GET": READ}),
    f"{EVENT}results.atom": Row({"GET": READ}),
    f"{EVENT}screen/": Row({"GET": READ}),
    f"{EVENT}players/": Row({"GET": READ}, {"event": "team event"}),
    f"{EVENT}bracket/": Row({"GET": READ}, {"event": "knockout"}),
    f"{EVENT}ladder/": Row({"GET": READ}, {"event": "ladder"}),
    f"{EVENT}bracket.pdf": Row({"GET": READ}, {"event": "knockout"}),
    f"{EVENT}rounds/<int:number>/board/": Row({"GET": let(DIRECTORS, 200)}),
    f"{EVENT}rounds/<int:number>/links/": Row({"GET": let(KEEPERS, 200), "POST": let(KEEPERS, 200)}),
    # It is not played on this site.
    f"{EVENT}matches/<slug:code>/conduct/": Row({"GET": NOT_THERE}, {"code": "match"}),
    f"{EVENT}matches/<slug:code>/links/": Row(
        {"GET": let(KEEPERS, 200), "POST": let(KEEPERS, 200)}, {"code": "match"}
    ),
    "account/closed/": Row({"GET": OPEN}),
    "account/data/": Row({"GET": ACCOUNT}),
    "account/play/": Row({"GET": ACCOUNT}),
    # Those who ask have no password yet, and are led to where one is set.
    "account/password/": Row({}, refused=let(ANYBODY, 302)),
    "account/players/<slug:code>/": Row(
        # One's own name is one's own affair.
        {"POST": let(frozenset({"player"}), 422, others=_ASKED)},
        {"code": "own player"},
    ),
    "account/told/<slug:club>/": Row({"POST": let(MEMBERS - ADMINISTRATOR, 302, others=_ASKED)}),
    # No browser sends such keys; only where the site tells anybody anything is it there at all.
    "account/devices/": Row({"POST": let(SIGNED_IN, 404, else_=302)}),
    "account/devices/<slug:code>/end/": Row(
        {"POST": let(OWNERS - ADMINISTRATOR, 302, else_=404, others=dict.fromkeys(ANYBODY - SIGNED_IN, 302))},
        {"code": "own device"},
    ),
    # What a browser installs.
    "worker.js": Row({"GET": OPEN}),
    "offline/": Row({"GET": OPEN}),
    "manifest.webmanifest": Row({"GET": OPEN}),
    "icons/<int:size>.png": Row({"GET": OPEN}, {"size": "icon size"}),
    f"{CLUB}manifest.webmanifest": Row({"GET": READ}),
    f"{CLUB}logo/<slug:digest>/<int:size>.png": Row(
        {"GET": NOT_THERE}, {"digest": "match", "size": "icon size"}
    ),
    # A mail program that stops what comes has no account; the address is the permission.
    "notices/stop/<str:secret>/": Row({"GET": OPEN, "POST": OPEN}, {"secret": "stop"}),
    # Not there on a site that sends no mail.
    "account/forgotten/": Row({"GET": NOT_THERE, "POST": NOT_THERE}, refused=NOT_THERE),
    "account/forgotten/sent/": Row({"GET": OPEN}),
    "account/forgotten/<str:uidb36>/<str:key>/": Row(
        {"GET": NOT_THERE, "POST": NOT_THERE}, refused=NOT_THERE
    ),
    "invitations/<slug:secret>/": Row(
        # Who has an account belongs to the club at once; who has none is asked for a name and a password.
        {"GET": OPEN, "POST": let(SIGNED_IN, 302, else_=422)},
        {"secret": "invitation"},
    ),
    "account/mail/": Row({"POST": let(ANYBODY, 302)}),
    "account/calendar/": Row({"GET": ACCOUNT, "POST": ACCOUNT}),
    # Whoever has the secret reads it, signed in or not.
    "calendars/<slug:secret>.ics": Row({"GET": OPEN}, {"secret": "calendar"}),
    "account/tokens/": Row({"GET": ACCOUNT, "POST": let(SIGNED_IN, 422, else_=302)}),
    "account/tokens/<slug:code>/revoke/": Row(
        {"POST": let(OWNERS, 302, else_=404, others=dict.fromkeys(ANYBODY - SIGNED_IN, 302))},
        {"code": "own token"},
    ),
    f"{CLUB}webhooks/": Row(
        {"GET": let(DIRECTORS, 200, others=_ASKED), "POST": let(DIRECTORS, 422, others=_ASKED)}
    ),
    # What is sent empty has no address.
    f"{CLUB}webhooks/<slug:code>/": Row(
        {"GET": let(DIRECTORS, 200, others=_ASKED), "POST": let(DIRECTORS, 422, others=_ASKED)},
        {"code": "webhook"},
    ),
    f"{CLUB}audit/": Row({"GET": let(DIRECTORS, 200)}),
    f"{CLUB}players.csv": Row({"GET": let(DIRECTORS, 200)}),
    f"{CLUB}audit.csv": Row({"GET": let(DIRECTORS, 200)}),
    f"{CLUB}people/": Row(
        {"GET": let(DIRECTORS, 200, others=_ASKED), "POST": let(DIRECTORS, 422, others=_ASKED)}
    ),
    f"{CLUB}people/<slug:code>/password/": Row(
        {"POST": let(OWNERS, 200, others=_ASKED)}, {"code": "membership"}
    ),
    # The club is private, and invites its members.
    f"{CLUB}join/": Row(
        # Members who are no player yet say who they are; nothing is said when nothing is sent.
        {
            "GET": let(_OF_CLUB - _PLAYER, 200, others={"player": 302}),
            "POST": let(_OF_CLUB - _PLAYER, 422, others={"player": 302}),
        }
    ),
    f"{CLUB}join/withdraw/": Row({"POST": let(MEMBERS, 302)}),
    # The club is the members' to leave, a player's to be erased in; others are told that it is not theirs.
    f"{CLUB}me/leave/": Row({"GET": let(_OF_CLUB, 200, else_=302), "POST": let(_OF_CLUB, 422, else_=302)}),
    f"{CLUB}me/erase/": Row(
        {
            "GET": let(_PLAYER, 200, else_=302),
            "POST": let(_PLAYER, 422, else_=302),
        }
    ),
    "account/erase/": Row({"GET": ACCOUNT, "POST": let(SIGNED_IN, 422, else_=302)}),
    f"{CLUB}people/requests/<slug:code>/": Row(
        {"GET": let(DIRECTORS, 200), "POST": let(DIRECTORS, 422)}, {"code": "claim"}
    ),
    **{
        f"{CLUB}people/requests/<slug:code>/{answer}/": Row(
            {"POST": let(DIRECTORS, 302)}, {"code": "join request"}
        )
        for answer in ("approve", "refuse")
    },
    f"{CLUB}people/invitations/<slug:code>/revoke/": Row(
        {"POST": let(DIRECTORS, 302, others=_ASKED)}, {"code": "invitation code"}
    ),
    f"{CLUB}rules/": Row({"GET": READ}),
    f"{CLUB}rules/new/": Row({"GET": MAKES_RULES, "POST": MAKES_RULES}),
    f"{CLUB}rules/<slug:code>/change/": Row({"GET": MAKES_RULES, "POST": MAKES_RULES}, {"code": "rules"}),
    f"{CLUB}rules/<slug:code>/share/": Row({"POST": let(DIRECTORS, 302)}, {"code": "rules"}),
    "r/<slug:code>/": Row({"GET": READ}, {"code": "rules"}),
    "r/<slug:code>/qr.svg": Row({"GET": READ}, {"code": "rules"}),
    "r/<slug:code>/<int:version>/": Row({"GET": READ}, {"code": "rules"}),
    "r/<slug:code>/<int:version>/rules.pdf": Row({"GET": READ}, {"code": "rules"}),
    "r/<slug:code>/<int:version>/copy/": Row({"GET": COPIES, "POST": COPIES}, {"code": "rules"}),
}

_SITS: Final = frozenset({"table link", "player"})
_PLACE: Final = {"side": "own side"}
_AT: Final = "table/<slug:sheet>/<int:side>/"
# What is sent empty: there is nothing in it, the sheet is not at its end, or no dispute is.
_WRITTEN: Final = {
    "deals/": 422,
    "undo/": 422,
    "claim/undo/": 422,
    "signature/": 409,
    "dispute/": 422,
    "dispute/end/": 302,
}

# 405 where a page is asked by another method than its own is only told to who sits there.
TABLE: Final[dict[str, Row]] = {
    "table/worker.js": Row({"GET": OPEN}),
    "table/<str:secret>/": Row({"GET": let(ANYBODY, 302)}),
    "table/match/<slug:code>/": Row({"GET": let(frozenset({"player"}), 302)}, {"code": "match"}),
    **{
        f"{_AT}{page}": Row({"GET": let(_SITS, status)}, _PLACE, refused=let(_SITS, 405))
        for page, status in (("", 200), ("state/", 200), ("preview/", 422))
    },
    **{
        f"{_AT}{page}": Row({"POST": let(_SITS, status)}, _PLACE, refused=let(_SITS, 405))
        for page, status in _WRITTEN.items()
    },
}
