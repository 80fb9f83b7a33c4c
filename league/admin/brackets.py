"""Acts that draw brackets and groups, and the admin of a bracket's ties."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin.acts import (
    Act,
    ActForm,
    ActingAdmin,
    Data,
    PageLink,
    Preview,
    ReasonForm,
    change_link,
    passes,
)
from league.admin.days import DayField, day_words
from league.admin.names import NameField
from league.admin.scope import ClubsOwnFilter
from league.core.lifecycle import Doing
from league.core.pairing.plate import advance, comings
from league.draws import brackets, deciding, group_rounds
from league.draws.formats import format_of
from league.draws.missing import results_missing
from league.draws.qualifying import bracket_in_doubt, missing_in_groups
from league.draws.round_writing import check_untouched
from league.draws.tie_tree import TieNow, bracket_now
from league.matches.matches import usual_line_ups
from league.models import Entry, Event, EventKind, Match, Tie, TieDecision, traits_of
from scoring.core.actors import Actor


class BracketForm(ActForm):
    """The date of the first round; after groups, whether to draw despite missing results."""

    date = DayField(label=gettext_lazy("First night"), required=False)
    despite_missing = forms.BooleanField(
        label=gettext_lazy("Draw although results are missing"), required=False
    )

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        missing = missing_in_groups(row) if traits_of(row).has_groups else []
        if missing:
            self.fields["despite_missing"].help_text = results_missing(missing)
        else:
            del self.fields["despite_missing"]


class GroupsForm(ActForm):
    """The dates of the group rounds."""

    first_date = DayField(label=gettext_lazy("First night"), required=False)
    days_between = forms.IntegerField(
        label=gettext_lazy("Days from one round to the next"), min_value=0, max_value=366, initial=7
    )


class DecideForm(ReasonForm):
    """The winner by the director's decision, and the reason."""

    winner = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Goes on"))

    field_order = ("winner", "reason")

    def __init__(self, row: Tie, data: Any = None) -> None:
        super().__init__(row, data)
        now = _now(row)
        pair = now.pair if now is not None else None
        self.offer("winner", Entry.objects.filter(pk__in=[entry.pk for entry in pair or ()]))


def _preview_bracket(event: Event, data: Data) -> Preview:
    plan = brackets.plan_bracket(event, despite_missing=data.get("despite_missing", False))
    fed = comings(plan.drawn, advance(plan.drawn, lambda _match, _seeds: None, lambda _match: False))
    lines = list(plan.notes)
    if event.ties.exists():
        lines.append(_("The bracket drawn before is replaced; nothing of it was played."))
    byes = 2 ** (len(plan.entries) - 1).bit_length() - len(plan.entries)
    lines += [
        ngettext("%d entry.", "%d entries.", len(plan.entries)) % len(plan.entries),
        ngettext(
            "%(byes)d entry has a bye: the first seed.",
            "%(byes)d entries have a bye: the first seeds.",
            byes,
        )
        % {"byes": byes}
        if byes
        else _("Nobody has a bye."),
        _("The first round is a draft until it is published: nobody else sees it, and no sheet is opened."),
    ]

    def side(number: int, side: int, seed: int | None) -> str:
        if (entry := plan.entry(seed)) is not None:
            return f"{seed}. {entry}"
        feeder = fed.get((number, side))
        if feeder is None:
            return _("bye")
        words = _("winner of %(number)s") if feeder.won else _("loser of %(number)s")
        return words % {"number": feeder.match}

    return Preview(
        lines,
        [_("Stage"), _("Match"), _("Part"), _("First side"), _("Second side")],
        [
            [
                match.stage,
                match.number,
                Tie(part=match.part.value).get_part_display(),
                *(side(match.number, place, match.slots[place]) for place in (0, 1)),
            ]
            for match in plan.drawn.matches
        ],
    )


def _draw_bracket(by: Actor, event: Event, data: Data) -> str:
    round_ = brackets.draw_bracket(actor=by, event=event, **data)
    return _("The bracket is drawn; round %(number)d is a draft. Look at it and publish it.") % {
        "number": round_.number
    }


def _preview_groups(event: Event, data: Data) -> Preview:
    plan = group_rounds.plan_groups(event, **data)
    first, last = plan.draw.rounds[0].date, plan.draw.rounds[-1].date
    lines = list(plan.draw.notes)
    if event.rounds.exists():
        lines.append(_("The draw made before is replaced; nothing of it was played."))
    lines += [
        ngettext("%d entry,", "%d entries,", len(plan.draw.entries)) % len(plan.draw.entries)
        + " "
        + ngettext("%d group,", "%d groups,", len(plan.groups)) % len(plan.groups)
        + " "
        + ngettext("%d round,", "%d rounds,", len(plan.draw.rounds)) % len(plan.draw.rounds)
        + " "
        + ngettext("%d match.", "%d matches.", plan.draw.matches) % plan.draw.matches,
        _("From %(first)s to %(last)s.") % {"first": day_words(first), "last": day_words(last)}
        if first and last
        else _("The rounds have no dates yet."),
        ngettext("%d of each group goes on.", "The best %d of each group go on.", event.qualifiers or 1)
        % (event.qualifiers or 1),
    ]
    if event.kind == EventKind.TEAM and len(plan.draw.entries) > len(usual_line_ups(event)):
        lines.append(
            _("Teams with more members than play on a side get their sheets once their line-ups are set.")
        )
    return Preview(
        lines,
        [_("Group"), _("Entries")],
        [[number, ", ".join(map(str, group))] for number, group in enumerate(plan.groups, start=1)],
    )


def _draw_groups(by: Actor, event: Event, data: Data) -> str:
    made = group_rounds.draw_groups(actor=by, event=event, **data)
    return ngettext(
        "The groups are drawn, with %d round.", "The groups are drawn, with %d rounds.", len(made)
    ) % len(made)


def _preview_keep(event: Event, data: Data) -> Preview:
    return Preview([bracket_in_doubt(event), _("The bracket stays as it was drawn.")])


def _keep(by: Actor, event: Event, data: Data) -> str:
    brackets.keep_bracket(actor=by, event=event, reason=data["reason"])
    return _("The bracket stands.")


DRAW_BRACKET: Final[Act[Event]] = Act(
    slug="draw-bracket",
    title=gettext_lazy("Draw the bracket"),
    doing=Doing.PAIR,
    intro=gettext_lazy(
        "Entries take their places by seed, then by name; after groups those who go on do. The next page "
        "shows the bracket; nothing is stored before you say yes. It can be drawn again until its first hand."
    ),
    form=BracketForm,
    preview=_preview_bracket,
    run=_draw_bracket,
    submit=gettext_lazy("Show the bracket"),
    offered=lambda event: (
        "draw-bracket" in format_of(event).acts
        and (event.rounds.exists() or not traits_of(event).has_groups)
        and passes(check_untouched, brackets.bracket_matches(event))
    ),
)
DRAW_GROUPS: Final[Act[Event]] = Act(
    slug="draw-groups",
    title=gettext_lazy("Draw the groups"),
    doing=Doing.PAIR,
    intro=gettext_lazy(
        "Pots follow the seeds, and each group gets one of each pot by lot. In a group everybody meets "
        "everybody. The next page shows the groups; nothing is stored before you say yes."
    ),
    form=GroupsForm,
    preview=_preview_groups,
    run=_draw_groups,
    submit=gettext_lazy("Show the groups"),
    long=True,
    offered=lambda event: (
        "draw-groups" in format_of(event).acts and passes(check_untouched, event.matches.all())
    ),
)
KEEP_BRACKET: Final[Act[Event]] = Act(
    slug="keep-bracket",
    title=gettext_lazy("Let the bracket stand"),
    intro=gettext_lazy(
        "The results of the groups have changed since the bracket was drawn. It stays as it was drawn, and "
        "this is asked no more."
    ),
    form=ReasonForm,
    preview=_preview_keep,
    run=_keep,
    doing=Doing.CORRECT,
    offered=lambda event: bracket_in_doubt(event) != "",
)
DRAWING: Final = (DRAW_GROUPS, DRAW_BRACKET, KEEP_BRACKET)


def _now(tie: Tie) -> TieNow | None:
    now = bracket_now(tie.event)
    return now.tie_of(tie) if now is not None else None


def _preview_decide(tie: Tie, data: Data) -> Preview:
    deciding.check_decidable(tie, data["winner"])
    now = _now(tie)
    blank = [match.label for match in now.own_sheets if not match.is_counted] if now is not None else []
    lines = [
        _("%(winner)s goes on from match %(number)s by the director's word.")
        % {"winner": data["winner"], "number": tie.number}
    ]
    if blank:
        lines.append(_("Nothing more is played on %(labels)s.") % {"labels": ", ".join(blank)})
    return Preview(lines)


def _decide(by: Actor, tie: Tie, data: Data) -> str:
    deciding.decide_tie(actor=by, tie=tie, **data)
    return _("%(winner)s goes on.") % {"winner": data["winner"]}


def _preview_clear(tie: Tie, data: Data) -> Preview:
    return Preview(
        [
            _("The director's word is taken back: match %(number)s goes to whom its sheets say.")
            % {"number": tie.number}
        ]
    )


def _clear(by: Actor, tie: Tie, data: Data) -> str:
    deciding.clear_decision(actor=by, tie=tie, **data)
    return _("The decision is taken back.")


def _preview_change(tie: Tie, data: Data) -> Preview:
    change = deciding.plan_change(tie)
    words = {"says": change.says, "number": tie.number, "winner": change.instead_of, "tie": change.tie}
    if change.instead_of is None:
        lines = [_("Match %(number)s is for %(tie)s.") % words]
    elif change.says is not None:
        lines = [_("%(says)s goes on from match %(number)s in place of %(winner)s.") % words]
    else:
        lines = [_("Match %(number)s is open again; %(winner)s does not go on.") % words]
    if change.put_away:
        lines.append(
            _(
                "What was begun in that place is put away: the sheets below are voided and stay on file, and "
                "blank ones are opened for those who stand there then."
            )
        )
    return Preview(
        lines,
        [_("Sheet"), _("Match"), _("State")] if change.put_away else [],
        [[match.label, str(match), match.get_state_display()] for _tie, match in change.put_away],
    )


def _change(by: Actor, tie: Tie, data: Data) -> str:
    deciding.confirm_change(actor=by, tie=tie, **data)
    return _("The bracket follows the sheets again.")


@admin.register(Tie)
class TieAdmin(ActingAdmin[Tie]):
    """The ties of brackets: entries, state, and the director's decisions."""

    list_display = ("number", "event", "part", "level", "who", "standing", "round")
    list_filter = (("event", ClubsOwnFilter), "part", "decided_by")
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
            run=_decide,
            offered=lambda tie: _is_decidable(tie),
        ),
        Act(
            slug="clear",
            title=gettext_lazy("Take the decision back"),
            doing=Doing.CORRECT,
            form=ReasonForm,
            preview=_preview_clear,
            run=_clear,
            offered=lambda tie: tie.decided_by == TieDecision.DIRECTOR,
        ),
        Act(
            slug="confirm-change",
            title=gettext_lazy("Let go on whom the sheets say"),
            doing=Doing.CORRECT,
            intro=gettext_lazy(
                "A sheet was corrected after somebody else had gone on and begun to play. The next page says "
                "what this takes."
            ),
            form=ReasonForm,
            preview=_preview_change,
            run=_change,
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
