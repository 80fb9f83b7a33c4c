"""Pagination of lists: page after page, by page number, and by time of change for who follows the changes.

A page links to the next by a cursor (`league.api.keyset`), which has the number of rows too, so that they are
counted once. A page may be asked for by its number as well.

With `updated_since` a list returns the rows written at that time or later, the oldest change first, then the
deletions since. Each page links to the next by a cursor, the place of its last row: a row that changes
meanwhile comes again later, and none is skipped. The last page gives in `next_since` the time for the next
request, somewhat before the latest change seen: a change is stamped before it is committed, and one in a slow
transaction would be missed otherwise. So rows may come twice.

Deletions are noted for a time only (`league.upkeep.retention`). Who comes later is refused and begins anew.
"""

import datetime
from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Any, Final, cast

from django.core import signing
from django.core.paginator import Page
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from league.api.keyset import beyond, order_of, place_of
from league.errors import LeagueError
from league.models import Club, Deletion, SweepMark
from scoring.late_rows import LateRows

LARGEST_PAGE: Final = 200
SINCE: Final = "updated_since"
AFTER: Final = "after"
CURSOR: Final = "cursor"
COUNT: Final = "count"
# Longer than any transaction takes, unless it is stuck; and longer than one is stuck.
OVERLAP: Final = datetime.timedelta(minutes=5)
LONGEST_OVERLAP: Final = datetime.timedelta(days=1)
# Who follows from here on has nothing yet, and misses no deletion.
BEGINNING: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True, slots=True)
class _Place:
    """The position of a client in the changes: the last row, or the last deletion once all rows are read.

    `began` is when the first page was read, `latest` the latest change seen; times are ISO 8601, in UTC.
    """

    at: str
    pk: int
    is_deletion: bool
    began: str
    latest: str

    def to_cursor(self) -> str:
        """Return the place as a query parameter, signed: what comes back is what was given."""
        return _signer(AFTER).sign_object(astuple(self))

    @classmethod
    def from_cursor(cls, text: str) -> "_Place":
        """Read a cursor from `to_cursor`; refuses any other (`invalid_cursor`)."""
        return cls(*_unsigned(text, AFTER))


@dataclass(frozen=True, slots=True)
class _Edge:
    """Where a page ends: its last row's values in the order `by`, or its first row's if `backwards`.

    `count` is how many rows there were on all pages, None if that was not asked.
    """

    by: list[str]
    place: list[Any]
    backwards: bool
    count: int | None

    def to_cursor(self) -> str:
        """Return the edge as a query parameter, signed likewise."""
        return _signer(CURSOR).sign_object([self.by, self.place, self.backwards, self.count], compress=True)

    @classmethod
    def from_cursor(cls, text: str) -> "_Edge":
        """Read a cursor from `to_cursor`; refuses any other (`invalid_cursor`)."""
        return cls(*_unsigned(text, CURSOR))


def _signer(field: str) -> signing.Signer:
    return signing.Signer(salt=f"league.api.paging.{field}")


def _unsigned(text: str, field: str) -> list[Any]:
    """Return what a cursor was made of; refuses what was not signed for this field (`invalid_cursor`)."""
    try:
        signed: list[Any] = _signer(field).unsign_object(text)
    except signing.BadSignature as error:
        raise _invalid_cursor(field) from error
    return signed


class Pages(PageNumberPagination):
    """Pages of 50 rows, or 1 to 200 by `page_size`; see the module for `updated_since`.

    A view that counts its rows in another way than one by one has a method `counted`, which is given them.

    A view supports `updated_since` if it has a method `deletions`, which returns the tombstones that the
    reader may see.
    """

    django_paginator_class: Any = LateRows
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE

    _gone: Sequence[Deletion] | None = None
    _count: int | None = None
    _next: str | None = None
    _previous: str | None = None
    _next_since: str | None = None

    def get_page_size(self, request: Request) -> int:
        """Return the requested size; refuses one outside 1…200 (`out_of_range`) instead of clamping it."""
        asked = request.query_params.get(self.page_size_query_param)
        if asked is None:
            return self.page_size
        if not (asked.isascii() and asked.isdigit() and len(asked) < 5 and 1 <= int(asked) <= LARGEST_PAGE):
            raise LeagueError(
                "out_of_range",
                _("A page has 1 to %(most)d rows.") % {"most": LARGEST_PAGE},
                field=self.page_size_query_param,
            )
        return int(asked)

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        deletions = getattr(view, "deletions", None)
        if SINCE in request.query_params and deletions is not None:
            return self._changes(queryset, deletions(), request)
        is_counted = _asked_count(request)
        order = order_of(queryset)
        cursor = request.query_params.get(CURSOR)
        counted: Callable[[Any], int] | None = getattr(view, "counted", None)
        counting = None if counted is None else partial(counted, queryset)
        if order is not None and self.page_query_param not in request.query_params:
            asked = counting or queryset.count
            return self._from_edge(queryset, order, request, cursor, counting=asked if is_counted else None)
        if cursor is not None:
            raise _invalid_cursor(CURSOR)
        self.django_paginator_class = partial(LateRows, counting=counting)
        rows: list[Any] = super().paginate_queryset(queryset, request, view) or []
        page = cast("Page[Any]", self.page)
        count = page.paginator.count if is_counted else None
        self._count = count
        self._next, self._previous = self.get_next_link(), self.get_previous_link()
        if order is not None and page.has_next() and rows:
            self._next = _linked(request, _Edge(order, place_of(rows[-1], order), False, count))
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        if self._gone is None:
            counted = {} if self._count is None else {"count": self._count}
            return Response({**counted, "next": self._next, "previous": self._previous, "results": data})
        gone = [{"id": row.public_id, "at": _iso_utc(row.at)} for row in self._gone]
        return Response(
            {"next": self._next, "results": data, "deleted": gone, "next_since": self._next_since}
        )

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        def parameter(name: str, description: str, **schema: Any) -> dict[str, Any]:
            return {"name": name, "in": "query", "description": description, "schema": schema}

        pages = [
            parameter(CURSOR, "The value given in `next` or `previous`.", type="string"),
            parameter(
                "page",
                "Counted from 1. A far page takes longer than one reached by `next`.",
                type="integer",
                minimum=1,
                default=1,
            ),
            parameter(
                COUNT,
                "`false` leaves `count` out, which takes time for a long list.",
                type="boolean",
                default=True,
            ),
            parameter(
                self.page_size_query_param,
                "The number of rows on a page.",
                type="integer",
                minimum=1,
                maximum=LARGEST_PAGE,
                default=self.page_size,
            ),
        ]
        if not hasattr(view, "deletions"):
            return pages
        return [
            *pages,
            parameter(
                SINCE,
                (
                    "Only rows written at this time or later, oldest change first, and what was deleted "
                    "since. Start with `2000-01-01T00:00:00Z` and continue with `next_since`. If "
                    "deletions since then are no longer on record, the answer is 410, `too_long_ago`: "
                    "start again."
                ),
                type="string",
                format="date-time",
            ),
            parameter(AFTER, "With `updated_since`: the value given in `next`.", type="string"),
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": "string", "nullable": True, "format": "uri", "example": None}
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {
                "count": {
                    "type": "integer",
                    "description": (
                        "Over all pages, as counted on the first of them; not with `updated_since`, and not "
                        "with `count=false`."
                    ),
                    "example": 1,
                },
                "next": {**address, "description": "The next page."},
                "previous": {**address, "description": "The previous page; not with `updated_since`."},
                "results": schema,
                "deleted": {
                    "type": "array",
                    "description": "Only with `updated_since`: what was deleted since.",
                    "example": [],
                    "items": {
                        "type": "object",
                        "required": ["id", "at"],
                        "properties": {
                            "id": {"type": "string"},
                            "at": {"type": "string", "format": "date-time"},
                        },
                    },
                },
                "next_since": {
                    "type": "string",
                    "format": "date-time",
                    "nullable": True,
                    "description": (
                        "Only with `updated_since`, on the last page: the value to send next time."
                    ),
                    "example": None,
                },
            },
        }

    def _from_edge(
        self,
        queryset: QuerySet[Any],
        order: list[str],
        request: Request,
        cursor: str | None,
        *,
        counting: Callable[[], int] | None,
    ) -> list[Any]:
        """Return the rows after the edge in the cursor, or the first ones; counts them all unless None."""
        size = self.get_page_size(request)
        edge = None if cursor is None else _Edge.from_cursor(cursor)
        backwards = edge is not None and edge.backwards
        rows = queryset
        if edge is not None:
            if edge.by != order:
                raise _invalid_cursor(CURSOR)
            rows = beyond(queryset, order, edge.place, backwards=backwards)
        found = list(rows[: size + 1])
        has_more = len(found) > size
        found = found[:size]
        if backwards:
            found.reverse()
        if counting is not None:
            if edge is not None and edge.count is not None:
                self._count = edge.count
            else:
                self._count = counting() if has_more or edge is not None else len(found)
        if found and (has_more or backwards):
            self._next = _linked(request, _Edge(order, place_of(found[-1], order), False, self._count))
        if found and (has_more if backwards else edge is not None):
            self._previous = _linked(request, _Edge(order, place_of(found[0], order), True, self._count))
        return found

    def _changes(self, queryset: QuerySet[Any], deletions: QuerySet[Deletion], request: Request) -> list[Any]:
        since = _asked_since(request.query_params[SINCE])
        size = self.get_page_size(request)
        cursor = request.query_params.get(AFTER)
        if cursor is None:
            place = _Place(since.isoformat(), 0, False, _now().isoformat(), since.isoformat())
        else:
            place = _Place.from_cursor(cursor)
        rows: list[Any] = []
        if not place.is_deletion:
            rows = list(_following(queryset, "updated_at", place)[: size + 1])
            if len(rows) > size:
                rows = rows[:size]
                self._gone = []
                self._link_next(request, _moved(place, rows[-1].updated_at, rows[-1].pk))
                _check_all_told(since, place)
                return rows
            if rows:
                place = _moved(place, rows[-1].updated_at, rows[-1].pk)
            place = replace(place, at=since.isoformat(), pk=0, is_deletion=True)
        room = size - len(rows)
        gone = list(_following(deletions, "at", place)[: room + 1])
        self._gone = gone[:room]
        if self._gone:
            place = _moved(place, self._gone[-1].at, self._gone[-1].pk)
        if len(gone) > room:
            self._link_next(request, place)
        else:
            self._next_since = _iso_utc(_next_since(since, place))
        _check_all_told(since, place)
        return rows

    def _link_next(self, request: Request, place: _Place) -> None:
        self._next = replace_query_param(request.build_absolute_uri(), AFTER, place.to_cursor())


def check_parameters(request: Request, view: APIView, filters: Collection[str] = ()) -> None:
    """Refuse query parameters other than those of pages and the `filters` (`unknown_parameter`)."""
    followed = (SINCE, AFTER) if hasattr(view, "deletions") else ()
    known = {CURSOR, "page", "page_size", COUNT, *followed, *filters}
    for name in request.query_params:
        if name not in known:
            raise LeagueError(
                "unknown_parameter",
                _("There is no parameter “%(name)s” here; there are: %(known)s.")
                % {"name": name, "known": ", ".join(sorted(known))},
                field=name,
            )


def deletions_seen(
    resource: str, *, viewed: QuerySet[Club], directed: QuerySet[Club], events: QuerySet[Any]
) -> QuerySet[Deletion]:
    """Return the tombstones of a resource for a reader of these clubs and events.

    Those of the clubs `viewed`, of the `events`, and those for everybody (club id 0); hidden ones only of
    the clubs `directed`.
    """
    known = Q(club_id=0) | Q(club_id__in=viewed.values("pk")) | Q(event_id__in=events.order_by().values("pk"))
    allowed = Q(is_hidden=False) | Q(club_id__in=directed.values("pk"))
    return Deletion.objects.filter(known, allowed, resource=resource)


def _following(rows: QuerySet[Any], field: str, place: _Place) -> QuerySet[Any]:
    """Return the rows after a place, ordered by the time in `field`."""
    at = datetime.datetime.fromisoformat(place.at)
    later = Q(**{f"{field}__gt": at}) | Q(pk__gt=place.pk)
    # The bound stands by itself, where an index is found for it.
    return rows.filter(later, **{f"{field}__gte": at}).order_by(field, "pk")


def _moved(place: _Place, at: datetime.datetime, pk: int) -> _Place:
    latest = max(at, datetime.datetime.fromisoformat(place.latest))
    return replace(place, at=at.isoformat(), pk=pk, latest=latest.isoformat())


def _next_since(since: datetime.datetime, place: _Place) -> datetime.datetime:
    """Return the next `updated_since`: `OVERLAP` before the latest change and the first page.

    Never before `since`, nor more than `LONGEST_OVERLAP` before the day of the first page: where little
    changes, the time would grow older than the deletions that are still noted. An empty list is begun again.
    """
    began, latest = (datetime.datetime.fromisoformat(time) for time in (place.began, place.latest))
    if latest <= since <= BEGINNING:
        return since
    # The day rather than the moment: what is asked again the same day is answered 304.
    day = began.astimezone(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return max(since, min(began, latest) - OVERLAP, day - LONGEST_OVERLAP)


def _check_all_told(since: datetime.datetime, place: _Place) -> None:
    """Refuse (`too_long_ago`) a follower of whom deletions were forgotten; called after they were read."""
    noted = SweepMark.objects.values_list("deletions_since", flat=True).first()
    followed = datetime.datetime.fromisoformat(place.began) if since <= BEGINNING else since
    if noted is not None and followed < noted:
        raise LeagueError(
            "too_long_ago",
            _("What was deleted since then is no longer known. Start again from %(beginning)s.")
            % {"beginning": _iso_utc(BEGINNING)},
            field=SINCE,
        )


def _asked_since(text: str) -> datetime.datetime:
    """Parse a date and time, in UTC if it has no offset; refuses anything else (`invalid_time`).

    Before `BEGINNING` nothing was written: an earlier time is as good as it.
    """
    try:
        found = parse_datetime(text)
        if found is not None and found.tzinfo is None:
            found = found.replace(tzinfo=datetime.UTC)
        found = found and found.astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        found = None
    if found is None:
        raise LeagueError("invalid_time", _("Write a time such as 2026-11-22T18:00:00Z."), field=SINCE)
    return max(found, BEGINNING)


def _now() -> datetime.datetime:
    """Return the time of the database's clock; that of this machine while there are no clubs."""
    found: datetime.datetime = Club.objects.values_list(Now(), flat=True).first() or datetime.datetime.now(
        datetime.UTC
    )
    return found


def _iso_utc(time: datetime.datetime) -> str:
    return time.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


def _linked(request: Request, edge: _Edge) -> str:
    address = remove_query_param(request.build_absolute_uri(), "page")
    return replace_query_param(address, CURSOR, edge.to_cursor())


def _asked_count(request: Request) -> bool:
    """Whether rows are to be counted; refuses anything but `true` and `false` (`invalid_choice`)."""
    asked = request.query_params.get(COUNT, "true")
    if asked not in ("true", "false"):
        known = _("It is one of these: %(known)s.") % {"known": "true, false"}
        raise LeagueError("invalid_choice", known, field=COUNT)
    return asked == "true"


def _invalid_cursor(field: str) -> LeagueError:
    return LeagueError("invalid_cursor", _("Follow the address in “next” as it is."), field=field)
