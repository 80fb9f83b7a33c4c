"""Tonight's trays, for the first page of the admin."""

from dataclasses import dataclass

from django import template
from django.contrib.auth.models import AnonymousUser, User

from league.entry.tray import Tray, nights, tray_of
from league.entry.views import night_name
from league.models import Club

register = template.Library()


@dataclass(frozen=True, slots=True)
class Night:
    """A club's night: what it is called, and its tray."""

    club: Club
    name: str
    tray: Tray


@register.simple_tag
def nights_of(user: User | AnonymousUser) -> list[Night]:
    """For each club whose sheets the user may type, the night most likely on the table now."""
    return [Night(club, night_name(round_), tray_of(round_)) for club, round_ in nights(user)]
