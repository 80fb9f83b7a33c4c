"""The guide by which a club begins: its steps, and what each of them stores.

Where somebody is in it is nowhere noted but in what is stored: house rules, players, an event, its rounds. So
it can be interrupted, reloaded and sent twice, and goes on where the club is. Its event is a round robin that
has been started; what else is made in the administration is none of its business. It ends at any step.
"""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from league.draws.plans import Draw
from league.draws.rounds import check_entries, draw_round_robin, plan_round_robin
from league.errors import LeagueError
from league.events.entries import enter_players
from league.events.event_life import start_event
from league.events.events import create_event
from league.events.house_rules import drop_club_rules, make_club_rules
from league.matches.matches import Progress
from league.models import DEFAULT_FORMAT, Club, ClubRules, Event, EventState, Player, Round
from league.policy import Permission, require
from league.record.audit import change_row, locked
from league.record.slugs import free_slug
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.services import delete_unused_rules
from scoring.words.knob_words import GIN_PRESET_WORDS, PRESET_WORDS

# One game, or three at once on a sheet as in Hollywood.
SHEETS = (3, 1)
_FEWEST = 2
_NOT_STARTED = (EventState.DRAFT, EventState.OPEN)


class GuideStep(StrEnum):
    """The steps of the guide, in order; each is the last part of an address."""

    CLUB = "club"
    RULES = "rules"
    MEMBERS = "members"
    EVENT = "event"
    DRAW = "draw"
    PRINT = "print"


STEPS = tuple(GuideStep)


@dataclass(frozen=True, slots=True)
class Begun:
    """What a club has of its beginning: `event` is its first round robin, `round` the first of that."""

    club: Club
    rules: ClubRules | None
    members: int
    event: Event | None
    round: Round | None

    @property
    def due(self) -> GuideStep:
        """The first step that is not done yet; the last one once all are."""
        if self.rules is None:
            return GuideStep.RULES
        if self.event is None and self.members < _FEWEST:
            return GuideStep.MEMBERS
        if self.event is None:
            return GuideStep.EVENT
        return GuideStep.DRAW if self.round is None else GuideStep.PRINT

    def is_open(self, step: GuideStep) -> bool:
        """Whether the step has its turn or had it."""
        return STEPS.index(step) <= STEPS.index(self.due)


def begun(club: Club) -> Begun:
    """Return how far a club has come."""
    started = Event.objects.filter(club=club, format=DEFAULT_FORMAT).exclude(state__in=_NOT_STARTED)
    is_drawn = Exists(Round.objects.filter(event=OuterRef("pk")))
    event = started.select_related("rules").order_by(is_drawn.desc(), "pk").first()
    round_ = None if event is None else event.rounds.order_by("number").first()
    rules = ClubRules.objects.filter(club=club).select_related("rules").order_by("-pk").first()
    return Begun(club, rules, _people(club).count(), event, round_)


def preset_of(rules: Rules) -> str:
    """Return the preset that the guide makes these rules of; "" if it makes them of none."""
    own = (name for name in GIN_PRESET_WORDS if Rules.preset(name, columns=rules.columns) == rules)
    return next(own, "")


@transaction.atomic
def choose_rules(*, actor: Actor, club: Club, preset: str, columns: int) -> ClubRules:
    """Make a preset, with so many games on a sheet, the club's house rules.

    It replaces another choice, of which nothing is left, but no rules that the club has changed or plays by.
    Refused (`rules_in_use`) once the guide has its event.
    """
    require(actor, Permission.DIRECT, club)
    club = locked(club)
    now = begun(club)
    rules = Rules.preset(preset, columns=columns)
    if now.rules is not None:
        tried = now.rules.rules
        if tried.rules == rules:
            return now.rules
        if now.event is not None:
            raise LeagueError(
                "rules_in_use", _("The event has its rules by now: make another set under House rules.")
            )
        if tried.version == 1 and preset_of(tried.rules) and not tried.events.exists():
            drop_club_rules(actor=actor, club_rules=now.rules)
            delete_unused_rules([tried.pk])
    return make_club_rules(actor=actor, club=club, name=str(PRESET_WORDS[preset][0]), rules=rules)


@transaction.atomic
def make_first_event(*, actor: Actor, club: Club, name: str, players: Iterable[Player]) -> Event:
    """Make and start a round robin of these players, by the club's rules.

    Where there is one it is returned as it is. Refused: a number of players that cannot be drawn, as
    `check_entries`.
    """
    require(actor, Permission.DIRECT, club)
    club = locked(club)
    now = begun(club)
    if now.event is not None:
        return now.event
    if now.rules is None:
        raise LeagueError("no_rules", _("Choose the house rules first."))
    chosen = sorted(players, key=lambda player: player.name)
    check_entries(len(chosen))
    name = " ".join(name.split())
    event = create_event(
        actor=actor,
        club=club,
        name=name,
        slug=free_slug(club.events.values_list("slug", flat=True), name),
        rules=now.rules.rules,
        format=DEFAULT_FORMAT,
    )
    enter_players(actor=actor, event=event, players=chosen)
    return start_event(actor=actor, event=event)


def plan_first_draw(event: Event) -> Draw:
    """Return the rounds that `draw_first_event` would draw, without their dates."""
    return plan_round_robin(event=event)


@transaction.atomic
def draw_first_event(
    *,
    actor: Actor,
    club: Club,
    first_date: datetime.date | None,
    days_between: int,
    progress: Progress | None = None,
) -> Round:
    """Draw all rounds of the first event and return the first; what is drawn already stays as it is.

    Refused (`no_event`) before there is one, else as `draw_round_robin`.
    """
    require(actor, Permission.DIRECT, club)
    club = locked(club)
    now = begun(club)
    if now.round is not None:
        return now.round
    if now.event is None:
        raise LeagueError("no_event", _("Make the event first."))
    drawn = draw_round_robin(
        actor=actor, event=now.event, first_date=first_date, days_between=days_between, progress=progress
    )
    return drawn[0]


@transaction.atomic
def end_guide(*, actor: Actor, club: Club) -> Club:
    """End the guide for good, however far it has come; what it has made stays."""
    require(actor, Permission.MANAGE, club)
    club = locked(club)
    change_row(actor, "club.change", club, {"is_guided": False}, club=club)
    return club


def people_of(club: Club) -> list[Player]:
    """Return the club's players, without bots, by name."""
    return list(_people(club).order_by("name"))


def _people(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club, merged_into=None, erased_at=None, strategy="")
