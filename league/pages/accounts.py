"""Signing in and out, the account page, and passwords.

For members of private clubs and everybody linked to a player; officers may also sign in to the admin.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.account.views import (
    EmailView,
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetDoneView,
    PasswordResetFromKeyView,
    PasswordResetView,
    PasswordSetView,
    RequestLoginCodeView,
)
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.sites.shortcuts import get_current_site
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.events.leaving import clubs_left
from league.models import Player, ShownAs
from league.notices.bounces import bounce_of
from league.notices.choices import choices_of, clubs_of
from league.notices.devices import devices_of
from league.notices.mail import sends_mail
from league.notices.outbox import tells, tells_by_mail
from league.notices.push import key_told
from league.pages.account_forms import (
    AddressForm,
    CodeByMailForm,
    FirstPasswordForm,
    NewPasswordForm,
    NoticesForm,
    OtherAddressForm,
    OwnPasswordForm,
    ShownAsForm,
    SignInForm,
    waiting_addresses,
)
from league.pages.doors import own_page
from league.pages.own_password import forget, is_noted
from league.pages.pages import by_name, makes_paper, placing_refusals, signed_in
from league.people.accounts import choose_shown_name
from league.people.joining import lets_sign_up
from league.people.own_data import own_data
from league.policy import Permission, actor_of, clubs_where
from league.policy.age import minors_among
from league.record.wake import ask_for_password_link


class SignIn(LoginView):  # type: ignore[misc]
    """The sign-in form; leads back to the page it was reached from."""

    form_class = SignInForm
    template_name = "league/login.html"
    extra_context: ClassVar = {"sends_mail": sends_mail, "lets_sign_up": lets_sign_up}


class _WhereMailIsSent:
    """A page that is not there (404) on a site that sends no mail."""

    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        if not sends_mail():
            raise Http404
        return super().dispatch(*args, **kwargs)  # type: ignore[misc]


class AskForCode(_WhereMailIsSent, RequestLoginCodeView):  # type: ignore[misc]
    """Mails a code for signing in to the account of an address; the answer is the same if there is none."""

    form_class = CodeByMailForm


class Address(_WhereMailIsSent, EmailView):  # type: ignore[misc]
    """One's mail address: another one takes its place once it is verified."""

    form_class = OtherAddressForm
    template_name = "league/address.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Note another address, mail a link again, or leave the one that waits.

        No other form is heard: an address is in use by being verified alone.
        """
        typed = request.POST.get("email", "")
        waits = waiting_addresses(signed_in(request)).filter(email__iexact=typed).exists()
        heard = {"action_add", "action_send", *(["action_remove"] if waits else [])}
        if heard.isdisjoint(request.POST):
            return redirect("account_email")
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **told: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**told)
        user = signed_in(self.request)
        own = EmailAddress.objects.filter(user=user, email__iexact=user.email).first()
        return context | {"own": own, "waiting": waiting_addresses(user).first()}


class Sessions(ListUserSessionsView):  # type: ignore[misc]
    """Where one is signed in, and ending all that but here."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        UserSession.objects.create_from_request(request)
        answer: HttpResponse = super().get(request, *args, **kwargs)
        return answer


class SignOut(LogoutView):  # type: ignore[misc]
    """Signs out; takes a POST from the account page."""

    http_method_names: ClassVar = ["post", "options"]


class ChangePassword(PasswordChangeView):  # type: ignore[misc]
    """A new password for users who know the old one; ends the account's other sessions.

    Who was given the old one comes here first (`league.pages.own_password`).
    """

    form_class = OwnPasswordForm
    template_name = "league/password_change.html"

    def get_context_data(self, **told: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**told, is_given=is_noted(self.request))
        return context

    def form_valid(self, form: OwnPasswordForm) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        forget(self.request)
        return response


class SetPassword(PasswordSetView):  # type: ignore[misc]
    """A password for an account that has none, such as one that is opened by passkeys alone."""

    form_class = FirstPasswordForm
    template_name = "league/password_change.html"


class ForgottenPassword(_WhereMailIsSent, PasswordResetView):  # type: ignore[misc]
    """Sends a link; the answer is the same whether or not an account has that address."""

    form_class = AddressForm
    template_name = "league/password_reset.html"
    success_url = reverse_lazy("password_reset_done")

    def form_valid(self, form: AddressForm) -> HttpResponse:
        domain = get_current_site(self.request).domain
        email = form.cleaned_data["email"]
        if not ask_for_password_link(email=email, domain=domain, is_secure=self.request.is_secure()):
            form.add_error(None, _("Nothing can be sent just now: try again in a minute."))
            answer: HttpResponse = self.form_invalid(form)
            return answer
        return redirect(self.get_success_url())


class LinkSent(PasswordResetDoneView):  # type: ignore[misc]
    """Confirms that a link was sent if there is such an account."""

    template_name = "league/password_reset_done.html"


class NewPassword(PasswordResetFromKeyView):  # type: ignore[misc]
    """The target of a password link, which works once; any other link is a 404."""

    form_class = NewPasswordForm
    template_name = "league/password_link.html"
    success_url = reverse_lazy("login")

    def render_to_response(self, context: dict[str, Any], **how: Any) -> HttpResponse:
        if self.reset_user is None:
            how["status"] = HTTPStatus.NOT_FOUND
        response: HttpResponse = super().render_to_response(context, **how)
        return response


@own_page
def account(request: HttpRequest) -> HttpResponse:
    """The account page: own players, clubs the user may read, what he is told and how, and signing out."""
    return account_page(request)


@never_cache
@require_http_methods(["POST"])
@login_required
def shown_as(request: HttpRequest, code: str) -> HttpResponse:
    """Set how the public sees one of the user's own players."""
    user = signed_in(request)
    player = get_object_or_404(Player.objects.select_related("club"), code=code, user=user)
    form = ShownAsForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        with placing_refusals(form):
            choose_shown_name(
                actor=actor_of(user),
                player=player,
                shown_as=ShownAs(data["shown_as"]),
                nickname=data["nickname"],
            )
            return redirect("account")
    return account_page(request, shown={player.pk: form}, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def account_page(
    request: HttpRequest,
    *,
    shown: Mapping[int, ShownAsForm] | None = None,
    told: Mapping[int, NoticesForm] | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """The account page, with forms that were refused: `shown` by player (id), `told` by club (id)."""
    user = signed_in(request)
    clubs = by_name(clubs_where(user, Permission.VIEW).order_by("name")[:100])
    context = {"clubs": clubs, **_own(user, shown or {}), **_told(user, told or {})}
    context |= {"sends_mail": sends_mail(), "bounce": bounce_of(user), "left": clubs_left(user)}
    return render(request, "league/account.html", context, status=status)


@makes_paper
@own_page
def data(request: HttpRequest) -> HttpResponse:
    """Everything stored about the user, as a JSON file."""
    return JsonResponse(
        own_data(signed_in(request)),
        headers={"Content-Disposition": 'attachment; filename="my-data.json"'},
        json_dumps_params={"indent": 2, "ensure_ascii": False},
    )


def _own(user: User, refused: Mapping[int, ShownAsForm]) -> dict[str, Any]:
    """The template context for the user's players and the clubs into which he may invite."""
    players = []
    for player in Player.objects.filter(user=user).select_related("club").order_by("club__name", "pk"):
        form = refused.get(player.pk) or ShownAsForm(
            initial={"shown_as": player.shown_as, "nickname": player.nickname},
        )
        form.auto_id = f"id_{player.code}_%s"
        players.append((player, form))
    return {"own": players, "brings_in": list(clubs_where(user, Permission.DIRECT).order_by("name")[:100])}


def _told(user: User, refused: Mapping[int, NoticesForm]) -> dict[str, Any]:
    """The user's clubs, whether he has stopped their mail, and the form; his devices, and the site's key.

    Nothing on a site that tells nobody, and nothing for who is under age.
    """
    if not tells() or minors_among([user.pk]):
        return {}
    told = []
    for club in clubs_of(user)[:100]:
        chosen = choices_of(user, club)
        form = refused.get(club.pk) or NoticesForm.of(chosen)
        form.auto_id = f"id_{club.slug}_%s"
        told.append((club, chosen.is_off, form))
    return {
        "told": told,
        "is_told_by_mail": tells_by_mail(),
        "devices": devices_of(user),
        "push_key": key_told(),
    }
