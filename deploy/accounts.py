"""What the library for accounts (django-allauth) asks of this site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from deploy.logins import network_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Leaves the counting of wrong passwords to `deploy.logins`, and limits the rest by network."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The client's network, by which is counted how often something is tried."""
        return network_of(request) or "none"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing: `LoginLimits` has refused before a password is compared."""

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The account page."""
        return resolve_url("account")

    def is_safe_url(self, url: str | None) -> bool:
        """Whether the url leads to a page of this site, as this browser names it."""
        return url_has_allowed_host_and_scheme(
            url, {self.request.get_host()}, require_https=self.request.is_secure()
        )
