"""Confirms results: the director has seen them, or overrides what they wait for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.advancing import check_goes_on
from league.draws.qualifying import check_bracket_fits
from league.errors import LeagueError
from league.matches.counting import ENDED, Waits, may_be_confirmed, said_of, waits_for, with_what_counts
from league.models import AWARDED, Match, Round
from league.notices.causes import result_counts
from league.policy import Permission, require
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import lock_match, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Which of several matches count now, and of the others why not."""

    matches: Sequence[Match]
    refused: Sequence[str]


@transaction.atomic
def confirm_results(
    *, actor: Actor, round_: Round, versions: Mapping[int, int], reason: str = ""
) -> Confirmed:
    """Make several matches of a round count, each as `confirm_result` or not at all.

    `versions` are those of their sheets that the director has seen, by the ids of the matches. Refused as a
    whole (`none_counts`) only if every one of them is.
    """
    require(actor, Permission.DIRECT, round_.event.club)
    chosen = round_.matches.filter(pk__in=versions)
    lock_matches(chosen)
    counted: list[Match] = []
    refused: list[str] = []
    for match in chosen.with_sides("event__club", "round").order_by("table", "pk"):
        try:
            counted.append(
                confirm_result(actor=actor, match=match, reason=reason, version=versions[match.pk])
            )
        except LeagueError as refusal:
            refused.append(translated(refusal.message))
    if not counted:
        raise LeagueError("none_counts", " ".join(refused) or _("There is no such match in this round."))
    return Confirmed(counted, refused)


def confirmable(round_: Round) -> list[tuple[Match, Scoresheet, list[Waits]]]:
    """Return the matches of a round that can be confirmed now, with their sheets and what they wait for."""
    found = []
    rows = with_what_counts(round_.matches.filter(held=True).exclude(state__in=AWARDED))
    for match in rows.order_by(F("table").asc(nulls_last=True), "pk"):
        sheet = match.sheet
        waits = waits_for(match, sheet, said_of(match))
        if sheet is not None and sheet.status in ENDED and may_be_confirmed(waits):
            found.append((match, sheet, waits))
    return found


@transaction.atomic
def confirm_result(*, actor: Actor, match: Match, reason: str = "", version: int | None = None) -> Match:
    """Make a match count as its sheet stands now, whatever its signatures; recorded in the audit.

    Passing over signatures needs a reason. The confirmation holds for this version of the sheet: a correction
    must be signed or confirmed again. Refused: a sheet that has not ended (`sheet_open`), one that counts
    (`nothing_changed`), a deal entered in two ways (`claimed`), a dispute (`disputed`), a difference from the
    paper (`paper_differs`), and a sheet that is no longer at the `version` given (`changed`).
    """
    require(actor, Permission.DIRECT, match.event.club)
    match, sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.CORRECT)
    sheet, waits = check_confirmable(match, sheet)
    if version is not None and sheet.version != version:
        raise LeagueError(
            "changed", _("The sheet of %(label)s has just changed: look at it.") % {"label": match.label}
        )
    passes_over = waits != [Waits.DIRECTOR]
    reason = given_reason(reason) if passes_over or reason.strip() else ""
    before = {"held": match.held, "waits": [str(each.label) for each in waits]}
    match.confirmed_version = sheet.version
    match.held = False
    match.save(update_fields=["confirmed_version", "held"])
    record_audit(
        actor,
        "match.confirm",
        match,
        before=before,
        after={"held": False, "version": match.confirmed_version},
        reason=reason,
    )
    check_goes_on(match, actor)
    check_bracket_fits(match, actor)
    result_counts(match, actor)
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
