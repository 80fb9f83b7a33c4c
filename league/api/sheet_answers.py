"""Serializers of responses about sheets.

The context has the sheet as `kept` and the `names`, both as the reader may see them.
"""

from dataclasses import asdict
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.sheet_names import club_of, names_in
from league.api.sheet_serializers import DEAL, SIDE, TEXT, InlineSerializer, Schema
from scoring.core.kinds import MOST_SIDES
from scoring.core.sheets import MOST_DEALS, SheetSide
from scoring.documents import schemas
from scoring.documents.sheets import deal_document
from scoring.models import DealVersion, Scoresheet, SheetAct, SheetStatus, Signature, SignatureMethod
from scoring.services.records import KeptSheet

_STATUS: Final[Schema] = {**TEXT, "enum": SheetStatus.values}


class Author(serializers.CharField):
    """The author of a row, as the reader may see the name."""

    def to_representation(self, value: Any) -> str:
        shown_name: str = self.context["names"].author(value)
        return shown_name


class Sentence(serializers.CharField):
    """A text written by somebody, with names as the reader may see them."""

    def to_representation(self, value: str) -> str:
        told: str = self.context["names"].text(value)
        return told


@extend_schema_field(_STATUS)
class Status(serializers.CharField):
    """The status of a sheet."""


@extend_schema_field({**TEXT, "enum": SignatureMethod.values})
class Method(serializers.CharField):
    """The method of a signature."""


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": MOST_DEALS})
class Number(serializers.IntegerField):
    """The number of a deal."""


@extend_schema_field(TEXT)
class SideName(serializers.Field[Any, Any, Any, Any]):
    """The name of a side, from its position."""

    def to_representation(self, value: int) -> str:
        name: str = self.context["kept"].sides[value].name
        return name


@extend_schema_field({"type": "object"})
class Problem(serializers.DictField):
    """A refusal, as in the response to a separate request."""


class Net(serializers.IntegerField):
    """The net score of a sheet, in points."""

    def __init__(self, **options: Any) -> None:
        super().__init__(source="nets", help_text="What the first side wins, in points.", **options)

    def to_representation(self, value: Any) -> int:
        first: int = value[0]
        return first


class Nets(serializers.ListField):
    """What each side wins, told of sheets with more than two."""

    child = serializers.IntegerField()

    def __init__(self, **options: Any) -> None:
        help_text = "Of more than two sides: what each wins, in their order."
        super().__init__(help_text=help_text, required=False, **options)


class SheetRules(InlineSerializer):
    """A version of house rules."""

    code = serializers.CharField()
    version = serializers.IntegerField(min_value=1)
    name = serializers.CharField()


class AboutSheet(InlineSerializer):
    """The identity of a sheet: its code, version, club, event, match and rules.

    The context has the `spelling` of its club.
    """

    code = serializers.CharField()
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What is printed on the paper sheet."
    )
    version = serializers.IntegerField(min_value=0)
    club = serializers.SerializerMethodField(help_text="The club's slug.")
    event = serializers.SerializerMethodField(help_text="The event's code.")
    match = serializers.SerializerMethodField(help_text="The match's code.")
    house_rules = SheetRules(source="rules")

    def to_representation(self, sheet: Any) -> dict[str, Any]:
        told: dict[str, Any] = super().to_representation(sheet)
        return told | {"label": names_in(sheet, self.context["spelling"]).label(sheet)}

    def get_club(self, sheet: Scoresheet) -> str | None:
        club = club_of(sheet)
        return None if club is None else club.slug

    def get_event(self, sheet: Scoresheet) -> str | None:
        match = getattr(sheet, "match", None)
        return None if match is None else match.event.code

    def get_match(self, sheet: Scoresheet) -> str | None:
        match = getattr(sheet, "match", None)
        return None if match is None else match.code


class SheetRow(AboutSheet):
    """A sheet in a list; its club, match and sides should be loaded."""

    sides = serializers.SerializerMethodField()
    status = Status()
    stopped = serializers.BooleanField(help_text="Whether time was called.")
    deal_count = serializers.IntegerField(min_value=0)
    net = Net()
    nets = Nets()
    winner = serializers.SerializerMethodField()
    opened_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()

    def to_representation(self, sheet: Scoresheet) -> dict[str, Any]:
        told = super().to_representation(sheet)
        if len(sheet.nets) == 2:
            del told["nets"]
        return told

    @extend_schema_field({"type": "array", "items": TEXT, "minItems": 2, "maxItems": MOST_SIDES})
    def get_sides(self, sheet: Scoresheet) -> list[str]:
        return names_in(sheet, self.context["spelling"]).sides(sheet.sides.all())

    def get_winner(self, sheet: Scoresheet) -> str | None:
        return None if sheet.winner is None else self.get_sides(sheet)[sheet.winner]


class WholeSheet(AboutSheet):
    """A sheet as scored (INTERFACES §2); its status is "void" once it was voided.

    Apart from the names it changes only with the sheet's version and with who sits where.
    """

    sides = serializers.SerializerMethodField()
    stopped = serializers.BooleanField()

    def get_fields(self) -> dict[str, Any]:
        scored = {**schemas.ANSWER["properties"], "status": _STATUS}
        describe: Any = extend_schema_field
        always = schemas.ANSWER["required"]
        as_is = {
            name: describe(each)(
                serializers.ReadOnlyField() if name in always else serializers.JSONField(required=False)
            )
            for name, each in scored.items()
        }
        return {**super().get_fields(), **as_is}

    def to_representation(self, kept: KeptSheet) -> dict[str, Any]:
        about = AboutSheet(context=self.context).to_representation(kept.sheet)
        told = {"sides": self.get_sides(kept), "stopped": kept.sheet.stopped, **kept.state.to_document()}
        if kept.sheet.status == SheetStatus.VOID:
            told["status"] = str(SheetStatus.VOID)
        return {**about, **told}

    @extend_schema_field({"type": "array", "items": SIDE, "minItems": 2, "maxItems": MOST_SIDES})
    def get_sides(self, kept: KeptSheet) -> list[Schema]:
        return [_side(side) for side in kept.sides]


class ReceiptTold(InlineSerializer):
    """The receipt of a write."""

    sheet = serializers.CharField()
    version = serializers.IntegerField(
        min_value=1, help_text="The sheet's new version, which is also its ETag."
    )
    first = serializers.IntegerField(allow_null=True, help_text="The number of the first deal.")
    count = serializers.IntegerField(min_value=0, help_text="The number of deals recorded.")
    status = Status()
    net = Net()
    nets = Nets()


class NumberedDeal(InlineSerializer):
    """A version of a deal, with the act that brought it."""

    number = Number()
    version = serializers.IntegerField(min_value=1)
    deal = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="act.at")
    by = Author(source="act")
    reason = Sentence(source="act.reason")

    @extend_schema_field(DEAL)
    def get_deal(self, row: DealVersion) -> Schema | None:
        return deal_document(self.context["kept"].deal(row.body, row.number))


class DealVersionTold(NumberedDeal):
    """A version of a deal, without the number."""

    number = None  # type: ignore[assignment]


class AllVersions(InlineSerializer):
    """Every version of a deal."""

    number = Number()
    versions = DealVersionTold(many=True)


class DealChangeTold(InlineSerializer):
    """A deal before and after a correction; `deals` in the context maps (number, version) to all versions."""

    number = Number()
    version = serializers.IntegerField(min_value=1)
    before = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField()

    @extend_schema_field(DEAL)
    def get_before(self, row: DealVersion) -> Schema | None:
        earlier = self.context["deals"].get((row.number, row.version - 1))
        return None if earlier is None else self.get_after(earlier)

    @extend_schema_field(DEAL)
    def get_after(self, row: DealVersion) -> Schema | None:
        return deal_document(self.context["kept"].deal(row.body, row.number))


class CorrectionTold(InlineSerializer):
    """A correction: its author, time, reason and the changed deals, before and after."""

    sheet_version = serializers.IntegerField(source="version", min_value=0)
    at = serializers.DateTimeField()
    by = Author(source="*")
    reason = Sentence()
    stopped = serializers.SerializerMethodField()
    deals = serializers.SerializerMethodField()

    def get_stopped(self, act: SheetAct) -> bool:
        return bool(act.body.get("stopped"))

    @extend_schema_field(DealChangeTold(many=True))
    def get_deals(self, act: SheetAct) -> Any:
        changed = [row for row in self.context["deals"].values() if row.act_id == act.pk]
        return DealChangeTold(changed, many=True, context=self.context).data


class SignatureTold(InlineSerializer):
    """A signature under a version of the sheet."""

    side = SideName()
    sheet_version = serializers.IntegerField(source="version", min_value=0)
    lapsed = serializers.SerializerMethodField(help_text="Whether the sheet has changed since.")
    method = Method()
    at = serializers.DateTimeField()
    by = Author(source="*")

    def get_lapsed(self, row: Signature) -> bool:
        return bool(row.version != self.context["kept"].sheet.version)


class SignaturesTold(InlineSerializer):
    """All signatures under a sheet."""

    version = serializers.IntegerField(min_value=0)
    signatures = SignatureTold(many=True)


class SettlementTold(InlineSerializer):
    """The settlement of a dispute."""

    reason = Sentence()
    at = serializers.DateTimeField()
    by = Author(source="*")


class DisputeTold(InlineSerializer):
    """A dispute; `number` counts from 1, and the row's `settled` is its settlement, None while it is open."""

    number = serializers.IntegerField(min_value=1)
    side = SideName()
    sheet_version = serializers.IntegerField(source="version", min_value=0)
    sentence = Sentence()
    at = serializers.DateTimeField()
    by = Author(source="*")
    settlement = SettlementTold(source="settled", allow_null=True)


class OutcomeTold(InlineSerializer):
    """The outcome of an entry of a batch."""

    sheet = serializers.CharField(allow_null=True, help_text="As it was sent; null if that was no text.")
    key = serializers.CharField(allow_null=True, help_text="As it was sent; null if that was no text.")
    status = serializers.IntegerField(help_text="The status that a single request would have had.")
    receipt = ReceiptTold(required=False)
    problem = Problem(required=False)


class OutcomesTold(InlineSerializer):
    """The outcomes of all entries, in order."""

    outcomes = OutcomeTold(many=True)


def _side(side: SheetSide) -> Schema:
    told: Schema = {"name": side.name, "players": list(side.players)}
    if side.substitutes:
        told["substitutes"] = [asdict(one) for one in side.substitutes]
    return told
