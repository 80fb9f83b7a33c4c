"""Free texts that name an erased person, and striking words out of them.

References to a person are shown under the present name. Free text has no references, and no program rewrites
it: texts that name an erased person are listed, and a director strikes words out, one by one. Former rows in
the audit, file names and the names of authors without a reference count as such texts too.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from games.models import BotMatch, TableMatch, TableWarning
from league.errors import LeagueError
from league.models import (
    Adjustment,
    AuditEntry,
    BotSchedule,
    Club,
    CutDecision,
    Entry,
    EntryRequest,
    Evening,
    Event,
    ForbiddenPair,
    ImportBatch,
    ImportDraft,
    Invitation,
    JoinRequest,
    LineUpSeat,
    Match,
    NamingText,
    PartnerSearch,
    Player,
    ProposedTime,
    Round,
    TableLink,
)
from league.record.audit import directed, record_audit
from league.record.audit_words import action_words
from league.record.fact_words import OF_SHEET, fact_title
from scoring.core.actors import Actor, ActorKind
from scoring.core.mentions import FIELD, free_texts, text_at, with_text
from scoring.models import (
    ActedOn,
    Claim,
    ClaimSettlement,
    Dispute,
    DisputeSettlement,
    HouseRules,
    Scoresheet,
    Seat,
    SecondTyping,
    SheetAct,
    Side,
    Signature,
)

STRUCK: Final = "▇▇▇"
_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class TextSource:
    """A table of a club: its rows, and the fields (also JSON) whose texts may name somebody."""

    rows: QuerySet[Any]
    fields: tuple[str, ...]


def places_in(club: Club) -> Iterator[TextSource]:
    """All of a club's tables with free text."""
    for model, (condition, fields) in _TEXTS.items():
        rows = model._base_manager.filter(pk__in=model._base_manager.filter(condition(club)).values("pk"))
        authors = [f"{author}_name" for author in model.AUTHORS] if issubclass(model, ActedOn) else []
        yield TextSource(rows, (*fields, *authors))


def place_of_user(user: User) -> TextSource:
    """The audit entries outside any club that a user made, or that concern the account."""
    acted = Q(actor_kind=ActorKind.USER.value, actor_id=str(user.pk))
    about = Q(object_type="user", object_id=str(user.pk))
    rows = AuditEntry.objects.filter(acted | about, club=None)
    return TextSource(rows, (*_TEXTS[AuditEntry][1], "actor_name"))


def sheets_of(club: Club, prefix: str = "") -> Q:
    """A condition for the sheets of a club, including former ones and exhibitions; `prefix` is the path."""
    return (
        Q(**{f"{prefix}match__event__club": club})
        | Q(**{f"{prefix}former__club": club})
        | Q(**{f"{prefix}exhibition__club": club})
    )


def list_texts(
    player: Player, names: Sequence[str], elsewhere: Sequence[TextSource] = ()
) -> list[NamingText]:
    """List all texts of the club that contain one of the names, for its director."""
    found = [
        NamingText(
            club=player.club, player=player, place=label, row=pk, field=field, path=list(path), words=words
        )
        for place in (*places_in(player.club), *elsewhere)
        for label, pk, field, path, words in _matching_texts(place, names)
    ]
    return NamingText.objects.bulk_create(found, batch_size=500)


# Fields without a title of their own.
_TITLES: Final[Mapping[str, StrOrPromise]] = {
    "after": gettext_lazy("after"),
    "before": gettext_lazy("before"),
    "body": gettext_lazy("details"),
    "name": gettext_lazy("name"),
    "reasons": gettext_lazy("reasons"),
}


@dataclass(frozen=True, slots=True)
class ShownText:
    """A listed text as it stands now: its place in words, and its own words; [] if its row is gone."""

    listed: NamingText
    place: str
    words: list[str]


def shown_texts(texts: Iterable[NamingText]) -> list[ShownText]:
    """Listed texts with their places: "dispute, R1-T1, 3 November 2026, 21:04: sentence".

    Of the audit and of acts on sheets the place says which act it was, and which fact of it the text is.
    Takes a query for each table.
    """
    texts = list(texts)
    of_tables: dict[str, set[int]] = {}
    for listed in texts:
        of_tables.setdefault(listed.place, set()).add(listed.row)
    rows = {place: _rows_with_sheets(place).in_bulk(pks) for place, pks in of_tables.items()}
    shown = []
    for listed in texts:
        row = rows[listed.place].get(listed.row)
        text = None if row is None else text_at(getattr(row, listed.field), listed.path)
        words = [] if text is None else _WORD.findall(text)
        shown.append(ShownText(listed, _place_words(listed, row), words))
    return shown


def _rows_with_sheets(place: str) -> QuerySet[Any]:
    """The rows of a table, with what their places are told by."""
    model = apps.get_model(place)
    rows: QuerySet[Any] = model._base_manager.all()
    if model is Match:
        sides = [f"{kind}_{side}" for kind in ("entry", "partner") for side in "ab"]
        return rows.select_related("event", *sides)
    on = {
        Round: "event",
        ClaimSettlement: "claim__sheet",
        DisputeSettlement: "dispute__sheet",
        TableWarning: "match__sheet",
    }.get(model)
    if on is None and any(field.name == "sheet" for field in model._meta.concrete_fields):
        on = "sheet"
    return rows.select_related(on) if on else rows


def _place_words(listed: NamingText, row: Any) -> str:
    model = apps.get_model(listed.place)
    parts = [str(model._meta.verbose_name)]
    on = getattr(row, "claim", None) or getattr(row, "dispute", None) or row
    if isinstance(row, AuditEntry):
        parts += filter(None, [action_words(row.action), row.object_name])
    elif isinstance(row, SheetAct):
        parts.append(row.get_kind_display())
    if sheet := getattr(on, "sheet", None):
        parts.append(str(sheet))
    elif isinstance(row, Scoresheet | Match | Round | Event):
        parts.append(str(row))
    at = getattr(row, "at", None)
    if at is not None:
        parts.append(date_format(at.astimezone(listed.club.zone), "j F Y, H:i"))
    field = model._meta.get_field(listed.field)
    what = [str(_TITLES.get(listed.field, getattr(field, "verbose_name", listed.field)))]
    if isinstance(row, AuditEntry | SheetAct):
        of = row.object_type if isinstance(row, AuditEntry) else OF_SHEET
        what += [fact_title(of, step) for step in listed.path if isinstance(step, str) and step != FIELD]
    return f"{', '.join(parts)}: {', '.join(what)}"


@transaction.atomic
def strike_out(*, actor: Actor, listed: NamingText, words: Collection[int]) -> NamingText:
    """Strike words (counted from 0) out of a listed text, which settles it; none leaves it as it is.

    The audit records the place and the number of words. Refuses a settled text (`settled`), a word that it
    does not have (`out_of_range`), and a result that would violate uniqueness (`clash`).
    """
    listed = directed(actor, listed)
    if listed.settled_at is not None:
        raise LeagueError("settled", _("This text has been dealt with already."))
    text = _text(listed) or ""
    found = list(_WORD.finditer(text))
    if not set(words) <= set(range(len(found))):
        raise LeagueError("out_of_range", _("The text does not have this word."), field="words")
    if words:
        for place in sorted(words, reverse=True):
            text = f"{text[: found[place].start()]}{STRUCK}{text[found[place].end() :]}"
        _write(listed, text)
    listed.settled_at = timezone.now()
    listed.save(update_fields=["settled_at"])
    record_audit(
        actor,
        "text.strike",
        listed.player,
        after={"text": f"{listed.place} {listed.row} {listed.field}", "words": len(words)},
    )
    return listed


def _text(listed: NamingText) -> str | None:
    model = apps.get_model(listed.place)
    value = model._base_manager.filter(pk=listed.row).values_list(listed.field, flat=True).first()
    return text_at(value, listed.path)


def _write(listed: NamingText, text: str) -> None:
    model = apps.get_model(listed.place)
    rows = model._base_manager.filter(pk=listed.row)
    value = rows.values_list(listed.field, flat=True).get()
    most = model._meta.get_field(listed.field).max_length
    try:
        with transaction.atomic():
            rows.update(
                **{listed.field: with_text(value, listed.path, text[:most] if not listed.path else text)}
            )
    except IntegrityError as error:
        raise LeagueError("clash", _("Another one is called so; strike out other words.")) from error


def _matching_texts(
    place: TextSource, names: Sequence[str]
) -> Iterator[tuple[str, int, str, tuple[str | int, ...], list[int]]]:
    """The texts of a table that contain one of the names, with the indexes of the words that do."""
    if not names or not place.fields:
        return
    texts = {f"{field}_as_text": Cast(field, TextField()) for field in place.fields}
    named = Q()
    for name in names:
        # In plain text, and in JSON as either database stores it.
        for written in {name, json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]}:
            for text in texts:
                named |= Q(**{f"{text}__icontains": written})
    longest = sorted(names, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)
    label = place.rows.model._meta.label
    for row in place.rows.alias(**texts).filter(named).order_by("pk"):
        for field in place.fields:
            for path, text in free_texts(getattr(row, field)):
                spans = [found.span() for found in pattern.finditer(text)]
                words = [
                    number
                    for number, word in enumerate(_WORD.finditer(text))
                    if any(start < word.end() and word.start() < end for start, end in spans)
                ]
                if words:
                    yield label, row.pk, field, path, words


def _club_at(path: str) -> Callable[[Club], Q]:
    return lambda club: Q(**{path: club})


def _sheet_at(prefix: str) -> Callable[[Club], Q]:
    return lambda club: sheets_of(club, prefix)


def _log_entries_of(club: Club) -> Q:
    """The admin's log entries of those who work in it for the club."""
    # Not only administrators in use: what one wrote stays when his account is closed.
    there = Q(user__memberships__club=club) | Q(user__is_superuser=True)
    return there & Q(content_type__app_label__in=["league", "scoring", "auth"])


def _rules_of(club: Club) -> Q:
    codes = HouseRules.objects.filter(pk__in=club.house_rules.values("rules")).values("code")
    return Q(code__in=codes)


# By table: which rows are the club's, and the fields with texts. Names of players, entries and seats are
# references; a team's own name is a text.
_TEXTS: Final[Mapping[type[Model], tuple[Callable[[Club], Q], tuple[str, ...]]]] = {
    Club: (lambda club: Q(pk=club.pk), ("about", "contact")),
    Event: (_club_at("club"), ("venue", "about", "contact", "fee")),
    Entry: (_club_at("event__club"), ("name",)),
    EntryRequest: (_club_at("event__club"), ("reason", "team_name")),
    PartnerSearch: (_club_at("event__club"), ("note",)),
    Round: (_club_at("event__club"), ("closed_reason",)),
    Evening: (_club_at("event__club"), ("why",)),
    Match: (_club_at("event__club"), ("reasons", "planned_place")),
    ProposedTime: (_club_at("match__event__club"), ("place",)),
    LineUpSeat: (_club_at("match__event__club"), ()),
    Adjustment: (_club_at("event__club"), ("reason",)),
    CutDecision: (_club_at("event__club"), ("reason",)),
    ForbiddenPair: (_club_at("event__club"), ("reason",)),
    BotSchedule: (_club_at("club"), ("note",)),
    BotMatch: (_sheet_at("sheet__"), ("said",)),
    TableMatch: (_sheet_at("sheet__"), ("adjourned_why",)),
    TableWarning: (_sheet_at("match__sheet__"), ("reason",)),
    Scoresheet: (_sheet_at(""), ("label",)),
    Side: (_sheet_at("sheet__"), ("name",)),
    # Seats without a person; others are shown under the person's name.
    Seat: (lambda club: sheets_of(club, "sheet__") & Q(person=""), ("name",)),
    SheetAct: (_sheet_at("sheet__"), ("reason", "body")),
    Signature: (_sheet_at("sheet__"), ()),
    SecondTyping: (_sheet_at("sheet__"), ("reason", "settled_how")),
    TableLink: (_sheet_at("sheet__"), ()),
    Claim: (_sheet_at("sheet__"), ()),
    ClaimSettlement: (_sheet_at("claim__sheet__"), ("reason",)),
    Dispute: (_sheet_at("sheet__"), ("sentence",)),
    DisputeSettlement: (_sheet_at("dispute__sheet__"), ("reason",)),
    HouseRules: (_rules_of, ()),
    AuditEntry: (_club_at("club"), ("object_name", "reason", "before", "after")),
    ImportBatch: (_club_at("club"), ("file_name",)),
    ImportDraft: (_club_at("club"), ("file_name", "content", "options")),
    Invitation: (_club_at("club"), ()),
    JoinRequest: (_club_at("club"), ("name", "note")),
    LogEntry: (_log_entries_of, ("object_repr", "change_message")),
}
