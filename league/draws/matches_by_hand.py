"""Adds matches to a round by hand, and removes them before anything is done on their sheets."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.drawn import check_has_rounds
from league.draws.formats import format_of
from league.draws.round_writing import check_no_play_off
from league.errors import LeagueError
from league.matches.matches import MatchPlan, make_matches, match_label, usual_line_ups
from league.models import SAT_OUT, Entry, Event, Match, Round, RoundState, traits_of
from league.notices.causes import match_added
from league.policy import Permission, require
from league.policy.eligibility import check_entered, check_free, check_not_in_play
from league.record.audit import directed, locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor


@transaction.atomic
def add_match(
    *,
    actor: Actor,
    round_: Round,
    entry_a: Entry,
    entry_b: Entry | None,
    partner_a: Entry | None = None,
    partner_b: Entry | None = None,
    table: int | None = None,
) -> Match:
    """Add a match to a round; without `entry_b` it is a bye. Line-ups without a choice are set.

    Refused: an entry that is in the round already (`plays_already`), unless it is a team with enough members;
    partners missing where partners rotate, or given elsewhere (`partners`); a round of a bracket, which has
    its own matches only (`bracket`).
    """
    event = round_.event
    event = directed(actor, event)
    round_ = locked(round_)
    check_doing(event.name, event.state, Doing.PLAY)
    check_has_rounds(event)
    if not format_of(event).takes_added_matches or round_.matches.filter(tie__isnull=False).exists():
        raise LeagueError(
            "bracket", _("The bracket says who meets whom; a match beside it would count in the table.")
        )
    places = {"entry_a": entry_a, "entry_b": entry_b, "partner_a": partner_a, "partner_b": partner_b}
    named = {field: entry for field, entry in places.items() if entry is not None}
    for field, entry in named.items():
        check_entered(event, entry, field)
        if entry.withdrawn_at is not None:
            raise LeagueError("withdrawn", _("%(entry)s has withdrawn.") % {"entry": entry}, field=field)
    if entry_a == entry_b:
        raise LeagueError("same_entry", _("An entry does not play against itself."), field="entry_b")
    _check_partners(event, named)
    for field, entry in named.items():
        _check_not_in_round(round_, entry, field, sits_out=entry_b is None)
    line_ups = usual_line_ups(event)
    line_up_a, line_up_b = (
        tuple(player for entry in side if entry is not None for player in line_ups.get(entry.pk, ()))
        for side in ((entry_a, partner_a), (entry_b, partner_b))
    )
    if entry_b is not None:
        check_free(round_, [*line_up_a, *line_up_b])
        table = table or (round_.matches.count() + 1)
    plan = MatchPlan(
        round=round_,
        entry_a=entry_a,
        entry_b=entry_b,
        partner_a=partner_a,
        partner_b=partner_b,
        table=table if entry_b else None,
        label=_free_label(event, round_.number, table if entry_b else "bye"),
        line_up_a=line_up_a,
        line_up_b=line_up_b,
    )
    (match,) = make_matches(actor=actor, event=event, plans=[plan])
    if round_.state == RoundState.PUBLISHED:
        match_added(match)
    record_audit(actor, "match.add", match, after={"label": match.label, "match": match})
    request_standings(event.pk)
    return match


@transaction.atomic
def remove_match(*, actor: Actor, match: Match) -> None:
    """Delete a match with an untouched sheet, which nobody is playing.

    Refused: a match of a bracket (`bracket`), a challenge, which is called off instead (`no_rounds`), and a
    play-off, which goes with its decision (`play_off`).
    """
    event = match.event
    require(actor, Permission.DIRECT, event.club)
    match, sheet = lock_match(match)
    event = match.event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    check_has_rounds(event)
    if match.tie_id is not None:
        raise LeagueError(
            "bracket",
            _("%(label)s belongs to the bracket, which says what is played.") % {"label": match.label},
        )
    if sheet is not None and sheet.acts.exists():
        raise LeagueError("has_hands", _("Something is recorded on %(label)s.") % {"label": match.label})
    check_not_in_play(Match.objects.filter(pk=match.pk))
    check_no_play_off(Match.objects.filter(pk=match.pk))
    record_audit(
        actor, "match.remove", match, before={"label": match.label, "match": match, "state": match.state}
    )
    match.delete()
    if sheet is not None:
        sheet.delete()
    request_standings(event.pk)


def _check_partners(event: Event, named: dict[str, Entry]) -> None:
    """Refuse (`partners`) unless sides have two different entries where partners rotate, else one."""
    wanted = traits_of(event).partners_rotate and "entry_b" in named
    for field in ("partner_a", "partner_b"):
        if wanted != (field in named):
            said = _("Partners rotate here: say who plays with whom.") if wanted else _("No partner here.")
            raise LeagueError("partners", said, field=field)
    if len(set(named.values())) < len(named):
        raise LeagueError("same_entry", _("Four different players sit at a table."), field="partner_b")


def _check_not_in_round(round_: Round, entry: Entry, field: str, *, sits_out: bool) -> None:
    """Refuse (`plays_already`) an entry that would both play and sit out, or in a draft appear twice.

    A draft has no line-ups yet that could tell two players of a team apart.
    """
    there = round_.matches.of_entry(entry)
    if not (sits_out or round_.state == RoundState.DRAFTED):
        there = there.filter(state__in=SAT_OUT)
    for match in there[:1]:
        raise LeagueError(
            "plays_already",
            _("%(entry)s is in this round already: %(label)s.") % {"entry": entry, "label": match.label},
            field=field,
        )


def _free_label(event: Event, number: int, place: object) -> str:
    wanted = match_label(event, number, place)
    taken = set(event.matches.filter(label__startswith=wanted).values_list("label", flat=True))
    label, count = wanted, 1
    while label in taken:
        count += 1
        label = f"{wanted}.{count}"
    return label
