"""New versions of house rules, and new blank sheets."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import ManyToOneRel
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError, SheetError
from scoring.core.keys import stored_forms
from scoring.core.lengths import Length
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.documents.sides import read_sides
from scoring.models import HouseRules, OpeningKey, Scoresheet, Seat, Side
from scoring.policy import SheetAction, policy
from scoring.services.acts import ask, check_key, check_not_spent, key_reused, locked_sheet, not_allowed

LONGEST_LABEL: Final = 40


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """A sheet to be opened: its sides, its printed label, and the keys of its players by name.

    `opened_at` is when the paper of a past evening was begun; None is now.
    """

    sides: tuple[SheetSide, ...]
    label: str = ""
    persons: Mapping[str, str] = field(default_factory=dict)
    opened_at: datetime | None = None


def make_house_rules(
    *,
    actor: Actor,
    name: str,
    rules: Rules,
    earlier: HouseRules | None = None,
    copied_from: HouseRules | None = None,
) -> HouseRules:
    """A new version of `earlier`, or new rules, perhaps a copy; every knob is stored."""
    fields: dict[str, Any] = {"name": name, "knobs": rules.to_document(), **HouseRules.actor_fields(actor)}
    if earlier is None:
        return HouseRules.objects.create(copied_from=copied_from, **fields)
    with transaction.atomic():
        versions = HouseRules.objects.filter(code=earlier.code)
        # Of two directors at once the second waits here, and continues from the first one's version.
        first = versions.select_for_update(no_key=True).earliest("version")
        newest = versions.latest("version")
        return HouseRules.objects.create(code=first.code, version=newest.version + 1, **fields)


def rules_of_length(*, actor: Actor, rules: HouseRules, length: Length, size: int) -> HouseRules:
    """These rules for sheets of this length between sides of this size: themselves, if they say the same.

    All sheets of a length share one row of their own, which is on no list. Refuses as `Length.of`.
    """
    played = length.of(rules.rules, size)
    if played == rules.rules:
        return rules
    row, _is_new = HouseRules.objects.get_or_create(
        code=f"{rules.code}-{length.beside(rules.rules, size)}",
        version=rules.version,
        defaults={
            "name": rules.name,
            "knobs": played.to_document(),
            "copied_from": rules,
            **HouseRules.actor_fields(actor),
        },
    )
    return row


def delete_unused_rules(rules: Iterable[int]) -> None:
    """Delete those of these versions that nothing refers to, in any app.

    Copies go before what they were copied from.
    """
    left = set(rules)
    referring = [
        field.remote_field
        for field in HouseRules._meta.get_fields(include_hidden=True)
        if isinstance(field, ManyToOneRel)
    ]
    while left:
        used = {
            key
            for reference in referring
            for key in reference.model._base_manager.filter(**{f"{reference.name}__in": left}).values_list(
                reference.name, flat=True
            )
        }
        HouseRules.objects.filter(pk__in=left - used).delete()
        if left == used:
            return
        left = used


def open_sheet(
    *,
    actor: Actor,
    rules: HouseRules,
    sides: tuple[SheetSide, ...],
    label: str = "",
    persons: Mapping[str, str] | None = None,
) -> Scoresheet:
    """A new blank sheet; refuses sides like `sides.read_sides`."""
    return open_sheets(actor=actor, rules=rules, plans=[SheetPlan(sides, label, persons or {})])[0]


def open_once(
    *, actor: Actor, key: str | None, asked: object, opened: Callable[[], Scoresheet]
) -> Scoresheet:
    """The sheet that this key of the actor has opened; without one, or without a key, what `opened` opens.

    `asked` is the request as JSON. Refused: a key that was used for something else (`key_reused`) or too long
    ago (`key_expired`), and one that is empty or too long (`wrong_key`). Of two requests at once with a key
    the second gets the sheet of the first.
    """
    if key is None:
        return opened()
    check_key(key)
    digest = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    found = _opened_before(actor, key, digest)
    if found is not None:
        return found
    try:
        with transaction.atomic():
            sheet = opened()
            OpeningKey.objects.create(sheet=sheet, key=key, key_holder=actor.key_holder, digest=digest)
            return sheet
    except IntegrityError:
        found = _opened_before(actor, key, digest)
        if found is None:
            raise
        return found


def _opened_before(actor: Actor, key: str, digest: str) -> Scoresheet | None:
    """The sheet that the key has opened; refuses as `open_once`."""
    keys = OpeningKey.objects.filter(key_holder=actor.key_holder, key__in=stored_forms(key))
    used = keys.select_related("sheet__rules").first()
    if used is None:
        return None
    check_not_spent(used.digest)
    if used.digest != digest:
        raise key_reused()
    return used.sheet


@transaction.atomic
def open_sheets(*, actor: Actor, rules: HouseRules, plans: Sequence[SheetPlan]) -> list[Scoresheet]:
    """New blank sheets under the same rules, in the order of the plans."""
    if not policy().allows(actor, SheetAction.OPEN, None):
        raise not_allowed(actor)
    for plan in plans:
        _check_sides(plan.sides, rules)
        if len(plan.label) > LONGEST_LABEL:
            raise SheetError(
                "too_long",
                _("A label has at most %(most)d characters.") % {"most": LONGEST_LABEL},
                field="label",
            )
    fields = Scoresheet.actor_fields(actor)
    sheets = Scoresheet.objects.bulk_create(
        [
            Scoresheet(
                rules=rules,
                label=plan.label,
                nets=[0] * len(plan.sides),
                **fields,
                **({} if plan.opened_at is None else {"opened_at": plan.opened_at}),
            )
            for plan in plans
        ]
    )
    _seat(sheets, plans)
    return sheets


@transaction.atomic
def reseat_sheet(
    *,
    actor: Actor,
    sheet: Scoresheet,
    sides: tuple[SheetSide, ...],
    persons: Mapping[str, str] | None = None,
) -> None:
    """Changes the sides of a sheet that is still blank (else `sheet_begun`); code and label stay."""
    locked = locked_sheet(sheet)
    ask(actor, SheetAction.OPEN, locked)
    if locked.acts.exists():
        raise RecordingError("sheet_begun", _("The names on a sheet change only while it is blank."))
    _check_sides(sides, locked.rules)
    if len(sides) != len(locked.nets):
        locked.nets = [0] * len(sides)
        locked.save(update_fields=["nets", "updated_at"])
    locked.sides.all().delete()
    _seat([locked], [SheetPlan(sides, persons=persons or {})])


def _check_sides(sides: tuple[SheetSide, ...], rules: HouseRules) -> None:
    read_sides([{"name": side.name, "players": list(side.players)} for side in sides], rules.rules)


def _seat(sheets: Sequence[Scoresheet], plans: Sequence[SheetPlan]) -> None:
    """Writes the sides and seats of new sheets; seats are numbered through all sides, side 0 first."""
    rows = Side.objects.bulk_create(
        [
            Side(sheet=sheet, position=position, name=side.name)
            for sheet, plan in zip(sheets, plans, strict=True)
            for position, side in enumerate(plan.sides)
        ]
    )
    made = iter(rows)
    Seat.objects.bulk_create(
        [
            Seat(sheet=sheet, side=row, number=number, name=name, person=plan.persons.get(name, ""))
            for sheet, plan in zip(sheets, plans, strict=True)
            for number, (row, name) in enumerate(
                [(row, name) for side in plan.sides for row in [next(made)] for name in side.players]
            )
        ]
    )
