"""Records a deal played by bots on the sheet, with its hands move by move."""

from typing import Final

from django.db import transaction
from django.utils.translation import ngettext

from games.models import BotHand, BotMatch, BotMatchState
from games.services.ending import end
from games.services.leases import note_progress
from games.tables.playing import TableDeal
from scoring.core.actors import Actor, ActorKind
from scoring.models import SheetStatus
from scoring.services import Receipt, record_deals
from scoring.services.records import KeptSheet

# An author's name has 150 characters: room for four names, perhaps shortened, and the number of others.
MOST_NAMED: Final = 4
LONGEST_NAME: Final = 30


@transaction.atomic
def record_played(
    match: BotMatch, token: str, kept: KeptSheet, played: TableDeal, *, expected_version: int
) -> Receipt:
    """Records the next deal on the sheet at that version, with its hands; the last deal ends the match.

    All or nothing: `LeaseLost` if another worker plays the match by now, and whatever `record_deals` refuses,
    such as `stale_version` after somebody else's entry.
    """
    receipt = record_deals(
        actor=actor_of(match),
        sheet=kept.sheet,
        deals=[kept.reader.read(played.deal, played.number)],
        expected_version=expected_version,
    )
    BotHand.objects.bulk_create(
        [
            BotHand(match=match, deal=played.number, table=table, log=log, estimates=estimates)
            for table, (log, estimates) in enumerate(played.hands)
        ]
    )
    note_progress(match, token)
    if receipt.status != SheetStatus.OPEN:
        end(match, BotMatchState.FINISHED, token=token)
    return receipt


def actor_of(match: BotMatch) -> Actor:
    """The actor of a match's entries on its sheet, named after its bots: "Zork, Hal"."""
    names = list(match.sheet.seats.order_by("number").values_list("name", flat=True))
    more = len(names) - MOST_NAMED
    shown = ", ".join([_shortened(name) for name in names[:MOST_NAMED]])
    if more > 0:
        shown = ngettext("%(names)s and %(count)d more", "%(names)s and %(count)d more", more) % {
            "names": shown,
            "count": more,
        }
    return Actor(ActorKind.BOT, match.code, shown)


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
