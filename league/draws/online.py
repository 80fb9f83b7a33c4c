"""Matches of events that are played card by card on this site: at once, or once both sides want to.

Only before anything is on their sheet. Each member of a team acts for it, and has a seat at the table; seats
are counted through all sides. A table of three or more sides is opened by any of them, and offered to nobody.
Locks: the sheet, the match, and of duplicate the round.
"""

from dataclasses import dataclass
from functools import partial
from itertools import chain

from django.db import transaction
from django.utils.translation import gettext as _

from games.bots import HouseBot
from games.models import BotMatch, TableMatch
from games.services import open_table
from games.tables.members import check_played
from league.bots.house_bots import as_league, house_bot_of
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.arrivals import (
    all_have_come,
    check_all_have_come,
    check_opened,
    evening_of,
    has_come,
    note_arrival,
    reserve_of,
    waited_for,
)
from league.matches.line_ups import is_closed, open_line_ups
from league.matches.offers import online_offers
from league.matches.packs import hold_packs
from league.models import (
    UNFINISHED,
    Appearance,
    Evening,
    Match,
    MatchState,
    OnlineOffer,
    PlayedWhere,
    Player,
    RoundState,
)
from league.notices.causes import game_declined, game_waits
from league.policy import actor_of, plays_as
from league.policy.eligibility import check_not_withdrawn
from league.policy.refusals import refused
from league.record.audit import record_audit
from league.record.locking import lock_match
from scoring.core.actors import Actor
from scoring.models import SheetStatus

# The players of each side, in the order of their seats.
Sides = tuple[tuple[Player, ...], ...]


@dataclass(frozen=True, slots=True)
class OnlinePlay:
    """How a match stands on this site for a reader.

    `sides` are the players by side. `table` is the one at which it is played, or was; `is_on` while it is.
    `own` is the reader's player, None for a spectator. He may `play` it at once, or else offer it
    (`may_offer`) or take what is `offered`, by his side or by the other. `missing` are the players who would
    have to have an account. In an `evening` that runs itself the table waits for all: for those `waited_for`.
    """

    table: TableMatch | None
    own: Player | None
    play: bool
    may_offer: bool
    offered: OnlineOffer | None
    missing: tuple[Player, ...]
    sides: Sides = ()
    evening: Evening | None = None
    waited_for: tuple[Player, ...] = ()

    @property
    def has_come(self) -> bool:
        """True once the reader himself is waited for no more."""
        return self.own not in self.waited_for

    @property
    def is_of_teams(self) -> bool:
        """True where several play on a side."""
        return any(len(side) > 1 for side in self.sides)

    @property
    def is_of_several(self) -> bool:
        """True where more than two sides meet at a table."""
        return len(self.sides) > 2

    @property
    def is_on(self) -> bool:
        """True while it is being played."""
        return self.table is not None and self.table.is_live

    @property
    def is_offered_by_reader(self) -> bool:
        """True if his side has offered it, and the other is to answer."""
        if self.offered is None or self.own is None:
            return False
        return self.offered.side == _side_of(self.sides, self.own.pk)


def online_play(match: Match, user: int | None) -> OnlinePlay | None:
    """How a match stands on this site, for the account (an id) that reads it; None if it is not played there.

    Load its event, round, sides and `sheet__table_match` along.
    """
    table: TableMatch | None = getattr(match.sheet, "table_match", None)
    sides = sides_of(match) if match.event.played != PlayedWhere.AT_TABLE or table is not None else ()
    own = next((player for player in _seats(sides) if user is not None and player.user_id == user), None)
    if table is not None:
        return OnlinePlay(table, own, False, False, None, (), sides)
    if own is None or refused(partial(check_playable, match, sides)):
        return None
    missing = _without_account(sides)
    offered = online_offers().filter(match=match).first()
    at_once = match.event.played == PlayedWhere.ONLINE or _is_against_bots(sides, own)
    if len(sides) > 2 and not at_once:
        return None
    may_offer = not missing and not at_once and offered is None
    evening = evening_of(match)
    waited = () if evening is None else tuple(chain.from_iterable(waited_for([match])[match].values()))
    play = at_once and (evening is not None or not missing)
    return OnlinePlay(None, own, play, may_offer, offered, missing, sides, evening, waited)


@dataclass(frozen=True, slots=True)
class InReserve:
    """A player of a team who is not in its line-up: he plays for one of it who has not come in time.

    Once that is decided `players` are those who play, whether or not he was to be one of them.
    """

    evening: Evening
    has_come: bool
    players: tuple[Player, ...] = ()


def in_reserve(match: Match, user: int | None) -> InReserve | None:
    """How the account (an id) is in reserve in a match of the round that is played; None if it is not."""
    own = reserve_of(match, user)
    evening = None if own is None else Evening.objects.filter(round=match.round_id).first()
    if own is None or evening is None or match.state not in UNFINISHED:
        return None
    if evening.come_by is not None:
        waits = not refused(partial(check_playable, match, sides_of(match)))
        return InReserve(evening, has_come(match, own)) if waits else None
    seats = match.appearances.filter(entry__members__player=own, replaces=None).select_related("player")
    players = tuple([seat.player for seat in seats.order_by("position")])
    return InReserve(evening, has_come(match, own), players) if players else None


@transaction.atomic
def play_online(*, actor: Actor, match: Match) -> TableMatch:
    """Open a match's table: in an event that is played online, against a bot, or as the other side offers.

    Of what was offered all others at the table are told that it has begun. Refused: who does not play it
    (`not_allowed`), a match that both sides have to want to play so (`not_online`), one that cannot be played
    on this site or no longer, in a state of its event or round that does not allow it, a player without an
    account (`no_account`), one who has not come yet where the table waits for both (`not_here`), and whatever
    `hold_packs` and `open_table` refuse.
    """
    match, sides, own = _locked(actor, match)
    _check_wanted(match, sides, own)
    check_all_have_come(match)
    if is_closed(match):
        # Before its evening is begun a match begins with its table, and those play who are handed in.
        open_line_ups(Match.objects.filter(pk=match.pk))
        match, sides, _own = _locked(actor, match)
    return _opened(actor, match, sides)


def sit_down(*, actor: Actor, match: Match) -> TableMatch | None:
    """Open one's table at once, or come to it where tables wait for both sides; refused as by these.

    Of a match that is being played it is the table, to who sits there.
    """
    account = account_at(actor, match)
    playing = TableMatch.objects.filter(sheet=match.sheet_id, is_live=True)
    opened = None if account is None else playing.filter(seats__account=account).first()
    if opened is not None:
        return opened
    if evening_of(match) is None:
        return play_online(actor=actor, match=match)
    return come_to_table(actor=actor, match=match)


@transaction.atomic
def come_to_table(*, actor: Actor, match: Match) -> TableMatch | None:
    """Come to one's table in an event that is played online; it is opened once all are there.

    Where nobody is waited for that is at once; None while anybody is, also if an account has gone. A player
    in reserve comes too (`InReserve`). Refused: as by `play_online`, and who comes too late (`too_late`).
    """
    waits = evening_of(match) is not None
    if waits and (reserve := reserve_of(match, account_at(actor, match))) is not None:
        match, _sheet = lock_match(match)
        check_playable(match, sides_of(match))
        note_arrival(match, reserve)
        return None
    match, sides, own = _locked(actor, match)
    _check_wanted(match, sides, own)
    note_arrival(match, own)
    if evening_of(match) is not None and not all_have_come(match):
        return None
    return _opened(actor, match, sides)


def open_once_all_are_there(*, actor: Actor, match: Match) -> None:
    """Open the table that waited for whom a bot plays for, or who has taken his seat back from it.

    The caller holds the match and its sheet. Refused: as by `open_for`.
    """
    if evening_of(match) is not None and all_have_come(match):
        open_for(actor=actor, match=match)


@transaction.atomic
def open_for(*, actor: Actor, match: Match) -> TableMatch:
    """Open the table of a match for those who play it, whoever of them is there.

    The caller holds the match and its sheet. Refused: as by `play_online`, but for who it is that opens it.
    """
    sides = sides_of(match)
    check_playable(match, sides)
    return _opened(actor, match, sides)


@transaction.atomic
def offer_online(*, actor: Actor, match: Match) -> OnlineOffer:
    """Offer the other side to play a match on this site, in an event that leaves that to them.

    All who play on it are told. Refused: as by `play_online`, an event that is not played so, a table of
    three or more, or bots on the other side (`not_online`), and a match of which that is offered already
    (`offered`).
    """
    match, sides, own = _locked(actor, match)
    if match.event.played != PlayedWhere.EITHER:
        raise LeagueError("not_online", _("This event leaves no choice where its matches are played."))
    if len(sides) > 2:
        raise LeagueError("not_online", _("At a table of three or more nobody is asked for a game online."))
    _check_accounts(sides)
    if online_offers().filter(match=match).exists():
        raise LeagueError("offered", _("That is offered already."))
    side = _side_of(sides, own.pk)
    others = [player.user_id for player in sides[1 - side] if player.user_id is not None]
    if not others:
        raise LeagueError("not_online", _("Against bots you can play at once."))
    OnlineOffer.objects.filter(match=match).delete()  # an old one that is over
    offer = OnlineOffer.objects.create(match=match, side=side)
    for user in others:
        game_waits(match.event.club, user)
    return offer


@transaction.atomic
def end_online_offer(*, actor: Actor, match: Match) -> None:
    """Decline what the other side offers, of which all who play on it are told; or take back one's own offer.

    Refused: a match of which nothing is offered any more (`offer_over`), and as by `play_online`.
    """
    match, sides, own = _locked(actor, match)
    offer = online_offers().filter(match=match).first()
    if offer is None:
        raise LeagueError("offer_over", _("Somebody has taken this game already, or it was taken back."))
    offer.delete()
    if own not in sides[offer.side]:
        game_declined(match.event.club, sides[offer.side], record_audit(actor, "offer.decline", match))


def _check_wanted(match: Match, sides: Sides, own: Player) -> None:
    if match.event.played == PlayedWhere.ONLINE or _is_against_bots(sides, own):
        return
    if not online_offers().filter(match=match).exclude(side=_side_of(sides, own.pk)).exists():
        raise LeagueError("not_online", _("This match is played online only if both sides want to."))


def _locked(actor: Actor, match: Match) -> tuple[Match, Sides, Player]:
    """The match, locked and playable on this site, who sits on each side, and which of them the actor is."""
    match, _sheet = lock_match(match)
    sides = sides_of(match)
    check_playable(match, sides)
    user = account_at(actor, match)
    own = next((player for player in _seats(sides) if player.user_id == user), None)
    if user is None or own is None:
        raise LeagueError("not_allowed", _("Only those who play a match open its table."))
    return match, sides, own


def account_at(actor: Actor, match: Match) -> int | None:
    """The account (an id) as which the actor `plays_as` in the match."""
    return plays_as(actor, club=match.event.club_id, event=match.event_id, sheet=match.sheet_id)


def check_playable(match: Match, sides: Sides) -> None:
    """Refuse a match that cannot be played on this site, or no longer, as `play_online` does."""
    event, sheet = match.event, match.sheet
    check_doing(event.name, event.state, Doing.PLAY)
    if match.round.state != RoundState.PUBLISHED:
        raise LeagueError("wrong_state", _("The round of this match is not open."))
    check_opened(match)
    if event.played == PlayedWhere.AT_TABLE:
        raise LeagueError("not_online", _("The matches of this event are played at a table."))
    if len(sides) < 2:
        raise LeagueError("not_two", _("On this site every side has the same number of players."))
    is_due = match.state in (MatchState.SCHEDULED, MatchState.BYE)
    if not is_due or sheet is None or sheet.status != SheetStatus.OPEN:
        raise LeagueError("has_begun", _("This match has begun, or is decided."))
    with as_league():
        check_played(sheet.rules.rules, len(sides[0]))
    if sheet.version or BotMatch.objects.filter(sheet=sheet).exists():
        raise LeagueError("has_begun", _("Something is on the sheet of this match already."))
    check_not_withdrawn(match)


def sides_of(match: Match) -> Sides:
    """Who sits on each side, in the order of the sheet; none unless as many sit on all."""
    seated = Appearance.objects.filter(match=match, replaces=None).select_related("player__user")
    found: dict[int, list[Player]] = {}
    for seat in seated.order_by("side", "position"):
        found.setdefault(seat.side, []).append(seat.player)
    sides = tuple([tuple(players) for players in found.values()])
    return sides if len({len(side) for side in sides}) == 1 else ()


def _seats(sides: Sides) -> list[Player]:
    """Who sits at the table, through all sides."""
    return [player for side in sides for player in side]


def _side_of(sides: Sides, player: int) -> int:
    """The side on which the player (a key) sits, or else -1."""
    return next((number for number, side in enumerate(sides) if player in {one.pk for one in side}), -1)


def _is_against_bots(sides: Sides, own: Player) -> bool:
    """Whether nobody of another side has to be asked."""
    own_side = _side_of(sides, own.pk)
    return all(player.is_bot for number, side in enumerate(sides) if number != own_side for player in side)


def _without_account(sides: Sides) -> tuple[Player, ...]:
    return tuple([one for one in _seats(sides) if not one.plays_here])


def _opened(actor: Actor, match: Match, sides: Sides) -> TableMatch:
    _check_accounts(sides)
    if match.sheet is None:
        raise LeagueError("has_begun", _("This match has begun, or is decided."))
    hold_packs(actor=actor, match=match)
    with as_league():
        table = open_table(
            sheet=match.sheet,
            seats={seat: _who(player) for seat, player in enumerate(_seats(sides))},
            clock=match.event.table_clock,
            has_phrases=match.event.club.has_phrases,
        )
    taken, _rows = OnlineOffer.objects.filter(match=match).delete()
    if taken:
        own = account_at(actor, match)
        for player in _seats(sides):
            if player.user_id not in (None, own):
                game_waits(match.event.club, player.user_id)
    record_audit(actor, "match.online", match)
    return table


def _who(player: Player) -> Actor | HouseBot:
    return house_bot_of(player) if player.user is None else actor_of(player.user)


def _check_accounts(sides: Sides) -> None:
    missing = _without_account(sides)
    if missing:
        raise LeagueError(
            "no_account",
            _("%(names)s: no account here, which is needed to play online.")
            % {"names": ", ".join(str(player) for player in missing)},
        )
