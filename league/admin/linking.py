"""Says who an entry as written is, of an event that was taken over."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data, Preview
from league.acts.fields import NameField
from league.core.lifecycle import Doing
from league.events.linking import link_entry, may_link
from league.models import Entry, Match, Player
from scoring.core.actors import Actor


class LinkForm(ActForm):
    """The player of the club who has no entry in the event."""

    player = NameField(Player.objects.none(), label=gettext_lazy("Player"))

    def prepare(self, row: Entry) -> None:
        people = Player.objects.filter(club=row.event.club_id, merged_into=None, erased_at=None, strategy="")
        self.offer("player", people.exclude(memberships_in_entries__event=row.event_id))


def _preview(entry: Entry, data: Data) -> Preview:
    said = {"entry": entry.name, "player": data["player"]}
    matches = Match.objects.of_entry(entry).exclude(entry_b=None).count()
    return Preview(
        [
            _("“%(entry)s” will be %(player)s, and be called so from now on.") % said,
            _("Its matches will be on the player's page: %(count)d. They will count for no rating.")
            % {"count": matches},
            _("This can be taken back only with the whole import."),
        ]
    )


def _link(by: Actor, entry: Entry, data: Data) -> str:
    linked = link_entry(actor=by, entry=entry, player=data["player"])
    return _("This is %(player)s.") % {"player": linked.name}


LINK: Final = Act[Entry](
    slug="link",
    title=gettext_lazy("Say who this is"),
    intro=gettext_lazy("The entry is as another program wrote it. A name identifies nobody: say who it is."),
    form=LinkForm,
    preview=_preview,
    run=_link,
    doing=Doing.CORRECT,
    offered=may_link,
)
