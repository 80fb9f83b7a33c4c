"""House rules in sentences, for pages and for the head of a printed sheet."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.words.messages import translated


def rules_headline(rules: Rules, *, team_size: int = 1) -> str:
    """The rules in a few words: “three games to 100”, “8 deals”, “Jersey gin, one game to 200”."""
    ends = length_words(rules, team_size=team_size)
    if rules.own is None:
        return ends
    return _("%(game)s, %(ends)s") % {"game": translated(kind_of(rules).title), "ends": ends}


def length_words(rules: Rules, *, team_size: int = 1) -> str:
    """How long a sheet is: “three games to 100”, “8 deals”."""
    if rules.deals is not None:
        return ngettext("%(count)s deal", "%(count)s deals", rules.deals) % {"count": rules.deals}
    only_teams = "target" in kind_of(rules).idle_knobs
    target = rules.for_team_size(max(team_size, 2) if only_teams else team_size).target
    match rules.columns:
        case 1:
            return _("one game to %(target)s") % {"target": target}
        case 2:
            return _("two games to %(target)s") % {"target": target}
        case 3:
            return _("three games to %(target)s") % {"target": target}
    return _("%(count)s games to %(target)s") % {"count": rules.columns, "target": target}


def rules_sentences(rules: Rules, *, team_size: int = 1) -> list[str]:
    """The rules a member asks about, a sentence each; knobs that are off are left out."""
    said = [*hand_sentences(rules), *_game_sentences(rules)]
    if team_size > 1:
        said.append(
            _("A team enters the difference of its hands of a deal.")
            if rules.team_scoring == "net"
            else _("Each team enters what its own winners made.")
        )
        if rules.sweep_boxes:
            said.append(_("A team that wins every hand of a deal has %s extra boxes.") % rules.sweep_boxes)
    return said


def hand_sentences(rules: Rules) -> list[str]:
    """The rules that apply to a single hand."""
    if "knock_limit" in kind_of(rules).idle_knobs:
        return []
    bonuses = [_("gin %s") % rules.gin_bonus]
    if rules.big_gin_bonus is not None:
        bonuses.append(_("big gin %s") % rules.big_gin_bonus)
    bonuses.append(_("undercut %s") % rules.undercut_bonus)
    said = [
        _("Gin only: nobody knocks.")
        if rules.knock_limit == 0
        else _("Knock with %s or less.") % rules.knock_limit,
        _("Bonuses: %s.") % ", ".join(bonuses),
    ]
    if rules.oklahoma != "off":
        said.append(
            _("Oklahoma: the upcard sets the limit, an ace means gin.")
            if rules.oklahoma == "ace_is_gin"
            else _("Oklahoma: the upcard sets the limit, an ace means 1.")
        )
    if rules.spades_double:
        said.append(_("A spade turned up doubles the hand."))
    if rules.knock_limit and rules.undercut_penalty != "none":
        said.append(
            _("The bonus of an undercut is taken off the knocker.")
            if rules.undercut_penalty == "bonus"
            else _("An undercut scores nothing; it is all taken off the knocker.")
        )
    if not rules.undercut_on_tie:
        said.append(_("Equal counts are a dead hand."))
    if rules.ace == "low_or_high":
        said.append(_("Runs may go up to the ace."))
    extra = [
        f"{name} {count}"
        for name, count in (
            (_("gin"), rules.extra_boxes.gin),
            (_("big gin"), rules.extra_boxes.big_gin),
            (_("undercut"), rules.extra_boxes.undercut),
            (_("undercut with nothing left"), rules.extra_boxes.gin_off),
        )
        if count
    ]
    if extra:
        said.append(_("Extra boxes: %s.") % ", ".join(extra))
    return said


def _game_sentences(rules: Rules) -> list[str]:
    said = []
    if rules.deals is not None:
        said.append(_("Whoever has most points after the last deal has won; dead deals count."))
    if "game_bonus" in kind_of(rules).idle_knobs:
        # Of a game without boxes and bonuses nothing else is told.
        return said
    if rules.game_bonus:
        said.append(_("A game won adds %s.") % rules.game_bonus)
    if rules.box_bonus:
        worth = _("A box is worth %s, at the end.")
        if rules.box_credit == "at_once":
            worth = _("A box is worth %s and counts towards the target at once.")
            if rules.deals is not None:
                worth = _("A box is worth %s, and counts at once.")
        said.append(worth % rules.box_bonus)
    shutouts = {
        "double_game_bonus": _("A shutout counts the game bonus twice."),
        "double_points": _("A shutout counts the winner's points twice."),
        "double_total": _("A shutout counts the winner's total twice."),
        "flat": _("A shutout adds %s.") % rules.shutout_amount,
    }
    if rules.shutout in shutouts:
        said.append(shutouts[rules.shutout])
    if rules.double_if_loser_boxless:
        said.append(_("The difference counts twice where the loser has no box."))
    if rules.last_column_double and rules.columns > 1:
        said.append(_("The last game counts twice."))
    return said
