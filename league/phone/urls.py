"""URLs of the table, below /table/: those of a place contain its sheet and side."""

from django.urls import URLPattern, path

from league.phone import views

app_name = "phone"

_PAGES = {
    "page": ("", views.page),
    "state": ("state/", views.state),
    "preview": ("preview/", views.preview),
    "enter": ("deals/", views.enter),
    "undo": ("undo/", views.undo),
    "withdraw": ("claim/undo/", views.withdraw),
    "sign": ("signature/", views.sign),
    "dispute": ("dispute/", views.dispute),
    "settle": ("dispute/end/", views.settle),
}

urlpatterns: list[URLPattern] = [
    path("worker.js", views.worker, name="worker"),
    # Precedes the places, as sheet codes are ten letters and digits.
    path("match/<slug:code>/", views.own_place, name="match_page"),
    *[path(f"<slug:sheet>/<int:side>/{end}", view, name=name) for name, (end, view) in _PAGES.items()],
    # Any string: a mistyped link gets the same answer as an expired one.
    path("<str:secret>/", views.exchange, name="table_open"),
]
