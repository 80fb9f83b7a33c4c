"""The choices an event is made of: its states, how it is paired, and how what is not played counts."""

from django.db import models
from django.utils.translation import gettext_lazy as _


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


class EventFormat(models.TextChoices):
    """How an event is paired."""

    ROUND_ROBIN = "round_robin", _("round robin")
    SWISS = "swiss", _("Swiss")
    SINGLE_ELIMINATION = "single", _("single elimination")
    DOUBLE_ELIMINATION = "double", _("double elimination")
    GROUPS = "groups", _("groups, then a knockout")
    ROTATION = "rotation", _("partners that rotate")


BRACKETS = (EventFormat.SINGLE_ELIMINATION, EventFormat.DOUBLE_ELIMINATION, EventFormat.GROUPS)
"""The formats that have a bracket, at their end at least."""


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
