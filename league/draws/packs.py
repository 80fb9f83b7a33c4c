"""The packs of a round of a duplicate event: drawn or taken from a list.

Where it is played at tables directors see the cards at any time, since they lay them out; everybody else, and
everybody where it is played on this site, when the round is over. What they are is fixed before by a
commitment that all see.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import GameError
from games.gin.cards import text_of
from games.tables.duplicate import pack_count
from games.tables.pack_lists import read_pack_list
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.packs import keep_packs, shuffled_packs
from league.models import Event, PlayedWhere, Round, RoundPacks, RoundState
from league.policy import Permission, require
from league.record.audit import locked
from scoring.core.actors import Actor
from scoring.words.messages import translated


@transaction.atomic
def draw_packs(*, actor: Actor, round_: Round) -> RoundPacks:
    """Shuffle the packs of a round, each from the system's own randomness; refused as `check_changeable`."""
    event, round_ = _locked(actor, round_)
    return keep_packs(actor, event, round_, shuffled_packs(event), "round.draw_packs")


@transaction.atomic
def take_packs(*, actor: Actor, round_: Round, listed: str) -> RoundPacks:
    """Take the packs of a round from a list (`read_pack_list`).

    Refused as by `check_listable` and, at field `packs`, what is no list of as many packs as a round has.
    """
    event, round_ = _locked(actor, round_)
    check_listable(event, round_)
    try:
        packs = read_pack_list(listed, count=pack_count(event.rules.rules, event.pack_times))
    except GameError as refusal:
        raise LeagueError(refusal.code, translated(refusal.message), field=refusal.field) from None
    return keep_packs(actor, event, round_, [text_of(pack) for pack in packs], "round.take_packs")


def check_changeable(event: Event, round_: Round) -> None:
    """Refuse to set the packs of a round of plain deals (`not_duplicate`), and of one that is not open.

    That is a draft, whose rules may still change (`round_drafted`), or a closed one (`wrong_state`); and
    `has_begun` once anything is on a sheet, or a table on this site has opened.
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
    if round_.matches.filter(sheet__table_match__is_duplicate=True).exists():
        raise LeagueError("has_begun", _("Its packs are in play: a table has opened already."))


def check_listable(event: Event, round_: Round) -> None:
    """Refuse as `check_changeable`, and (`online`) a list of packs that are played on this site.

    Nobody knows those before they are played.
    """
    check_changeable(event, round_)
    if event.played != PlayedWhere.AT_TABLE:
        raise LeagueError(
            "online", _("Packs that are played on this site are drawn by it: nobody is to know them before.")
        )


def _locked(actor: Actor, round_: Round) -> tuple[Event, Round]:
    require(actor, Permission.DIRECT, round_.event.club)
    event = locked(round_.event)
    round_ = locked(round_)
    check_changeable(event, round_)
    return event, round_
