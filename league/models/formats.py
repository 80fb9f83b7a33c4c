"""Choices of an event's settings, and the registry of formats.

Formats are objects. `league.draws.formats` registers them here when the app is loaded, so that lower rooms
can use them too.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

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
    """What is entered in an event."""

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
# Pairs, because drf-spectacular finds its name for the enum by them.
COUNTS_AS: "Final[Sequence[tuple[CountsAs, StrOrPromise]]]" = [
    (CountsAs.ZERO, _("0")),
    (CountsAs.OWN_AVERAGE, _("own average")),
    (CountsAs.ROUND_WINNERS, _("average of the round's winners")),
]
STRENGTHS: "Final[Sequence[tuple[CountsAs, StrOrPromise]]]" = [
    *COUNTS_AS,
    (CountsAs.FIDE, _("as FIDE's rule for unplayed rounds has it")),
    (CountsAs.OPPONENT, _("the opponent who was drawn; a bye has none")),
]


class Traits:
    """The part of a format that models and tables use; the rest is in `league.draws.formats.Format`.

    `title` is displayed, `key` is stored. If `partners_rotate`, a side is two entries of one player each. If
    `has_bracket`, there are ties, at least at the end; if `has_groups`, the table is one per group, and the
    best of each go on to the bracket. If `has_challenges`, places are won by challenges. If it `has_tables`,
    three to six sit at one and play one another at once; if it `cuts_tables`, the best of each go on. If
    everyone `meets_all`, a crosstable is a square; one that `pairs_by_results` is a Swiss. Unless it
    `counts_rounds`, each round is one match and its number is not shown. Where it `plays_duplicate`, two meet
    in each match of a round, and all can play the same packs. `leading_criteria` come before those
    of the event; `usual_order` is the default order of its table, and `usual_settings` are other defaults of
    a new event.
    """

    key: ClassVar[str]
    title: "ClassVar[StrOrPromise]"
    partners_rotate: ClassVar[bool] = False
    has_bracket: ClassVar[bool] = False
    has_groups: ClassVar[bool] = False
    has_challenges: ClassVar[bool] = False
    has_tables: ClassVar[bool] = False
    cuts_tables: ClassVar[bool] = False
    meets_all: ClassVar[bool] = False
    pairs_by_results: ClassVar[bool] = False
    # Rounds may be published long before they are played: an evening opens one after another.
    opens_in_turn: ClassVar[bool] = False
    counts_rounds: ClassVar[bool] = True
    plays_duplicate: ClassVar[bool] = False
    leading_criteria: ClassVar[tuple[str, ...]] = ()
    usual_order: ClassVar[tuple[str, ...]] = ("match_points", "net", "columns_won", "head_to_head", "lot")
    usual_settings: ClassVar[Mapping[str, Any]] = {}

    @property
    def players_of_a_side(self) -> int:
        """The players per side where players are entered."""
        return 2 if self.partners_rotate else 1

    def rounds_in_all(self, event: "Event", rounds: int, *, stages: int, before: int) -> int | None:
        """Return the number of rounds of a running event with those to come; None if open.

        `rounds` exist so far, `before` of them before the bracket, which has this many `stages`.
        """
        return rounds

    def rounds_to_pair(self, event: "Event", paired: Collection[int]) -> Sequence[int] | None:
        """Return the numbers of the rounds still to be paired besides those that are, whoever meets whom.

        None if it is open what is still to be played. Where all rounds are drawn at once there are none.
        """
        return None

    def places_before(self, event: "Event", *, until: int | None = None) -> Mapping[int, int] | None:
        """Return the places by entry id from which movements in the table count, `until` as in `places`.

        None: the places before the last round with results.
        """
        return None

    def places(self, event: "Event", *, until: int | None = None) -> Mapping[int, int]:
        """Return the places by entry id that the format itself gives, after round `until` if given.

        Else those of the file that the event was taken over from, which are the places after its last round.
        """
        if not event.taken_over or (until and event.rounds.filter(number__gt=until).exists()):
            return {}
        told = event.entries.values_list("pk", "told_place")
        return {entry: place for entry, place in told if place is not None}


DEFAULT_FORMAT: Final = "round_robin"

_REGISTERED: Final[dict[str, Traits]] = {}


def register(traits: Traits) -> None:
    """Register a format under its key; refuses (`ValueError`) a key in use."""
    if _REGISTERED.setdefault(traits.key, traits) is not traits:
        raise ValueError(f"Two formats are called {traits.key}.")


def registered() -> Mapping[str, Traits]:
    """Return all formats by key, in the order in which they are offered."""
    return _REGISTERED


def traits(key: str) -> Traits:
    """Return the format with this key; refused (`invalid`) if there is none."""
    found = _REGISTERED.get(key)
    if found is None:
        raise LeagueError("invalid", gettext("There is no format “%(key)s”.") % {"key": key}, field="format")
    return found


def traits_of(event: "Event") -> Traits:
    """Return the format of an event."""
    return traits(event.format)


def format_choices() -> "list[tuple[str, StrOrPromise]]":
    """Return the formats as choices of a field. A new format needs no migration."""
    return [(one.key, one.title) for one in _REGISTERED.values()]


class PointsScheme(models.TextChoices):
    """How match points are counted."""

    MATCH = "match", _("points for a match won, drawn, lost")
    COLUMNS = "columns", _("points for each column won and for the sheet")


class GroupsCompared(models.TextChoices):
    """How entries of groups that differ in size are compared (RULES §13)."""

    PER_MATCH = "per_match", _("per match played")
    WITHOUT_LAST = "without_last", _("without the results against the last of larger groups")


class AbsentMember(models.TextChoices):
    """What happens to a match if a team member is absent."""

    SUBSTITUTE = "substitute", _("a substitute plays")
    WALKOVER = "walkover", _("the match is given to the other side")
    POSTPONE = "postpone", _("the match is postponed")


class CountsWhen(models.TextChoices):
    """When an ended match counts."""

    AT_ONCE = "at_once", _("at once")
    ONE_SIGNATURE = "one", _("after one side has signed")
    BOTH_SIGNATURES = "both", _("after all sides have signed")
    DIRECTOR = "director", _("after the director has confirmed it")


class PlayedWhere(models.TextChoices):
    """Where the matches of an event are played."""

    AT_TABLE = "at_table", _("at a table")
    ONLINE = "online", _("online, on this site")
    EITHER = "either", _("at a table, or online if both want to")


class PackPlays(models.TextChoices):
    """How often each pack of duplicate is played on a sheet."""

    TWICE = "twice", _("twice, with seats changed")
    ONCE = "once", _("once, and compared only with other tables")

    @property
    def times(self) -> int:
        """The same as a number."""
        return 1 if self is PackPlays.ONCE else 2


class OnlineClock(models.TextChoices):
    """The clock of matches played online: none, or one of `games.tables.clocks.PRESETS` by its name."""

    NONE = "none", _("no clock")
    LIVELY = "lively", _("30 seconds a turn, 5 minutes for the match")
    RELAXED = "relaxed", _("2 minutes a turn, 15 for the match")
    CORRESPONDENCE = "correspondence", _("3 days a turn")


class OnlineTimeOut(models.TextChoices):
    """What happens to whoever runs out of time: as its clock has it, or a `TimeOut` by its name."""

    CLOCK = "clock", _("as is usual with that clock")
    DEFAULT_ACTION = "default_action", _("the turn is played automatically")
    LOSE_HAND = "lose_hand", _("the hand goes to the other")
    FORFEIT_MATCH = "forfeit_match", _("the match goes to the other")


class SitInCounts(models.TextChoices):
    """What a match counts that a bot has played to its end for its absent player."""

    PLAYED = "played", _("as it was played")
    FORFEIT = "forfeit", _("for the other side as it was played, for the absent player as a forfeit")


class OddTable(models.TextChoices):
    """What an entry does in a round in which nobody is left to play it, where a bot sits in."""

    REST = "rest", _("has a bye")
    BYE = "bye", _("plays the bot besides, and has the bye")
    PLAYED = "played", _("plays the bot, and it counts as it was played")


class WhoEnters(models.TextChoices):
    """Who may enter an event by himself, or as captain of a team, while its entries are open."""

    DIRECTOR = "director", _("only the director enters players")
    MEMBERS = "members", _("members of the club")
    PLAYERS = "players", _("everybody with an account and a player in the club")


class RequestState(models.TextChoices):
    """What stands between a player, or a team, and a place in an event."""

    FORMING = "forming", _("waits for partners")
    ASKED = "asked", _("awaits approval")
    WAITING = "waiting", _("on the waiting list")
    DECLINED = "declined", _("declined")
    LAPSED = "lapsed", _("not complete in time")


class InvitationState(models.TextChoices):
    """What a player has answered whom a captain has invited to a team."""

    INVITED = "invited", _("has not answered yet")
    ACCEPTED = "accepted", _("plays")
    DECLINED = "declined", _("does not play")


class PresenceState(models.TextChoices):
    """An entry's presence in a round."""

    HERE = "here", _("here")
    AWAY = "away", _("away")
    BYE = "bye", _("asked for a bye")
