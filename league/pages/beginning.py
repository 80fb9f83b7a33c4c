"""The guide by which a site's first club begins, from its name to the printed sheets.

The first page opens by the code that the terminal shows, or for the administrator; the others are the
owner's, and there until the guide is finished or left.
"""

from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from league.acts import passes
from league.core.collation import name_key
from league.draws.rounds import check_entries
from league.errors import LeagueError
from league.events import beginning
from league.events.beginning import STEPS, Begun, GuideStep
from league.models import Club
from league.pages.beginning_forms import (
    CodeForm,
    FirstClubForm,
    GuidedClubForm,
    GuidedDrawForm,
    GuidedEventForm,
    NamesForm,
    PresetForm,
)
from league.pages.pages import guessed, page, place_refusal, placing_refusals, reader_of, today_in
from league.pages.progress import new_key, progress_of
from league.people.beginning import BeginningCode, about_club, begin_club, may_begin, read_code
from league.people.clubs import change_club
from league.people.invitations import NewAccount
from league.people.listed import compare_list, in_words, take_in_list
from league.policy import Permission, actor_of, can, is_administrator
from scoring.core.rules import Rules
from scoring.words.knob_words import GIN_PRESET_WORDS
from scoring.words.messages import translated
from scoring.words.rules_words import rules_sentences

_ASKED = ("GET", "HEAD", "POST")
TITLES = {
    GuideStep.CLUB: gettext_lazy("Your club"),
    GuideStep.RULES: gettext_lazy("House rules"),
    GuideStep.MEMBERS: gettext_lazy("Members"),
    GuideStep.EVENT: gettext_lazy("First event"),
    GuideStep.DRAW: gettext_lazy("Draw"),
    GuideStep.PRINT: gettext_lazy("Print"),
}


def guided_club() -> Club | None:
    """The club that is being begun, if any."""
    return Club.objects.filter(is_guided=True).first()


def way_on(club: Club, user: Any) -> dict[str, Any]:
    """Where the guide goes on, for the owner's eyes on the club's page; {} for everybody else."""
    if not club.is_guided or not can(user, Permission.MANAGE, club):
        return {}
    due = beginning.begun(club).due
    return {"number": STEPS.index(due) + 1, "of": len(STEPS), "title": TITLES[due], "address": _of(due, club)}


@never_cache
@require_http_methods(_ASKED)
def begin(request: HttpRequest) -> HttpResponse:
    """Where a site without a club begins: asks for the code, but for the administrator."""
    reader = reader_of(request)
    club = guided_club()
    if club is not None and can(reader, Permission.MANAGE, club):
        return redirect(_of(beginning.begun(club).due, club))
    if not may_begin():
        raise Http404
    if isinstance(reader, User) and is_administrator(reader):
        return _first_page(request, reader)
    form, is_wrong = CodeForm(request.POST if request.method == "POST" else None), False
    if form.is_bound and form.is_valid():
        code = form.cleaned_data["code"].strip().rstrip("/").rpartition("/")[2]
        opened = read_code(code)
        if opened is not None and not opened.is_spent():
            return redirect("begin_by_code", code)
        form.add_error(
            "code", _("This code is not valid. Copy all of it, or have the terminal show a new one.")
        )
        is_wrong = opened is None
    response = render(request, "league/begin/code.html", {"form": form}, status=_status(form.is_bound))
    return guessed(response) if is_wrong else response


@sensitive_post_parameters()
@never_cache
@require_http_methods(_ASKED)
def begin_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """The first page, for whoever has the code; once the club is there, the way on."""
    opened = read_code(code)
    if opened is None:
        return guessed(no_beginning(request))
    if may_begin() and not opened.is_spent():
        return _first_page(request, opened, code)
    club = guided_club()
    if club is None:
        return no_beginning(request)
    return redirect(_of(beginning.begun(club).due, club))


def no_beginning(request: HttpRequest) -> HttpResponse:
    """The answer to a code that opens nothing, or nothing any more."""
    return render(request, "league/begin/over.html", status=HTTPStatus.NOT_FOUND)


def _first_page(request: HttpRequest, by: User | BeginningCode, code: str = "") -> HttpResponse:
    """What a club is asked first, and its owner's account, or the demo instead."""
    data = request.POST if request.method == "POST" else None
    form = GuidedClubForm(data) if isinstance(by, User) else FirstClubForm(data)
    if form.is_bound and form.is_valid():
        said = form.cleaned_data
        account = None
        if not isinstance(by, User):
            account = NewAccount(said["username"], said["password"], said["name"])
        try:
            user = begin_club(
                by=by,
                name=said["club"],
                place=said["place"],
                contact=said["contact"],
                time_zone=said["time_zone"],
                is_public=said["is_public"],
                account=account,
            )
        except LeagueError as refusal:
            if not may_begin():
                # Sent twice: the first time did it.
                return redirect("begin_by_code", code) if code else redirect("begin")
            place_refusal(form, refusal)
        else:
            if user != request.user:
                get_adapter().login(request, user)
            return redirect("begin")
    context = _frame(None, GuideStep.CLUB) | {
        "form": form,
        "code": code,
        "demo": Club.objects.filter(is_demo=True).first(),
        "cancel": form.is_bound,
    }
    return render(request, "league/begin/club.html", context, status=_status(form.is_bound))


@cache_control(private=True, no_cache=True)
@require_http_methods(_ASKED)
def step(request: HttpRequest, club: str, step: GuideStep) -> HttpResponse:
    """A step of the guide; one whose turn has not come leads to the one that is due.

    What is sent twice is done once, and answered the same. Browsers may keep the pages for the way back: one
    that answers a form could not be shown again otherwise.
    """
    shown = get_object_or_404(Club, slug=club)
    if not shown.is_guided:
        if (
            step == GuideStep.PRINT
            and request.method == "POST"
            and can(request.user, Permission.MANAGE, shown)
        ):
            return _after(request, beginning.begun(shown))
        raise Http404
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path())
    if not can(request.user, Permission.MANAGE, shown):
        raise Http404
    now = beginning.begun(shown)
    if not now.is_open(step):
        return redirect(_of(now.due, shown))
    return _VIEWS[step](request, now)


def _club(request: HttpRequest, now: Begun) -> HttpResponse:
    club = now.club
    initial = {
        "club": club.name,
        "place": club.place,
        "contact": club.contact,
        "time_zone": club.time_zone,
        "is_public": club.is_public,
    }
    form = GuidedClubForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        values = dict(form.cleaned_data)
        try:
            change_club(actor=_actor(request), club=club, name=values.pop("club"), **values)
        except LeagueError as refusal:
            place_refusal(form, about_club(refusal))
        else:
            return redirect(_of(GuideStep.RULES, club))
    return _step_page(request, now, GuideStep.CLUB, {"form": form}, form.is_bound)


def _rules(request: HttpRequest, now: Begun) -> HttpResponse:
    initial = {}
    if now.rules is not None:
        rules = now.rules.rules.rules
        initial = {"preset": beginning.preset_of(rules), "columns": rules.columns}
    form = PresetForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        with placing_refusals(form):
            beginning.choose_rules(actor=_actor(request), club=now.club, **form.cleaned_data)
            return redirect(_of(GuideStep.MEMBERS, now.club))
    chosen = form["preset"].value()
    presets = [
        (name, title, school, rules_sentences(Rules.preset(name, columns=3)), name == chosen)
        for name, (title, school) in GIN_PRESET_WORDS.items()
    ]
    return _step_page(request, now, GuideStep.RULES, {"form": form, "presets": presets}, form.is_bound)


def _members(request: HttpRequest, now: Begun) -> HttpResponse:
    form = NamesForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "players": beginning.people_of(now.club)}
    context["players"].sort(key=lambda player: name_key(player.name))
    if form.is_bound and form.is_valid():
        text = form.cleaned_data["names"]
        with placing_refusals(form):
            context |= _compared(now.club, text)
            if not context["lines"]:
                form.add_error("names", _("There are no names in this list."))
            elif "take" in request.POST:
                take_in_list(actor=_actor(request), club=now.club, text=text)
                return redirect(_of(beginning.begun(now.club).due, now.club))
    return _step_page(request, now, GuideStep.MEMBERS, context, form.is_bound and not context.get("lines"))


def _compared(club: Club, text: str) -> dict[str, Any]:
    """What the page says of a list; refuses as `compare_list`."""
    lines = compare_list(club, text)
    return {
        "lines": lines,
        "in_words": in_words(lines),
        "may_take": bool(lines) and not any(line.problem for line in lines),
        "new": sum(line.is_new for line in lines),
        "has_addresses": any(line.listed.email for line in lines),
    }


def _event(request: HttpRequest, now: Begun) -> HttpResponse:
    people = beginning.people_of(now.club)
    if now.event is not None:
        if request.method == "POST":
            return redirect(_of(GuideStep.DRAW, now.club))
        return _step_page(request, now, GuideStep.EVENT, {"entries": now.event.entries.order_by("name")})
    data = request.POST if request.method == "POST" else None
    form = GuidedEventForm(now.club, people, data, initial={"name": _("First league")})
    if form.is_bound and form.is_valid():
        with placing_refusals(form):
            beginning.make_first_event(actor=_actor(request), club=now.club, **form.cleaned_data)
            return redirect(_of(GuideStep.DRAW, now.club))
    context = {
        "form": form,
        "rounds": len(people) - 1 + len(people) % 2,
        "players": len(people),
        "all_play": passes(check_entries, len(people)),
        "has_others": now.club.events.exists(),
    }
    return _step_page(request, now, GuideStep.EVENT, context, form.is_bound)


def _draw(request: HttpRequest, now: Begun) -> HttpResponse:
    if now.event is None:
        raise Http404
    if now.round is not None:
        if request.method == "POST":
            return redirect(_of(GuideStep.PRINT, now.club))
        return _step_page(request, now, GuideStep.DRAW, {"rounds": now.event.rounds.order_by("number")})
    data = request.POST if request.method == "POST" else None
    form = GuidedDrawForm(data, initial={"first_date": today_in(now.club)})
    if form.is_bound and form.is_valid():
        with placing_refusals(form):
            beginning.draw_first_event(
                actor=_actor(request), club=now.club, progress=progress_of(request), **form.cleaned_data
            )
            return redirect(_of(GuideStep.PRINT, now.club))
    context: dict[str, Any] = {"form": form, "progress_key": new_key()}
    try:
        context["plan"] = beginning.plan_first_draw(now.event)
    except LeagueError as refusal:
        context["refused"] = translated(refusal.message)
    return _step_page(request, now, GuideStep.DRAW, context, form.is_bound)


@never_cache
@require_POST
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """End the guide where it is; once it is ended there is nothing left to do."""
    shown = Club.objects.filter(slug=club).first()
    if shown is None or not can(reader_of(request), Permission.MANAGE, shown):
        raise Http404
    beginning.end_guide(actor=_actor(request), club=shown)
    messages.success(request, _("The guide is closed. Everything in it is found here."))
    return redirect("admin:index")


def _print(request: HttpRequest, now: Begun) -> HttpResponse:
    if request.method == "POST":
        beginning.end_guide(actor=_actor(request), club=now.club)
        return _after(request, now)
    return _step_page(request, now, GuideStep.PRINT, {})


def _after(request: HttpRequest, now: Begun) -> HttpResponse:
    """Where the last step leads."""
    if "tray" in request.POST and now.round is not None:
        return redirect("entry:tray", now.round.code)
    return redirect("club", now.club.slug)


_VIEWS = {
    GuideStep.CLUB: _club,
    GuideStep.RULES: _rules,
    GuideStep.MEMBERS: _members,
    GuideStep.EVENT: _event,
    GuideStep.DRAW: _draw,
    GuideStep.PRINT: _print,
}


def _step_page(
    request: HttpRequest, now: Begun, at: GuideStep, context: dict[str, Any], is_refused: bool = False
) -> HttpResponse:
    response = page(request, f"league/begin/{at}.html", _frame(now, at) | context, club=now.club)
    response.status_code = _status(is_refused)
    return response


def _frame(now: Begun | None, at: GuideStep) -> dict[str, Any]:
    """What every step's page shows: its title, and the way before and behind it."""
    steps = [
        {
            "number": number,
            "title": TITLES[step],
            "is_here": step == at,
            "address": "" if now is None or step == at or not now.is_open(step) else _of(step, now.club),
        }
        for number, step in enumerate(STEPS, start=1)
    ]
    number = STEPS.index(at) + 1
    after = STEPS[number] if number < len(STEPS) else None
    return {
        "begun": now,
        "steps": steps,
        "number": number,
        "step_title": TITLES[at],
        # The last one has other ways to end it.
        "may_leave": now is not None and after is not None,
        "next_title": "" if after is None else TITLES[after],
        "way_on": "" if now is None or after is None or not now.is_open(after) else _of(after, now.club),
    }


def _of(step: GuideStep, club: Club) -> str:
    return reverse(f"begin_{step}", args=[club.slug])


def _actor(request: HttpRequest) -> Any:
    if not isinstance(request.user, User):
        raise Http404
    return actor_of(request.user)


def _status(is_refused: bool) -> HTTPStatus:
    return HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
