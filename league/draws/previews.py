"""What the drawing of several rounds at once shows before anything is stored."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_stubs_ext import StrOrPromise

from league.acts import Preview
from league.acts.fields import day_words
from league.draws.plans import Draw


def preview_of(
    draw: Draw, who: StrOrPromise, notes: Iterable[StrOrPromise], *, matches: str, byes: str
) -> Preview:
    """The rounds as a table after a sentence with their number and the `notes`.

    `who` are the entries, counted: "8 players"; `matches` and `byes` are the heads of their columns.
    """
    counted = _("%(who)s, %(rounds)s, %(matches)s.") % {
        "who": who,
        "rounds": ngettext("%d round", "%d rounds", len(draw.rounds)) % len(draw.rounds),
        "matches": ngettext("%d match", "%d matches", draw.matches) % draw.matches,
    }
    return Preview(
        [counted, *notes],
        [_("Round"), _("Date"), matches, byes],
        [
            [
                planned.number,
                day_words(planned.date) if planned.date else "",
                " · ".join(map(str, planned.matches)),
                ", ".join(str(bye.entry) for bye in planned.byes),
            ]
            for planned in draw.rounds
        ],
    )
