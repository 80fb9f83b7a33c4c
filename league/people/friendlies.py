"""Friendly games at tables on this site: against a bot at once, or against a member who takes an offer.

They are sheets of the club outside its events, and count in no table; for ratings those that are rated
(`league.people.rated_games`). Locks: players, by id, then the offer, then the sheet.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import HouseBot, Strategy
from games.models import TableMatch, TableSeat
from games.services import end_table, give_up, let_go_on, open_table, strategies, table_state
from games.services.hands import TABLE, UnreadableHand
from games.tables.members import running_sheet
from league.bots.house_bots import as_league
from league.errors import LeagueError
from league.matches.club_sheets import open_friendly_sheet
from league.matches.member_tables import end_table_for
from league.matches.offers import end_offer, lock_offer, open_offers
from league.models import Appearance, Club, Entry, GameOffer, Match, OfferState, Player, TableLink
from league.notices.causes import game_offered
from league.people.accounts import own_players
from league.people.rated_games import RATED_CLOCK, check_rated, rated_bot
from league.policy import actor_of
from league.record.audit import locked
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import CodedError
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.documents.sides import check_sides
from scoring.models import HouseRules, Seat, SheetStatus
from scoring.services import void_sheet

# So many friendly games a member plays at once in a club, and so many offers of his wait there.
MOST_TABLES: Final = 5
MOST_OFFERS: Final = 5
# So many games that are over are told.
_MOST_OVER: Final = 5


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table at which somebody plays, or has played: his `seat`, and whom he plays against.

    `opponent` is None where that is a bot, a guest (`is_guest`) or a team, of which `written` is the name;
    `against` is the side of the other team, None where two play, and `others` are its players by their names
    on the sheet, None for a bot. Where more than two sides meet `others`, or in a match its `entries`, are of
    all other sides. `match` is that of an event, None for a friendly game. `is_turn` is None when play is
    over; then `won` says whether he has won, None for a sheet that is drawn.
    """

    table: TableMatch
    seat: int
    opponent: Player | None
    written: str
    match: Match | None
    is_turn: bool | None
    won: bool | None = None
    against: int | None = None
    is_guest: bool = False
    others: tuple[tuple[Player | None, str], ...] = ()
    entries: tuple[Entry, ...] = ()
    is_of_several: bool = False

    @property
    def is_friendly(self) -> bool:
        """True for a game outside events."""
        return self.match is None

    @property
    def is_rated(self) -> bool:
        """True for a friendly game that counts for ratings."""
        return self.is_friendly and self.table.sheet.exhibition.is_rated

    @property
    def is_lost_by_ending(self) -> bool:
        """Whether who ends a friendly game now loses it."""
        return self.is_rated and not _is_stopped_for_bot(self.table)


def bots_to_play() -> list[Strategy]:
    """The strategies to play against: those of the house, the weakest first, then the site's own."""
    return list(strategies().values())


def is_playable(rules: Rules, size: int) -> bool:
    """Return whether by these rules two sides of this size play each other at a table on this site."""
    sides = [SheetSide(f"{side}", tuple([f"{side}{one}" for one in range(size)])) for side in (1, 2)]
    try:
        running_sheet(rules, check_sides(sides, rules), ())
    except CodedError:
        return False
    return True


def rules_to_play(club: Club, size: int = 1) -> list[HouseRules]:
    """The club's own rules by which sides of this size play: its latest event's first, others by name."""
    listed = HouseRules.objects.filter(pk__in=club.house_rules.values("rules"))
    latest = club.events.order_by("-pk").values_list("rules__code", flat=True).first()
    found = [row for row in listed if is_playable(row.rules, size)]
    return sorted(found, key=lambda row: (row.code != latest, row.name, row.pk))


def members_to_play(club: Club, players: Sequence[Player]) -> QuerySet[Player]:
    """The club's players with an account, but for one's own, by name."""
    own = {player.user_id for player in players}
    rows = Player.objects.filter(club=club, merged_into=None, user__is_active=True)
    return rows.exclude(user__in=own).order_by("name", "pk")


@transaction.atomic
def play_bot(
    *,
    actor: Actor,
    club: Club,
    bot: str,
    level: int | None = None,
    rules: HouseRules,
    is_rated: bool = False,
) -> TableMatch:
    """Open a table at which the actor plays a bot, by its strategy; its `level` is by default the usual one.

    Refused: who has no player in the club (`no_player`), too many games at once (`too_many`), a bot that is
    unknown (`unknown_strategy`, `level_out_of_range`), rules for others than two (`not_two`), and what
    `open_friendly_sheet` refuses; of a rated game also what `rated_bot` and `check_rated` refuse.
    """
    player = own_player_locked(actor, club)
    check_of_two(rules)
    check_free(player)
    with as_league():
        chosen = HouseBot.from_document({"strategy": bot, "level": level}, strategies())
    other: Player | str = chosen.strategy.name
    if is_rated:
        other = rated_bot(club, chosen)
        check_rated(club, rules, player, other)
    sheet = open_friendly_sheet(
        actor=actor, club=club, rules=rules, one=player, other=other, is_rated=is_rated
    )
    with as_league():
        return open_table(sheet=sheet, seats={0: actor, 1: chosen}, clock=RATED_CLOCK if is_rated else None)


@transaction.atomic
def offer_game(
    *, actor: Actor, club: Club, rules: HouseRules, to: Player | None, is_rated: bool = False
) -> GameOffer:
    """Offer a friendly game to a member, or (None) to whoever of the club takes it first.

    Refused: who has no player in the club (`no_player`), more than `MOST_OFFERS` that wait (`too_many`), or a
    second one to the same member (`offered`), oneself (`same_member`), who has no account there
    (`no_account`), rules for others than two (`not_two`), and of a rated game what `check_rated` refuses.
    """
    player = own_player_locked(actor, club)
    waiting = offers_waiting(player)
    if to is not None and to.user_id == player.user_id:
        raise LeagueError("same_member", _("Nobody plays against himself."), field="to")
    if to is not None and not members_to_play(club, [player]).filter(pk=to.pk).exists():
        raise LeagueError("no_account", _("%(player)s has no account here.") % {"player": to}, field="to")
    if waiting.filter(to=to, guest_digest="").exists():
        raise LeagueError("offered", _("You have offered that already."), field="to")
    check_of_two(rules)
    if is_rated:
        check_rated(club, rules, player, to)
    offer = GameOffer.objects.create(club=club, by=player, to=to, rules=rules, is_rated=is_rated)
    if to is not None and to.user_id is not None:
        game_offered(club, to.user_id)
    return offer


@transaction.atomic
def take_offer(*, actor: Actor, offer: GameOffer) -> TableMatch:
    """Take a friendly game that was offered, and open its table: whoever offered it has seat 0.

    Refused: who has no player in the club (`no_player`), or whom it is not offered to (`not_allowed`), one's
    own (`same_member`), an offer that is over (`offer_over`), too many games at once of either (`too_many`),
    and whatever `open_friendly_sheet` refuses; of a rated game also what `check_rated` refuses.
    """
    own = _own(actor, offer.club)
    player = next((each for each in own if each.pk == offer.to_id), own[0])
    both = sorted((player, offer.by), key=lambda each: each.pk)
    rows = {each.pk: locked(each) for each in both}
    player, by = rows[player.pk], rows[offer.by_id]
    offer = lock_offer(offer)
    if by.user is None or by.user_id == player.user_id:
        raise LeagueError("same_member", _("Nobody plays against himself."))
    _check_offered(offer, {player.pk})
    if offer.guest_digest:
        raise LeagueError("not_allowed", _("This game is offered to a guest."))
    if offer.of_teams:
        raise LeagueError("not_allowed", _("This game is of teams: it begins once all have agreed."))
    if offer.rules is None:
        raise LeagueError("not_allowed", _("This is the match of an event: it is taken on its page."))
    check_free(player)
    check_free(by)
    if offer.is_rated:
        check_rated(offer.club, offer.rules, by, player)
    sheet = open_friendly_sheet(
        actor=actor, club=offer.club, rules=offer.rules, one=by, other=player, is_rated=offer.is_rated
    )
    with as_league():
        table = open_table(
            sheet=sheet,
            seats={0: actor_of(by.user), 1: actor},
            clock=RATED_CLOCK if offer.is_rated else None,
            has_phrases=offer.club.has_phrases,
        )
    end_offer(offer, OfferState.TAKEN)
    return table


@transaction.atomic
def decline_offer(*, actor: Actor, offer: GameOffer) -> None:
    """Decline a game that is offered to oneself, one of teams for all of them.

    Refuses `not_allowed` and `offer_over`.
    """
    offer = lock_offer(offer)
    own = _own(actor, offer.club)
    if not _is_of_side(offer, offer.to_id, own) and not offer.seats.filter(player__in=own).exists():
        raise LeagueError("not_allowed", _("This game is offered to somebody else."))
    end_offer(offer, OfferState.DECLINED)


@transaction.atomic
def withdraw_offer(*, actor: Actor, offer: GameOffer) -> None:
    """Take back a game that one has offered; refuses `not_allowed` and `offer_over`."""
    offer = lock_offer(offer)
    if not _is_of_side(offer, offer.by_id, _own(actor, offer.club)):
        raise LeagueError("not_allowed", _("Somebody else has offered this game."))
    end_offer(offer, OfferState.WITHDRAWN)


@transaction.atomic
def break_off(*, actor: Actor, table: TableMatch) -> None:
    """End a friendly game that is not over; its sheet is voided. Either of the two may, but no guest.

    Who ends a rated one so has lost it, unless its bot has failed: then it counts for nobody.

    Refused: who does not sit there, a match of an event, and a sheet that a scorekeeper opened
    (`not_allowed`), a game that is over (`table_over`), and a rated one between members that a director has
    adjourned (`adjourned`).
    """
    found = _friendly().select_related("sheet__exhibition").filter(pk=table.pk).first()
    seat = None if actor.kind is not ActorKind.USER else _seat_at(table, int(actor.id))
    if found is None or seat is None:
        raise LeagueError("not_allowed", _("Only those who play a friendly game break it off."))
    if found.sheet.exhibition.is_rated and not _is_stopped_for_bot(found):
        with as_league():
            give_up(actor=actor, match=found, seat=seat)
        return
    with as_league():
        end_table(actor=TABLE, match=found)
    _void(TABLE, found, _("Broken off by a player."))


@transaction.atomic
def let_bot_try_again(*, actor: Actor, table: TableMatch) -> None:
    """Let a friendly game go on that the failure of its bot has stopped; whoever plays it may.

    Refused: who does not sit there, a match of an event, and a game that stands still for another reason
    (`not_allowed`), and whatever `let_go_on` refuses, such as `bot_failed` where it fails again at once.
    """
    found = _friendly().filter(pk=table.pk).first()
    if found is None or actor.kind is not ActorKind.USER or _seat_at(table, int(actor.id)) is None:
        raise LeagueError("not_allowed", _("Only those who play a friendly game let it go on."))
    if not (found.is_stopped_by_fault and _is_stopped_for_bot(found)):
        raise LeagueError("not_allowed", _("No bot has stopped this game."))
    with as_league():
        let_go_on(actor=TABLE, match=found)


@transaction.atomic
def end_game(*, actor: Actor, table: TableMatch, reason: str) -> None:
    """End the play of a game outside events, as a director of its club, for a reason that is noted.

    A friendly game is over with it, and its sheet is voided; one that a scorekeeper opened is recorded on as
    any other. Refused: whatever `end_table_for` refuses.
    """
    end_table_for(actor=actor, match=table, reason=reason)
    if _friendly().filter(pk=table.pk).exists():
        _void(actor, table, reason)


def own_tables(user: int, club: Club) -> list[OwnTable]:
    """The tables in the club at which the account (an id) plays now; those that wait for it come first."""
    tables = _tables(user, club).filter(is_live=True, sheet__status=SheetStatus.OPEN)
    found = [_own_table(table, user, club) for table in tables]
    return sorted(found, key=lambda one: not one.is_turn)


def games_over(user: int, club: Club) -> list[OwnTable]:
    """The last friendly games of the account (an id) in the club that were played out or given up."""
    is_lost = Q(sheet__status=SheetStatus.STOPPED, forfeited_by__isnull=False)
    over = Q(sheet__status=SheetStatus.FINISHED) | is_lost
    tables = _tables(user, club).filter(over, sheet__match=None)
    return [_own_table(table, user, club) for table in tables[:_MOST_OVER]]


def _friendly() -> QuerySet[TableMatch]:
    """Friendly games: a sheet of an evening is not one, though it may be played on at a table."""
    opened = TableMatch.objects.filter(sheet__actor_kind=TABLE.kind, sheet__actor_id=TABLE.id)
    return opened.filter(sheet__exhibition__isnull=False)


def _void(actor: Actor, table: TableMatch, reason: str) -> None:
    """Void the sheet of a friendly game that is ended, and let nobody in by its links."""
    TableLink.objects.filter(sheet=table.sheet_id, revoked_at=None).update(revoked_at=timezone.now())
    void_sheet(actor=actor, sheet=table.sheet, reason=reason)


def _tables(user: int, club: Club) -> QuerySet[TableMatch]:
    of_club = Q(sheet__exhibition__club=club) | Q(sheet__match__event__club=club)
    rows = TableMatch.objects.filter(of_club, seats__account=user).order_by("-pk")
    rows = rows.select_related("sheet__match__event", "sheet__exhibition")
    return rows.prefetch_related("seats", "sheet__seats__side")


def _own_table(table: TableMatch, user: int, club: Club) -> OwnTable:
    chairs = table.seats.all()
    own = next(each for each in chairs if each.account_id == user)
    seat, sheet = own.number, table.sheet
    there = [each for each in sheet.seats.all() if each.side.position != own.side]
    opposite = there[0]
    if len(chairs) == 2:
        # Who came late has taken the seat of the bot that sat in for him.
        opposite = max(there, key=attrgetter("from_deal"))
    rows = Player.objects.select_related("merged_into").filter(club=club, code=opposite.person)
    opponent = rows.first() if opposite.person and len(chairs) == 2 else None
    if opponent is not None and opponent.merged_into is not None:
        opponent = opponent.merged_into
    is_turn, won = None, None
    if sheet.status == SheetStatus.OPEN:
        is_turn = _is_turn(table, user, seat)
    elif table.forfeited_by is not None:
        won = own.side != table.forfeited_by
    elif sheet.places and (sheet.places[own.side] != 1 or sheet.places.count(1) == 1):
        won = sheet.places[own.side] == 1
    match: Match | None = getattr(sheet, "match", None)
    if len(chairs) == 2:
        is_guest = any(each.is_guest for each in chairs)
        return OwnTable(table, seat, opponent, opposite.name, match, is_turn, won, is_guest=is_guest)
    return OwnTable(
        table,
        seat,
        None,
        opposite.side.name,
        match,
        is_turn,
        won,
        opposite.side.position,
        others=() if match is not None else _players_of(there, club),
        entries=() if match is None else match.against(own.side),
        is_of_several=len({each.side.position for each in there}) > 1,
    )


def _is_turn(table: TableMatch, user: int, seat: int) -> bool:
    """Whether a table in play waits for this seat; one that cannot be read waits for a director."""
    try:
        told = table_state(actor=Actor(ActorKind.USER, str(user), ""), match=table, seat=seat)
    except UnreadableHand:
        return False
    return bool(told["turn"] == seat)


def _players_of(there: Sequence[Seat], club: Club) -> tuple[tuple[Player | None, str], ...]:
    """The players in these seats, as in `OwnTable.others`."""
    rows = Player.objects.select_related("merged_into").filter(club=club)
    known = {
        row.code: row.merged_into or row for row in rows.filter(code__in=[each.person for each in there])
    }
    return tuple([(known.get(seat.person), seat.name) for seat in there])


def _own(actor: Actor, club: Club) -> list[Player]:
    """The actor's players in the club; refuses `no_player`."""
    own = list(own_players(actor.id, club)) if actor.kind is ActorKind.USER else []
    if not own:
        raise LeagueError("no_player", _("Your account is linked to no player of this club."))
    return own


def _is_of_side(offer: GameOffer, player: int | None, own: Sequence[Player]) -> bool:
    """Whether this player (a key) is one of one's own, or in the match that is offered of the same side."""
    keys = {one.pk for one in own}
    if player in keys or offer.match_id is None:
        return player in keys
    seated = Appearance.objects.filter(match=offer.match_id)
    sides = seated.filter(player__in=keys).values("side")
    return seated.filter(player=player, side__in=sides).exists()


def own_player_locked(actor: Actor, club: Club) -> Player:
    """The first of the actor's players in the club, locked so that he is counted once at a time."""
    return locked(_own(actor, club)[0])


def offers_waiting(player: Player) -> QuerySet[GameOffer]:
    """The friendly games that a locked player offers; refuses (`too_many`) if that are enough."""
    waiting = open_offers(player.club).filter(by=player, match=None)
    if waiting.count() >= MOST_OFFERS:
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


def is_free(player: Player) -> bool:
    """Whether a locked player may begin another game."""
    playing = TableSeat.objects.filter(
        account=player.user_id,
        match__is_live=True,
        match__sheet__status=SheetStatus.OPEN,
        match__sheet__exhibition__club=player.club_id,
    )
    return playing.count() < MOST_TABLES


def check_free(player: Player) -> None:
    """Refuse (`too_many`) another game of a locked player who has enough of them."""
    if not is_free(player):
        raise LeagueError(
            "too_many",
            _("%(player)s plays %(count)s games already: one of them is ended first.")
            % {"player": player, "count": MOST_TABLES},
        )


def check_of_two(rules: HouseRules) -> None:
    """Refuse (`not_two`) rules by which one does not play against one."""
    if not is_playable(rules.rules, 1):
        raise LeagueError("not_two", _("By these rules one does not play against one."), field="rules")


def _check_offered(offer: GameOffer, players: Collection[int]) -> None:
    if offer.to_id is not None and offer.to_id not in players:
        raise LeagueError("not_allowed", _("This game is offered to somebody else."))


def _seat_at(table: TableMatch, user: int) -> int | None:
    """The number of the account's seat; None if it has none."""
    return TableSeat.objects.filter(match=table, account=user).values_list("number", flat=True).first()


def _is_stopped_for_bot(table: TableMatch) -> bool:
    """Whether play against a bot is stopped, so that nobody at the table is at fault."""
    return table.adjourned_at is not None and table.seats.filter(bot__isnull=False).exists()
