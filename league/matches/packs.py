"""The packs of a round of duplicate that is played on this site: there before its first table opens.

Nobody sees them before the round is over, neither who directs nor who plays (RULES §24).
"""

import secrets
from typing import Final

from django.utils.translation import gettext as _

from games.gin.cards import CARD_COUNT, text_of
from games.tables.duplicate import pack_count
from league.bots.house_bots import as_league
from league.errors import LeagueError
from league.models import Event, FormerSheet, Match, PlayedWhere, Round, RoundPacks, RoundState
from league.record.audit import locked, record_audit
from scoring.core.actors import Actor

_NONCE_BYTES: Final = 32


def hold_packs(*, actor: Actor, match: Match) -> None:
    """See that the round of a match of duplicate has packs, and that they stay until its table is open.

    If nobody has drawn them they are drawn now. It does nothing for a match with plain deals, as a play-off
    is one. Its sheet is locked by the caller, the round here. Refused: an event at tables, where directors
    see the packs (`not_online`), a round that is not open (`wrong_state`), and a match of which a sheet was
    voided after its players had seen cards (`same_pack`).
    """
    event = match.event
    if not event.is_duplicate or match.play_off_id is not None:
        return
    if event.played != PlayedWhere.ONLINE:
        raise LeagueError("not_online", _("The matches of this event are played at a table."))
    round_ = locked(match.round)
    if round_.state != RoundState.PUBLISHED:
        raise LeagueError("wrong_state", _("The round of this match is not open."))
    if FormerSheet.objects.filter(match=match, sheet__table_match__is_duplicate=True).exists():
        raise LeagueError(
            "same_pack", _("Both sides have seen cards of these packs, and do not play them on a new sheet.")
        )
    if not RoundPacks.objects.filter(round=round_).exists():
        keep_packs(actor, event, round_, shuffled_packs(event), "round.draw_packs")


def shuffled_packs(event: Event) -> list[str]:
    """As many packs as a round has, each shuffled from the system's own randomness, as text."""
    with as_league():
        count = pack_count(event.rules.rules, event.pack_times)
    packs = []
    for _number in range(count):
        cards = list(range(CARD_COUNT))
        secrets.SystemRandom().shuffle(cards)
        packs.append(text_of(cards))
    return packs


def keep_packs(actor: Actor, event: Event, round_: Round, packs: list[str], action: str) -> RoundPacks:
    """Keep these packs of a locked round in place of any that it has, with a new nonce."""
    nonce = secrets.token_hex(_NONCE_BYTES)
    kept, _made = RoundPacks.objects.update_or_create(round=round_, defaults={"packs": packs, "nonce": nonce})
    # The commitment and never the cards: those who read the audit list play.
    record_audit(actor, action, round_, after={"commitment": kept.commitment})
    return kept
