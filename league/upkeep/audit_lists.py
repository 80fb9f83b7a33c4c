"""The audit of a club, newest first: audit entries and the acts on its sheets, as one list.

Entries outlive what they are about; only then is that called as it was written.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import CharField, Q, QuerySet, Value
from django.utils.translation import gettext as _

from league.matches.histories import deal_text
from league.models import AuditEntry, Club
from league.policy.authors import authored_by
from league.policy.naming import Names, in_full
from league.record.fact_words import OF_SHEET
from league.tables.words import deal_words
from scoring.core.mentions import keys_in
from scoring.models import ActKind, DealVersion, SheetAct
from scoring.services.records import kept_sheet

ON_A_PAGE: Final = 25
# Lines in one file: spreadsheets can open it, and a club writes as many in years.
MOST_IN_FILE: Final = 20_000
# Prefix of acts on sheets: `sheet.record`.
OF_SHEETS: Final = "sheet."

_NOTE, _ACT = "note", "act"
# Objects shown under their present name.
_CALLED: Final = frozenset({"player", "entry", "match", "challenge", "ladderabsence"})


@dataclass(frozen=True, slots=True)
class AuditFilters:
    """The filters of the list; empty ones do not filter.

    `who` and `of` are parts of names, `action` is an action of `AuditEntry` or `sheet.` with a kind of act,
    `since` and `until` are inclusive dates in the club's zone, `door` and `address` are as in
    `scoring.core.origin`.
    """

    who: str = ""
    action: str = ""
    of: str = ""
    since: datetime.date | None = None
    until: datetime.date | None = None
    door: str = ""
    address: str | None = None


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line. `before` and `after` are facts by name, None if there was or is nothing."""

    at: datetime.datetime
    who: str
    who_kind: str
    action: str
    of_type: str
    of: str
    reason: str
    door: str
    address: str | None
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


def audit_page(club: Club, asked: AuditFilters, number: int) -> tuple[Page[Any], Sequence[AuditLine]]:
    """A page of the audit (the nearest for an invalid number) and its lines, in about six queries."""
    page = Paginator(_rows(club, asked), ON_A_PAGE).get_page(number)
    return page, _lines(page.object_list, in_full(club))


def audit_lines(club: Club, asked: AuditFilters) -> Iterator[AuditLine]:
    """All lines, at most the newest `MOST_IN_FILE`."""
    rows = list(_rows(club, asked)[:MOST_IN_FILE])
    names = in_full(club)
    for start in range(0, len(rows), 500):
        yield from _lines(rows[start : start + 500], names)


def actions_of(club: Club) -> Sequence[str]:
    """The actions in the audit of the club, acts on sheets last."""
    noted = AuditEntry.objects.filter(club=club).order_by("action").values_list("action", flat=True)
    return [*noted.distinct(), *(f"{OF_SHEETS}{kind.value}" for kind in ActKind)]


def act_on_sheet(action: str) -> ActKind | None:
    """The kind of act on a sheet that an action names; None for what league notes, `sheet.open` too."""
    kind = action.removeprefix(OF_SHEETS)
    return ActKind(kind) if action.startswith(OF_SHEETS) and kind in ActKind.values else None


def object_key(entry: AuditEntry) -> str:
    """The mention key of a changed object that is shown under its present name; "" for others."""
    return f"{entry.object_type}:{entry.object_id}" if entry.object_type in _CALLED else ""


def _rows(club: Club, asked: AuditFilters) -> Any:
    """The matching entries, newest first, as (source, id, time)."""
    notes = _narrowed(AuditEntry.objects.filter(club=club), club, asked).filter(
        _named(asked.of, "object_name")
    )
    here = Q(sheet__match__event__club=club) | Q(sheet__former__club=club) | Q(sheet__exhibition__club=club)
    acts = _narrowed(SheetAct.objects.filter(here), club, asked).filter(
        _named(asked.of, "sheet__label", "sheet__code")
    )
    kind = act_on_sheet(asked.action)
    if kind is not None:
        notes, acts = notes.none(), acts.filter(kind=kind)
    elif asked.action:
        notes, acts = notes.filter(action=asked.action), acts.none()
    return _keys(notes, _NOTE).union(_keys(acts, _ACT), all=True).order_by("-at", "-pk")


def _keys(rows: QuerySet[Any], source: str) -> QuerySet[Any, Any]:
    named = rows.order_by().annotate(source=Value(source, output_field=CharField()))
    keys: QuerySet[Any, Any] = named.values_list("source", "pk", "at")
    return keys


def _narrowed(rows: QuerySet[Any], club: Club, asked: AuditFilters) -> QuerySet[Any]:
    if asked.who:
        rows = rows.filter(authored_by(asked.who, club))
    if asked.since is not None:
        rows = rows.filter(at__date__gte=asked.since)
    if asked.until is not None:
        rows = rows.filter(at__date__lte=asked.until)
    if asked.door:
        rows = rows.filter(door="" if asked.door == "none" else asked.door)
    if asked.address:
        rows = rows.filter(address=asked.address)
    return rows


def _named(part: str, *fields: str) -> Q:
    named = Q()
    for field in fields:
        named |= Q(**{f"{field}__icontains": part})
    return named if part else Q()


def _lines(keys: Iterable[tuple[str, int, datetime.datetime]], names: Names) -> list[AuditLine]:
    found = list(keys)
    notes = AuditEntry.objects.in_bulk([pk for source, pk, _at in found if source == _NOTE])
    acts = SheetAct.objects.select_related("sheet__rules").prefetch_related("sheet__sides__seats")
    of_sheets = acts.in_bulk([pk for source, pk, _at in found if source == _ACT])
    names.learn(_keys_of(notes.values(), of_sheets.values()))
    names.learn_authors([*notes.values(), *of_sheets.values()])
    changes = _changes([act for act in of_sheets.values() if act.kind == ActKind.CORRECT], names)
    return [
        _note(notes[pk], names)
        if source == _NOTE
        else _act(of_sheets[pk], names, *changes.get(pk, (None, None)))
        for source, pk, _at in found
    ]


def _keys_of(notes: Iterable[AuditEntry], acts: Iterable[SheetAct]) -> set[str]:
    """The keys of everybody named in these lines, to be looked up at once."""
    keys: set[str] = set()
    for entry in notes:
        keys |= {object_key(entry)} | keys_in(entry.before) | keys_in(entry.after)
    for act in acts:
        keys |= keys_in(act.body) | {
            seat.person for side in act.sheet.sides.all() for seat in side.seats.all()
        }
    return keys


def _note(entry: AuditEntry, names: Names) -> AuditLine:
    return AuditLine(
        entry.at,
        names.author(entry),
        entry.actor_kind,
        entry.action,
        entry.object_type,
        names.person(object_key(entry), entry.object_name),
        entry.reason,
        entry.door,
        entry.address,
        None if entry.before is None else names.told(entry.before),
        None if entry.after is None else names.told(entry.after),
    )


def _act(
    act: SheetAct, names: Names, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> AuditLine:
    sides = " – ".join(names.sides(act.sheet.sides.all()))
    told = {name: value for name, value in names.told(act.body).items() if value not in (None, False)}
    if act.kind == ActKind.RECORD and act.answer is not None:
        told["deals"] = act.answer["count"]
    return AuditLine(
        act.at,
        names.author(act),
        act.actor_kind,
        f"{OF_SHEETS}{act.kind}",
        OF_SHEET,
        f"{act.sheet} {sides}",
        act.reason,
        act.door,
        act.address,
        before,
        (after or {}) | told or None,
    )


def _changes(
    corrections: Sequence[SheetAct], names: Names
) -> dict[int, tuple[dict[str, Any], dict[str, Any]]]:
    """By act id, the deals that each correction changed, before and after, in words."""
    made = list(DealVersion.objects.filter(act__in=corrections))
    earlier = {
        (each.sheet_id, each.number, each.version): each.body
        for each in DealVersion.objects.filter(sheet__in={each.sheet_id for each in made})
    }
    kept = {sheet.pk: names.sheet(kept_sheet(sheet)) for sheet in {act.sheet for act in corrections}}
    changes: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
    for each in made:
        before, after = changes.setdefault(each.act_id, ({}, {}))
        name = _("deal %(number)d") % {"number": each.number}
        sheet = kept[each.sheet_id]
        after[name] = deal_words(deal_text(sheet, each.body, each.number))
        if each.version > 1:
            old = earlier[each.sheet_id, each.number, each.version - 1]
            before[name] = deal_words(deal_text(sheet, old, each.number))
    return changes
