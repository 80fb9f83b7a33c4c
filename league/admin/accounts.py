"""Accounts: the stock pages, which note that a password was given by an administrator."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from league.admin.scope import actor
from league.people.accounts import note_given_password

# Of an account's addresses the administrators see the one in use, with the account.
admin.site.unregister([User, EmailAddress])


@admin.register(User)
class AccountAdmin(UserAdmin[User]):
    """Accounts of the site, for its administrators."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
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
