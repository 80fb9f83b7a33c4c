"""Friendly games between members at tables on this site: one is offered, others take seats, and it begins.

It is offered for two to six: to members by name, to whoever comes first, to guests by a link each, with bots
in other seats. It begins once all seats are taken, or when who offers it begins with those who are there.
It counts in no table; for ratings only if it is rated (`league.people.rated_games`). Locks: players, by id,
then the offer, then the sheet.
"""

import datetime
import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, count, pairwise
from typing import Final, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import HouseBot, Strategy
from games.models import TableMatch
from games.services import Guest, open_table
from games.services.members import no_forfeit
from games.tables.clocks import PRESETS
from games.tables.dealing import game_of
from league.bots.house_bots import as_league
from league.core.secrets import new_secret
from league.errors import LeagueError
from league.matches.club_sheets import open_friendly_sheet
from league.matches.offers import (
    OFFER_DAYS,
    check_number,
    end_offer,
    game_words,
    lock_offer,
    open_offers,
)
from league.models import Club, GameOffer, OfferSeat, OfferState, OnlineClock, Player, TableLink
from league.notices.causes import game_declined, game_waits
from league.people.friendlies import (
    account_of,
    bots_to_play,
    check_free,
    members_to_play,
    own_of,
    own_player_locked,
)
from league.people.rated_games import RATED_CLOCK, check_length, check_rated
from league.policy import actor_of
from league.policy.eligibility import check_rules
from league.record.audit import record_audit
from scoring.core.actors import Actor
from scoring.core.lengths import AS_RULES_SAY, Length
from scoring.models import HouseRules
from scoring.services.acts import check_key, key_reused

MOST_SEATS: Final = 6
# So many offers of a member wait in a club.
MOST_OFFERS: Final = 5
_T = TypeVar("_T")


class Wanted(Enum):
    """Who is wanted in a seat, where that is nobody by name."""

    ANYBODY = "anybody"
    GUEST = "guest"


# A member who is asked, the name of a bot's strategy, or whoever.
Other = Player | str | Wanted


@dataclass(frozen=True, slots=True)
class Offered:
    """A game that was offered, its table if it has begun, and the secrets of its guests' links."""

    offer: GameOffer
    table: TableMatch | None
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lobby:
    """An open offer as a member sees it: who is on each side, and what he may do with it.

    `sides` have the seats, that of who offers it among them as if he had agreed; `game` says by which rules
    one plays, and how long.
    """

    offer: GameOffer
    game: str
    sides: tuple[tuple[OfferSeat, ...], ...]
    is_own: bool
    may_take: bool
    may_decline: bool
    may_begin: bool

    @property
    def is_of_teams(self) -> bool:
        """True where several play on a side."""
        return any(len(side) > 1 for side in self.sides)


def bots_to_seat(rules: HouseRules, seats: int) -> list[Strategy]:
    """The strategies that may fill seats where so many play: those that play the game and answer at once."""
    game = game_of(rules.rules, check_number(rules, seats)[0])
    return [bot for bot in bots_to_play() if not bot.levels and bot.plays(game)]


@transaction.atomic
def offer_game(
    *,
    actor: Actor,
    club: Club,
    rules: HouseRules,
    others: Sequence[Other],
    is_rated: bool = False,
    clock: str = OnlineClock.NONE,
    length: Length = AS_RULES_SAY,
    key: str | None = None,
) -> Offered:
    """Offer a friendly game to these, in the order of their seats after one's own; members are told.

    Where nobody is waited for it begins at once. The same `key` and content get the offer that they made, as
    it is by now, and no secrets again; other content is refused (`key_reused`), and as by `check_key`.

    Refused: who has no player in the club (`no_player`), more offers that wait than `MOST_OFFERS`
    (`too_many`), another one to the same (`offered`), rules that are not the club's (`other_club`) or by
    which so many do not play (`wrong_number`), somebody twice or oneself (`same_member`), who has no account
    there (`no_account`), bots that are not of `bots_to_seat` (`unknown_strategy`), two guests on one side
    (`two_guests`), as rated what is not of two members (`not_rated`) or has a clock of its own
    (`rated_clock`) or length (`rated_length`), a clock by which one of more than two sides would lose to all
    others (`no_forfeit`), and what `Length.of`, `check_rated` and, where it begins, `take_seat` refuse.
    """
    player = own_player_locked(actor, club)
    digest = _digest_of(rules, others, is_rated=is_rated, clock=clock, length=length)
    earlier = None if key is None else _offered_with(player, key, digest)
    if earlier is not None:
        table = TableMatch.objects.filter(sheet=earlier.sheet_id).first() if earlier.sheet_id else None
        return Offered(earlier, table, ())
    waiting = _waiting(player)
    check_rules(club, rules)
    _check_others(player, rules, others)
    _check_clock(rules, 1 + len(others), clock)
    length.of(rules.rules, check_number(rules, 1 + len(others))[0])
    if is_rated:
        if clock != OnlineClock.NONE:
            message = _("A rated game has three days for a turn: choose no other clock.")
            raise LeagueError("rated_clock", message, field="clock")
        (other,) = others if len(others) == 1 else ("",)
        if other is Wanted.GUEST or isinstance(other, str):
            raise LeagueError("not_rated", _("Only games of two members are rated."), field="is_rated")
        check_length(rules, length)
        check_rated(club, rules, player, other if isinstance(other, Player) else None)
    made = [_seat(number, other) for number, other in enumerate(others, start=1)]
    seats, secrets = [seat for seat, _secret in made], [secret for _seat, secret in made if secret]
    if not secrets and any(_same(offer.seats.all(), seats) for offer in waiting):
        raise LeagueError("offered", _("You have offered that already."))
    offer = GameOffer.objects.create(
        club=club,
        by=player,
        rules=rules,
        is_rated=is_rated,
        clock=clock,
        length=length.to_document(),
        key=key,
        digest="" if key is None else digest,
    )
    for seat in seats:
        seat.offer = offer
    OfferSeat.objects.bulk_create(seats)
    for seat in seats:
        if seat.player is not None and seat.player.user_id is not None:
            game_waits(club, seat.player.user_id)
    is_full = all(seat.is_taken for seat in seats)
    table = _begin(actor, offer, {player.pk: player}, beginner=player) if is_full else None
    return Offered(offer, table, tuple(secrets))


def take_seat(*, actor: Actor, offer: GameOffer) -> TableMatch | None:
    """Take the seat that one is asked for, or else the first open one; opens the table if it was the last.

    Refused: who has no player in the club (`no_player`), who offers the game himself (`same_member`), has a
    seat already or is not asked (`not_allowed`), an offer of which no seat is open any more (`seat_taken`) or
    that is over (`offer_over`); where this begins the game too many games at once of one of them
    (`too_many`), and what `open_friendly_sheet`, `open_table` and, if it is rated, `check_rated` refuse.
    """
    own = own_of(actor, offer.club)

    def take(row: GameOffer, players: dict[int, Player]) -> TableMatch | None:
        if row.by_id in players and players[row.by_id].user_id == own[0].user_id:
            raise LeagueError("same_member", _("Nobody plays against themselves."))
        seats = list(row.seats.all())
        keys = {one.pk for one in own}
        asked = next((seat for seat in seats if seat.player_id in keys), None)
        if asked is not None and asked.is_taken:
            raise LeagueError("not_allowed", _("You have a seat in this game."))
        seat = asked or next((seat for seat in seats if seat.is_open and not seat.is_taken), None)
        if seat is None and any(one.is_open for one in seats):
            raise LeagueError("seat_taken", _("Somebody has taken the last seat already."))
        if seat is None:
            raise LeagueError("not_allowed", _("This game is offered to somebody else."))
        if asked is None:
            seat.player = players[own[0].pk]
        return _sit_down(actor, row, seat, players)

    return _with_players(offer, own, take)


def take_guest_seat(*, seat: OfferSeat, name: str) -> TableMatch | None:
    """Have a guest take the seat of his link, under a name that has been checked; else as `take_seat`.

    Refused: an offer that is over or a seat that is taken (`offer_over`), a name that another guest there has
    (`known_name`), and what `take_seat` refuses where it begins the game.
    """

    def take(row: GameOffer, players: dict[int, Player]) -> TableMatch | None:
        seats = list(row.seats.all())
        found = next((one for one in seats if one.pk == seat.pk and not one.is_taken), None)
        if found is None or row.by.user is None:
            raise LeagueError("offer_over", _("Somebody has taken this game already, or it was taken back."))
        if name.casefold() in {one.guest_name.casefold() for one in seats}:
            message = _("You cannot play under this name: add something to it.")
            raise LeagueError("known_name", message, field="name")
        found.guest_name = name
        return _sit_down(actor_of(row.by.user), row, found, players)

    return _with_players(seat.offer, (), take)


def begin_game(*, actor: Actor, offer: GameOffer) -> TableMatch:
    """Begin a game that one has offered with those who are there; who is still asked then plays no part.

    Refused: an offer of somebody else (`not_allowed`), one that is over (`offer_over`), so many players as
    the rules are not for, or other partners than were offered (`wrong_number`), and what `take_seat` refuses
    where it begins the game.
    """
    own = own_of(actor, offer.club)

    def begin(row: GameOffer, players: dict[int, Player]) -> TableMatch:
        if row.by_id not in {one.pk for one in own}:
            raise LeagueError("not_allowed", _("Somebody else has offered this game."))
        seats = list(row.seats.all())
        there = [seat for seat in seats if seat.is_taken]
        check_number(row.rules, 1 + len(there))
        if not _plays_on(row.rules, seats, there):
            raise LeagueError(
                "wrong_number", _("Without those who are missing the teams are not as offered.")
            )
        row.seats.exclude(pk__in=[seat.pk for seat in there]).delete()
        return _begin(actor, row, players, beginner=players[row.by_id])

    return _with_players(offer, (), begin)


@transaction.atomic
def decline_offer(*, actor: Actor, offer: GameOffer) -> None:
    """Decline a game that is offered to oneself, or leave the seat in it that one has taken.

    An open seat is free again, and who offers the game is told. Where the game cannot be played without
    who was asked by name the offer is over. Refuses `no_player`, `not_allowed` and `offer_over`.
    """
    row = lock_offer(offer)
    own = {one.pk for one in own_of(actor, row.club)}
    seats = list(row.seats.all())
    seat = next((one for one in seats if one.player_id in own), None)
    if seat is None:
        raise LeagueError("not_allowed", _("This game is offered to somebody else."))
    seat.agreed_at = None
    if seat.is_open:
        seat.player = None
    else:
        seat.has_declined = True
    seat.save(update_fields=["agreed_at", "player", "has_declined"])
    coming = [one for one in seats if not one.has_declined]
    if not _plays_on(row.rules, seats, coming):
        end_offer(row, OfferState.DECLINED)
    game_declined(row.club, [row.by], record_audit(actor, "offer.decline", row))


@transaction.atomic
def withdraw_offer(*, actor: Actor, offer: GameOffer) -> None:
    """Take back a game that one has offered; refuses `no_player`, `not_allowed` and `offer_over`."""
    row = lock_offer(offer)
    if row.by_id not in {one.pk for one in own_of(actor, row.club)}:
        raise LeagueError("not_allowed", _("Somebody else has offered this game."))
    end_offer(row, OfferState.WITHDRAWN)


def lobby_of(offer: GameOffer, players: Sequence[Player]) -> Lobby:
    """The offer as one sees it whose players these are; its seats are loaded."""
    own, seats = {player.pk for player in players}, sorted(offer.seats.all(), key=lambda one: one.number)
    is_own = offer.by_id in own
    seat = next((one for one in seats if one.player_id in own), None)
    host = OfferSeat(offer=offer, number=0, player=offer.by, agreed_at=offer.made_at)
    free = seat is None and any(one.is_open and not one.is_taken for one in seats)
    there = [one for one in seats if one.is_taken]
    return Lobby(
        offer,
        game_words(offer),
        _split([host, *seats], check_number(offer.rules, 1 + len(seats))),
        is_own=is_own,
        may_take=not is_own and (free or (seat is not None and not seat.is_taken)),
        may_decline=not is_own and seat is not None and not seat.has_declined,
        may_begin=is_own and 0 < len(there) < len(seats) and _plays_on(offer.rules, seats, there),
    )


def _digest_of(
    rules: HouseRules, others: Sequence[Other], *, is_rated: bool, clock: str, length: Length
) -> str:
    """What was asked for, to notice a key that is reused; not the version of the rules.

    Without a clock or a length it is as before there were any, for who asks again after an update.
    """
    named: list[object] = []
    for one in others:
        if isinstance(one, Player):
            named.append(["player", one.code])
        else:
            named.append(["bot", one] if isinstance(one, str) else one.value)
    asked = [rules.code, named, is_rated]
    if clock != OnlineClock.NONE:
        asked.append(clock)
    if length != AS_RULES_SAY:
        asked.append(length.to_document())
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _offered_with(player: Player, key: str, digest: str) -> GameOffer | None:
    """What a locked player has offered with this key; refuses as `offer_game`."""
    check_key(key)
    earlier = GameOffer.objects.select_related("club", "by").filter(by=player, key=key).first()
    if earlier is not None and earlier.digest != digest:
        raise key_reused()
    return earlier


def _waiting(player: Player) -> list[GameOffer]:
    """The games that a locked player offers; refuses (`too_many`) if that are enough."""
    waiting = list(open_offers(player.club).filter(by=player).prefetch_related("seats"))
    if len(waiting) >= MOST_OFFERS:
        raise LeagueError(
            "too_many",
            ngettext(
                "You have offered %(count)d game already: take one back first.",
                "You have offered %(count)d games already: take one back first.",
                MOST_OFFERS,
            )
            % {"count": MOST_OFFERS},
        )
    return waiting


def _check_others(player: Player, rules: HouseRules, others: Sequence[Other]) -> None:
    sizes = check_number(rules, 1 + len(others))
    members = [one for one in others if isinstance(one, Player)]
    accounts = {player.user_id, *[one.user_id for one in members]}
    known = {player.pk, *members_to_play(player.club, []).values_list("pk", flat=True)}
    for one in members:
        if one.pk not in known:
            raise LeagueError("no_account", _("%(player)s has no account here.") % {"player": one})
    if len(accounts) <= len(members):
        raise LeagueError("same_member", _("Everybody has one seat at a table."))
    bots = {bot.name for bot in bots_to_seat(rules, 1 + len(others))}
    if any(isinstance(one, str) and one not in bots for one in others):
        raise LeagueError("unknown_strategy", _("No such bot plays at this table."))
    # A link lets in to a side.
    if any(side.count(Wanted.GUEST) > 1 for side in _split([player, *others], sizes)):
        raise LeagueError("two_guests", _("A side has one guest at most."))


def _check_clock(rules: HouseRules, seats: int, clock: str) -> None:
    chosen, sides = PRESETS.get(clock), len(check_number(rules, seats))
    if chosen is not None and chosen.is_for_two and sides > 2:
        with as_league():
            raise no_forfeit("clock")


def _seat(number: int, other: Other) -> tuple[OfferSeat, str]:
    """A seat that is not saved yet, and the secret of its link, "" without one."""
    if isinstance(other, Player):
        return OfferSeat(number=number, player=other), ""
    if isinstance(other, str):
        return OfferSeat(number=number, bot=other), ""
    if other is Wanted.ANYBODY:
        return OfferSeat(number=number, is_open=True), ""
    secret, digest = new_secret()
    return OfferSeat(number=number, guest_digest=digest), secret


def _same(seats: Collection[OfferSeat], others: Collection[OfferSeat]) -> bool:
    """Whether these seats, as offered, are for the same."""
    one, other = [
        sorted([(each.number, each.bot, each.is_open, not each.is_open and each.player_id) for each in side])
        for side in (seats, others)
    ]
    return one == other


def _with_players(
    offer: GameOffer, joining: Collection[Player], act: Callable[[GameOffer, dict[int, Player]], _T]
) -> _T:
    """Do something with an open offer, locked after all players who have a seat in it or are `joining`.

    Who these are is read before; if others took seats meanwhile it is all done again.
    """
    while True:
        keys = {offer.by_id, *[one.pk for one in joining], *_seated(offer)}
        with transaction.atomic():
            rows = Player.objects.filter(pk__in=keys).order_by("pk").select_related("user")
            players = {row.pk: row for row in rows.select_for_update(of=("self",))}
            row = lock_offer(offer)
            if _seated(offer) <= keys:
                return act(row, players)


def _seated(offer: GameOffer) -> set[int]:
    return set(offer.seats.filter(player__isnull=False).values_list("player", flat=True))


def _sit_down(
    actor: Actor, offer: GameOffer, seat: OfferSeat, players: dict[int, Player]
) -> TableMatch | None:
    seat.agreed_at, seat.has_declined = timezone.now(), False
    seat.save(update_fields=["player", "guest_name", "agreed_at", "has_declined"])
    if not all(one.is_taken for one in offer.seats.all()):
        return None
    return _begin(actor, offer, players, beginner=seat.player)


def _plays_on(rules: HouseRules, seats: Sequence[OfferSeat], there: Sequence[OfferSeat]) -> bool:
    """Whether the game can be played with `there` alone, everybody with the partners that he had."""
    numbers = [0, *[seat.number for seat in seats]]
    kept = {0, *[seat.number for seat in there]}
    try:
        sides = _split(sorted(kept), check_number(rules, len(kept)))
    except LeagueError:
        return False
    offered = _split(sorted(numbers), check_number(rules, len(numbers)))
    return set(sides) == {tuple([one for one in side if one in kept]) for side in offered} - {()}


def _split(seats: Sequence[_T], sizes: Sequence[int]) -> tuple[tuple[_T, ...], ...]:
    """The seats by sides of these sizes."""
    return tuple([tuple(seats[first:end]) for first, end in pairwise([0, *accumulate(sizes)])])


def _begin(
    actor: Actor, offer: GameOffer, players: dict[int, Player], *, beginner: Player | None
) -> TableMatch:
    """Open the table of a locked offer of which all seats are taken, by locked players.

    All but its `beginner` are told, so that nobody who has left the page is waited for in vain.
    """
    rules, club = offer.rules, offer.club
    seats = list(offer.seats.order_by("number"))
    by = players[offer.by_id]
    members = [by, *[players[seat.player_id] for seat in seats if seat.player_id is not None]]
    for one in members:
        check_free(one)
    if offer.is_rated:
        check_rated(club, rules, by, members[1])
    named: list[Player | str] = [by]
    seated: dict[int, Actor | HouseBot | Guest] = {0: account_of(by)}
    taken = {one.name for one in members} | {seat.guest_name for seat in seats}
    bots = {bot.name: bot for bot in bots_to_seat(rules, 1 + len(seats))}
    for number, seat in enumerate(seats, start=1):
        if seat.player_id is not None:
            named.append(players[seat.player_id])
            seated[number] = account_of(players[seat.player_id])
        elif seat.guest_digest:
            named.append(seat.guest_name)
            seated[number] = Guest()
        elif seat.bot in bots:
            name = _free_name(seat.bot, taken)
            taken.add(name)
            named.append(name)
            seated[number] = HouseBot.of(bots[seat.bot])
        else:
            raise LeagueError("unknown_strategy", _("No such bot plays at this table."))
    sides = _split(named, check_number(rules, len(named)))
    sheet = open_friendly_sheet(
        actor=actor,
        club=club,
        rules=rules,
        sides=sides,
        is_rated=offer.is_rated,
        length=Length(**offer.length),
    )
    side_of = [number for number, side in enumerate(sides) for _one in side]
    for number, seat in enumerate(seats, start=1):
        if seat.guest_digest:
            TableLink.objects.create(
                sheet=sheet,
                side=side_of[number],
                digest=seat.guest_digest,
                expires_at=timezone.now() + datetime.timedelta(days=OFFER_DAYS),
                **TableLink.actor_fields(account_of(by)),
            )
    with as_league():
        table = open_table(
            sheet=sheet,
            seats=seated,
            clock=RATED_CLOCK if offer.is_rated else PRESETS.get(offer.clock),
            has_phrases=club.has_phrases,
        )
    end_offer(offer, OfferState.TAKEN, sheet)
    for one in members:
        if one != beginner and one.user_id is not None:
            game_waits(club, one.user_id)
    return table


def _free_name(name: str, taken: Collection[str]) -> str:
    """The name of a bot on the sheet: with a number where somebody there has it already."""
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)
