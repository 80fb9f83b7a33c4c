"""Pages of long lists, in the administration and the API."""

from collections.abc import Callable
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property


class LateRows(Paginator[Any]):
    """Asks for the ids of a page first, where rows are passed over, sought among others, or joined with more.

    What is not shown is then neither read and joined nor put in order with all its columns. Pages of the
    second half are reached from the end. `counting` tells how many rows there are, where that is known faster
    than by counting them.
    """

    def __init__(
        self, rows: Any, per_page: int, *args: Any, counting: Callable[[], int] | None = None, **options: Any
    ) -> None:
        super().__init__(rows, per_page, *args, **options)
        self._counting = counting

    @cached_property
    def count(self) -> int:
        return super().count if self._counting is None else self._counting()

    def page(self, number: int | str) -> Page[Any]:
        page = super().page(number)
        rows = self.object_list
        if isinstance(rows, QuerySet) and (page.number > 1 or rows.query.where or rows.query.select_related):
            left = self.count - page.end_index()
            on_page = cast("QuerySet[Any]", page.object_list)
            if left < page.start_index() and _is_in_total_order(rows):
                on_page = rows.reverse()[left : self.count - page.start_index() + 1]
            page.object_list = rows.filter(pk__in=list(on_page.values_list("pk", flat=True)))
        return page


def _is_in_total_order(rows: QuerySet[Any]) -> bool:
    """Whether the rows' order ends with their ids: then it is the same from the end."""
    last = str(rows.query.order_by[-1]) if rows.query.order_by else ""
    return last.lstrip("-") in ("pk", "id")


class SoughtRows(LateRows):
    """What a search has found: it is done once, for the ids of all, which are counted and cut into pages."""

    @cached_property
    def ids(self) -> list[Any]:
        """The ids of all rows, in their order."""
        return list(cast("QuerySet[Any]", self.object_list).values_list("pk", flat=True))

    @cached_property
    def count(self) -> int:
        return len(self.ids)

    def ids_of_page(self, number: int) -> list[Any]:
        """The ids of the rows of a page that there is."""
        return self.ids[(number - 1) * self.per_page : number * self.per_page]

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        rows = cast("QuerySet[Any]", self.object_list).filter(pk__in=self.ids_of_page(number))
        return Page(rows, number, self)
