"""The choices an event is made of: its states, how it is paired, and how what is not played counts.

Formats are objects. `league.draws.formats` has them and makes them known here when the app is loaded, so that
rooms below it can ask them too.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.lifecycle import EventState, RoundState
from league.core.pairing.ties import TieDecider
from league.core.standings import CountsAs
from league.errors import LeagueError

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from league.models.events import Event


class EventKind(models.TextChoices):
    """Who is entered in an event."""

    INDIVIDUAL = "individual", _("players")
    TEAM = "team", _("teams")


EVENT_STATES: "Final[Mapping[EventState, StrOrPromise]]" = {
    EventState.DRAFT: _("draft"),
    EventState.OPEN: _("entries open"),
    EventState.RUNNING: _("running"),
    EventState.FINISHED: _("finished"),
    EventState.ARCHIVED: _("archived"),
}
ROUND_STATES: "Final[Mapping[RoundState, StrOrPromise]]" = {
    RoundState.DRAFTED: _("draft"),
    RoundState.PUBLISHED: _("published"),
    RoundState.COMPLETE: _("complete"),
}
TIE_DECIDERS: "Final[Mapping[TieDecider, StrOrPromise]]" = {
    TieDecider.EXTRA_SHEET: _("an extra sheet"),
    TieDecider.HIGHER_SEED: _("the higher seed goes on"),
    TieDecider.LOT: _("the lot"),
    TieDecider.DIRECTOR: _("the director"),
}
# Pairs, as the names of enums in the API's document are looked up by them.
COUNTS_AS: "Final[Sequence[tuple[CountsAs, StrOrPromise]]]" = [
    (CountsAs.ZERO, _("0")),
    (CountsAs.OWN_AVERAGE, _("own average")),
    (CountsAs.ROUND_WINNERS, _("average of the round's winners")),
]


class Traits:
    """What the models and the tables ask of a format; all that differs is in `league.draws.formats.Format`.

    `title` is what people call it, `key` what is stored. Where `partners_rotate` a side is two entries of one
    player each. With `has_bracket` there are ties, at its end at least; with `has_groups` the table is one of
    groups, of whom the best go on to the bracket. With `has_ladder` places are won by challenges. Where
    everybody `meets_all` a crosstable is a square.
    `leading_criteria` come before those of the event; `usual_order` is what most clubs sort its table by.
    """

    key: ClassVar[str]
    title: "ClassVar[StrOrPromise]"
    partners_rotate: ClassVar[bool] = False
    has_bracket: ClassVar[bool] = False
    has_groups: ClassVar[bool] = False
    has_ladder: ClassVar[bool] = False
    meets_all: ClassVar[bool] = False
    leading_criteria: ClassVar[tuple[str, ...]] = ()
    usual_order: ClassVar[tuple[str, ...]] = ("match_points", "net", "columns_won", "head_to_head", "lot")

    @property
    def players_of_a_side(self) -> int:
        """How many play on a side where players are entered."""
        return 2 if self.partners_rotate else 1

    def rounds_in_all(self, event: "Event", rounds: int, *, stages: int, before: int) -> int | None:
        """How many rounds a running event has with those to come, as far as is known; None where it is open.

        There are `rounds` by now, `before` of them before those of its bracket, which has so many `stages`.
        """
        return rounds

    def places(self, event: "Event", *, until: int | None = None) -> Mapping[int, int]:
        """The places by id of entry that the format itself gives, after round `until` where one is said."""
        return {}


DEFAULT_FORMAT: Final = "round_robin"

_REGISTERED: Final[dict[str, Traits]] = {}


def register(traits: Traits) -> None:
    """Makes a format known under its key; refuses (`ValueError`) a key that another has."""
    if _REGISTERED.setdefault(traits.key, traits) is not traits:
        raise ValueError(f"Two formats are called {traits.key}.")


def registered() -> Mapping[str, Traits]:
    """All formats by their keys, in the order in which they are offered."""
    return _REGISTERED


def traits(key: str) -> Traits:
    """The format with this key; refused (`invalid`) where there is none."""
    found = _REGISTERED.get(key)
    if found is None:
        raise LeagueError("invalid", gettext("There is no format “%(key)s”.") % {"key": key}, field="format")
    return found


def traits_of(event: "Event") -> Traits:
    """The format of an event."""
    return traits(event.format)


def format_choices() -> "list[tuple[str, StrOrPromise]]":
    """The formats as choices of a field. A new one changes no table, so it needs no migration."""
    return [(one.key, one.title) for one in _REGISTERED.values()]


class PointsScheme(models.TextChoices):
    """What a match is worth in the table."""

    MATCH = "match", _("points for a match won, drawn, lost")
    COLUMNS = "columns", _("points for each column won and for the sheet")


class AbsentMember(models.TextChoices):
    """What happens to a match where one member of a team is absent."""

    SUBSTITUTE = "substitute", _("a substitute plays")
    WALKOVER = "walkover", _("the match is given to the other side")
    POSTPONE = "postpone", _("the match is postponed")


class CountsWhen(models.TextChoices):
    """When a match counts whose sheet has ended."""

    AT_ONCE = "at_once", _("at once")
    ONE_SIGNATURE = "one", _("after one side has signed")
    BOTH_SIGNATURES = "both", _("after both sides have signed")
    DIRECTOR = "director", _("after the director has confirmed it")


class PresenceState(models.TextChoices):
    """What is known of an entry for a round."""

    HERE = "here", _("here")
    AWAY = "away", _("away")
    BYE = "bye", _("asked for a bye")
