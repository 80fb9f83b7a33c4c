"""The league in the stock admin: one module per story, each registering its models.

scope.py     officers see and touch only their own clubs
writing.py   every write is a service; what it refuses stands beside its field
acts.py      what can be done to a row beyond changing its fields
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from league.admin import (
    audit,
    bot_matches,
    bots,
    brackets,
    clubs,
    entries,
    events,
    files,
    house_rules,
    matches,
    people,
    pyramids,
    rounds,
    season_tables,
    sheets,
)
from league.admin import kept_apart as forbidden

__all__ = [
    "audit",
    "bot_matches",
    "bots",
    "brackets",
    "clubs",
    "entries",
    "events",
    "files",
    "forbidden",
    "house_rules",
    "matches",
    "people",
    "pyramids",
    "rounds",
    "season_tables",
    "sheets",
]

admin.site.site_header = _("Gin rummy league")
admin.site.site_title = _("Gin rummy league")
admin.site.index_title = _("Administration")
