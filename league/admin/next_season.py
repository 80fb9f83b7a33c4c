"""The act on an event that drafts it again for the next season."""

from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.events.next_season import draft_again, plan_again
from league.models import Event, Season
from scoring.core.actors import Actor


class NextSeasonForm(ActForm):
    """The season, and the new event's name."""

    season = forms.ModelChoiceField(
        queryset=Season.objects.none(),
        label=gettext_lazy("Season"),
        required=False,
        empty_label=gettext_lazy("none"),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Empty: as before, with the new season's name in place of the old one's."),
    )
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Empty: made of the old one and the season's."),
    )

    def prepare(self, row: Event) -> None:
        seasons = Season.objects.filter(club=row.club)
        if row.season is not None and row.season.starts_on is not None:
            # Earlier seasons are not drafted.
            seasons = seasons.exclude(starts_on__lt=row.season.starts_on)
        self.offer("season", seasons)


def _preview(event: Event, data: Data) -> Preview:
    again = plan_again(event=event, season=data["season"])
    lines = [
        _("“%(name)s” will be made as a draft, at …/%(slug)s/, with the rules and settings of this event.")
        % {"name": data["name"] or again.name, "slug": data["slug"] or again.slug},
        ngettext(
            "%d entry will be in it, with this seed:",
            "%d entries will be in it, with these seeds:",
            len(again.entries),
        )
        % len(again.entries),
    ]
    if again.left_out:
        lines.append(
            _("Left out, as withdrawn or a guest: %(names)s.")
            % {"names": ", ".join(map(str, again.left_out))}
        )
    return Preview(
        [*lines, _("All of it can be changed before it begins. This event will stay as it is.")],
        [_("Seed"), _("Entry")],
        list(enumerate(again.entries, start=1)),
    )


def _run(by: Actor, event: Event, data: Data) -> str:
    made = draft_again(actor=by, event=event, **data)
    return _("“%(event)s” is drafted with %(count)d entries.") % {
        "event": made,
        "count": made.entries.count(),
    }


AGAIN: Final = Act(
    slug="draft-again",
    title=gettext_lazy("Draft it for the next season"),
    intro=gettext_lazy(
        "Makes a draft with the settings and the entries of this event. Seeds are the places in it."
    ),
    form=NextSeasonForm,
    preview=_preview,
    run=_run,
    submit=gettext_lazy("Show the draft"),
    offered=lambda event: event.pyramid_id is None,
)
