"""URLs of the pages to learn from, each below /learn/ and below a club's address.

Every kind of game has a route of its own, so that an address says what is there: /learn/partners-one-pack/.
"""

from django.urls import URLPattern, path

from league.learn import views
from league.learn.lessons import LESSONS

_CLUB = "clubs/<slug:club>/learn/"


def _of_kind(kind: str) -> list[URLPattern]:
    end, route, given = f"{kind.replace('_', '-')}/", views.route_of(kind), {"kind": kind}
    return [
        path(f"learn/{end}", views.lesson, given, name=route),
        path(f"{_CLUB}{end}", views.club_lesson, given, name=f"club_{route}"),
        path(f"{_CLUB}{end}<slug:rules>/", views.club_lesson, given, name=f"club_{route}_by"),
    ]


urlpatterns: list[URLPattern] = [
    path("learn/", views.index, name="learn"),
    path("learn/strategy/", views.strategy, name="learn_strategy"),
    path("learn/glossary/", views.glossary, name="learn_glossary"),
    path("learn/questions/", views.questions, name="learn_questions"),
    path(_CLUB, views.club_index, name="club_learn"),
    path(f"{_CLUB}strategy/", views.club_strategy, name="club_learn_strategy"),
    path(f"{_CLUB}glossary/", views.club_glossary, name="club_learn_glossary"),
    path(f"{_CLUB}questions/", views.club_questions, name="club_learn_questions"),
    *[pattern for kind in LESSONS for pattern in _of_kind(kind)],
]
