"""The admin of a bracket's ties, and the director's decisions on them."""

from collections.abc import Sequence

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, Data, Preview, ReasonForm, does
from league.acts.fields import NameField
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.scope import NewestFilter
from league.core.lifecycle import Doing
from league.draws import deciding
from league.draws.tie_tree import TieNow, bracket_now
from league.models import Entry, Match, Tie, TieDecision


class DecideForm(ReasonForm):
    """The winner by the director's decision, and the reason."""

    winner = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Goes on"))

    field_order = ("winner", "reason")

    def prepare(self, row: Tie) -> None:
        now = _now(row)
        pair = now.pair if now is not None else None
        self.offer("winner", Entry.objects.filter(pk__in=[entry.pk for entry in pair or ()]))


def _now(tie: Tie) -> TieNow | None:
    now = bracket_now(tie.event)
    return now.tie_of(tie) if now is not None else None


def _preview_decide(tie: Tie, data: Data) -> Preview:
    deciding.check_decidable(tie, data["winner"])
    now = _now(tie)
    blank = [match.label for match in now.own_sheets if not match.is_counted] if now is not None else []
    lines = [
        _("%(winner)s will go on from match %(number)s by the director's word.")
        % {"winner": data["winner"], "number": tie.number}
    ]
    if blank:
        lines.append(_("Nothing more will be played on %(labels)s.") % {"labels": ", ".join(blank)})
    return Preview(lines)


def _preview_clear(tie: Tie, data: Data) -> Preview:
    return Preview(
        [
            _("The director's word will be taken back: match %(number)s will be decided by its sheets.")
            % {"number": tie.number}
        ]
    )


def _preview_change(tie: Tie, data: Data) -> Preview:
    change = deciding.plan_change(tie)
    words = {"says": change.says, "number": tie.number, "winner": change.instead_of, "tie": change.tie}
    if change.instead_of is None:
        lines = [_("Match %(number)s will be for %(tie)s.") % words]
    elif change.says is not None:
        lines = [_("%(says)s will go on from match %(number)s in place of %(winner)s.") % words]
    else:
        lines = [_("Match %(number)s will be open again; %(winner)s will not go on.") % words]
    if change.put_away:
        lines.append(
            _(
                "What was begun in that place will be put away: the sheets below will be voided "
                "and stay on file, and "
                "blank ones opened for those who stand there then."
            )
        )
    return Preview(
        lines,
        [_("Sheet"), _("Match"), _("State")] if change.put_away else [],
        [[match.label, str(match), match.get_state_display()] for _tie, match in change.put_away],
    )


@admin.register(Tie)
class TieAdmin(ActingAdmin[Tie]):
    """The ties of brackets: entries, state, and the director's decisions."""

    list_display = ("number", "event", "part", "level", "who", "standing", "round")
    list_filter = (("event", NewestFilter), "part", "decided_by")
    list_select_related = ("event__club", "entry_a", "entry_b", "winner", "round__event")
    search_fields = ("entry_a__name", "entry_b__name")
    fields = ("event", "number", "part", "level", "stage", "who", "standing", "round")
    readonly_fields = ("who", "standing")
    acts = (
        Act(
            slug="decide",
            title=gettext_lazy("Say who goes on"),
            doing=Doing.CORRECT,
            intro=gettext_lazy("Where the sheets leave it open, or in place of what they say in the end."),
            form=DecideForm,
            preview=_preview_decide,
            run=does(deciding.decide_tie, "tie", gettext_lazy("%(winner)s goes on.")),
            offered=lambda tie: _is_decidable(tie),
        ),
        Act(
            slug="clear",
            title=gettext_lazy("Take the decision back"),
            doing=Doing.CORRECT,
            form=ReasonForm,
            preview=_preview_clear,
            run=does(deciding.clear_decision, "tie", gettext_lazy("The decision is taken back.")),
            offered=lambda tie: tie.decided_by == TieDecision.DIRECTOR,
        ),
        Act(
            slug="confirm-change",
            title=gettext_lazy("Let the sheets say who goes on"),
            doing=Doing.CORRECT,
            intro=gettext_lazy(
                "A sheet was corrected after somebody else had gone on and begun to play. The next page says "
                "what this takes."
            ),
            form=ReasonForm,
            preview=_preview_change,
            run=does(deciding.confirm_change, "tie", gettext_lazy("The bracket follows the sheets again.")),
            submit=gettext_lazy("Show what it takes"),
            offered=lambda tie: _is_in_doubt(tie),
        ),
    )

    @admin.display(description=gettext_lazy("who"))
    def who(self, tie: Tie) -> str:
        """Both sides, as far as they are known."""
        return " – ".join(str(entry) if entry is not None else "…" for entry in (tie.entry_a, tie.entry_b))

    @admin.display(description=gettext_lazy("standing"), ordering="decided_by")
    def standing(self, tie: Tie) -> str:
        """The winner and how the tie was decided; else whether it can be played yet."""
        if tie.decided_by == TieDecision.NOT_NEEDED:
            return tie.get_decided_by_display()
        if tie.winner is not None:
            return f"{tie.winner} ({tie.get_decided_by_display()})"
        return _("open") if tie.entry_a is not None and tie.entry_b is not None else _("waits")

    def links(self, request: HttpRequest, row: Tie) -> Sequence[PageLink]:
        sheets = Match.objects.filter(tie=row).order_by("leg")
        return [
            *(change_link(match.label, match) for match in sheets),
            change_link(_("The event"), row.event),
        ]


def _is_decidable(tie: Tie) -> bool:
    """Return whether a director may name the winner: the tie is open or in doubt, and has no misfits."""
    now = _now(tie)
    if now is None or now.misfits:
        return False
    return now.in_doubt or (now.pair is not None and now.winner is None)


def _is_in_doubt(tie: Tie) -> bool:
    now = _now(tie)
    return now is not None and now.in_doubt
