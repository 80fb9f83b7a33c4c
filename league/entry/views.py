"""The pages of a night: the tray, the sheet page and its requests, the comparison."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import BotMatch
from league.core.lifecycle import Doing, may
from league.draws.confirming import confirmable
from league.entry.access import entry_view, frame, match_or_404, round_or_404, signed_in
from league.entry.comparing import Comparison, comparisons
from league.entry.drafts import LARGEST_DRAFT, DraftError, read_draft
from league.entry.explaining import explained
from league.entry.history import accepted_difference, history
from league.entry.nights import current_round, night_name, nights, rounds_that_night
from league.entry.page import blank_draft, draft_document, pairings, sheet_page
from league.entry.presence import forget_typing, note_typing, someone_else
from league.entry.reading import DraftReading, base_of, read
from league.entry.saving import DraftSavedBefore, NotSaved, Saved, SaveOutcome, dismiss, save_draft, take_over
from league.entry.tray import Tray, tray_of
from league.errors import LeagueError
from league.models import AWARDED, Match
from league.policy import Permission, actor_of, can
from league.policy.naming import Names, in_full
from scoring.core.errors import ScoringError
from scoring.models import Scoresheet, SecondTyping, SheetStatus
from scoring.words.messages import translated

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
@require_GET
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    """The page on which a sheet is typed and corrected."""
    match = match_or_404(request, code)
    if match.sheet is None:
        messages.warning(request, _("This match has no sheet yet: set its line-ups first."))
        return redirect("entry:tray", match.round.code)
    club = match.event.club
    people = in_full(club)
    base = base_of(match.sheet, names=people)
    draft = blank_draft(base, left=match.sheet.left_side, running=club.running_totals)
    reading = read(match.sheet, draft, people)
    user = signed_in(request)
    context = {
        **_sheet_context(match, reading, people),
        **_places(match, tray_of(match.round)),
        "club": club,
        "night": night_name(match.round),
        "rules": base.kept.sheet.rules,
        "left": draft.left,
        "history": history(base.kept, people, left=draft.left),
        "is_signed": _is_signed(match.sheet),
        "is_void": match.sheet.status == SheetStatus.VOID,
        "bots_play": _bots_play(match.sheet),
        "someone": someone_else(match.sheet.pk, actor_of(user)),
        "may_substitute": match.state not in AWARDED and match.sheet.deal_count > 0,
        "seconds": SecondTyping.objects.filter(sheet=match.sheet, settled_at=None).count(),
        "empty_fields": [""] * max(1, len(pairings(1, base.kept.sides, 0))),
        "page_data": {
            "user": user.pk,
            "sheet": match.sheet.code,
            "tables": len(base.kept.sides[0].players),
            "saved": len(base.deals),
            "begun": base.version,
            "draft": draft_document(draft),
        },
    }
    title = _("%(match)s: %(label)s") % {"match": match, "label": match.label}
    return render(request, "admin/league/entry/sheet.html", frame(request, title=title, **context))


@entry_view
@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """The echo of a draft: all derived parts of the page. Stores nothing but who is typing."""
    match, kept = _match_with_sheet(request, code)
    try:
        draft = read_draft(_draft_text(request))
    except LeagueError as error:
        return _refused(error)
    people = in_full(match.event.club)
    reading = read(kept, draft, people)
    actor = actor_of(signed_in(request))
    context = _sheet_context(match, reading, people)
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
    match, kept = _match_with_sheet(request, code)
    try:
        draft = read_draft(_draft_text(request))
    except LeagueError as error:
        return _refused(error)
    context = {"explained": explained(read(kept, draft, in_full(match.event.club)))}
    return _numbered(request, render(request, "admin/league/entry/_repairs.html", context))


@entry_view
@require_POST
def save(request: HttpRequest, code: str) -> HttpResponse:
    """Save a draft, once; returns JSON with the outcome and the next page."""
    match, kept = _match_with_sheet(request, code)
    actor = actor_of(signed_in(request))
    try:
        draft = read_draft(_draft_text(request))
        saved = save_draft(actor=actor, sheet=kept, draft=draft)
    except DraftSavedBefore as error:
        messages.warning(request, translated(error.message))
        url = reverse("entry:sheet", args=[match.code])
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
    url = reverse("entry:sheet", args=[match.code])
    if saved.outcome is SaveOutcome.TYPED_TWICE:
        url = reverse("entry:compare", args=[match.code])
    level, text = _message(match, saved)
    messages.add_message(request, level, text)
    return JsonResponse(
        {"outcome": saved.outcome.value, "version": saved.version, "url": url, "message": text}
    )


@entry_view
@require_http_methods(["GET", "POST"])
def compare(request: HttpRequest, code: str) -> HttpResponse:
    """A sheet typed twice, row by row; a second typing is accepted or dismissed."""
    match, kept = _match_with_sheet(request, code)
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
            return redirect("entry:compare" if left else "entry:sheet", match.code)
    names = in_full(match.event.club)
    found: list[Comparison] = comparisons(match, names)
    title = _("%(label)s, typed twice") % {"label": match.label}
    context = frame(
        request,
        title=title,
        match=match,
        names=names,
        sheet=kept,
        comparisons=found,
        error=error,
        night=night_name(match.round),
        round=match.round,
        club=match.event.club,
    )
    return render(request, "admin/league/entry/compare.html", context, status=status)


def _sheet_context(match: Match, reading: DraftReading, people: Names) -> dict[str, Any]:
    page = sheet_page(match, reading)
    frame_ = page.table.frame
    accepted = accepted_difference(reading, people) if page.differences else None
    return {
        "match": match,
        "accepted": accepted,
        "wants_why": bool(page.differences) and accepted is None,
        "sheet": match.sheet,
        "round": match.round,
        "page": page,
        "reading": reading,
        "people": people,
        "names": [frame_.names[side] for side in frame_.sides],
        "short_names": [frame_.short_names[side] for side in frame_.sides],
    }


def _places(match: Match, tray: Tray) -> dict[str, Any]:
    following = tray.next_after(match)
    return {
        "tray": tray,
        "position": tray.position(match),
        "next_url": reverse("entry:tray", args=[match.round.code])
        if following is None
        else reverse("entry:sheet", args=[following.match.code]),
        "next_match": None if following is None else following.match,
    }


def _match_with_sheet(request: HttpRequest, code: str) -> tuple[Match, Scoresheet]:
    match = match_or_404(request, code)
    if match.sheet is None:
        raise Http404
    return match, match.sheet


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
    return kept.signatures.filter(version=kept.version).values("side").distinct().count() == 2


def _is_held(match: Match) -> bool:
    return Match.objects.filter(pk=match.pk, held=True).exists()


def _message(match: Match, saved: Saved) -> tuple[int, str]:
    label = {"label": match.label}
    match saved.outcome:
        case SaveOutcome.SAVED if _is_held(match):
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
