"""Read-only admin for sheets and house rules: every version of every deal, its author, time and reason."""

import datetime
from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import smart_split, unescape_string_literal
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from scoring.late_rows import LateRows, SoughtRows
from scoring.models import HouseRules, Scoresheet, SheetAct, Side
from scoring.policy import policy
from scoring.services.records import kept_sheet
from scoring.templatetags.figures import signed
from scoring.typing.wording import deal_words, echo_rows
from scoring.words.messages import translated


class LongChangeList(ChangeList):
    """A change list that reads the page of what a search has found by its ids, without searching again."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if isinstance(self.paginator, SoughtRows) and not (self.show_all and self.multi_page):
            # Of several pages this is one that there is; where there is one page, its number says nothing.
            ids = self.paginator.ids_of_page(self.page_num) if self.multi_page else self.paginator.ids
            rows = self.root_queryset.filter(pk__in=ids).order_by()
            if not rows.query.select_related:
                rows = self.apply_select_related(rows)
            found = {row.pk: row for row in rows}
            self.result_list = [found[pk] for pk in ids if pk in found]


class LongList:
    """An admin whose list may be long: its pages ask for ids first, and a search is done once."""

    def rows_with(self, word: str) -> Q | None:
        """A condition for the rows in which a search finds the word, where `search_fields` join too much."""
        return None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows in which each word is found; several words are to be found in the same joined row."""
        words = list(map(_unquoted, smart_split(search_term)))
        conditions = [condition for condition in map(self.rows_with, words) if condition is not None]
        for condition in conditions:
            queryset = queryset.filter(condition)
        if len(conditions) == 1:
            return queryset, False
        found: tuple[QuerySet[Any], bool] = super().get_search_results(  # type: ignore[misc]
            request, queryset, search_term
        )
        return found

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LongChangeList

    def get_paginator(
        self, request: HttpRequest, queryset: QuerySet[Any], per_page: int, *args: Any, **options: Any
    ) -> Paginator[Any]:
        rows = SoughtRows if request.GET.get(SEARCH_VAR) else LateRows
        return rows(queryset, per_page, *args, **options)


class ReadOnly(LongList):
    """An admin without add, change and delete: writes go through services."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def zone_of(self, row: Any) -> datetime.tzinfo:
        """The time zone for the row's times; UTC unless an app above replaces this."""
        return datetime.UTC


def _unquoted(word: str) -> str:
    """A word of a search, or what stands between quotation marks."""
    return unescape_string_literal(word) if word[0] in "\"'" and word[0] == word[-1] else word


def time_column(field: str, title: StrOrPromise, *, ordering: str | None = None) -> Callable[[Any, Any], str]:
    """A column of a `ReadOnly` admin with a time of the row in its zone; “–” where there is none."""

    @admin.display(description=title, ordering=ordering)
    def moment(self: ReadOnly, row: Any) -> str:
        at = getattr(row, field)
        return "–" if at is None else f"{at.astimezone(self.zone_of(row)):%Y-%m-%d %H:%M}"

    return moment


@admin.register(HouseRules)
class HouseRulesAdmin(ReadOnly, admin.ModelAdmin[HouseRules]):
    """Every version of all house rules; not those that are others but for their length."""

    list_display = ("name", "version", "code", "actor_name", "made")
    search_fields = ("name", "code")
    fields = ("name", "version", "code", "knobs", "actor_name", "made")

    made = time_column("created_at", gettext_lazy("made"), ordering="created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[HouseRules]:
        return super().get_queryset(request).exclude(code__contains="-")


@admin.register(Scoresheet)
class ScoresheetAdmin(ReadOnly, admin.ModelAdmin[Scoresheet]):
    """A sheet and its history."""

    list_display = ("__str__", "sides_in_words", "status", "deal_count", "result", "paper_state")
    list_filter = ("status", "paper_state")
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("label", "code", "sides__name")
    fields = (
        "label",
        "code",
        "rules_in_words",
        "sides_in_words",
        "status",
        "deal_count",
        "result",
        "paper_state",
        "version",
        "opened",
        "updated",
    )
    change_form_template = "admin/scoring/scoresheet.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scoresheet]:
        return super().get_queryset(request).prefetch_related("sides")

    def rows_with(self, word: str) -> Q:
        of_sides = Side.objects.filter(name__icontains=word).order_by().values("sheet")
        own = Scoresheet.objects.filter(Q(label__icontains=word) | Q(code__icontains=word))
        return Q(pk__in=of_sides.union(own.order_by().values("pk")))

    @admin.display(description=gettext_lazy("rules"))
    def rules_in_words(self, sheet: Scoresheet) -> str:
        """The version of the rules that scores the sheet."""
        return str(sheet.rules)

    @admin.display(description=gettext_lazy("sides"))
    def sides_in_words(self, sheet: Scoresheet) -> str:
        """The sides, as written on the sheet."""
        return " – ".join(side.name for side in sheet.sides.all())

    @admin.display(description=gettext_lazy("net"))
    def result(self, sheet: Scoresheet) -> str:
        """What each side wins; of two, the first."""
        nets = sheet.nets if len(sheet.nets) > 2 else sheet.nets[:1]
        return " / ".join(signed(net) for net in nets)

    opened = time_column("opened_at", gettext_lazy("opened"))
    updated = time_column("updated_at", gettext_lazy("last change"))

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Scoresheet | None = None,
    ) -> Any:
        if obj is not None:
            context |= {"history": sheet_history(obj), "zone": self.zone_of(obj)}
        return super().render_change_form(request, context, add, change, form_url, obj)


def sheet_history(sheet: Scoresheet) -> list[tuple[SheetAct, str, list[tuple[str, str]]]]:
    """Every act on a sheet in order: the act, its description, and the deals it wrote.

    Each deal is a pair of a label ("4", or "4, version 2") and its description. Players appear under their
    current names. A deal that was replaced is described on its own, without the columns it stood in then.
    """
    written = kept_sheet(sheet)
    called = policy().called(set(written.persons.values()))

    def person(key: str, name: str) -> str:
        return called.get(key, name)

    kept = written.called(person)
    current = echo_rows(kept.state)
    standing = {(version.number, version.version) for version in kept.versions}
    history = []
    for act in sheet.acts.prefetch_related("deal_versions"):
        deals = []
        for version in act.deal_versions.all():
            number = str(version.number)
            if version.version > 1:
                number = _("%(number)s, version %(version)s") % {"number": number, "version": version.version}
            if (version.number, version.version) in standing:
                words = translated(current[version.number])
            else:
                deal = kept.deal(version.body, version.number)
                words = _("%(words)s (replaced)") % {
                    "words": translated(deal_words(kept.sheet.rules.rules, kept.sides, deal))
                }
            deals.append((number, words))
        history.append((act, act.words(person), deals))
    return history
