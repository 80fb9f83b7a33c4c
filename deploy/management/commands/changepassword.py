"""`manage.py changepassword`: Django's, with which a password of another's account is a given one."""

from getpass import getuser
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.db import transaction

from league.people.accounts import note_given_password
from scoring.core.actors import Actor, ActorKind

OPERATOR = Actor(ActorKind.OPERATOR, "command", "manage.py")


class Command(changepassword.Command):
    help = "Changes a password. Whose it is chooses another at the next sign-in, unless --own is said."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--own", action="store_true", help="the account is your own")

    @transaction.atomic
    def handle(self, *args: Any, own: bool, **options: Any) -> str | None:
        said: str | None = super().handle(*args, **options)
        if not own:
            user = User.objects.get_by_natural_key(options["username"] or getuser())
            note_given_password(actor=OPERATOR, user=user)
        return said
