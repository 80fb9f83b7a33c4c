"""Common steps of every write: lock the sheet, ask the policy, append the act, signal the apps above."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self
from unicodedata import category

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.core.sheets import Deal, SheetState
from scoring.models import ActKind, DealVersion, Scoresheet, SheetAct, SheetStatus
from scoring.policy import SheetAction, policy
from scoring.services.deriving import DERIVED_FIELDS, derive, paper_state
from scoring.services.feats import feats_of, store_feats
from scoring.services.patience import locked_within_patience
from scoring.services.records import KeptSheet, kept_sheet
from scoring.signals import sheet_changed
from scoring.typing.paper_figures import Paper

LONGEST_KEY: Final = 200
LONGEST_REASON: Final = 300

# Built once, because it runs for every recorded hand.
_SHEETS: Final = Scoresheet.objects.order_by().select_for_update(no_key=True)

_WRITTEN_FIELDS = ("version", "stopped", "paper", "paper_state", "left_side", "updated_at", *DERIVED_FIELDS)

# What of a receipt is told as it is.
_TOLD: Final = ("sheet", "version", "first", "count", "status")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a write, now and whenever its key is sent again.

    `version` is the sheet's version after the act; `first` is the number of the first deal recorded (None if
    there was none), `count` how many were. `nets` are by side. `repeated` marks the stored answer to an
    earlier request.
    """

    sheet: str
    version: int
    first: int | None
    count: int
    status: str
    nets: tuple[int, ...]
    repeated: bool = False

    @classmethod
    def of(cls, sheet: Scoresheet, first: int | None, count: int) -> Self:
        """The answer to a write of this sheet."""
        return cls(sheet.code, sheet.version, first, count, str(sheet.status), tuple(sheet.nets))

    @classmethod
    def from_document(cls, answer: Mapping[str, Any]) -> Self:
        """The stored answer, given again."""
        told = {name: answer[name] for name in _TOLD}
        nets = answer.get("nets", [answer["net"], -answer["net"]])
        return cls(**told, nets=tuple(nets), repeated=True)

    def to_document(self) -> dict[str, Any]:
        """The stored answer: the same for the first request and every repetition."""
        told = {name: getattr(self, name) for name in _TOLD} | {"net": self.nets[0]}
        return told | ({"nets": list(self.nets)} if len(self.nets) > 2 else {})


def locked_sheet(sheet: Scoresheet) -> Scoresheet:
    """The sheet's row, locked until the transaction ends; `sheet` may carry nothing but its code."""
    asked = {"code": sheet.code} if sheet.pk is None else {"pk": sheet.pk}
    locked = locked_within_patience(_SHEETS.filter(**asked))
    if locked is None:
        raise RecordingError(
            "sheet_gone", _("This sheet is no longer there: the draw it came from was deleted.")
        )
    return locked


def ask(actor: Actor, action: SheetAction, sheet: Scoresheet) -> None:
    """Refuses an action the policy forbids, with the policy's own refusal or `not_allowed`."""
    if not policy().allows(actor, action, sheet):
        raise policy().refusal(actor, action, sheet) or not_allowed(actor)


def not_allowed(actor: Actor) -> RecordingError:
    """The refusal for an actor without permission."""
    return RecordingError("not_allowed", _("%(actor)s may not do this.") % {"actor": actor.name})


def check_version(sheet: Scoresheet, expected: int | None) -> None:
    """Refuses with `stale_version` if the writer saw another version; None skips the check."""
    if expected is not None and expected != sheet.version:
        raise RecordingError(
            "stale_version",
            _("The sheet was changed meanwhile: it is at version %(version)d, not %(expected)d.")
            % {"version": sheet.version, "expected": expected},
        )


def check_not_void(sheet: Scoresheet) -> None:
    """Refuses a voided sheet with `sheet_void`."""
    if sheet.status == SheetStatus.VOID:
        raise RecordingError("sheet_void", _("This sheet was voided."))


def checked_reason(reason: str, *, required: bool = True, field: str = "reason") -> str:
    """The reason on one line; refused if missing, too long, or not storable."""
    reason = " ".join(reason.split())
    if required and not reason:
        raise RecordingError("reason_missing", _("Give a reason."), field=field)
    if len(reason) > LONGEST_REASON:
        raise RecordingError(
            "too_long",
            _("A reason has at most %(most)d characters.") % {"most": LONGEST_REASON},
            field=field,
        )
    _check_storable(reason, field)
    return reason


def digest_of(kind: ActKind, deals: object, stopped: bool | None, paper: Paper | None, more: object) -> str:
    """A digest of the request, to notice a key that is reused with other content."""
    asked = [kind.value, deals, stopped, None if paper is None else paper.to_document(), more]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def kept_for(sheet: Scoresheet, actor: Actor, key: str | None) -> KeptSheet:
    """The stored sheet, with the actor's earlier use of this key; refuses an invalid key."""
    if key is None:
        return kept_sheet(sheet)
    check_key(key)
    return kept_sheet(sheet, by=actor, key=key)


def check_key(key: str) -> None:
    """Refuses a key that is too long or empty (`wrong_key`), or not storable."""
    if not 1 <= len(key) <= LONGEST_KEY:
        raise RecordingError(
            "wrong_key", _("A key has 1 to %(most)d characters.") % {"most": LONGEST_KEY}, field="key"
        )
    _check_storable(key, "key")


def repeated_receipt(kept: KeptSheet, *digests: str) -> Receipt | None:
    """The stored receipt if `kept_for` found the key used; other content is refused (`key_reused`).

    So is a key whose receipt is forgotten (`key_expired`).
    """
    if kept.answered is None:
        return None
    check_not_spent(kept.answered.digest)
    if kept.answered.digest not in digests or kept.answered.answer is None:
        raise key_reused()
    return Receipt.from_document(kept.answered.answer)


def key_reused() -> RecordingError:
    """The refusal of a key that was used with other content."""
    return RecordingError("key_reused", _("This key was used for something else."), field="key")


def check_not_spent(digest: str) -> None:
    """Refuses (`key_expired`) a key that was used so long ago that its receipt and digest are gone."""
    if not digest:
        raise RecordingError(
            "key_expired",
            _("This key was used long ago, and its answer is no longer kept. Read what the sheet says."),
            field="key",
        )


def commit(
    kept: KeptSheet,
    state: SheetState,
    actor: Actor,
    kind: ActKind,
    changes: Sequence[tuple[int, int, Deal]],
    *,
    key: str | None = None,
    digest: str = "",
    reason: str = "",
    paper: Paper | None = None,
    left_side: int | None = None,
    more: Mapping[str, Any] | None = None,
) -> Receipt:
    """Appends the act and its deals, stores the derived state, and signals the apps above.

    The sheet is locked. `more` is added to the act's body.
    """
    sheet = kept.sheet
    sheet.version += 1
    had_ended = sheet.status != SheetStatus.OPEN
    derive(sheet, kept, state)
    sheet.paper_state = paper_state(sheet.paper, state)
    first = changes[0][0] if changes else None
    receipt = Receipt.of(sheet, first, len(changes))
    body: dict[str, Any] = {"stopped": sheet.stopped, **(more or {})}
    if paper is not None:
        body["paper"] = paper.to_document()
    if left_side is not None:
        body["left_side"] = left_side
    act = write_act(
        sheet, actor, kind, reason=reason, body=body, key=key, digest=digest, answer=receipt.to_document()
    )
    if changes:
        DealVersion.objects.bulk_create(
            [
                DealVersion(sheet=sheet, act=act, number=number, version=version, body=kept.stored(deal))
                for number, version, deal in changes
            ]
        )
    sheet.updated_at = timezone.now()
    Scoresheet.objects.filter(pk=sheet.pk).update(**{name: getattr(sheet, name) for name in _WRITTEN_FIELDS})
    if had_ended or state.status != "open":
        store_feats(sheet.pk, feats_of(kept, state))
    sheet_changed.send(Scoresheet, sheet=sheet, state=state, act=act)
    return receipt


def write_act(
    sheet: Scoresheet,
    actor: Actor,
    kind: ActKind,
    *,
    reason: str = "",
    body: dict[str, Any] | None = None,
    key: str | None = None,
    digest: str = "",
    answer: dict[str, Any] | None = None,
) -> SheetAct:
    """Appends an act at the sheet's current version."""
    act = SheetAct(
        sheet=sheet,
        kind=kind,
        version=sheet.version,
        reason=reason,
        key=key,
        key_holder="" if key is None else actor.key_holder,
        digest=digest,
        answer=answer,
        body=body or {},
        **SheetAct.actor_fields(actor),
        **SheetAct.origin_fields(actor),
    )
    SheetAct.objects.bulk_create([act])
    return act


def _check_storable(text: str, field: str) -> None:
    if any(category(character) in ("Cc", "Cs") for character in text):
        raise RecordingError(
            "wrong_text",
            _("The %(field)s has a character that cannot be kept.") % {"field": field},
            field=field,
        )
