"""What a notice in words consists of, and whom it is told with which names."""

import datetime
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import EntryMember, Event, Match, Notice, RoundState
from league.policy.naming import Names


class NotYet(Exception):
    """What the notice tells is being calculated: it is to be asked again."""


@dataclass(frozen=True, slots=True)
class Said:
    """A notice in words: its title, what it says, and the path of the page that says more, with its name."""

    title: str
    lines: tuple[str, ...]
    path: str
    page: str


@dataclass(frozen=True, slots=True)
class Told:
    """A notice of an event with its reader, and the names that he may see."""

    notice: Notice
    event: Event
    reader: User
    names: Names

    @property
    def own(self) -> set[int]:
        """The reader's entries in the event, by id."""
        members = EntryMember.objects.filter(event=self.event, player__user=self.reader)
        return set(members.order_by().values_list("entry", flat=True))

    def match(self) -> Match | None:
        """The match that it is about, if the round is still published, with its sides, round and sheet."""
        rows = Match.objects.exclude(round__state=RoundState.DRAFTED).with_sides("round", "sheet")
        if (match := rows.filter(notices=self.notice).first()) is not None:
            match.event = self.event
        return match

    def sides(self, match: Match) -> set[int]:
        """The sides of the match on which the reader sits."""
        seats = match.appearances.filter(player__user=self.reader).order_by()
        return set(seats.values_list("side", flat=True))


def event_page(event: Event) -> tuple[str, str]:
    """The page of an event, with its name."""
    return reverse("event", args=[event.club.slug, event.slug]), _("The event")


def match_page(match: Match) -> tuple[str, str]:
    """The page of a match, with its name."""
    return reverse("match", args=[match.event.club.slug, match.event.slug, match.code]), _("The match")


def clock(told: Told, at: datetime.datetime) -> str:
    """A time by the club's clock."""
    return date_format(at.astimezone(told.event.club.zone), "l j F Y, H:i")
