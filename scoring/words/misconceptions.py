"""Common misconceptions about the rules (RULES §10), worded for some house rules."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from scoring.core.kinds import kind_of
from scoring.core.rules import Rules


def not_rules_here(rules: Rules) -> list[str]:
    """Beliefs that these rules do not support, a sentence each with what holds instead."""
    if "knock_limit" in kind_of(rules).idle_knobs:
        return [_("Knocking: nobody knocks here; a hand ends when somebody goes out.")]
    return [*_of_knocking(rules), *_of_cards(rules), *_of_figures(rules)]


def _of_knocking(rules: Rules) -> Iterator[str]:
    if rules.knock_limit == 0:
        yield _("Knocking with ten or less: nobody knocks here, with however little. It takes gin.")
    else:
        yield _(
            "Laying off before the knock: the defender lays off once the knocker’s melds lie on the table."
        )
        yield _(
            "Knocking by how many cards are left: what counts is their points, %(limit)s or less, be it one "
            "card or several."
        ) % {"limit": rules.knock_limit}
        yield _("The knocker laying off on the defender: only the defender lays off.")
    yield _("Laying off against gin: against gin nobody lays off.")
    if rules.oklahoma == "off" and rules.knock_limit:
        yield _("The card turned up setting the limit: that is Oklahoma, and is not played here.")
    elif rules.oklahoma == "ace_is_one" and rules.knock_limit:
        yield _("An ace turned up meaning gin: it means 1 here.")
    if rules.big_gin_bonus is None:
        yield _("Big gin: eleven melded cards are gin here, with one of them discarded.")
    if rules.zero_knock == "gin" and rules.knock_limit:
        yield _("Having to say gin: ten melded cards are gin here without a word.")
    if rules.undercut_on_tie and rules.knock_limit:
        yield _("The knocker winning a tie: equal counts are the defender’s, as an undercut.")


def _of_cards(rules: Rules) -> Iterator[str]:
    if rules.ace == "low":
        yield _("Aces high: queen, king, ace is not a run, and no run goes round the corner.")
    else:
        yield _("Runs round the corner: the ace is high or low, but king, ace, two is not a run.")
        yield _("An ace that counts 11: it counts 1, wherever it is melded.")


def _of_figures(rules: Rules) -> Iterator[str]:
    if rules.knock_limit:
        believed = 10 if rules.undercut_bonus != 10 else 25
        yield _("An undercut of %(believed)s: it is %(bonus)s here.") % {
            "believed": believed,
            "bonus": rules.undercut_bonus,
        }
    if rules.gin_bonus not in (20, 25):
        yield _("Gin for 20 or 25: it is %s here.") % rules.gin_bonus
    else:
        yield _("Gin for %(believed)s: it is %(bonus)s here.") % {
            "believed": 45 - rules.gin_bonus,
            "bonus": rules.gin_bonus,
        }
    if rules.deals is not None:
        yield _("A game to 100: here it ends by the number of deals, whatever the points.")
    else:
        yield _("A game of %(believed)s: it goes to %(target)s here.") % {
            "believed": 50 if rules.target != 50 else 100,
            "target": rules.target,
        }
    if rules.box_bonus and rules.deals is not None:
        if rules.box_credit == "at_end":
            yield _("Boxes helping to win the game: they are added when it is over.")
    elif rules.box_bonus and rules.box_credit == "at_end":
        yield _("Boxes helping to reach the target: they are added when the game is over.")
    elif not rules.box_bonus:
        yield _("Points for boxes: a box is worth nothing here.")
