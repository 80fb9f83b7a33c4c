"""Forms of the guide by which a club begins."""

import zoneinfo
from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.acts import passes
from league.acts.fields import NamesField, validate_day
from league.draws.rounds import check_entries
from league.events.beginning import SHEETS
from league.models import Club, Player
from league.pages.account_forms import NewAccountForm
from scoring.words.knob_words import GIN_PRESET_WORDS


def _zones() -> Iterable[tuple[str, Any]]:
    names = zoneinfo.available_timezones()
    places = sorted(name for name in names if "/" in name and not name.startswith("Etc/"))
    return [("", "---------"), ("UTC", "UTC"), *((name, name.replace("_", " ")) for name in places)]


class CodeForm(forms.Form):
    """The code that the terminal shows."""

    code = forms.CharField(
        label=_("Code"),
        max_length=200,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )


class GuidedClubForm(forms.Form):
    """Name, place, contact and time zone of a club, and whether it is public."""

    club = forms.CharField(label=_("Name of the club"), max_length=80)
    place = forms.CharField(
        label=_("Where it meets"),
        max_length=80,
        required=False,
        help_text=_("Optional. As your members call it; shown on the club's page."),
    )
    contact = forms.CharField(
        label=_("Who to contact"),
        max_length=120,
        required=False,
        help_text=_(
            "Optional. An e-mail address or a telephone number, for whoever wants to play. Everyone who can "
            "read the club's pages sees it."
        ),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=_zones, widget=forms.Select({"data-own-zone": ""})
    )

    is_public = forms.BooleanField(
        label=_("Anyone may read the club's pages, with its members' names and results"),
        help_text=_("Otherwise only people who belong to the club can. You can change this at any time."),
        required=False,
    )


class FirstClubForm(GuidedClubForm, NewAccountForm):
    """A club, and the account of its first owner."""

    field_order = (
        *("club", "place", "contact", "time_zone", "is_public"),
        *("name", "username", "password", "again"),
    )


class PresetForm(forms.Form):
    """A preset of the house rules, and the games on a sheet."""

    preset = forms.ChoiceField(
        choices=[(preset, title) for preset, (title, _school) in GIN_PRESET_WORDS.items()],
        initial="standard",
    )
    columns = forms.TypedChoiceField(
        label=_("On one sheet"),
        coerce=int,
        choices=[
            (count, {3: _("three games at once, as in Hollywood"), 1: _("one game")}[count])
            for count in SHEETS
        ],
        initial=SHEETS[0],
        widget=forms.RadioSelect,
    )


class NamesForm(forms.Form):
    """A list of people."""

    names = forms.CharField(
        label=_("Names, one per line"),
        max_length=200_000,
        strip=False,
        widget=forms.Textarea({"rows": 12, "spellcheck": "false", "autocapitalize": "words"}),
    )


class GuidedEventForm(forms.Form):
    """The first event: its name, and who plays; at first everybody, unless these are too many for a draw."""

    name = forms.CharField(label=_("Name of the event"), max_length=80)
    players = NamesField(
        queryset=Player.objects.none(),
        label=_("Who plays"),
        to_field_name="code",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("An event needs at least two players.")},
    )

    def __init__(self, club: Club, players: list[Player], data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        field = cast("forms.ModelMultipleChoiceField[Player]", self.fields["players"])
        field.queryset = Player.objects.filter(club=club, pk__in=[player.pk for player in players])
        if passes(check_entries, len(players)):
            field.initial = [player.code for player in players]


class GuidedDrawForm(forms.Form):
    """When the rounds are played."""

    first_date = forms.DateField(
        label=_("First evening"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        validators=[validate_day],
    )
    days_between = forms.TypedChoiceField(
        label=_("Rounds are played"),
        coerce=int,
        choices=[
            (7, _("every week")),
            (14, _("every two weeks")),
            (28, _("every four weeks")),
            (0, _("all on one evening")),
        ],
        initial=7,
    )
