"""Base classes of the API's resources: rows that the reader may see, in lists and one by one.

A resource defines which rows are visible (`seen`), how they are serialized (`serializer_class`), their club,
who may change them, and the services that write them. The rest is common to all: an invisible row is a 404, a
change must name the version it changes, and unknown fields and parameters are refused by name.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.db import models, transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters.rest_framework import DjangoFilterBackend, FilterSet
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from league.acts.services import Services
from league.api.asking import actor_for, who_of
from league.api.keeping import SpeltForReader
from league.api.paging import Pages, check_parameters, deletions_seen
from league.api.spelling import Spelling
from league.api.versions import etag_of, require_match
from league.models import Club, Deletion
from league.policy import Permission, Who, clubs_where, events_seen, require
from league.record.audit import locked
from league.record.locking import refused_when_crossed
from scoring.core.actors import Actor
from scoring.services import refused_when_busy, waiting_anywhere_at_most

Row = TypeVar("Row", bound=models.Model)

# The longest wait of a change for another one, in seconds; after it the answer is 409.
PATIENCE_SECONDS: Final = 5.0


class Filters(DjangoFilterBackend):  # type: ignore[misc]
    """Filters of a list; refuses unknown parameters (`unknown_parameter`) instead of ignoring them."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: APIView) -> QuerySet[Any]:
        filters: type[FilterSet] | None = getattr(view, "filterset_class", None)
        check_parameters(request, view, filters.base_filters if filters is not None else ())
        filtered: QuerySet[Any] = super().filter_queryset(request, queryset, view)
        return filtered


class Input(serializers.Serializer[Any]):
    """The body of a request; refuses unknown fields (`unknown_field`) instead of ignoring them."""

    def to_internal_value(self, data: Any) -> Any:
        for field in self.fields.values():
            if isinstance(field, serializers.ChoiceField):
                known = ", ".join(str(choice) for choice in field.choices if choice != "")
                field.error_messages["invalid_choice"] = _("It is one of these: %(known)s.") % {
                    "known": known
                }
            elif isinstance(field, serializers.IntegerField):
                field.error_messages["invalid"] = _("It is a whole number.")
        if isinstance(data, dict):
            for name in data:
                if name not in self.fields:
                    raise serializers.ValidationError(
                        {name: [_("There is no such field, or it is not written here.")]},
                        code="unknown_field",
                    )
        return super().to_internal_value(data)


class Resource(SpeltForReader, GenericViewSet[Any], Generic[Row]):
    """Rows of one kind, for reading.

    `resource` is their name in addresses; `changed_by` the permission in the club that a change needs.
    """

    resource: ClassVar[str]
    filter_backends = (Filters,)
    pagination_class = Pages
    lookup_field = "code"
    lookup_value_converter = "slug"
    changed_by: ClassVar[Permission] = Permission.DIRECT

    @abstractmethod
    def seen(self, who: Who) -> QuerySet[Row]:
        """Return the rows that `who` may read, ordered, with the related rows that serializing them needs."""

    @abstractmethod
    def club_of(self, row: Row) -> Club | None:
        """Return the club of a row, or None."""

    def list(self, request: Request, **kwargs: Any) -> Response:
        """Return a page of the rows."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        return self.get_paginated_response(self.told(page))

    def counted(self, rows: QuerySet[Row]) -> int:
        """Return how many rows the list has, on all pages."""
        return rows.count()

    def is_filtered(self) -> bool:
        """Whether the list was asked for some of its rows only; its order does not matter."""
        filters: type[FilterSet] | None = getattr(self, "filterset_class", None)
        chosen = set() if filters is None else filters.base_filters.keys() - {"ordering"}
        return not chosen.isdisjoint(self.request.query_params)

    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Return one row."""
        return self.answer(self.get_object())

    def get_queryset(self) -> QuerySet[Row]:
        return self.seen(who_of(self.request))

    def hold(self, row: Row) -> None:
        """Lock what a change of the row locks first, so that its version stays valid until the change."""
        locked(row)

    def told(self, rows: Sequence[Row]) -> Any:
        """Return the serialized rows, with names as the reader may see them."""
        context = {
            "request": self.request,
            "who": who_of(self.request),
            "spelling": self.spelling_of(rows),
        }
        return self.get_serializer_class()(rows, many=True, context=context).data

    def spelling_of(self, rows: Sequence[Row]) -> Spelling:
        """Return the names for the clubs of these rows, as the reader may see them."""
        clubs = {club.pk for club in map(self.club_of, rows) if club is not None}
        return Spelling(who_of(self.request), clubs)

    def answer(self, row: Row, *, status: int = 200) -> Response:
        """Return the response with one row and its ETag."""
        (body,) = self.told([row])
        return Response(body, status=status, headers={"ETag": etag_of(body)})

    def answer_again(self, row: models.Model, *, status: int = 200) -> Response:
        """Return the response with a row just written, read again."""
        return self.answer(self.get_queryset().get(pk=row.pk), status=status)

    def said(self, body: type[serializers.Serializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """Return the validated body of the request."""
        checked = body(data=self.request.data, partial=partial, context={"who": who_of(self.request)})
        checked.is_valid(raise_exception=True)
        values: dict[str, Any] = checked.validated_data
        return values

    @contextmanager
    def changing(self) -> Iterator[Row]:
        """Yield the row in the address, locked, in a transaction.

        404 for a row that is not visible or has no club. Refused: a sender without the permission
        `changed_by` (`not_allowed`), a request without If-Match (`no_version`, 428) or with that of another
        version (`stale_version`, 412).
        """
        with transaction.atomic():
            row: Row = self.get_object()
            club = self.club_of(row)
            if club is None:
                raise Http404
            require(actor_for(self.request), self.changed_by, club)
            self.hold(row)
            row = self.get_object()
            (body,) = self.told([row])
            require_match(self.request, etag_of(body))
            yield row

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Handle the request; one that writes waits at most `PATIENCE_SECONDS` for a lock."""
        if request.method in SAFE_METHODS:
            return super().dispatch(request, *args, **kwargs)
        with waiting_anywhere_at_most(PATIENCE_SECONDS):
            return super().dispatch(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        """Refuse a transaction that the database aborted for a conflict (`crossed`) or a lock (`busy`).

        The client may try again.
        """
        try:
            with refused_when_crossed(), refused_when_busy():
                raise exc
        except Exception as error:  # noqa: BLE001 (the framework turns it into a response)
            return super().handle_exception(error)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter a list; a single row is found by its address only."""
        is_one = (self.lookup_url_kwarg or self.lookup_field) in self.kwargs
        return queryset if is_one else super().filter_queryset(queryset)


class Followed(Resource[Row]):
    """Rows that support `updated_since`; `Deletion` has their tombstones under the name of the resource."""

    def deletions(self) -> QuerySet[Deletion]:
        """Return the tombstones that the reader may see."""
        who = who_of(self.request)
        return deletions_seen(
            self.resource,
            viewed=clubs_where(who, Permission.VIEW),
            directed=clubs_where(who, Permission.DIRECT),
            events=events_seen(who),
        )


class Made(Resource[Row]):
    """Rows that can be created: `made_from` is the body's serializer, `named_by` the field in the address."""

    named_by: ClassVar[str] = "code"
    made_from: ClassVar[type[serializers.Serializer[Any]]]
    services: ClassVar[Services[Any]] = Services()

    def make(self, actor: Actor, **values: Any) -> Row:
        """Create a row from the validated values: by `services`, or as overridden."""
        row: Row = self.services.added(actor, values)
        return row

    def address(self, told: Any) -> str:
        """Return the path of a serialized row."""
        return reverse(f"api-{self.resource}-detail", args=[told[self.named_by]])

    def create(self, request: Request, **kwargs: Any) -> Response:
        """Create a row; its address is in the `Location` of the response."""
        return self.answer_new(self.make(actor_for(request), **self.said(self.made_from)))

    def answer_new(self, row: Row) -> Response:
        """Return the response with a row just created (201), read again, with its address."""
        response = self.answer_again(row, status=201)
        response["Location"] = self.request.build_absolute_uri(self.address(response.data))
        return response


class Changed(Resource[Row]):
    """Rows that can be changed: `changed_from` is the serializer of the body."""

    changed_from: ClassVar[type[serializers.Serializer[Any]]]
    services: ClassVar[Services[Any]] = Services()

    def change(self, actor: Actor, row: Row, **values: Any) -> None:
        """Change the row, which is locked, to the validated values: by `services`, or as overridden."""
        self.services.changed(actor, row, values)

    def partial_update(self, request: Request, **kwargs: Any) -> Response:
        """Change a row."""
        with self.changing() as row:
            self.change(actor_for(request), row, **self.said(self.changed_from, partial=True))
        return self.answer_again(row)


class Written(Made[Row], Changed[Row]):
    """Rows that can be created, changed and deleted."""

    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """Delete a row, which is locked, by `services`."""
        with self.changing() as row:
            self.services.removed(actor_for(request), row)
        return Response(status=204)
