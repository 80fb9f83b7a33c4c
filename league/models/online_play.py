"""The settings of play on this site: where and by which clock, who sits in for the absent, and duplicate."""

from dataclasses import replace
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.errors import GameError
from games.gin.cards import parse_number
from games.gin.playing import Pack
from games.tables.clocks import PRESETS, Clock, TimeOut
from games.tables.duplicate import pack_count
from games.tables.members import commitment_of
from league.models.fields import choice, switch
from league.models.formats import (
    OddTable,
    OnlineClock,
    OnlineTimeOut,
    PackPlays,
    PlayedWhere,
    SitInCounts,
    registered,
)
from scoring.words.messages import translated

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from league.models.events import Event


def clock_of(pace: str, time_out: str = OnlineTimeOut.CLOCK) -> Clock | None:
    """The clock of a table, of an `OnlineClock` and an `OnlineTimeOut`; None for no clock."""
    clock = PRESETS.get(pace)
    if clock is None or time_out == OnlineTimeOut.CLOCK:
        return clock
    return replace(clock, time_out=TimeOut(time_out))


def clock_words(pace: str, time_out: str = OnlineTimeOut.CLOCK) -> str:
    """The same in words: “3 days a turn. Whoever runs out of time loses the match.”"""
    clock, words = clock_of(pace, time_out), OnlineClock(pace).label
    if clock is None:
        return str(words)
    return gettext("%(pace)s. %(then)s") % {"pace": words, "then": translated(clock.time_out.said)}


class PlayedOnline(models.Model):
    """An event's settings of play on this site."""

    played = choice(_("matches are played"), 8, PlayedWhere.AT_TABLE)
    online_clock = choice(_("clock of matches online"), 14, OnlineClock.NONE)
    online_time_out = choice(_("when time is over"), 14, OnlineTimeOut.CLOCK)
    sits_in = models.ForeignKey(
        "league.Player",
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("bot that sits in for an absent player"),
    )
    sits_in_counts = choice(_("what the bot plays counts"), 8, SitInCounts.PLAYED)
    odd_table = choice(_("whoever has no opponent"), 8, OddTable.PLAYED)
    is_duplicate = switch(_("every table plays the same packs"))
    packs_played = choice(_("each of them is played on a sheet"), 5, PackPlays.TWICE)

    class Meta:
        abstract = True

    @property
    def pack_times(self) -> int:
        """How often each pack of duplicate is played on a sheet."""
        return PackPlays(self.packs_played).times

    @property
    def table_clock(self) -> Clock | None:
        """The clock of a table of its matches."""
        return clock_of(self.online_clock, self.online_time_out)

    @property
    def clock_words(self) -> str:
        """The same in words."""
        return clock_words(self.online_clock, self.online_time_out)


def check_online_play(event: "Event") -> None:
    """Refuse (`ValidationError`) settings of play on this site that do not fit together."""
    _check_duplicate(event)
    _check_sitting_in(event)
    own = registered().get(event.format)
    clock = event.table_clock
    if own and own.has_tables and clock is not None and clock.is_for_two:
        is_usual = event.online_time_out == OnlineTimeOut.CLOCK
        said = _("At a table of three or more nobody loses a hand or forfeits: have the turn played.")
        raise _wrong("online_clock" if is_usual else "online_time_out", said)


def _check_sitting_in(event: "Event") -> None:
    bot, own = event.sits_in, registered().get(event.format)
    if bot is not None:
        if bot.club_id != event.club_id or not bot.is_bot:
            raise _wrong("sits_in", _("Choose a bot of this club."))
        if event.played == PlayedWhere.AT_TABLE or (own and own.has_tables):
            raise _wrong("sits_in", _("A bot sits in where two sides play on this site."))
    if event.sits_in_counts == SitInCounts.FORFEIT:
        if event.team_size > 1:
            raise _wrong("sits_in_counts", _("Where several play on a side it counts as played."))
        if own and (own.has_bracket or own.has_challenges):
            raise _wrong("sits_in_counts", _("Where the winner goes on or up it counts as it was played."))


def _check_duplicate(event: "Event") -> None:
    if not event.is_duplicate:
        if isinstance(event.criteria, list) and "duplicate" in event.criteria:
            raise _wrong(
                "criteria", _("A duplicate score needs an event in which every table plays the same packs.")
            )
        return
    own = registered().get(event.format)
    if own and not own.plays_duplicate:
        raise _wrong(
            "is_duplicate",
            _("Duplicate is played in a round robin or a Swiss: two sides meet in each match."),
        )
    if event.played == PlayedWhere.EITHER:
        raise _wrong(
            "is_duplicate",
            _(
                "Duplicate is played at tables or on this site, not as each likes: whoever lays out"
                " the cards at tables sees the packs."
            ),
        )
    if event.rules_id is not None:
        try:
            pack_count(event.rules.rules, event.pack_times)
        except GameError as refusal:
            raise _wrong("is_duplicate", translated(refusal.message)) from None


def _wrong(field: str, said: "StrOrPromise") -> ValidationError:
    return ValidationError({field: said})


class RoundPacks(models.Model):
    """The packs of a round of a duplicate event, as text from the first card dealt, in order of number.

    Apart from the round, so that nothing that tells of rounds tells of cards. The commitment may be told.
    """

    round = models.OneToOneField(
        "league.Round", on_delete=models.CASCADE, primary_key=True, related_name="packs"
    )
    packs = models.JSONField()
    nonce = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("packs of a round")
        verbose_name_plural = _("packs of rounds")

    def __str__(self) -> str:
        return str(self.round)

    @property
    def commitment(self) -> str:
        """The commitment to all packs, in order, one a line."""
        return commitment_of("\n".join(self.packs), self.nonce)

    @property
    def dealt(self) -> list[Pack]:
        """The packs as numbers of cards."""
        return [tuple(parse_number(card) for card in pack.split()) for pack in self.packs]
