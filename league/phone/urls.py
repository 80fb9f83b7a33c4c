"""Addresses of the table, below /table/; those with `match/<code>/` are for users who sit there."""

from django.urls import URLPattern, path, re_path

from league.phone import views

app_name = "phone"

_PAGES = {
    "page": ("", views.page),
    "state": ("state/", views.state),
    "preview": ("preview/", views.preview),
    "enter": ("deals/", views.enter),
    "undo": ("undo/", views.undo),
    "sign": ("signature/", views.sign),
    "dispute": ("dispute/", views.dispute),
    "settle": ("dispute/end/", views.settle),
}

urlpatterns: list[URLPattern] = [
    *[path(end, view, name=name) for name, (end, view) in _PAGES.items()],
    *[path(f"match/<slug:code>/{end}", view, name=f"match_{name}") for name, (end, view) in _PAGES.items()],
    path("worker.js", views.worker, name="worker"),
    # 43 characters, as `secrets.new_secret` makes them: no name above has so many.
    re_path(r"^(?P<secret>[A-Za-z0-9_-]{43})/$", views.exchange, name="table_open"),
]
