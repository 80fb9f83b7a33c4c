"""Seasons, events and rounds."""

import datetime
import re
import secrets
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from league.core.lifecycle import EventState, RoundState
from league.core.pairing.ties import TieDecider
from league.core.standings import CRITERIA, Number
from league.models.clubs import MOST_ABOUT, Club
from league.models.fields import choice, counts, line, number, number_or_none, points, strength, switch, text
from league.models.formats import (
    DEFAULT_FORMAT,
    EVENT_STATES,
    ROUND_STATES,
    TIE_DECIDERS,
    AbsentMember,
    CountsWhen,
    EventKind,
    GroupsCompared,
    PlayedWhere,
    PointsScheme,
    Traits,
    WhoEnters,
    format_choices,
    registered,
    traits,
)
from league.models.online_play import PlayedOnline, check_online_play
from league.models.tracking import Tracked
from scoring.core.kinds import MOST_SIDES
from scoring.models import HouseRules, random_code
from scoring.words.messages import translated

if TYPE_CHECKING:
    pass


class Season(Tracked):
    """A period of a club's calendar, with its events."""

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once")]
        ordering: ClassVar = ["club_id", "-starts_on", "name"]

    def __str__(self) -> str:
        return self.name


def check_criteria(value: object) -> None:
    """Refuse anything but an ordered list of distinct, known criteria."""
    if not isinstance(value, list) or not value:
        raise ValidationError(_("Name at least one criterion."))
    for name in value:
        if name not in CRITERIA:
            raise ValidationError(
                _("“%(name)s” is not a criterion; there are: %(known)s."),
                params={"name": name, "known": ", ".join(CRITERIA)},
            )
    if len(set(value)) != len(value):
        raise ValidationError(_("A criterion is listed twice."))


def usual_criteria() -> list[str]:
    """Return the default order of a table."""
    return list(Traits.usual_order)


def points_by_place(written: str) -> tuple[Number, ...]:
    """Return the points for first, second, … place at a table: "3 1 0", with dots for halves.

    Refused (`ValidationError`): none or more than six, anything but numbers from −100 to 100 with at most two
    decimals, and a place that is worth more than the one before it.
    """
    words = written.split()
    if not 1 <= len(words) <= MOST_SIDES or not all(_POINTS.fullmatch(word) for word in words):
        raise ValidationError(
            _("Write the points for each place, the first place first, with spaces between: 3 1 0.")
        )
    points = [Decimal(word.replace("−", "-")) for word in words]
    if any(abs(each) > 100 for each in points):
        raise ValidationError(_("A place is worth 100 points at most."))
    if points != sorted(points, reverse=True):
        raise ValidationError(_("No place is worth more than a better one."))
    return tuple(int(each) if each == each.to_integral_value() else each.normalize() for each in points)


def check_place_points(written: str) -> None:
    """Refuse what `points_by_place` refuses."""
    points_by_place(written)


class Pyramid(models.Model):
    """Divisions of a league: each season they are events, with `level` 1 at the top.

    After a season `moving` entries of each division are promoted and as many of the one above relegated.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="pyramids", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    moving = models.PositiveSmallIntegerField(
        _("promoted and relegated"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text=_("How many change places between two neighbouring divisions after a season."),
    )

    class Meta:
        verbose_name = _("divisions")
        verbose_name_plural = _("divisions")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "slug"], name="pyramid_slug_once")]
        ordering: ClassVar = ["club_id", "name"]

    def __str__(self) -> str:
        return self.name


MOST_PLACES: Final = 9999
# The longest that a round takes, a day.
MOST_MINUTES: Final = 1440
_POINTS: Final = re.compile(r"[-−]?\d{1,3}(\.\d{1,2})?", re.ASCII)
MOST_SEED: Final = 999_999_999


def drawn_seed() -> int:
    """Return the number by which lots are drawn, as nobody can foretell it."""
    return secrets.randbelow(MOST_SEED + 1)


_SIZES: Final = _("Players play alone, or two a side where partners rotate; teams have 2 to 12 a side.")


class Event(PlayedOnline, Tracked):
    """A competition: one version of rules, its entries, and the settings of its table.

    `calculation` counts writes of its standings and guards them against older calculations; `standings_at` is
    the time the displayed table is "as of". `qualified` are the ids of entries that qualified from the
    groups, by seed, when the bracket was drawn or last kept. `rests_between_groups`: its bracket was drawn
    when the points of rests counted between groups, and it keeps to that until it is drawn again;
    `level_as_listed`: when who was level at a line went on in the order of the table; `lot_settled_bracket`:
    when the lot of the table and the number of the group decided that. `lot_settled_places`: it was finished
    when the lot decided its places; so it does until the event is reopened, but who goes up or down is asked
    if the season after it is not drafted.
    `former_tie_breaks`: it was drawn before tie-breaks were all as FIDE has them (RULES §12), and keeps its
    own, unless it is drawn again before anything is played.

    `accelerated_rounds` of an accelerated Swiss have virtual points, since round 1 was drawn. An event that
    was `taken_over` from another program's file is finished, and has results of games without deals (RULES
    §18).
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events", verbose_name=_("club"))
    season = models.ForeignKey(
        Season,
        on_delete=models.PROTECT,
        related_name="events",
        null=True,
        blank=True,
        verbose_name=_("season"),
    )
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    kind = models.CharField(
        _("entries are"), max_length=12, choices=EventKind.choices, default=EventKind.INDIVIDUAL
    )
    team_size = models.PositiveSmallIntegerField(
        _("players of a side"), default=1, validators=[MinValueValidator(1), MaxValueValidator(12)]
    )
    state = models.CharField(
        _("state"), max_length=8, choices=EVENT_STATES, default=EventState.DRAFT, editable=False
    )
    format = models.CharField(_("format"), max_length=12, choices=format_choices, default=DEFAULT_FORMAT)
    rounds_planned = number_or_none(_("rounds"), 1, 99)
    third_place = models.BooleanField(_("play for third place"), default=False)
    best_of = models.PositiveSmallIntegerField(
        _("sheets of a tie"), choices=[(1, _("one sheet")), (3, _("best of three sheets"))], default=1
    )
    tie_decider = models.CharField(
        _("a drawn tie is decided by"), max_length=12, choices=TIE_DECIDERS, default=TieDecider.EXTRA_SHEET
    )
    group_count = number_or_none(_("groups"), 2, 64)
    qualifiers = number_or_none(_("of each group go on"))
    table_size = number(_("at a table"), 4, 3, MOST_SIDES)
    best_next = number(_("best of the next places go on"), 0, 0, 63)
    groups_compared = choice(_("groups are compared"), 12, GroupsCompared.PER_MATCH)
    challenge_reach = number(_("rungs a challenge reaches"), 3, 1, 99)
    challenge_days = number(_("days to play a challenge"), 14, 1, 366)
    protected_days = number(_("days of protection after a match"), 0, 0, 366)
    absence_days = models.PositiveSmallIntegerField(
        _("days an absence counts"),
        null=True,
        blank=True,
        default=28,
        db_default=28,
        validators=[MinValueValidator(1), MaxValueValidator(999)],
    )
    accelerated = switch(_("accelerated pairing"))
    check_in = models.BooleanField(
        _("check in"), default=False, help_text=_("Only those marked as here are paired.")
    )
    absent_member = models.CharField(
        _("where one member of a team is absent"),
        max_length=10,
        choices=AbsentMember.choices,
        default=AbsentMember.SUBSTITUTE,
    )
    pyramid = models.ForeignKey(
        Pyramid,
        on_delete=models.PROTECT,
        related_name="events",
        null=True,
        blank=True,
        verbose_name=_("divisions"),
    )
    level = number_or_none(_("division"))
    rules = models.ForeignKey(
        HouseRules, on_delete=models.PROTECT, related_name="events", verbose_name=_("rules")
    )
    venue = line(_("where"), 120)
    starts_at = models.DateTimeField(_("begins"), null=True, blank=True)
    round_minutes = number_or_none(_("minutes a round"), 1, MOST_MINUTES)
    about = text(_("about"), MOST_ABOUT)
    contact = line(_("contact"), 120)
    fee = line(_("fee"), 80)
    places = number_or_none(_("places"), 1, MOST_PLACES)
    # Events of before have no door of their own: whoever wants to play tells the director.
    who_enters = models.CharField(
        _("who may enter"),
        max_length=8,
        choices=WhoEnters.choices,
        default=WhoEnters.MEMBERS,
        db_default=WhoEnters.DIRECTOR,
    )
    entries_open_at = models.DateTimeField(_("entries open"), null=True, blank=True)
    entries_close_at = models.DateTimeField(_("entries close"), null=True, blank=True)
    lowest_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    divisions_of = models.ForeignKey(
        Pyramid,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("for divisions of"),
    )
    highest_division = number_or_none(_("highest division"))
    lowest_division = number_or_none(_("lowest division"))
    approves_entries = switch(_("the director approves entries"))
    criteria = models.JSONField(_("order of the table"), default=usual_criteria, validators=[check_criteria])
    restart_criteria = models.BooleanField(
        _("begin again at the first criterion inside each group that is left"), default=False
    )
    points_scheme = models.CharField(
        _("points"), max_length=8, choices=PointsScheme.choices, default=PointsScheme.MATCH
    )
    win_points = points(2, _("match won"))
    draw_points = points(1, _("match drawn"))
    loss_points = points(0, _("match lost"))
    column_points = points(1, _("column won"))
    sheet_points = points(1, _("sheet won"))
    place_points = models.CharField(
        _("places at a table"),
        max_length=60,
        default="3 1 0",
        db_default="3 1 0",
        validators=[check_place_points],
    )
    bye_points = points(2, _("bye"))
    absent_points = points(1, _("round sat out by request"))
    late_points = points(0, _("round missed by a late entry"))
    bye_net = counts(_("net of a bye"))
    forfeit_net = counts(_("net of a match won without play"))
    absent_net = counts(_("net of a round sat out by request"))
    bye_strength = strength(_("strength of a bye"))
    forfeit_strength = strength(_("strength of an opponent who did not play"))
    absent_strength = strength(_("strength of a round sat out by request"))
    net_cap = models.PositiveIntegerField(
        _("cap of the net of a match"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    best_nights = number_or_none(_("only the best … nights count"))
    prizes = number(_("places with a prize"), 0, 0, 99)
    bot_matches_count = switch(
        _("matches between bots count"),
        on=True,
        told=_("Otherwise they are played and shown, and count neither in tables nor for ratings."),
    )
    counts_when = choice(_("a match counts"), 8, CountsWhen.AT_ONCE)
    holds_results = switch(_("results are hidden until the director releases the night"))
    lot_seed = models.PositiveIntegerField(
        _("seed of the lot"), default=drawn_seed, validators=[MaxValueValidator(MOST_SEED)]
    )
    qualified = models.JSONField(null=True, editable=False)
    rests_between_groups = models.BooleanField(default=False, db_default=False, editable=False)
    level_as_listed = models.BooleanField(default=False, db_default=False, editable=False)
    lot_settled_bracket = models.BooleanField(default=False, db_default=False, editable=False)
    lot_settled_places = models.BooleanField(default=False, db_default=False, editable=False)
    accelerated_rounds = models.PositiveSmallIntegerField(null=True, editable=False)
    former_tie_breaks = models.BooleanField(default=False, db_default=False, editable=False)
    taken_over = models.BooleanField(default=False, db_default=False, editable=False)
    hall_match = models.ForeignKey(
        "league.Match", null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now())
    calculation = models.PositiveBigIntegerField(default=0, editable=False)
    standings_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "slug"], name="event_slug_once"),
            models.CheckConstraint(
                # `clean` decides which settings apply to the format; every service saves through it.
                condition=models.Q(kind=EventKind.INDIVIDUAL, team_size__gte=1, team_size__lte=2)
                | models.Q(kind=EventKind.TEAM, team_size__gte=2, team_size__lte=12),
                name="event_team_size",
                violation_error_message=_SIZES,
            ),
            models.CheckConstraint(
                condition=models.Q(pyramid=None, level=None)
                | models.Q(pyramid__isnull=False, level__isnull=False),
                name="event_level",
                violation_error_message=_("A division has a number from the top; other events have none."),
            ),
            models.UniqueConstraint(
                fields=["pyramid", "season", "level"],
                condition=models.Q(pyramid__isnull=False),
                name="event_level_once",
                violation_error_message=_("This season has that division already."),
            ),
        ]
        ordering: ClassVar = ["club_id", "-created_at", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def counts_rounds(self) -> bool:
        """True if its rounds are called by number."""
        return traits(self.format).counts_rounds

    @cached_property
    def has_reserves(self) -> bool:
        """True if a team of it has more players than sit at a table; each row is asked once."""
        if self.team_size == 1:
            return False
        teams = self.members.order_by().values("entry").annotate(number=models.Count("pk"))
        return teams.filter(number__gt=self.team_size).exists()

    @property
    def has_tables(self) -> bool:
        """True if three to six sit at a table."""
        return traits(self.format).has_tables

    @property
    def is_on_paper(self) -> bool:
        """True if any of it may be played at a table, for which something is printed or scanned."""
        return self.played != PlayedWhere.ONLINE

    @property
    def place_points_told(self) -> str:
        """The points for each place at a table, as they are read: "3, 1, 0"."""
        return ", ".join(self.place_points.split())

    @property
    def where(self) -> str:
        """Where it is played: its own place, else the club's; "" if neither is known."""
        return self.venue or self.club.place

    @property
    def asks_at(self) -> str:
        """Whom to ask: its own contact, else the club's; "" if neither is known."""
        return self.contact or self.club.contact

    @property
    def is_announced(self) -> bool:
        """True if its page says more of it than its name, or lets members enter."""
        told = (
            self.venue,
            self.starts_at,
            self.round_minutes,
            self.about,
            self.contact,
            self.fee,
            self.places,
        )
        is_online = self.played != PlayedWhere.AT_TABLE
        return is_online or any(told) or (self.state == EventState.OPEN and self.lets_enter)

    @property
    def lets_enter(self) -> bool:
        """True if anybody enters by himself, or as captain of a team: where its director has said who."""
        return self.who_enters != WhoEnters.DIRECTOR

    def _clean_divisions(self) -> None:
        top, bottom, of = self.highest_division, self.lowest_division, self.divisions_of
        if of is None and (top is not None or bottom is not None):
            raise ValidationError({"divisions_of": _("Say of what the divisions are.")})
        if of is not None and of.club_id != self.club_id:
            raise ValidationError({"divisions_of": _("These divisions are another club's.")})
        if top is not None and bottom is not None and bottom < top:
            raise ValidationError(
                {"lowest_division": _("Division 1 is the highest: the lowest comes after it.")}
            )

    def clean(self) -> None:
        opens, closes = self.entries_open_at, self.entries_close_at
        if opens is not None and closes is not None and closes <= opens:
            raise ValidationError({"entries_close_at": _("Entries close after they have opened.")})
        lowest, highest = self.lowest_rating, self.highest_rating
        if lowest is not None and highest is not None and highest < lowest:
            raise ValidationError({"highest_rating": _("The highest rating is not below the lowest.")})
        self._clean_divisions()
        if self.season is not None and self.club_id is not None and self.season.club_id != self.club_id:
            raise ValidationError({"season": _("This season is another club's.")})
        check_online_play(self)
        own, is_alone = registered().get(self.format), self.kind == EventKind.INDIVIDUAL
        if own and (self.team_size != own.players_of_a_side if is_alone else own.partners_rotate):
            raise ValidationError(_SIZES)
        if own and own.has_tables and isinstance(self.criteria, list):
            without = [name for name in self.criteria if name in CRITERIA and not CRITERIA[name].at_tables]
            if without:
                said = _("“%(criterion)s” has no meaning where more than two meet at a table.")
                raise ValidationError(
                    {"criteria": said % {"criterion": translated(CRITERIA[without[0]].title)}}
                )


class Round(Tracked):
    """One round of an event, usually one night.

    With a `last_day` it is no night: its players arrange when they meet, from its `date` to that day.
    `ends_at` is when its time is up, by the clock that a director started; None if it has none.
    `called_at` is when time was called for all its tables, `released_at` when held results were released.
    `closed_reason` says why it was closed with something open. `drawn_from` are digests of the results,
    by round, and of what else it was paired by; None if by no results (`league.draws.staleness`). `scores`
    are the points by which a Swiss paired it, virtual ones included, as text by the id of the entry.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("event"))
    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    number = models.PositiveSmallIntegerField(_("number"), validators=[MinValueValidator(1)])
    date = models.DateField(_("date"), null=True, blank=True)
    last_day = models.DateField(
        _("last day"),
        null=True,
        blank=True,
        help_text=_("The players arrange their matches, from the date to this day. Empty: it is one night."),
    )
    state = models.CharField(
        _("state"), max_length=9, choices=ROUND_STATES, default=RoundState.PUBLISHED, editable=False
    )
    ends_at = models.DateTimeField(_("time is up at"), null=True, blank=True, editable=False)
    called_at = models.DateTimeField(_("time called at"), null=True, blank=True, editable=False)
    released_at = models.DateTimeField(_("released at"), null=True, blank=True, editable=False)
    closed_reason = models.CharField(max_length=300, blank=True, default="", db_default="", editable=False)
    drawn_from = models.JSONField(null=True, editable=False)
    scores = models.JSONField(null=True, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once"),
            models.CheckConstraint(
                condition=models.Q(last_day=None)
                | models.Q(date__isnull=False, last_day__gte=models.F("date")),
                name="round_last_day_after_date",
                violation_error_message=_("A round with a last day has a date, which is not after it."),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["date"], name="round_by_date")]
        ordering: ClassVar = ["event_id", "number"]

    def is_night_of(self, day: datetime.date) -> bool:
        """True if all of it is played on this one day."""
        return self.date == day and self.last_day is None

    def is_on(self, day: datetime.date) -> bool:
        """True if it is played on this day, or on days of which this is one."""
        return self.date is not None and self.date <= day <= (self.last_day or self.date)

    def __str__(self) -> str:
        if not self.event.counts_rounds:
            return _("%(event)s: a challenge") % {"event": self.event}
        return _("%(event)s, round %(number)s") % {"event": self.event, "number": self.number}
