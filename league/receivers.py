"""What league does when a sheet changes: it writes the match's result and asks for the table."""

from typing import Any

from django.dispatch import receiver

from league.models import STATED, UNPLAYED, Match, MatchState
from league.services.results import COUNTED_FIELDS, match_fields
from league.services.standings import request_standings
from scoring.models import Scoresheet
from scoring.signals import sheet_changed


@receiver(sheet_changed, sender=Scoresheet, dispatch_uid="league.sheet_changed")
def write_result(sheet: Scoresheet, **_: Any) -> None:
    """Brings the match in line with its sheet; runs in the transaction that locked the sheet.

    A stated forfeit or walkover stands until the director takes it back. The table is asked for only where
    what it counts has changed: a hand in the middle of a match does not touch it.
    """
    fields = match_fields(sheet)
    if fields["state"] == MatchState.PLAYING:
        # By far the most frequent, and one statement: a match without a result gets another hand.
        unplayed = Match.objects.filter(sheet=sheet, state__in=UNPLAYED)
        if unplayed.update(**fields):
            return
    match = next(iter(Match.objects.filter(sheet=sheet).order_by()), None)
    if match is None or match.state in STATED:
        return
    changed = {name for name, value in fields.items() if getattr(match, name) != value}
    if not changed:
        return
    was_counted = match.is_counted
    for name, value in fields.items():
        setattr(match, name, value)
    # Asked of the row again: what was stated meanwhile is not written over.
    written = Match.objects.filter(pk=match.pk).exclude(state__in=STATED).update(**fields)
    if written and (was_counted or match.is_counted) and changed & COUNTED_FIELDS:
        request_standings(match.event_id)
