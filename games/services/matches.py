"""Bot matches as a reader may see them: in lists, with the sheet, and hand by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.gin.log import read_log
from games.models import TO_PLAY, BotHand, BotMatch, TableMatch
from games.tables.dealing import dealing_of, hand_class
from games.tables.replaying import Replay, Snapshot, replayed
from scoring.core.actors import Actor
from scoring.core.sheets import RunningSheet
from scoring.models import Scoresheet
from scoring.paper.layout import SheetTable, sheet_table
from scoring.paper.short_names import short_names
from scoring.policy import policy
from scoring.services.records import KeptSheet, kept_sheet

MOST_LISTED: Final = 12
# The number of newest matches searched for those of one bot.
_MOST_SEARCHED: Final = 400


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot on a sheet: its name there, its strategy, and its level, None if it has no levels."""

    name: str
    strategy: str
    level: int | None


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A bot match in a list, with the names and bots of its sides."""

    match: BotMatch
    names: tuple[str, ...]
    bots: tuple[tuple[SeatedBot, ...], ...]

    @property
    def is_table(self) -> bool:
        """True for a table of three or more."""
        return len(self.names) > 2

    @property
    def columns_won(self) -> Sequence[int] | None:
        """The games won by side, once anything was played."""
        won: Sequence[int] | None = self.match.sheet.derived.get("columns_won")
        return won

    @property
    def winner(self) -> int | None:
        """The winning side: by the sheet, or by forfeit."""
        if self.match.loser_side is not None:
            return 1 - self.match.loser_side
        return self.match.sheet.winner if self.match.is_over else None

    @property
    def winner_name(self) -> str:
        """The name of the winning side; "" if there is none."""
        return "" if self.winner is None else self.names[self.winner]


@dataclass(frozen=True, slots=True)
class DealHands:
    """The tables, from 1, of a deal that have a recorded hand."""

    number: int
    tables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A bot match with its sheet, its bots by side, and its deals."""

    match: BotMatch
    kept: KeptSheet
    table: SheetTable
    bots: tuple[tuple[SeatedBot, ...], ...]
    deals: tuple[DealHands, ...]

    @property
    def is_table(self) -> bool:
        """True for a table of three or more."""
        return len(self.bots) > 2

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides."""
        return self.table.frame.names

    @property
    def by_side(self) -> list[tuple[str, tuple[SeatedBot, ...], int, int]]:
        """Name, bots, total and net of each side."""
        return list(zip(self.names, self.bots, self.table.totals, self.table.nets, strict=True))

    @property
    def lead(self) -> int:
        """The net of the leading side, 0 if level."""
        return self.table.lead


@dataclass(frozen=True, slots=True)
class HandPage:
    """A hand of a match: players by seat, its replay, and the deals before and after."""

    match: BotMatch | TableMatch
    deal: int
    table: int
    tables: tuple[int, ...]
    players: tuple[SeatedBot, ...]
    replay: Replay
    earlier: int | None
    later: int | None

    @property
    def short_names(self) -> tuple[str, ...]:
        """The players by seat, abbreviated."""
        return short_names(tuple([player.name for player in self.players]))

    @property
    def title(self) -> str:
        """Who play against each other, in words: “Ann v Bob”."""
        names = [player.name for player in self.players]
        return meeting_words(names, len(self.replay.frames[0].piles))

    def boards(self, frame: Snapshot) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Each pile with the seats of those who play with it: of two games from one pack two each."""
        if len(frame.piles) == 1:
            return [(frame.piles[0], tuple(range(len(self.players))))]
        return [(pile, (2 * place, 2 * place + 1)) for place, pile in enumerate(frame.piles)]


def meeting_words(names: Sequence[str], games: int) -> str:
    """Who play against each other, in so many games: “Ann v Bob, Cid v Dan”."""
    size = len(names) // games
    between = f" {_('v')} "
    return ", ".join([between.join(names[first : first + size]) for first in range(0, len(names), size)])


def matches_seen(reader: Actor) -> QuerySet[BotMatch]:
    """The bot matches whose sheets the reader may see."""
    sheets = policy().visible(reader, Scoresheet.objects.all())
    return BotMatch.objects.filter(sheet__in=sheets.values("pk"))


def match_seen(reader: Actor, code: str) -> BotMatch | None:
    """The match with this code, its sheet and rules loaded, if the reader may see it."""
    return matches_seen(reader).filter(code=code).select_related("sheet__rules").first()


def running_matches(reader: Actor) -> list[ListedMatch]:
    """Matches in play, then those waiting, the first due first."""
    rows = matches_seen(reader).filter(state__in=TO_PLAY).order_by("-state", "due_at", "pk")
    return _listed(rows[:MOST_LISTED])


def latest_matches(
    reader: Actor, *, strategy: str | None = None, level: int | None = None
) -> list[ListedMatch]:
    """The latest to end, of a strategy and level if given."""
    rows = matches_seen(reader).exclude(state__in=TO_PLAY).order_by("-ended_at", "-pk")
    if strategy is not None:
        newest = rows.values_list("pk", "bots")[:_MOST_SEARCHED]
        wanted = [pk for pk, bots in newest if _plays(bots, strategy, level)]
        rows = rows.filter(pk__in=wanted[:MOST_LISTED])
    return _listed(rows[:MOST_LISTED])


def match_page(match: BotMatch) -> MatchPage:
    """The page of a match from `match_seen`, in three queries."""
    kept = kept_sheet(match.sheet)
    return MatchPage(
        match,
        kept,
        sheet_table(kept.state, left_side=match.sheet.left_side),
        _bots_of(match.bots, kept),
        deals_with_hands(match),
    )


def deals_with_hands(match: BotMatch) -> tuple[DealHands, ...]:
    """The deals with recorded hands, which can be shown move by move."""
    hands = BotHand.objects.filter(match=match).order_by("deal", "table").values_list("deal", "table")
    return tuple(
        DealHands(number, tuple(table + 1 for _deal, table in tables))
        for number, tables in groupby(hands, key=lambda hand: hand[0])
    )


def hand_page(match: BotMatch, deal: int, table: int) -> HandPage | None:
    """The hand of this deal and table (both from 1), in four queries; None if there is none."""
    hand = BotHand.objects.filter(match=match, deal=deal, table=table - 1).first()
    if hand is None:
        return None
    kept = kept_sheet(match.sheet)
    rules = match.sheet.rules.rules
    kind = hand_class(rules, len(kept.sides[0].players))
    others = BotHand.objects.filter(match=match).order_by("deal", "table").values_list("deal", "table")
    numbers = sorted({number for number, _table in others})
    at = numbers.index(deal)
    seats = _seats(match.bots, kept)
    players = _players_in(match, kept, deal)[table - 1]
    return HandPage(
        match,
        deal,
        table,
        tuple(at_table + 1 for number, at_table in others if number == deal),
        tuple([seats[player] for player in players]),
        replayed(
            rules, read_log(hand.log, kind.parsed), players=players, kind=kind, estimates=hand.estimates
        ),
        numbers[at - 1] if at else None,
        numbers[at + 1] if at + 1 < len(numbers) else None,
    )


def _players_in(match: BotMatch, kept: KeptSheet, deal: int) -> list[tuple[str, ...]]:
    """Who plays the hands of a deal, by table and seat: as they were dealt after the deals before."""
    sheet = RunningSheet(kept.sheet.rules.rules, kept.sides, surplus="keep")
    dealing = dealing_of(sheet, match.seed)
    for earlier in kept.deals[: deal - 1]:
        dealing.note(sheet.add(earlier))
    return [hand.players for hand in dealing.hands(deal)]


def seated_bot(bots: Any, number: int, name: str) -> SeatedBot:
    """The bot in this seat, from the `bots` of a match."""
    bot = bots.get(str(number), {})
    return SeatedBot(name, bot.get("strategy", ""), bot.get("level"))


def _listed(rows: QuerySet[BotMatch]) -> list[ListedMatch]:
    """The matches for a list, in three queries."""
    found = []
    for match in rows.select_related("sheet").prefetch_related("sheet__sides", "sheet__seats"):
        sides = sorted(match.sheet.sides.all(), key=lambda side: side.position)
        seats = sorted(match.sheet.seats.all(), key=lambda seat: seat.number)
        bots = [
            tuple(seated_bot(match.bots, seat.number, seat.name) for seat in seats if seat.side_id == side.pk)
            for side in sides
        ]
        found.append(ListedMatch(match, tuple([side.name for side in sides]), tuple(bots)))
    return found


def _bots_of(bots: Any, kept: KeptSheet) -> tuple[tuple[SeatedBot, ...], ...]:
    seats = _seats(bots, kept)
    return tuple([tuple([seats[name] for name in side.players]) for side in kept.sides])


def _seats(bots: Any, kept: KeptSheet) -> dict[str, SeatedBot]:
    return {name: seated_bot(bots, number, name) for number, name in kept.seat_names.items()}


def _plays(bots: Any, strategy: str, level: int | None) -> bool:
    return any(
        bot["strategy"] == strategy and (level is None or bot.get("level") == level) for bot in bots.values()
    )
