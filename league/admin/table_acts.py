"""What a director does about a match played on this site: stops it, lets it go on, warns, shows it."""

from collections.abc import Sequence
from typing import Any, Final, cast

from django import forms
from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import TableMatch, on_now
from games.services import hand_stands
from league.acts import Act, Data, Preview, ReasonForm, does
from league.core.lifecycle import Doing
from league.draws.hall import hide_in_hall, is_in_hall, show_in_hall
from league.errors import LeagueError
from league.matches.member_tables import (
    adjourn_for,
    deal_anew_for,
    let_go_on_for,
    live_table,
    seat_names,
    warn_for,
)
from league.models import Match
from scoring.core.actors import Actor


class PlayedHereFilter(admin.SimpleListFilter):
    """Filters matches that are played on this site now, and those at which play is adjourned."""

    title = gettext_lazy("on this site")
    parameter_name = "here"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return (("live", gettext_lazy("being played")), ("adjourned", gettext_lazy("adjourned")))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        live = TableMatch.objects.filter(on_now(), sheet=OuterRef("sheet"))
        match self.value():
            case "live":
                return queryset.filter(Exists(live))
            case "adjourned":
                return queryset.filter(Exists(live.filter(adjourned_at__isnull=False)))
            case _:
                return queryset


class WarnForm(ReasonForm):
    """Who is warned, and why."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Who is warned"), coerce=int, widget=forms.RadioSelect)

    field_order = ("seat", "reason")

    def prepare(self, row: Match) -> None:
        self.fields["reason"].help_text = _("Only the player warned is shown this, at the table.")
        seat = cast(forms.ChoiceField, self.fields["seat"])
        names = seat_names(row)
        seat.choices = [(number, names[number]) for number in _members(row)]


def _members(match: Match) -> list[int]:
    """The seats in which members sit."""
    table = live_table(match)
    if table is None:
        return []
    return [chair.number for chair in table.seats.all() if chair.account_id is not None]


def is_adjourned(match: Match) -> bool:
    """Whether the match is played on this site and a director, or a bot that failed, stopped it."""
    table = live_table(match)
    return table is not None and table.adjourned_at is not None


def _may_deal_anew(match: Match) -> bool:
    table = live_table(match)
    return table is not None and (table.adjourned_at is not None or not hand_stands(table))


def _preview_going_on(match: Match, data: Data) -> Preview:
    table = live_table(match)
    why = "" if table is None else table.adjourned_note
    stopped = [_("Play was stopped: %(why)s") % {"why": why}] if why else []
    return Preview([*stopped, _("The hand in play and the clocks will go on where they stopped.")])


def _preview_dealing(match: Match, data: Data) -> Preview:
    return Preview(
        [
            _("The hand in play will be broken off. Nobody sees its cards, and it does not count."),
            _("Another one is dealt from a new pack, and play goes on."),
        ]
    )


def _adjourn(by: Actor, match: Match, data: Data) -> str:
    adjourn_for(actor=by, match=_table(match), reason=data["reason"])
    return _("The play of %(label)s is adjourned.") % {"label": match.label}


def _go_on(by: Actor, match: Match, data: Data) -> str:
    let_go_on_for(actor=by, match=_table(match))
    return _("The play of %(label)s goes on.") % {"label": match.label}


def _deal_anew(by: Actor, match: Match, data: Data) -> str:
    deal_anew_for(actor=by, match=_table(match), reason=data["reason"])
    return _("The hand of %(label)s was redealt.") % {"label": match.label}


def _warn(by: Actor, match: Match, data: Data) -> str:
    seat = data["seat"]
    warn_for(actor=by, match=_table(match), seat=seat, reason=data["reason"])
    return _("%(name)s is warned.") % {"name": seat_names(match)[seat]}


def _table(match: Match) -> TableMatch:
    """The table at which the match is played now; refuses `table_over`."""
    table = live_table(match)
    if table is None:
        raise LeagueError("table_over", _("The play at this table is over."))
    return table


def _is_live(match: Match) -> bool:
    return live_table(match) is not None


TABLES: Final[tuple[Act[Match], ...]] = (
    Act(
        slug="show-in-hall",
        title=gettext_lazy("Show it on the hall’s screen"),
        doing=Doing.PLAY,
        intro=gettext_lazy("As spectators see it: each hand once it is over."),
        run=does(
            show_in_hall,
            "match",
            gettext_lazy("The hall’s screen shows %(label)s as long as it is played."),
            "label",
        ),
        offered=lambda match: _is_live(match) and not is_in_hall(match),
    ),
    Act(
        slug="hide-in-hall",
        title=gettext_lazy("Take it off the hall’s screen"),
        run=does(
            hide_in_hall, "match", gettext_lazy("The hall’s screen no longer shows %(label)s."), "label"
        ),
        offered=lambda match: _is_live(match) and is_in_hall(match),
    ),
    Act(
        slug="warn",
        title=gettext_lazy("Warn a player"),
        doing=Doing.CORRECT,
        intro=gettext_lazy("For a member who stalls, leaves or insults in a match on this site."),
        form=WarnForm,
        run=_warn,
        offered=lambda match: bool(_members(match)),
    ),
    Act(
        slug="adjourn",
        title=gettext_lazy("Adjourn play on this site"),
        doing=Doing.CORRECT,
        intro=gettext_lazy(
            "Nobody moves and no clock runs until you let it go on. All who play read the reason."
        ),
        form=ReasonForm,
        run=_adjourn,
        offered=lambda match: _is_live(match) and not is_adjourned(match),
    ),
    Act(
        slug="let-go-on",
        title=gettext_lazy("Let play go on"),
        doing=Doing.CORRECT,
        preview=_preview_going_on,
        run=_go_on,
        offered=is_adjourned,
    ),
    Act(
        slug="deal-anew",
        title=gettext_lazy("Redeal the hand"),
        doing=Doing.CORRECT,
        intro=gettext_lazy("For a hand that cannot be played on, such as where a bot has failed."),
        form=ReasonForm,
        preview=_preview_dealing,
        run=_deal_anew,
        offered=_may_deal_anew,
    ),
)
