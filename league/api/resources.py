"""What all resources of the API are made of: rows that who asks may see, in lists and one by one.

A resource says which rows may be seen (`seen`), how one is told (`serializer_class`), of which club it is and
who may change it, and which services write. All else is the same everywhere: what may not be seen is a 404; a
change names the version it changes; what a request has too much is refused by name.
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

# After so long a change that waits for another one is answered with 409.
PATIENCE_SECONDS: Final = 5.0


class Filters(DjangoFilterBackend):  # type: ignore[misc]
    """Filters of a list; refuses (`unknown_parameter`) one it does not have, for that would answer all."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: APIView) -> QuerySet[Any]:
        filters: type[FilterSet] | None = getattr(view, "filterset_class", None)
        check_parameters(request, view, filters.base_filters if filters is not None else ())
        filtered: QuerySet[Any] = super().filter_queryset(request, queryset, view)
        return filtered


class Input(serializers.Serializer[Any]):
    """What a request may say; refuses (`unknown_field`) what it may not, rather than to pass it over."""

    def to_internal_value(self, data: Any) -> Any:
        for field in self.fields.values():
            if isinstance(field, serializers.ChoiceField):
                known = ", ".join(str(choice) for choice in field.choices if choice != "")
                field.error_messages["invalid_choice"] = _("It is one of these: %(known)s.") % {
                    "known": known
                }
        if isinstance(data, dict):
            for name in data:
                if name not in self.fields:
                    raise serializers.ValidationError(
                        {name: [_("There is no such field, or it is not written here.")]},
                        code="unknown_field",
                    )
        return super().to_internal_value(data)


class Resource(SpeltForReader, GenericViewSet[Any], Generic[Row]):
    """One kind of rows, to be read; `changed_by` is what a club must allow to who changes one.

    `resource` is their name in addresses.
    """

    resource: ClassVar[str]
    filter_backends = (Filters,)
    pagination_class = Pages
    lookup_field = "code"
    lookup_value_converter = "slug"
    changed_by: ClassVar[Permission] = Permission.DIRECT

    @abstractmethod
    def seen(self, who: Who) -> QuerySet[Row]:
        """The rows that may be read by `who`, with all that is told of them, in an order of their own."""

    @abstractmethod
    def club_of(self, row: Row) -> Club | None:
        """The club a row is of, if it is of any."""

    def list(self, request: Request, **kwargs: Any) -> Response:
        """A page of the rows."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        return self.get_paginated_response(self.told(page))

    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """One row."""
        return self.answer(self.get_object())

    def get_queryset(self) -> QuerySet[Row]:
        return self.seen(who_of(self.request))

    def hold(self, row: Row) -> None:
        """Locks what a change of the row locks first, so that its version holds until it is written."""
        locked(row)

    def told(self, rows: Sequence[Row]) -> Any:
        """The rows as JSON, with names as who asks may see them."""
        context = {
            "request": self.request,
            "who": who_of(self.request),
            "spelling": self.spelling_of(rows),
        }
        return self.get_serializer_class()(rows, many=True, context=context).data

    def spelling_of(self, rows: Sequence[Row]) -> Spelling:
        """How people are called in what is told of these rows."""
        clubs = {club.pk for club in map(self.club_of, rows) if club is not None}
        return Spelling(who_of(self.request), clubs)

    def answer(self, row: Row, *, status: int = 200) -> Response:
        """One row, with its version."""
        (body,) = self.told([row])
        return Response(body, status=status, headers={"ETag": etag_of(body)})

    def answer_again(self, row: models.Model, *, status: int = 200) -> Response:
        """One row that was just written, as it is now."""
        return self.answer(self.get_queryset().get(pk=row.pk), status=status)

    def said(self, body: type[serializers.Serializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """What the request says, checked."""
        checked = body(data=self.request.data, partial=partial, context={"who": who_of(self.request)})
        checked.is_valid(raise_exception=True)
        values: dict[str, Any] = checked.validated_data
        return values

    @contextmanager
    def changing(self) -> Iterator[Row]:
        """The row that the address names, held, to be changed inside.

        Refused are who may not (`not_allowed`), and a change of another version than the one there is.
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
        """Answers; what writes waits for others only so long."""
        if request.method in SAFE_METHODS:
            return super().dispatch(request, *args, **kwargs)
        with waiting_anywhere_at_most(PATIENCE_SECONDS):
            return super().dispatch(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        """What the database undid as it crossed another change (`crossed`), or waited for one too long
        (`busy`), is refused, to be tried again.
        """
        try:
            with refused_when_crossed(), refused_when_busy():
                raise exc
        except Exception as error:  # noqa: BLE001 (the framework decides what it answers)
            return super().handle_exception(error)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Lists are filtered; one row is found by its address alone."""
        is_one = (self.lookup_url_kwarg or self.lookup_field) in self.kwargs
        return queryset if is_one else super().filter_queryset(queryset)


class Followed(Resource[Row]):
    """Rows whose changes can be followed, their deletions by the name of the resource."""

    def deletions(self) -> QuerySet[Deletion]:
        """What is gone, as far as who asks may know of it."""
        who = who_of(self.request)
        return deletions_seen(
            self.resource,
            viewed=clubs_where(who, Permission.VIEW),
            directed=clubs_where(who, Permission.DIRECT),
            events=events_seen(who),
        )


class Made(Resource[Row]):
    """Rows that are made: `made_from` is what a request says, `named_by` the field that addresses one."""

    named_by: ClassVar[str] = "code"
    made_from: ClassVar[type[serializers.Serializer[Any]]]

    @abstractmethod
    def make(self, actor: Actor, **values: Any) -> Row:
        """Makes a row."""

    def address(self, told: Any) -> str:
        """The path of a row, by what is told of it."""
        return reverse(f"api-{self.resource}-detail", args=[told[self.named_by]])

    def create(self, request: Request, **kwargs: Any) -> Response:
        """Makes a row; the answer tells its address."""
        return self.answer_new(self.make(actor_for(request), **self.said(self.made_from)))

    def answer_new(self, row: Row) -> Response:
        """A row that has just been made, read again, with its address."""
        response = self.answer_again(row, status=201)
        response["Location"] = self.request.build_absolute_uri(self.address(response.data))
        return response


class Changed(Resource[Row]):
    """Rows that are changed: `changed_from` is what a change may say."""

    changed_from: ClassVar[type[serializers.Serializer[Any]]]

    @abstractmethod
    def change(self, actor: Actor, row: Row, **values: Any) -> None:
        """Changes what is said of the row, which is held."""

    def partial_update(self, request: Request, **kwargs: Any) -> Response:
        """Changes a row."""
        with self.changing() as row:
            self.change(actor_for(request), row, **self.said(self.changed_from, partial=True))
        return self.answer_again(row)


class Written(Made[Row], Changed[Row]):
    """Rows that are made, changed and deleted."""

    @abstractmethod
    def remove(self, actor: Actor, row: Row) -> None:
        """Deletes the row, which is held."""

    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """Deletes a row."""
        with self.changing() as row:
            self.remove(actor_for(request), row)
        return Response(status=204)
