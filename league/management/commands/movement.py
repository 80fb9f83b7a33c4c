"""`manage.py movement --players N`: a movement of four-player tables, as cards to lay on them."""

import datetime
import io
import json
import sys
from collections.abc import Iterator
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from league.core.pairing.errors import PairingError
from league.core.pairing.movements import Movement, Pair, Unevenness
from league.core.pairing.rotation import schedule
from league.draws.movement_words import size_words, unevenness_words
from scoring.words.messages import translated

# A fixed time, so that the same movement gives the same file.
_MADE_AT: Final = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


class Command(BaseCommand):
    help = (
        "Prints the partners, opponents and tables of an evening with rotating partners, a card for each "
        "table. Players are numbered from 1. With 4n or 4n+1 players, up to 45, and a full cycle of rounds "
        "everybody partners everybody once and opposes everybody twice."
    )
    # Needs neither database nor settings.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", metavar="N", type=int, required=True, help="the number of players")
        parser.add_argument(
            "--rounds", metavar="R", type=int, help="the number of rounds; by default a full cycle"
        )
        parser.add_argument(
            "--seed",
            metavar="S",
            type=int,
            default=0,
            help="seed of the search, for movements that have to be searched",
        )
        parser.add_argument(
            "--format",
            choices=["text", "json", "pdf"],
            default="text",
            help="text; json, with counts of the unevenness; pdf, cards to cut out for tables and players",
        )

    def handle(
        self, *args: Any, players: int, rounds: int | None, seed: int, format: str, **options: Any
    ) -> None:
        try:
            movement = schedule(players, rounds, seed=seed)
        except PairingError as refusal:
            raise CommandError(translated(refusal.message), returncode=2) from None
        if format == "pdf":
            self._write_pdf(movement)
            return
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the terminal's encoding
        if format == "json":
            self.stdout.write(json.dumps(_document(movement)))
        else:
            for line in _lines(movement):
                self.stdout.write(line)

    def _write_pdf(self, movement: Movement) -> None:
        from league.pages.printing.movements import movement_pdf

        if sys.stdout.isatty():
            raise CommandError(
                _("A PDF cannot be shown in a terminal; send it to a file: … --format pdf > movement.pdf"),
                returncode=2,
            )
        pdf = movement_pdf(movement, title=size_words(movement), made_at=_MADE_AT)
        raw = getattr(sys.stdout, "buffer", None)
        if raw is None:
            raise CommandError(_("Standard output does not take a PDF here."), returncode=2)
        raw.write(pdf)
        raw.flush()


def _lines(movement: Movement) -> Iterator[str]:
    yield size_words(movement)
    yield " ".join(unevenness_words(movement.unevenness))
    width = 2 * len(str(movement.players)) + 3
    for place in range(max(len(each.tables) for each in movement)):
        yield ""
        yield _("Table %(number)d") % {"number": place + 1}
        for each in movement:
            if place < len(each.tables):
                first, second = each.tables[place]
                yield f"  {_round(each.number)}   {_pair(first):>{width}}  {_('v')}  {_pair(second)}"
    if any(each.sit_out for each in movement):
        yield ""
        yield _("Sitting out")
        for each in movement:
            if each.sit_out:
                yield f"  {_round(each.number)}   " + ", ".join(str(player + 1) for player in each.sit_out)


def _round(number: int) -> str:
    return _("round %(number)s") % {"number": f"{number:>3}"}


def _pair(pair: Pair) -> str:
    return f"{pair[0] + 1} + {pair[1] + 1}"


def _document(movement: Movement) -> dict[str, Any]:
    return {
        "players": movement.players,
        "rounds": [
            {
                "number": each.number,
                "tables": [[[player + 1 for player in pair] for pair in table] for table in each.tables],
                "sit_out": [player + 1 for player in each.sit_out],
            }
            for each in movement
        ],
        "unevenness": _unevenness(movement.unevenness),
    }


def _unevenness(uneven: Unevenness) -> dict[str, Any]:
    """Counts by multiplicity, of pairs and of players."""
    return {
        "partner_repeats": uneven.partner_repeats,
        "opponents_apart": uneven.opponent_spread,
        "sit_outs_apart": uneven.rest_spread,
        "partners": _by_times(uneven.partners),
        "opponents": _by_times(uneven.opponents),
        "sit_outs": _by_times(uneven.rests),
    }


def _by_times(tally: tuple[int, ...]) -> dict[str, int]:
    return {str(times): count for times, count in enumerate(tally) if count}
