"""A bracket as it was drawn, from its rows."""

from collections.abc import Iterable

from league.core.pairing.elimination import Bracket, BracketMatch, Part, Way
from league.models import Tie


def drawn_bracket(ties: Iterable[Tie]) -> Bracket:
    """The rows of a bracket as `league.core.pairing.elimination` has it."""
    ties = list(ties)
    numbers = {tie.pk: tie.number for tie in ties}

    def way(to: int | None, side: int | None) -> Way | None:
        return None if to is None or side is None else Way(numbers[to], side)

    return Bracket(
        tuple(
            BracketMatch(
                tie.number,
                Part(tie.part),
                tie.level,
                tie.stage,
                (tie.seed_a, tie.seed_b),
                winner_to=way(tie.winner_to_id, tie.winner_to_side),
                loser_to=way(tie.loser_to_id, tie.loser_to_side),
            )
            for tie in ties
        )
    )
