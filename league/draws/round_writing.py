"""Writes planned rounds of any format, and erases them as long as nothing has happened in them.

Callers hold the event's lock and record the audit entry.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.draws.plans import PlannedMatch, RoundPlan
from league.errors import LeagueError
from league.matches.matches import (
    MatchPlan,
    Progress,
    keep_voided_sheets,
    make_matches,
    match_label,
    usual_line_ups,
)
from league.models import (
    AWARDED,
    PLAYED,
    SAT_OUT,
    Appearance,
    Entry,
    Event,
    LineUpSeat,
    Match,
    Player,
    Round,
    RoundState,
    Tie,
)
from league.notices.causes import rounds_published
from league.policy.eligibility import check_not_in_play
from scoring.core.actors import Actor
from scoring.models import Scoresheet, SheetStatus


def write_rounds(
    *,
    actor: Actor,
    event: Event,
    plans: Sequence[RoundPlan],
    state: RoundState,
    progress: Progress | None = None,
) -> list[Round]:
    """Write rounds with their matches; unless they are drafts, also line-ups and open sheets.

    Those who play in published ones are told.
    """
    rounds = Round.objects.bulk_create(
        [Round(event=event, number=plan.number, date=plan.date, state=state) for plan in plans]
    )
    write_matches(actor=actor, event=event, rounds=list(zip(rounds, plans, strict=True)), progress=progress)
    if state == RoundState.PUBLISHED:
        rounds_published(event, rounds)
    return rounds


def write_matches(
    *,
    actor: Actor,
    event: Event,
    rounds: Sequence[tuple[Round, RoundPlan]],
    progress: Progress | None = None,
) -> None:
    """Write planned matches into empty rounds."""
    line_ups = usual_line_ups(event)
    plans = [match for round_, plan in rounds for match in _match_plans(event, round_, plan, line_ups)]
    make_matches(actor=actor, event=event, plans=plans, progress=progress)
    for round_, plan in rounds:
        ties = {match.tie.pk for match in plan.matches if match.tie is not None}
        if ties:
            Tie.objects.filter(pk__in=ties).update(round=round_)


def check_untouched(matches: QuerySet[Match]) -> None:
    """Refuse if a hand is recorded (`has_hands`) or a match awarded (`has_stated`) in these matches.

    Imported results count as played, and so does what is being played at a table on this site.
    """
    # Of duplicate cards of a pack were seen that others are still to play.
    at_table = Q(sheet__table_match__is_duplicate=True) | Q(sheet__table_match__is_live=True)
    begun = matches.filter(Q(sheet__acts__isnull=False) | at_table)
    begun = begun.exclude(sheet__status=SheetStatus.VOID)
    played = matches.filter(Q(pk__in=begun.values("pk")) | Q(state__in=PLAYED))
    for match in played[:1]:
        check_not_in_play(matches)
        raise LeagueError(
            "has_hands",
            _("Sheet %(label)s has been played on; the draw stands.") % {"label": match.label},
        )
    for match in matches.filter(state__in=[state for state in AWARDED if state not in SAT_OUT])[:1]:
        raise LeagueError(
            "has_stated",
            _("A %(state)s was awarded for %(label)s; take it back first.")
            % {"state": match.get_state_display(), "label": match.label},
        )


def check_no_play_off(matches: QuerySet[Match]) -> None:
    """Refuse (`play_off`) a play-off among these matches: it is deleted with its decision alone."""
    for match in matches.exclude(play_off=None).order_by("table", "id")[:1]:
        raise LeagueError(
            "play_off",
            _("%(label)s is a play-off. Take back the decision it was made for, and it is deleted too.")
            % {"label": match.label},
        )


def erase_sheets(matches: QuerySet[Match]) -> None:
    """Delete blank sheets and line-ups of untouched matches. Voided sheets stay with the club."""
    blank = list(
        Scoresheet.objects.filter(match__in=matches.order_by(), version=0).order_by().values_list("pk")
    )
    keep_voided_sheets(matches)
    Appearance.objects.filter(match__in=matches.order_by()).delete()
    LineUpSeat.objects.filter(match__in=matches.order_by()).delete()
    matches.order_by().update(sheet=None, bot_side=None, bye_given=False)
    Scoresheet.objects.filter(pk__in=[pk for (pk,) in blank], acts__isnull=True).delete()


def erase_matches(matches: QuerySet[Match]) -> int:
    """Delete untouched matches with their blank sheets; returns how many."""
    ids = list(matches.order_by().values_list("pk", flat=True))
    erase_sheets(matches)
    Match.objects.filter(pk__in=ids).delete()
    return len(ids)


def pairing_facts(plan: RoundPlan) -> dict[str, Any]:
    """Return a round for the audit: who meets whom, and who sits out."""
    return {
        "pairs": [{"sides": [list(side) for side in match.sides]} for match in plan.matches],
        "byes": [bye.entry for bye in plan.byes],
    }


def _match_plans(
    event: Event, round_: Round, plan: RoundPlan, line_ups: dict[int, tuple[Player, ...]]
) -> Iterator[MatchPlan]:
    for number, match in enumerate(plan.matches, start=1):
        table = match.table or number
        yield _match_plan(event, round_, match, table, line_ups)
    for number, bye in enumerate(plan.byes, start=1):
        word = _("bye")
        yield MatchPlan(
            round=round_,
            entry_a=bye.entry,
            entry_b=None,
            label=match_label(event, plan.number, word if number == 1 else f"{word}.{number}"),
            sits_out=bye.state,
            reasons=bye.reasons,
        )


def _match_plan(
    event: Event, round_: Round, match: PlannedMatch, table: int, line_ups: dict[int, tuple[Player, ...]]
) -> MatchPlan:
    (entry_a, *with_a), (entry_b, *with_b), *others = match.sides
    return MatchPlan(
        round=round_,
        entry_a=entry_a,
        entry_b=entry_b,
        partner_a=with_a[0] if with_a else None,
        partner_b=with_b[0] if with_b else None,
        table=table,
        label=match_label(event, round_.number, table if match.leg == 1 else f"{table}.{match.leg}"),
        line_up_a=_line_up(match.sides[0], line_ups),
        line_up_b=_line_up(match.sides[1], line_ups),
        others=tuple(entry for side in others for entry in side),
        line_ups_of_others=tuple(_line_up(side, line_ups) for side in others),
        reasons=match.reasons,
        tie=match.tie,
        leg=match.leg,
    )


def _line_up(side: Sequence[Entry], line_ups: dict[int, tuple[Player, ...]]) -> tuple[Player, ...]:
    """Return the players of a side of one or two entries; empty if one of them must still choose."""
    members = [line_ups.get(entry.pk, ()) for entry in side]
    return tuple(player for players in members for player in players) if all(members) else ()
