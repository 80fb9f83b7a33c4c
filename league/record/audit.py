"""Writes rows together with the audit entry of the change.

`add_row`, `change_row` and `remove_row` are the pattern of a plain edit: check, write, record. They run in
the transaction of the service that calls them.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import ApiToken, AuditEntry, Club, Match
from league.policy import Permission, require
from league.policy.naming import key_of
from scoring.core.actors import Actor
from scoring.core.mentions import mention
from scoring.core.plain_text import is_plain

# Fields that the audit entry itself has, and secrets.
_UNSAID = frozenset(
    {"id", "at", "created_at", "actor_kind", "actor_id", "actor_name", "updated_at", "digest", "token_key"}
)

Row = TypeVar("Row", bound=models.Model)


def record_audit(
    actor: Actor,
    action: str,
    target: models.Model,
    *,
    club: Club | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> AuditEntry:
    """Record one change; `before` and `after` are what JSON can say, None if there was or is nothing.

    Players, entries and matches in them are stored as mentions: a key with the present name. A token is
    identified by its code, as its primary key is the digest of its secret. What has a club or an event is
    recorded for that club; `club` names it for others, accounts and clubs themselves among them.
    """
    return AuditEntry.objects.create(
        club_id=getattr(_of_club(target), "club_id", None) if club is None else club.pk,
        action=action,
        object_type=target._meta.model_name or "",
        object_id=target.code if isinstance(target, ApiToken) else str(target.pk),
        object_name=str(target)[:200],
        before=_as_json(before),
        after=_as_json(after),
        reason=reason[:300],
        **AuditEntry.actor_fields(actor),
        **AuditEntry.origin_fields(actor),
    )


def _of_club(row: Any) -> Any:
    """What says to which club a row belongs, if anything does: itself, or its event."""
    return row.event if hasattr(row, "event_id") and not hasattr(row, "club_id") else row


def add_row(
    actor: Actor, action: str, row: models.Model, *, club: Club | None = None, reason: str = ""
) -> AuditEntry:
    """Validate and save a new row, and record it; returns the record."""
    _save(row)
    return record_audit(actor, action, row, club=club, after=facts(row), reason=reason)


def change_row(
    actor: Actor,
    action: str,
    row: models.Model,
    values: Mapping[str, Any],
    *,
    club: Club | None = None,
    reason: str = "",
) -> dict[str, Any]:
    """Set the values that differ, validate, save and record; returns their old values, {} if none differ.

    The caller holds the row's lock (`locked`), so that "before" is true.
    """
    before = {name: getattr(row, name) for name in values}
    changed = [name for name in values if before[name] != values[name]]
    if not changed:
        return {}
    earlier = facts(row, changed)
    for name in changed:
        setattr(row, name, values[name])
    _save(row, changed)
    record_audit(actor, action, row, club=club, before=earlier, after=facts(row, changed), reason=reason)
    return {name: before[name] for name in changed}


def remove_row(
    actor: Actor, action: str, row: models.Model, *, club: Club | None = None, reason: str = ""
) -> AuditEntry:
    """Delete a row and record what it was, as is returned; refuses (`in_use`) a row that others refer to."""
    before = facts(row)
    entry = record_audit(actor, action, row, club=club, before=before, reason=reason)
    try:
        row.delete()
    except models.ProtectedError as error:
        kinds = sorted({str(kept._meta.verbose_name_plural) for kept in error.protected_objects})
        raise LeagueError(
            "in_use",
            _("“%(name)s” cannot be deleted: it stands in %(kinds)s.")
            % {"name": row, "kinds": ", ".join(kinds)},
        ) from error
    return entry


def locked(row: Row) -> Row:
    """The current row, locked until the transaction ends; refuses `gone`."""
    found = type(row)._default_manager.select_for_update(no_key=True, of=("self",)).filter(pk=row.pk).first()
    if found is None:
        raise LeagueError("gone", _("“%(name)s” was deleted meanwhile.") % {"name": row})
    return found


def directed(actor: Actor, row: Row) -> Row:
    """The current row, locked, for an act of who directs its club; refuses `not_allowed` and `gone`."""
    require(actor, Permission.DIRECT, _of_club(row).club)
    return locked(row)


def facts(row: models.Model, names: list[str] | None = None) -> dict[str, Any]:
    """A row's fields as JSON; related rows by name, players and entries as mentions."""
    fields = [
        field
        for field in row._meta.concrete_fields
        if (field.name in names if names is not None else field.editable and field.name not in _UNSAID)
    ]
    values = {field.name: getattr(row, field.name) for field in fields}
    document: dict[str, Any] = _as_json(values)
    return document


def _as_json(values: Any) -> Any:
    """What was noted, with days and times as texts."""
    return json.loads(json.dumps(as_noted(values), cls=DjangoJSONEncoder))


def as_noted(value: Any) -> Any:
    """A value in the form the audit stores."""
    if isinstance(value, Match):
        return {"sides": [[as_noted(entry) for entry in value.side(side)] for side in value.sides]}
    if isinstance(value, models.Model):
        key = key_of(value)
        return str(value) if key is None else mention(key, str(value))
    if isinstance(value, Mapping):
        return {name: as_noted(each) for name, each in value.items()}
    if isinstance(value, list | tuple | QuerySet):
        return [as_noted(each) for each in value]
    return value


def given_reason(reason: str) -> str:
    """The reason on one line.

    Refuses a blank one (`reason_missing`), one over 300 characters (`too_long`), and what `check_plain` does.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise LeagueError("reason_missing", _("Give a reason."), field="reason")
    if len(reason) > 300:
        raise LeagueError("too_long", _("A reason has at most 300 characters."), field="reason")
    check_plain(reason, "reason")
    return reason


def check_plain(text: str, field: str) -> None:
    """Refuse (`invalid`) a text of one line with characters that nobody sees, or that turn others round."""
    if not is_plain(text):
        raise LeagueError(
            "invalid", _("There is a character here that cannot be seen: type it again."), field=field
        )


def _save(row: models.Model, names: list[str] | None = None) -> None:
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        # Texts that were kept by an earlier version do not keep others from being changed.
        if (
            isinstance(field, models.CharField)
            and isinstance(value, str)
            and field.name in (names or [field.name])
        ):
            check_plain(value, field.name)
    try:
        row.full_clean()
    except ValidationError as error:
        raise _refusal(error) from error
    try:
        with transaction.atomic():
            row.save(update_fields=names)
    except IntegrityError as error:
        raise LeagueError(
            "clash", _("Somebody has just written something that clashes with this. Look again.")
        ) from error


def _refusal(error: ValidationError) -> LeagueError:
    """The first validation error, with its field."""
    field, messages = next(iter(error.message_dict.items()))
    return LeagueError("invalid", messages[0], field=None if field == NON_FIELD_ERRORS else field)
