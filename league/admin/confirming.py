"""Several results of a round counted in one act."""

from collections.abc import Mapping
from typing import Any, Final, cast

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, reason_field
from league.admin.round_acts import sides_shown
from league.core.lifecycle import Doing
from league.draws.confirming import Confirmed, confirm_results, confirmable
from league.matches.counting import Waits, in_words
from league.models import Match, Round
from scoring.core.actors import Actor
from scoring.models import Scoresheet


class SeenField(forms.MultipleChoiceField):
    """Matches with the versions of their sheets as shown; what has changed since, the service refuses."""

    def valid_value(self, value: str) -> bool:
        match, _dash, version = value.partition("-")
        return all(part.isascii() and part.isdigit() and len(part) < 19 for part in (match, version))

    def clean(self, value: Any) -> Mapping[int, int]:
        """The versions by the ids of the matches."""
        return {
            int(match): int(version) for match, version in (each.split("-") for each in super().clean(value))
        }


class ConfirmSeveralForm(ActForm):
    """The results to count; a reason where signatures are missing."""

    matches = SeenField(
        label=gettext_lazy("Results"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one result.")},
    )
    reason = reason_field(
        gettext_lazy("Why they count all the same"),
        gettext_lazy("Needed where a signature is missing."),
        required=False,
    )

    def prepare(self, row: Round) -> None:
        found = confirmable(row)
        self.unsigned = {match.pk for match, _sheet, waits in found if waits != [Waits.DIRECTOR]}
        field = cast("SeenField", self.fields["matches"])
        field.choices = [(_key(match, sheet), _words(match, sheet, waits)) for match, sheet, waits in found]
        field.initial = [
            _key(match, sheet) for match, sheet, _waits in found if match.pk not in self.unsigned
        ]
        if not self.unsigned:
            del self.fields["reason"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.unsigned.isdisjoint(data.get("matches", {})) and not data.get("reason"):
            self.add_error("reason", _("A signature is missing: say why they count all the same."))
        return data


def _key(match: Match, sheet: Scoresheet) -> str:
    return f"{match.pk}-{sheet.version}"


def _words(match: Match, sheet: Scoresheet, waits: list[Waits]) -> str:
    said = {"label": match.label, "match": match, "result": _result(match, sheet), "why": in_words(waits)}
    return _("%(label)s, %(match)s, %(result)s: %(why)s") % said


def _result(match: Match, sheet: Scoresheet) -> str:
    if match.is_table:
        order = sorted(zip(sheet.places, match.sides, sheet.nets, strict=True))
        return ", ".join(f"{place}. {match.side_shown(side)} {net:+,}" for place, side, net in order)
    if sheet.leader is None:
        return _("drawn")
    return _("%(winner)s by %(net)s") % {"winner": match.side_shown(sheet.leader), "net": sheet.lead}


def _preview(round_: Round, data: Data) -> Preview:
    rows = [
        [match.label, *sides_shown(match), _result(match, sheet), in_words(waits)]
        for match, sheet, waits in confirmable(round_)
        if data["matches"].get(match.pk) == sheet.version
    ]
    lines = [
        ngettext(
            "%d result will count, as its sheet stands.",
            "%d results will count, as their sheets stand.",
            len(rows),
        )
        % len(rows)
    ]
    if (others := len(data["matches"]) - len(rows)) > 0:
        lines.append(
            ngettext(
                "%d result that you have chosen has changed since, and will stay as it is.",
                "%d results that you have chosen have changed since, and will stay as they are.",
                others,
            )
            % others
        )
    lines.append(_("This will be noted with your name for each of them."))
    head = (_("Sheet"), _("First side"), _("Second side"), _("Result"), _("Waits for"))
    return Preview(lines, head, rows)


def _run(by: Actor, round_: Round, data: Data) -> str:
    done = confirm_results(actor=by, round_=round_, versions=data["matches"], reason=data.get("reason", ""))
    return _told(done)


def _told(done: Confirmed) -> str:
    counted = ngettext(
        "%(count)d result counts now: %(labels)s.",
        "%(count)d results count now: %(labels)s.",
        len(done.matches),
    )
    said = [
        counted % {"count": len(done.matches), "labels": ", ".join(match.label for match in done.matches)}
    ]
    return " ".join([*said, *done.refused])


CONFIRM: Final[Act[Round]] = Act(
    slug="confirm",
    title=gettext_lazy("Count several results"),
    doing=Doing.CORRECT,
    intro=gettext_lazy("Results that wait for you, or for signatures, count as their sheets stand."),
    form=ConfirmSeveralForm,
    preview=_preview,
    run=_run,
    submit=gettext_lazy("Show what will count"),
    offered=lambda round_: bool(confirmable(round_)),
    leads_to=lambda round_: reverse(
        "round_board", args=[round_.event.club.slug, round_.event.slug, round_.number]
    ),
)
