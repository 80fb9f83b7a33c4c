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
    cuts,
    entries,
    evenings,
    events,
    games,
    house_rules,
    ladders,
    matches,
    of_event,
    offers,
    players,
    register,
    rounds,
    sheet_parts,
    sheets,
    table_directing,
    tables,
    weighed,
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
    ("sheets", sheets.Sheets),
    ("offers", offers.Offers),
]
_router: Final = SimpleRouter(use_regex_path=False)
for _address, _view in _RESOURCES:
    _router.register(_address, _view, basename=f"api-{_address.rpartition('/')[2]}")

# Everything under the address of an event is read-only, except decisions at a tie, an evening that runs
# itself, and of ladders challenges and absences.
_of_event: Final[list[URLPattern]] = [
    path(f"events/<slug:event>/{what}/", view)
    for what, view in {
        "entries": of_event.EventEntries.as_view({"get": "list"}),
        "rounds": of_event.EventRounds.as_view({"get": "list"}),
        "matches": of_event.EventMatches.as_view({"get": "list"}),
        "standings": of_event.EventStandings.as_view({"get": "list"}),
        "bracket": brackets.EventBracket.as_view({"get": "retrieve"}),
        "evening": evenings.EventEvening.as_view({"get": "retrieve", "put": "update"}),
        "evening/begin": evenings.EventEvening.as_view({"post": "begin"}),
        "evening/pause": evenings.EventEvening.as_view({"post": "pause"}),
        "evening/back": evenings.EventEvening.as_view({"post": "back"}),
        "evening/out": evenings.EventEvening.as_view({"post": "out"}),
        "cuts": cuts.EventCuts.as_view({"get": "retrieve"}),
        "levels": cuts.EventLevels.as_view({"get": "retrieve"}),
        "levels/<slug:key>/decision": cuts.EventLevels.as_view({"post": "decision"}),
        "levels/<slug:key>/cancellation": cuts.EventLevels.as_view({"post": "cancellation"}),
    }.items()
]

_CHALLENGES: Final = "events/<slug:event>/challenges/"
_ABSENCES: Final = "events/<slug:event>/absences/"
_of_ladder: Final[list[URLPattern]] = [
    path(_CHALLENGES, ladders.Challenges.as_view({"get": "list", "post": "create"})),
    path(
        f"{_CHALLENGES}<int:number>/",
        ladders.Challenges.as_view({"get": "retrieve"}),
        name="api-challenges-detail",
    ),
    path(f"{_CHALLENGES}<int:number>/cancellation/", ladders.Challenges.as_view({"post": "cancellation"})),
    path(_ABSENCES, ladders.Absences.as_view({"get": "list", "post": "create"})),
    path(
        f"{_ABSENCES}<int:number>/",
        ladders.Absences.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="api-absences-detail",
    ),
]

_CLUB: Final = "clubs/<slug:slug>/"
_REGISTER: Final = f"{_CLUB}register/"
_register: Final[list[URLPattern]] = [
    path(_REGISTER, register.Register.as_view({"post": "create"})),
    path(f"{_REGISTER}<str:external_id>/", register.Register.as_view({"get": "retrieve", "put": "update"})),
]

# What the reader plays in a club.
_games: Final[list[URLPattern]] = [
    path(f"{_CLUB}games/", games.Games.as_view({"get": "list", "post": "create"})),
    path(f"{_CLUB}daily-hand/", games.DailyHands.as_view({"get": "retrieve", "post": "create"})),
    path(f"{_CLUB}daily-hand/actions/", games.DailyHands.as_view({"post": "act"})),
    path(f"{_CLUB}own-play/", weighed.OwnPlay.as_view({"get": "retrieve"})),
]

# Under the address of a sheet.
_SHEET: Final = "sheets/<slug:code>/"
_of_sheet: Final[list[URLPattern]] = [
    path(f"{_SHEET}deals/", sheet_parts.Deals.as_view({"get": "list", "post": "create"})),
    path(f"{_SHEET}deals/<int:number>/", sheet_parts.Deals.as_view({"get": "retrieve"})),
    path(f"{_SHEET}corrections/", sheet_parts.Corrections.as_view({"get": "list", "post": "create"})),
    path(f"{_SHEET}signatures/", sheet_parts.Signatures.as_view({"get": "retrieve", "post": "create"})),
    path(f"{_SHEET}disputes/", sheet_parts.Disputes.as_view({"get": "list", "post": "create"})),
    path(f"{_SHEET}disputes/<int:number>/settlement/", sheet_parts.Disputes.as_view({"post": "settlement"})),
    path("batches/", batches.Batches.as_view()),
]

# Where members play card by card.
_TABLE: Final = "tables/<slug:code>/"
_tables: Final[list[URLPattern]] = [
    path("tables/", tables.CardTables.as_view({"post": "create"})),
    path(_TABLE, tables.CardTables.as_view({"get": "retrieve"}), name="api-tables-detail"),
    path(f"{_TABLE}actions/", tables.CardTables.as_view({"post": "act"})),
    path(f"{_TABLE}hands/<int:deal>/", tables.CardTables.as_view({"get": "hand"})),
    path(f"{_TABLE}hands/<int:deal>/report/", weighed.WeighedHints.as_view({"get": "hand_report"})),
    path(f"{_TABLE}report/", weighed.WeighedHints.as_view({"get": "report"})),
    path(f"{_TABLE}hint/", weighed.WeighedHints.as_view({"get": "hint"})),
    path(f"{_TABLE}pause/", tables.CardTables.as_view({"post": "pause"})),
    path(f"{_TABLE}resume/", tables.CardTables.as_view({"post": "resume"})),
    path(f"{_TABLE}say/", tables.CardTables.as_view({"post": "say"})),
    path(f"{_TABLE}mute/", tables.CardTables.as_view({"post": "mute"})),
    path(f"{_TABLE}break-off/", tables.CardTables.as_view({"post": "break_off"})),
    path(f"{_TABLE}try-again/", tables.CardTables.as_view({"post": "try_again"})),
    path(f"{_TABLE}end/", tables.CardTables.as_view({"post": "end"})),
    path(f"{_TABLE}adjourn/", table_directing.DirectedTables.as_view({"post": "adjourn"})),
    path(f"{_TABLE}go-on/", table_directing.DirectedTables.as_view({"post": "go_on"})),
    path(f"{_TABLE}deal-anew/", table_directing.DirectedTables.as_view({"post": "deal_anew"})),
    path(f"{_TABLE}warn/", table_directing.DirectedTables.as_view({"post": "warn"})),
    path(f"{_TABLE}conduct/", table_directing.DirectedTables.as_view({"get": "conduct"})),
]

urlpatterns: list[URLPattern | URLResolver] = [
    *_router.urls,
    *_of_event,
    *_of_ladder,
    *_register,
    *_games,
    *_of_sheet,
    *_tables,
]
