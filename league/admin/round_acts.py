"""Acts on a round: publish, swap, repair, close, release, and their reversals."""

from collections.abc import Callable
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, does, passes, reason_field
from league.acts.fields import NameField
from league.admin.acts import change_link
from league.admin.pairing_acts import MissingForm, pairing_preview
from league.core.lifecycle import Doing
from league.draws import planning, releasing, round_life, round_swaps, time_called
from league.draws.formats import format_of
from league.draws.round_writing import check_untouched
from league.events import waiting
from league.models import SEATED, Entry, Match, Round, RoundState
from league.policy.naming import in_full
from scoring.core.actors import Actor


class RepairForm(MissingForm):
    """Asks for confirmation if results before the round are missing."""

    def prepare(self, row: Round) -> None:
        self.ask_despite(row.event, before=row.number)


class SwapForm(ActForm):
    """Two entries of the round."""

    one = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Entry"))
    other = NameField(queryset=Entry.objects.none(), label=gettext_lazy("swaps places with"))

    def prepare(self, row: Round) -> None:
        ids = {pk for places in row.matches.values_list(*SEATED) for pk in places if pk is not None}
        for name in ("one", "other"):
            self.offer(name, Entry.objects.filter(pk__in=ids))


class PublishForm(ActForm):
    """Asks for a reason if the round no longer fits what it was drawn from."""

    reason = reason_field(gettext_lazy("Why it is published all the same"))

    def prepare(self, row: Round) -> None:
        if changed := round_life.what_to_do(row.event, row):
            self.asks = " ".join(changed)
        else:
            del self.fields["reason"]


class CompleteForm(ActForm):
    """Asks for a reason if results are missing."""

    reason = reason_field(gettext_lazy("Why it is complete all the same"))

    def prepare(self, row: Round) -> None:
        left = round_life.open_in(row)
        if left:
            self.asks = left
        else:
            del self.fields["reason"]


def match_rows(matches: list[Match]) -> list[list[object]]:
    """Matches as table rows: table, both sides or all at a table, and the reasons for the pairing."""
    return [
        [
            match.table or "",
            *sides_shown(match),
            "; ".join(in_full(match.event.club).reasons(match)),
        ]
        for match in matches
    ]


def sides_shown(match: Match) -> tuple[str, str]:
    """Return both sides in two cells; all who sit at a table are in the first."""
    if match.is_table:
        return str(match), ""
    return match.side_shown(0), match.side_shown(1) or match.get_state_display()


def matches_of(round_: Round) -> list[Match]:
    """The matches of a round in order of tables, byes last."""
    rows = list(round_.matches.with_sides())
    return sorted(rows, key=lambda match: (match.entry_b is None, match.table or 0, match.pk))


HEAD: Final = (
    gettext_lazy("Table"),
    gettext_lazy("First side"),
    gettext_lazy("Second side"),
    gettext_lazy("Why"),
)


def _preview_publish(round_: Round, data: Data) -> Preview:
    round_life.check_publishable(round_.event, round_)
    matches = matches_of(round_)
    played = sum(match.entry_b is not None for match in matches)
    return Preview(
        [
            *round_life.what_to_do(round_.event, round_),
            ngettext(
                "Everybody will see the round, and %d sheet will be opened.",
                "Everybody will see the round, and %d sheets will be opened.",
                played,
            )
            % played,
            _("It can be taken back to a draft until the first hand."),
        ],
        HEAD,
        match_rows(matches),
    )


def _preview_swap(round_: Round, data: Data) -> Preview:
    swap = round_swaps.plan_swap(round_=round_, **data)
    return Preview(
        [*swap.warnings, _("This will be the pairing, and the round will count as changed by hand.")],
        HEAD,
        match_rows(list(swap.matches)),
    )


def _swap(by: Actor, round_: Round, data: Data) -> str:
    changed = round_swaps.swap_entries(actor=by, round_=round_, **data)
    return _("Changed: %(matches)s.") % {"matches": "; ".join(map(str, changed))}


def _preview_repair(round_: Round, data: Data) -> Preview:
    round_life.check_repairable(round_.event, round_)
    plan = planning.plan_round(
        round_.event,
        round_.number,
        despite_missing=data.get("despite_missing", False),
        accept_offer=True,
        date=round_.date,
    )
    return pairing_preview(plan)


def _repair(by: Actor, round_: Round, data: Data) -> str:
    round_life.repair_round(actor=by, round_=round_, despite_missing=data.get("despite_missing", False))
    return _("Round %(number)d is paired again, and a draft.") % {"number": round_.number}


def _preview_unpublish(round_: Round, data: Data) -> Preview:
    check_untouched(round_.matches.all())
    return Preview(
        [
            _("Its blank sheets will be deleted, and only directors will see the round."),
            _("Sheets printed already will be useless: new ones will have other codes."),
        ]
    )


def _preview_complete(round_: Round, data: Data) -> Preview:
    return Preview(
        [
            round_life.open_in(round_) or _("Every match has its result."),
            _("The round will be closed, and everybody sees its packs. That cannot be taken back.")
            if round_life.tells_packs(round_)
            else _("The round will be closed. That can be taken back."),
        ]
    )


def _preview_reopen(round_: Round, data: Data) -> Preview:
    return Preview(
        [_("Round %(number)d will be open again; nothing else will change.") % {"number": round_.number}]
    )


def _preview_discard(round_: Round, data: Data) -> Preview:
    round_life.check_repairable(round_.event, round_)
    matches = matches_of(round_)
    return Preview(
        [
            ngettext(
                "Round %(number)d with its %(count)d match will be deleted, and can be paired again.",
                "Round %(number)d with its %(count)d matches will be deleted, and can be paired again.",
                len(matches),
            )
            % {"number": round_.number, "count": len(matches)}
        ],
        HEAD,
        match_rows(matches),
    )


def _discard(by: Actor, round_: Round, data: Data) -> str:
    count = waiting.discard_round(actor=by, round_=round_)
    return (
        ngettext("The round with %d match was deleted.", "The round with %d matches was deleted.", count)
        % count
    )


def _is(*states: RoundState) -> Callable[[Round], bool]:
    return lambda round_: round_.state in states


def _may_discard(round_: Round) -> bool:
    """Return whether it is the last round of an event paired round by round, and no hand is played."""
    return format_of(round_.event).pairs_rounds and passes(round_life.check_repairable, round_.event, round_)


def _preview_call(round_: Round, data: Data) -> Preview:
    playing = list(time_called.still_playing(round_))
    time_called.check_callable(round_, playing)
    return Preview(
        [
            ngettext(
                "%d table is being played; its sheet will stop, with what stands on it.",
                "%d tables are being played; their sheets will stop, with what stands on them.",
                len(playing),
            )
            % len(playing),
            _("Points and boxes will be settled, without the bonus for a game."),
            _("Tables that have not begun will stay as they are."),
        ],
        HEAD[:3],
        [[match.table or "", *sides_shown(match)] for match in playing],
    )


def _call(by: Actor, round_: Round, data: Data) -> str:
    stopped = time_called.call_time(actor=by, round_=round_)
    return ngettext(
        "Time is called: %d sheet has stopped.",
        "Time is called: %d sheets have stopped.",
        len(stopped),
    ) % len(stopped)


def _preview_release(round_: Round, data: Data) -> Preview:
    releasing.check_releasable(round_.event, round_)
    left = round_life.open_in(round_)
    return Preview(
        [
            *([left] if left else ()),
            _("Everybody will see the results of round %(number)d, and they will count in the table.")
            % {"number": round_.number},
        ]
    )


def _preview_withholding(round_: Round, data: Data) -> Preview:
    return Preview(
        [
            _("The results of round %(number)d will be hidden again, and the table will be without them.")
            % {"number": round_.number}
        ]
    )


def board_address(round_: Round) -> str:
    """The address of the round's board."""
    return reverse("round_board", args=[round_.event.club.slug, round_.event.slug, round_.number])


ACTS: Final[tuple[Act[Round], ...]] = (
    Act(
        slug="publish",
        title=gettext_lazy("Publish it"),
        doing=Doing.PAIR,
        form=PublishForm,
        preview=_preview_publish,
        run=does(
            round_life.publish_round, "round_", gettext_lazy("Round %(number)d is published."), "number"
        ),
        submit=gettext_lazy("Show what will happen"),
        offered=lambda round_: (
            round_.state == RoundState.DRAFTED and passes(round_life.check_publishable, round_.event, round_)
        ),
    ),
    Act(
        slug="swap",
        title=gettext_lazy("Swap two players"),
        doing=Doing.PAIR,
        intro=gettext_lazy("Two entries of the draft swap places; of one match they swap the first deal."),
        form=SwapForm,
        preview=_preview_swap,
        run=_swap,
        submit=gettext_lazy("Show the change"),
        offered=lambda round_: (
            _is(RoundState.DRAFTED)(round_) and not round_.matches.exclude(tie=None).exists()
        ),
    ),
    Act(
        slug="repair",
        title=gettext_lazy("Pair it again"),
        doing=Doing.PAIR,
        intro=gettext_lazy(
            "From who is here now and the results of the rounds before. The present pairing is deleted with "
            "its blank sheets."
        ),
        form=RepairForm,
        preview=_preview_repair,
        run=_repair,
        submit=gettext_lazy("Show the pairing"),
        offered=lambda round_: format_of(round_.event).night_by_night and _may_discard(round_),
    ),
    Act(
        slug="call-time",
        title=gettext_lazy("Call time"),
        doing=Doing.PLAY,
        preview=_preview_call,
        run=_call,
        submit=gettext_lazy("Show what will stop"),
        offered=lambda round_: (
            _is(RoundState.PUBLISHED)(round_) and time_called.still_playing(round_).exists()
        ),
        leads_to=board_address,
    ),
    Act(
        slug="release",
        title=gettext_lazy("Release the results"),
        doing=Doing.CORRECT,
        preview=_preview_release,
        run=does(
            releasing.release_round,
            "round_",
            gettext_lazy("The results of round %(number)d are out."),
            "number",
        ),
        offered=lambda round_: passes(releasing.check_releasable, round_.event, round_),
        leads_to=board_address,
    ),
    Act(
        slug="withhold",
        title=gettext_lazy("Hide the results again"),
        doing=Doing.CORRECT,
        preview=_preview_withholding,
        run=does(
            releasing.withhold_round,
            "round_",
            gettext_lazy("The results of round %(number)d are hidden again."),
            "number",
        ),
        offered=lambda round_: round_.event.holds_results and round_.released_at is not None,
        leads_to=board_address,
    ),
    Act(
        slug="complete",
        title=gettext_lazy("Close the round"),
        doing=Doing.PAIR,
        form=CompleteForm,
        preview=_preview_complete,
        run=does(
            round_life.complete_round, "round_", gettext_lazy("Round %(number)d is complete."), "number"
        ),
        offered=_is(RoundState.PUBLISHED),
        leads_to=board_address,
    ),
    Act(
        slug="unpublish",
        title=gettext_lazy("Back to a draft"),
        doing=Doing.PAIR,
        preview=_preview_unpublish,
        run=does(
            round_life.unpublish_round, "round_", gettext_lazy("Round %(number)d is a draft again."), "number"
        ),
        offered=lambda round_: (
            _is(RoundState.PUBLISHED)(round_) and passes(check_untouched, round_.matches.all())
        ),
    ),
    Act(
        slug="reopen",
        title=gettext_lazy("Open it again"),
        doing=Doing.PAIR,
        preview=_preview_reopen,
        run=does(
            round_life.reopen_round, "round_", gettext_lazy("Round %(number)d is open again."), "number"
        ),
        offered=lambda round_: passes(round_life.check_reopenable, round_),
    ),
    Act(
        slug="discard",
        title=gettext_lazy("Delete the round"),
        doing=Doing.PAIR,
        preview=_preview_discard,
        run=_discard,
        leads_to=lambda round_: change_link("", round_.event).url,
        submit=gettext_lazy("Show what will be deleted"),
        offered=_may_discard,
    ),
)
