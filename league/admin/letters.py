"""Acts by which officers write to those who play in an event, and to all of a club."""

from typing import Final

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.models import Club, Event
from league.notices.outbox import tells_by_mail
from league.notices.writing import check_letter, write_letter
from scoring.core.actors import Actor

_INTRO: Final = gettext_lazy(
    "An e-mail to each of them, in the club's name and with yours under it. It is kept in the audit."
)


class LetterForm(ActForm):
    """What is written."""

    subject = forms.CharField(
        label=gettext_lazy("Subject"), max_length=120, widget=forms.TextInput(attrs={"size": 60})
    )
    text = forms.CharField(label=gettext_lazy("Text"), max_length=4000, widget=AdminTextareaWidget)


def _preview(club: Club, event: Event | None, data: Data) -> Preview:
    readers = check_letter(club, event)
    unreached = len(readers.all) - len(readers.reached)
    lines = [
        ngettext("It will go to %(count)d person.", "It will go to %(count)d people.", len(readers.reached))
        % {"count": len(readers.reached)}
    ]
    if unreached:
        lines.append(
            ngettext(
                "%(count)d has no address, or wants no mail from officers.",
                "%(count)d have no address, or want no mail from officers.",
                unreached,
            )
            % {"count": unreached}
        )
    lines.append(_("Players without an account get nothing: tell them yourself."))
    return Preview([*lines, data["subject"], *data["text"].splitlines()])


def _write(by: Actor, club: Club, event: Event | None, data: Data) -> str:
    count = write_letter(actor=by, club=club, event=event, subject=data["subject"], text=data["text"])
    return ngettext("Written to %(count)d person.", "Written to %(count)d people.", count) % {"count": count}


TO_ENTRANTS: Final = Act[Event](
    slug="write",
    title=gettext_lazy("Write to all who play"),
    intro=_INTRO,
    form=LetterForm,
    preview=lambda event, data: _preview(event.club, event, data),
    run=lambda by, event, data: _write(by, event.club, event, data),
    offered=lambda event: tells_by_mail() and event.entries.exists(),
)

TO_MEMBERS: Final = Act[Club](
    slug="write",
    title=gettext_lazy("Write to all of the club"),
    intro=_INTRO,
    form=LetterForm,
    preview=lambda club, data: _preview(club, None, data),
    run=lambda by, club, data: _write(by, club, None, data),
    offered=lambda club: tells_by_mail(),
)
