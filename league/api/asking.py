"""Who asks the API: somebody signed in, a program with a token, or anybody."""

from django.contrib.auth.models import User
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


def who_of(request: Request) -> Who:
    """Who asks; a token stands for its user within its scope."""
    return request.auth if isinstance(request.auth, ApiToken) else request.user


def actor_for(request: Request) -> Actor:
    """Who asks as the author of a write; refuses (401) who has not said who he is."""
    who = who_of(request)
    if isinstance(who, ApiToken | User):
        return actor_of(who)
    raise NotAuthenticated
