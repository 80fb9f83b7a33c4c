"""System checks of event formats, lifetimes, mail and push, run by `check`, `migrate` and so by `up`."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import FieldDoesNotExist
from django.db import connections

from league.core.standings import CRITERIA
from league.draws.formats import format_called
from league.models import Event, registered
from league.notices.bounces import LONGEST_LOCAL_PART, LONGEST_TOKEN
from league.notices.mail import sends_mail
from league.notices.push import key_told
from league.upkeep.retention import LIFETIMES, LONGEST

_MOST_NAMED: Final = 5


@register()
def check_formats(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """`league.E001`: a format's setting is not an event field; `league.E002`: an unknown criterion."""
    found: list[CheckMessage] = []
    for key in registered():
        own = format_called(key)
        found += [
            Error(f"The format {key} has a setting {name}, which events do not have.", id="league.E001")
            for name in sorted(own.settings | own.fixed_by_draw)
            if not _is_field(name)
        ]
        found += [
            Error(f"The format {key} sorts by {name}, which is not a criterion.", id="league.E002")
            for name in (*own.leading_criteria, *own.usual_order)
            if name not in CRITERIA
        ]
    return found


@register(Tags.database)
def check_stored_formats(
    app_configs: Any, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """`league.E003`: stored events of an unknown format."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        if Event._meta.db_table not in connections[alias].introspection.table_names():
            continue
        strange = Event.objects.using(alias).exclude(format__in=registered()).order_by("pk")
        found += [
            Error(f"No format is called “{key}”, and {name} is played so.", id="league.E003")
            for name, key in strange.values_list("name", "format")[:_MOST_NAMED]
        ]
    return found


@register()
def check_lifetimes(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """`league.E004`: something is to be kept for less days than it needs, or for ever."""
    return [
        Error(
            f"KEEP_{lifetime.name.upper()} is {lifetime.days}; it is {lifetime.least} to {LONGEST} days.",
            id="league.E004",
        )
        for lifetime in LIFETIMES
        if not lifetime.least <= lifetime.days <= LONGEST
    ]


@register()
def check_site_url(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """`league.E005`: the site's address is none; `league.W001`: mail is sent, and it is not known."""
    address = urlsplit(settings.SITE_URL)
    if settings.SITE_URL and not (address.scheme in ("http", "https") and address.hostname):
        return [
            Error(
                f"SITE_URL is “{settings.SITE_URL}”; it is as https://league.example.org.", id="league.E005"
            )
        ]
    if sends_mail() and not settings.SITE_URL:
        return [
            Warning(
                "EMAIL_URL is set and SITE_URL is not: members are told nothing by mail.", id="league.W001"
            )
        ]
    return []


@register()
def check_bounce_address(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """`league.E006`: reports on mails cannot come to the address that is set for them."""
    local, _at, domain = settings.BOUNCE_ADDRESS.rpartition("@")
    longest = LONGEST_LOCAL_PART - LONGEST_TOKEN
    if not settings.BOUNCE_ADDRESS or (local and domain and len(local) <= longest):
        return []
    return [
        Error(
            f"BOUNCE_ADDRESS is “{settings.BOUNCE_ADDRESS}”; it is as bounces@league.example.org, with at"
            f" most {longest} characters before the “@”.",
            id="league.E006",
        )
    ]


@register()
def check_push_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """`league.E007`: the site has no key for push services; `league.W002`: each machine has its own."""
    if not key_told():
        return [
            Error(
                "PUSH_KEY is no key: it is 32 bytes in base64url, as in the file push-key that is made in"
                " DATA_DIR at the first start without it.",
                id="league.E007",
            )
        ]
    if (
        settings.SITE_URL
        and settings.PUSH_KEY_IS_OWN
        and not settings.CELERY_BROKER_URL.startswith("filesystem")
    ):
        return [
            Warning(
                "PUSH_KEY is not set: with more than one machine each makes a key of its own, and devices are"
                " told only by the machine whose key they know. Set it to what stands in DATA_DIR/push-key of"
                " one.",
                id="league.W002",
            )
        ]
    return []


def _is_field(name: str) -> bool:
    try:
        Event._meta.get_field(name)
    except FieldDoesNotExist:
        return False
    return True
