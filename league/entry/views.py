"""The pages of a night: the tray, the sheet page and its requests, the comparison."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import BotMatch
from league.core.lifecycle import Doing, may
from league.draws.confirming import confirmable
from league.entry.access import (
    Place,
    club_sheets,
    entry_view,
    frame,
    matches_to_type,
    place_or_404,
    round_or_404,
    signed_in,
)
from league.entry.comparing import TypingComparison, comparisons
from league.entry.drafts import LARGEST_DRAFT, DraftError, read_draft
from league.entry.explaining import explained
from league.entry.history import accepted_difference, history
from league.entry.nights import current_round, night_name, nights, rounds_that_night
from league.entry.page import blank_draft, draft_document, sheet_page
from league.entry.presence import forget_typing, note_typing, someone_else
from league.entry.reading import DraftReading, base_of, read
from league.entry.saving import DraftSavedBefore, NotSaved, Saved, SaveOutcome, dismiss, save_draft, take_over
from league.entry.substitutes import SeatingForm, TakingBackForm
from league.entry.tables import TableForm
from league.entry.tray import tray_of
from league.errors import LeagueError
from league.models import AWARDED, Club, Match
from league.policy import Permission, actor_of, can
from league.policy.naming import Names
from scoring.core.errors import ScoringError
from scoring.core.kinds import kind_of
from scoring.models import Scoresheet, SecondTyping, SheetStatus
from scoring.services.records import kept_sheet
from scoring.typing.cells import Grammar
from scoring.typing.rows import grammar_of
from scoring.words.messages import translated
from scoring.words.rules_words import rules_headline

_MOST_TABLES: Final = 100
_STATUS = {"not_allowed": 403, "stale_version": 409, "too_large": 413}


@entry_view
@require_GET
def night(request: HttpRequest) -> HttpResponse:
    """The tray of the only night with sheets to type, or a choice."""
    found = nights(signed_in(request))
    if len(found) == 1:
        return redirect("entry:tray", found[0].round.code)
    context = frame(request, title=_("Nights"), nights=found)
    return render(request, "admin/league/entry/nights.html", context)


@entry_view
@require_GET
def tray(request: HttpRequest, code: str) -> HttpResponse:
    """Every sheet a round expects; only the rows for htmx."""
    round_ = round_or_404(request, code)
    found, event, user = tray_of(round_), round_.event, signed_in(request)
    directs = can(user, Permission.DIRECT, event.club)
    waits = any(row.match.held for row in found.rows)
    context = {
        "tray": found,
        "round": round_,
        "club": event.club,
        "next": found.next_after(),
        # As on the board.
        "confirms": directs and waits and may(event.state, Doing.CORRECT) and len(confirmable(round_)) > 1,
    }
    if request.headers.get("HX-Request"):
        return render(request, "admin/league/entry/_tray.html", context)
    context |= {
        "night": night_name(round_),
        "others": rounds_that_night(user, round_),
        "directs": directs,
        "current": current_round(user, event) if event.counts_rounds else None,
    }
    return render(
        request, "admin/league/entry/tray.html", frame(request, title=night_name(round_), **context)
    )


@entry_view
@require_http_methods(["GET", "POST"])
def tables(request: HttpRequest) -> HttpResponse:
    """The sheets of evenings at one table, newest first, and a form that opens one."""
    user = signed_in(request)
    form = TableForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            opened = form.open(actor_of(user))
        except (LeagueError, ScoringError) as refusal:
            form.add_error("players", translated(refusal.message))
        else:
            return redirect("entry:sheet", opened.code)
    sheets = club_sheets(request).select_related("rules", "exhibition__club").prefetch_related("sides")
    context = frame(
        request,
        title=_("At one table"),
        form=form,
        sheets=sheets.order_by("-id")[:_MOST_TABLES],
        clubs=Club.objects.filter(pk__in=sheets.order_by().values("exhibition__club")).order_by("name"),
    )
    status = 422 if form.errors else 200
    return render(request, "admin/league/entry/tables.html", context, status=status)


@entry_view
@require_http_methods(["GET", "POST"])
def substitutes(request: HttpRequest, code: str) -> HttpResponse:
    """Who takes over a seat on a sheet outside events; a POST seats somebody, or takes a substitute back."""
    place = place_or_404(request, code)
    if place.match is not None:
        return redirect("admin:league_match_substitute", place.match.pk)
    kept = place.people.sheet(kept_sheet(place.sheet))
    actor = actor_of(signed_in(request))
    data = request.POST or None
    takes_back = data is not None and "take_back" in data
    seating = SeatingForm(kept, None if takes_back else data)
    taking_back = TakingBackForm(kept, data if takes_back else None)
    form = taking_back if takes_back else seating
    if data is not None and form.is_valid():
        try:
            message = form.run(actor, place.club, place.sheet)
        except (LeagueError, ScoringError) as refusal:
            form.add_error(
                refusal.field if refusal.field in form.fields else None, translated(refusal.message)
            )
        else:
            messages.success(request, message)
            return redirect("entry:sheet", place.code)
    context = frame(
        request,
        title=_("%(label)s: substitutes") % {"label": place.label},
        seating=seating,
        taking_back=taking_back if kept.has_substitutes else None,
        **_of_place(place),
    )
    status = 422 if form.errors else 200
    return render(request, "admin/league/entry/substitutes.html", context, status=status)


@entry_view
@require_GET
def paper(request: HttpRequest, code: str) -> HttpResponse:
    """The blank paper of a sheet outside events, as PDF."""
    # As in `league.pages.documents`: every start would otherwise pay for it.
    from league.entry.papers import blank_paper
    from scoring.paper.blank_sheets import blank_sheets_pdf

    place = place_or_404(request, code)
    made = blank_sheets_pdf([blank_paper(place)], title=place.label, made_at=timezone.now())
    answer = HttpResponse(made, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{place.code}.pdf"'
    return answer


@entry_view
@require_GET
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    """The page on which a sheet is typed and corrected."""
    without = matches_to_type(request).filter(code=code, sheet=None).first()
    if without is not None:
        messages.warning(request, _("This match has no sheet yet: set its line-ups first."))
        return redirect("entry:tray", without.round.code)
    place = place_or_404(request, code)
    kept, club, match, people = place.sheet, place.club, place.match, place.people
    base = base_of(kept, names=people)
    grammar = grammar_of(kept.rules.rules)
    totals = club.running_totals and grammar not in (Grammar.JERSEY, Grammar.RUMMY)
    draft = blank_draft(base, left=kept.left_side, running=totals)
    reading = read(kept, draft, people)
    user = signed_in(request)
    tables = kind_of(kept.rules.rules).hands_in(base.kept.sides)
    context = {
        **_sheet_context(place, reading, people),
        **_places(place),
        "grammar": grammar.name,
        "rules": base.kept.sheet.rules,
        # The target is the one in force.
        "headline": rules_headline(reading.typed.state.rules),
        "left": draft.left,
        "history": history(base.kept, people, left=draft.left),
        "is_signed": _is_signed(kept),
        "is_void": kept.status == SheetStatus.VOID,
        "bots_play": _bots_play(kept),
        "someone": someone_else(kept.pk, actor_of(user)),
        "may_substitute": kept.deal_count > 0 and (match is None or match.state not in AWARDED),
        "seconds": SecondTyping.objects.filter(sheet=kept, settled_at=None).count(),
        "empty_fields": [""] * tables,
        "page_data": {
            "user": user.pk,
            "sheet": kept.code,
            "tables": tables,
            "sides": len(base.kept.sides),
            "saved": len(base.deals),
            "begun": base.version,
            "draft": draft_document(draft),
        },
    }
    title = place.label
    if match is not None:
        title = _("%(match)s: %(label)s") % {"match": match, "label": match.label}
    return render(request, "admin/league/entry/sheet.html", frame(request, title=title, **context))


@entry_view
@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """The echo of a draft: all derived parts of the page. Stores nothing but who is typing."""
    place = place_or_404(request, code)
    kept, people = place.sheet, place.people
    try:
        reading = read(kept, read_draft(_draft_text(request)), people)
    except LeagueError as error:
        return _refused(error)
    draft = reading.draft
    actor = actor_of(signed_in(request))
    context = _sheet_context(place, reading, people)
    context["someone"] = someone_else(kept.pk, actor)
    context["is_stale"] = draft.version != kept.version
    if not context["is_stale"]:
        # A preview that arrives after its draft was saved is not typing.
        note_typing(kept.pk, actor, 0 if _is_unchanged(reading) else len(reading.typed.rows))
    context["latest"] = kept.acts.order_by("-id").first() if context["is_stale"] else None
    return _numbered(request, render(request, "admin/league/entry/_answer.html", context))


@entry_view
@require_POST
def repairs(request: HttpRequest, code: str) -> HttpResponse:
    """Every single change that would reconcile the sheet with its paper; requested when typing pauses."""
    place = place_or_404(request, code)
    try:
        reading = read(place.sheet, read_draft(_draft_text(request)), place.people)
    except LeagueError as error:
        return _refused(error)
    context = {"explained": explained(reading)}
    return _numbered(request, render(request, "admin/league/entry/_repairs.html", context))


@entry_view
@require_POST
def save(request: HttpRequest, code: str) -> HttpResponse:
    """Save a draft, once; returns JSON with the outcome and the next page."""
    place = place_or_404(request, code)
    kept = place.sheet
    actor = actor_of(signed_in(request))
    try:
        draft = read_draft(_draft_text(request))
        saved = save_draft(actor=actor, sheet=kept, draft=draft)
    except DraftSavedBefore as error:
        messages.warning(request, translated(error.message))
        url = reverse("entry:sheet", args=[place.code])
        answer = {
            "code": error.code,
            "message": translated(error.message),
            "version": error.version,
            "url": url,
        }
        return JsonResponse(answer, status=422)
    except (LeagueError, ScoringError) as error:
        return _refused(error)
    forget_typing(kept.pk, actor)
    url = reverse("entry:sheet", args=[place.code])
    if saved.outcome is SaveOutcome.TYPED_TWICE:
        url = reverse("entry:compare", args=[place.code])
    level, text = _message(place, saved)
    messages.add_message(request, level, text)
    return JsonResponse(
        {"outcome": saved.outcome.value, "version": saved.version, "url": url, "message": text}
    )


@entry_view
@require_http_methods(["GET", "POST"])
def compare(request: HttpRequest, code: str) -> HttpResponse:
    """A sheet typed twice, row by row; a second typing is accepted or dismissed."""
    place = place_or_404(request, code)
    kept = place.sheet
    error = None
    status = 200
    if request.method == "POST":
        try:
            text = _settle(request, kept)
        except (LeagueError, ScoringError) as caught:
            error, status = translated(caught.message), _STATUS.get(caught.code, 422)
        else:
            messages.success(request, text)
            left = SecondTyping.objects.filter(sheet=kept, settled_at=None).exists()
            return redirect("entry:compare" if left else "entry:sheet", place.code)
    names = place.people
    found: list[TypingComparison] = comparisons(kept, names, place.match)
    shown = names.sheet(kept_sheet(kept), place.match)
    title = _("%(label)s, typed twice") % {"label": place.label}
    context = frame(
        request,
        title=title,
        names=names,
        sheet=kept,
        sides=[side.name for side in shown.sides],
        comparisons=found,
        error=error,
        **_of_place(place),
    )
    return render(request, "admin/league/entry/compare.html", context, status=status)


def _of_place(place: Place) -> dict[str, Any]:
    """What the frame of a page tells of a sheet's place."""
    round_ = None if place.match is None else place.match.round
    return {
        "place": place,
        "match": place.match,
        "club": place.club,
        "round": round_,
        "night": "" if round_ is None else night_name(round_),
    }


def _sheet_context(place: Place, reading: DraftReading, people: Names) -> dict[str, Any]:
    page = sheet_page(place.club, reading)
    frame_ = page.table.frame
    accepted = accepted_difference(reading, people) if page.differences else None
    return {
        **_of_place(place),
        "accepted": accepted,
        "wants_why": bool(page.differences) and accepted is None,
        "sheet": place.sheet,
        "page": page,
        "reading": reading,
        "people": people,
        "names": [frame_.names[side] for side in frame_.sides],
        "short_names": [frame_.short_names[side] for side in frame_.sides],
    }


def _places(place: Place) -> dict[str, Any]:
    match = place.match
    if match is None:
        return {"next_url": reverse("entry:tables")}
    tray = tray_of(match.round)
    following = tray.next_after(match)
    return {
        "tray": tray,
        "position": tray.position(match),
        "next_url": reverse("entry:tray", args=[match.round.code])
        if following is None
        else reverse("entry:sheet", args=[following.match.code]),
        "next_match": None if following is None else following.match,
    }


def _numbered(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add the request's number to the response, so that the page can drop outdated answers."""
    number = request.POST.get("number", "")[:20]
    response["X-Draft"] = number if number.isascii() and number.isdecimal() else "0"
    return response


def _draft_text(request: HttpRequest) -> str:
    """The draft as sent; refuses (`too_large`) without reading a larger body than any sheet's."""
    if int(request.headers.get("Content-Length") or 0) > 4 * LARGEST_DRAFT:
        raise DraftError("too_large", _("This is more than any sheet holds."))
    return request.POST.get("draft", "")


def _refused(error: LeagueError | ScoringError) -> HttpResponse:
    """The error as JSON: message, field, and the rows concerned."""
    answer: dict[str, Any] = {"code": error.code, "message": translated(error.message), "field": error.field}
    if isinstance(error, ScoringError) and error.deal is not None:
        answer["rows"] = [error.deal]
    if isinstance(error, NotSaved):
        answer["rows"] = list(error.problems)
    return JsonResponse(answer, status=_STATUS.get(error.code, 422))


def _is_unchanged(reading: DraftReading) -> bool:
    return reading.plan.act.value == "nothing" and not reading.problems


def _bots_play(sheet: Scoresheet) -> bool:
    """Return whether the sheet has a pending bot match, which must be loaded."""
    bots: BotMatch | None = getattr(sheet, "bot_match", None)
    return bots is not None and not bots.is_over


def _is_signed(kept: Scoresheet) -> bool:
    return kept.signatures.filter(version=kept.version).values("side").distinct().count() == len(kept.nets)


def _is_held(match: Match | None) -> bool:
    return match is not None and Match.objects.filter(pk=match.pk, held=True).exists()


def _message(place: Place, saved: Saved) -> tuple[int, str]:
    label = {"label": place.label}
    match saved.outcome:
        case SaveOutcome.SAVED if _is_held(place.match):
            text = _("%(label)s is saved, and stays out of the table until the difference is accepted.")
            return messages.WARNING, text % label
        case SaveOutcome.SAVED:
            return messages.SUCCESS, _("%(label)s is saved.") % label
        case SaveOutcome.SAVED_BEFORE:
            return messages.SUCCESS, _("%(label)s was saved already; nothing is doubled.") % label
        case SaveOutcome.SAME:
            return messages.SUCCESS, _("%(label)s was typed meanwhile, with the same rows.") % label
        case SaveOutcome.TYPED_TWICE:
            text = _("%(label)s was typed meanwhile, with other rows. Both are kept: compare them.")
            return messages.WARNING, text % label
        case SaveOutcome.NOTHING:
            return messages.INFO, _("%(label)s is as it was saved.") % label


def _settle(request: HttpRequest, kept: Scoresheet) -> str:
    number = request.POST.get("second", "")
    seconds = SecondTyping.objects.filter(sheet=kept)
    second = get_object_or_404(seconds, pk=int(number) if number.isdecimal() and len(number) < 19 else 0)
    actor = actor_of(signed_in(request))
    reason = request.POST.get("reason", "")[:1000].replace("\x00", "")
    if request.POST.get("do") == "take":
        version = request.POST.get("version", "")
        expected = int(version) if version.isdecimal() and len(version) < 10 else -1
        take_over(actor=actor, second=second, reason=reason, expected_version=expected)
        return _("The second typing now counts; the first stays in the history.")
    dismiss(actor=actor, second=second, reason=reason)
    return _("What was saved first stands.")
