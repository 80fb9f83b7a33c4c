"""Pairs that are kept apart: listed, and allowed again. They are added on the event's page."""

from django.contrib import admin

from league.acts.services import Services
from league.admin.acts import ActingAdmin
from league.admin.scope import NewestFilter
from league.draws import kept_apart
from league.models import ForbiddenPair
from league.policy import Permission


@admin.register(ForbiddenPair)
class ForbiddenPairAdmin(ActingAdmin[ForbiddenPair]):
    """Two entries kept apart, and why; deleting the row lets them meet again."""

    services = Services("pair", remove=kept_apart.allow_pair)
    read = Permission.DIRECT
    list_display = ("__str__", "event", "reason")
    list_filter = (("event", NewestFilter),)
    list_select_related = ("event__club", "entry_a", "entry_b")
    search_fields = ("entry_a__name", "entry_b__name", "reason")
    fields = ("event", "entry_a", "entry_b", "reason")
