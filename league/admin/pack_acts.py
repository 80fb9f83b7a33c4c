"""The acts on the packs of a duplicate round: draw them, or take them from a list."""

from typing import Final

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.tables.pack_lists import MOST_CHARACTERS
from league.acts import Act, ActForm, Data, passes
from league.core.lifecycle import Doing
from league.draws import packs
from league.models import Round
from scoring.core.actors import Actor


class ListForm(ActForm):
    """A list of packs, pasted."""

    packs = forms.CharField(
        label=gettext_lazy("List of packs"),
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=gettext_lazy("As the list of another round is: pack,non_dealer,dealer,upcard,stock."),
    )


def _draw(by: Actor, round_: Round, data: Data) -> str:
    return _said(packs.draw_packs(actor=by, round_=round_).commitment)


def _take(by: Actor, round_: Round, data: Data) -> str:
    return _said(packs.take_packs(actor=by, round_=round_, listed=data["packs"]).commitment)


def _said(commitment: str) -> str:
    return _("The round has its packs. Seal: %(commitment)s") % {"commitment": commitment}


def _is_changeable(round_: Round) -> bool:
    return passes(packs.check_changeable, round_.event, round_)


def _is_listable(round_: Round) -> bool:
    return passes(packs.check_listable, round_.event, round_)


def _page(round_: Round) -> str:
    return reverse("event_packs", args=[round_.event.club.slug, round_.event.slug])


ACTS: Final[tuple[Act[Round], ...]] = (
    Act(
        slug="draw-packs",
        title=gettext_lazy("Draw the packs"),
        doing=Doing.PLAY,
        intro=gettext_lazy(
            "They are newly shuffled, and replace any that the round has. Where it is played at tables, "
            "print the list, and lay real cards out by it."
        ),
        run=_draw,
        submit=gettext_lazy("Draw them now"),
        offered=_is_changeable,
        leads_to=_page,
    ),
    Act(
        slug="take-packs",
        title=gettext_lazy("Take packs from a list"),
        doing=Doing.PLAY,
        form=ListForm,
        run=_take,
        submit=gettext_lazy("Take them"),
        offered=_is_listable,
        leads_to=_page,
    ),
)
