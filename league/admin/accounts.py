"""Accounts: the stock pages, which note that a password was given by an administrator."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy, ngettext

from league.admin.scope import actor
from league.people.accounts import note_given_password
from league.people.second_factors import remove_second_factors

# Of addresses the administrators see the one in use, with its account; of second factors nothing.
admin.site.unregister([User, EmailAddress, Authenticator, UserSession])


@admin.register(User)
class AccountAdmin(UserAdmin[User]):
    """Accounts of the site, for its administrators."""

    actions = ("remove_factors",)

    @admin.action(description=gettext_lazy("Remove second factors and passkeys"))
    def remove_factors(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """For who has lost theirs; the password opens the account alone then."""
        removed = sum(remove_second_factors(actor=actor(request), user=user) for user in queryset)
        said = ngettext("%(count)d was removed.", "%(count)d were removed.", removed)
        self.message_user(request, said % {"count": removed})

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            # Who reads the former address gets no code to sign in any more, nor does it sign in.
            EmailAddress.objects.filter(user=obj).exclude(email=obj.email.lower()).delete()
        if not change and obj.has_usable_password():
            note_given_password(actor=actor(request), user=obj)

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """The stock page; a password set there for somebody else is noted as given."""
        before = self.get_object(request, unquote(id))
        response = super().user_change_password(request, id, form_url)
        after = self.get_object(request, unquote(id))
        if before and after and after.password != before.password and after.has_usable_password():
            note_given_password(actor=actor(request), user=after)
        return response
