"""The life of a round: drafted, published, complete, and back as long as nothing is lost.

The matches of a drafted round have no sheets, and only directors see them. Publishing opens the sheets.
Pairing holds the event's lock, so of two directors one pairs and the other is refused.
"""

import datetime
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import TableMatch, on_now
from league.core.evening import MISSED_IN_A_ROW
from league.core.lifecycle import Doing, check_doing, check_round_step
from league.draws.advancing import hold_bracket, settle_rows
from league.draws.carrying import carried, is_carried
from league.draws.drawn import check_has_rounds
from league.draws.formats import format_of
from league.draws.missing import missing_results, results_missing
from league.draws.planning import (
    asks_who_is_here,
    attendance_of,
    next_number,
    plan_next_round,
    plan_round,
)
from league.draws.plans import RoundPlan
from league.draws.round_writing import (
    check_no_play_off,
    check_untouched,
    erase_matches,
    erase_sheets,
    pairing_facts,
    write_matches,
    write_rounds,
)
from league.draws.staleness import no_longer_fits, results_drawn_from
from league.errors import LeagueError
from league.matches.matches import seat_matches
from league.matches.plans import forget_plans
from league.models import (
    Entry,
    Event,
    Match,
    PlayedWhere,
    Presence,
    PresenceState,
    Round,
    RoundState,
)
from league.notices.causes import evening_told, rounds_published
from league.policy import Permission, require
from league.record.audit import change_row, directed, given_reason, locked, record_audit
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import Claim, Scoresheet


@transaction.atomic
def draft_round(
    *,
    actor: Actor,
    event: Event,
    number: int | None = None,
    date: datetime.date | None = None,
    despite_missing: bool = False,
    accept_offer: bool = False,
) -> Round:
    """Pair the next round as a draft; refused as by `plan_next_round`.

    `number` is the round the director expects; refused (`paired_already`) if another director was faster.
    Earlier rounds with all matches played become complete. In an evening that runs itself it is noted who is
    here without having said so (`carried`), and directors are told whom that leaves out.
    """
    require(actor, Permission.DIRECT, event.club)
    event = hold_bracket(event)
    check_doing(event.name, event.state, Doing.PAIR)
    settle_rows(event)
    if number is not None and event.rounds.filter(number__gte=number).exists():
        raise LeagueError(
            "paired_already", _("Round %(number)d has just been paired. Look at it.") % {"number": number}
        )
    following = next_number(event)
    if number not in (None, following):
        raise LeagueError(
            "out_of_range", _("Round %(number)d is the next to be paired.") % {"number": following}
        )
    _carry_presence(actor, event, following)
    plan = plan_next_round(event, despite_missing=despite_missing, accept_offer=accept_offer, date=date)
    (round_,) = draft_rounds(actor=actor, event=event, plans=[plan])
    _note_pairing(event, round_, plan)
    _complete_played(actor, event, before=plan.number)
    return round_


def _carry_presence(actor: Actor, event: Event, number: int) -> None:
    """Write and note who is here in this round, and who is left out, of those of whom nobody has said it."""
    if not asks_who_is_here(event, number) or not is_carried(event, number):
        return
    entries = event.entries.filter(withdrawn_at=None, first_round__lte=number).order_by("name")
    said = Presence.objects.filter(event=event, round_number=number).values("entry")
    unsaid = list(entries.exclude(pk__in=said))
    states = carried(event, number, unsaid)
    rows = [(entry, states[entry.pk]) for entry in unsaid if entry.pk in states]
    Presence.objects.bulk_create(
        [Presence(event=event, entry=entry, round_number=number, state=state) for entry, state in rows]
    )
    here = [entry for entry, state in rows if state == PresenceState.HERE]
    away = [entry for entry, state in rows if state == PresenceState.AWAY]
    if here:
        record_audit(actor, "presence.everybody", event, after={"round": number, "here": here})
    if away:
        reason = _("Missed in a row: %(count)d.") % {"count": MISSED_IN_A_ROW}
        after = {"round": number, "absent": away}
        evening_told(event.club, record_audit(actor, "evening.left_out", event, after=after, reason=reason))


@transaction.atomic
def draft_rounds(*, actor: Actor, event: Event, plans: Sequence[RoundPlan]) -> list[Round]:
    """Write planned rounds as drafts. Of two directors at once the second is refused.

    The plans were made under the event's lock, which stays held.
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.PAIR)
    numbers = {plan.number for plan in plans}
    for taken in event.rounds.filter(number__in=numbers)[:1]:
        raise LeagueError(
            "paired_already",
            _("Round %(number)d has just been paired. Look at it.") % {"number": taken.number},
        )
    rounds = write_rounds(actor=actor, event=event, plans=plans, state=RoundState.DRAFTED)
    for round_, plan in zip(rounds, plans, strict=True):
        record_audit(actor, "round.draft", round_, after=pairing_facts(plan), reason=" ".join(plan.warnings))
    request_standings(event.pk)
    return rounds


@transaction.atomic
def publish_round(*, actor: Actor, round_: Round, reason: str = "") -> Round:
    """Publish a drafted round: set line-ups, open sheets, show it to everyone, tell those who play in it.

    If it no longer fits what it was drawn from (`staleness.no_longer_fits`) a reason is required (`stale`);
    who came since, and was in no round before, then plays from the next one on, as a late entry.
    Refused if an entry in it has withdrawn or gone since (`not_here`), or all have (`no_matches`).
    """
    event, round_ = _lock_round(actor, round_)
    if round_.state != RoundState.DRAFTED:
        raise LeagueError("wrong_state", _("%(round)s is published already.") % {"round": round_})
    settle_rows(event)
    check_publishable(event, round_)
    changed = " ".join(no_longer_fits(event, round_))
    if changed and not reason.strip():
        raise LeagueError("stale", changed, field="reason")
    _set_state(
        actor, event, round_, RoundState.PUBLISHED, "round.publish", given_reason(reason) if changed else ""
    )
    if changed:
        _put_off_newcomers(actor, event, round_, reason)
    rows = round_.matches.with_sides()
    seat_matches(actor=actor, event=event, matches=list(rows.order_by("table", "id")))
    rounds_published(event, [round_])
    request_standings(event.pk)
    return round_


def _put_off_newcomers(actor: Actor, event: Event, round_: Round, reason: str) -> None:
    """Let those who are here and were never drawn play from the round after this one on."""
    if not format_of(event).night_by_night:
        return
    for entry in attendance_of(event, round_.number).present:
        if not event.matches.of_entry(entry).exists():
            change_row(
                actor,
                "entry.change",
                locked(entry),
                {"first_round": round_.number + 1},
                reason=given_reason(reason),
            )


def check_publishable(event: Event, round_: Round) -> None:
    """Refuse whatever `publish_round` refuses about entries that have gone since the draft."""
    if not round_.matches.exists():
        raise LeagueError(
            "no_matches",
            _("Round %(number)d has no matches left: delete it.") % {"number": round_.number},
        )
    if not format_of(event).night_by_night:
        return
    attendance = attendance_of(event, round_.number)
    here = {entry.pk for entry in (*attendance.present, *attendance.asked_off)}
    gone = [str(entry) for entry in _entries_of(round_) if entry.pk not in here]
    if gone:
        raise LeagueError(
            "not_here",
            ngettext(
                "%(names)s is not here or has withdrawn; pair the round again.",
                "%(names)s are not here or have withdrawn; pair the round again.",
                len(gone),
            )
            % {"names": ", ".join(gone)},
        )


def what_to_do(event: Event, round_: Round) -> list[str]:
    """Return sentences on a drafted round that no longer fits: what has changed, and what can be done."""
    changed = no_longer_fits(event, round_)
    if not changed:
        return []
    try:
        check_publishable(event, round_)
    except LeagueError:
        return [*changed, _("Pair the round again.")]
    if not format_of(event).night_by_night:
        return [*changed, _("To publish the round all the same, say why.")]
    return [*changed, _("Pair the round again, or publish it all the same and say why.")]


@transaction.atomic
def unpublish_round(*, actor: Actor, round_: Round) -> Round:
    """Take a published round back to a draft before its first hand; blank sheets are deleted."""
    event, round_ = _lock_round(actor, round_)
    check_round_step(round_, round_.state, RoundState.DRAFTED)
    check_untouched(round_.matches.all())
    erase_sheets(round_.matches.all())
    # In a draft entries change places.
    forget_plans(round_.matches.all())
    _set_state(actor, event, round_, RoundState.DRAFTED, "round.unpublish")
    request_standings(event.pk)
    return round_


@transaction.atomic
def repair_round(*, actor: Actor, round_: Round, despite_missing: bool = False) -> Round:
    """Pair the last round again, as a draft, from those present now, before its first hand.

    Refused once a hand is recorded (`has_hands`) or a match awarded (`has_stated`), if a later round exists
    (`not_last`), and if there is a play-off in it (`play_off`).
    """
    event, round_ = _lock_round(actor, round_)
    check_repairable(event, round_)
    before = _facts(round_)
    erase_matches(round_.matches.all())
    round_.state, round_.ends_at = RoundState.DRAFTED, None
    round_.save(update_fields=["state", "ends_at"])
    settle_rows(event)
    plan = plan_round(
        event, round_.number, despite_missing=despite_missing, accept_offer=True, date=round_.date
    )
    write_matches(actor=actor, event=event, rounds=[(round_, plan)])
    _note_pairing(event, round_, plan)
    record_audit(
        actor,
        "round.repair",
        round_,
        before=before,
        after=pairing_facts(plan),
        reason=" ".join(plan.warnings),
    )
    request_standings(event.pk)
    return round_


def check_repairable(event: Event, round_: Round) -> None:
    """Refuse whatever `repair_round` and `discard_round` refuse."""
    check_doing(event.name, event.state, Doing.PAIR)
    if event.rounds.filter(number__gt=round_.number).exists():
        raise LeagueError(
            "not_last",
            _("Rounds after round %(number)d are paired; begin with the last.") % {"number": round_.number},
        )
    check_untouched(round_.matches.all())
    check_no_play_off(round_.matches.all())


@transaction.atomic
def discard_round(*, actor: Actor, round_: Round) -> int:
    """Delete the last round before its first hand; returns the number of its matches.

    Refused as by `repair_round`.
    """
    event, round_ = _lock_round(actor, round_)
    check_repairable(event, round_)
    record_audit(actor, "round.discard", round_, before=_facts(round_))
    count = erase_matches(round_.matches.all())
    round_.delete()
    request_standings(event.pk)
    return count


@transaction.atomic
def complete_round(*, actor: Actor, round_: Round, reason: str = "") -> Round:
    """Close a round. While anything in it is open (`results_missing` lists it) a reason is required.

    Refused while its packs are played on this site (`packs_in_play`), as closing it tells them.
    """
    event, round_ = _lock_round(actor, round_)
    check_round_step(round_, round_.state, RoundState.COMPLETE)
    _check_packs_rest(event, round_)
    left = open_in(round_)
    if left and not reason.strip():
        raise LeagueError("results_missing", left, field="reason")
    round_.closed_reason = given_reason(reason) if left else ""
    _set_state(
        actor, event, round_, RoundState.COMPLETE, "round.complete", round_.closed_reason or reason.strip()
    )
    return round_


def close_packs(*, actor: Actor, event: Event) -> None:
    """Close the open rounds of a locked event of duplicate on this site: nothing more is played.

    Refused while its packs are in play, as by `complete_round`. Does nothing for other events.
    """
    if not event.is_duplicate:
        return
    for row in event.rounds.filter(state=RoundState.PUBLISHED).exclude(packs=None).order_by("number"):
        # A table that opens holds the round, too.
        round_ = locked(row)
        round_.event = event
        if tells_packs(round_):
            _check_packs_rest(event, round_)
            _set_state(actor, event, round_, RoundState.COMPLETE, "round.complete")


def open_in(round_: Round) -> str:
    """Return sentences on what is open in a round (results missing or held, undecided claims), or ""."""
    missing = missing_results(round_.event, before=round_.number + 1)
    missing = [match for match in missing if match.round_id == round_.pk]
    sentences = [results_missing(missing)] if missing else []
    claimed = round_.matches.filter(sheet__in=_undecided()).order_by("table", "id")
    if labels := list(claimed.values_list("label", flat=True)):
        sentences.append(
            ngettext(
                "Two entries of a deal differ at %(labels)s, and nobody has decided.",
                "Two entries of a deal differ at each of %(labels)s, and nobody has decided.",
                len(labels),
            )
            % {"labels": ", ".join(labels)}
        )
    return " ".join(sentences)


@transaction.atomic
def reopen_round(*, actor: Actor, round_: Round) -> Round:
    """Reopen a complete round; refused as by `check_reopenable`."""
    event, round_ = _lock_round(actor, round_)
    check_reopenable(round_)
    _set_state(actor, event, round_, RoundState.PUBLISHED, "round.reopen")
    return round_


def check_reopenable(round_: Round) -> None:
    """Refuse a round that is not complete (`wrong_state`), and one whose packs are told (`packs_told`)."""
    if round_.state != RoundState.COMPLETE:
        raise LeagueError("wrong_state", _("%(round)s is not complete.") % {"round": round_})
    if tells_packs(round_):
        raise LeagueError(
            "packs_told",
            _(
                "Everybody has seen the packs of %(round)s: it stays closed, and its sheets are corrected as"
                " they are."
            )
            % {"round": round_},
        )


def next_round_number(event: Event) -> int | None:
    """Return the number of the round that could be paired now, None if that must wait."""
    try:
        return next_number(event)
    except LeagueError:
        return None


def tells_packs(round_: Round) -> bool:
    """Return whether closing a round shows packs that were played on this site, so that it stays closed."""
    event = round_.event
    return event.is_duplicate and event.played == PlayedWhere.ONLINE and hasattr(round_, "packs")


def _note_pairing(event: Event, round_: Round, plan: RoundPlan) -> None:
    """Note what a round was paired by."""
    format_of(event).drawn(event, round_.number)
    round_.drawn_from = results_drawn_from(event, round_.number)
    round_.scores = plan.scores and {str(entry): str(points) for entry, points in plan.scores.items()}
    round_.save(update_fields=["drawn_from", "scores"])


def _lock_round(actor: Actor, round_: Round) -> tuple[Event, Round]:
    """Lock the matches of a round and of its bracket, then the event; returns event and round."""
    require(actor, Permission.DIRECT, round_.event.club)
    event = hold_bracket(round_.event, Q(round=round_))
    check_doing(event.name, event.state, Doing.PAIR)
    check_has_rounds(event)
    round_ = locked(round_)
    round_.event = event
    return event, round_


def _set_state(
    actor: Actor, event: Event, round_: Round, state: RoundState, action: str, reason: str = ""
) -> None:
    before, round_.state = round_.state, state
    if state != RoundState.COMPLETE:
        round_.closed_reason = ""
    # Neither a draft nor a closed round has a clock.
    if state != RoundState.PUBLISHED:
        round_.ends_at = None
    round_.save(update_fields=["state", "closed_reason", "ends_at"])
    record_audit(actor, action, round_, before={"state": before}, after={"state": state.value}, reason=reason)


def _complete_played(actor: Actor, event: Event, *, before: int) -> None:
    waiting = {match.round_id for match in missing_results(event, before=before)}
    waiting |= set(event.matches.filter(sheet__in=_undecided()).values_list("round", flat=True))
    if event.is_duplicate:
        waiting |= set(_playing_packs(event).values_list("round", flat=True))
    for round_ in event.rounds.filter(number__lt=before, state=RoundState.PUBLISHED).order_by("number"):
        if round_.pk not in waiting:
            round_.event = event
            _set_state(actor, event, round_, RoundState.COMPLETE, "round.complete")


def _check_packs_rest(event: Event, round_: Round) -> None:
    for match in _playing_packs(event).filter(round=round_).order_by("table", "id")[:1]:
        raise LeagueError(
            "packs_in_play",
            _(
                "%(label)s is being played on this site, and closing the round shows its packs: end that"
                " first."
            )
            % {"label": match.label},
        )


def _playing_packs(event: Event) -> QuerySet[Match]:
    """Return the matches that are being played on this site with the packs of their round."""
    live = TableMatch.objects.filter(on_now(), is_duplicate=True)
    return event.matches.filter(sheet__in=live.values("sheet"))


def _undecided() -> QuerySet[Scoresheet]:
    """Return the sheets with an undecided claim."""
    return Scoresheet.objects.filter(Exists(Claim.objects.filter(sheet=OuterRef("pk"), settlement=None)))


def _entries_of(round_: Round) -> list[Entry]:
    rows = round_.matches.with_sides().order_by("id")
    return [entry for match in rows for side in match.sides for entry in match.side(side)]


def _facts(round_: Round) -> dict[str, object]:
    rows = round_.matches.with_sides()
    matches = list(rows.order_by("table", "id"))
    return {
        "state": round_.state,
        "pairs": [match for match in matches if match.entry_b is not None],
        "byes": [match.entry_a for match in matches if match.entry_b is None],
    }
