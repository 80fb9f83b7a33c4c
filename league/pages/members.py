"""A club's members: offices, invitations, and links for forgotten passwords."""

from http import HTTPStatus

from allauth.account.utils import perform_login
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from league.core.collation import name_key
from league.errors import LeagueError
from league.models import Club, Invitation, Membership, Role
from league.notices.bounces import is_off
from league.notices.mail import mailed, sends_mail
from league.pages.account_forms import InvitationForm, NewAccountForm
from league.pages.doors import form_page
from league.pages.pages import page, placing_refusals
from league.people.accounts import make_password_link, may_reset_password
from league.people.invitations import (
    NewAccount,
    accept_invitation,
    invite,
    live_invitations,
    open_invitation,
    permission_to_invite,
    revoke_invitation,
)
from league.people.joining import requests_to
from league.policy import Permission, actor_of, can, clubs_where
from scoring.words.messages import translated


@form_page
def members(request: HttpRequest, club: str) -> HttpResponse:
    """Members and open invitations, for those who may invite; a new link is shown once."""
    user = _signed_in(request)
    if user is None:
        return redirect_to_login(request.get_full_path())
    shown = _directed(user, club)
    form = InvitationForm(shown, _roles(user, shown), request.POST if request.method == "POST" else None)
    made, link, was_mailed = None, "", False
    if form.is_bound and form.is_valid():
        chosen = form.cleaned_data
        with placing_refusals(form):
            made, secret = invite(
                actor=actor_of(user),
                club=shown,
                role=Role(chosen["role"]),
                email=chosen["email"],
                player=chosen["player"],
                days=chosen["days"],
            )
            link = request.build_absolute_uri(reverse("invitation", args=[secret]))
            was_mailed = _send(made, link)
            form = InvitationForm(shown, _roles(user, shown))
    context = _people(user, shown) | {"form": form, "made": made, "link": link, "was_mailed": was_mailed}
    return page(request, "league/members.html", context, club=shown, is_refused=form.is_bound)


@never_cache
@require_POST
def revoke(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """Revoke an open invitation; a 404 for any other."""
    user = _signed_in(request)
    if user is None:
        return redirect_to_login(reverse("members", args=[club]))
    shown = _directed(user, club)
    invitation = get_object_or_404(live_invitations(), club=shown, code=code)
    if not can(user, permission_to_invite(Role(invitation.role)), shown):
        raise Http404
    revoke_invitation(actor=actor_of(user), invitation=invitation)
    return redirect("members", shown.slug)


@never_cache
@require_POST
def password_for(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """Make a password link for a member and show it once; a 404 if the user may not."""
    user = _signed_in(request)
    if user is None:
        return redirect_to_login(reverse("members", args=[club]))
    shown = _directed(user, club)
    membership = get_object_or_404(
        Membership.objects.filter(club=shown, user__is_active=True).select_related("user"), code=code
    )
    try:
        made = make_password_link(actor=actor_of(user), club=shown, user=membership.user)
    except LeagueError as error:
        raise Http404 from error
    link = request.build_absolute_uri(reverse("password_link", args=[made.uid, made.token]))
    form = InvitationForm(shown, _roles(user, shown))
    context = _people(user, shown) | {"form": form, "let_in": membership.user, "link": link}
    return page(request, "league/members.html", context, club=shown)


@sensitive_post_parameters()
@form_page
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Accept an invitation, with the current account or a new one.

    A 404 for a secret that opens nothing, for whatever reason.
    """
    opened = open_invitation(secret)
    if opened is None:
        return render(request, "league/invitation_over.html", status=HTTPStatus.NOT_FOUND)
    user = _signed_in(request)
    form = NewAccountForm(request.POST if request.method == "POST" and user is None else None)
    if opened.player is not None and not form.is_bound:
        form.initial["name"] = opened.player.name
    refused = ""
    if request.method == "POST" and (user is not None or form.is_valid()):
        account = None
        if user is None:
            typed = form.cleaned_data
            account = NewAccount(typed["username"], typed["password"], typed["name"])
        try:
            accepted = accept_invitation(secret=secret, user=user, account=account)
        except LeagueError as error:
            refused = translated(error.message)
            if error.field in form.fields:
                form.add_error(error.field, translated(error.message))
        else:
            if user is None:
                answer: HttpResponse = perform_login(request, accepted, redirect_url=reverse("account"))
                return answer
            return redirect("account")
    context = {"invitation": opened, "form": form, "refused": "" if form.errors else refused}
    wrong = bool(refused or form.errors)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "league/invitation.html", context, status=status)


def _signed_in(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _directed(user: User, slug: str) -> Club:
    """The club with this slug, if the user directs it; a 404 otherwise."""
    return get_object_or_404(clubs_where(user, Permission.DIRECT), slug=slug)


def _roles(user: User, club: Club) -> list[Role]:
    """The offices the user may offer."""
    return [role for role in Role if can(user, permission_to_invite(role), club)]


def _people(user: User, club: Club) -> dict[str, object]:
    """The members by name and the open invitations.

    Each member with his player, whether the user may reset the password, and whether mail to him comes back.
    """
    found = Membership.objects.filter(club=club, user__is_active=True).select_related("user__mail_bounce")
    by_name = sorted(found, key=lambda one: name_key(one.user.get_full_name() or one.user.username))
    manages = can(user, Permission.MANAGE, club)
    actor = actor_of(user)
    players = {player.user_id: player for player in club.players.exclude(user=None)}
    return {
        "members": [
            (
                one,
                players.get(one.user_id),
                manages and one.user != user and may_reset_password(actor, one.user),
                is_off(one.user),
            )
            for one in by_name
        ],
        "invitations": [
            (one, can(user, permission_to_invite(Role(one.role)), club))
            for one in live_invitations().filter(club=club).select_related("player")
        ],
        "requests": requests_to(club),
        "sends_mail": sends_mail(),
    }


def _send(invitation: Invitation, link: str) -> bool:
    subject = _("An invitation to %(club)s") % {"club": invitation.club}
    text = _(
        "%(who)s invites you to %(club)s as %(role)s.\n\n%(link)s\n\nThe link works once, until %(day)s."
    ) % {
        "who": invitation.actor_name,
        "club": invitation.club,
        "role": invitation.get_role_display(),
        "link": link,
        "day": invitation.expires_at.astimezone(invitation.club.zone).date().isoformat(),
    }
    return mailed(to=invitation.email, subject=subject, text=text)
