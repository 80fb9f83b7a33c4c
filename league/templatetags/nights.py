"""The rounds with sheets to type, for the admin's index."""

from typing import Any, Final

from django import template
from django.contrib.auth.models import AnonymousUser, User

from league.entry.nights import nights

register = template.Library()

# On the index, of a site with many clubs.
MOST: Final = 12


@register.inclusion_tag("admin/league/entry/_nights.html")
def nights_of(user: User | AnonymousUser) -> dict[str, Any]:
    """The rounds with sheets that the user may type, the most urgent first, and whether there are more."""
    found = nights(user, MOST + 1)
    return {"nights": found[:MOST], "more": len(found) > MOST}
