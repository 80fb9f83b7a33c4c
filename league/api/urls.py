"""Addresses of the league's API, mounted under /api/v1/."""

from typing import Final

from django.urls import URLPattern, URLResolver, path

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

# Clubs, people, events and what is played in them.
_EVENT: Final = "events/<slug:event>/"
_resources: Final[list[URLPattern | URLResolver]] = [
    path("clubs/", clubs.Clubs.as_view(), name="api-clubs"),
    path("clubs/<slug:slug>/", clubs.OneClub.as_view(), name="api-club"),
    path("memberships/", clubs.Memberships.as_view(), name="api-memberships"),
    path("memberships/<slug:code>/", clubs.OneMembership.as_view(), name="api-membership"),
    path("clubs/<slug:slug>/register/", register.Register.as_view(), name="api-register"),
    path(
        "clubs/<slug:slug>/register/<str:external_id>/", register.Registered.as_view(), name="api-registered"
    ),
    path("house-rules/", house_rules.ListedRules.as_view(), name="api-house-rules"),
    path("house-rules/<slug:code>/", house_rules.OneRules.as_view(), name="api-rules"),
    path("house-rules/<slug:code>/versions/", house_rules.Versions.as_view(), name="api-rules-versions"),
    path(
        "house-rules/<slug:code>/versions/<int:version>/",
        house_rules.OneVersion.as_view(),
        name="api-rules-version",
    ),
    path("bots/", bots.Bots.as_view(), name="api-bots"),
    path("bots/<slug:strategy>/", bots.OneBot.as_view(), name="api-bot"),
    path("bot-matches/", bots.BotMatches.as_view(), name="api-bot-matches"),
    path("bot-matches/<slug:code>/", bots.OneBotMatch.as_view(), name="api-bot-match"),
    path("players/", players.Players.as_view(), name="api-players"),
    path("players/<slug:code>/", players.OnePlayer.as_view(), name="api-player"),
    path("events/", events.Events.as_view(), name="api-events"),
    path("events/<slug:code>/", events.OneEvent.as_view(), name="api-event"),
    path(f"{_EVENT}entries/", of_event.EventEntries.as_view(), name="api-event-entries"),
    path(f"{_EVENT}rounds/", of_event.EventRounds.as_view(), name="api-event-rounds"),
    path(f"{_EVENT}matches/", of_event.EventMatches.as_view(), name="api-event-matches"),
    path(f"{_EVENT}standings/", of_event.EventStandings.as_view(), name="api-event-standings"),
    path(f"{_EVENT}bracket/", brackets.EventBracket.as_view(), name="api-event-bracket"),
    path("entries/", entries.Entries.as_view(), name="api-entries"),
    path("entries/<slug:code>/", entries.OneEntry.as_view(), name="api-entry"),
    path("entries/<slug:code>/withdrawal/", entries.Withdrawals.as_view(), name="api-withdrawal"),
    path("entries/<slug:code>/reinstatement/", entries.Reinstatements.as_view(), name="api-reinstatement"),
    path("rounds/", rounds.Rounds.as_view(), name="api-rounds"),
    path("rounds/<slug:code>/", rounds.OneRound.as_view(), name="api-round"),
    path("matches/", matches.Matches.as_view(), name="api-matches"),
    path("matches/<slug:code>/", matches.OneMatch.as_view(), name="api-match"),
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
