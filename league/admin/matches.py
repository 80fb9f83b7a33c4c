"""Matches: players, dates and results."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Final

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts.services import Services
from league.admin import bot_acts
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.match_days import POSTPONE, DueFilter, when_played
from league.admin.match_decisions import DECISIONS
from league.admin.match_outcomes import OUTCOMES
from league.admin.match_people import PEOPLE
from league.admin.scope import NewestFilter, actor
from league.admin.table_acts import TABLES, PlayedHereFilter, is_adjourned
from league.draws import matches_by_hand
from league.matches import matches
from league.matches.counting import in_words, waits_for
from league.models import AWARDED, CONTESTED, SAT_OUT, SEATED, UNFINISHED, Entry, Match, MatchState
from league.policy import Permission
from league.policy.naming import AS_WRITTEN
from league.tables.latest import result_line

# Of so many entries at most the matches are found by their keys, without reading the others.
FEW: Final = 500


@admin.register(Match)
class MatchAdmin(ActingAdmin[Match]):
    """A match between two sides or at a table, or a bye."""

    services = Services("match", remove=matches_by_hand.remove_match)
    list_display = ("label", "sides", "outcome", "round", "table", "day")
    list_filter = (("event", NewestFilter), "state", "held", DueFilter, PlayedHereFilter)
    search_fields = (
        "label",
        *(f"{side}__name" for side in SEATED),
    )
    fields = ("label", "round", "table", "sides", "line_ups", "day", "state", "result")
    readonly_fields = ("label", "round", "sides", "line_ups", "day", "state", "result")
    acts = (*DECISIONS, *PEOPLE, POSTPONE, *bot_acts.MATCH, *TABLES, *OUTCOMES)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        rows = super().get_queryset(request)
        return rows.select_related("event__club", "round__event", *SEATED, "sheet__table_match", "challenge")

    def rows_with(self, word: str) -> Q:
        named = Entry.objects.filter(name__icontains=word).order_by().values_list("pk", flat=True)
        labelled = Q(label__icontains=word)
        few = list(named[: FEW + 1])
        if len(few) <= FEW:
            return reduce(or_, (Q(**{f"{side}__in": few}) for side in SEATED), labelled)
        # Most matches have two entries: what the others are is not looked for where there are none.
        seated = (Q(**{f"{side}__isnull": False, f"{side}__in": named}) for side in SEATED)
        return reduce(or_, seated, Q(pk__in=Match.objects.filter(labelled).order_by().values("pk")))

    def has_change_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return self.may(request, Permission.RECORD, obj)

    @admin.display(description=gettext_lazy("match"), ordering="entry_a__name")
    def sides(self, match: Match) -> str:
        """All sides."""
        return str(match)

    @admin.display(description=gettext_lazy("result"), ordering="state")
    def outcome(self, match: Match) -> str:
        """The result; without one, the state, and whether it is adjourned."""
        said = _result(match) or match.get_state_display()
        marks = [_("(pending)")] * match.held + [_("(adjourned)")] * is_adjourned(match)
        return " ".join([said, *marks])

    @admin.display(description=gettext_lazy("result"))
    def result(self, match: Match) -> str:
        """The winner and the net, and what the result waits for before it counts."""
        held = f" ({in_words(waits_for(match, match.sheet))})" if match.held else ""
        return _result(match) + held

    @admin.display(description=gettext_lazy("line-ups"))
    def line_ups(self, match: Match) -> str:
        """The line-ups of all sides, and substitutes."""
        sides: list[list[str]] = [[] for _side in match.sides]
        later = []
        seated = {}
        for each in match.appearances.select_related("player", "sits_in_for").order_by("side", "position"):
            seated[each.side, each.position] = name = str(each.player)
            if each.sits_in_for is not None:
                name = _("%(bot)s for %(player)s") % {"bot": name, "player": each.sits_in_for}
            if each.replaces is None:
                sides[each.side].append(name)
            else:
                later.append(each)
        if not any(sides):
            return ""
        words = " – ".join(" + ".join(names) or "?" for names in sides)
        return "; ".join(
            [
                words,
                *(
                    _("%(player)s for %(replaces)s from deal %(deal)d")
                    % {
                        "player": str(each.player),
                        "replaces": seated[each.side, each.replaces or 0],
                        "deal": each.from_deal,
                    }
                    for each in later
                ),
            ]
        )

    @admin.display(description=gettext_lazy("played"))
    def day(self, match: Match) -> str:
        """The date if it differs from the round's, and whether the match is overdue."""
        return when_played(match)

    def links(self, request: HttpRequest, row: Match) -> Sequence[PageLink]:
        page = reverse("match", args=[row.event.club.slug, row.event.slug, row.code])
        links = [PageLink(_("The match's page"), page), change_link(_("The round"), row.round)]
        if row.sheet is not None:
            links = [
                PageLink(_("Type the sheet"), reverse("entry:sheet", args=[row.code])),
                change_link(_("The sheet and its history"), row.sheet),
                *links,
            ]
            way = [row.event.club.slug, row.event.slug, row.code]
            if getattr(row.sheet, "table_match", None) is not None:
                noted = reverse("match_conduct", args=way)
                links = [PageLink(_("How it is played on this site"), noted), *links]
            elif row.event.is_on_paper:
                scanned = PageLink(_("Telephones at the table"), reverse("match_links", args=way))
                links.insert(1, scanned)
        former = row.former_sheets.select_related("sheet").order_by("sheet")
        voided = [
            change_link(_("The voided sheet %(code)s") % {"code": each.sheet.code}, each.sheet)
            for each in former
        ]
        return [*links, *voided]

    def change_row(
        self, request: HttpRequest, row: Match, data: dict[str, Any], formsets: Sequence[Any]
    ) -> None:
        if "table" in data:
            matches.set_table(actor=actor(request), match=row, table=data["table"])


def _result(match: Match) -> str:
    if match.state in (*UNFINISHED, *SAT_OUT):
        return ""
    if match.is_table:
        return result_line(match, AS_WRITTEN)
    if match.winner_side is None:
        return _("drawn") if match.state in CONTESTED else _("lost by both")
    winner = match.side_shown(match.winner_side)
    if match.state == MatchState.TAKEN_OVER:
        return _("won by %(winner)s") % {"winner": winner}
    if match.state in AWARDED:
        return _("to %(winner)s") % {"winner": winner}
    return _("%(winner)s by %(net)s") % {"winner": winner, "net": abs(match.net)}
