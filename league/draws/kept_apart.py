"""Pairs kept apart by the pairing: the same family, the same car."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.formats import format_of
from league.errors import LeagueError
from league.models import Entry, Event, ForbiddenPair
from league.policy import Permission, require
from league.policy.eligibility import check_entered
from league.record.audit import add_row, directed, locked, remove_row
from scoring.core.actors import Actor


@transaction.atomic
def keep_apart(*, actor: Actor, event: Event, one: Entry, other: Entry, reason: str = "") -> ForbiddenPair:
    """Keep two entries apart in future pairings; existing ones stay, and a draft is stale (`staleness`).

    Refused (`not_apart`) if the format has no choice: everyone meets everyone, or seeds or lot decide.
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.SEED)
    if not keeps_apart(event):
        raise LeagueError(
            "not_apart",
            _("%(format)s: it is not chosen who meets whom, so nobody can be kept apart.")
            % {"format": event.get_format_display().capitalize()},
        )
    for entry, field in ((one, "one"), (other, "other")):
        check_entered(event, entry, field)
    if one == other:
        raise LeagueError("same_entry", _("Choose two different entries."), field="other")
    first, second = sorted((one, other), key=lambda entry: entry.pk)
    if ForbiddenPair.objects.filter(event=event, entry_a=first, entry_b=second).exists():
        raise LeagueError(
            "kept_apart_already", _("%(a)s and %(b)s are kept apart already.") % {"a": one, "b": other}
        )
    pair = ForbiddenPair(event=event, entry_a=first, entry_b=second, reason=" ".join(reason.split()))
    add_row(actor, "forbidden.add", pair)
    return pair


def keeps_apart(event: Event) -> bool:
    """True if the event's format respects pairs to be kept apart."""
    return format_of(event).keeps_apart


@transaction.atomic
def allow_pair(*, actor: Actor, pair: ForbiddenPair) -> None:
    """Let two entries meet again."""
    require(actor, Permission.DIRECT, pair.event.club)
    event = locked(pair.event)
    check_doing(event.name, event.state, Doing.SEED)
    remove_row(actor, "forbidden.remove", locked(pair))
