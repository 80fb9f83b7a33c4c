"""Ties of a bracket as rows; each names where its winner and its loser go."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.core.pairing.elimination import BracketPart
from league.core.pairing.ties import TieDecision
from league.models.entries import Entry
from league.models.events import Event, Round

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


BRACKET_PARTS: "Final[Mapping[BracketPart, StrOrPromise]]" = {
    BracketPart.WINNERS: _("winners' bracket"),
    BracketPart.LOSERS: _("losers' bracket"),
    BracketPart.FINAL: _("final"),
    BracketPart.RESET: _("second final"),
    BracketPart.THIRD: _("for third place"),
    BracketPart.PLATE: _("plate"),
}
TIE_DECISIONS: "Final[Mapping[TieDecision, StrOrPromise]]" = {
    TieDecision.SHEET: _("played"),
    TieDecision.BYE: _("bye"),
    TieDecision.WALKOVER: _("walkover"),
    TieDecision.HIGHER_SEED: _("higher seed"),
    TieDecision.LOT: _("lot"),
    TieDecision.DIRECTOR: _("the director"),
    TieDecision.NOT_NEEDED: _("not needed"),
}


class Tie(models.Model):
    """A node of a bracket with two places, filled by seeds or from other ties.

    `number` counts through the event, `level` the rounds of its part, `stage` the order of play, with one
    round of the event for each. A place nobody will reach stays empty, which makes the tie a bye.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="ties")
    number = models.PositiveSmallIntegerField(_("number"))
    part = models.CharField(_("part"), max_length=8, choices=BRACKET_PARTS)
    level = models.PositiveSmallIntegerField(_("level"))
    stage = models.PositiveSmallIntegerField(_("stage"))
    seed_a = models.PositiveSmallIntegerField(null=True, blank=True)
    seed_b = models.PositiveSmallIntegerField(null=True, blank=True)
    entry_a = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="ties_as_a", null=True, blank=True
    )
    entry_b = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="ties_as_b", null=True, blank=True
    )
    winner_to = models.ForeignKey(
        "self", on_delete=models.CASCADE, related_name="winners_from", null=True, blank=True
    )
    winner_to_side = models.PositiveSmallIntegerField(null=True, blank=True)
    loser_to = models.ForeignKey(
        "self", on_delete=models.CASCADE, related_name="losers_from", null=True, blank=True
    )
    loser_to_side = models.PositiveSmallIntegerField(null=True, blank=True)
    winner = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="ties_won", null=True, blank=True
    )
    decided_by = models.CharField(_("decided by"), max_length=11, choices=TIE_DECISIONS, blank=True)
    round = models.ForeignKey(
        Round, on_delete=models.SET_NULL, related_name="ties", null=True, blank=True, verbose_name=_("round")
    )

    class Meta:
        verbose_name = _("tie")
        verbose_name_plural = _("ties")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="tie_number_once"),
            models.CheckConstraint(
                condition=models.Q(winner__isnull=True)
                | models.Q(winner=models.F("entry_a"))
                | models.Q(winner=models.F("entry_b")),
                name="tie_winner_plays",
            ),
        ]
        ordering: ClassVar = ["event_id", "number"]

    def __str__(self) -> str:
        return _("%(event)s, tie %(number)s") % {"event": self.event, "number": self.number}

    @property
    def winning_entry(self) -> Entry | None:
        """The winner, from the entries loaded with the tie."""
        if self.winner_id is None:
            return None
        return self.entry_a if self.winner_id == self.entry_a_id else self.entry_b
