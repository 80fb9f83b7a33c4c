"""The choices an event is made of: its states, how it is paired, and how what is not played counts.

Formats are objects. `league.draws.formats` has them and makes them known here when the app is loaded, so that
rooms below it can ask them too.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import LeagueError

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from league.models.events import Event


class EventKind(models.TextChoices):
    """Who is entered in an event."""

    INDIVIDUAL = "individual", _("players")
    TEAM = "team", _("teams")


class EventState(models.TextChoices):
    """Where an event stands; `league.core.lifecycle` says what leads where and what each state allows."""

    DRAFT = "draft", _("draft")
    OPEN = "open", _("entries open")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    ARCHIVED = "archived", _("archived")


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


class TieDecider(models.TextChoices):
    """What decides a tie of a bracket whose sheets leave it drawn."""

    EXTRA_SHEET = "extra_sheet", _("an extra sheet")
    HIGHER_SEED = "higher_seed", _("the higher seed goes on")
    LOT = "lot", _("the lot")
    DIRECTOR = "director", _("the director")


class CountsAs(models.TextChoices):
    """The net that a match counts which was not played, and the strength of the opponent it lacks."""

    ZERO = "zero", _("0")
    OWN_AVERAGE = "own_average", _("own average")
    ROUND_WINNERS = "round_winners", _("average of the round's winners")


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


class RoundState(models.TextChoices):
    """Where a round stands. A drafted one has matches without sheets, and only directors see it."""

    DRAFTED = "drafted", _("draft")
    PUBLISHED = "published", _("published")
    COMPLETE = "complete", _("complete")


class PresenceState(models.TextChoices):
    """What is known of an entry for a round."""

    HERE = "here", _("here")
    AWAY = "away", _("away")
    BYE = "bye", _("asked for a bye")
