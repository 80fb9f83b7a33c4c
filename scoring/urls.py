from django.urls import URLPattern, URLResolver, path

from scoring.api.score import ScoreView

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("score/", ScoreView.as_view(), name="score"),
]
