from django.urls import URLPattern, URLResolver, path

from games.api import JudgeView

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("judge/", JudgeView.as_view(), name="judge"),
]
