"""The packs of a round of a duplicate event: drawn or taken from a list, and who may see them.

Directors see the cards at any time, since they lay them out; everybody else when the round is over. What they
are is fixed before by a commitment that all see.
"""

import secrets
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import GameError
from games.gin.cards import CARD_COUNT, text_of
from games.tables.duplicate import pack_count
from games.tables.pack_lists import read_pack_list
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import Event, Round, RoundPacks, RoundState
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from scoring.core.actors import Actor
from scoring.words.messages import translated

_NONCE_BYTES: Final = 32


@transaction.atomic
def draw_packs(*, actor: Actor, round_: Round) -> RoundPacks:
    """Shuffle the packs of a round, each from the system's own randomness; refused as `check_changeable`."""
    event, round_ = _locked(actor, round_)
    packs = []
    for _number in range(pack_count(event.rules.rules)):
        cards = list(range(CARD_COUNT))
        secrets.SystemRandom().shuffle(cards)
        packs.append(text_of(cards))
    return _keep(actor, event, round_, packs, "round.draw_packs")


@transaction.atomic
def take_packs(*, actor: Actor, round_: Round, listed: str) -> RoundPacks:
    """Take the packs of a round from a list (`read_pack_list`).

    Refused as by `check_changeable` and, at field `packs`, what is no list of as many packs as a round has.
    """
    event, round_ = _locked(actor, round_)
    try:
        packs = read_pack_list(listed, count=pack_count(event.rules.rules))
    except GameError as refusal:
        raise LeagueError(refusal.code, translated(refusal.message), field=refusal.field) from None
    return _keep(actor, event, round_, [text_of(pack) for pack in packs], "round.take_packs")


def check_changeable(event: Event, round_: Round) -> None:
    """Refuse to set the packs of a round of plain deals (`not_duplicate`), and of one that is not open.

    That is a draft, whose rules may still change (`round_drafted`), or a closed one (`wrong_state`); and
    `has_begun` once anything is on a sheet.
    """
    if not event.is_duplicate:
        raise LeagueError("not_duplicate", _("Not every table of this event plays the same packs."))
    check_doing(event.name, event.state, Doing.PLAY)
    if round_.state == RoundState.DRAFTED:
        raise LeagueError("round_drafted", _("%(round)s is a draft: publish it first.") % {"round": round_})
    if round_.state == RoundState.COMPLETE:
        raise LeagueError("wrong_state", _("%(round)s is closed: open it again first.") % {"round": round_})
    if round_.matches.filter(sheet__version__gt=0).exists():
        raise LeagueError("has_begun", _("Its packs are in play: something is on a sheet already."))


def _locked(actor: Actor, round_: Round) -> tuple[Event, Round]:
    require(actor, Permission.DIRECT, round_.event.club)
    event = locked(round_.event)
    round_ = locked(round_)
    check_changeable(event, round_)
    return event, round_


def _keep(actor: Actor, event: Event, round_: Round, packs: list[str], action: str) -> RoundPacks:
    nonce = secrets.token_hex(_NONCE_BYTES)
    kept, _made = RoundPacks.objects.update_or_create(round=round_, defaults={"packs": packs, "nonce": nonce})
    # The commitment and never the cards: those who read the audit list play.
    record_audit(
        actor=actor, action=action, target=round_, club=event.club, after={"commitment": kept.commitment}
    )
    return kept
