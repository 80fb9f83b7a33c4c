"""Bot schedules and exhibition sheets."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import BotMatch, TableMatch
from league.acts import Act, Data, Preview, ReasonForm, does
from league.acts.services import Services
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.bot_acts import HEAD, cancelled_words, match_lines, plays_as
from league.admin.bot_forms import ScheduleForm
from league.admin.scope import ClubFilter, NewestFilter, actor, club_time
from league.bots import bot_matches, bot_schedules
from league.bots.recurrence_words import recurrence_words
from league.errors import LeagueError
from league.models import BotSchedule, Exhibition, MatchState, Player
from league.people.friendlies import end_game
from league.policy import Permission
from scoring.core.actors import Actor
from scoring.words.messages import translated


def _preview_plant(schedule: BotSchedule, data: Data) -> Preview:
    if schedule.event is None:
        pair = [bot for bot in (schedule.bot_a, schedule.bot_b) if bot is not None]
        count = schedule.sheets
        message = (
            ngettext("%d sheet will be opened and played.", "%d sheets will be opened and played.", count)
            % count
        )
        return Preview([*map(plays_as, pair), message])
    waiting = bot_matches.waiting_for_bots(schedule.event).filter(state=MatchState.SCHEDULED)
    lines = match_lines(waiting)[: schedule.sheets]
    return Preview([_("Bots will play these, beside what the schedule sets up at its times.")], HEAD, lines)


def _plant(by: Actor, schedule: BotSchedule, data: Data) -> str:
    count = len(bot_schedules.plant_now(actor=by, schedule=schedule))
    return ngettext("%d bot match was set up.", "%d bot matches were set up.", count) % count


@admin.register(BotSchedule)
class BotScheduleAdmin(ActingAdmin[BotSchedule]):
    """What bots play and how often."""

    services = Services("schedule", remove=bot_schedules.remove_schedule)
    read = Permission.DIRECT
    form = ScheduleForm
    list_display = ("name", "club", "what", "how_often", "next_time", "is_active")
    list_filter = (("club", ClubFilter), ("event", NewestFilter), "is_active")
    list_select_related = ("club", "event", "bot_a", "bot_b")
    search_fields = ("name",)
    fixed = ("club", "coming", "last_time", "note", "first_time", "how_often")
    acts = (Act(slug="plant-now", title=gettext_lazy("Set up now"), preview=_preview_plant, run=_plant),)

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotSchedule]:
        return super().get_queryset(request).select_related("club", "event", "bot_a", "bot_b", "rules")

    def get_fieldsets(self, request: HttpRequest, obj: BotSchedule | None = None) -> Any:
        again = ("recurrence", "interval", "weekdays", "until", "count")
        shown_only = obj is not None and not self.has_change_permission(request, obj)
        when = ("first_time", "how_often") if shown_only else ("starts_at", *again)
        state = () if obj is None else ("coming", "last_time", *(("note",) if obj.note else ()))
        return (
            (None, {"fields": ("club", "name")}),
            (_("What is played"), {"fields": ("event", ("bot_a", "bot_b"), "rules", "sheets")}),
            (_("When"), {"fields": (*when, "is_active", *state)}),
        )

    def choices(self, db_field: Any, request: HttpRequest) -> QuerySet[Any]:
        rows = super().choices(db_field, request)
        return rows.exclude(strategy="") if rows.model is Player else rows

    @admin.display(description=gettext_lazy("what is played"))
    def what(self, schedule: BotSchedule) -> str:
        """The event, or the pair of bots."""
        if schedule.event is not None:
            return str(schedule.event)
        return _("%(a)s v %(b)s") % {"a": schedule.bot_a, "b": schedule.bot_b}

    @admin.display(description=gettext_lazy("how often"))
    def how_often(self, schedule: BotSchedule) -> str:
        """The recurrence in words; the stored text if it cannot be read."""
        try:
            return recurrence_words(schedule.recurrence, schedule.club.zone)
        except LeagueError:
            return schedule.recurrence

    @admin.display(description=gettext_lazy("next time"), ordering="next_at")
    def next_time(self, schedule: BotSchedule) -> str:
        """The next time, by the club's clock."""
        return club_time(schedule.next_at, schedule.club) if schedule.is_active else ""

    @admin.display(description=gettext_lazy("first time"))
    def first_time(self, schedule: BotSchedule) -> str:
        """The first time, by the club's clock."""
        return club_time(schedule.starts_at, schedule.club)

    @admin.display(description=gettext_lazy("last time"))
    def last_time(self, schedule: BotSchedule) -> str:
        """The time of the last run, by the club's clock."""
        return club_time(schedule.last_run_at, schedule.club) or "–"

    @admin.display(description=gettext_lazy("next times"))
    def coming(self, schedule: BotSchedule) -> str:
        """The next five times, by the club's clock."""
        try:
            times = bot_schedules.coming_times(schedule)
        except LeagueError as refusal:
            return translated(refusal.message)
        return ", ".join(club_time(time, schedule.club) for time in times) or _("none")

    def links(self, request: HttpRequest, row: BotSchedule) -> Sequence[PageLink]:
        if row.event is not None:
            return [change_link(_("The event"), row.event)]
        shown = f"{reverse('admin:league_exhibition_changelist')}?schedule__id__exact={row.pk}"
        return [PageLink(_("The sheets played so far"), shown)]

    def add_row(self, request: HttpRequest, data: dict[str, Any], formsets: Sequence[Any]) -> BotSchedule:
        return bot_schedules.create_schedule(actor=actor(request), **_stored(data))

    def change_row(
        self, request: HttpRequest, row: BotSchedule, data: dict[str, Any], formsets: Sequence[Any]
    ) -> None:
        bot_schedules.change_schedule(actor=actor(request), schedule=row, **_stored(data))


def _stored(data: dict[str, Any]) -> dict[str, Any]:
    """The form values that are fields of the row."""
    return {name: value for name, value in data.items() if name in ScheduleForm.Meta.fields}


def _bots_of(exhibition: Exhibition) -> BotMatch | None:
    return getattr(exhibition.sheet, "bot_match", None)


def _is_played(exhibition: Exhibition) -> bool:
    bots = _bots_of(exhibition)
    return bots is not None and not bots.is_over


def _table_of(exhibition: Exhibition) -> TableMatch | None:
    """The table at which it is played on this site now."""
    table: TableMatch | None = getattr(exhibition.sheet, "table_match", None)
    return table if table is not None and table.is_on else None


def _end_play(by: Actor, exhibition: Exhibition, data: Data) -> str:
    table = _table_of(exhibition)
    if table is None:
        raise LeagueError("table_over", _("The play at this table is over."))
    end_game(actor=by, table=table, reason=data["reason"])
    return _("The play of %(sheet)s is ended.") % {"sheet": exhibition.sheet}


@admin.register(Exhibition)
class ExhibitionAdmin(ActingAdmin[Exhibition]):
    """A club's sheets outside any event: listed, shown, and cancelled before they finish."""

    list_display = ("sheet", "club", "sides", "state", "planned", "planted_by")
    list_filter = (("club", ClubFilter), "sheet__bot_match__state")
    search_fields = ("sheet__label", "sheet__code")
    fields = ("sheet", "club", "sides", "state", "note", "planned", "planted_by")
    acts = (
        Act(
            slug="cancel-bots",
            title=gettext_lazy("Cancel the bot match"),
            form=ReasonForm,
            preview=lambda exhibition, data: Preview(cancelled_words(exhibition.sheet.deal_count)),
            run=does(
                bot_matches.cancel_exhibition,
                "exhibition",
                gettext_lazy("Bots no longer play %(sheet)s."),
                "sheet",
            ),
            offered=_is_played,
        ),
        Act(
            slug="end-play",
            title=gettext_lazy("End play on this site"),
            intro=gettext_lazy(
                "The hand in play is broken off, and shown to nobody. A friendly game is over with it; any"
                " other sheet is written on as usual."
            ),
            form=ReasonForm,
            run=_end_play,
            offered=lambda exhibition: _table_of(exhibition) is not None,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Exhibition]:
        rows = (
            super()
            .get_queryset(request)
            .select_related("club", "schedule", "sheet__bot_match", "sheet__table_match")
        )
        return rows.prefetch_related("sheet__sides")

    @admin.display(description=gettext_lazy("sides"))
    def sides(self, exhibition: Exhibition) -> str:
        """Both sides, under the names on the sheet."""
        return " – ".join(side.name for side in sorted(exhibition.sheet.sides.all(), key=_position))

    @admin.display(description=gettext_lazy("state"))
    def state(self, exhibition: Exhibition) -> str:
        """The state of the bot match."""
        bots = _bots_of(exhibition)
        return "" if bots is None else bots.get_state_display()

    @admin.display(description=gettext_lazy("note"))
    def note(self, exhibition: Exhibition) -> str:
        """Why it ended early, if it did."""
        bots = _bots_of(exhibition)
        return "" if bots is None else bots.note

    @admin.display(description=gettext_lazy("schedule"), ordering="schedule__name")
    def planted_by(self, exhibition: Exhibition) -> str:
        """The schedule, not as a link: not everybody who sees sheets sees schedules."""
        return "" if exhibition.schedule is None else str(exhibition.schedule)

    @admin.display(description=gettext_lazy("planned"))
    def planned(self, exhibition: Exhibition) -> str:
        """When it was planted, by the club's clock."""
        return club_time(exhibition.sheet.opened_at, exhibition.club)

    def links(self, request: HttpRequest, row: Exhibition) -> Sequence[PageLink]:
        return [change_link(_("The sheet and its history"), row.sheet)]


def _position(side: Any) -> int:
    return int(side.position)
