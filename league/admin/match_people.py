"""The players of a match: line-ups, substitutes, absent members."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, ReasonForm, does, reason_field
from league.acts.fields import DayField, NameField, day_words
from league.core.lifecycle import Doing
from league.draws import absences
from league.draws.postponing import check_postponable
from league.draws.sitting_in import check_bye_instead, check_sitting_in, give_bye_instead, let_bot_sit_in
from league.matches import line_ups, substitutes
from league.matches.matches import bots_for
from league.models import (
    AWARDED,
    AbsentMember,
    Appearance,
    Entry,
    Match,
    MatchState,
    PlayedWhere,
    Player,
    RoundState,
)
from league.policy import Permission
from league.policy.eligibility import check_free, check_line_up, check_stands_in
from league.policy.refusals import refused
from scoring.core.actors import Actor
from scoring.models import SheetStatus


class LineUpForm(ActForm):
    """The line-up of each side, seat by seat; a side left empty, or as it was shown, is not changed."""

    def prepare(self, row: Match) -> None:
        for side in row.sides:
            entries = row.side(side)
            if not entries:
                continue
            seated = line_ups.seated(row, side)
            self.fields[f"seen_{side}"] = forms.CharField(
                required=False,
                widget=forms.HiddenInput,
                max_length=300,
                initial=line_ups.seats_shown(seated),
            )
            choices = choices_for(row, entries)
            for position in range(row.event.team_size):
                self.fields[f"seat_{side}_{position}"] = NameField(
                    queryset=choices,
                    label=row.side_shown(side)
                    if row.event.team_size == 1
                    else _("%(entry)s, seat %(seat)d")
                    % {"entry": row.side_shown(side), "seat": position + 1},
                    initial=seated[position] if position < len(seated) else None,
                    required=False,
                )


class SubstituteForm(ActForm):
    """The player who leaves, the one who takes over, and the first deal of the latter."""

    replaces = NameField(queryset=Player.objects.none(), label=gettext_lazy("Leaves the table"))
    player = NameField(queryset=Player.objects.none(), label=gettext_lazy("Takes over"))
    from_deal = forms.IntegerField(
        label=gettext_lazy("From deal"),
        min_value=2,
        help_text=gettext_lazy("The next one, or an earlier one that was recorded already."),
    )
    reason = reason_field(
        told=gettext_lazy("Needed where deals that are recorded pass to the substitute."), required=False
    )

    def prepare(self, row: Match) -> None:
        sitting = [each.appearance.player_id for each in substitutes.sitting_now(row)]
        self.offer("replaces", Player.objects.filter(pk__in=sitting))
        entries = [entry for side in row.sides for entry in row.side(side)]
        playing = Appearance.objects.filter(match=row).values("player")
        self.offer("player", choices_for(row, entries).exclude(pk__in=playing))
        if row.sheet is not None and row.sheet.deal_count:
            self.fields["from_deal"].initial = row.sheet.deal_count + 1

    def clean(self) -> dict[str, Any]:
        if self.row.sheet is None or not self.row.sheet.deal_count:
            raise forms.ValidationError(_("No deal of this match is recorded yet: set the line-ups instead."))
        return super().clean() or self.cleaned_data


class UnseatForm(ReasonForm):
    """The substitute to remove, and the reason."""

    player = NameField(queryset=Player.objects.none(), label=gettext_lazy("Substitute"))

    field_order = ("player", "reason")

    def prepare(self, row: Match) -> None:
        seated = row.appearances.filter(replaces__isnull=False).values("player")
        self.offer("player", Player.objects.filter(pk__in=seated))


class AbsentForm(ReasonForm):
    """The absent player, and what the event's rule for absences needs."""

    absent = NameField(queryset=Player.objects.none(), label=gettext_lazy("Absent"))
    substitute = NameField(queryset=Player.objects.none(), label=gettext_lazy("Plays instead"))
    planned_on = DayField(label=gettext_lazy("Played on"))

    field_order = ("absent", "substitute", "planned_on", "reason")

    def prepare(self, row: Match) -> None:
        rule = row.event.absent_member
        if rule != AbsentMember.SUBSTITUTE:
            del self.fields["substitute"]
        else:
            entries = [entry for side in row.sides for entry in row.side(side)]
            playing = row.appearances.values("player")
            self.offer("substitute", choices_for(row, entries).exclude(pk__in=playing))
        if rule != AbsentMember.POSTPONE:
            del self.fields["planned_on"]
        self.offer("absent", Player.objects.filter(appearances__match=row))


class SitInForm(ReasonForm):
    """Who is not there, and why a bot plays for him."""

    absent = NameField(queryset=Player.objects.none(), label=gettext_lazy("Absent"))

    field_order = ("absent", "reason")

    def prepare(self, row: Match) -> None:
        self.offer("absent", Player.objects.filter(appearances__match=row, strategy=""))


def choices_for(match: Match, entries: Iterable[Entry]) -> QuerySet[Player]:
    """Players who may sit for these entries: members, guests, and players in no other entry of the event."""
    club = Player.objects.filter(club=match.event.club, merged_into=None)
    others = Entry.objects.filter(event=match.event, is_guest=False).exclude(
        pk__in=[entry.pk for entry in entries]
    )
    return club.exclude(memberships_in_entries__entry__in=others)


def _line_ups_of(match: Match, data: Data) -> dict[int, list[Player]]:
    """The chosen players of each side for which others were chosen than are shown."""
    chosen = {}
    for side in match.sides:
        seats = [data.get(f"seat_{side}_{position}") for position in range(match.event.team_size)]
        players = [player for player in seats if player is not None]
        if players and line_ups.seats_shown(players) != data[f"seen_{side}"]:
            chosen[side] = players
    return chosen


def _preview_line_ups(match: Match, data: Data) -> Preview:
    rows = []
    for side, players in _line_ups_of(match, data).items():
        check_line_up(match.event, match.side(side), players)
        old = match.appearances.filter(side=side).select_related("player").order_by("position")
        rows.append([match.side_shown(side), _names(each.player for each in old) or "–", _names(players)])
    message = (
        _("The names will be written on the blank sheet %(label)s, and locked with its first deal.")
        if match.sheet is not None
        else _(
            "The sheet will be opened once all line-ups are complete, and they will be "
            "locked with its first deal."
        )
    )
    return Preview([message % {"label": match.label}], [_("Side"), _("So far"), _("Line-up")], rows)


def _set_line_ups(by: Actor, match: Match, data: Data) -> str:
    for side, players in _line_ups_of(match, data).items():
        seen = data[f"seen_{side}"]
        match = line_ups.set_line_up(actor=by, match=match, side=side, players=players, seen=seen)
    if match.sheet is None:
        return _("The line-ups are noted. The sheet is opened once both are complete.")
    return _("The line-ups are noted; the sheet is %(sheet)s.") % {"sheet": match.label}


def _preview_substitute(match: Match, data: Data) -> Preview:
    seat = next(each for each in substitutes.sitting_now(match) if each.appearance.player == data["replaces"])
    check_stands_in(match.event, match.side(seat.side), [data["player"]])
    check_free(match.round, [data["player"]], match=match)
    words = {
        "player": data["player"],
        "replaces": data["replaces"],
        "deal": data["from_deal"],
        "before": data["from_deal"] - 1,
        "last": match.sheet.deal_count if match.sheet is not None else 0,
    }
    lines = [
        _("From deal %(deal)d on %(player)s will play in the place of %(replaces)s.") % words,
        _(
            "The side will keep its result. Of its net, %(replaces)s will have what it is after deal "
            "%(before)d, and %(player)s what it changes by from there on."
        )
        % words,
    ]
    if data["from_deal"] <= words["last"]:
        lines.append(
            ngettext(
                "Deal %(deal)d is recorded: what it says of %(replaces)s will pass to %(player)s, as a "
                "correction.",
                "Deals %(deal)d to %(last)d are recorded: what they say of %(replaces)s will pass to "
                "%(player)s, as a correction.",
                words["last"] - data["from_deal"] + 1,
            )
            % words
        )
    return Preview(lines)


def _preview_unseat(match: Match, data: Data) -> Preview:
    return Preview([_("%(player)s will be taken back, and the seat will go back to whoever had it.") % data])


def _preview_absent(match: Match, data: Data) -> Preview:
    side = absences.absent_side(match, data["absent"])
    lines = [
        _("By the rule of “%(event)s”: %(rule)s.")
        % {"event": match.event, "rule": match.event.get_absent_member_display()}
    ]
    if (player := data.get("substitute")) is not None:
        check_stands_in(match.event, match.side(side), [player])
        check_free(match.round, [player], match=match)
        lines.append(
            _("%(player)s will play for %(side)s in the place of %(absent)s.")
            % {"player": player, "side": match.side_shown(side), "absent": data["absent"]}
        )
    elif (day := data.get("planned_on")) is not None:
        check_postponable(match, planned_on=day, deadline=match.deadline)
        lines.append(_("The match will be played on %(day)s.") % {"day": day_words(day)})
    else:
        lines.append(_("The match will go to %(side)s by walkover.") % {"side": match.side_shown(1 - side)})
    return Preview(lines)


def _settle_absence(by: Actor, match: Match, data: Data) -> str:
    match = absences.settle_absence(actor=by, match=match, **data)
    return _("%(match)s: what the event says of an absence was done.") % {"match": match}


def _preview_sit_in(match: Match, data: Data) -> Preview:
    words = {"absent": data["absent"]}
    seat = match.appearances.select_related("player").get(player=data["absent"])
    words["bot"] = check_sitting_in(match, seat)
    lines = [
        _("%(bot)s will play on this site for %(absent)s, and the match will not be rated.") % words,
        _("%(absent)s may take the seat from it with any hand that begins.") % words,
    ]
    if match.absent_forfeits:
        lines.append(_("If %(absent)s does not come, the match is lost for that side by forfeit.") % words)
    return Preview(lines)


def _sit_in(by: Actor, match: Match, data: Data) -> str:
    match = let_bot_sit_in(actor=by, match=match, **data)
    return _("%(bot)s sits in for %(absent)s.") % {"bot": match.event.sits_in, "absent": data["absent"]}


def _preview_bye(match: Match, data: Data) -> Preview:
    said = _("%(entry)s will have the bye, and its sheet against the bot will be deleted.")
    return Preview([said % {"entry": match.side_shown(0)}])


def _give_bye(by: Actor, match: Match, data: Data) -> str:
    match = give_bye_instead(actor=by, match=match, **data)
    return _("%(entry)s has the bye.") % {"entry": match.side_shown(0)}


def _may_sit_in(match: Match) -> bool:
    waits = match.event.sits_in_id is not None and match.event.played != PlayedWhere.AT_TABLE
    return waits and match.state == MatchState.SCHEDULED and match.sheet_id is not None and _is_blank(match)


def _names(players: Iterable[Player]) -> str:
    return ", ".join(str(player) for player in players)


def _is_blank(match: Match) -> bool:
    blank = match.sheet is None or match.sheet.version == 0
    return match.state not in AWARDED and match.entry_b_id is not None and blank


def _takes_line_up(match: Match) -> bool:
    plays_bot = not refused(partial(check_bye_instead, match)) or bool(bots_for(match))
    return _is_blank(match) or (plays_bot and match.round.state != RoundState.DRAFTED)


def _has_begun(match: Match) -> bool:
    return (
        match.state not in AWARDED
        and match.sheet is not None
        and match.sheet.deal_count > 0
        and match.sheet.status != SheetStatus.VOID
    )


def _typing(match: Match) -> str:
    """The address of the page on which the sheet is typed."""
    return reverse("entry:sheet", args=[match.code])


PEOPLE: Final[tuple[Act[Match], ...]] = (
    Act(
        slug="line-ups",
        title=gettext_lazy("Set the line-ups"),
        doing=Doing.PLAY,
        form=LineUpForm,
        preview=_preview_line_ups,
        run=_set_line_ups,
        permission=Permission.RECORD,
        offered=_takes_line_up,
    ),
    Act(
        slug="absent",
        title=gettext_lazy("One of them is absent"),
        doing=Doing.PLAY,
        intro=gettext_lazy("What is done then is a rule of the event."),
        form=AbsentForm,
        preview=_preview_absent,
        run=_settle_absence,
        offered=lambda match: (
            match.state == MatchState.SCHEDULED and match.event.team_size > 1 and match.sheet_id is not None
        ),
    ),
    Act(
        slug="sit-in",
        title=gettext_lazy("Let a bot sit in"),
        doing=Doing.PLAY,
        intro=gettext_lazy("For a player who is not there yet."),
        form=SitInForm,
        preview=_preview_sit_in,
        run=_sit_in,
        offered=_may_sit_in,
    ),
    Act(
        slug="bye-instead",
        title=gettext_lazy("Give the bye instead"),
        doing=Doing.PLAY,
        intro=gettext_lazy("For somebody who does not play the bot."),
        form=ReasonForm,
        preview=_preview_bye,
        run=_give_bye,
        offered=lambda match: not refused(partial(check_bye_instead, match)),
    ),
    Act(
        slug="substitute",
        title=gettext_lazy("A substitute from now on"),
        doing=Doing.PLAY,
        intro=gettext_lazy(
            "Save what is typed of the sheet first: the substitute sits from the next deal on."
        ),
        form=SubstituteForm,
        preview=_preview_substitute,
        run=does(
            substitutes.seat_substitute,
            "match",
            gettext_lazy("%(player)s plays for %(replaces)s from deal %(from_deal)d on."),
        ),
        permission=Permission.RECORD,
        leads_to=_typing,
        offered=_has_begun,
    ),
    Act(
        slug="unseat",
        title=gettext_lazy("Take a substitute back"),
        doing=Doing.PLAY,
        intro=gettext_lazy("As long as nothing is recorded of the substitute."),
        form=UnseatForm,
        preview=_preview_unseat,
        run=does(substitutes.unseat_substitute, "match", gettext_lazy("%(player)s was taken back.")),
        permission=Permission.RECORD,
        leads_to=_typing,
        offered=lambda match: (
            match.sheet is not None
            and match.appearances.filter(
                replaces__isnull=False, from_deal__gt=match.sheet.deal_count
            ).exists()
        ),
    ),
)
