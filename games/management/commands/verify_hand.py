"""`manage.py verify_hand CODE DEAL`: whether a hand at a table was played from the pack it was promised.

Of teams `--table` says which hand of the deal.
"""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from games.errors import GameError
from games.models import TableHand
from games.services import verified_hand
from games.tables.replaying import lines_of
from scoring.templatetags.figures import hand_words
from scoring.words.messages import translated


class Command(BaseCommand):
    help = "Checks the pack of a hand that is over against its commitment, and plays its actions again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the code of the table")
        parser.add_argument("deal", type=int, help="the number of the deal, from 1")
        parser.add_argument("--table", type=int, default=1, help="of teams the table, from 1")

    def handle(self, *args: Any, **options: Any) -> None:
        hands = TableHand.objects.select_related("match__sheet__rules")
        hand = hands.filter(
            match__code=options["code"], deal=options["deal"], table=options["table"] - 1
        ).first()
        if hand is None:
            raise CommandError(_("This table has no such hand."))
        try:
            state = verified_hand(hand)
        except GameError as refusal:
            raise CommandError(translated(refusal.placed)) from None
        said = _(
            "%(commitment)s is the SHA-256 of the pack and nonce, and the %(count)d actions played again end"
            " the hand."
        )
        self.stdout.write(said % {"commitment": hand.commitment, "count": len(state.actions)})
        for line in lines_of(state):
            self.stdout.write(hand_words(line))
