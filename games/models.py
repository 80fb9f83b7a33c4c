"""Matches played by bots or at a table by members, their hands as played, and the strength of the bots.

The sheet tells who won; the match beside it has the players, the seed, and how far play has come. It belongs
to the worker that owns it, as long as that worker keeps sending signs of life.
"""

import datetime
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.gin.actions import LONGEST_TEXT
from games.tables.clocks import TimeOut
from scoring.core.messages import Sentence, read_sentence, sentence_document
from scoring.documents.sides import LARGEST_TEAM
from scoring.models import Kept, Scoresheet, SheetStatus, random_code
from scoring.words.messages import translated

# Seeds are below this, the largest integer that every JSON reader keeps exact.
SEED_LIMIT = 1 << 53


# Two sides of the largest size.
MOST_SEATS: Final = 2 * LARGEST_TEAM

# A pack as text (`packs_text`), with the orders of a stock that is shuffled again nine times.
LONGEST_PACK: Final = 1600

# Characters of a note; a longer one is cut, and is then a text like any other.
LONGEST_NOTE: Final = 300


def kept_note(note: Sentence) -> Any:
    """A note as `BotMatch.said` keeps it: a message as a value, None for ""."""
    if len(text := str(note)) > LONGEST_NOTE:
        return f"{text[: LONGEST_NOTE - 1]}…"
    return sentence_document(note) or None


class BotMatchState(models.TextChoices):
    """The state of a bot match; the last three are final."""

    DUE = "due", _("waiting to be played")
    PLAYING = "playing", _("being played")
    FINISHED = "finished", _("played")
    FORFEITED = "forfeited", _("forfeited")
    CANCELLED = "cancelled", _("cancelled")


# Matches that are still to be played.
TO_PLAY = (BotMatchState.DUE, BotMatchState.PLAYING)

# After this many attempts without a deal a match is left alone until somebody has looked at it.
MOST_ATTEMPTS = 8


class BotMatch(models.Model):
    """A sheet played by bots; deleted together with its sheet, if that is deleted while blank.

    `bots` maps seat numbers, as text, to `HouseBot.to_document`: strategy, level and samples, so that play
    continues as it began. All randomness comes from `seed`. `owner` is the token of the worker that plays it,
    or "", and `heartbeat` its last sign of life. `handed_at` is when a worker was last called, `attempts` how
    often it was taken up since the last deal. The database writes `updated_at` (`league.record.triggers`),
    but not for a mere sign of life. `said` is a sentence on how it ended early or why it does not continue
    (`kept_note`), None for nothing; `loser_side` (0, 1) is the side whose bot failed.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=random_code, editable=False)
    sheet = models.OneToOneField(
        Scoresheet, on_delete=models.CASCADE, related_name="bot_match", verbose_name=_("sheet")
    )
    bots = models.JSONField(_("bots"))
    seed = models.BigIntegerField(_("seed"))
    state = models.CharField(
        _("state"), max_length=10, choices=BotMatchState.choices, default=BotMatchState.DUE
    )
    due_at = models.DateTimeField(_("due"), db_default=Now())
    created_at = models.DateTimeField(_("planned"), db_default=Now())
    started_at = models.DateTimeField(_("begun"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    owner = models.CharField(max_length=40, blank=True, editable=False)
    heartbeat = models.DateTimeField(null=True, editable=False)
    handed_at = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0, db_default=0, editable=False)
    updated_at = models.DateTimeField(_("updated at"), db_default=Now(), editable=False, db_index=True)
    said = models.JSONField(_("note"), null=True, blank=True, editable=False)
    loser_side = models.PositiveSmallIntegerField(_("forfeited by"), null=True, blank=True)

    class Meta:
        verbose_name = _("bot match")
        verbose_name_plural = _("bot matches")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(seed__gte=0, seed__lt=SEED_LIMIT), name="bot_match_seed"
            ),
            models.CheckConstraint(
                condition=models.Q(loser_side=None) | models.Q(loser_side__in=[0, 1], state="forfeited"),
                name="bot_match_loser",
            ),
            models.CheckConstraint(
                condition=models.Q(state="playing") | models.Q(owner=""), name="bot_match_owner"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(state__in=["due", "playing"]),
                name="bot_match_to_play",
            ),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return str(self.sheet)

    @property
    def note(self) -> str:
        """How it ended early, or why it does not continue, in the reader's language; "" for nothing."""
        return "" if self.said is None else translated(read_sentence(self.said))

    @property
    def is_over(self) -> bool:
        """Whether nobody will play it any more."""
        return self.state not in TO_PLAY

    @property
    def is_left_alone(self) -> bool:
        """Whether it is not retried until somebody has looked at it; `note` says why."""
        return self.state == BotMatchState.DUE and self.attempts >= MOST_ATTEMPTS


class BotHand(Kept):
    """A hand of a bot match move by move, written together with its deal.

    `log` is a `HandLog.to_document`. `estimates` is parallel to its actions: null, or a list of [action as
    text, estimated value, …] for the bot's options.
    """

    match = models.ForeignKey(BotMatch, on_delete=models.PROTECT, related_name="hands")
    deal = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField(default=0)
    log = models.JSONField()
    estimates = models.JSONField(default=list)

    class Meta:
        verbose_name = _("hand of bots")
        verbose_name_plural = _("hands of bots")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "deal", "table"], name="bot_hand_once"),
        ]
        ordering: ClassVar = ["match_id", "deal", "table"]

    def __str__(self) -> str:
        return f"{self.match}, {self.deal}.{self.table}"


class BotRating(models.Model):
    """A bot's strength from the arena: `mu` and its uncertainty `sigma`, on the scale of players.

    `level` is 0 for a strategy without levels; `samples` is what the level stood for; it is based on `games`.
    """

    strategy = models.CharField(_("strategy"), max_length=40)
    level = models.PositiveSmallIntegerField(_("level"), default=0)
    samples = models.PositiveIntegerField(_("samples"), default=0)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(_("games"))
    rated_at = models.DateTimeField(_("rated"))

    class Meta:
        verbose_name = _("rating of a bot")
        verbose_name_plural = _("ratings of bots")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["strategy", "level"], name="bot_rating_once"),
        ]
        ordering: ClassVar = ["-mu", "strategy", "level"]

    def __str__(self) -> str:
        return f"{self.strategy} {self.level}" if self.level else self.strategy


class BotMeeting(models.Model):
    """The games of two bots in the arena from the point of view of `one`, the first by name and level.

    `wins` are games won by `one`; `error` is the standard error of that share (0 … 1), counted over mirrored
    pairs. `points` is the points of `one` over all hands, less those of `other`.
    """

    one = models.ForeignKey(BotRating, on_delete=models.CASCADE, related_name="meetings_as_one")
    other = models.ForeignKey(BotRating, on_delete=models.CASCADE, related_name="meetings_as_other")
    games = models.PositiveIntegerField(_("games"))
    wins = models.PositiveIntegerField(_("won"))
    error = models.FloatField()
    hands = models.PositiveIntegerField(_("hands"))
    points = models.BigIntegerField(_("points"))

    class Meta:
        verbose_name = _("meeting of bots")
        verbose_name_plural = _("meetings of bots")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["one", "other"], name="bot_meeting_once"),
            models.CheckConstraint(condition=~models.Q(one=models.F("other")), name="bot_meeting_of_two"),
        ]
        ordering: ClassVar = ["one_id", "other_id"]

    def __str__(self) -> str:
        return f"{self.one} – {self.other}"


class TableMatch(models.Model):
    """A sheet that is played card by card by members, or by members and bots.

    Teams play the hands of a deal at once, one at each table. Each accepted action makes the next `version`.
    While it `is_live`, nobody else records on the sheet.
    `cut_seed` decides who deals first, and nothing else: packs are in `SealedPack` until their hand is over.
    Deleted together with its sheet, if that is deleted while blank.

    `clock` is a `Clock.to_document`, None for none. `turn_since` is when the turn of the seat to move began,
    `deadline` when its time is over, None while no clock runs; where several hands are in play they are those
    of the hand whose time is over first. `paused_at` is when all sides agreed on a pause, `pause_asked_by`
    the seat that has asked for one. `forfeited_by` is the side that lost by a clock or gave up.
    `bot_asked_at` is when a worker was last asked to think for the bot that is to move, None while none is.

    `adjourned_at` is when a director, or a bot that failed, stopped play, and `adjourned_why` says why
    (`kept_note`). `has_phrases` says whether members may send each other set phrases. `asides` counts what
    was told beside play: phrases, warnings, and that one hears the others no more. One that `is_duplicate`
    is dealt the packs of its sheet (`SheetPolicy.packs`), which other tables play as well.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=random_code, editable=False)
    sheet = models.OneToOneField(
        Scoresheet, on_delete=models.CASCADE, related_name="table_match", verbose_name=_("sheet")
    )
    version = models.PositiveIntegerField(_("version"), default=1)
    is_live = models.BooleanField(_("being played"), default=True)
    cut_seed = models.BigIntegerField()
    created_at = models.DateTimeField(_("begun"), db_default=Now())
    clock = models.JSONField(null=True)
    turn_since = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    pause_asked_by = models.PositiveSmallIntegerField(null=True)
    forfeited_by = models.PositiveSmallIntegerField(_("forfeited by"), null=True)
    bot_asked_at = models.DateTimeField(null=True)
    adjourned_at = models.DateTimeField(null=True)
    adjourned_why = models.JSONField(_("why play is adjourned"), null=True)
    has_phrases = models.BooleanField(default=False, db_default=False)
    asides = models.PositiveIntegerField(default=0, db_default=0)
    is_duplicate = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("table match")
        verbose_name_plural = _("table matches")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(cut_seed__gte=0, cut_seed__lt=SEED_LIMIT), name="table_match_cut_seed"
            ),
            models.CheckConstraint(
                condition=models.Q(deadline=None)
                | models.Q(is_live=True, turn_since__isnull=False, paused_at=None, adjourned_at=None),
                name="table_match_running",
            ),
            models.CheckConstraint(
                condition=models.Q(forfeited_by=None) | models.Q(forfeited_by__in=[0, 1], is_live=False),
                name="table_match_forfeited",
            ),
            models.CheckConstraint(
                condition=models.Q(adjourned_at=None) | models.Q(is_live=True), name="table_match_adjourned"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["deadline"],
                condition=models.Q(deadline__isnull=False),
                name="table_match_deadline",
            ),
            models.Index(
                fields=["bot_asked_at"],
                condition=models.Q(bot_asked_at__isnull=False),
                name="table_match_bot_asked",
            ),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return str(self.sheet)

    @property
    def is_on(self) -> bool:
        """Whether it is being played: live, and on an open sheet. Load the sheet.

        A sheet that ends otherwise, as when time is called, may be reopened: then play goes on.
        """
        return self.is_live and self.sheet.status == SheetStatus.OPEN

    @property
    def stands_still(self) -> bool:
        """Whether nobody is to move: play is adjourned, or all sides have agreed on a pause."""
        return self.adjourned_at is not None or self.paused_at is not None

    @property
    def adjourned_note(self) -> str:
        """Why play is stopped, in the reader's language; "" while it is not."""
        return "" if self.adjourned_why is None else translated(read_sentence(self.adjourned_why))

    @property
    def is_lost_by_time(self) -> bool:
        """Whether the side that has lost by forfeit ran out of time, and did not give up."""
        if self.forfeited_by is None or self.clock is None:
            return False
        is_late = any(chair.side == self.forfeited_by and chair.time_outs for chair in self.seats.all())
        return self.clock["time_out"] == TimeOut.FORFEIT_MATCH and is_late

    @property
    def loses_hands(self) -> bool:
        """Whether a time-out loses the hand in play."""
        return self.clock is not None and self.clock["time_out"] == TimeOut.LOSE_HAND

    @property
    def is_stopped_by_fault(self) -> bool:
        """Whether a failed bot or an unreadable hand stopped play: what a director says is plain text."""
        return self.adjourned_at is not None and not isinstance(self.adjourned_why, str)


def on_now(path: str = "") -> models.Q:
    """Return the condition that a table is being played, as `TableMatch.is_on`.

    `path` leads from the row to the table, as in `match__`.
    """
    return models.Q(**{f"{path}is_live": True, f"{path}sheet__status": SheetStatus.OPEN})


class TableSeat(models.Model):
    """Who plays in a seat: an account, a bot (`HouseBot.to_document`), or a guest.

    `number` counts the players of the sheet through all sides, the first side's first (`players_by_seat`),
    and `side` is theirs: of two players both are 0 and 1. A guest has no account: a link to this side of the
    sheet lets him in (`SheetPolicy.own_sides`). There is none of them once the account is deleted: then
    nobody moves. `arrived` is who takes the seat from its bot with the next deal; then `sat_in` is that bot,
    with its last deal as `until`. `bank` is what was left for the match, beyond the time of each turn, when
    this turn began; 0 without a clock. `time_outs` counts how often the time was over. Who `is_deaf` does not
    want to be shown the phrases of others. `agrees_pause` is whether it has agreed to the pause that is asked
    for.
    """

    match = models.ForeignKey(TableMatch, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="table_seats"
    )
    bot = models.JSONField(null=True)
    arrived = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    sat_in = models.JSONField(null=True)
    is_guest = models.BooleanField(default=False, db_default=False)
    bank = models.DurationField(default=datetime.timedelta, db_default=datetime.timedelta())
    time_outs = models.PositiveSmallIntegerField(default=0, db_default=0)
    is_deaf = models.BooleanField(default=False, db_default=False)
    agrees_pause = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("seat at a table")
        verbose_name_plural = _("seats at tables")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="table_seat_once"),
            models.CheckConstraint(
                condition=models.Q(number__lt=MOST_SEATS, side__lte=models.F("number")),
                name="table_seat_number",
            ),
            models.CheckConstraint(
                condition=models.Q(account=None) | models.Q(bot=None), name="table_seat_of_one"
            ),
            models.CheckConstraint(
                condition=models.Q(is_guest=False) | models.Q(account=None, bot=None),
                name="table_seat_of_guest",
            ),
            models.CheckConstraint(
                condition=models.Q(arrived=None) | models.Q(bot__isnull=False), name="table_seat_taken_of_bot"
            ),
        ]
        ordering: ClassVar = ["match_id", "number"]

    def __str__(self) -> str:
        return f"{self.match}, {self.number}"


class TableHand(models.Model):
    """A hand at a table: its `actions` so far as texts, and the `commitment` to its pack (`commitment_of`).

    `first_seat` plays `second_seat`: as 0 and 1, which `dealer` is one of, they are called inside the hand.
    Where more than two play a hand all of the table do, and `more_seats` has those who are called 2 and so on
    there; None for a hand of two.
    `version` is the table's when something last happened in it. `pack` and `nonce` are empty until the hand
    `is_over`; the deal is recorded once all its hands are. `turn_since` and `deadline` are as in
    `TableMatch`, and None where the table is of two, which has them itself. `moved_at` is since when
    who is to move could make this move, less pauses; with or without a clock.
    """

    match = models.ForeignKey(TableMatch, on_delete=models.CASCADE, related_name="hands")
    deal = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField(default=0, db_default=0)
    first_seat = models.PositiveSmallIntegerField(default=0, db_default=0)
    second_seat = models.PositiveSmallIntegerField(default=1, db_default=1)
    more_seats = models.JSONField(null=True)
    version = models.PositiveIntegerField(default=1, db_default=1)
    turn_since = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(null=True)
    dealer = models.PositiveSmallIntegerField()
    commitment = models.CharField(max_length=64)
    actions = models.JSONField(default=list)
    is_over = models.BooleanField(default=False)
    pack = models.CharField(max_length=LONGEST_PACK, blank=True, default="")
    nonce = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        verbose_name = _("hand at a table")
        verbose_name_plural = _("hands at tables")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "deal", "table"], name="table_hand_once"),
            models.CheckConstraint(
                condition=models.Q(is_over=True) | models.Q(pack="", nonce=""), name="table_hand_sealed"
            ),
        ]
        ordering: ClassVar = ["match_id", "deal", "table"]

    def __str__(self) -> str:
        return f"{self.match}, {self.deal}.{self.table}" if self.table else f"{self.match}, {self.deal}"

    @property
    def seats(self) -> tuple[int, ...]:
        """Those who play it, by what they are called inside the hand."""
        return self.first_seat, self.second_seat, *(self.more_seats or ())

    @property
    def table_number(self) -> int:
        """The number of its table, from 1."""
        return self.table + 1


class HandReport(models.Model):
    """What the choices of a member in a hand that is over cost him, by the judge of its game; for him alone.

    Of a match that is over directors read sums (`Agreement`), in which no choice is told.

    `choices` are parallel to the hand's actions: null, or an `appraisal_document`. They are added up by
    kind: how many choices there were, and what they cost together in points. Of who is erased a report stays
    empty, so that none is made again.
    """

    hand = models.ForeignKey(TableHand, on_delete=models.CASCADE, related_name="reports")
    seat = models.PositiveSmallIntegerField()
    choices = models.JSONField(default=list)
    discards = models.PositiveIntegerField(default=0)
    discard_cost = models.FloatField(default=0.0)
    takes = models.PositiveIntegerField(default=0)
    take_cost = models.FloatField(default=0.0)
    knocks = models.PositiveIntegerField(default=0)
    knock_cost = models.FloatField(default=0.0)

    class Meta:
        verbose_name = _("report on a hand")
        verbose_name_plural = _("reports on hands")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hand", "seat"], name="hand_report_once"),
        ]
        ordering: ClassVar = ["hand_id", "seat"]

    def __str__(self) -> str:
        return f"{self.hand}, {self.seat}"


class SealedPack(models.Model):
    """The pack and nonce of a hand in play; deleted when the hand is over.

    Nothing shows or exports these rows.
    """

    hand = models.OneToOneField(
        TableHand, on_delete=models.CASCADE, primary_key=True, related_name="sealed_pack"
    )
    pack = models.CharField(max_length=LONGEST_PACK)
    nonce = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("sealed pack")
        verbose_name_plural = _("sealed packs")

    def __str__(self) -> str:
        return str(self.hand)


class TableAct(Kept):
    """An accepted action with the key it was sent with; `answered` is the version it led to.

    Of `version` 0 is what was asked for when the table was begun, if that was sent with a key. `took` is how
    long its seat could have made the move before, less pauses; None where that is not known.
    """

    match = models.ForeignKey(TableMatch, on_delete=models.CASCADE, related_name="acts")
    seat = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    action = models.CharField(max_length=LONGEST_TEXT)
    answered = models.PositiveIntegerField()
    took = models.DurationField(null=True)

    class Meta:
        verbose_name = _("action at a table")
        verbose_name_plural = _("actions at tables")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "seat", "key"], name="table_act_once"),
        ]
        ordering: ClassVar = ["match_id", "version"]

    def __str__(self) -> str:
        return f"{self.match}, {self.version}"


class Phrase(models.TextChoices):
    """What one may say at a table: nothing else can be said there."""

    GOOD_LUCK = "good_luck", _("Good luck.")
    WELL_PLAYED = "well_played", _("Well played.")
    ONE_MOMENT = "one_moment", _("One moment, please.")
    HERE_AGAIN = "here_again", _("I am back.")
    THANK_YOU = "thank_you", _("Thank you.")
    GOODBYE = "goodbye", _("Thank you for the game, goodbye.")


class TablePhrase(models.Model):
    """A phrase that a seat has sent to the others."""

    match = models.ForeignKey(TableMatch, on_delete=models.CASCADE, related_name="phrases")
    seat = models.PositiveSmallIntegerField()
    phrase = models.CharField(max_length=12, choices=Phrase.choices)
    said_at = models.DateTimeField()

    class Meta:
        verbose_name = _("phrase at a table")
        verbose_name_plural = _("phrases at tables")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(seat__lt=MOST_SEATS), name="table_phrase_seat"),
        ]
        ordering: ClassVar = ["match_id", "id"]

    def __str__(self) -> str:
        return f"{self.match}, {self.seat}: {self.phrase}"


class TableWarning(models.Model):
    """A director's warning to who sits there, with its reason. He alone is shown it, and directors."""

    match = models.ForeignKey(TableMatch, on_delete=models.CASCADE, related_name="warnings")
    seat = models.PositiveSmallIntegerField()
    reason = models.CharField(_("reason"), max_length=300)
    warned_at = models.DateTimeField()

    class Meta:
        verbose_name = _("warning at a table")
        verbose_name_plural = _("warnings at tables")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(seat__lt=MOST_SEATS), name="table_warning_seat"),
        ]
        ordering: ClassVar = ["match_id", "id"]

    def __str__(self) -> str:
        return f"{self.match}, {self.seat}"

    @property
    def sheet(self) -> Scoresheet:
        """The sheet that is played."""
        return self.match.sheet


class SiteHeartbeat(models.Model):
    """One row: the last sign of life of the task that looks after clocks."""

    beaten_at = models.DateTimeField()

    class Meta:
        verbose_name = _("heartbeat of the site")
        verbose_name_plural = _("heartbeats of the site")

    def __str__(self) -> str:
        return f"{self.beaten_at:%Y-%m-%d %H:%M:%S}"
