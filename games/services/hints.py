"""Hints in a friendly game against bots: what is best by what the player sees."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.bots.appraising import Advice
from games.bots.judges import judge_of
from games.errors import GameError
from games.gin.view import Phase
from games.models import TableMatch, TableSeat
from games.services.hands import fits_sheet, hand_in_play, seats_of, state_of
from games.services.members import check_seat, table_over, turn_error
from games.services.planning import game_on
from games.services.telling import judge_refusal
from games.tables.dealing import derived_seed
from games.tables.members import running_sheet
from games.tables.play import game_views
from games.tables.warming import is_warm
from scoring.core.actors import Actor
from scoring.models import SheetStatus
from scoring.policy import policy
from scoring.services.records import kept_sheet


@dataclass(frozen=True, slots=True)
class Hint:
    """What is best on this version of the table, by the judge of its game."""

    version: int
    advice: Advice


def gives_hints(match: TableMatch) -> bool:
    """Whether hints are given at this table: of one member and bots, in a game that counts nowhere."""
    plays_alone = TableSeat.objects.filter(match=match, bot__isnull=True).count() == 1
    return plays_alone and not policy().counts(match.sheet)


def hint(*, actor: Actor, match: TableMatch, seat: int) -> Hint:
    """What is best in this seat; it changes nothing, locks nothing, and is repeated alike.

    Refuses `not_your_seat`, `no_hints` (against a member, and in a game that counts), `at_table` (who plays
    against a member elsewhere), `table_over`, `sheet_changed`, `not_your_turn`, and `nothing_to_hint` where
    there is no choice, or only one of what to lay off: the best is offered there.
    """
    chairs = seats_of(match)
    check_seat(actor, match.sheet, chairs.get(seat))
    if not gives_hints(match):
        raise GameError("no_hints", _("Hints are given in friendly games against bots."))
    refused = judge_refusal(actor)
    if refused is not None:
        raise refused
    hand, kept = hand_in_play(match, seat), kept_sheet(match.sheet)
    if hand is None or match.sheet.status != SheetStatus.OPEN:
        raise table_over()
    if not fits_sheet(hand, kept):
        raise GameError("sheet_changed", _("Somebody changed the sheet during this hand."))
    state = state_of(hand, kept)
    own = hand.seats.index(seat)
    if state.turn != own:
        raise turn_error()
    view = state.view(own)
    if len(view.legal) < 2 or view.phase is Phase.LAY_OFF:
        raise GameError("nothing_to_hint", _("There is nothing to choose here."))
    sheet = running_sheet(match.sheet.rules.rules, kept.sides, kept.deals)
    # A seed that anybody may know: the pack has no part in what is guessed.
    seed = derived_seed(match.pk, "hint", hand.deal, len(hand.actions), own)
    judge = judge_of(game_on(match.sheet), seed, compiled=is_warm())
    return Hint(chairs[seat].match.version, judge.advise(state, game_views(sheet)[chairs[seat].side]))
