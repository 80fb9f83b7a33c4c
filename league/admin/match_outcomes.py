"""Outcomes that a director states for a match, and sheets that are void as a whole."""

from functools import partial
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, Data, Preview, ReasonForm
from league.core.lifecycle import Doing
from league.draws import forfeits
from league.matches import matches
from league.matches.member_tables import end_table_for, live_table
from league.models import MATCH_STATES, UNFINISHED, Match, MatchState
from scoring.core.actors import Actor
from scoring.models import SheetStatus
from scoring.services import void_sheet


class StateForm(ReasonForm):
    """The side that gets the match, and the reason."""

    winner = forms.ChoiceField(label=gettext_lazy("The match goes to"), widget=forms.RadioSelect)

    field_order = ("winner", "reason")

    def prepare(self, row: Match) -> None:
        winner = cast(forms.ChoiceField, self.fields["winner"])
        winner.choices = [
            ("0", row.side_shown(0)),
            ("1", row.side_shown(1)),
            ("neither", _("neither side")),
        ]


def _preview_award(match: Match, data: Data, *, state: MatchState) -> Preview:
    side = None if data["winner"] == "neither" else int(data["winner"])
    forfeits.check_awardable(match, state, side)
    words = {"match": match, "state": MATCH_STATES[state]}
    if side is None:
        lines = [_("%(match)s: %(state)s, for neither side.") % words]
    else:
        words["winner"] = match.side_shown(side)
        lines = [_("%(match)s: %(state)s, the match will go to %(winner)s.") % words]
    count = 0 if match.sheet is None else match.sheet.deal_count
    if count:
        lines.append(
            ngettext(
                "%d deal on the sheet will stay readable and not count.",
                "%d deals on the sheet will stay readable and not count.",
                count,
            )
            % count
        )
    return Preview(lines)


def _preview_clearing(match: Match, data: Data) -> Preview:
    return Preview(
        [
            _("The %(state)s of %(match)s will be taken back: the result will be what its sheet says.")
            % {"state": match.get_state_display(), "match": match}
        ]
    )


def _preview_voiding(match: Match, data: Data) -> Preview:
    count = 0 if match.sheet is None else match.sheet.deal_count
    return Preview(
        [
            ngettext(
                "%(count)d deal of %(label)s will no longer count.",
                "%(count)d deals of %(label)s will no longer count.",
                count,
            )
            % {"count": count, "label": match.label},
            _("The match will have to be played again. This cannot be taken back."),
        ]
    )


def _preview_renewal(match: Match, data: Data) -> Preview:
    matches.check_renewable(match.sheet)
    return Preview(
        [_("%(label)s will get a blank sheet; the voided one will stay on file.") % {"label": match.label}]
    )


def _state(by: Actor, match: Match, data: Data, *, service: Any) -> str:
    winner = data["winner"]
    match = service(
        actor=by, match=match, winner_side=None if winner == "neither" else int(winner), reason=data["reason"]
    )
    return _("%(match)s: %(state)s.") % {"match": match, "state": match.get_state_display()}


def _clear(by: Actor, match: Match, data: Data) -> str:
    match = forfeits.clear_award(actor=by, match=match, reason=data["reason"])
    return _("%(match)s: %(state)s.") % {"match": match, "state": match.get_state_display()}


def _void(by: Actor, match: Match, data: Data) -> str:
    if match.sheet is not None:
        void_sheet(actor=by, sheet=match.sheet, reason=data["reason"])
    return _("The sheet was voided. Its deals stay readable but do not count.")


def _renew(by: Actor, match: Match, data: Data) -> str:
    match = matches.renew_sheet(actor=by, match=match)
    return _("%(label)s has a new, blank sheet.") % {"label": match.label}


def _preview_ending(match: Match, data: Data) -> Preview:
    count = 0 if match.sheet is None else match.sheet.deal_count
    return Preview(
        [
            _("The hand in play will be broken off. Nobody sees its cards, and it does not count."),
            ngettext(
                "%(count)d deal stays on the sheet of %(label)s, which goes on as any other.",
                "%(count)d deals stay on the sheet of %(label)s, which goes on as any other.",
                count,
            )
            % {"count": count, "label": match.label},
        ]
    )


def _end_table(by: Actor, match: Match, data: Data) -> str:
    table = live_table(match)
    if table is not None:
        end_table_for(actor=by, match=table, reason=data["reason"])
    return _("%(label)s is no longer played on this site.") % {"label": match.label}


def _is_awardable(match: Match) -> bool:
    return match.state in UNFINISHED and not match.is_table


OUTCOMES: Final[tuple[Act[Match], ...]] = (
    Act(
        slug="forfeit",
        title=gettext_lazy("Award a forfeit"),
        doing=Doing.PLAY,
        intro=gettext_lazy("One side gave the match up. What is on the sheet does not count."),
        form=StateForm,
        preview=partial(_preview_award, state=MatchState.FORFEIT),
        run=partial(_state, service=forfeits.award_forfeit),
        offered=_is_awardable,
    ),
    Act(
        slug="walkover",
        title=gettext_lazy("Award a walkover"),
        doing=Doing.PLAY,
        intro=gettext_lazy("One side did not come, or neither did."),
        form=StateForm,
        preview=partial(_preview_award, state=MatchState.WALKOVER),
        run=partial(_state, service=forfeits.award_walkover),
        offered=lambda match: match.state == MatchState.SCHEDULED and not match.is_table,
    ),
    Act(
        slug="clear",
        title=gettext_lazy("Take the award back"),
        doing=Doing.PLAY,
        form=ReasonForm,
        preview=_preview_clearing,
        run=_clear,
        offered=lambda match: match.state in (MatchState.FORFEIT, MatchState.WALKOVER),
    ),
    Act(
        slug="end-table",
        title=gettext_lazy("End the play on this site"),
        doing=Doing.CORRECT,
        intro=gettext_lazy("For a match that is not played to its end card by card."),
        form=ReasonForm,
        preview=_preview_ending,
        run=_end_table,
        offered=lambda match: live_table(match) is not None,
    ),
    Act(
        slug="void-sheet",
        title=gettext_lazy("Void the sheet"),
        doing=Doing.CORRECT,
        intro=gettext_lazy("For a sheet that is wrong as a whole. This cannot be taken back."),
        form=ReasonForm,
        preview=_preview_voiding,
        run=_void,
        offered=lambda match: (
            match.sheet is not None and match.sheet.version > 0 and match.sheet.status != SheetStatus.VOID
        ),
    ),
    Act(
        slug="new-sheet",
        title=gettext_lazy("Open a new sheet"),
        doing=Doing.PLAY,
        intro=gettext_lazy("In place of the one that was voided."),
        preview=_preview_renewal,
        run=_renew,
        offered=lambda match: match.sheet is not None and match.sheet.status == SheetStatus.VOID,
    ),
)
