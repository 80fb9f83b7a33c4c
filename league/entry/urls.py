"""URLs of the entry pages; deploy mounts them below the admin."""

from django.urls import path

from league.entry import views

app_name = "entry"

urlpatterns = [
    path("", views.night, name="night"),
    path("rounds/<slug:code>/", views.tray, name="tray"),
    path("tables/", views.tables, name="tables"),
    path("sheets/<slug:code>/", views.sheet, name="sheet"),
    path("sheets/<slug:code>/paper.pdf", views.paper, name="paper"),
    path("sheets/<slug:code>/substitutes/", views.substitutes, name="substitutes"),
    path("sheets/<slug:code>/echo/", views.preview, name="preview"),
    path("sheets/<slug:code>/repairs/", views.repairs, name="repairs"),
    path("sheets/<slug:code>/save/", views.save, name="save"),
    path("sheets/<slug:code>/compare/", views.compare, name="compare"),
]
