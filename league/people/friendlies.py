"""Friendly games at tables on this site: one against a bot, and those that somebody plays or has played.

They are sheets of the club outside its events, and count in no table; for ratings those that are rated
(`league.people.rated_games`). How members come together for one is in `league.people.lobbies`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import HouseBot, Strategy
from games.models import TableMatch, TableSeat, on_now
from games.services import end_table, give_up, let_go_on, open_table, strategies
from games.services.hands import TABLE
from games.services.members import settle_times
from games.services.telling import seats_to_move
from games.tables.members import sides_at_table
from league.bots.house_bots import as_league
from league.errors import LeagueError
from league.matches.club_sheets import open_friendly_sheet
from league.matches.member_tables import end_table_for
from league.matches.offers import check_number
from league.models import SEATED, Club, Entry, Match, Player, TableLink
from league.people.accounts import own_players
from league.people.rated_games import RATED_CLOCK, check_length, check_rated, rated_bot
from league.policy import account_in, actor_of
from league.record.audit import locked
from scoring.core.actors import Actor
from scoring.core.lengths import AS_RULES_SAY, Length
from scoring.models import HouseRules, Scoresheet, Seat, SheetStatus
from scoring.services import open_once, stop_sheet, void_sheet
from scoring.words.rules_words import length_words

# So many friendly games a member plays at once in a club.
MOST_TABLES: Final = 5
# So many games that are over are told.
_MOST_OVER: Final = 5


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table at which somebody plays, or has played: his `seat`, and whom he plays against.

    `others` are the players of the other sides by their names on the sheet, None for a bot or a guest, with
    whether it is a guest; in a match of teams or of several sides their entries. Where more than two sit
    there `against` is the other side of two. `match` is that of an event, None for a friendly game. `is_turn`
    is None when play is over; then `won` says whether he has won, None for a sheet that is drawn.
    """

    table: TableMatch
    seat: int
    others: tuple[tuple[Player | Entry | None, str, bool], ...]
    match: Match | None
    is_turn: bool | None
    won: bool | None = None
    against: int | None = None
    is_of_several: bool = False

    @property
    def is_friendly(self) -> bool:
        """True for a game outside events."""
        return self.match is None

    @property
    def game(self) -> str:
        """By which rules one plays, and how long."""
        rules, seats = self.table.sheet.rules, self.table.sheet.seats.all()
        size = sum(seat.side.position == 0 and seat.from_deal == 1 for seat in seats)
        return f"{rules.name}, {length_words(rules.rules, team_size=size)}"

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


def rules_to_play(club: Club, seats: int = 2) -> list[HouseRules]:
    """The club's own rules by which so many play: its latest event's first, others by name."""
    listed = HouseRules.objects.filter(pk__in=club.house_rules.values("rules"))
    latest = club.events.order_by("-pk").values_list("rules__code", flat=True).first()
    found = [row for row in listed if sides_at_table(row.rules, seats) is not None]
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
    length: Length = AS_RULES_SAY,
    key: str | None = None,
) -> TableMatch:
    """Open a table at which the actor plays a bot, by its strategy; its `level` is by default the usual one.

    With a `key` once, as `open_once`, whatever has become of the game since.

    Refused: who has no player in the club (`no_player`), too many games at once (`too_many`), a bot that is
    unknown (`unknown_strategy`, `level_out_of_range`), rules for others than two (`wrong_number`), and what
    `open_friendly_sheet` and `open_once` refuse; of a rated game also what `rated_bot`, `check_length` and
    `check_rated` refuse.
    """
    player = own_player_locked(actor, club)

    def opened() -> Scoresheet:
        check_number(rules, 2)
        check_free(player)
        with as_league():
            chosen = HouseBot.from_document({"strategy": bot, "level": level}, strategies())
        other: Player | str = chosen.strategy.name
        if is_rated:
            other = rated_bot(club, chosen)
            check_length(rules, length)
            check_rated(club, rules, player, other)
        sheet = open_friendly_sheet(
            actor=actor, club=club, rules=rules, sides=[[player], [other]], is_rated=is_rated, length=length
        )
        clock = RATED_CLOCK if is_rated else None
        with as_league():
            open_table(sheet=sheet, seats={0: account_of(player), 1: chosen}, clock=clock)
        return sheet

    # Not the version of the rules: there may be a newer one when the request is repeated.
    asked: list[object] = ["friendly", club.slug, rules.code, bot, level, is_rated]
    if length != AS_RULES_SAY:
        asked.append(length.to_document())
    return TableMatch.objects.get(sheet=open_once(actor=actor, key=key, asked=asked, opened=opened))


@transaction.atomic
def break_off(*, actor: Actor, table: TableMatch) -> None:
    """End a friendly game that is not over; its sheet is voided. Either of the two may, but no guest.

    Who ends a rated one so has lost it, unless its bot has failed: then it counts for nobody.

    Refused: who does not sit there, a match of an event, and a sheet that a scorekeeper opened
    (`not_allowed`), a game that is over (`table_over`), and a rated one between members that a director has
    adjourned (`adjourned`).
    """
    found = _friendly().select_related("sheet__exhibition__club").filter(pk=table.pk).first()
    seat = None if found is None else _seat_at(found, actor)
    if found is None or seat is None:
        raise LeagueError("not_allowed", _("Only those who play a friendly game break it off."))
    if found.sheet.exhibition.is_rated and not _is_stopped_for_bot(found):
        with as_league():
            give_up(actor=actor, match=found, seat=seat)
        return
    _end(found, _("Broken off by a player."))


def end_games_of(user: User, club: Club | None = None) -> None:
    """End the friendly games of an account that goes, in a club or in all: they cannot go on without it.

    Their sheets are voided, and guests' links are over. A rated one stays: it is lost by its clock. The
    caller is in a transaction.
    """
    of_club = {} if club is None else {"sheet__exhibition__club": club}
    rows = _friendly().filter(is_live=True, seats__account=user, sheet__exhibition__is_rated=False, **of_club)
    for table in rows.filter(sheet__status=SheetStatus.OPEN).select_related("sheet").order_by("sheet"):
        _end(table, _("A player has left."))


@transaction.atomic
def let_bot_try_again(*, actor: Actor, table: TableMatch) -> None:
    """Let a friendly game go on that the failure of its bot has stopped; whoever plays it may.

    Refused: who does not sit there, a match of an event, and a game that stands still for another reason
    (`not_allowed`), and whatever `let_go_on` refuses, such as `bot_failed` where it fails again at once.
    """
    found = _friendly().select_related("sheet__exhibition__club").filter(pk=table.pk).first()
    if found is None or _seat_at(found, actor) is None:
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
    rows = _tables(user, club).filter(on_now())
    return sorted(_own(rows, user, club), key=lambda one: not one.is_turn)


def games_over(user: int, club: Club) -> list[OwnTable]:
    """The last friendly games of the account (an id) in the club that were played out or given up."""
    is_lost = Q(sheet__status=SheetStatus.STOPPED, forfeited_by__isnull=False)
    over = Q(sheet__status=SheetStatus.FINISHED) | is_lost
    return _own(_tables(user, club).filter(over, sheet__match=None)[:_MOST_OVER], user, club)


def end_if_friendly(match: TableMatch, reason: str) -> bool:
    """End the sheet of a friendly game that was lost by forfeit; False for any other table."""
    if not _friendly().filter(pk=match.pk).exists():
        return False
    stop_sheet(actor=TABLE, sheet=match.sheet, reason=reason)
    return True


def tables_in(club: Club) -> QuerySet[TableMatch]:
    """The tables of the club: those of its events' matches, of friendly games and of evenings."""
    return TableMatch.objects.filter(Q(sheet__exhibition__club=club) | Q(sheet__match__event__club=club))


def own_game(user: int, club: Club, table: TableMatch) -> OwnTable:
    """A table in the club at which the account (an id) plays, or has played."""
    (found,) = _own(_tables(user, club).filter(pk=table.pk), user, club)
    return found


def _friendly() -> QuerySet[TableMatch]:
    """Friendly games: a sheet of an evening is not one, though it may be played on at a table."""
    opened = TableMatch.objects.filter(sheet__actor_kind=TABLE.kind, sheet__actor_id=TABLE.id)
    return opened.filter(sheet__exhibition__isnull=False)


def _end(table: TableMatch, reason: str) -> None:
    with as_league():
        end_table(actor=TABLE, match=table)
    _void(TABLE, table, reason)


def _void(actor: Actor, table: TableMatch, reason: str) -> None:
    """Void the sheet of a friendly game that is ended, and let nobody in by its links."""
    TableLink.objects.filter(sheet=table.sheet_id, revoked_at=None).update(revoked_at=timezone.now())
    void_sheet(actor=actor, sheet=table.sheet, reason=reason)


def _tables(user: int, club: Club) -> QuerySet[TableMatch]:
    rows = tables_in(club).filter(seats__account=user).order_by("-pk")
    entries = [f"sheet__match__{name}" for name in SEATED]
    rows = rows.select_related("sheet__rules", "sheet__exhibition", "sheet__match__event", *entries)
    return rows.prefetch_related("seats", "sheet__seats__side")


def _own(rows: QuerySet[TableMatch], user: int, club: Club) -> list[OwnTable]:
    """These tables as the account sees them, in as many queries for one as for many.

    Time-outs that are due are carried out first.
    """
    tables = list(rows)
    if settle_times(tables, timezone.now()):
        tables = list(rows.all())
    to_move = seats_to_move(tables)
    codes = {each.person for table in tables for each in table.sheet.seats.all() if each.person}
    players = Player.objects.select_related("merged_into").filter(club=club, code__in=codes)
    known = {row.code: row.merged_into or row for row in players}
    return [_own_table(table, user, to_move[table.pk], known) for table in tables]


def _own_table(
    table: TableMatch, user: int, to_move: Collection[int], known: Mapping[str, Player]
) -> OwnTable:
    chairs = table.seats.all()
    own = next(each for each in chairs if each.account_id == user)
    seat, sheet = own.number, table.sheet
    there = [each for each in sheet.seats.all() if each.side.position != own.side]
    opposite = there[0]
    if len(chairs) == 2:
        # Who came late has taken the seat of the bot that sat in for him.
        opposite = max(there, key=attrgetter("from_deal"))
    is_turn, won = None, None
    if sheet.status == SheetStatus.OPEN:
        is_turn = seat in to_move
    elif table.forfeited_by is not None:
        won = own.side != table.forfeited_by
    elif sheet.places and (sheet.places[own.side] != 1 or sheet.places.count(1) == 1):
        won = sheet.places[own.side] == 1
    match: Match | None = getattr(sheet, "match", None)
    if len(chairs) == 2:
        guests = {opposite.number} if any(each.is_guest for each in chairs) else set()
        return OwnTable(table, seat, _players_of([opposite], guests, known), match, is_turn, won)
    if match is None:
        others = _players_of(there, {one.number for one in chairs if one.is_guest}, known)
    else:
        # A bot that a team plays in place of a bye is of no entry, and in every seat.
        others = tuple([(entry, entry.name, False) for entry in match.against(own.side)])
        others = others or _players_of([opposite], (), known)
    return OwnTable(
        table,
        seat,
        others,
        match,
        is_turn,
        won,
        opposite.side.position,
        is_of_several=len({each.side.position for each in there}) > 1,
    )


def _players_of(
    there: Sequence[Seat], guests: Collection[int], known: Mapping[str, Player]
) -> tuple[tuple[Player | Entry | None, str, bool], ...]:
    """The players in these seats, as in `OwnTable.others`; `guests` are in the seats of these numbers."""
    return tuple([(known.get(seat.person), seat.name, seat.number in guests) for seat in there])


def own_of(actor: Actor, club: Club) -> list[Player]:
    """The actor's players in the club; refuses `no_player`, and as `account_in`."""
    account = account_in(actor, club)
    own = [] if account is None else list(own_players(account, club))
    if not own:
        raise LeagueError("no_player", _("Your account is linked to no player of this club."))
    return own


def own_player_locked(actor: Actor, club: Club) -> Player:
    """The first of the actor's players in the club, locked so that he is counted once at a time."""
    return locked(own_of(actor, club)[0])


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


def account_of(player: Player) -> Actor:
    """The account by which a player has his seat; refuses (`no_account`) one without."""
    if player.user is None or not player.user.is_active:
        raise LeagueError("no_account", _("%(player)s has no account here.") % {"player": player})
    return actor_of(player.user)


def _seat_at(table: TableMatch, actor: Actor) -> int | None:
    """The number of the actor's seat at a friendly game; None if he has none."""
    account = account_in(actor, table.sheet.exhibition.club)
    if account is None:
        return None
    seats = TableSeat.objects.filter(match=table, account=account)
    return seats.values_list("number", flat=True).first()


def _is_stopped_for_bot(table: TableMatch) -> bool:
    """Whether play against a bot is stopped, so that nobody at the table is at fault."""
    return table.adjourned_at is not None and table.seats.filter(bot__isnull=False).exists()
