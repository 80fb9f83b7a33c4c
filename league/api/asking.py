"""Authentication: a signed-in user, a program with a token, or anybody."""

from typing import Any, Final

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from league.models import ApiToken
from league.people.accounts import has_given_password, password_is_given
from league.people.tokens import note_use, token_of
from league.policy import Who, actor_of
from scoring.core.actors import Actor

# Synonyms; most libraries send the second.
SCHEMES: Final = ("Token", "Bearer")


class TokenAuthentication(BaseAuthentication):
    """Authentication by `Authorization: Token …` or `Bearer …` with the secret of a live `ApiToken`.

    The use of the token is recorded. Expired tokens are kept, so that their user sees them.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the user and the token, or None without the header.

        Another scheme and an unknown, expired or revoked token are refused (401), all in the same words. So
        is a token of a user who has not chosen a password yet (`password_given`, 403).
        """
        said = get_authorization_header(request).decode("ascii", errors="replace").split()
        if not said:
            return None
        is_known = len(said) == 2 and said[0].lower() in (scheme.lower() for scheme in SCHEMES)
        found = token_of(said[1]) if is_known else None
        if found is None:
            raise AuthenticationFailed
        if has_given_password(found.user):
            raise password_is_given()
        note_use(found)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        """Return the schemes for `WWW-Authenticate`."""
        return ", ".join(SCHEMES)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security schemes of tokens in the OpenAPI document."""

    target_class = TokenAuthentication
    name = ["token", "bearer"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        """Return the schemes as alternatives: one of them is enough."""
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        """Return `Token` as an API key in a header, for it is no registered HTTP scheme, and `Bearer`."""
        token = {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token gin_…`, as it was shown when the token was made.",
        }
        bearer = {"type": "http", "scheme": "bearer", "description": "The same as `Bearer gin_…`."}
        return [token, bearer]


def who_of(request: Request) -> Who:
    """Return the reader: the token of the request, which acts for its user within its scope, or the user."""
    return request.auth if isinstance(request.auth, ApiToken) else request.user


def actor_for(request: Request) -> Actor:
    """Return the author of a write; refuses (401) anonymous requests."""
    who = who_of(request)
    if isinstance(who, ApiToken | User):
        return actor_of(who)
    raise NotAuthenticated
