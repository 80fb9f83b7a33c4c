"""Addresses of games: the judge and the bots among the pages, its API under /api/v1/."""

from django.urls import URLPattern, URLResolver, path

from games.api import JudgeView
from games.views import judge

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("judge/", JudgeView.as_view(), name="judge"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("judge/", judge.judge_page, name="judge_page"),
    path("judge/ruling/", judge.judge_ruling, name="judge_ruling"),
]
