"""A movement in words: its size, and how uneven it is."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing.movements import Movement, Unevenness
from league.core.pairing.table_rounds import TableUnevenness


def size_words(movement: Movement) -> str:
    """Players, rounds and tables in a sentence."""
    tables = max((len(each.tables) for each in movement), default=0)
    return _("%(players)s, %(rounds)s, %(tables)s.") % {
        "players": ngettext("%d player", "%d players", movement.players) % movement.players,
        "rounds": ngettext("%d round", "%d rounds", len(movement)) % len(movement),
        "tables": ngettext("%d table", "%d tables", tables) % tables,
    }


def unevenness_words(uneven: Unevenness) -> list[str]:
    """A sentence each on partners, opponents and rests."""
    partners, opponents = _span(uneven.partners), _span(uneven.opponents)
    said = []
    if partners[0] == partners[1]:
        said.append(
            _("Everybody partners everybody %(times)s.") % {"times": _times(partners[0])}
            if partners[0]
            else _("Nobody has a partner.")
        )
    elif partners[1] == 1:
        said.append(_("Nobody has the same partner twice."))
    elif uneven.partner_repeats:
        said.append(
            ngettext(
                "%(count)d partnership comes again while others come more rarely: any two are partners "
                "%(fewest)d to %(most)d times.",
                "%(count)d partnerships come again while others come more rarely: any two are partners "
                "%(fewest)d to %(most)d times.",
                uneven.partner_repeats,
            )
            % {"count": uneven.partner_repeats, "fewest": partners[0], "most": partners[1]}
        )
    else:
        said.append(
            _("Any two are partners %(fewest)d or %(most)d times.")
            % {"fewest": partners[0], "most": partners[1]}
        )
    if opponents[0] == opponents[1]:
        said.append(_("Everybody opposes everybody %(times)s.") % {"times": _times(opponents[0])})
    elif opponents[1] == 1:
        said.append(_("Nobody has the same opponent twice."))
    else:
        words = _("Any two are opponents %(fewest)d to %(most)d times.")
        said.append(words % {"fewest": opponents[0], "most": opponents[1]})
    said.append(_rest_words(uneven))
    return said


def table_words(uneven: TableUnevenness) -> list[str]:
    """A sentence each on meetings and rests at tables of many."""
    fewest, most = uneven.least_met, uneven.most_met
    if fewest == most:
        said = _("Everybody meets everybody %(times)s.") % {"times": _times(most)}
    elif most == 1:
        said = _("Nobody meets anybody twice.")
    else:
        said = _("Any two meet %(fewest)d to %(most)d times.") % {"fewest": fewest, "most": most}
    return [said, _rest_words(uneven)]


def _rest_words(uneven: Unevenness | TableUnevenness) -> str:
    fewest, most = _span(uneven.rests)
    if most == 0:
        return _("Nobody sits out.")
    if fewest == most:
        return _("Everybody sits out %(times)s.") % {"times": _times(most)}
    return _("Everybody is without a table in %(fewest)d to %(most)d rounds.") % {
        "fewest": fewest,
        "most": most,
    }


def _span(tally: tuple[int, ...]) -> tuple[int, int]:
    """Return the lowest and the highest count."""
    times = [times for times, count in enumerate(tally) if count]
    return times[0], times[-1]


def _times(count: int) -> str:
    if count == 1:
        return _("once")
    if count == 2:
        return _("twice")
    return _("%d times") % count
