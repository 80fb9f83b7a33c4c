"""The form that opens a sheet of an evening at one table."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.matches.club_sheets import open_club_sheet
from league.models import ClubRules
from league.policy import Permission, clubs_where
from scoring.core.actors import Actor
from scoring.core.kinds import MOST_SIDES
from scoring.core.sheets import SheetSide
from scoring.documents.sides import read_sides
from scoring.models import Scoresheet
from scoring.services import LONGEST_LABEL


class TableForm(forms.Form):
    """House rules, and who plays: a line for each side, its players joined by “+”."""

    rules = forms.ModelChoiceField(ClubRules.objects.none(), label=gettext_lazy("Rules"))
    players = forms.CharField(
        label=gettext_lazy("Players"),
        widget=forms.Textarea(attrs={"rows": MOST_SIDES, "cols": 30}),
        max_length=1000,
        help_text=gettext_lazy("A line for each, clockwise. Partners share a line: Bob + Cid."),
    )
    label = forms.CharField(label=gettext_lazy("Label"), max_length=LONGEST_LABEL, required=False)

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data)
        clubs = clubs_where(user, Permission.RECORD)
        rows = ClubRules.objects.filter(club__in=clubs.values("pk")).select_related("club", "rules")
        choice = self.fields["rules"]
        choice.queryset = rows.order_by("club__name", "rules__name")  # type: ignore[attr-defined]
        several = clubs.count() > 1
        choice.label_from_instance = (  # type: ignore[attr-defined]
            lambda own: f"{own.club}: {own.rules.name}" if several else own.rules.name
        )

    def clean_players(self) -> list[dict[str, Any]]:
        """The sides as the scorer's document has them."""
        lines = [line for line in self.cleaned_data["players"].splitlines() if line.strip()]
        sides = []
        for line in lines:
            players = [" ".join(name.split()) for name in line.split("+")]
            if not all(players):
                raise forms.ValidationError(_("A name is missing beside “+”."))
            sides.append({"name": " + ".join(players), "players": players})
        return sides

    def open(self, actor: Actor) -> Scoresheet:
        """Open the sheet; refuses as `open_club_sheet`."""
        own: ClubRules = self.cleaned_data["rules"]
        sides: tuple[SheetSide, ...] = read_sides(self.cleaned_data["players"], own.rules.rules)
        return open_club_sheet(
            actor=actor, club=own.club, rules=own.rules, sides=sides, label=self.cleaned_data["label"]
        )
