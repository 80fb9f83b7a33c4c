"""Confirms results: the director has seen them, or overrides what they wait for."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.advancing import check_goes_on
from league.draws.qualifying import check_bracket_fits
from league.errors import LeagueError
from league.matches.counting import ENDED, Waits, waits_for
from league.models import AWARDED, Match
from league.policy import Permission, require
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import Scoresheet


@transaction.atomic
def confirm_result(*, actor: Actor, match: Match, reason: str = "") -> Match:
    """Make a match count as its sheet stands now, whatever its signatures; recorded in the audit.

    Passing over signatures needs a reason. The confirmation holds for this version of the sheet: a correction
    must be signed or confirmed again. Refused: a sheet that has not ended (`sheet_open`), one that counts
    (`nothing_changed`), a deal entered in two ways (`claimed`), a dispute (`disputed`), a difference from the
    paper (`paper_differs`).
    """
    require(actor, Permission.DIRECT, match.event.club)
    match, sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.CORRECT)
    sheet, waits = check_confirmable(match, sheet)
    passes_over = waits != [Waits.DIRECTOR]
    reason = given_reason(reason) if passes_over or reason.strip() else ""
    before = {"held": match.held, "waits": [str(each.label) for each in waits]}
    match.confirmed_version = sheet.version
    match.held = False
    match.save(update_fields=["confirmed_version", "held"])
    record_audit(
        actor=actor,
        action="match.confirm",
        target=match,
        club=event.club,
        before=before,
        after={"held": False, "version": match.confirmed_version},
        reason=reason,
    )
    check_goes_on(match, actor)
    check_bracket_fits(match, actor)
    request_standings(event.pk)
    return match


def check_confirmable(match: Match, sheet: Scoresheet | None) -> tuple[Scoresheet, list[Waits]]:
    """Return the sheet and what a confirmation would pass over; refused as by `confirm_result`."""
    if sheet is None or sheet.status not in ENDED or match.state in AWARDED:
        raise LeagueError("sheet_open", _("%(label)s has no sheet that has ended.") % {"label": match.label})
    waits = waits_for(match, sheet)
    if not waits:
        raise LeagueError("nothing_changed", _("%(label)s counts already.") % {"label": match.label})
    if Waits.CLAIM in waits:
        raise LeagueError(
            "claimed",
            _("A deal of %(label)s was entered in two ways; decide between them first.")
            % {"label": match.label},
        )
    if Waits.DISPUTE in waits:
        raise LeagueError("disputed", _("%(label)s is disputed; settle that first.") % {"label": match.label})
    if Waits.PAPER in waits:
        raise LeagueError(
            "paper_differs",
            _("%(label)s differs from its paper; correct the sheet or accept the difference first.")
            % {"label": match.label},
        )
    return sheet, waits
