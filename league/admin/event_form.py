"""The form of an event: format, table, byes and points.

Every setting belongs to certain formats; `league/event_settings.js` hides the others while a format is
chosen, and the page of a stored event omits them.
"""

import datetime
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.acts.fields import ClockField
from league.admin.criteria import CriteriaField
from league.draws.formats import format_called, load
from league.errors import LeagueError
from league.events import events
from league.models import Event, EventKind, drawn_seed, registered, usual_criteria
from league.policy.eligibility import check_match_rules
from scoring.words.messages import translated

load()

# The settings that one format alone has, with what is said beside each.
_OWN: Final = {name: words for key in registered() for name, words in format_called(key).own_settings.items()}

# The settings of events of one kind only.
_OF_KINDS: Final = {"absent_member": EventKind.TEAM}

Line = str | tuple[str, ...]

FORMAT: Final = _("Format")

SECTIONS: Final[tuple[tuple[StrOrPromise | None, StrOrPromise, tuple[Line, ...]], ...]] = (
    (None, "", ("club", "name", "slug", "season", "kind", "team_size", "rules")),
    (
        FORMAT,
        "",
        (
            "format",
            "rounds_planned",
            "table_size",
            "group_count",
            "qualifiers",
            *_OWN,
            "third_place",
            "best_of",
            "tie_decider",
            "is_duplicate",
            "packs_played",
            "check_in",
            "pyramid",
            "level",
        ),
    ),
    (
        _("Play on this site"),
        _("Card by card, by those who have accounts here. A bot may play for whoever is missing."),
        ("played", "online_clock", "online_time_out", "sits_in", "sits_in_counts", "odd_table"),
    ),
    (
        _("Announcement and entries"),
        _("What the event's page tells those who want to play, and who enters without a director."),
        (
            "venue",
            "starts_at",
            "round_minutes",
            "about",
            "fee",
            "contact",
            "places",
            "who_enters",
            "approves_entries",
            ("entries_open_at", "entries_close_at"),
            ("lowest_rating", "highest_rating"),
            "divisions_of",
            ("highest_division", "lowest_division"),
        ),
    ),
    (
        _("The table"),
        "",
        ("criteria", "restart_criteria", "net_cap", "best_nights", "prizes", "bot_matches_count", "lot_seed"),
    ),
    (
        _("Results"),
        _(
            "From when on a result is in the table. A disputed one, and one that differs from its paper, is "
            "not before that is settled."
        ),
        ("counts_when", "holds_results"),
    ),
    (
        _("Byes, forfeits and absences"),
        _(
            "What a match that was not played counts as: for the entry itself, and for the strength of its "
            "opponents where the table is split by that."
        ),
        (
            ("bye_net", "bye_strength"),
            ("forfeit_net", "forfeit_strength"),
            ("absent_net", "absent_strength"),
            "bye_points",
            "late_points",
            "absent_points",
            "absent_member",
        ),
    ),
    (
        _("Points"),
        _(
            "What a match won, drawn or lost is worth counts in the first way; what a column and a sheet are "
            "worth counts in the second."
        ),
        (
            "points_scheme",
            ("win_points", "draw_points", "loss_points"),
            ("column_points", "sheet_points"),
            "place_points",
        ),
    ),
)

_HELP: Final[dict[str, StrOrPromise]] = {
    **_OWN,
    "format": _("How it is decided who meets whom. It cannot be changed once rounds are drawn."),
    "kind": _("Where partners rotate, players are entered, and two of them make a side."),
    "rounds_planned": _("After how many rounds the event ends. Empty leaves it open."),
    "table_size": _("The usual number; some tables have one more or fewer where it does not come out even."),
    "place_points": _(
        "For the first place at a table, the second and so on; further places have the last figure. Shared "
        "places share their points."
    ),
    "group_count": _("The entries are drawn from pots by seed into this many groups."),
    "qualifiers": _(
        "This many of each group go on to the knockout; group mates meet there as late as possible."
    ),
    "third_place": _("The losers of the semifinals play for third place."),
    "best_of": _("A tie is one sheet, or goes to whoever wins two of three."),
    "tie_decider": _("Who goes on where the sheets of a tie are level."),
    "holds_results": _(
        "Until then only officers, and those who sit at the table, see the result of a match."
    ),
    "is_duplicate": _(
        "This cancels the luck of the deal: what counts is the result against all others who held the same "
        "cards. By the rules a sheet must end after a number of deals."
    ),
    "packs_played": _(
        "Twice takes an even number of deals. Whoever plays a pack twice may recognise it, and on this site "
        "nobody sees notes being taken. Played once, no pack comes back."
    ),
    "check_in": _(
        "Only those who are ticked as present are paired, or drawn into a bracket and groups; otherwise "
        "everybody who has not asked to sit out."
    ),
    "pyramid": _("The divisions this event is one of, where clubs promote and relegate."),
    "level": _("1 is the top division."),
    "net_cap": _("The most that one match can add to or take from the net. Empty: no limit."),
    "best_nights": _("Only this many of an entry's best nights count. Empty: all of them."),
    "prizes": _("Entries level for one of them are put in order by a play-off, by lot or by the director."),
    "lot_seed": _(
        "The same number always draws the same lots. Empty: one is chosen. It cannot be changed "
        "after the first draw."
    ),
    "venue": _("Empty: the place of the club."),
    "played": _(
        "Online, players who have accounts play from the page of their match, and the sheet fills itself."
    ),
    "online_time_out": _(
        "Usually the turn is played automatically, and with three days a turn the match is lost. A lost hand "
        "counts as if the other had gone gin."
    ),
    "about": _(
        "Everyone who can read the event's page can read it. Markdown: an empty line begins a paragraph, "
        "*word* and **word** stress, lines with - or 1. make lists."
    ),
    "fee": _("As text, “10 € a night”. Officers tick who has paid."),
    "contact": _(
        "Whom to ask. Empty: the contact of the club. Everyone who can read the event's page sees it."
    ),
    "places": _("Whoever comes when all are taken waits, and moves up in order. Empty: no limit."),
    "who_enters": _("While entries are open, from the event's page. Directors enter anybody at any time."),
    "approves_entries": _("An entry made by a player has no place before a director has approved it."),
    "lowest_rating": _("By the rating that pages show. A player without one counts as a newcomer."),
    "divisions_of": _("Players in none of them come after the lowest."),
    "late_points": _("For each round that was over when a late entry came in."),
    "absent_points": _("For a round the entry asked to sit out."),
    "absent_member": _("What becomes of a match where one of a side is missing."),
    "sits_in": _(
        "A director seats it, for a match that is played on this site. It plays at its level. Empty: none."
    ),
    "sits_in_counts": _(
        "If the player does not come at all. Such a match is never rated, and in teams it counts as it was "
        "played."
    ),
    "odd_table": _("What becomes of a bye where a bot sits in, if all meet or each round is drawn."),
    "bye_points": _(
        "For a round without an opponent. Empty: the usual, 0 where everybody meets everybody, else 2."
    ),
    "bye_net": _("What a bye adds to the entry's own net."),
    "bye_strength": _(
        "What a bye counts as an opponent. A new event begins with FIDE's rule for its format."
    ),
    "forfeit_net": _("What a forfeit or walkover adds to the winner's own net."),
    "forfeit_strength": _("What the other side of a forfeit or walkover counts as an opponent."),
    "absent_net": _("What a round the entry asked to sit out adds to its own net."),
    "absent_strength": _("What a round the entry asked to sit out counts as an opponent."),
}


def belongs(name: str, event_format: str) -> bool:
    """Return whether events of this format have the setting."""
    formats = formats_with(name)
    return not formats or event_format in formats


def _has_tables(event_format: str) -> bool:
    return event_format in registered() and format_called(event_format).has_tables


def formats_with(name: str) -> list[str]:
    """The keys of the formats that have a setting; [] if every event has it."""
    formats = {key: format_called(key) for key in registered()}
    having = [key for key, own in formats.items() if name in own.settings]
    if having or not any(name in own.idle_settings for own in formats.values()):
        return having
    return [key for key, own in formats.items() if name not in own.idle_settings]


def lines_of(lines: Sequence[Line], event: Event, *, every_format: bool) -> list[Line]:
    """The lines of a section that apply to this event; with `every_format`, to any event."""

    def is_meant(name: str) -> bool:
        return every_format or (belongs(name, event.format) and _OF_KINDS.get(name, event.kind) == event.kind)

    kept: list[Line] = []
    for line in lines:
        names = (line,) if isinstance(line, str) else line
        meant = tuple(name for name in names if is_meant(name))
        if meant:
            kept.append(meant[0] if len(meant) == 1 else meant)
    return kept


class EventForm(forms.ModelForm[Event]):
    """An event; the order of its table is chosen from lists."""

    criteria = CriteriaField(
        label=_("Order of the table"),
        initial=usual_criteria,
        help_text=_("Each splits the ties that those before it left."),
    )

    starts_at = ClockField(label=_("Begins"), required=False, help_text=_("By the clock of the club."))
    entries_open_at = ClockField(
        label=_("Entries open"), required=False, help_text=_("Empty: as soon as they are opened.")
    )
    entries_close_at = ClockField(
        label=_("Entries close"), required=False, help_text=_("Empty: when the event starts.")
    )

    class Meta:
        model = Event
        fields = tuple(
            name
            for _title, _words, lines in SECTIONS
            for line in lines
            for name in ((line,) if isinstance(line, str) else line)
        )
        help_texts = _HELP

    class Media:
        js = ("league/event_settings.js",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "bye_points" in self.fields:
            self.fields["bye_points"].required = False
            if self.instance._state.adding:
                self.initial["bye_points"] = None
        if "lot_seed" in self.fields:
            self.fields["lot_seed"].required = False
            if self.instance._state.adding:
                self.initial["lot_seed"] = None
        # Typed by the club's clock.
        for name in events.MOMENTS:
            moment = self.initial.pop(name, None)
            # Not what somebody writes into the address of the form.
            if isinstance(moment, datetime.datetime):
                self.initial[name] = moment.astimezone(self.instance.club.zone).replace(tzinfo=None)
        for name, value in self.initial.items():
            if isinstance(value, Decimal):
                # Show 2, not 2.00.
                self.initial[name] = Decimal(f"{value.normalize():f}")
        if "format" in self.fields and "criteria" in self.fields:
            orders = {key: events.usual_order(key) for key in registered()}
            self.fields["format"].widget.attrs["data-orders"] = json.dumps(orders)
            self.fields["criteria"].widget.offered = self._offered()
        for name, field in self.fields.items():
            # Beside a relation the administration puts links; what they are beside is the widget.
            widget = (
                field.widget.widget if isinstance(field.widget, RelatedFieldWidgetWrapper) else field.widget
            )
            if formats := formats_with(name):
                widget.attrs["data-formats"] = " ".join(formats)
            if name in _OF_KINDS:
                widget.attrs["data-kinds"] = _OF_KINDS[name].value

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        club, rules = cleaned.get("club"), cleaned.get("rules")
        if club is not None and rules is not None:
            try:
                check_match_rules(
                    club,
                    rules,
                    cleaned.get("team_size") or self.instance.team_size,
                    at_tables=_has_tables(cleaned.get("format", self.instance.format)),
                )
            except LeagueError as refusal:
                self.add_error("rules", translated(refusal.message))
        of = club or (self.instance.club if self.instance.club_id else None)
        for name in events.MOMENTS:
            if of is None or cleaned.get(name) is None:
                continue
            if name not in self.changed_data:
                # A clock that is set back shows an hour twice: what nobody changed is as it was.
                cleaned[name] = getattr(self.instance, name)
            else:
                cleaned[name] = cleaned[name].replace(tzinfo=of.zone).astimezone(datetime.UTC)
        event_format = cleaned.get("format", self.instance.format)
        if event_format in registered() and cleaned.get("criteria") == events.usual_order(self._offered()):
            # The offered order is unchanged, so use the usual one of the chosen format.
            cleaned["criteria"] = events.usual_order(event_format)
            if cleaned["criteria"] != self.initial.get("criteria"):
                self.changed_data.append("criteria")
        if self.instance._state.adding and event_format in registered():
            for name, value in events.usual_settings(event_format).items():
                if name not in self.changed_data:
                    cleaned[name] = value
        if cleaned.get("bye_points", 0) is None:
            usual = events.usual_settings(event_format) if event_format in registered() else {}
            cleaned["bye_points"] = usual.get("bye_points", Event._meta.get_field("bye_points").default)
        if cleaned.get("lot_seed", 0) is None:
            cleaned["lot_seed"] = drawn_seed()
        try:
            events.check_points(
                *(cleaned.get(name, getattr(self.instance, name)) for name in events.POINTS_OF_A_MATCH)
            )
        except LeagueError as refusal:
            self.add_error(refusal.field, translated(refusal.message))
        if cleaned.get("kind", self.instance.kind) == EventKind.INDIVIDUAL:
            # Follows from the format; the form's field is for teams.
            cleaned["team_size"] = self.instance.team_size = events.players_of_a_side(event_format)
        return cleaned

    def _offered(self) -> str:
        """The format whose usual order the form offered."""
        offered = self.data.get(f"{self.add_prefix('criteria')}_offered")
        return offered if offered is not None and offered in registered() else self.instance.format
