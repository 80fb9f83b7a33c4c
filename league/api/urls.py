"""Addresses of the league's API, mounted under /api/v1/."""

from typing import Final

from django.urls import URLPattern, URLResolver

# Clubs, people, events and what is played in them.
_resources: Final[list[URLPattern | URLResolver]] = []

# Sheets: deals, corrections, signatures, disputes, batches.
_sheets: Final[list[URLPattern | URLResolver]] = []

urlpatterns: list[URLPattern | URLResolver] = [*_resources, *_sheets]
