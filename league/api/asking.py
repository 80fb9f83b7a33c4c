"""Who asks the API: somebody signed in, a program with a token, or anybody."""

from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from league.models import ApiToken
from league.policy import Who, actor_of
from league.services.tokens import note_use, token_of
from scoring.actors import Actor


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc]
    """`Authorization: Token …`, with the secret of a live token of `ApiToken`. Its use is noted.

    One question to the database; expired tokens stay for their user to see.
    """

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        """The user and the token; refuses (401) an unknown, expired or revoked one, all in the same words."""
        found = token_of(token.decode("ascii", errors="replace"))
        if found is None:
            raise AuthenticationFailed
        note_use(found)
        return found.user, found


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """What the OpenAPI document says of tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A key in a header: OpenAPI has no word for schemes of `Authorization` that are not registered."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token gin_…`, as it was shown when the token was made.",
        }


def who_of(request: Request) -> Who:
    """Who asks; a token stands for its user within its scope."""
    return request.auth if isinstance(request.auth, ApiToken) else request.user


def actor_for(request: Request) -> Actor:
    """Who asks as the author of a write; refuses (401) who has not said who he is."""
    who = who_of(request)
    if isinstance(who, ApiToken | User):
        return actor_of(who)
    raise NotAuthenticated
