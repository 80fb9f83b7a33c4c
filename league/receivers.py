"""What league does when a sheet changes: it writes the match's result and asks for the table."""

from typing import Any

from django.dispatch import receiver

from league.models import STATED, Match, MatchState
from league.services.advancing import check_goes_on
from league.services.eligibility import check_not_withdrawn
from league.services.qualifying import check_bracket_fits
from league.services.results import COUNTED_FIELDS, match_fields
from league.services.standings import request_standings
from scoring.actors import Actor, ActorKind
from scoring.models import ActKind, Scoresheet, SheetAct, SheetStatus
from scoring.signals import sheet_changed


@receiver(sheet_changed, sender=Scoresheet, dispatch_uid="league.sheet_changed")
def write_result(sheet: Scoresheet, act: SheetAct, **_: Any) -> None:
    """Brings the match in line with its sheet; runs in the transaction that locked the sheet.

    A stated forfeit or walkover stands until the director takes it back. The table is asked for only where
    what it counts has changed: a hand in the middle of a match does not touch it.
    Refused, and with it the act: a match that begins although a side has withdrawn (`withdrawn`), and a
    correction by which somebody else would go on in a bracket, unless a director makes it (`next_begun`).
    """
    if _is_one_more_deal(sheet, act):
        return
    fields = match_fields(sheet)
    rows = Match.objects.select_related("entry_a", "entry_b", "partner_a", "partner_b")
    match = next(iter(rows.filter(sheet=sheet).order_by()), None)
    if match is None or match.state in STATED:
        return
    changed = {name for name, value in fields.items() if getattr(match, name) != value}
    if not changed:
        return
    if match.state == MatchState.SCHEDULED and act.kind == ActKind.RECORD:
        check_not_withdrawn(match)
    was_counted = match.is_counted
    for name, value in fields.items():
        setattr(match, name, value)
    # Asked of the row again: what was stated meanwhile is not written over.
    written = Match.objects.filter(pk=match.pk).exclude(state__in=STATED).update(**fields)
    if written and was_counted:
        by = Actor(ActorKind(act.actor_kind), act.actor_id, act.actor_name)
        check_goes_on(match, by)
        check_bracket_fits(match, by)
    if written and (was_counted or match.is_counted) and changed & COUNTED_FIELDS:
        request_standings(match.event_id)


def _is_one_more_deal(sheet: Scoresheet, act: SheetAct) -> bool:
    """Whether this is by far the most frequent change: a sheet that goes on has one deal more.

    Its match says that it is being played since the first of them, and nothing more.
    """
    return (
        act.kind == ActKind.RECORD
        and sheet.status == SheetStatus.OPEN
        and sheet.paper is None
        and sheet.version > 1
        and act.answer is not None
        and (act.answer["first"] or 0) > 1
    )
