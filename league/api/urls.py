"""Addresses of the league's API, mounted under /api/v1/."""

from typing import Final

from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import ViewSetMixin

from league.api import (
    batches,
    bots,
    brackets,
    clubs,
    corrections,
    deals,
    disputes,
    entries,
    events,
    house_rules,
    matches,
    of_event,
    players,
    register,
    rounds,
    sheets,
    signatures,
)

_RESOURCES: Final[list[tuple[str, type[ViewSetMixin]]]] = [
    ("clubs", clubs.Clubs),
    ("memberships", clubs.Memberships),
    ("seasons", clubs.Seasons),
    ("house-rules", house_rules.ListedRules),
    ("house-rules/<slug:code>/versions", house_rules.Versions),
    ("bots", bots.Bots),
    ("bot-matches", bots.BotMatches),
    ("players", players.Players),
    ("events", events.Events),
    ("entries", entries.Entries),
    ("rounds", rounds.Rounds),
    ("matches", matches.Matches),
]
_router: Final = SimpleRouter(use_regex_path=False)
for _address, _view in _RESOURCES:
    _router.register(_address, _view, basename=f"api-{_address.rpartition('/')[2]}")

# Under the address of an event things are only read.
_of_event: Final[list[URLPattern]] = [
    path(f"events/<slug:event>/{what}/", view)
    for what, view in {
        "entries": of_event.EventEntries.as_view({"get": "list"}),
        "rounds": of_event.EventRounds.as_view({"get": "list"}),
        "matches": of_event.EventMatches.as_view({"get": "list"}),
        "standings": of_event.EventStandings.as_view({"get": "list"}),
        "bracket": brackets.EventBracket.as_view({"get": "retrieve"}),
    }.items()
]

_REGISTER: Final = "clubs/<slug:slug>/register/"
_register: Final[list[URLPattern]] = [
    path(_REGISTER, register.Register.as_view({"post": "create"})),
    path(f"{_REGISTER}<str:external_id>/", register.Register.as_view({"get": "retrieve", "put": "update"})),
]

# Sheets: deals, corrections, signatures, disputes, batches.
_SHEET: Final = "sheets/<slug:code>/"
_sheets: Final[list[URLPattern | URLResolver]] = [
    path("sheets/", sheets.Sheets.as_view({"get": "list"}), name="api-sheets"),
    path(_SHEET, sheets.Sheet.as_view(), name="api-sheet"),
    path(f"{_SHEET}deals/", deals.Deals.as_view(), name="api-deals"),
    path(f"{_SHEET}deals/<int:number>/", deals.DealVersions.as_view(), name="api-deal"),
    path(f"{_SHEET}corrections/", corrections.Corrections.as_view(), name="api-corrections"),
    path(f"{_SHEET}signatures/", signatures.Signatures.as_view(), name="api-signatures"),
    path(f"{_SHEET}disputes/", disputes.Disputes.as_view(), name="api-disputes"),
    path(
        f"{_SHEET}disputes/<int:number>/settlement/",
        disputes.DisputeSettlements.as_view(),
        name="api-dispute-settlement",
    ),
    path("batches/", batches.Batches.as_view(), name="api-batches"),
]

urlpatterns: list[URLPattern | URLResolver] = [*_router.urls, *_of_event, *_register, *_sheets]
