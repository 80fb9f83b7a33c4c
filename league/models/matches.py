"""Matches: line-ups of two sides or of a table, a sheet, and its result or one awarded by a director."""

import datetime
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.core.lifecycle import AWARDED, CONTESTED, PLAYED, SAT_OUT, UNFINISHED, MatchState
from league.core.standings.results import Verdict
from league.models.brackets import Tie
from league.models.clubs import Club
from league.models.cuts import CutDecision
from league.models.entries import Entry
from league.models.events import Event, Round
from league.models.fields import line
from league.models.formats import OddTable, SitInCounts
from league.models.people import Player
from league.models.tracking import Tracked
from scoring.core.kinds import MOST_SIDES
from scoring.models import ActedOn, Scoresheet, SheetStatus, random_code

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


MATCH_STATES: "Final[Mapping[MatchState, StrOrPromise]]" = {
    MatchState.SCHEDULED: _("not played yet"),
    MatchState.PLAYING: _("playing"),
    MatchState.FINISHED: _("finished"),
    MatchState.STOPPED: _("stopped"),
    MatchState.BYE: _("bye"),
    MatchState.FORFEIT: _("forfeit"),
    MatchState.WALKOVER: _("walkover"),
    MatchState.ABSENT: _("asked to sit out"),
    MatchState.TAKEN_OVER: _("taken over"),
}


# The entries of a match in order of sides: two, or three to six at a table of many.
ENTRIES: Final = ("entry_a", "entry_b", "entry_c", "entry_d", "entry_e", "entry_f")
# These, and the second partners of two sides.
SEATED: Final = (*ENTRIES, "partner_a", "partner_b")
# What of them is of which side.
_OF_SIDE: Final = (("entry_a", "partner_a"), ("entry_b", "partner_b"), *((name,) for name in ENTRIES[2:]))


# Characters of the place where a match is played.
MOST_PLACE: Final = 120


class Rest(StrEnum):
    """How an entry sits a round out."""

    BYE = "bye"
    BESIDES = "besides"
    """A bye, and besides it plays a bot, which counts nothing (RULES §25)."""
    PLAYED = "played"
    """It plays a bot in place of a bye, and that counts as it is played."""
    ABSENT = "absent"
    """At its own request."""


class MatchQuerySet(models.QuerySet["Match"]):
    """Queries on matches by their entries."""

    def of_entry(self, entry: Entry) -> Self:
        """Return the matches with the entry on a side, as a partner too."""
        return self.of_entries([entry])

    def of_entries(self, entries: Any) -> Self:
        """Return the matches with one of these entries (rows or ids) on a side."""
        anywhere = models.Q()
        for name in SEATED:
            anywhere |= models.Q((f"{name}__in", entries))
        return self.filter(anywhere)

    def with_sides(self, *more: str) -> Self:
        """Load the entries of all sides along, and `more` relations."""
        return self.select_related(*SEATED, *more)


def _further_side(letter: str) -> "models.ForeignKey[Entry | None, Entry | None]":
    return models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name=f"matches_as_{letter}", null=True, blank=True
    )


class Match(Tracked):
    """A match between two sides or at a table of three to six, or a round that an entry sits out.

    Who sits it out has no `entry_b`. At a table every side is one entry, and `at_table` has for each side its
    place, net, hands won and gins once the sheet has ended; else it is empty. Where partners rotate, a side
    is two entries: `entry_a` with `partner_a` against `entry_b` with `partner_b`. A match of a bracket is
    sheet number `leg` of a `tie`. One of a `play_off` counts for that order alone, not in the table.
    `reasons` say why the pairing made it (`core.pairing_reasons`). `planned_on` is set if it is not played
    with its round, and `planned_at` if the time is known too: that day in the club's zone. `planned_place` is
    where, if not where the event is played. `last_day_told` is the last day of which it was told that it
    is near.

    `label` is printed on its paper sheet. Side 0 is `entry_a`, side 1 `entry_b`, on the sheet too. From
    `winner_side` on the figures are the sheet's (points positive for side 0); of a forfeit or walkover
    `winner_side` is who gets the match, None if neither. A match taken over from another program has a
    winner, None if it was drawn, and neither sheet nor figures; `given_points` are those of side 0, and
    `given_points_b` those of side 1, where the program says others than the event gives. `held` keeps the
    result out of the standings: the sheet differs from its paper, is disputed, or lacks what the event
    requires before a match counts. `confirmed_version` is the version of the sheet that a director confirmed
    regardless of signatures. `bot_side` is the side that a bot plays for its absent player, who has not come.
    A bye with a sheet is played against a bot: its second side is of no entry, and `winner_side` and figures
    are of that sheet once it has ended. It is `bye_given` where a director has given it in place of the bot,
    until he lets it be played after all. `annulled` is that of an entry on either side; its result stays, and
    stays rated (RULES §14).
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="matches")
    round = models.ForeignKey(
        Round, on_delete=models.CASCADE, related_name="matches", verbose_name=_("round")
    )
    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    label = models.CharField(_("sheet"), max_length=40)
    entry_a = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="matches_as_a", verbose_name=_("first side")
    )
    entry_b = models.ForeignKey(
        Entry,
        on_delete=models.PROTECT,
        related_name="matches_as_b",
        null=True,
        blank=True,
        verbose_name=_("second side"),
    )
    entry_c = _further_side("c")
    entry_d = _further_side("d")
    entry_e = _further_side("e")
    entry_f = _further_side("f")
    partner_a = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="matches_as_partner_a", null=True, blank=True
    )
    partner_b = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="matches_as_partner_b", null=True, blank=True
    )
    tie = models.ForeignKey(
        Tie, on_delete=models.PROTECT, related_name="matches", null=True, blank=True, editable=False
    )
    play_off = models.ForeignKey(
        CutDecision, on_delete=models.PROTECT, related_name="matches", null=True, blank=True, editable=False
    )
    leg = models.PositiveSmallIntegerField(default=1, editable=False)
    reasons = models.JSONField(default=list, blank=True, editable=False)
    planned_on = models.DateField(_("planned for"), null=True, blank=True)
    planned_at = models.DateTimeField(_("planned for"), null=True, blank=True)
    planned_place = line(_("where"), MOST_PLACE)
    deadline = models.DateField(_("to be played by"), null=True, blank=True)
    last_day_told = models.DateField(null=True, editable=False)
    state = models.CharField(_("state"), max_length=10, choices=MATCH_STATES, default=MatchState.SCHEDULED)
    sheet = models.OneToOneField(
        Scoresheet,
        on_delete=models.PROTECT,
        related_name="match",
        null=True,
        blank=True,
        verbose_name=_("sheet"),
    )
    winner_side = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    given_points = models.DecimalField(max_digits=6, decimal_places=2, null=True, editable=False)
    given_points_b = models.DecimalField(max_digits=6, decimal_places=2, null=True, editable=False)
    net = models.BigIntegerField(_("net"), default=0)
    columns_a = models.PositiveSmallIntegerField(default=0)
    columns_b = models.PositiveSmallIntegerField(default=0)
    boxes_a = models.PositiveIntegerField(default=0)
    boxes_b = models.PositiveIntegerField(default=0)
    hands_a = models.PositiveIntegerField(default=0)
    hands_b = models.PositiveIntegerField(default=0)
    gins_a = models.PositiveIntegerField(default=0)
    gins_b = models.PositiveIntegerField(default=0)
    at_table = models.JSONField(default=list, blank=True, editable=False)
    held = models.BooleanField(_("pending"), default=False)
    annulled = models.BooleanField(_("annulled"), default=False, db_default=False, editable=False)
    confirmed_version = models.PositiveIntegerField(null=True, editable=False)
    bot_side = models.PositiveSmallIntegerField(null=True, editable=False)
    bye_given = models.BooleanField(default=False, db_default=False, editable=False)

    objects = MatchQuerySet.as_manager()

    # Set on instances whose result was removed for a reader who may not know it yet.
    withheld = False
    # Set on instances still to be played where it is told: what is expected of side 0, in per cent.
    expected: int | None = None

    @property
    def expected_of_other(self) -> int | None:
        """What is expected of side 1, in per cent."""
        return None if self.expected is None else 100 - self.expected

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "label"], name="match_label_once"),
            models.CheckConstraint(
                condition=models.Q(entry_b__isnull=False) | models.Q(state__in=SAT_OUT), name="match_bye"
            ),
            models.UniqueConstraint(
                fields=["tie", "leg"], condition=models.Q(tie__isnull=False), name="match_leg_once"
            ),
            models.CheckConstraint(
                condition=models.Q(entry_b__isnull=True) | ~models.Q(entry_a=models.F("entry_b")),
                name="match_two_sides",
            ),
            models.CheckConstraint(
                condition=models.Q(winner_side__isnull=True)
                | models.Q(winner_side__in=[0, 1])
                | models.Q(winner_side__lt=MOST_SIDES, entry_c__isnull=False),
                name="match_winner_side",
            ),
            models.CheckConstraint(
                condition=(models.Q(entry_c__isnull=True) | models.Q(entry_b__isnull=False))
                & (models.Q(entry_d__isnull=True) | models.Q(entry_c__isnull=False))
                & (models.Q(entry_e__isnull=True) | models.Q(entry_d__isnull=False))
                & (models.Q(entry_f__isnull=True) | models.Q(entry_e__isnull=False)),
                name="match_sides_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(entry_c__isnull=True)
                | models.Q(partner_a__isnull=True, partner_b__isnull=True, tie__isnull=True),
                name="match_table_of_single_entries",
            ),
            models.CheckConstraint(
                condition=~models.Q(state=MatchState.TAKEN_OVER)
                | models.Q(sheet__isnull=True, net=0, held=False),
                name="match_taken_over_has_no_sheet",
            ),
            models.CheckConstraint(
                condition=models.Q(planned_at__isnull=True) | models.Q(planned_on__isnull=False),
                name="match_planned_at_has_a_day",
            ),
            models.CheckConstraint(
                condition=models.Q(given_points__isnull=True) | models.Q(state__in=AWARDED),
                name="match_given_points_without_sheet",
            ),
            models.CheckConstraint(
                condition=models.Q(given_points_b__isnull=True)
                | models.Q(given_points__isnull=False, entry_b__isnull=False),
                name="match_given_points_of_both",
            ),
            models.CheckConstraint(
                condition=models.Q(bot_side__isnull=True) | models.Q(entry_b__isnull=False),
                name="match_bot_side_of_an_entry",
            ),
            models.CheckConstraint(
                condition=models.Q(bye_given=False) | models.Q(state=MatchState.BYE, sheet=None),
                name="match_bye_given_without_sheet",
            ),
        ]
        indexes: ClassVar = [
            # Of all matches few are still open, and a round's are asked for again and again.
            models.Index(
                fields=["round"],
                condition=models.Q(state__in=UNFINISHED) | models.Q(held=True),
                name="match_open_of_round",
            ),
            # The sheets of a round are counted without reading its matches.
            models.Index(fields=["round", "sheet"], name="match_sheet_of_round"),
        ]
        ordering: ClassVar = ["round_id", "table", "id"]

    def __str__(self) -> str:
        return self.words(str)

    def words(self, called: Callable[[Entry], str]) -> str:
        """Return the match in words, with entries named by `called`: "Ann v Bob", "Ann has a bye"."""
        if self.entry_b is None:
            said = _("%(entry)s has a bye") if self.sheet_id is None else _("%(entry)s plays a bot")
            if self.state == MatchState.ABSENT:
                said = _("%(entry)s sits out")
            return said % {"entry": called(self.entry_a)}
        if self.is_table:
            return ", ".join(called(entry) for side in self.sides for entry in self.side(side))
        a, b = (" + ".join(map(called, self.side(side))) for side in self.sides)
        return _("%(a)s v %(b)s") % {"a": a, "b": b}

    @property
    def is_table(self) -> bool:
        """True for a table of three or more."""
        return self.entry_c_id is not None

    @property
    def rest(self) -> "Rest | None":
        """How its entry sits the round out; None of a match of two entries or more. Load the event."""
        if self.state not in SAT_OUT:
            return None
        if self.sheet_id is None:
            return Rest(self.state)
        return Rest.PLAYED if self.event.odd_table == OddTable.PLAYED else Rest.BESIDES

    @property
    def absent_forfeits(self) -> bool:
        """Whether it counts as a forfeit for a side whose player has not come, but a bot in his place.

        As its event says, but not in a play-off, whose winner goes on. Load the event.
        """
        return self.play_off_id is None and self.event.sits_in_counts == SitInCounts.FORFEIT

    @property
    def sides(self) -> range:
        """The numbers of its sides, two at least on a sheet: 0 alone if the round is sat out without one."""
        entered = sum(getattr(self, f"{name}_id") is not None for name in ENTRIES)
        return range(entered if self.sheet_id is None else max(entered, 2))

    def side(self, side: int) -> tuple[Entry, ...]:
        """Return the entry of a side, or both partners; empty where nobody sits, or a bot in place of a bye.

        One for whom a bot sits in says so (`Entry.has_bot`).
        """
        entries = tuple(entry for name in _OF_SIDE[side] if (entry := getattr(self, name)) is not None)
        return tuple(entry.played_by_bot() for entry in entries) if side == self.bot_side else entries

    def net_of(self, side: int) -> int:
        """Return the net of a side in points; 0 before the end."""
        if self.is_table:
            return int(self.at_table[side][1]) if self.at_table else 0
        return -self.net if side else self.net

    def verdict_of(self, side: int) -> Verdict:
        """Return the outcome of a result for a side; a shared first place at a table is drawn."""
        if self.winner_side is not None:
            return Verdict.WON if self.winner_side == side else Verdict.LOST
        is_level = self.at_table[side][0] == 1 if self.at_table else self.state in CONTESTED
        return Verdict.DRAWN if is_level else Verdict.LOST

    def ids_of(self, side: int) -> list[int]:
        """Return the ids of the entries of a side, which need not be loaded."""
        return [one for name in _OF_SIDE[side] if (one := getattr(self, f"{name}_id")) is not None]

    def ids_against(self, side: int) -> list[int]:
        """Return the ids of the entries of all other sides, which need not be loaded."""
        return [one for other in self.sides if other != side for one in self.ids_of(other)]

    def side_of(self, entry: Entry) -> int:
        """Return the side of an entry that plays in it."""
        return next(side for side in self.sides if entry in self.side(side))

    def against(self, side: int) -> tuple[Entry, ...]:
        """Return the entries of all other sides."""
        return tuple(entry for other in self.sides if other != side for entry in self.side(other))

    @property
    def by_place(self) -> list[tuple[int, int, int]]:
        """Place, side and net at a table that has ended, in order of places; else nothing."""
        return sorted((place, side, net) for side, (place, net, *_more) in enumerate(self.at_table))

    def side_name(self, side: int) -> str:
        """Return the bare name of a side, as on sheets and in files; "" for an empty side."""
        return " + ".join(entry.name for entry in self.side(side))

    def side_shown(self, side: int) -> str:
        """Return the displayed name of a side, with bots marked."""
        return " + ".join(str(entry) for entry in self.side(side))

    @property
    def day(self) -> datetime.date | None:
        """The day on which it is played, its own or else its round's; None if neither is known."""
        return self.planned_on or self.round.date

    @property
    def has_result(self) -> bool:
        """True if the match has a result that nothing holds back."""
        return not self.held and self.state not in UNFINISHED

    @property
    def is_counted(self) -> bool:
        """True if the match has a result that enters the standings."""
        return self.has_result and not self.annulled

    @property
    def names_annulled(self) -> bool:
        """True if the results of an entry on either side are annulled: what `annulled` is to be."""
        return any(entry.annulled_at is not None for side in self.sides for entry in self.side(side))


class ProposedTime(models.Model):
    """A time that one side proposes to play a match that the players arrange, and where.

    All of a match are of one side and one proposal: the other side accepts one of them, or proposes others in
    place of all.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="proposed_times")
    side = models.PositiveSmallIntegerField()
    at = models.DateTimeField(_("time"))
    place = models.CharField(_("where"), max_length=MOST_PLACE, blank=True, default="")
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("proposed time")
        verbose_name_plural = _("proposed times")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "at"], name="proposed_time_once"),
            models.CheckConstraint(condition=models.Q(side__lt=2), name="proposed_time_side"),
        ]
        ordering: ClassVar = ["match_id", "at"]

    def __str__(self) -> str:
        return str(self.match)


class FormerSheet(models.Model):
    """A voided sheet that no longer belongs to a match, kept readable for its club.

    `match` is the one it was replaced in, None if that was deleted with the draw or an import.
    """

    sheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, related_name="former")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="former_sheets")
    event = models.ForeignKey(Event, on_delete=models.SET_NULL, related_name="former_sheets", null=True)
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, related_name="former_sheets", null=True)

    class Meta:
        verbose_name = _("former sheet")
        verbose_name_plural = _("former sheets")
        ordering: ClassVar = ["sheet_id"]

    def __str__(self) -> str:
        return str(self.sheet)


class Appearance(models.Model):
    """A player in the line-up of a match; a side's line-up is its appearances in order of position.

    `entry` is the entry the player plays for. Players appear once per round, except in the sheets of one tie
    (`leg`). A substitute sits from deal `from_deal` on in the seat of the player at position `replaces`. A
    bot that sits in for an absent player has him as `sits_in_for`; it may do so at several tables. One that
    plays who would have a bye is of no `entry`; against a team it has every seat of its side.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="appearances")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="appearances")
    side = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField(default=0)
    leg = models.PositiveSmallIntegerField(default=1)
    from_deal = models.PositiveSmallIntegerField(default=1)
    replaces = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="appearances")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="appearances", null=True)
    sits_in_for = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="sat_in_for", null=True, editable=False
    )

    class Meta:
        verbose_name = _("appearance")
        verbose_name_plural = _("appearances")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["round", "player", "leg"],
                condition=models.Q(sits_in_for__isnull=True, entry__isnull=False),
                name="appearance_once_a_round",
            ),
            models.UniqueConstraint(fields=["match", "side", "position"], name="appearance_position_once"),
            models.CheckConstraint(condition=models.Q(side__lt=MOST_SIDES), name="appearance_side"),
        ]
        ordering: ClassVar = ["match_id", "side", "position"]

    def __str__(self) -> str:
        return str(self.player)


class LineUpSeat(ActedOn):
    """A seat of a line-up that was handed in before its round begins, by whom and when.

    A side's line-up is closed, to all but its captain and the directors, until those of all sides are handed
    in or the round begins; then it becomes the match's appearances (`league.matches.line_ups`).
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="line_up_seats")
    side = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="line_up_seats")
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("seat of a line-up handed in")
        verbose_name_plural = _("seats of line-ups handed in")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "side", "position"], name="line_up_seat_once"),
        ]
        ordering: ClassVar = ["match_id", "side", "position"]

    def __str__(self) -> str:
        return str(self.player)


def between_bots() -> models.Q:
    """Return the condition that all players seated in a match are bots.

    However its sheet was filled: such a match does not count if its event excludes matches between bots. If a
    person took over a seat, it is not a match between bots.
    """
    seats = Appearance.objects.filter(match=models.OuterRef("pk")).order_by()
    people = seats.filter(player__strategy="")
    return models.Q(models.Exists(seats)) & ~models.Q(models.Exists(people))


def with_sitting_in(match: str = "pk") -> models.Exists:
    """Return the condition that a bot sits or sat in for an absent player of a match: it is not rated.

    `match` is the path from the row to the key of the match.
    """
    seats = Appearance.objects.filter(match=models.OuterRef(match), sits_in_for__isnull=False)
    return models.Exists(seats.order_by())


def counts_as_played(path: str = "") -> models.Q:
    """Return the condition that a bye counts as what its entry plays against a bot (`Rest.PLAYED`).

    `path` leads from the row to the match, as in `matches__`.
    """
    bye = {"state": MatchState.BYE, "sheet__isnull": False, "event__odd_table": OddTable.PLAYED}
    return models.Q(**{f"{path}{name}": value for name, value in bye.items()})


def extra_to_play(path: str = "") -> models.Q:
    """Return the condition that a bye counts as its entry plays a bot, and that is not over."""
    return counts_as_played(path) & ~_has_ended(path)


def to_play(path: str = "") -> models.Q:
    """Return the condition that a match is not over, or a bye that counts as it is played against a bot.

    `path` leads from the row to the match, as in `matches__`.
    """
    return models.Q(**{f"{path}state__in": UNFINISHED}) | extra_to_play(path)


def wants_result() -> models.Q:
    """Return the condition that a result of a match is waited for: that there is none, or one that is held.

    It is of a bye, too, that counts as it is played against a bot; of an annulled match it is not.
    """
    return models.Q(annulled=False) & (to_play() | models.Q(held=True))


def lacks_result() -> models.Q:
    """Return the condition that a match of two sides or more has no result, or one that is held."""
    return models.Q(state__in=UNFINISHED) | models.Q(held=True)


def bye_counts() -> models.Q:
    """Return the condition, on byes, that a bye counts by now.

    It counts from the first result of its round on, or once the round has nothing left to play: today's draw
    gives nobody points for future nights. One that counts as it is played does once that is over.
    """
    same_round = Match.objects.filter(round=models.OuterRef("round")).order_by()
    played = same_round.filter(held=False, annulled=False, state__in=PLAYED)
    waiting = same_round.filter(lacks_result(), annulled=False)
    given = models.Q(models.Exists(played)) | models.Q(~models.Exists(waiting))
    return counts_as_played() & _has_ended() | ~counts_as_played() & given


def _has_ended(path: str = "") -> models.Q:
    ended = (SheetStatus.FINISHED, SheetStatus.STOPPED)
    sheet = Scoresheet.objects.filter(pk=models.OuterRef(f"{path}sheet"), status__in=ended)
    return models.Q(models.Exists(sheet))
