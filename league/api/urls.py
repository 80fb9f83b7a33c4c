"""Addresses of the league's API, mounted under /api/v1/."""

from typing import Final

from django.urls import URLPattern, URLResolver, path

from league.api import batches, clubs, corrections, deals, disputes, players, register, sheets, signatures

# Clubs, people, events and what is played in them.
_resources: Final[list[URLPattern | URLResolver]] = [
    path("clubs/", clubs.Clubs.as_view(), name="api-clubs"),
    path("clubs/<slug:slug>/", clubs.OneClub.as_view(), name="api-club"),
    path("memberships/", clubs.Memberships.as_view(), name="api-memberships"),
    path("memberships/<slug:code>/", clubs.OneMembership.as_view(), name="api-membership"),
    path("clubs/<slug:slug>/register/", register.Register.as_view(), name="api-register"),
    path(
        "clubs/<slug:slug>/register/<str:external_id>/", register.Registered.as_view(), name="api-registered"
    ),
    path("players/", players.Players.as_view(), name="api-players"),
    path("players/<slug:code>/", players.OnePlayer.as_view(), name="api-player"),
    path("seasons/", clubs.Seasons.as_view(), name="api-seasons"),
    path("seasons/<slug:code>/", clubs.OneSeason.as_view(), name="api-season"),
]

# Sheets: deals, corrections, signatures, disputes, batches.
_SHEET: Final = "sheets/<slug:code>/"
_sheets: Final[list[URLPattern | URLResolver]] = [
    path("sheets/", sheets.Sheets.as_view(), name="api-sheets"),
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

urlpatterns: list[URLPattern | URLResolver] = [*_resources, *_sheets]
