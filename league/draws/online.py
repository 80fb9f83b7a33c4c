"""Matches of events that are played card by card on this site: at once, or once both sides want to.

Only before anything is on their sheet. Each member of a team acts for it, and has a seat at the table; seats
are counted through all sides. A table of three or more sides is opened by any of them, and offered to nobody.
Locks: the offer, the sheet, the match, and of duplicate the round.
"""

from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from games.bots import HouseBot
from games.models import BotMatch, TableMatch
from games.services import open_table
from games.tables.clocks import PRESETS
from games.tables.members import check_played
from league.bots.house_bots import as_league, house_bot_of
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.arrivals import (
    both_have_come,
    check_both_have_come,
    check_opened,
    evening_of,
    note_arrival,
    player_has_come,
)
from league.matches.offers import end_offer, lock_offer, open_offers
from league.matches.packs import hold_packs
from league.models import (
    Appearance,
    Evening,
    GameOffer,
    Match,
    MatchState,
    OfferSeat,
    OfferState,
    PlayedWhere,
    Player,
    RoundState,
)
from league.notices.causes import game_offered
from league.policy import actor_of
from league.policy.eligibility import check_not_withdrawn
from league.policy.refusals import refused
from league.record.audit import record_audit
from league.record.locking import lock_match
from scoring.core.actors import Actor, ActorKind
from scoring.models import SheetStatus

# The players of each side, in the order of their seats.
Sides = tuple[tuple[Player, ...], ...]


@dataclass(frozen=True, slots=True)
class OnlinePlay:
    """How a match stands on this site for a reader.

    `sides` are the players by side. `table` is the one at which it is played, or was; `is_on` while it is.
    `own` is the reader's player, None for a spectator. He may `play` it at once, or else offer it
    (`may_offer`) or take what is `offered`, by his side or by the other. `missing` are the players who would
    have to have an account. In an `evening` that runs itself the table waits for both: the reader `has_come`.
    """

    table: TableMatch | None
    own: Player | None
    play: bool
    may_offer: bool
    offered: GameOffer | None
    missing: tuple[Player, ...]
    sides: Sides = ()
    evening: Evening | None = None
    has_come: bool = False

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
        return _side_of(self.sides, self.offered.by_id) == _side_of(self.sides, self.own.pk)


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
    offered = open_offers(match.event.club).filter(match=match).first()
    at_once = match.event.played == PlayedWhere.ONLINE or _is_against_bots(sides, own)
    if len(sides) > 2 and not at_once:
        return None
    may_offer = not missing and not at_once and offered is None
    evening = evening_of(match)
    come = evening is not None and player_has_come(match, own)
    play = at_once and (evening is not None or not missing)
    return OnlinePlay(None, own, play, may_offer, offered, missing, sides, evening, come)


@transaction.atomic
def play_online(*, actor: Actor, match: Match) -> TableMatch:
    """Open the table of a match at once: in an event that is played online, or against a bot.

    Refused: who does not play it (`not_allowed`), a match that both sides have to want to play so
    (`not_online`), one that cannot be played on this site or no longer, in a state of its event or round that
    does not allow it, a player without an account (`no_account`), one who has not come yet where the table
    waits for both (`not_here`), and whatever `hold_packs` and `open_table` refuse.
    """
    _lock_offers(match)
    match, sides, own = _locked(actor, match)
    _check_at_once(match, sides, own)
    check_both_have_come(match)
    return _opened(actor, match, sides)


@transaction.atomic
def come_to_table(*, actor: Actor, match: Match) -> TableMatch | None:
    """Come to one's table in an event that is played online; it is opened once both sides are there.

    Where nobody is waited for that is at once; None while the other side is, also if its account has gone.
    Refused: as by `play_online`, and who comes too late (`too_late`).
    """
    _lock_offers(match)
    match, sides, own = _locked(actor, match)
    _check_at_once(match, sides, own)
    note_arrival(match, _side_of(sides, own.pk), own)
    if evening_of(match) is not None and not both_have_come(match):
        return None
    return _opened(actor, match, sides)


@transaction.atomic
def open_for(*, actor: Actor, match: Match) -> TableMatch:
    """Open the table of a match for those who play it, whoever of them is there.

    The caller holds the match and its sheet. Refused: as by `play_online`, but for who it is that opens it.
    """
    sides = sides_of(match)
    check_playable(match, sides)
    return _opened(actor, match, sides)


@transaction.atomic
def offer_online(*, actor: Actor, match: Match) -> GameOffer:
    """Offer the other side to play a match on this site, in an event that leaves that to them.

    Of a team it is addressed to the first who has an account, and all of them are told. Refused: as by
    `play_online`, an event that is not played so, a table of three or more, or bots on the other side
    (`not_online`), and a match of which that is offered already (`offered`).
    """
    _lock_offers(match)
    match, sides, own = _locked(actor, match)
    if match.event.played != PlayedWhere.EITHER:
        raise LeagueError("not_online", _("This event leaves no choice where its matches are played."))
    if len(sides) > 2:
        raise LeagueError("not_online", _("At a table of three or more nobody is asked for a game online."))
    _check_accounts(sides)
    if open_offers(match.event.club).filter(match=match).exists():
        raise LeagueError("offered", _("That is offered already."))
    GameOffer.objects.filter(match=match, state=OfferState.OPEN).delete()  # an old one that is over
    others = [player for player in sides[1 - _side_of(sides, own.pk)] if player.user_id is not None]
    if not others:
        raise LeagueError("not_online", _("Against bots one plays at once."))
    offer = GameOffer.objects.create(club=match.event.club, by=own, match=match)
    OfferSeat.objects.create(offer=offer, number=1, player=others[0])
    for other in others:
        if other.user_id is not None:
            game_offered(match.event.club, other.user_id)
    return offer


@transaction.atomic
def take_online(*, actor: Actor, offer: GameOffer) -> TableMatch:
    """Take the offer to play a match on this site, and open its table.

    Refused: whom it is not offered to (`not_allowed`), an offer that is over (`offer_over`), and as by
    `play_online`.
    """
    offer = lock_offer(offer)
    if offer.match is None:
        raise LeagueError("not_allowed", _("This is no match of an event."))
    match, sides, own = _locked(actor, offer.match)
    if _side_of(sides, own.pk) == _side_of(sides, offer.by_id):
        raise LeagueError("not_allowed", _("This game is offered to somebody else."))
    table = _opened(actor, match, sides)
    end_offer(offer, OfferState.TAKEN)
    return table


def _check_at_once(match: Match, sides: Sides, own: Player) -> None:
    if match.event.played != PlayedWhere.ONLINE and not _is_against_bots(sides, own):
        raise LeagueError("not_online", _("This match is played online only if both sides want to."))


def _lock_offers(match: Match) -> None:
    """Lock the offers of a match before its sheet, as whoever takes one does."""
    rows = GameOffer.objects.select_for_update().filter(match=match, state=OfferState.OPEN)
    list(rows.order_by("pk").values_list("pk"))


def _locked(actor: Actor, match: Match) -> tuple[Match, Sides, Player]:
    """The match, locked and playable on this site, who sits on each side, and which of them the actor is."""
    match, _sheet = lock_match(match)
    sides = sides_of(match)
    check_playable(match, sides)
    user = actor.id if actor.kind is ActorKind.USER else ""
    own = next((player for player in _seats(sides) if str(player.user_id) == user), None)
    if own is None:
        raise LeagueError("not_allowed", _("Only those who play a match open its table."))
    return match, sides, own


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
    return tuple([player for player in _seats(sides) if not player.is_bot and not _has_account(player)])


def _opened(actor: Actor, match: Match, sides: Sides) -> TableMatch:
    _check_accounts(sides)
    if match.sheet is None:
        raise LeagueError("has_begun", _("This match has begun, or is decided."))
    hold_packs(actor=actor, match=match)
    with as_league():
        table = open_table(
            sheet=match.sheet,
            seats={seat: _who(player) for seat, player in enumerate(_seats(sides))},
            clock=PRESETS.get(match.event.online_clock),
            has_phrases=match.event.club.has_phrases,
        )
    GameOffer.objects.filter(match=match, state=OfferState.OPEN).update(state=OfferState.TAKEN)
    record_audit(actor=actor, action="match.online", target=match, club=match.event.club)
    return table


def _who(player: Player) -> Actor | HouseBot:
    return house_bot_of(player) if player.user is None else actor_of(player.user)


def _has_account(player: Player) -> bool:
    return player.user is not None and player.user.is_active


def _check_accounts(sides: Sides) -> None:
    missing = _without_account(sides)
    if missing:
        raise LeagueError(
            "no_account",
            _("%(names)s: no account here, which one needs to play online.")
            % {"names": ", ".join(str(player) for player in missing)},
        )
