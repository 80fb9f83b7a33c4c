"""A user's API tokens: created, shown once, listed and revoked."""

from collections import Counter
from typing import Final, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.models import ApiToken, Club, Event, EventState, TokenScope
from league.pages.doors import own_form_page
from league.pages.pages import placing_refusals, signed_in
from league.people.tokens import LONGEST_LIFE, issue_token, revoke_token
from league.policy import Permission, clubs_where, events_seen, is_administrator, sheets_seen
from scoring.models import Scoresheet

_LIVES: Final = [
    (1, gettext_lazy("a day")),
    (7, gettext_lazy("a week")),
    (31, gettext_lazy("a month")),
    (92, gettext_lazy("three months")),
    (LONGEST_LIFE, gettext_lazy("a year")),
]
_SCOPES: Final = [
    (TokenScope.READ, gettext_lazy("read")),
    (TokenScope.RECORD, gettext_lazy("record, correct and sign sheets, and play for me")),
    (TokenScope.MANAGE, gettext_lazy("all that I may")),
]
# Clubs and events offered; administrators could have any number.
_MOST_OFFERED: Final = 200


class TokenForm(forms.Form):
    """A new token. `bound` is "", "club/SLUG" or "event/CODE", as offered to the user."""

    name = forms.CharField(
        label=gettext_lazy("What it is for"), max_length=80, widget=forms.TextInput({"autocomplete": "off"})
    )
    scope = forms.ChoiceField(label=gettext_lazy("It may"), choices=_SCOPES)
    bound = forms.ChoiceField(label=gettext_lazy("Where"), required=False)
    sheet = forms.CharField(
        label=gettext_lazy("Only on one sheet"),
        help_text=gettext_lazy("The code of the sheet, or of its match as in the address of its page."),
        max_length=16,
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    days = forms.TypedChoiceField(label=gettext_lazy("For"), choices=_LIVES, coerce=int, initial=31)

    def __init__(self, user: User, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.user = user
        cast(forms.ChoiceField, self.fields["bound"]).choices = _bounds(user)

    def clean_sheet(self) -> Scoresheet | None:
        """The sheet with that code, None for ""; invalid if the user cannot see one."""
        code = self.cleaned_data["sheet"].strip()
        if not code:
            return None
        sheets = sheets_seen(self.user, Scoresheet.objects.filter(Q(code=code) | Q(match__code=code)))
        found = sheets.first()
        if found is None:
            raise forms.ValidationError(_("There is no such sheet."), code="unknown_sheet")
        return found


@own_form_page
def tokens(request: HttpRequest) -> HttpResponse:
    """The user's tokens and a form for a new one; a new secret is shown once."""
    user = signed_in(request)
    form = TokenForm(user, request.POST if request.method == "POST" else None)
    made, secret = None, ""
    if form.is_bound and form.is_valid():
        with placing_refusals(form):
            made, secret = _issue(user, form)
            form = TokenForm(user)
    listed = _listed(user)
    context = {
        "form": form,
        "made": made,
        "secret": secret,
        "own": [token for token in listed if token.user_id == user.pk],
        "others": [token for token in listed if token.user_id != user.pk],
    }
    return render(request, "league/tokens.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def revoke(request: HttpRequest, code: str) -> HttpResponse:
    """Revoke a listed token; a 404 for any other."""
    user = signed_in(request)
    token = _listed(user).filter(code=code).first()
    if token is None:
        raise Http404
    revoke_token(user=user, token=token)
    return redirect("tokens")


def _listed(user: User) -> QuerySet[ApiToken]:
    """The user's tokens, and those for clubs the user manages, newest first."""
    managed = Q(club__in=clubs_where(user, Permission.MANAGE))
    found = ApiToken.objects.filter(Q(user=user) | managed)
    return found.select_related("user", "club", "event", "sheet").order_by("-created", "code")


def _issue(user: User, form: TokenForm) -> tuple[ApiToken, str]:
    data = form.cleaned_data
    kind, _slash, key = data["bound"].partition("/")
    return issue_token(
        user=user,
        name=data["name"],
        scope=TokenScope(data["scope"]),
        club=Club.objects.filter(slug=key).first() if kind == "club" else None,
        event=Event.objects.filter(code=key).select_related("club").first() if kind == "event" else None,
        sheet=data["sheet"],
        days=data["days"],
    )


def _bounds(user: User) -> list[tuple[str, str | list[tuple[str, str]]]]:
    """Grouped choices of what a token can be bound to: the user's clubs and their events."""
    mine = clubs_where(user, Permission.VIEW)
    if not is_administrator(user):
        mine = mine.filter(Q(memberships__user=user) | Q(players__user=user)).distinct()
    clubs = list(mine.order_by("name")[:_MOST_OFFERED])
    events = events_seen(user).filter(club__in=clubs).exclude(state=EventState.ARCHIVED)
    by_club: dict[int, list[tuple[str, str]]] = {
        club.pk: [(f"club/{club.slug}", _("all of %(club)s") % {"club": club})] for club in clubs
    }
    offered = list(events.select_related("season").order_by("name", "pk")[:_MOST_OFFERED])
    spelt = Counter((event.club_id, _in_season(event)) for event in offered)
    for event in offered:
        name = _in_season(event)
        if spelt[event.club_id, name] > 1:
            name = f"{name} ({event.slug})"
        by_club[event.club_id].append((f"event/{event.code}", name))
    return [("", _("everywhere I may read")), *((club.name, by_club[club.pk]) for club in clubs)]


def _in_season(event: Event) -> str:
    return event.name if event.season is None else f"{event.name}, {event.season}"
