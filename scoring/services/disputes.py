"""Disputes: a side objects to its sheet, and the result does not count until that is settled.

A dispute outlives a correction, which may not have covered all of it. It ends when the director, or the side
itself, says in a sentence how.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.models import ActKind, Dispute, DisputeSettlement, Scoresheet, SheetStatus
from scoring.policy import SheetAction, policy
from scoring.services.acts import (
    ask,
    check_not_void,
    check_version,
    checked_reason,
    locked_sheet,
    not_allowed,
    write_act,
)
from scoring.signals import sheet_changed


def open_disputes(sheet: Scoresheet) -> QuerySet[Dispute]:
    """The unsettled disputes of a sheet, oldest first."""
    return sheet.disputes.filter(settlement=None)


@transaction.atomic
def dispute_sheet(
    *,
    actor: Actor,
    sheet: Scoresheet,
    sentence: str,
    side: int | None = None,
    expected_version: int | None = None,
) -> Dispute:
    """Disputes this version of the sheet for a side, by default the actor's own.

    Repeating the same sentence while the dispute is open returns that dispute. Refused: a sheet still open
    (`sheet_open`), an empty sentence (`reason_missing`), no side or several to choose from (`side_missing`),
    another's side (`not_your_side`, unless the actor may correct the sheet), and a second open dispute of a
    side (`disputed`).
    """
    locked = locked_sheet(sheet)
    asked = None if side is None else checked_sides(locked, [side])
    ask(actor, SheetAction.DISPUTE, locked)
    sentence = checked_reason(sentence, field="sentence")
    standing = open_disputes(locked).filter(sentence=sentence, **Dispute.actor_fields(actor))
    if repeated := standing.filter(version=locked.version).first():
        return repeated
    check_version(locked, expected_version)
    check_not_void(locked)
    if locked.status == SheetStatus.OPEN:
        raise RecordingError("sheet_open", _("A sheet can be disputed only when it has ended."))
    if asked is None or not policy().allows(actor, SheetAction.CORRECT, locked):
        asked = for_own_sides(actor, locked, asked)
    if len(asked) != 1:
        raise RecordingError("side_missing", _("Say which side disputes the sheet."), field="side")
    (disputing,) = asked
    if open_disputes(locked).filter(side=disputing).exists():
        raise RecordingError("disputed", _("This side disputes the sheet already."), field="side")
    act = write_act(locked, actor, ActKind.DISPUTE, reason=sentence, body={"side": disputing})
    dispute = Dispute.objects.create(
        sheet=locked,
        act=act,
        version=locked.version,
        side=disputing,
        sentence=sentence,
        **Dispute.actor_fields(actor),
    )
    sheet_changed.send(Scoresheet, sheet=locked, state=None, act=act)
    return dispute


@transaction.atomic
def settle_dispute(*, actor: Actor, dispute: Dispute, reason: str) -> DisputeSettlement:
    """Ends a dispute with a sentence, by an officer who may settle or by the side that raised it.

    Changes to the sheet are separate corrections. Repeating the sentence as the same actor returns the same
    settlement; otherwise a settled dispute is refused (`settled`).
    """
    locked = locked_sheet(dispute.sheet)
    if dispute.side in policy().own_sides(actor, locked):
        if not policy().allows(actor, SheetAction.DISPUTE, locked):
            raise not_allowed(actor)
    else:
        ask(actor, SheetAction.SETTLE, locked)
    reason = checked_reason(reason)
    fields = DisputeSettlement.actor_fields(actor)
    settled = DisputeSettlement.objects.filter(dispute=dispute).first()
    if settled is not None:
        if settled.reason == reason and all(getattr(settled, name) == fields[name] for name in fields):
            return settled
        raise RecordingError("settled", _("This has been settled already."))
    act = write_act(locked, actor, ActKind.SETTLE, reason=reason, body={"dispute": dispute.pk})
    settlement = DisputeSettlement.objects.create(dispute=dispute, act=act, reason=reason, **fields)
    sheet_changed.send(Scoresheet, sheet=locked, state=None, act=act)
    return settlement


def checked_sides(sheet: Scoresheet, sides: Iterable[int], *, field: str = "sides") -> set[int]:
    """The sides named; any that the sheet does not have is refused (`unknown_side`)."""
    named, last = set(sides), len(sheet.nets) - 1
    if not named <= set(range(last + 1)):
        raise RecordingError(
            "unknown_side", _("This sheet has the sides 0 to %(last)d.") % {"last": last}, field=field
        )
    return named


def for_own_sides(actor: Actor, sheet: Scoresheet, asked: set[int] | None) -> set[int]:
    """The actor's own sides among these, or all of them if none are named.

    A side that is not the actor's is refused (`not_your_side`).
    """
    own = set(policy().own_sides(actor, sheet))
    if asked is None:
        return own
    if not asked <= own:
        raise RecordingError(
            "not_your_side",
            _("%(actor)s does not speak for this side.") % {"actor": actor.name},
            field="side",
        )
    return asked
