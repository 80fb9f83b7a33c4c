"""The end of a sheet: time is called, sides sign, a difference from the paper is accepted, it is voided."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.models import ActKind, PaperState, Scoresheet, SheetAct, SheetStatus, Signature, SignatureMethod
from scoring.policy import SheetAction, policy
from scoring.services.acts import (
    Receipt,
    ask,
    check_not_void,
    check_version,
    checked_reason,
    commit,
    locked_sheet,
    write_act,
)
from scoring.services.disputes import checked_sides, for_own_sides, open_disputes
from scoring.services.records import kept_sheet
from scoring.signals import sheet_changed


@transaction.atomic
def stop_sheet(
    *, actor: Actor, sheet: Scoresheet, reason: str = "", expected_version: int | None = None
) -> Receipt:
    """Calls time: the open columns settle with points and boxes (RULES §5)."""
    locked = locked_sheet(sheet)
    ask(actor, SheetAction.STOP, locked)
    check_version(locked, expected_version)
    check_not_void(locked)
    reason = checked_reason(reason, required=False)
    if locked.status != SheetStatus.OPEN:
        raise RecordingError("sheet_finished", _("The sheet has ended already."))
    kept = kept_sheet(locked)
    locked.stopped = True
    return commit(kept, kept.score(kept.deals, stopped=True), actor, ActKind.STOP, [], reason=reason)


@transaction.atomic
def sign_sheet(
    *,
    actor: Actor,
    sheet: Scoresheet,
    sides: Iterable[int] | None = None,
    method: SignatureMethod | None = None,
    expected_version: int | None = None,
) -> list[Signature]:
    """Signs this version of the sheet for these sides, except those that have signed it.

    An actor who may correct the sheet attests to the paper: for all sides if none are named, and by
    `SignatureMethod.PAPER` unless another method is given. Anybody else signs for their own sides only
    (`not_your_side`) and always by `SignatureMethod.OWN`; so does an actor who may correct the sheet but also
    plays on it, except with `SignatureMethod.PAPER`. Refused: a sheet still open (`sheet_open`), a side that
    does not exist (`unknown_side`), and a side whose own dispute is open (`disputed`).
    """
    locked = locked_sheet(sheet)
    asked = None if sides is None else checked_sides(locked, sides)
    ask(actor, SheetAction.SIGN, locked)
    check_version(locked, expected_version)
    check_not_void(locked)
    if locked.status == SheetStatus.OPEN:
        raise RecordingError("sheet_open", _("A sheet can be signed only when it has ended."))
    attests = method == SignatureMethod.PAPER or not policy().own_sides(actor, locked)
    if attests and policy().allows(actor, SheetAction.CORRECT, locked):
        signing = set(range(len(locked.nets))) if asked is None else asked
        method = method or SignatureMethod.PAPER
    else:
        signing = for_own_sides(actor, locked, asked)
        method = SignatureMethod.OWN
    signed = set(locked.signatures.filter(version=locked.version).values_list("side", flat=True))
    missing = [side for side in sorted(signing) if side not in signed]
    if not missing:
        return []
    if open_disputes(locked).filter(side__in=missing).exists():
        raise RecordingError(
            "disputed", _("A side signs again when the dispute it has opened is settled."), field="sides"
        )
    act = write_act(locked, actor, ActKind.SIGN, body={"sides": missing, "method": method.value})
    fields = Signature.actor_fields(actor)
    signatures = [
        Signature.objects.create(
            sheet=locked, act=act, version=locked.version, side=side, method=method, **fields
        )
        for side in missing
    ]
    sheet_changed.send(Scoresheet, sheet=locked, state=None, act=act)
    return signatures


@transaction.atomic
def accept_difference(
    *, actor: Actor, sheet: Scoresheet, reason: str, expected_version: int | None = None
) -> SheetAct:
    """Lets the computed result count although the paper differs.

    The paper's figures, the actor and the reason remain visible.
    """
    locked = locked_sheet(sheet)
    ask(actor, SheetAction.ACCEPT, locked)
    check_version(locked, expected_version)
    check_not_void(locked)
    reason = checked_reason(reason)
    if locked.paper_state != PaperState.DIFFERS:
        raise RecordingError("nothing_changed", _("The sheet does not differ from its paper."))
    locked.paper_state = PaperState.ACCEPTED
    act = write_act(
        locked, actor, ActKind.ACCEPT, reason=reason, body={"paper": locked.paper, "nets": locked.nets}
    )
    locked.save(update_fields=["paper_state", "updated_at"])
    sheet_changed.send(Scoresheet, sheet=locked, state=None, act=act)
    return act


@transaction.atomic
def void_sheet(*, actor: Actor, sheet: Scoresheet, reason: str) -> Receipt:
    """Voids a whole sheet: its deals stay readable and count nothing. This cannot be undone."""
    locked = locked_sheet(sheet)
    ask(actor, SheetAction.VOID, locked)
    check_not_void(locked)
    reason = checked_reason(reason)
    kept = kept_sheet(locked)
    locked.status = SheetStatus.VOID
    return commit(kept, kept.state, actor, ActKind.VOID, [], reason=reason)
