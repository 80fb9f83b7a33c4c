"""Takes a whole import back, as one act, unless somebody has built on it.

Sheets filled by the import are voided and stay readable; deals it added to older sheets are corrected back.
Matches, rounds, entries, players and the event that it made are deleted if nothing else refers to them. The
club and the versions of house rules stay.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.db.models import Exists, Max, Min, Model, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.files.applying import STAND_INS, Progress, batch_actor
from league.matches.fields import match_fields
from league.matches.matches import bring_sheet, keep_voided_sheets, renew_sheet
from league.models import (
    OFF_SHEET,
    SEATED,
    Adjustment,
    Appearance,
    ClubRules,
    Entry,
    Event,
    Exhibition,
    ForbiddenPair,
    ImportBatch,
    Match,
    Player,
    Round,
    Season,
)
from league.record.audit import directed, locked, record_audit
from league.record.locking import lock_matches
from league.record.requests import request_ratings, request_standings
from scoring.core.actors import Actor
from scoring.core.sheets import VOID
from scoring.models import DealVersion, Scoresheet, SheetAct, SheetStatus
from scoring.services import correct_deals, void_sheet
from scoring.services.records import kept_sheet


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What undoing does or did: `voided` sheets were blank before the import, `corrected` ones were not.

    `blank` are the sheets still blank in whose line-ups it put somebody in another's place.
    `deleted` and `kept` count by kind the rows made by the import that go, and those that others use.
    """

    batch: ImportBatch
    voided: list[Scoresheet]
    corrected: list[Scoresheet]
    blank: list[Scoresheet]
    deleted: Mapping[str, int] = field(default_factory=dict)
    kept: Mapping[str, int] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The plan in sentences, for before and after."""
        voided, corrected = len(self.voided), len(self.corrected)
        lines = []
        if voided:
            lines.append(
                ngettext(
                    "Voided: %(count)d sheet, whose deals can still be read but do not count.",
                    "Voided: %(count)d sheets, whose deals can still be read but do not count.",
                    voided,
                )
                % {"count": voided}
            )
        if corrected:
            lines.append(
                ngettext(
                    "Corrected back to what it was: %(count)d older sheet.",
                    "Corrected back to what they were: %(count)d older sheets.",
                    corrected,
                )
                % {"count": corrected}
            )
        if blank := len(self.blank):
            lines.append(
                ngettext(
                    "Seated as before: %(count)d blank sheet.",
                    "Seated as before: %(count)d blank sheets.",
                    blank,
                )
                % {"count": blank}
            )
        if deleted := _by_kind(self.deleted):
            lines.append(_("Deleted: %(kinds)s.") % {"kinds": deleted})
        if left := _by_kind(self.kept):
            lines.append(_("Kept, as others use them: %(kinds)s.") % {"kinds": left})
        return lines


def plan_undo(batch: ImportBatch) -> UndoPlan:
    """What `undo_import` would do, found by deleting what the import made and rolling that back.

    Refuses with `LeagueError`: `undone_already`; `built_upon` if a sheet was changed or signed since, an
    outcome stated for a match, the points of an entry made by the import adjusted, or somebody in whose place
    another was put sits elsewhere in the round; `wrong_state` if the event does not run, or is archived where
    it was taken over.
    """
    with transaction.atomic():
        plan = _sheets_to_undo(batch)
        _restore_line_ups(batch)
        deleted, kept = _delete_created(batch)
        transaction.set_rollback(True)
    return replace(plan, deleted=deleted, kept=kept)


def _sheets_to_undo(batch: ImportBatch) -> UndoPlan:
    """The sheets of an import, split as in `UndoPlan`; refuses as `plan_undo`."""
    if batch.undone_at is not None:
        raise LeagueError("undone_already", _("This import was undone already."))
    # What was taken over is finished from the first.
    is_taken_over = batch.event is not None and batch.event.taken_over
    if batch.event is not None:
        doing = Doing.CORRECT if is_taken_over else Doing.PLAY
        check_doing(batch.event.name, batch.event.state, doing)
    spans = {
        row["sheet"]: row
        for row in batch.acts.values("sheet").annotate(
            first=Min("id"), last=Max("id"), version=Min("version")
        )
    }
    opened = batch.created.get("sheet", [])
    found = Scoresheet.objects.filter(Q(pk__in=spans) | Q(pk__in=opened))
    sheets = list(found.select_related("rules").order_by("pk"))
    # Where the import only put somebody in another's place it has left no act.
    blank = list(_with_stand_ins(batch).exclude(pk__in=[*spans, *opened]).order_by("pk"))
    # Later imports that were undone do not count: the sheet is as it was before them.
    gone = ImportBatch.objects.filter(club=batch.club_id).exclude(undone_at=None).values_list("pk", flat=True)
    own = batch_actor(batch, "")
    others = (
        SheetAct.objects.filter(sheet__in=[*sheets, *blank])
        .exclude(actor_kind=own.kind.value, actor_id__in=[own.id, *map(str, gone)])
        .select_related("sheet")
        .order_by("pk")
    )
    for act in others:
        if act.sheet_id not in spans or act.pk > spans[act.sheet_id]["first"]:
            raise LeagueError(
                "built_upon",
                _("Sheet %(sheet)s has changed since the import (%(act)s); undo that first.")
                % {"sheet": act.sheet, "act": act},
            )
    created = batch.created
    awarded = Match.objects.filter(pk__in=created.get("match", []), state__in=OFF_SHEET).first()
    if awarded is not None and not is_taken_over:
        raise LeagueError(
            "built_upon",
            _("A %(state)s was awarded for %(label)s since; take it back first.")
            % {"state": awarded.get_state_display(), "label": awarded.label},
        )
    adjusted = Adjustment.objects.filter(entry__in=created.get("entry", []))
    adjustment = adjusted.exclude(pk__in=created.get("adjustment", [])).first()
    if adjustment is not None:
        raise LeagueError(
            "built_upon",
            _("The points of %(entry)s were adjusted since; take that back first.")
            % {"entry": adjustment.entry},
        )
    _check_seats(batch)
    older = {pk for pk, span in spans.items() if span["version"] > 1}
    return UndoPlan(
        batch,
        [sheet for sheet in sheets if sheet.pk not in older],
        [sheet for sheet in sheets if sheet.pk in older],
        blank,
    )


def _stand_ins(batch: ImportBatch) -> dict[int, int]:
    """Who had each line-up seat that the import gave to somebody else, by row, in the order of giving."""
    return dict(zip(*(batch.created.get(kind, []) for kind in STAND_INS), strict=True))


def _with_stand_ins(batch: ImportBatch) -> QuerySet[Scoresheet]:
    """The sheets of the matches in whose line-ups the import put somebody in another's place."""
    seats = Appearance.objects.filter(pk__in=_stand_ins(batch))
    return Scoresheet.objects.filter(match__in=seats.values("match"))


def _check_seats(batch: ImportBatch) -> None:
    """Refuse (`built_upon`) to put back who sits elsewhere in the round by now, or before a later import."""
    replaced = _stand_ins(batch)
    if replaced:
        for later in ImportBatch.objects.filter(event=batch.event_id, pk__gt=batch.pk, undone_at=None):
            if replaced.keys() & _stand_ins(later).keys():
                raise LeagueError(
                    "built_upon",
                    _("The import of %(file)s has changed a line-up of this one since; undo that first.")
                    % {"file": later.file_name},
                )
    taken_out = [*replaced, *batch.created.get("appearance", [])]
    for seat in Appearance.objects.filter(pk__in=replaced):
        elsewhere = Appearance.objects.filter(round=seat.round_id, leg=seat.leg, player=replaced[seat.pk])
        for other in elsewhere.exclude(pk__in=taken_out).select_related("player", "match")[:1]:
            raise LeagueError(
                "built_upon",
                _("%(player)s plays in this round since, on sheet %(sheet)s; undo that first.")
                % {"player": other.player, "sheet": other.match.label},
            )


@transaction.atomic
def undo_import(*, actor: Actor, batch: ImportBatch, progress: Progress = lambda sheets: None) -> UndoPlan:
    """Undo an import; refuses as `plan_undo`, and `not_allowed`.

    The same file can be imported again.
    """
    batch = directed(actor, batch)
    # Lock in the common order, then check: nothing can change in between.
    touched = Q(pk__in=batch.acts.values("sheet")) | Q(pk__in=batch.created.get("sheet", []))
    made = Q(pk__in=batch.created.get("match", []))
    seats = Appearance.objects.filter(pk__in=_stand_ins(batch)).values("match")
    on_touched = Q(sheet__in=Scoresheet.objects.filter(touched))
    matches = Match.objects.filter(on_touched | made | Q(pk__in=seats))
    sheets = Scoresheet.objects.select_for_update(no_key=True, of=("self",))
    list(sheets.filter(touched | Q(match__in=matches)).order_by("pk").values_list("pk"))
    lock_matches(matches)
    if batch.event is not None:
        batch.event = locked(batch.event)
    plan = _sheets_to_undo(batch)
    own = batch_actor(batch, actor.name)
    reason = _("Undo of the import of %(file)s") % {"file": batch.file_name}
    for sheet in plan.voided:
        void_sheet(actor=own, sheet=sheet, reason=reason)
        progress(1)
    for sheet in plan.corrected:
        _correct_back(own, batch, sheet, reason)
        progress(1)
    _free_matches(actor, batch, plan)
    event = batch.event
    deleted, kept = _delete_created(batch)
    values = {"undone_at": timezone.now(), **ImportBatch.actor_fields(actor, "undone_by")}
    for name, value in values.items():
        setattr(batch, name, value)
    batch.save(update_fields=list(values))
    if event is not None and Event.objects.filter(pk=event.pk).exists():
        request_standings(event.pk)
    else:
        request_ratings(batch.club_id)
    record_audit(
        actor,
        "import.undo",
        batch,
        before={"event": batch.event_name, "deals": batch.deals, "sheets": batch.sheets},
    )
    return replace(plan, batch=batch, deleted=deleted, kept=kept)


def _correct_back(actor: Actor, batch: ImportBatch, sheet: Scoresheet, reason: str) -> None:
    """Restore the deals from before the import; those it added are voided and keep their numbers."""
    acts = batch.acts.filter(sheet=sheet)
    added = DealVersion.objects.filter(act__in=acts).order_by("number", "version")
    first: dict[int, int] = {}
    for number, version in added.values_list("number", "version"):
        first.setdefault(number, version)
    kept = kept_sheet(sheet)
    before = {
        (version.number, version.version): version.body
        for version in DealVersion.objects.filter(sheet=sheet, number__in=first)
    }
    changes = {}
    for number, version in first.items():
        body = before.get((number, version - 1))
        deal = VOID if body is None else kept.deal(body, number)
        if deal != kept.deals[number - 1]:
            changes[number] = deal
    earlier = sheet.acts.filter(pk__lt=min(act.pk for act in acts), body__has_key="stopped")
    last = earlier.order_by("-pk").first()
    stopped = bool(last and last.body["stopped"])
    if changes or stopped != sheet.stopped:
        correct_deals(
            actor=actor,
            sheet=sheet,
            changes=changes,
            reason=reason,
            stopped=None if stopped == sheet.stopped else stopped,
        )


def _free_matches(actor: Actor, batch: ImportBatch, plan: UndoPlan) -> None:
    """Give matches that existed before a blank sheet with their line-up, or none if they had none."""
    made, opened = set(batch.created.get("match", [])), set(batch.created.get("sheet", []))
    _restore_line_ups(batch)
    for match in Match.objects.filter(sheet__in=plan.blank).select_related("event", "sheet"):
        bring_sheet(actor, match)
    matches = Match.objects.filter(sheet__in=plan.voided).select_related("event", "sheet")
    keep_voided_sheets(matches.filter(Q(pk__in=made) | Q(sheet__in=opened)))
    for match in matches.exclude(pk__in=made):
        if match.sheet_id in opened:
            match.sheet = None
            fields = match_fields(None)
            for name, value in fields.items():
                setattr(match, name, value)
            match.save(update_fields=["sheet", *fields])
        else:
            renew_sheet(actor=actor, match=match)


def _restore_line_ups(batch: ImportBatch) -> None:
    """Take those out of line-ups whom the import put there, and put back in whose place others played."""
    Appearance.objects.filter(pk__in=batch.created.get("appearance", [])).delete()
    # Whoever came from another seat of the import has left this one before he is put back there.
    for pk, player in reversed(_stand_ins(batch).items()):
        Appearance.objects.filter(pk=pk).update(player=player)


def _delete_created(batch: ImportBatch) -> tuple[dict[str, int], dict[str, int]]:
    """Delete the rows made by the import that nothing else refers to, dependants first.

    Returns how many of each kind are deleted, and how many are left.
    """
    created: dict[str, list[int]] = defaultdict(list, batch.created)
    tables = Scoresheet.objects.filter(exhibition__club=batch.club).exclude(status=SheetStatus.VOID)
    in_use = Q(rules__code__in=Event.objects.filter(club=batch.club).values("rules__code"))
    in_use |= Q(rules__code__in=tables.values("rules__code"))
    # By these but for the length.
    in_use |= Q(rules__code__in=tables.exclude(rules__copied_from=None).values("rules__copied_from__code"))
    rated = Exhibition.objects.filter(is_rated=True)
    unused: dict[type[Model], Q] = {
        Adjustment: Q(),
        ForbiddenPair: Q(),
        Match: Q(),
        Round: Q(matches=None),
        Entry: Q(
            **{f"matches_as_{seat.removeprefix('entry_')}": None for seat in SEATED},
            appearances=None,
            adjustments=None,
            presences=None,
            forbidden_as_a=None,
            forbidden_as_b=None,
        ),
        Event: Q(rounds=None, entries=None, season_tables=None, bot_schedules=None),
        Player: Q(
            ~Exists(rated.filter(Q(player_a=OuterRef("pk")) | Q(player_b=OuterRef("pk")))),
            appearances=None,
            sat_in_for=None,
            memberships_in_entries=None,
            entry_requests=None,
            partner_invitations=None,
            partner_searches=None,
            merged=None,
            aliases=None,
            merged_into=None,
            user=None,
            strategy="",
        ),
        Season: Q(events=None),
        ClubRules: ~in_use,
    }
    deleted, kept = {}, {}
    for model, is_unused in unused.items():
        kind = model._meta.model_name or ""
        rows = model._default_manager.filter(pk__in=created[kind])
        deleted[kind] = rows.filter(is_unused).delete()[1].get(model._meta.label, 0)
        kept[kind] = rows.count()
    return deleted, kept


def _by_kind(counts: Mapping[str, int]) -> str:
    """Counts in words, "matches: 2, rounds: 1"; zeros are left out."""
    names = {
        "match": _("matches"),
        "round": _("rounds"),
        "entry": _("entries"),
        "player": _("players"),
        "event": _("events"),
        "season": _("seasons"),
    }
    return ", ".join(f"{name}: {counts[kind]}" for kind, name in names.items() if counts.get(kind))
