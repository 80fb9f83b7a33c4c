"""Rounds: a round robin drawn with its matches, byes and sheets, a draw taken back, dates."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Appearance, Entry, Event, Match, MatchState, Player, Round
from league.pairing.round_robin import schedule
from league.policy import Permission, require
from league.services.audit import add_row, change_row, locked, record_audit, remove_row
from league.services.matches import (
    MatchPlan,
    Progress,
    check_all_locked,
    keep_voided_sheets,
    lock_matches,
    make_matches,
    match_label,
    usual_line_ups,
)
from league.services.ratings import request_ratings
from league.services.standings import request_standings
from scoring.actors import Actor
from scoring.models import Scoresheet, SheetStatus

# What one draw makes: 141 entries that meet once, 100 that meet twice.
MOST_MATCHES: Final = 10_000


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round as it would be drawn: pairs in order of tables, and who has the bye."""

    number: int
    date: datetime.date | None
    pairs: tuple[tuple[Entry, Entry], ...]
    bye: Entry | None


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """What a draw would make: nothing of it is stored."""

    event: Event
    entries: tuple[Entry, ...]
    rounds: tuple[PlannedRound, ...]

    @property
    def matches(self) -> int:
        """How many matches are played."""
        return sum(len(planned.pairs) for planned in self.rounds)

    @property
    def byes(self) -> int:
        """How many byes there are."""
        return sum(planned.bye is not None for planned in self.rounds)


def plan_round_robin(
    *,
    event: Event,
    double: bool = False,
    first_date: datetime.date | None = None,
    days_between: int = 7,
) -> DrawPlan:
    """The round robin that `draw_round_robin` would draw: everybody meets everybody, twice with `double`.

    Entries take their places by seed, then by name; those withdrawn are left out. Without `first_date` the
    rounds have no dates. Refused: an event with rounds (`already_drawn`), fewer than two entries
    (`too_few_entries`), more matches than `MOST_MATCHES` (`too_many_matches`), `days_between` outside 0…366.
    """
    if event.rounds.exists():
        raise LeagueError(
            "already_drawn",
            _("This event has rounds already; its draw can be deleted until a hand is recorded."),
        )
    if not 0 <= days_between <= 366:
        raise LeagueError("out_of_range", _("Between rounds are 0 to 366 days."), field="days_between")
    entries = sorted(
        event.entries.filter(withdrawn_at=None),
        key=lambda entry: (entry.seed is None, entry.seed or 0, entry.name),
    )
    if len(entries) < 2:
        raise LeagueError("too_few_entries", _("A round robin needs at least two entries."))
    matches = len(entries) * (len(entries) - 1) // (1 if double else 2)
    if matches > MOST_MATCHES:
        raise LeagueError(
            "too_many_matches",
            _("%(entries)d entries would play %(matches)d matches; one draw makes at most %(most)d.")
            % {"entries": len(entries), "matches": matches, "most": MOST_MATCHES},
        )
    rounds = schedule(len(entries), double=double)
    try:
        dates = [
            first_date and first_date + datetime.timedelta(days=days_between * index)
            for index in range(len(rounds))
        ]
    except OverflowError as error:
        raise LeagueError("out_of_range", _("There is no such date."), field="first_date") from error
    return DrawPlan(
        event,
        tuple(entries),
        tuple(
            PlannedRound(
                drawn.number,
                date,
                tuple((entries[first], entries[second]) for first, second in drawn.pairs),
                None if drawn.bye is None else entries[drawn.bye],
            )
            for drawn, date in zip(rounds, dates, strict=True)
        ),
    )


@transaction.atomic
def draw_round_robin(
    *,
    actor: Actor,
    event: Event,
    double: bool = False,
    first_date: datetime.date | None = None,
    days_between: int = 7,
    progress: Progress | None = None,
) -> list[Round]:
    """Draws a round robin (see `plan_round_robin`): rounds, matches with line-ups and open sheets, byes.

    Sheets are opened where both line-ups are plain: always for players, for teams of just enough members.
    `progress` is told matches made and matches in all. Two directors at once: the second is refused.
    """
    require(actor, Permission.DIRECT, event.club)
    event = locked(event)
    plan = plan_round_robin(event=event, double=double, first_date=first_date, days_between=days_between)
    rounds = Round.objects.bulk_create(
        [Round(event=event, number=planned.number, date=planned.date) for planned in plan.rounds]
    )
    line_ups = usual_line_ups(event)
    plans = [
        match
        for round_, planned in zip(rounds, plan.rounds, strict=True)
        for match in _match_plans(event, round_, planned, line_ups)
    ]
    make_matches(actor=actor, event=event, plans=plans, progress=progress)
    record_audit(
        actor=actor,
        action="event.draw",
        target=event,
        club=event.club,
        after={
            "format": "double round robin" if double else "round robin",
            "entries": [entry.name for entry in plan.entries],
            "rounds": len(plan.rounds),
            "matches": plan.matches,
            "byes": plan.byes,
            "first_date": first_date and first_date.isoformat(),
            "days_between": days_between,
        },
    )
    request_standings(event.pk)
    return rounds


@transaction.atomic
def delete_draw(*, actor: Actor, event: Event) -> int:
    """Deletes all rounds of an event with their matches; answers how many matches there were.

    Refused once a hand is recorded (`has_hands`) or something was stated about a match (`has_stated`).
    Voided sheets stay on file with their club.
    """
    require(actor, Permission.DIRECT, event.club)
    matches = Match.objects.filter(event=event)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    check_draw_deletable(event)
    sheets = Scoresheet.objects.filter(match__event=event, version=0)
    blank = list(sheets.order_by().values_list("pk", flat=True))
    before = {"rounds": event.rounds.count(), "matches": matches.count()}
    keep_voided_sheets(matches)
    Appearance.objects.filter(round__event=event).delete()
    matches.delete()
    Scoresheet.objects.filter(pk__in=blank, acts__isnull=True).delete()
    event.rounds.all().delete()
    record_audit(actor=actor, action="event.delete_draw", target=event, club=event.club, before=before)
    request_standings(event.pk)
    return before["matches"]


def check_draw_deletable(event: Event) -> None:
    """Refuses where `delete_draw` would."""
    if not event.rounds.exists():
        raise LeagueError("nothing_drawn", _("This event has no rounds."))
    begun = event.matches.filter(sheet__acts__isnull=False).exclude(sheet__status=SheetStatus.VOID)
    for match in begun[:1]:
        raise LeagueError(
            "has_hands",
            _("Sheet %(label)s has been played on; the draw stands.") % {"label": match.label},
        )
    stated = event.matches.filter(state__in=[MatchState.FORFEIT, MatchState.WALKOVER])
    for match in stated[:1]:
        raise LeagueError(
            "has_stated",
            _("A %(state)s is stated for %(label)s; take it back first.")
            % {"state": match.get_state_display(), "label": match.label},
        )


@transaction.atomic
def add_round(*, actor: Actor, event: Event, number: int, date: datetime.date | None = None) -> Round:
    """A round without matches, to be filled by hand."""
    require(actor, Permission.DIRECT, event.club)
    round_ = Round(event=event, number=number, date=date)
    add_row(actor=actor, action="round.add", row=round_, club=event.club)
    return round_


@transaction.atomic
def change_round(*, actor: Actor, round_: Round, **values: Any) -> Round:
    """Moves a round to another `date`."""
    club = round_.event.club
    require(actor, Permission.DIRECT, club)
    round_ = locked(round_)
    if change_row(actor=actor, action="round.change", row=round_, club=club, values=values):
        # Matches are rated in the order of their days.
        request_ratings(club.pk)
    return round_


@transaction.atomic
def remove_round(*, actor: Actor, round_: Round) -> None:
    """Deletes a round without matches."""
    require(actor, Permission.DIRECT, round_.event.club)
    round_ = locked(round_)
    if round_.matches.exists():
        raise LeagueError("in_use", _("Round %(number)s has matches.") % {"number": round_.number})
    remove_row(actor=actor, action="round.remove", row=round_, club=round_.event.club)


def _match_plans(
    event: Event, round_: Round, planned: PlannedRound, line_ups: dict[int, tuple[Player, ...]]
) -> Iterator[MatchPlan]:
    for table, (first, second) in enumerate(planned.pairs, start=1):
        yield MatchPlan(
            round=round_,
            entry_a=first,
            entry_b=second,
            table=table,
            label=match_label(event, planned.number, table),
            line_up_a=line_ups.get(first.pk, ()),
            line_up_b=line_ups.get(second.pk, ()),
        )
    if planned.bye is not None:
        yield MatchPlan(
            round=round_,
            entry_a=planned.bye,
            entry_b=None,
            label=match_label(event, planned.number, _("bye")),
        )
