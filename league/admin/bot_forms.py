"""Forms for bots: how a player plays, and a schedule in plain fields instead of an RRULE."""

import datetime
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.services import strategies
from league.acts.fields import ClockField, DayField
from league.bots.house_bots import check_plays
from league.bots.recurrence_words import WEEKDAY_NAMES
from league.core.recurrence import MOST_COUNT, MOST_INTERVAL, Recurrence, Unit, end_of_day
from league.errors import LeagueError
from league.models import DETAIL_NAMES, BotSchedule, Club, Player
from scoring.words.messages import translated

UNITS: Final = (
    ("", gettext_lazy("once")),
    (Unit.MINUTES.value, gettext_lazy("minutes")),
    (Unit.HOURS.value, gettext_lazy("hours")),
    (Unit.DAYS.value, gettext_lazy("days")),
    (Unit.WEEKS.value, gettext_lazy("weeks")),
    (Unit.MONTHS.value, gettext_lazy("months")),
)


class PlayerForm(forms.ModelForm[Player]):
    """A player: a person, or a bot that plays by one of the house strategies."""

    strategy = forms.ChoiceField(label=gettext_lazy("Plays as"), required=False)

    class Meta:
        model = Player
        fields = ("club", "name", *DETAIL_NAMES, "user", "strategy", "level")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = strategies()
        if "strategy" in self.fields:
            names = [*known]
            if self.instance.strategy and self.instance.strategy not in known:
                # Not installed any more, but the player still has it.
                names.append(self.instance.strategy)
            cast(forms.ChoiceField, self.fields["strategy"]).choices = [
                ("", _("a person")),
                *(
                    (name, f"{name}: {translated(known[name].sentence)}" if name in known else name)
                    for name in names
                ),
            ]
        if "level" in self.fields:
            ranges = [
                _("%(strategy)s 1 to %(levels)d") % {"strategy": name, "levels": strategy.levels}
                for name, strategy in known.items()
                if strategy.levels
            ]
            self.fields["level"].help_text = (
                _("Levels: %(ranges)s. Empty: the usual one. Other strategies have none.")
                % {"ranges": ", ".join(ranges)}
                if ranges
                else _("No strategy has levels.")
            )

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        if {"strategy", "level"} & {*self.changed_data} and {"strategy", "level"} <= cleaned.keys():
            try:
                check_plays(cleaned["strategy"], cleaned["level"])
            except LeagueError as refusal:
                self.add_error(refusal.field, translated(refusal.message))
        return cleaned


class ScheduleForm(forms.ModelForm[BotSchedule]):
    """A schedule; `clean` turns `starts_at` and `recurrence` into what the services take."""

    starts_at = ClockField(
        label=gettext_lazy("First time"), help_text=gettext_lazy("By the clock of the club.")
    )
    recurrence = forms.ChoiceField(
        label=gettext_lazy("Again every"),
        choices=UNITS,
        required=False,
        help_text=gettext_lazy("Minutes and hours run on through the day; all others keep the time of day."),
    )
    interval = forms.IntegerField(
        label=gettext_lazy("How many of them"),
        min_value=1,
        max_value=MOST_INTERVAL,
        initial=1,
        required=False,
        help_text=gettext_lazy("2 with weeks is every other week; with minutes, 5 at least."),
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=gettext_lazy("On"),
        choices=list(enumerate(WEEKDAY_NAMES)),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=gettext_lazy("For weeks. If none is ticked: the weekday of the first time."),
    )
    until = DayField(label=gettext_lazy("Until"), required=False, help_text=gettext_lazy("The last day."))
    count = forms.IntegerField(
        label=gettext_lazy("Number of times"),
        min_value=1,
        max_value=MOST_COUNT,
        required=False,
        help_text=gettext_lazy("Instead of a last day."),
    )

    class Meta:
        model = BotSchedule
        fields = (
            "club",
            "name",
            "event",
            "bot_a",
            "bot_b",
            "rules",
            "sheets",
            "starts_at",
            "recurrence",
            "is_active",
        )
        help_texts = {
            "event": gettext_lazy(
                "Bots play the matches between bots that wait in its published rounds. Or:"
            ),
            "rules": gettext_lazy("The rules the two bots play by; an event has its own."),
            "sheets": gettext_lazy(
                "At most this many matches of the event, or this many sheets of the pair."
            ),
            "is_active": gettext_lazy("Unless ticked, it sets nothing up."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stored = (
            ("", None)
            if self.instance.pk is None
            else (
                self.instance.recurrence,
                self.instance.starts_at,
            )
        )
        if self.instance.pk is not None:
            self.initial.update(_as_typed(self.instance))

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        club: Club | None = cleaned.get("club") or (self.instance.club if self.instance.club_id else None)
        first = cleaned.get("starts_at")
        if club is None or first is None or "recurrence" not in cleaned or self.errors:
            return cleaned
        cleaned["starts_at"] = first.replace(tzinfo=club.zone).astimezone(datetime.UTC)
        try:
            cleaned["recurrence"] = _text_of(cleaned, club)
        except LeagueError as refusal:
            self.add_error(refusal.field, translated(refusal.message))
            return cleaned
        for name, stored in zip(("recurrence", "starts_at"), self._stored, strict=True):
            if name in self.changed_data:
                self.changed_data.remove(name)
            if cleaned[name] != stored:
                self.changed_data.append(name)
        return cleaned


def _as_typed(schedule: BotSchedule) -> dict[str, Any]:
    """The field values for a stored schedule; an unreadable recurrence becomes "once"."""
    zone = schedule.club.zone
    typed: dict[str, Any] = {"starts_at": schedule.starts_at.astimezone(zone).replace(tzinfo=None)}
    try:
        rule = Recurrence.from_text(schedule.recurrence)
    except LeagueError:
        return typed | {"recurrence": ""}
    return typed | {
        "recurrence": rule.unit.value,
        "interval": rule.interval,
        "weekdays": list(rule.weekdays),
        "until": None if rule.until is None else rule.until.astimezone(zone).date(),
        "count": rule.count,
    }


def _text_of(cleaned: dict[str, Any], club: Club) -> str:
    """The chosen recurrence as text; refuses (`once`) fields that have no effect beside "once"."""
    weekdays, until, count = cleaned.get("weekdays") or [], cleaned.get("until"), cleaned.get("count")
    if not cleaned["recurrence"]:
        for name, value in (("weekdays", weekdays), ("until", until), ("count", count)):
            if value:
                raise LeagueError(
                    "once", _("It is set up once: choose how often it comes again."), field=name
                )
        return ""
    return Recurrence(
        unit=Unit(cleaned["recurrence"]),
        interval=1 if cleaned.get("interval") is None else cleaned["interval"],
        weekdays=tuple(weekdays),
        count=count,
        until=None if until is None else end_of_day(until, club.zone),
    ).to_text()
