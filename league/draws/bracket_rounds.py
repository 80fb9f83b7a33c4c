"""Plans the next round of a bracket: one sheet for each tie that can be played now."""

import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing.elimination import Readiness
from league.draws.plans import PlannedBye, PlannedMatch, RoundPlan
from league.draws.qualifying import bracket_in_doubt
from league.draws.tie_tree import BracketNow, TieNow, begun, bracket_now
from league.errors import LeagueError
from league.models import Event, MatchState, Tie, traits_of

_OVER = (Readiness.DECIDED, Readiness.BYE, Readiness.NOT_NEEDED)


def plan_stage(event: Event, number: int, *, date: datetime.date | None = None) -> RoundPlan:
    """Plan round `number` of a bracket: the next stage and whatever earlier ones could not play.

    Further sheets of a tie are added to its own round. Refused: nothing drawn (`nothing_drawn`), a bracket
    that is over (`no_more_rounds`), one in which no tie without a sheet has both its entries
    (`nothing_ready`).
    """
    now = bracket_now(event)
    if now is None:
        raise LeagueError("nothing_drawn", _draw_first(event))
    waiting = waiting_ties(now)
    if not waiting:
        raise _nothing_left(now)
    stage = max(min(tie.tie.stage for tie in waiting), number - _rounds_before(now))
    ready = [tie for tie in waiting if tie.pair is not None and tie.tie.stage <= stage]
    if not ready:
        ready = [tie for tie in waiting if tie.pair is not None]
    if not ready:
        raise LeagueError(
            "nothing_ready", " ".join([_("No match of the bracket can be played yet."), *open_ties(now)])
        )
    matches = tuple(
        PlannedMatch(
            sides=((tie.pair[0],), (tie.pair[1],)) if tie.pair is not None else ((), ()),
            table=table,
            reasons=(reason(tie),),
            tie=tie.tie,
        )
        for table, tie in enumerate(ready, start=1)
    )
    is_first = not any(tie.sheets for tie in now.ties.values())
    return RoundPlan(
        number=number,
        matches=matches,
        byes=_byes(now) if is_first else (),
        date=date,
        warnings=tuple(open_ties(now)),
    )


def waiting_ties(now: BracketNow) -> list[TieNow]:
    """Return the ties that have no sheet yet and need one, now or later."""
    return [tie for tie in now.ties.values() if tie.readiness not in _OVER and not tie.sheets]


def _nothing_left(now: BracketNow) -> LeagueError:
    """Return the refusal where no round can be paired: the last ties are in play, or all are over."""
    playing = [tie for tie in now.ties.values() if tie.readiness not in _OVER]
    if not playing:
        return LeagueError("no_more_rounds", _("The bracket is played to its end."))
    said = ngettext(
        "Match %(numbers)s of the bracket is paired and not decided.",
        "Matches %(numbers)s of the bracket are paired and not decided.",
        len(playing),
    ) % {"numbers": ", ".join(f"{tie.tie.number} ({tie})" for tie in playing)}
    return LeagueError("nothing_ready", " ".join([said, *for_the_director(now)]))


def _draw_first(event: Event) -> str:
    if not traits_of(event).has_groups:
        return _("Draw the bracket first.")
    if not event.rounds.exists():
        return _("Draw the groups first.")
    return _("The rounds of the groups were drawn with them. Draw the bracket once they are played.")


def reason(tie: TieNow) -> str:
    """Return why these two meet: "winner of match 3 v loser of match 7", or by their seeds."""
    words = []
    for seed, feeder in zip((tie.tie.seed_a, tie.tie.seed_b), tie.feeders, strict=True):
        if feeder is None:
            words.append(_("seed %(seed)s") % {"seed": seed})
        else:
            said = _("winner of match %(number)s") if feeder.won else _("loser of match %(number)s")
            words.append(said % {"number": feeder.match})
    return _("match %(number)s: %(a)s v %(b)s") % {"number": tie.tie.number, "a": words[0], "b": words[1]}


def for_the_director(now: BracketNow) -> list[str]:
    """Return sentences on what only a director can settle.

    A bracket that no longer fits its groups or seeds, ties left to the director, and ties whose sheets
    contradict who has gone on.
    """
    said = [sentence for sentence in (bracket_in_doubt(now.event), older_seeds(now)) if sentence]
    said += [_doubt(tie) for tie in now.ties.values() if tie.in_doubt]
    asked = [tie for tie in now.ties.values() if tie.needs_director]
    if asked:
        said.append(
            ngettext(
                "The director is to decide match %(numbers)s.",
                "The director is to decide matches %(numbers)s.",
                len(asked),
            )
            % {"numbers": ", ".join(f"{tie.tie.number} ({tie})" for tie in asked)}
        )
    return said


def asked_tie(now: BracketNow) -> Tie | None:
    """Return the first tie that is left to the director, or whose sheets contradict who has gone on."""
    return next((tie.tie for tie in now.ties.values() if tie.needs_director or tie.in_doubt), None)


def older_seeds(now: BracketNow) -> str:
    """Return a sentence if seeds have changed since a bracket that has not begun was drawn, or ""."""
    if traits_of(now.event).has_groups:
        return ""
    drawn = [now.entry_of[seed] for seed in sorted(now.entry_of)]
    if drawn == sorted(drawn, key=lambda entry: (entry.seed is None, entry.seed or 0)):
        return ""
    if any(begun(match) for tie in now.ties.values() for match in tie.sheets):
        return ""
    return _("The bracket was drawn with other seeds than the entries have now: redraw it to follow them.")


def _doubt(tie: TieNow) -> str:
    if tie.misfits:
        return _("Match %(number)s is for %(tie)s, and %(others)s have begun to play in it.") % {
            "number": tie.tie.number,
            "tie": tie,
            "others": ", ".join(str(match) for match in tie.misfits),
        }
    return _("Match %(number)s: the sheets say %(says)s, and %(winner)s has gone on and begun to play.") % {
        "number": tie.tie.number,
        "says": tie.says or _("that it is open"),
        "winner": tie.winner,
    }


def _rounds_before(now: BracketNow) -> int:
    """Return the number of rounds before the bracket began: those of its groups."""
    known = [
        tie.tie.round.number - tie.tie.stage
        for tie in now.ties.values()
        if tie.sheets and tie.tie.round is not None
    ]
    return min(known, default=0) if known else now.event.rounds.count()


def _byes(now: BracketNow) -> tuple[PlannedBye, ...]:
    return tuple(
        PlannedBye(
            entry=tie.winner,
            reasons=(_("seed %(seed)s: bye") % {"seed": tie.tie.seed_a or tie.tie.seed_b},),
        )
        for tie in now.ties.values()
        if tie.readiness is Readiness.BYE and tie.winner is not None
    )


def open_ties(now: BracketNow) -> list[str]:
    """Return the sentences of `for_the_director`, and the ties whose next sheet follows on settling."""
    said = for_the_director(now)
    unfinished = [
        tie
        for tie in now.ties.values()
        if tie.readiness is Readiness.READY
        and not tie.needs_director
        and tie.own_sheets
        and all(match.state not in (MatchState.SCHEDULED, MatchState.PLAYING) for match in tie.own_sheets)
    ]
    if unfinished:
        said.append(
            ngettext(
                "Match %(numbers)s goes on with another sheet.",
                "Matches %(numbers)s go on with other sheets.",
                len(unfinished),
            )
            % {"numbers": ", ".join(f"{tie.tie.number} ({tie})" for tie in unfinished)}
        )
    return said
