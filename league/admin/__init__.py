"""The league in Django's admin: one module per subject, each registering its models.

scope.py     officers see and change only their own clubs
writing.py   every write goes through a service; a refusal is shown beside its field
acts.py      what can be done to a row besides editing its fields
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from league.admin import (
    accounts,
    audit,
    bot_matches,
    bots,
    brackets,
    clubs,
    entries,
    entry_requests,
    events,
    files,
    house_rules,
    kept_apart,
    matches,
    people,
    pyramids,
    rounds,
    season_tables,
    sheets,
)

admin.site.site_header = _("Gin rummy league")
admin.site.site_title = _("Gin rummy league")
admin.site.index_title = _("Administration")
