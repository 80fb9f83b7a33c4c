"""Matches: line-ups, tables, and what a director states."""

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.acts import Act, ActForm, ActingAdmin, Data, Link, ReasonForm, change_link
from league.admin.names import NameField
from league.admin.scope import ClubsOwnFilter, actor
from league.models import STATED, Entry, Match, MatchState, Player
from league.policy import Permission
from league.services import matches, stated
from scoring.actors import Actor
from scoring.models import SheetStatus
from scoring.services import void_sheet


class StateForm(ReasonForm):
    """Who gets the match, and why."""

    winner = forms.ChoiceField(label=gettext_lazy("The match goes to"), widget=forms.RadioSelect)

    field_order = ("winner", "reason")

    def __init__(self, row: Match, data: Any = None) -> None:
        super().__init__(row, data)
        winner = cast(forms.ChoiceField, self.fields["winner"])
        winner.choices = [
            ("0", row.entry_a.name),
            ("1", str(row.entry_b)),
            ("neither", _("neither side")),
        ]


class LineUpForm(ActForm):
    """Who plays for each side, seat by seat; a side left empty stays as it is."""

    def __init__(self, row: Match, data: Any = None) -> None:
        super().__init__(row, data)
        seated = {
            (appearance.side, appearance.position): appearance.player_id
            for appearance in row.appearances.all()
        }
        for side, entry in enumerate((row.entry_a, row.entry_b)):
            if entry is None:
                continue
            choices = _choices(row, entry)
            for position in range(row.event.team_size):
                self.fields[f"seat_{side}_{position}"] = NameField(
                    queryset=choices,
                    label=entry.name
                    if row.event.team_size == 1
                    else _("%(entry)s, seat %(seat)d") % {"entry": entry, "seat": position + 1},
                    initial=seated.get((side, position)),
                    required=False,
                )


def _choices(match: Match, entry: Entry) -> QuerySet[Player]:
    """Members of the entry, and who is in no entry of the event and may stand in."""
    club = Player.objects.filter(club=match.event.club, merged_into=None)
    others = Entry.objects.filter(event=match.event).exclude(pk=entry.pk)
    return club.exclude(memberships_in_entries__entry__in=others)


def _set_line_ups(by: Actor, match: Match, data: Data) -> str:
    for side in (0, 1):
        seats = [data.get(f"seat_{side}_{position}") for position in range(match.event.team_size)]
        if any(seats):
            players = [player for player in seats if player is not None]
            match = matches.set_line_up(actor=by, match=match, side=side, players=players)
    if match.sheet is None:
        return _("The line-ups are noted. The sheet is opened once both are complete.")
    return _("The line-ups are noted; the sheet is %(sheet)s.") % {"sheet": match.label}


def _state(by: Actor, match: Match, data: Data, *, service: Any) -> str:
    winner = data["winner"]
    match = service(
        actor=by, match=match, winner_side=None if winner == "neither" else int(winner), reason=data["reason"]
    )
    return _("%(match)s: %(state)s.") % {"match": match, "state": match.get_state_display()}


def _clear(by: Actor, match: Match, data: Data) -> str:
    match = stated.clear_stated(actor=by, match=match, reason=data["reason"])
    return _("%(match)s: %(state)s.") % {"match": match, "state": match.get_state_display()}


def _void(by: Actor, match: Match, data: Data) -> str:
    if match.sheet is not None:
        void_sheet(actor=by, sheet=match.sheet, reason=data["reason"])
    return _("The sheet was voided. Its deals stay readable and count nothing.")


def _renew(by: Actor, match: Match, data: Data) -> str:
    match = matches.renew_sheet(actor=by, match=match)
    return _("%(label)s has a new, blank sheet.") % {"label": match.label}


def _may_be_stated(match: Match) -> bool:
    return match.state in (MatchState.SCHEDULED, MatchState.PLAYING)


def _is_blank(match: Match) -> bool:
    blank = match.sheet is None or match.sheet.version == 0
    return match.state not in STATED and match.entry_b_id is not None and blank


@admin.register(Match)
class MatchAdmin(ActingAdmin[Match]):
    """A match between two sides, or a bye."""

    list_display = ("label", "sides", "outcome", "round", "table")
    list_filter = (("event", ClubsOwnFilter), "state", "held")
    search_fields = ("label", "entry_a__name", "entry_b__name")
    fields = ("label", "round", "table", "entry_a", "entry_b", "line_ups", "state", "result")
    readonly_fields = ("label", "round", "entry_a", "entry_b", "line_ups", "state", "result")
    acts = (
        Act(
            slug="line-ups",
            title=gettext_lazy("Set the line-ups"),
            form=LineUpForm,
            run=_set_line_ups,
            submit=gettext_lazy("Note them"),
            permission=Permission.RECORD,
            offered=_is_blank,
        ),
        Act(
            slug="forfeit",
            title=gettext_lazy("State a forfeit"),
            intro=gettext_lazy("One side gave the match up. What is on the sheet does not count."),
            form=StateForm,
            run=partial(_state, service=stated.state_forfeit),
            submit=gettext_lazy("State it"),
            offered=_may_be_stated,
        ),
        Act(
            slug="walkover",
            title=gettext_lazy("State a walkover"),
            intro=gettext_lazy("One side did not come."),
            form=StateForm,
            run=partial(_state, service=stated.state_walkover),
            submit=gettext_lazy("State it"),
            offered=lambda match: match.state == MatchState.SCHEDULED,
        ),
        Act(
            slug="clear",
            title=gettext_lazy("Take the statement back"),
            form=ReasonForm,
            run=_clear,
            submit=gettext_lazy("Take it back"),
            offered=lambda match: match.state in (MatchState.FORFEIT, MatchState.WALKOVER),
        ),
        Act(
            slug="void-sheet",
            title=gettext_lazy("Void the sheet"),
            intro=gettext_lazy("For a sheet that is wrong as a whole. This cannot be taken back."),
            form=ReasonForm,
            run=_void,
            submit=gettext_lazy("Void it"),
            offered=lambda match: (
                match.sheet is not None and match.sheet.version > 0 and match.sheet.status != SheetStatus.VOID
            ),
        ),
        Act(
            slug="new-sheet",
            title=gettext_lazy("Open a new sheet"),
            intro=gettext_lazy("In place of the one that was voided."),
            run=_renew,
            submit=gettext_lazy("Open it"),
            offered=lambda match: match.sheet is not None and match.sheet.status == SheetStatus.VOID,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        rows = super().get_queryset(request)
        return rows.select_related("event__club", "round__event", "entry_a", "entry_b", "sheet")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return self.may(request, Permission.RECORD, obj)

    @admin.display(description=gettext_lazy("match"), ordering="entry_a__name")
    def sides(self, match: Match) -> str:
        """Who meets whom."""
        return str(match)

    @admin.display(description=gettext_lazy("result"), ordering="state")
    def outcome(self, match: Match) -> str:
        """The result, or where the match stands while it has none."""
        return self.result(match) or match.get_state_display()

    @admin.display(description=gettext_lazy("result"))
    def result(self, match: Match) -> str:
        """Who won, by how much."""
        if match.state in (MatchState.SCHEDULED, MatchState.PLAYING, MatchState.BYE):
            return ""
        if match.winner_side is None:
            return _("drawn") if match.state not in STATED else _("lost by both")
        winner = match.entry_b if match.winner_side == 1 else match.entry_a
        if match.state in STATED:
            return _("to %(winner)s") % {"winner": winner}
        held = " " + _("(held back)") if match.held else ""
        return _("%(winner)s by %(net)s") % {"winner": winner, "net": abs(match.net)} + held

    @admin.display(description=gettext_lazy("line-ups"))
    def line_ups(self, match: Match) -> str:
        """Who plays, side by side."""
        sides: list[list[str]] = [[], []]
        for appearance in match.appearances.select_related("player").order_by("side", "position"):
            sides[appearance.side].append(appearance.player.name)
        return " – ".join(" + ".join(names) or "?" for names in sides) if any(sides) else ""

    def links(self, request: HttpRequest, row: Match) -> Sequence[Link]:
        page = reverse("match", args=[row.event.club.slug, row.event.slug, row.code])
        links = [Link(_("The match's page"), page), change_link(_("The round"), row.round)]
        if row.sheet is not None:
            links = [
                Link(_("Type the sheet"), reverse("entry:sheet", args=[row.code])),
                change_link(_("The sheet and its history"), row.sheet),
                *links,
            ]
        former = row.former_sheets.select_related("sheet").order_by("sheet")
        voided = [
            change_link(_("The voided sheet %(code)s") % {"code": each.sheet.code}, each.sheet)
            for each in former
        ]
        return [*links, *voided]

    def change_row(
        self, request: HttpRequest, row: Match, data: dict[str, Any], formsets: Sequence[Any]
    ) -> Match:
        if "table" not in data:
            return row
        return matches.set_table(actor=actor(request), match=row, table=data["table"])

    def remove_row(self, request: HttpRequest, row: Match) -> None:
        matches.remove_match(actor=actor(request), match=row)
