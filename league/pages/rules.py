"""House rules: a club's list, the editor, and the public rule sheet.

A rule sheet is at `/r/<code>/`, short enough for a QR code on the wall: the newest version there, and every
version permanently under its number.
"""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

import segno
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from league.errors import LeagueError
from league.events import house_rules
from league.events.house_rules_lists import (
    events_by,
    knob_groups,
    listed_by,
    rules_of,
    source_of,
    version_lines,
    versions_seen,
)
from league.models import Club, ClubRules, ColumnOrder
from league.pages.doors import form_page
from league.pages.pages import (
    kept_fresh,
    makes_paper,
    page,
    place_refusal,
    placing_refusals,
    reader_of,
    signed_in,
    visible_club,
)
from league.pages.rules_form import CopyForm, RulesDraft, RulesForm, draft_of
from league.policy import Permission, actor_of, can, clubs_where
from scoring.core.rule_differences import differences, nearest_preset
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.paper.layout import sheet_table
from scoring.words.example_words import worked_examples
from scoring.words.knob_words import PRESET_WORDS, change_words
from scoring.words.misconceptions import not_rules_here
from scoring.words.rules_words import rules_headline


@require_safe
def club_rules(request: HttpRequest, club: str) -> HttpResponse:
    """The house rules of a club; its directors make new ones here and choose which are shared."""
    shown = visible_club(request, club)
    context = {
        "at": "rules",
        "lines": rules_of(shown),
        "may_make": can(reader_of(request), Permission.DIRECT, shown),
    }
    return page(request, "league/rules_list.html", context, club=shown)


@form_page
def new_rules(request: HttpRequest, club: str) -> HttpResponse:
    """New rules, starting from `?preset=`; a POST with `look` only shows them in words."""
    shown = visible_club(request, club)
    refused = _refusal_unless_director(request, shown)
    if refused is not None:
        return refused
    preset = request.GET.get("preset", "standard")
    if preset not in PRESET_WORDS:
        raise Http404
    form = RulesForm(Rules.preset(preset), name="", preset=preset, data=request.POST or None)
    own = _kept(request, form, partial(house_rules.make_club_rules, club=shown))
    if own is not None:
        return redirect("rules", own.rules.code)
    presets = [(name, title, school) for name, (title, school) in PRESET_WORDS.items()]
    return _editor(request, draft_of(form), {"presets": presets}, club=shown)


@form_page
def change_rules(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """A new version of a club's rules; a POST with `look` only shows it in words."""
    shown = visible_club(request, club)
    refused = _refusal_unless_director(request, shown)
    if refused is not None:
        return refused
    own = _club_rules(shown, code)
    present = own.rules
    form = RulesForm(
        present.rules, name=present.name, preset=nearest_preset(present.rules), data=request.POST or None
    )
    if _kept(request, form, partial(house_rules.next_version, club_rules=own)) is not None:
        return redirect("rules", code)
    return _editor(request, draft_of(form, present), {"present": present}, club=shown)


def _kept(request: HttpRequest, form: RulesForm, keep: Callable[..., ClubRules]) -> ClubRules | None:
    """What was kept of a form that is sent for it; None if it is only looked at, or says what was refused."""
    if request.method != "POST" or "look" in request.POST or not form.is_valid() or form.rules is None:
        return None
    try:
        return keep(actor=actor_of(signed_in(request)), name=form.cleaned_data["name"], rules=form.rules)
    except LeagueError as refusal:
        place_refusal(form, refusal)
        return None


@require_POST
def share_rules(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """Share a private club's rules with everybody who has the link (`is_shared=1`), or stop sharing."""
    shown = visible_club(request, club)
    refused = _refusal_unless_director(request, shown)
    if refused is not None:
        return refused
    house_rules.share_club_rules(
        actor=actor_of(signed_in(request)),
        club_rules=_club_rules(shown, code),
        is_shared=request.POST.get("is_shared") == "1",
    )
    return redirect("club_rules", shown.slug)


@require_safe
def rules(request: HttpRequest, code: str, version: int | None = None) -> HttpResponse:
    """A rule sheet: every knob in a sentence, misconceptions, worked examples, and versions."""
    if code != code.lower():
        # Typed from paper in capitals.
        return redirect("rules", code.lower())
    versions, shown = _version(request, code, version)
    reader = reader_of(request)
    listed = listed_by(reader, code)
    preset = nearest_preset(shown.rules)
    base = Rules.preset(preset)
    examples = worked_examples(shown.rules)
    context = {
        "at": "rules",
        "rules": shown,
        "newest": versions[0],
        "headline": rules_headline(shown.rules),
        "preset": PRESET_WORDS[preset][0],
        "changes": change_words(differences(base, shown.rules)),
        "groups": knob_groups(shown.rules, base),
        "examples": examples,
        "table": sheet_table(examples.sheet, order=_order(listed)),
        "not_rules": not_rules_here(shown.rules),
        "versions": version_lines(versions),
        "source": source_of(reader, shown),
        "events": events_by(reader, code),
        "address": _address(request, code),
        "is_open": bool(versions_seen(AnonymousUser(), code)),
        "may_copy": clubs_where(reader, Permission.DIRECT).exists(),
    }
    if listed is not None:
        context |= {
            "listed": listed,
            "may_make": can(reader, Permission.DIRECT, listed.club),
            "lesson": _lesson(listed) if shown == versions[0] else "",
        }
        return page(request, "league/rules.html", context, club=listed.club)
    response = render(request, "league/rules.html", context)
    patch_cache_control(response, no_cache=True, private=True)
    return response


@makes_paper
@require_safe
def rules_sheet_pdf(request: HttpRequest, code: str, version: int) -> HttpResponse:
    """The rule sheet on A4, with the QR code of its page."""
    from league.pages.printing.house_rules import rules_pdf

    versions, shown = _version(request, code, version)
    listed = listed_by(reader_of(request), code)
    content = rules_pdf(
        shown,
        newest=versions[0],
        club="" if listed is None else listed.club.name,
        address=_address(request, code),
        order=_order(listed),
    )
    headers = {"Content-Disposition": f'inline; filename="rules-{code}-{version}.pdf"'}
    return _fresh(HttpResponse(content, content_type="application/pdf", headers=headers), listed)


@require_safe
def rules_qr(request: HttpRequest, code: str) -> HttpResponse:
    """The QR code of the short link, dark on white in every colour scheme, as cameras need it."""
    _version(request, code, None)
    made = segno.make(_address(request, code), error="m", micro=False)
    image = made.svg_inline(scale=4, border=4, dark="#000", light="#fff")
    svg = image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return _fresh(HttpResponse(svg, content_type="image/svg+xml"), listed_by(reader_of(request), code))


@form_page
def copy_rules(request: HttpRequest, code: str, version: int) -> HttpResponse:
    """Copy a version of any visible rules to a club that the reader directs."""
    _versions, source = _version(request, code, version)
    reader = reader_of(request)
    if not reader.is_authenticated:
        return redirect_to_login(request.get_full_path())
    clubs = clubs_where(reader, Permission.DIRECT)
    if not clubs.exists():
        raise Http404
    form = CopyForm(request.POST or None, initial={"name": source.name})
    form.fields["club"].queryset = clubs.order_by("name")  # type: ignore[attr-defined]
    if request.method == "POST" and form.is_valid():
        with placing_refusals(form):
            own = house_rules.copy_club_rules(
                actor=actor_of(signed_in(request)),
                club=form.cleaned_data["club"],
                source=source,
                name=form.cleaned_data["name"],
            )
            return redirect("rules", own.rules.code)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "league/rules_copy.html", {"form": form, "rules": source}, status=status)


def _version(request: HttpRequest, code: str, version: int | None) -> tuple[list[HouseRules], HouseRules]:
    """All versions, newest first, and the one asked for; a 404 if the reader may not see it."""
    versions = versions_seen(reader_of(request), code)
    found = next((each for each in versions if version in (None, each.version)), None)
    if found is None:
        raise Http404
    return versions, found


def _refusal_unless_director(request: HttpRequest, club: Club) -> HttpResponse | None:
    """None for directors; a redirect to sign in for anonymous readers; else a 404."""
    if can(reader_of(request), Permission.DIRECT, club):
        return None
    if reader_of(request).is_authenticated:
        raise Http404
    return redirect_to_login(request.get_full_path())


def _club_rules(club: Club, code: str) -> ClubRules:
    return get_object_or_404(ClubRules.objects.select_related("club", "rules"), club=club, rules__code=code)


def _editor(request: HttpRequest, draft: RulesDraft, context: dict[str, Any], *, club: Club) -> HttpResponse:
    """The editor page, or the fragment its script asks for while knobs change."""
    looks = "look" in request.POST
    context |= {"at": "rules", "draft": draft, "form": draft.form, "looks": looks}
    if looks and request.headers.get("HX-Request"):
        return render(request, "league/_rules_answer.html", context | {"club": club})
    response = page(request, "league/rules_form.html", context, club=club)
    if draft.form.errors and not looks:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return response


def _lesson(listed: ClubRules) -> str:
    """The address of how to play by a club's rules, "" if the club hides that."""
    if not listed.club.has_learn_pages:
        return ""
    return reverse(f"club_learn_{listed.rules.rules.kind}_by", args=[listed.club.slug, listed.rules.code])


def _order(listed: ClubRules | None) -> str:
    """The club's order of columns for the example."""
    return ColumnOrder.BY_GAME if listed is None else listed.club.column_order


def _address(request: HttpRequest, code: str) -> str:
    return request.build_absolute_uri(reverse("rules", args=[code]))


def _fresh(response: HttpResponse, listed: ClubRules | None) -> HttpResponse:
    if listed is not None:
        return kept_fresh(response, listed.club)
    patch_cache_control(response, no_cache=True, private=True)
    return response
