"""The pages of a club that follow by themselves, and whether they are shown as they would be made anew."""

from collections.abc import Iterator, Mapping

from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from league.draws.formats import format_of
from league.models import Club, Role
from league.tables.races import has_race
from tests.clients import logged_in
from tests.factories import UserFactory


def addresses_in(club: Club, *, most: int) -> Iterator[tuple[str, str]]:
    """The pages of the club that follow, by name: of each event, so many rounds and matches at most."""
    yield "club", reverse("club", args=[club.slug])
    for event in club.events.order_by("pk"):
        here = [club.slug, event.slug]
        yield "event", reverse("event", args=here)
        for name in sorted({"event_rounds", *(page.name for page in format_of(event).pages)}):
            yield name, reverse(name, args=here)
        if has_race(event, event.standings.count()):
            yield "event_race", reverse("event_race", args=here)
        for number in event.rounds.order_by("number").values_list("number", flat=True)[:most]:
            yield "round", reverse("round", args=[*here, number])
        for code in event.matches.order_by("-pk").values_list("code", flat=True)[:most]:
            yield "match", reverse("match", args=[*here, code])


def readers_of(club: Club) -> dict[str, Client]:
    """Who reads: somebody who is nobody here, and a director."""
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    return {"guest": Client(), "director": director}


class Watch:
    """Pages of a club, as these readers have them open."""

    def __init__(self, club: Club, readers: Mapping[str, Client] | None = None, *, most: int = 2) -> None:
        self.readers = readers or readers_of(club)
        self.seen = {
            (name, address): client.get(address)
            for name, client in self.readers.items()
            for _page, address in addresses_in(club, most=most)
        }

    def wrong(self) -> list[str]:
        """Look again; return what is not answered as it would be made anew, and ETags that tell no news."""
        before, wrong = self.seen, []
        self.seen = {(name, address): self.readers[name].get(address) for name, address in before}
        caches["looks"].clear()
        for (name, address), shown in self.seen.items():
            anew = self.readers[name].get(address)
            if (shown.status_code, shown.content) != (anew.status_code, anew.content):
                wrong.append(f"{name}: {address} is shown as it was")
            if shown.headers.get("ETag") != anew.headers.get("ETag"):
                wrong.append(f"{name}: {address} has two ETags")
            then = before[name, address]
            if (then.content == shown.content) != (then.headers.get("ETag") == shown.headers.get("ETag")):
                wrong.append(f"{name}: the ETag of {address} does not tell its text")
        return wrong
