"""Tables at which members of a club play card by card: who sits there, and what directors do about play.

`games.services` plays; here the seats of a sheet are known as players of the club, and by these as accounts.
"""

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.bots import HouseBot
from games.models import TableMatch
from games.services import (
    SeatConduct,
    adjourn,
    begun_with,
    conduct,
    deal_anew,
    end_table,
    keep_beginning,
    let_go_on,
    open_table,
    strategies,
    warn,
)
from games.services.hands import TABLE
from games.tables.members import running_sheet
from league.bots.house_bots import as_league, house_bot_of
from league.errors import LeagueError
from league.matches.arrivals import check_all_have_come
from league.matches.packs import hold_packs
from league.models import AuditEntry, Club, Exhibition, Match, PlayedWhere, Player
from league.record.audit import given_reason, record_audit
from scoring.core.actors import Actor, ActorKind
from scoring.core.sheet_state import players_by_seat
from scoring.models import Scoresheet
from scoring.policy import SheetAction, policy
from scoring.services.acts import ask, locked_sheet
from scoring.services.records import KeptSheet, kept_sheet

# What the act that keeps the key of a beginning says.
_BEGIN: Final = "begin"


@transaction.atomic
def begin_table(
    *, actor: Actor, sheet: Scoresheet, seat: int | None = None, bot: str = "", key: str | None = None
) -> TableMatch:
    """Begin a table on an open sheet, for the account of the actor, who sits on it.

    `seat` is the actor's own, counted through all sides, and may be left out. Across sits the bot `bot` (the
    name of a strategy), or without one whoever plays there: a bot of the club, or the account of a player.
    Where more than two play, `bot` plays for those who are no players of the club, and everybody else for
    himself. With a `key` the same request gets the table that it began. `sheet` may carry nothing but its
    code; it is locked.

    Refused: who may not record there (`not_allowed`), what `running_sheet` refuses, a seat that is not
    the actor's own (`not_your_seat`), a bot for somebody else (`others_seat`), nobody to play against
    (`no_account`), a member who was not asked (`not_online`: only in an event that is played online nobody
    has to be), one who has not come yet where tables wait for all (`not_here`), and what `begun_with`,
    `HouseBot.from_document`, `hold_packs` and `open_table` refuse.
    """
    locked = locked_sheet(sheet)
    account = policy().plays_as(actor, locked)
    asked = " ".join([_BEGIN, "-" if seat is None else str(seat), bot]).rstrip()
    if key is not None and account is not None:
        with as_league():
            begun = begun_with(sheet=locked, account=account, key=key, asked=asked)
        if begun is not None:
            return begun
    ask(actor, SheetAction.RECORD, locked)
    kept = kept_sheet(locked)
    with as_league():
        running_sheet(locked.rules.rules, kept.sides, ())
    players = _players_of(kept)
    own = [number for number, player in enumerate(players) if _account_of(player) == account]
    if account is None or not own or (seat is not None and seat not in own):
        raise LeagueError("not_your_seat", _("You do not sit in this seat."), field="seat")
    mine = own[0] if seat is None else seat
    seats: dict[int, Actor | HouseBot] = {
        number: _across(locked, player, bot if player is None or len(players) == 2 else "")
        for number, player in enumerate(players)
        if number != mine
    }
    of_event = (
        Match.objects.filter(sheet=locked).select_related("event__club", "event__rules", "round").first()
    )
    event = None if of_event is None else of_event.event
    is_asked = any(isinstance(one, Actor) for one in seats.values())
    if is_asked and (event is None or event.played != PlayedWhere.ONLINE):
        raise LeagueError("not_online", _("The other side has to want it: offer it on the club’s pages."))
    for match_of_event in Match.objects.filter(sheet=locked):
        check_all_have_come(match_of_event)
    seats[mine] = Actor(ActorKind.USER, str(account), actor.name)
    clock = None if event is None else event.table_clock
    club = _club_of(locked)
    if of_event is not None:
        hold_packs(actor=actor, match=of_event)
    with as_league():
        match = open_table(
            sheet=locked, seats=seats, clock=clock, has_phrases=club is not None and club.has_phrases
        )
    if key is not None:
        keep_beginning(match=match, seat=mine, key=key, asked=asked)
    record_audit(actor, "table.begin", match, club=club)
    return match


@transaction.atomic
def end_table_for(*, actor: Actor, match: TableMatch, reason: str) -> None:
    """End the play at a table, for a reason that is noted; what is recorded stays.

    Refused: whatever `end_table` and `given_reason` refuse.
    """
    why = given_reason(reason)
    with as_league():
        end_table(actor=actor, match=match)
    _note(actor, match, "end", why)


@transaction.atomic
def adjourn_for(*, actor: Actor, match: TableMatch, reason: str) -> None:
    """Adjourn the play at a table, for a reason that all players are told and that is noted.

    Refused: whatever `adjourn` and `given_reason` refuse.
    """
    why = given_reason(reason)
    with as_league():
        adjourn(actor=actor, match=match, reason=why)
    _note(actor, match, "adjourn", why)


def let_go_on_for(*, actor: Actor, match: TableMatch) -> None:
    """Let the play at a table go on, and note it; refused as by `let_go_on`."""
    with as_league():
        let_go_on(actor=actor, match=match)
    _note(actor, match, "go_on", "")


@transaction.atomic
def deal_anew_for(*, actor: Actor, match: TableMatch, reason: str) -> None:
    """Have the hands in play dealt anew, for a reason that is noted.

    Refused: whatever `deal_anew` and `given_reason` refuse.
    """
    why = given_reason(reason)
    with as_league():
        deal_anew(actor=actor, match=match)
    _note(actor, match, "deal_anew", why)


@transaction.atomic
def warn_for(*, actor: Actor, match: TableMatch, seat: int, reason: str) -> None:
    """Warn the member in this seat, for a reason that he is told and that is noted.

    Refused: whatever `warn` and `given_reason` refuse.
    """
    why = given_reason(reason)
    with as_league():
        warn(actor=actor, match=match, seat=seat, reason=why)
    _note(actor, match, "warn", why)


def note_stopped(match: TableMatch) -> AuditEntry:
    """Note why the play at a table stopped, but by no director; returns the record."""
    return _note(TABLE, match, "adjourn", match.adjourned_note)


def live_table(match: Match) -> TableMatch | None:
    """The table at which the match is being played card by card; None if it is not."""
    table: TableMatch | None = getattr(match.sheet, "table_match", None)
    return table if table is not None and table.is_on else None


def conduct_of(match: Match, table: TableMatch) -> tuple[SeatConduct, ...]:
    """What is noted of the members at the table of a match, and of their matches in the club before it.

    Those of other clubs, and friendly games, are no concern of the club's directors.
    """
    return conduct(table, TableMatch.objects.filter(sheet__match__event__club=match.event.club_id))


def seat_names(match: Match) -> tuple[str, ...]:
    """Who sits where at its table: players as the sheet names them, of two the sides as they are shown."""
    if match.sheet is None:
        return ()
    kept = kept_sheet(match.sheet)
    names = players_by_seat(kept.sides, len(kept.deals) + 1)
    return names if len(names) > 2 else (match.side_shown(0), match.side_shown(1))


def _note(actor: Actor, match: TableMatch, what: str, reason: str) -> AuditEntry:
    club = _club_of(match.sheet)
    return record_audit(actor, f"table.{what}", match, club=club, reason=reason)


def _across(sheet: Scoresheet, player: Player | None, bot: str) -> Actor | HouseBot:
    """Who plays beside the member: a bot in its own name or for a guest, or an account."""
    if player is not None and player.is_bot and bot in ("", player.strategy):
        return house_bot_of(player)
    if bot:
        with as_league():
            chosen = HouseBot.from_document({"strategy": bot}, strategies())
        # In somebody's name a bot plays nothing, and in an event for nobody but itself.
        if player is not None or Match.objects.filter(sheet=sheet).exists():
            raise LeagueError(
                "others_seat", _("Somebody sits there; a bot plays for itself or for a guest."), field="bot"
            )
        return chosen
    account = _account_of(player)
    if account is None:
        raise LeagueError(
            "no_account", _("Whoever sits there has no account here; choose a bot."), field="bot"
        )
    return Actor(ActorKind.USER, str(account), "")


def _players_of(kept: KeptSheet) -> Sequence[Player | None]:
    """The players of the club who play the next deal, by seat; None for a guest."""
    numbers = {name: number for number, name in kept.seat_names.items()}
    seated = [numbers[name] for side in kept.sides for name in side.seated(len(kept.deals) + 1)]
    codes = [kept.persons.get(number, "") for number in seated]
    rows = Player.objects.filter(code__in=codes).select_related("user", "merged_into__user")
    known = {player.code: player.merged_into or player for player in rows}
    return [known.get(code) for code in codes]


def _account_of(player: Player | None) -> int | None:
    """The player's account (an id); None for none that is in use."""
    user = None if player is None else player.user
    return None if user is None or not user.is_active else user.pk


def _club_of(sheet: Scoresheet) -> Club | None:
    """The club of the sheet's match or evening."""
    match = Match.objects.filter(sheet=sheet).select_related("event__club").first()
    if match is not None:
        return match.event.club
    evening = Exhibition.objects.filter(sheet=sheet).select_related("club").first()
    return None if evening is None else evening.club
