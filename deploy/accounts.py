"""What the library for accounts (django-allauth) asks of this site."""

import logging
from smtplib import SMTPException
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.stages import EmailVerificationStage
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from deploy.logins import network_of
from league.models import SignUp
from league.people.joining import lets_sign_up
from league.record.sealing import Unreadable, sealed, unsealed

logger = logging.getLogger(__name__)

_UNAVAILABLE: Final = 503
# What second factors are sealed for.
_USE: Final = "second factors"
_OWN_STAGES: Final = {
    "allauth.account.stages.EmailVerificationStage": "deploy.accounts.AddressOfNewAccount",
}


class AddressOfNewAccount(EmailVerificationStage):  # type: ignore[misc]
    """Asks for a verified address of who has just signed up; accounts made by a club may have none."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """The page that says so, if the address is not verified yet."""
        user = self.login.user
        if not self.login.signup and not SignUp.objects.filter(user=user).exists():
            return None, True
        answer: tuple[HttpResponse | None, bool] = super().handle()
        return answer


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Leaves the counting of wrong passwords to `deploy.logins`, and limits the rest by network."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The client's network, by which is counted how often something is tried."""
        return network_of(request) or "0.0.0.0"  # noqa: S104 - on a socket file nobody has one

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing: `LoginLimits` has refused before a password is compared."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether any club takes members that it has not invited."""
        return lets_sign_up()

    def get_login_stages(self) -> list[str]:
        """The library's, but that only whoever signs up must have verified an address first."""
        stages: list[str] = super().get_login_stages()
        return [_OWN_STAGES.get(stage, stage) for stage in stages]

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The account page."""
        return resolve_url("account")

    def is_safe_url(self, url: str | None) -> bool:
        """Whether the url leads to a page of this site, as this browser names it."""
        return url_has_allowed_host_and_scheme(
            url, {self.request.get_host()}, require_https=self.request.is_secure()
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends the mail, or answers that nothing can be sent just now."""
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            logger.warning("a letter was not sent: %s", error)
            answer = render(self.request, "league/no_mail_now.html", status=_UNAVAILABLE)
            raise ImmediateHttpResponse(answer) from error


class SecondFactors(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps the secrets of second factors encrypted by the site's key: a backup does not tell them."""

    def encrypt(self, text: str) -> str:
        """The secret as it is stored."""
        return sealed(text, _USE)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that was encrypted by another key is lost, and no code fits it any more."""
        try:
            return unsealed(encrypted_text, _USE)
        except Unreadable:
            logger.warning("a second factor was set up with another SECRET_KEY; an administrator removes it")
            unknown: str = generate_totp_secret()
            return unknown
