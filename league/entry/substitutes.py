"""The forms by which a seat changes hands on a sheet outside events, or is given back."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.matches.club_sheets import seat_at_table
from league.models import Club
from scoring.core.actors import Actor
from scoring.core.sheets import MOST_DEALS
from scoring.documents.shapes import LONGEST_NAME
from scoring.models import Scoresheet
from scoring.services import remove_substitute
from scoring.services.records import KeptSheet, kept_sheet


def _written(sheet: Scoresheet, seat: str) -> str:
    """The name that the sheet itself has for a seat, by which scoring knows who sits there."""
    return kept_sheet(sheet).seat_names[int(seat)]


class SeatingForm(forms.Form):
    """Who leaves the table, who takes over, and from which deal on; `kept` has names as they are shown."""

    replaces = forms.ChoiceField(label=gettext_lazy("Leaves the table"))
    name = forms.CharField(label=gettext_lazy("Takes over"), max_length=LONGEST_NAME)
    from_deal = forms.IntegerField(
        label=gettext_lazy("From deal"),
        min_value=2,
        max_value=MOST_DEALS,
        help_text=gettext_lazy("The next one, or an earlier one that was recorded already."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Needed where deals that are recorded pass to the substitute."),
    )

    def __init__(self, kept: KeptSheet, data: Any = None) -> None:
        following = len(kept.versions) + 1
        super().__init__(data, initial={"from_deal": following})
        sitting = {player for side in kept.sides for player in side.seated(following)}
        names = [(str(seat), name) for seat, name in kept.seat_names.items() if name in sitting]
        self.fields["replaces"].choices = names  # type: ignore[attr-defined]

    def run(self, actor: Actor, club: Club, sheet: Scoresheet) -> str:
        """Seat the substitute; returns what was done. Refuses as `seat_at_table`."""
        values = self.cleaned_data
        name = " ".join(values["name"].split())
        seat_at_table(
            actor=actor,
            club=club,
            sheet=sheet,
            replaces=_written(sheet, values["replaces"]),
            name=name,
            from_deal=values["from_deal"],
            reason=values["reason"],
        )
        return _("%(name)s plays from deal %(deal)d.") % {"name": name, "deal": values["from_deal"]}


class TakingBackForm(forms.Form):
    """A substitute who was seated by mistake, and the reason."""

    seat = forms.ChoiceField(label=gettext_lazy("Was seated by mistake"))
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300)

    def __init__(self, kept: KeptSheet, data: Any = None) -> None:
        super().__init__(data, auto_id="id_back_%s")
        came = {one.player for side in kept.sides for one in side.substitutes}
        names = [(str(seat), name) for seat, name in kept.seat_names.items() if name in came]
        self.fields["seat"].choices = names  # type: ignore[attr-defined]

    def run(self, actor: Actor, club: Club, sheet: Scoresheet) -> str:
        """Take the substitute back; returns what was done. Refuses as `remove_substitute`."""
        written = _written(sheet, self.cleaned_data["seat"])
        remove_substitute(actor=actor, sheet=sheet, name=written, reason=self.cleaned_data["reason"])
        return _("The substitute is taken back.")
