"""The rounds with sheets to type, for the admin's index."""

from django import template
from django.contrib.auth.models import AnonymousUser, User

from league.entry.nights import Night, nights

register = template.Library()


@register.simple_tag
def nights_of(user: User | AnonymousUser) -> list[Night]:
    """The rounds with sheets that the user may type, the most urgent first."""
    return nights(user)
