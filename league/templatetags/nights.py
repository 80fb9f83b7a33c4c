"""The rounds whose sheets wait to be typed, for the first page of the admin."""

from django import template
from django.contrib.auth.models import AnonymousUser, User

from league.entry.nights import Night, nights

register = template.Library()


@register.simple_tag
def nights_of(user: User | AnonymousUser) -> list[Night]:
    """The rounds whose sheets the user may type and that wait for it, the first to be typed first."""
    return nights(user)
