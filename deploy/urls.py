from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from deploy.document import ApiDocument
from deploy.health import healthz, readyz
from games.urls import api_urlpatterns as games_api
from league.urls import api_urlpatterns as league_api
from scoring.urls import api_urlpatterns as scoring_api

api = [
    *scoring_api,
    *games_api,
    *league_api,
    path("schema/", ApiDocument.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api-docs"),
]

handler400 = "deploy.errors.bad_request"
handler404 = "deploy.errors.not_found"
handler429 = "deploy.guesses.too_often"  # the library for accounts asks for it
handler500 = "deploy.errors.fault"

urlpatterns = [
    path("admin/night/", include("league.entry.urls")),
    path("admin/progress/", include("league.admin.progress")),
    path("admin/", admin.site.urls),
    path("api/v1/", include(api)),
    path("table/", include("league.phone.urls")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("", include("games.urls")),
    path("", include("league.urls")),
]
