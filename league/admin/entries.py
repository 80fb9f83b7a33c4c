"""Entries: players and teams, their seeds, members and withdrawals."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, Data, Preview, ReasonForm, does, passes
from league.acts.services import Services
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.inlines import ScopedInline, present
from league.admin.linking import LINK
from league.admin.names import shown_name
from league.admin.scope import NewestFilter, actor, club_time
from league.core.lifecycle import Doing
from league.core.standings import Row
from league.draws.formats import format_of
from league.events import annulling, entries
from league.models import (
    Entry,
    EntryMember,
    Event,
    EventKind,
    Match,
    MatchState,
    Player,
    RoundState,
)
from league.tables.results import plain
from scoring.core.actors import Actor
from scoring.templatetags.figures import grouped, signed


class MemberInline(ScopedInline[EntryMember, Entry]):
    """The players of an entry, in seating order."""

    model = EntryMember
    verbose_name = gettext_lazy("member")
    verbose_name_plural = gettext_lazy("members")
    fields = ("player",)
    autocomplete_fields = ("player",)
    ordering = ("position", "id")

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return 2 if obj is None else 0


class EntryForm(forms.ModelForm[Entry]):
    """An entry; a single player's entry takes the player's name."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("The name of the team. An entry of one player has the player's name."),
    )

    class Meta:
        model = Entry
        fields = ("event", "name", "seed", "is_guest")

    def clean_name(self) -> str:
        """Keep the present name if the field is empty."""
        name: str = self.cleaned_data["name"]
        return name.strip() or (self.instance.name if self.instance.pk else "")


class WithdrawForm(ReasonForm):
    """The reason, whether the matches left are given away, and whether results are annulled.

    What the usual rule says is ticked, and said.
    """

    give_matches = forms.BooleanField(
        label=gettext_lazy("Give the matches not begun to the other side by walkover"), required=False
    )
    annul = forms.BooleanField(label=gettext_lazy("Annul all its results"), required=False)

    def prepare(self, row: Entry) -> None:
        if row.event.has_tables:
            del self.fields["give_matches"]
        rule = annulling.usual_rule(row)
        if rule is None or not passes(partial(annulling.check_annullable, withdraws=True), row.event, row):
            del self.fields["annul"]
        else:
            self.fields["annul"].initial = rule.annuls
            self.fields["annul"].help_text = rule.words


def _preview_withdrawal(entry: Entry, data: Data) -> Preview:
    matches = entries.matches_to_give(entry)
    lines = [_("%(entry)s will be left out of what is drawn from now on.") % {"entry": entry}]
    lines += _remaining_words(entry, matches)
    if data.get("annul"):
        if data.get("give_matches"):
            words = ngettext(
                "%d match not begun will go to the other side by walkover, and count for nobody either.",
                "%d matches not begun will go to the other side by walkover, and count for nobody either.",
                len(matches),
            )
            lines.append(words % len(matches))
        return _preview_table(entry, lines, annulled=True)
    lines[0] += " " + _("Results will stand.")
    if not data["give_matches"]:
        if matches:
            lines.append(
                ngettext(
                    "%d match has not begun: nothing will be recorded on it until it is given to the "
                    "other side.",
                    "%d matches have not begun: nothing will be recorded on them until they are given away.",
                    len(matches),
                )
                % len(matches)
            )
        return Preview(lines)
    lines.append(
        ngettext(
            "%d match will go to the other side by walkover:",
            "%d matches will go to the other side by walkover:",
            len(matches),
        )
        % len(matches)
    )
    return Preview(
        lines,
        [_("Round"), _("Sheet"), _("Match")],
        [[match.round.number, match.label, str(match)] for match in matches],
    )


def _preview_annulment(entry: Entry, data: Data) -> Preview:
    rule = annulling.usual_rule(entry)
    return _preview_table(entry, [] if rule is None else [rule.words], annulled=True)


def _preview_restoration(entry: Entry, data: Data) -> Preview:
    return _preview_table(entry, [], annulled=False)


def _preview_table(entry: Entry, lines: Sequence[str], *, annulled: bool) -> Preview:
    """The matches whose results go or come back, and how the table changes."""
    matches = annulling.matches_annulled(entry)
    listed = "; ".join(f"{match.label} {match}, {match.get_state_display()}" for match in matches)
    if annulled:
        words = ngettext(
            "%(count)d match will count for nobody, whoever won it: %(listed)s.",
            "%(count)d matches will count for nobody, whoever won them: %(listed)s.",
            len(matches),
        )
        more = _("Sheets will stay as they are, open to read, and what was played will stay rated.")
    else:
        words = ngettext(
            "%(count)d match will count again: %(listed)s.",
            "%(count)d matches will count again: %(listed)s.",
            len(matches),
        )
        more = _("%(entry)s will have a place in the table again, and stay withdrawn.") % {"entry": entry}
    said = [words % {"count": len(matches), "listed": listed}] if matches else []
    return Preview(
        [*lines, *said, more],
        [_("Entry"), _("Place"), _("then"), _("Points"), _("then"), _("Net"), _("then")],
        [
            [
                moved.entry,
                *_now_and_then(moved, lambda row: row.rank),
                *_now_and_then(moved, lambda row: grouped(row.points)),
                *_now_and_then(moved, lambda row: signed(row.net)),
            ]
            for moved in annulling.table_without(entry, annulled=annulled)
        ],
    )


def _now_and_then(moved: annulling.Moved, figure: Callable[[Row], object]) -> list[object]:
    return ["–" if line is None else figure(line.row) for line in (moved.before, moved.after)]


def _remaining_words(entry: Entry, given: Sequence[Match]) -> list[str]:
    """Sentences about the entry's matches that a withdrawal does not give away."""
    own = entry.event.matches.of_entry(entry)
    lines = []
    if begun := own.filter(state=MatchState.PLAYING).count():
        words = ngettext(
            "%d match has begun and may be finished.", "%d matches have begun and may be finished.", begun
        )
        lines.append(words % begun)
    left = [match for match in entries.unplayed_matches(entry) if match not in given]
    if at_tables := [match.label for match in left if match.is_table]:
        words = ngettext(
            "At %(count)d table a place is empty: name who plays there in its line-up, or pair the round "
            "again: %(labels)s.",
            "At %(count)d tables a place is empty: name who plays there in their line-ups, or pair the "
            "rounds again: %(labels)s.",
            len(at_tables),
        )
        lines.append(words % {"count": len(at_tables), "labels": ", ".join(at_tables)})
    if shared := [match.label for match in left if not match.is_table]:
        words = ngettext(
            "In %(count)d match a partner plays on: redraw the rest of the event, or name a substitute in "
            "its line-up: %(labels)s.",
            "In %(count)d matches a partner plays on: redraw the rest of the event, or name substitutes "
            "in their line-ups: %(labels)s.",
            len(shared),
        )
        lines.append(words % {"count": len(shared), "labels": ", ".join(shared)})
    drafted = own.filter(round__state=RoundState.DRAFTED).order_by("round__number")
    for number in drafted.values_list("round__number", flat=True).distinct():
        lines.append(_("Round %(number)d is a draft: pair it again.") % {"number": number})
    return lines


def _withdraw(by: Actor, entry: Entry, data: Data) -> str:
    given = entries.withdraw_entry(actor=by, entry=entry, **data)
    if not data.get("give_matches"):
        return _("%(entry)s has withdrawn.") % {"entry": entry}
    return ngettext(
        "%(entry)s has withdrawn; %(count)d match went to the other side.",
        "%(entry)s has withdrawn; %(count)d matches went to the other side.",
        given,
    ) % {"entry": entry, "count": given}


@admin.register(Entry)
class EntryAdmin(ActingAdmin[Entry]):
    """The entries of an event."""

    services = Services("entry", remove=entries.remove_entry)
    form = EntryForm
    fields = ("event", "name", "seed", "is_guest", "begins")
    list_display = (shown_name, "event", "seed", "is_guest", "withdrawn", "paid")
    list_filter = (
        ("event", NewestFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
        ("paid_at", admin.EmptyFieldListFilter),
        "is_guest",
    )
    list_select_related = ("event__club",)
    search_fields = ("name", "players__name")
    readonly_fields = ("begins",)
    fixed = ("event",)
    inlines = (MemberInline,)
    acts = (
        Act(
            slug="withdraw",
            title=gettext_lazy("Withdraw"),
            form=WithdrawForm,
            preview=_preview_withdrawal,
            run=_withdraw,
            doing=Doing.WITHDRAW,
            offered=lambda entry: entry.withdrawn_at is None,
        ),
        Act(
            slug="reinstate",
            title=gettext_lazy("Take the withdrawal back"),
            form=ReasonForm,
            run=does(entries.reinstate_entry, "entry", gettext_lazy("%(entry)s plays again.")),
            submit=gettext_lazy("Take it back"),
            doing=Doing.WITHDRAW,
            offered=lambda entry: entry.withdrawn_at is not None and entry.annulled_at is None,
        ),
        Act(
            slug="annul",
            title=gettext_lazy("Annul all results"),
            intro=gettext_lazy(
                "Nothing that this entry has played, nor anybody against it, counts in the table. The next "
                "page shows what changes; it can be taken back."
            ),
            form=ReasonForm,
            preview=_preview_annulment,
            run=does(
                annulling.annul_results, "entry", gettext_lazy("All results of %(entry)s are annulled.")
            ),
            doing=Doing.CORRECT,
            offered=lambda entry: passes(annulling.check_annullable, entry.event, entry),
        ),
        Act(
            slug="restore",
            title=gettext_lazy("Let the results count again"),
            form=ReasonForm,
            preview=_preview_restoration,
            run=does(
                annulling.restore_results, "entry", gettext_lazy("The results of %(entry)s count again.")
            ),
            doing=Doing.CORRECT,
            offered=lambda entry: entry.annulled_at is not None,
        ),
        LINK,
    )

    def rows_with(self, word: str) -> Q:
        own = Entry.objects.filter(name__icontains=word).order_by().values("pk")
        of_players = EntryMember.objects.filter(player__name__icontains=word).order_by().values("entry")
        return Q(pk__in=own.union(of_players))

    @admin.display(description=gettext_lazy("withdrawn"), ordering="withdrawn_at")
    def withdrawn(self, entry: Entry) -> str:
        """When it withdrew, by the club's clock, and whether its results are annulled."""
        said = club_time(entry.withdrawn_at, entry.event.club)
        return said if entry.annulled_at is None else _("%(when)s, results annulled") % {"when": said}

    @admin.display(description=gettext_lazy("fee paid"), ordering="paid_at")
    def paid(self, entry: Entry) -> str:
        """When its fee was noted as paid, by the club's clock."""
        return club_time(entry.paid_at, entry.event.club)

    @admin.display(description=gettext_lazy("plays from"))
    def begins(self, entry: Entry) -> str:
        """The first round of a late entry, and its points for the rounds before."""
        if entry.first_round == 1:
            return _("the first round")
        points = plain((entry.first_round - 1) * entry.event.late_points)
        words = {"round": entry.first_round, "points": points}
        return _("round %(round)d; points for the rounds before: %(points)s") % words

    def links(self, request: HttpRequest, row: Entry) -> Sequence[PageLink]:
        return [change_link(_("The event"), row.event)]

    def add_row(self, request: HttpRequest, data: dict[str, Any], formsets: Sequence[Any]) -> Entry:
        players = _players(formsets)
        by = actor(request)
        event: Event = data["event"]
        is_guest = data["is_guest"]
        if format_of(event).takes_late_entries and event.rounds.exists():
            (entry, *_rest) = entries.enter_late(
                actor=by, event=event, players=players, name=data["name"], is_guest=is_guest
            )
            return entry
        if event.kind == EventKind.TEAM:
            return entries.enter_team(
                actor=by,
                event=event,
                name=data["name"],
                players=players,
                seed=data["seed"],
                is_guest=is_guest,
            )
        (entry, *_rest) = entries.enter_players(actor=by, event=event, players=players, is_guest=is_guest)
        if data["seed"] is not None:
            entry = entries.change_entry(actor=by, entry=entry, seed=data["seed"])
        return entry

    def change_row(
        self, request: HttpRequest, row: Entry, data: dict[str, Any], formsets: Sequence[Any]
    ) -> None:
        entries.change_entry(actor=actor(request), entry=row, players=_players(formsets), **data)


def _players(formsets: Sequence[Any]) -> list[Player]:
    return [
        form.cleaned_data["player"]
        for formset in formsets
        for form in present(formset)
        if form.cleaned_data.get("player") is not None
    ]
