"""What all pages share: access to clubs and events, names, navigation, time zone, caching."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import caches
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.functional import SimpleLazyObject
from django.utils.http import quote_etag
from django.utils.text import get_text_list
from django.utils.translation import get_language

from league.core.collation import name_key
from league.errors import LeagueError
from league.events.front_page import navigation
from league.models import Club, Event, Round
from league.people.clubs import directors_of
from league.policy import Permission, can, clubs_where, events_seen, rounds_seen
from league.policy.naming import Names, covers, names_for
from league.record.write_counts import PageVersion, version_of
from scoring.core.errors import ScoringError
from scoring.paper.kept import found_or_turn
from scoring.words.messages import translated

# Seconds between two looks of an open page of what is being played; the script adds or takes up to a sixth.
FOLLOWS_EVERY: Final = 12
FOLLOWS_CLUB_EVERY: Final = 20
FOLLOWS_IDLE_EVERY: Final = 60
# So long is a page kept that nothing is written of: after that what no trigger sees is seen too.
KEPT_SECONDS: Final = 60

View = TypeVar("View", bound=Callable[..., HttpResponse])


def visible_club(request: HttpRequest, slug: str) -> Club:
    """The club with this slug; a 404 if there is none or the reader may not see it."""
    reader = reader_of(request)
    clubs = clubs_where(reader, Permission.VIEW).annotate(covers_names=_yes_or_no(covers(reader, "pk")))
    club = clubs.filter(slug=slug).first()
    if club is None:
        raise Http404
    _set_names(request, Names(club.pk, covered=club.covers_names))
    return club


def directed_club(request: HttpRequest, slug: str) -> Club:
    """The club with this slug, for its directors; a 404 for everybody else."""
    club = visible_club(request, slug)
    if not can(reader_of(request), Permission.DIRECT, club):
        raise Http404
    return club


def visible_event(request: HttpRequest, club_slug: str, slug: str) -> Event:
    """The event with these slugs, with club, season and rules; a 404 as in `visible_club`.

    Drafts are visible to directors of the club only.
    """
    reader = reader_of(request)
    event = (
        events_seen(reader)
        .annotate(covers_names=_yes_or_no(covers(reader, "club")))
        .select_related("club", "season", "rules", "evening__round")
        .filter(club__slug=club_slug, slug=slug)
        .first()
    )
    if event is None:
        raise Http404
    _set_names(request, Names(event.club_id, covered=event.covers_names))
    return event


def visible_round(request: HttpRequest, event: Event, number: int) -> Round:
    """The round of an event, which it is given; a 404 for others and, but to directors, for drafts."""
    found = rounds_seen(reader_of(request)).filter(event=event, number=number).first()
    if found is None:
        raise Http404
    found.event = event
    return found


def reader_of(request: HttpRequest) -> User | AnonymousUser:
    """The user, signed in or not, who reads the page."""
    return request.user


def way_in(request: HttpRequest, club: Club) -> dict[str, Any]:
    """What `_whom_to_tell.html` and `_enter.html` need: whether the reader directs, to members who does."""
    reader = reader_of(request)
    directs = can(reader, Permission.DIRECT, club)
    # By the id, as anybody may view a public club.
    belongs = not directs and can(reader, Permission.VIEW, club.pk)
    return {"directs": directs, "directors": get_text_list(directors_of(club)) if belongs else ""}


def signed_in(request: HttpRequest) -> User:
    """The signed-in user; a 404 for anybody else."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def page_asked(request: HttpRequest) -> int:
    """The number in `?page=`, 1 without a usable one."""
    number = request.GET.get("page", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 1


def row_id(text: str) -> int | None:
    """The id of a row as it was sent; None for a text that can be none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def guessed(response: HttpResponse) -> HttpResponse:
    """Mark the answer to a wrong secret, which counts as a guess, where other answers have its status."""
    response.is_guess = True  # type: ignore[attr-defined]
    return response


def today_in(club: Club) -> datetime.date:
    """Today's date in the club's time zone."""
    return timezone.localdate(timezone=club.zone)


def place_refusal(form: forms.BaseForm, refusal: LeagueError | ScoringError) -> None:
    """Add a service's refusal to the form, beside its field if the form has it."""
    field = (refusal.field or "").rpartition("rules.")[2].replace(".", "_")
    form.add_error(field if field in form.fields else None, translated(refusal.message))


@contextmanager
def placing_refusals(form: forms.BaseForm) -> Iterator[None]:
    """Do what a form asks for; what a service refuses is said in the form (`place_refusal`)."""
    try:
        yield
    except LeagueError as refusal:
        place_refusal(form, refusal)


def _yes_or_no(condition: Q) -> ExpressionWrapper[Q]:
    return ExpressionWrapper(condition, output_field=BooleanField())


def names_of(request: HttpRequest, club: Club | None = None) -> Names:
    """The `Names` of the page's club or event; before that is known, those of `club`."""
    names: Names | None = getattr(request, "names", None)
    if names is not None:
        return names
    if club is None:
        raise LookupError("The page has not said yet of which club it is.")
    return names_for(reader_of(request), club)


def names_of_guests(request: HttpRequest, club: Club) -> Names:
    """The `Names` that guests read, whoever reads the page: for what others see, too."""
    return names_of(request, club) if request.user.is_anonymous else Names(club.pk, covered=True)


def _set_names(request: HttpRequest, names: Names) -> None:
    request.names = names  # type: ignore[attr-defined]


def page(
    request: HttpRequest, template: str, context: dict[str, Any], *, club: Club, is_refused: object = False
) -> HttpResponse:
    """A page of a club, with times in the club's zone; its status says if what was asked was refused."""
    shared = {
        "club": club,
        "names": SimpleLazyObject(lambda: names_of(request, club)),
        "navigation": navigation(club, seen=events_seen(reader_of(request)), today=today_in(club)),
    }
    with timezone.override(club.zone):
        response = render(request, template, shared | context)
    if is_refused:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return kept_fresh(response, club)


def by_name(clubs: Iterable[Club]) -> list[Club]:
    """Clubs in the order of their names."""
    return sorted(clubs, key=lambda club: name_key(club.name))


def csv_file(name: str, text: str, *, club: Club) -> HttpResponse:
    """A CSV download of a club."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return kept_fresh(HttpResponse(text, content_type="text/csv", headers=headers), club)


def followed(view: View) -> View:
    """Have the view of a page of a club, event or match answer from memory while nothing of it is written.

    That costs one query: for the page's version (`league.record.write_counts`). Once anything is written the
    page is made anew, and nobody is shown it as it was: by whoever asks first, while others wait for it. Its
    ETag tells its text, so that a look at a page that says the same as before is answered 304
    (`ConditionalGetMiddleware`), whatever was written. Guests share what is kept of a page; who is signed in
    has his own. A page asked for with a query is not kept: there are any number of these.
    """
    looks = caches["looks"]

    def make(request: HttpRequest, places: dict[str, Any]) -> HttpResponse:
        response = view(request, **places)
        if response.status_code == HTTPStatus.OK:
            response["ETag"] = quote_etag(sha256(response.content).hexdigest()[:32])
        return response

    @wraps(view)
    def answer(request: HttpRequest, **places: Any) -> HttpResponse:
        if request.META["QUERY_STRING"]:
            return make(request, places)
        asked = (request.user.pk, get_language(), request.build_absolute_uri())
        key = sha256(repr(asked).encode()).hexdigest()
        making = f"making:{key}"
        version: PageVersion | None = None

        def find() -> HttpResponse | None:
            nonlocal version
            version = version_of(places["club"], places.get("event"), places.get("code"))
            kept: tuple[PageVersion, HttpResponse] | None = looks.get(key)
            return kept[1] if kept is not None and kept[0] == version else None

        # Nobody waits for what nobody may have kept, as a page that this reader may not see.
        was_kept = key in looks
        response = found_or_turn(looks, making, find) if was_kept else find()
        if response is not None:
            return response
        try:
            response = make(request, places)
            if version is not None and response.status_code == HTTPStatus.OK:
                looks.set(key, (version, response), KEPT_SECONDS)
            return response
        except Http404:
            looks.delete(key)
            raise
        finally:
            if was_kept:
                looks.delete(making)

    return answer  # type: ignore[return-value]


def makes_paper(view: View) -> View:
    """Mark a view that takes long to answer: whoever asks too often has to wait (`LIMIT_PAPER`)."""
    view.makes_paper = True  # type: ignore[attr-defined]
    return view


def kept_fresh(response: HttpResponse, club: Club) -> HttpResponse:
    """Have caches revalidate by ETag on every request; a private club's responses are private.

    A club that wants to be in no search engine tells their robots so, in files as on pages.
    """
    patch_cache_control(response, no_cache=True)
    if not club.is_indexed:
        response["X-Robots-Tag"] = "noindex"
    if not club.is_public:
        patch_cache_control(response, private=True)
    return response
