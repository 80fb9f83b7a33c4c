"""Pages of long lists, in the administration and the API."""

from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property


class LateRows(Paginator[Any]):
    """Asks for the ids of a page first, where rows are passed over or sought among others.

    What is not shown is then neither read and joined nor put in order with all its columns.
    """

    def page(self, number: int | str) -> Page[Any]:
        page = super().page(number)
        if isinstance(page.object_list, QuerySet) and (page.number > 1 or page.object_list.query.where):
            rows = cast("QuerySet[Any]", self.object_list)
            page.object_list = rows.filter(pk__in=list(page.object_list.values_list("pk", flat=True)))
        return page


class SoughtRows(LateRows):
    """What a search has found: it is done once, for the ids of all, which are counted and cut into pages."""

    @cached_property
    def ids(self) -> list[Any]:
        """The ids of all rows, in their order."""
        return list(cast("QuerySet[Any]", self.object_list).values_list("pk", flat=True))

    @cached_property
    def count(self) -> int:
        return len(self.ids)

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        ids = self.ids[(number - 1) * self.per_page : number * self.per_page]
        return Page(cast("QuerySet[Any]", self.object_list).filter(pk__in=ids), number, self)
