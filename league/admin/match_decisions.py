"""A director's decisions about a sheet: claims, disputes, and counting a result unsigned."""

from typing import Final, cast

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data, Preview, ReasonForm, does, reason_field
from league.core.lifecycle import Doing
from league.draws.confirming import check_confirmable, confirm_result
from league.errors import LeagueError
from league.matches.counting import Waits, in_words
from league.matches.histories import deal_text
from league.models import Match
from league.policy.naming import AS_WRITTEN, Names, in_full
from league.tables.words import deal_words
from scoring.core.actors import Actor
from scoring.models import Claim, Dispute
from scoring.services import open_disputes, settle_dispute
from scoring.services.claims import open_claims, settle_claim
from scoring.services.records import KeptSheet, kept_sheet


class ClaimField(forms.ModelChoiceField[Claim]):
    """The claims of a sheet, each beside what is on the sheet."""

    kept: KeptSheet | None = None
    names: Names = AS_WRITTEN

    def label_from_instance(self, obj: Claim) -> str:
        return str(obj) if self.kept is None else _claim_words(self.kept, obj, self.names)


class DisputeField(forms.ModelChoiceField[Dispute]):
    """The disputes of a match, each with its side."""

    match: Match | None = None

    def label_from_instance(self, obj: Dispute) -> str:
        return obj.sentence if self.match is None else f"{self.match.side_name(obj.side)}: {obj.sentence}"


class ClaimDecisionForm(ReasonForm):
    """The claim, whether it is accepted, and the reason."""

    claim = ClaimField(
        queryset=Claim.objects.none(),
        label=gettext_lazy("Entry"),
        widget=forms.RadioSelect,
        empty_label=None,
    )
    take = forms.TypedChoiceField(
        label=gettext_lazy("It"),
        choices=[
            ("1", gettext_lazy("takes the place of what stands on the sheet, as a correction")),
            ("0", gettext_lazy("is dismissed: what stands on the sheet stays")),
        ],
        coerce=lambda chosen: chosen == "1",
        widget=forms.RadioSelect,
    )

    field_order = ("claim", "take", "reason")

    def prepare(self, row: Match) -> None:
        if row.sheet is None:
            return
        field = cast("ClaimField", self.fields["claim"])
        field.names = in_full(row.event.club)
        field.kept = field.names.sheet(kept_sheet(row.sheet), row)
        self.offer("claim", open_claims(row.sheet))


class DisputeForm(ReasonForm):
    """The dispute and how it is settled."""

    dispute = DisputeField(
        queryset=Dispute.objects.none(),
        label=gettext_lazy("Dispute"),
        widget=forms.RadioSelect,
        empty_label=None,
    )

    field_order = ("dispute", "reason")

    def prepare(self, row: Match) -> None:
        if row.sheet is None:
            return
        cast("DisputeField", self.fields["dispute"]).match = row
        self.offer("dispute", open_disputes(row.sheet))


class ConfirmForm(ActForm):
    """Asks for a reason if signatures are missing."""

    reason = reason_field(gettext_lazy("Why it counts all the same"))

    def prepare(self, row: Match) -> None:
        if _overridden(row) == [Waits.DIRECTOR]:
            del self.fields["reason"]


def _claim_words(kept: KeptSheet, claim: Claim, names: Names) -> str:
    """A claim and what it competes with: "Deal 4, Bob: …. On the sheet stands: …"."""
    if claim.number > len(kept.versions):
        return _("Deal %(number)d, %(name)s, sent after time was called: %(entered)s.") % {
            "number": claim.number,
            "name": names.author(claim),
            "entered": deal_words(deal_text(kept, claim.body, claim.number)),
        }
    return _("Deal %(number)d, %(name)s: %(entered)s. On the sheet stands: %(stands)s.") % {
        "number": claim.number,
        "name": names.author(claim),
        "entered": deal_words(deal_text(kept, claim.body, claim.number)),
        "stands": deal_words(deal_text(kept, kept.versions[claim.number - 1].body, claim.number)),
    }


def _overridden(match: Match) -> list[Waits]:
    """What a confirmation would override; [] if it would be refused."""
    try:
        return check_confirmable(match, match.sheet)[1]
    except LeagueError:
        return []


def _board(match: Match) -> str:
    """The address of the round's board."""
    return reverse("round_board", args=[match.event.club.slug, match.event.slug, match.round.number])


def _decide(by: Actor, match: Match, data: Data) -> str:
    claim = data["claim"]
    settle_claim(actor=by, claim=claim, take=data["take"], reason=data["reason"])
    if data["take"]:
        return _("Deal %(number)d is corrected as %(name)s has entered it.") % {
            "number": claim.number,
            "name": in_full(match.event.club).author(claim),
        }
    return _("Deal %(number)d stays as it stands.") % {"number": claim.number}


def _settle(by: Actor, match: Match, data: Data) -> str:
    settle_dispute(actor=by, dispute=data["dispute"], reason=data["reason"])
    return _("The dispute is settled.")


def _preview_confirm(match: Match, data: Data) -> Preview:
    _sheet, waits = check_confirmable(match, match.sheet)
    return Preview(
        [
            _("%(label)s: %(why)s. It will count, as its sheet stands.")
            % {"label": match.label, "why": in_words(waits)},
            _(
                "This will be noted with your name. A correction of the sheet will have to be "
                "signed or confirmed again."
            ),
        ]
    )


DECISIONS: Final[tuple[Act[Match], ...]] = (
    Act(
        slug="decide-claim",
        title=gettext_lazy("Decide between two versions"),
        doing=Doing.CORRECT,
        intro=gettext_lazy("A deal was entered in two ways at the table. What stands on the sheet counts."),
        form=ClaimDecisionForm,
        run=_decide,
        offered=lambda match: match.sheet is not None and open_claims(match.sheet).exists(),
        leads_to=_board,
    ),
    Act(
        slug="settle",
        title=gettext_lazy("Settle a dispute"),
        doing=Doing.CORRECT,
        intro=gettext_lazy(
            "Say how it ends; both sides can read it. What is to be changed on the sheet is corrected there."
        ),
        form=DisputeForm,
        run=_settle,
        offered=lambda match: match.sheet is not None and open_disputes(match.sheet).exists(),
        leads_to=_board,
    ),
    Act(
        slug="confirm",
        title=gettext_lazy("Count it unsigned"),
        doing=Doing.CORRECT,
        form=ConfirmForm,
        preview=_preview_confirm,
        run=does(confirm_result, "match", gettext_lazy("%(match)s counts.")),
        submit=gettext_lazy("Show what it overrides"),
        offered=lambda match: bool(_overridden(match)),
        leads_to=_board,
    ),
)
