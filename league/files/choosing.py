"""The club and the event that a command line names."""

from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.files.people import same_text
from league.models import Club, Event


def chosen_club(slug: str | None) -> Club:
    """The club with this slug, or the only one. Refuses `unknown_club`, `no_club` and `which_club`."""
    clubs = {club.slug: club for club in Club.objects.order_by("slug")}
    known = ", ".join(clubs)
    if slug is not None:
        if slug not in clubs:
            message = (
                _("There is no club “%(slug)s”; there are: %(known)s.")
                if clubs
                else _("There is no club “%(slug)s”; there is none at all.")
            )
            raise LeagueError("unknown_club", message % {"slug": slug[:60], "known": known}, field="club")
        return clubs[slug]
    if not clubs:
        raise LeagueError("no_club", _("There is no club yet."), field="club")
    if len(clubs) > 1:
        raise LeagueError(
            "which_club", _("Say which club with --club: %(known)s.") % {"known": known}, field="club"
        )
    return next(iter(clubs.values()))


def chosen_event(text: str, club: Club | None = None) -> Event:
    """The event with this slug or name, in this club or any. Refuses `unknown_event`, `which_event`."""
    events = Event.objects.select_related("club", "rules")
    if club is not None:
        events = events.filter(club=club)
    found = list(events.filter(slug=text)) or [
        event for event in events if same_text(event.name) == same_text(text)
    ]
    if not found:
        raise LeagueError(
            "unknown_event", _("There is no event “%(text)s”.") % {"text": text[:80]}, field="event"
        )
    if len(found) > 1:
        places = ", ".join(sorted(f"{event.club.slug}/{event.slug}" for event in found))
        raise LeagueError(
            "which_event",
            _("Several events are called so: %(places)s. Say the address, and --club.") % {"places": places},
            field="event",
        )
    return found[0]
