"""Entries of events: who is in them, who is there, and who is kept apart."""

from copy import copy
from typing import TYPE_CHECKING, ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.events import Event
from league.models.fields import line
from league.models.formats import InvitationState, PresenceState, RequestState
from league.models.people import Player, marked, sat_in_for
from league.models.tracking import Tracked
from scoring.models import random_code

if TYPE_CHECKING:
    pass


class EntryQuerySet(models.QuerySet["Entry"]):
    """Queries on entries by their players."""

    def note_bots(self) -> None:
        """Update `is_bot` from the players. Must be called whenever members are written."""
        members = EntryMember.objects.filter(entry=models.OuterRef("pk"))
        people = members.filter(player__strategy="")
        self.update(is_bot=models.Exists(members) & ~models.Exists(people))


class Entry(Tracked):
    """A participant that is ranked in an event: a player, or a team of two or more.

    `group` is the one it was drawn into, from 1; `first_round` is above 1 for a late entry. `is_bot` says
    that all its players are bots, stored so that names can be marked without a query. By `lot_key` lots are
    drawn in place of the code, as they were drawn by then. `told_place` is the place in the file that an
    event was taken over from. Who has withdrawn may have had all results annulled (RULES §14); its matches
    say so too (`Match.annulled`). `captain` is the member who has entered the team; None if a director has,
    or if that member is of it no more.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="entries", verbose_name=_("event")
    )
    name = models.CharField(_("name"), max_length=80)
    seed = models.PositiveIntegerField(
        _("seed"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(9999)]
    )
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    annulled_at = models.DateTimeField(_("results annulled at"), null=True, blank=True, editable=False)
    group = models.PositiveSmallIntegerField(_("group"), null=True, blank=True, editable=False)
    is_guest = models.BooleanField(_("guest"), default=False, help_text=_("Plays, and is not ranked."))
    first_round = models.PositiveSmallIntegerField(
        _("plays from round"), default=1, validators=[MinValueValidator(1)]
    )
    is_bot = models.BooleanField(default=False, db_default=False, editable=False)
    lot_key = models.CharField(max_length=80, blank=True, default="", db_default="", editable=False)
    told_place = models.PositiveIntegerField(null=True, editable=False)
    paid_at = models.DateTimeField(_("fee paid at"), null=True, blank=True, editable=False)
    captain = models.ForeignKey(
        Player,
        on_delete=models.SET_NULL,
        related_name="captained",
        null=True,
        editable=False,
        verbose_name=_("captain"),
    )
    players = models.ManyToManyField(
        Player, through="EntryMember", related_name="entries", verbose_name=_("players")
    )

    objects = EntryQuerySet.as_manager()

    # Set on copies that name a side of a match which a bot plays for the absent player.
    has_bot = False

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "name"],
                name="entry_name_once",
                violation_error_message=_("There is an entry of this name."),
            ),
            models.UniqueConstraint(
                fields=["event", "seed"],
                name="entry_seed_once",
                violation_error_message=_("Another entry has this seed."),
            ),
            models.CheckConstraint(
                condition=models.Q(annulled_at=None) | models.Q(withdrawn_at__isnull=False),
                name="entry_annulled_has_withdrawn",
            ),
        ]
        ordering: ClassVar = ["event_id", "seed", "name"]

    def __str__(self) -> str:
        return sat_in_for(self.name) if self.has_bot else marked(self.name, is_bot=self.is_bot)

    def played_by_bot(self) -> "Entry":
        """Return a copy that is displayed as one for which a bot plays."""
        told = copy(self)
        told.has_bot = True
        return told

    @property
    def drawn_as(self) -> str:
        """The key by which its lots are drawn (`league.core.lots`)."""
        return self.lot_key or self.code


class EntryMember(models.Model):
    """A player of an entry; a player is in one entry of an event only."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="members", editable=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships_in_entries")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("member of an entry")
        verbose_name_plural = _("members of entries")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "player"],
                name="entry_member_once",
                violation_error_message=_("This player is in another entry of the event."),
            ),
        ]
        ordering: ClassVar = ["entry_id", "position", "id"]

    def __str__(self) -> str:
        return str(self.player)


class EntryRequest(models.Model):
    """A player or a team that wants to play in an event and has no place yet; never paired.

    `position` orders the list (`league.events.waiting`) from 1, under the event's lock; 0 stands before it,
    for a team that had a place. Whoever is declined has left it and keeps the row with the `reason`, so that
    he can read it. A team's `player` is its captain; it is called `team_name`, or after its players if that
    is "". While it is not complete it keeps its turn until `kept_until`.
    """

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="entry_requests", verbose_name=_("event")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="entry_requests", verbose_name=_("player")
    )
    state = models.CharField(_("state"), max_length=8, choices=RequestState.choices)
    position = models.PositiveIntegerField(_("place on the list"))
    reason = line(_("reason"), 300)
    made_at = models.DateTimeField(_("asked at"), db_default=Now(), editable=False)
    team_name = line(_("team"), 80)
    kept_until = models.DateTimeField(_("keeps its turn until"), null=True, blank=True)

    class Meta:
        verbose_name = _("request to enter")
        verbose_name_plural = _("waiting lists")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "player"], name="entry_request_once")
        ]
        ordering: ClassVar = ["event_id", "position", "id"]

    def __str__(self) -> str:
        return self.team_name or str(self.player)


class PartnerInvitation(models.Model):
    """A player whom the captain of a team has asked to play in it; one who accepted is of the team.

    All of it is written under the event's lock (`league.events.teams`).
    """

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="partner_invitations", verbose_name=_("event")
    )
    request = models.ForeignKey(
        EntryRequest, on_delete=models.CASCADE, related_name="invitations", verbose_name=_("request to enter")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="partner_invitations", verbose_name=_("player")
    )
    state = models.CharField(
        _("state"), max_length=8, choices=InvitationState.choices, default=InvitationState.INVITED
    )
    made_at = models.DateTimeField(_("invited at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("invitation to a team")
        verbose_name_plural = _("invitations to teams")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["request", "player"], name="partner_invitation_once")
        ]
        ordering: ClassVar = ["request_id", "id"]

    def __str__(self) -> str:
        return str(self.player)


class PartnerSearch(models.Model):
    """That a player looks for partners in an event of teams, with a line of his own."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="partner_searches", verbose_name=_("event")
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="partner_searches", verbose_name=_("player")
    )
    note = models.CharField(_("note"), max_length=160, blank=True, default="")
    made_at = models.DateTimeField(_("made at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("search for a partner")
        verbose_name_plural = _("searches for partners")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "player"], name="partner_search_once")
        ]
        ordering: ClassVar = ["event_id", "id"]

    def __str__(self) -> str:
        return str(self.player)


class Presence(models.Model):
    """An entry's presence in a round, which need not exist yet: here, away, bye requested."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="presences")
    round_number = models.PositiveSmallIntegerField(_("round"), validators=[MinValueValidator(1)])
    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="presences", verbose_name=_("entry")
    )
    state = models.CharField(_("state"), max_length=4, choices=PresenceState.choices)

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "round_number", "entry"], name="presence_once_a_round")
        ]
        ordering: ClassVar = ["event_id", "round_number", "entry_id"]

    def __str__(self) -> str:
        return f"{self.entry}, {self.round_number}: {self.get_state_display()}"


class SelfCheckIn(models.Model):
    """That members check in by themselves for a round of an event, until `closes_at`, by a code on the wall.

    The code has a secret, of which the digest is stored.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="self_check_in")
    round_number = models.PositiveSmallIntegerField(_("round"))
    digest = models.CharField(max_length=64, unique=True, editable=False)
    closes_at = models.DateTimeField()

    class Meta:
        verbose_name = _("self check-in")
        verbose_name_plural = _("self check-ins")
        ordering: ClassVar = ["event_id"]

    def __str__(self) -> str:
        return f"{self.event}, {self.round_number}"


class ForbiddenPair(models.Model):
    """Two entries never paired with each other: the same family, the same car."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="forbidden_pairs")
    entry_a = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="forbidden_as_a", verbose_name=_("entry")
    )
    entry_b = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="forbidden_as_b", verbose_name=_("not with")
    )
    reason = models.CharField(_("reason"), max_length=100, blank=True)

    class Meta:
        verbose_name = _("pair kept apart")
        verbose_name_plural = _("players kept apart")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "entry_a", "entry_b"], name="forbidden_pair_once"),
            models.CheckConstraint(
                condition=models.Q(entry_a__lt=models.F("entry_b")), name="forbidden_pair_in_order"
            ),
        ]
        ordering: ClassVar = ["event_id", "entry_a_id", "entry_b_id"]

    def __str__(self) -> str:
        return _("%(a)s not with %(b)s") % {"a": self.entry_a, "b": self.entry_b}
