"""Second factors and passkeys of accounts that have lost them."""

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.policy import is_operator
from league.record.audit import record_audit
from scoring.core.actors import Actor


@transaction.atomic
def remove_second_factors(*, actor: Actor, user: User) -> int:
    """Remove all second factors and passkeys of an account, which its password opens alone then.

    Returns how many there were; nothing is recorded of none. Only administrators of the site may
    (`not_allowed`): whoever removes one has to know that it is really its owner who asks.
    """
    if not is_operator(actor):
        raise LeagueError("not_allowed", _("Only the administrator of this site removes second factors."))
    found = list(Authenticator.objects.select_for_update().filter(user=user))
    Authenticator.objects.filter(pk__in=[one.pk for one in found]).delete()
    if found:
        record_audit(actor, "account.second_factors_removed", user, before={"second_factors": len(found)})
    return len(found)
