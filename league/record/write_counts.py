"""Versions of what pages show: how often the rows that they read were written.

Triggers (`league.record.triggers`) count every row that is inserted, changed or deleted in a table of
`COUNTED`, for the place it belongs to (`league.models.WriteCount`): the site, a club, an event, a match with
its sheet. A page's version is the sum of the counts of the places it reads, found by one statement.

Two equal sums say that nothing of it was written in between, because

- every transaction that wrote a counted row has raised a count of the row's place, in the same transaction:
  what it wrote and the count come in sight together, however early it began and however late it ended. The
  latest of all times would miss one that began earlier and ended later, and two writes in one tick of the
  clock; a count has no clock;
- no count ever falls, so that nothing that was added is made up for by what was taken away; rolled back with
  the rows, a count was never seen. What is over is counted by fewer rows (`fold_counts`), in one transaction
  and for a wider place: a sum that has it keeps it, and another gets it;
- none is lost: SQLite has one writer at a time, and on PostgreSQL a count is raised under its row's lock;
- a row's place is the one its transaction sees, and rows stay where they are. A sheet that a match takes is
  made with it, or locked; whose sheet it is belongs to the version itself.

Nobody waits for the lock of a count: while somebody else holds the row of a place another one is raised,
which is made if there is none. So a place has as many rows as have ever written to it at once, and who
writes crosses nobody's path (`league.record.locking`).

A version is to be asked before what it is the version of: what is written in between is then shown and asked
for once more; the other way about it would never be seen. What triggers cannot see, a restore or a migration,
ends all versions there were (`end_versions`).
"""

import datetime
import secrets
import zoneinfo
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, Func, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import Club, Event, EventState, Match, WriteCount

# Rows that are folded in one transaction.
_FOLDED: Final = 2000

# The place of a row as SQL: its club, event and sheet, 0 for none, and where they are from. `{row}` is NEW or
# OLD.
_Place = tuple[str, str]
_SITE: Final[_Place] = ("0, 0, 0", "")
_CLUB: Final[_Place] = ("{row}.club_id, 0, 0", "")
_EVENT: Final[_Place] = ("e.club_id, e.id, 0", "FROM league_event e WHERE e.id = {row}.event_id")


def _sheet(sheet: str = "{row}.sheet_id") -> _Place:
    """The place of the match that has this sheet; a sheet without a match has none."""
    matches = "FROM league_match m JOIN league_event e ON e.id = m.event_id"
    return "e.club_id, e.id, m.sheet_id", f"{matches} WHERE m.sheet_id = {sheet}"


def _sheet_of(table: str, key: str) -> _Place:
    """The place of a row by that of the row of `table` that its column `key` refers to."""
    return _sheet(f"(SELECT r.sheet_id FROM {table} r WHERE r.id = {{row}}.{key})")  # noqa: S608


@dataclass(frozen=True, slots=True)
class CountedTable:
    """A table whose rows pages show: the place of a row, and the columns whose change counts ("": all)."""

    place: _Place
    columns: str = ""


COUNTED: Final[dict[str, CountedTable]] = {
    "auth_user": CountedTable(_SITE, "username, first_name, last_name, is_active, is_staff, is_superuser"),
    "scoring_houserules": CountedTable(_SITE),
    # Not when it was last used.
    "league_apitoken": CountedTable(_SITE, "name, user_id"),
    # The demo's page asks whether there is another club.
    "league_club": CountedTable(_SITE),
    "league_clubrules": CountedTable(_CLUB),
    # Events and the dates of rounds make the menu of the whole club.
    "league_event": CountedTable(_CLUB),
    "league_exhibition": CountedTable(_CLUB),
    "league_expectedweights": CountedTable(_CLUB),
    "league_formersheet": CountedTable(_CLUB),
    "league_importbatch": CountedTable(_CLUB),
    "league_membership": CountedTable(_CLUB),
    "league_player": CountedTable(_CLUB),
    "league_playeralias": CountedTable(_CLUB),
    "league_pyramid": CountedTable(_CLUB),
    "league_rating": CountedTable(("p.club_id, 0, 0", "FROM league_player p WHERE p.id = {row}.player_id")),
    # A division's table is cut by how many entries the others have.
    "league_entry": CountedTable(("e.club_id, 0, 0", _EVENT[1])),
    "league_round": CountedTable(("e.club_id, 0, 0", _EVENT[1])),
    "league_season": CountedTable(_CLUB),
    "league_seasontable": CountedTable(_CLUB),
    "league_adjustment": CountedTable(_EVENT),
    "league_challenge": CountedTable(_EVENT),
    "league_cutdecision": CountedTable(_EVENT),
    "league_entrymember": CountedTable(_EVENT),
    "league_entryrequest": CountedTable(_EVENT),
    "league_partnerinvitation": CountedTable(_EVENT),
    "league_partnersearch": CountedTable(_EVENT),
    "league_ladderabsence": CountedTable(
        (
            _EVENT[0],
            "FROM league_entry n JOIN league_event e ON e.id = n.event_id WHERE n.id = {row}.entry_id",
        )
    ),
    "league_ladderstay": CountedTable(_EVENT),
    "league_evening": CountedTable(_EVENT),
    "league_arrival": CountedTable(
        (
            _EVENT[0],
            "FROM league_round r JOIN league_event e ON e.id = r.event_id WHERE r.id = {row}.round_id",
        )
    ),
    # Whether one is checked in is told on the event's page before its evening begins.
    "league_presence": CountedTable(_EVENT),
    "league_standing": CountedTable(_EVENT),
    "league_standingsrequest": CountedTable(_EVENT),
    "league_tie": CountedTable(_EVENT),
    "league_match": CountedTable(("e.club_id, e.id, COALESCE({row}.sheet_id, 0)", _EVENT[1])),
    "league_appearance": CountedTable(
        (
            "e.club_id, e.id, COALESCE(m.sheet_id, 0)",
            "FROM league_match m JOIN league_event e ON e.id = m.event_id WHERE m.id = {row}.match_id",
        )
    ),
    # What a captain has handed in stands on the match's page for him, and for directors.
    "league_lineupseat": CountedTable(
        (
            "e.club_id, e.id, COALESCE(m.sheet_id, 0)",
            "FROM league_match m JOIN league_event e ON e.id = m.event_id WHERE m.id = {row}.match_id",
        )
    ),
    # What is proposed stands on the match's page.
    "league_proposedtime": CountedTable(
        (
            "e.club_id, e.id, COALESCE(m.sheet_id, 0)",
            "FROM league_match m JOIN league_event e ON e.id = m.event_id WHERE m.id = {row}.match_id",
        )
    ),
    # Whether the other side wants to play it on this site stands there, too.
    "league_onlineoffer": CountedTable(
        (
            "e.club_id, e.id, COALESCE(m.sheet_id, 0)",
            "FROM league_match m JOIN league_event e ON e.id = m.event_id WHERE m.id = {row}.match_id",
        )
    ),
    "league_tablelink": CountedTable(_sheet()),
    "scoring_scoresheet": CountedTable(_sheet("{row}.id")),
    "scoring_claim": CountedTable(_sheet()),
    "scoring_claimsettlement": CountedTable(_sheet_of("scoring_claim", "claim_id")),
    "scoring_dealversion": CountedTable(_sheet()),
    "scoring_dispute": CountedTable(_sheet()),
    "scoring_disputesettlement": CountedTable(_sheet_of("scoring_dispute", "dispute_id")),
    "scoring_seat": CountedTable(_sheet()),
    "scoring_sheetact": CountedTable(_sheet()),
    "scoring_side": CountedTable(_sheet()),
    "scoring_signature": CountedTable(_sheet()),
    # Not the workers' heartbeats.
    "games_botmatch": CountedTable(
        _sheet(), "bots, state, due_at, started_at, ended_at, handed_at, attempts, said, loser_side"
    ),
    # Not every card: that it is played on this site is told, and on the hall’s screen that play stands still.
    "games_tablematch": CountedTable(_sheet(), "is_live, adjourned_at, paused_at"),
    "games_bothand": CountedTable(_sheet_of("games_botmatch", "match_id")),
}


@dataclass(frozen=True, slots=True)
class PageVersion:
    """What a page reads and how often that was written; equal ones are of the same page of the same content.

    `ids` are those of its places, `today` is the date in the club's time zone.
    """

    ids: tuple[int | None, ...]
    writes: int
    today: datetime.date


def version_of(club: str, event: str | None = None, match: str | None = None) -> PageVersion | None:
    """Return the version of a club with all that is in it, or of one of its events, or of a match there.

    All by what addresses have, slugs and a code; in one query. None if there is no such club, event or match.
    """
    if event is None:
        return _version(Club.objects.filter(slug=club), "time_zone", "pk")
    if match is None:
        events = Event.objects.filter(slug=event, club__slug=club)
        return _version(events, "club__time_zone", "club_id", "pk")
    return _version_of_match(Match.objects.filter(code=match, event__slug=event, event__club__slug=club))


def version_of_sheet(code: str) -> PageVersion | None:
    """Return the version of the match that has the sheet with this code, in one query; None if none has."""
    return _version_of_match(Match.objects.filter(sheet__code=code))


def _version_of_match(rows: QuerySet[Match]) -> PageVersion | None:
    return _version(rows, "event__club__time_zone", "event__club_id", "event_id", "sheet_id")


def _version(rows: QuerySet[Any], zone: str, *ids: str) -> PageVersion | None:
    """Return the version of the place that these columns of the first row name, from the club on.

    Whatever is written for a place around it counts too: for the event, the club, the site.
    """
    names = ("club_id", "event_id", "sheet_id")
    around = {f"{name}__in": [0, OuterRef(id_)] for name, id_ in zip(names, ids, strict=False)}
    counts = WriteCount.objects.order_by().filter(**around)
    writes = counts.values(total=Coalesce(Func(F("number"), function="SUM"), Value(0)))
    found = rows.order_by().values_list(*ids, Subquery(writes), zone)[:1]
    for *of, total, name in found:
        return PageVersion(tuple(of), total, timezone.localdate(timezone=zoneinfo.ZoneInfo(name)))
    return None


def end_versions() -> None:
    """Have no version be one that was before: called after writes that were not counted."""
    far = 1 + secrets.randbelow(1 << 40)
    WriteCount.objects.update_or_create(
        club_id=0,
        event_id=0,
        sheet_id=0,
        writer=0,
        defaults={"number": F("number") + far},
        create_defaults={"number": far},
    )


def fold_counts() -> None:
    """Add the counts of what is over to those around it, some at a time: else sums grow longer every night.

    Those of a finished event's sheets, and of sheets that no match has, to the event's; those of an event
    that is gone to the club's; those of a club that is gone, which nobody asks for, are dropped. Rows that
    somebody writes are left to the next time.
    """
    clubs = Club.objects.filter(pk=OuterRef("club_id"))
    events = Event.objects.filter(pk=OuterRef("event_id"))
    matches = Match.objects.filter(sheet=OuterRef("sheet_id"), event=OuterRef("event_id"))
    over = events.filter(state__in=(EventState.FINISHED, EventState.ARCHIVED))
    of_clubs = WriteCount.objects.exclude(club_id=0)
    of_events = of_clubs.exclude(event_id=0)
    _fold(of_clubs.filter(~Exists(clubs)), None)
    _fold(of_events.filter(~Exists(events)), lambda row: (row.club_id, 0))
    ended = of_events.exclude(sheet_id=0).filter(Exists(over) | ~Exists(matches))
    _fold(ended, lambda row: (row.club_id, row.event_id))


def _fold(rows: QuerySet[WriteCount], around: Callable[[WriteCount], tuple[int, int]] | None) -> None:
    """Take these rows away, and add their numbers to the club and event `around` each."""
    if not rows.exists():  # without a transaction: mostly there is nothing, and SQLite has one writer
        return
    with transaction.atomic():
        taken = list(rows.select_for_update(skip_locked=True).order_by("pk")[:_FOLDED])
        WriteCount.objects.filter(pk__in=[row.pk for row in taken]).delete()
        if around is None:
            return
        numbers = Counter[tuple[int, int]]()
        for row in taken:
            numbers[around(row)] += row.number
        for (club_id, event_id), number in numbers.items():
            place = {"club_id": club_id, "event_id": event_id, "sheet_id": 0}
            there = WriteCount.objects.filter(**place).order_by("pk")
            free = there.select_for_update(skip_locked=True).first()
            if free is None:
                WriteCount.objects.create(**place, writer=secrets.randbelow(1 << 40), number=number)
            else:
                WriteCount.objects.filter(pk=free.pk).update(number=F("number") + number)
