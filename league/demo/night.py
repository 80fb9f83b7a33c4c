"""A demo round in progress, in which both sides sign before a match counts.

No two of its six tables are in the same state, so that the director's board and the phones have something to
show. Deals, signatures and disputes come in by the links of the tables.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from django.utils import timezone

from league.demo.hands import whole_sheet
from league.demo.lots import draw_by_names
from league.draws.round_life import draft_round, publish_round
from league.events.entries import enter_players
from league.events.event_life import start_event
from league.events.events import create_event
from league.matches.table_links import make_links
from league.models import Club, CountsWhen, Match, Player, TableLink
from league.policy import actor_at
from scoring.core.actors import Actor
from scoring.core.hands import Gin
from scoring.core.sheets import Deal
from scoring.models import HouseRules, Scoresheet
from scoring.services import dispute_sheet, sign_sheet
from scoring.services.claims import record_at_table
from scoring.services.records import kept_sheet

_NAME: Final = "Tonight at the Harbour"
_SLUG: Final = "tonight"
# A seed of its own, so that this does not affect the other events.
_SEED: Final = 20260606


def play_night(
    *,
    actor: Actor,
    club: Club,
    players: Sequence[Player],
    rules: HouseRules,
    progress: Callable[[int], object],
) -> None:
    """Play twelve `players` at six tables: signed, half signed, unsigned, disputed, with a claim, in play.

    `progress` is called for every sheet.
    """
    event = create_event(
        actor=actor,
        club=club,
        name=_NAME,
        slug=_SLUG,
        rules=rules,
        format="swiss",
        rounds_planned=3,
        counts_when=CountsWhen.BOTH_SIGNATURES,
    )
    enter_players(actor=actor, event=event, players=players)
    draw_by_names(event)
    event = start_event(actor=actor, event=event)
    drafted = draft_round(actor=actor, event=event, date=timezone.localdate(timezone=club.zone))
    round_ = publish_round(actor=actor, round_=drafted)
    chance = Random(_SEED)  # noqa: S311 - repeatable, not secret
    tables = [_Table(actor, match, chance) for match in round_.matches.order_by("table")]
    signed, by_one, by_none, disputed, two_ways, playing = tables
    for table in (signed, by_one, by_none, disputed):
        table.play(len(table.deals))
    for table, side in ((signed, 0), (signed, 1), (by_one, 0), (disputed, 0)):
        table.sign(side)
    disputed.dispute(1, "The last hand was an undercut: it is ours.")
    two_ways.play(2)
    two_ways.claim(1)
    playing.play(3)
    progress(len(tables))


class _Table:
    """A table with the links of its sides, and the deals of its sheet."""

    def __init__(self, actor: Actor, match: Match, chance: Random) -> None:
        self.sheet = _sheet_of(match)
        links: list[TableLink] = [link for link, _secret in make_links(actor=actor, match=match)]
        self.sides = [actor_at(link, match.side_name(link.side)) for link in links]
        self.deals = whole_sheet(self.sheet.rules.rules, kept_sheet(self.sheet).sides, chance)

    def play(self, count: int) -> None:
        """Enter the first `count` deals; the sides take turns."""
        for number, deal in enumerate(self.deals[:count], start=1):
            self._enter(number % 2, number, deal)

    def claim(self, number: int) -> None:
        """Have the other side enter deal `number` as a gin of its own."""
        side = 1 - number % 2
        (own,), (other,) = (kept_sheet(self.sheet).sides[each].players for each in (side, 1 - side))
        self._enter(side, number, Deal((Gin(own, other, 11),)))

    def sign(self, side: int) -> None:
        sign_sheet(actor=self.sides[side], sheet=self.sheet)

    def dispute(self, side: int, sentence: str) -> None:
        dispute_sheet(actor=self.sides[side], sheet=self.sheet, sentence=sentence)

    def _enter(self, side: int, number: int, deal: Deal) -> None:
        record_at_table(
            actor=self.sides[side], sheet=self.sheet, number=number, deal=deal, key=f"{side}-{number}"
        )


def _sheet_of(match: Match) -> Scoresheet:
    if match.sheet is None:
        raise ValueError(match)
    return match.sheet
