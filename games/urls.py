"""URLs of games: the judge and the bots among the pages, the API under /api/v1/."""

from django.urls import URLPattern, URLResolver, path

from games.api.judge import JudgeView
from games.pages import bots, judge, matches, tables

_MATCH = "bots/matches/<slug:code>/"
_TABLE = "play/<slug:code>/"

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("judge/", JudgeView.as_view(), name="judge"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("judge/", judge.judge_page, name="judge_page"),
    path("judge/ruling/", judge.judge_ruling, name="judge_ruling"),
    path("bots/", bots.bots, name="bots"),
    path(_MATCH, matches.bot_match, name="bot_match"),
    path(f"{_MATCH}live/", matches.bot_match_live, name="bot_match_live"),
    path(f"{_MATCH}deals/<int:deal>/", matches.bot_hand, name="bot_hand"),
    path(f"{_MATCH}deals/<int:deal>/tables/<int:table>/", matches.bot_hand, name="bot_hand"),
    path(_TABLE, tables.play_table, name="play_table"),
    path(f"{_TABLE}live/", tables.play_live, name="play_live"),
    path(f"{_TABLE}act/", tables.play_act, name="play_act"),
    path(f"{_TABLE}hint/", tables.play_hint, name="play_hint"),
    path(f"{_TABLE}clock/", tables.play_clock, name="play_clock"),
    path(f"{_TABLE}say/", tables.play_say, name="play_say"),
    path(f"{_TABLE}deals/<int:deal>/", tables.play_hand, name="play_hand"),
    path(f"{_TABLE}deals/<int:deal>/tables/<int:table>/", tables.play_hand, name="play_hand"),
    path("bots/<slug:strategy>/", bots.bot_profile, name="bot_profile"),
    path("bots/<slug:strategy>/<int:level>/", bots.bot_profile, name="bot_profile"),
]
