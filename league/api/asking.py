"""Who asks the API: somebody signed in, a program with a token, or anybody."""

from typing import Any, Final

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from league.models import ApiToken
from league.people.tokens import note_use, token_of
from league.policy import Who, actor_of
from scoring.core.actors import Actor

# Both mean the same: the second is what most libraries send.
SCHEMES: Final = ("Token", "Bearer")


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token …` or `Bearer …`, with the secret of a live `ApiToken`. Its use is noted.

    One question to the database; expired tokens stay for their user to see.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The user and the token, or None where nothing is said.

        Another scheme and an unknown, expired or revoked token are refused (401), all in the same words.
        """
        said = get_authorization_header(request).decode("ascii", errors="replace").split()
        if not said:
            return None
        is_known = len(said) == 2 and said[0].lower() in (scheme.lower() for scheme in SCHEMES)
        found = token_of(said[1]) if is_known else None
        if found is None:
            raise AuthenticationFailed
        note_use(found)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        """The schemes, for `WWW-Authenticate`."""
        return ", ".join(SCHEMES)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """What the OpenAPI document says of tokens."""

    target_class = TokenAuthentication
    name = ["token", "bearer"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        """One of them is enough."""
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        """A key in a header, for `Token` is no registered scheme of `Authorization`; and one that is."""
        token = {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token gin_…`, as it was shown when the token was made.",
        }
        bearer = {"type": "http", "scheme": "bearer", "description": "The same as `Bearer gin_…`."}
        return [token, bearer]


def who_of(request: Request) -> Who:
    """Who asks; a token stands for its user within its scope."""
    return request.auth if isinstance(request.auth, ApiToken) else request.user


def actor_for(request: Request) -> Actor:
    """Who asks as the author of a write; refuses (401) who has not said who he is."""
    who = who_of(request)
    if isinstance(who, ApiToken | User):
        return actor_of(who)
    raise NotAuthenticated
