"""Serializers of the requests and responses about sheets; each describes and checks a document.

Only the shape of requests is checked here; `scoring.documents` checks deals, and the services check what may
be done to a sheet. The refusals of all three have the same codes and name the same places.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Final, NoReturn

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.fields import empty

from league.api.sheet_names import club_of
from league.policy.naming import AS_WRITTEN, Names
from scoring.core.errors import DocumentError, RecordingError, ScoringError, SheetError, shown
from scoring.core.kinds import MOST_SIDES
from scoring.core.sheets import MOST_DEALS, SheetSide
from scoring.documents import schemas
from scoring.documents.shapes import integer, json_object, only
from scoring.documents.sheets import deal_document
from scoring.models import DealVersion, Scoresheet, SheetAct, SheetStatus, Signature, SignatureMethod
from scoring.services import LONGEST_KEY, LONGEST_REASON
from scoring.services.records import KeptSheet

Schema = dict[str, Any]

MOST_IN_A_BATCH: Final = 200
_TEXT: Final[Schema] = {"type": "string"}
_DEAL: Final[Schema] = schemas.SHEET["properties"]["deals"]["items"]
_NEW_DEAL: Final[Schema] = {
    **{name: value for name, value in _DEAL.items() if name != "nullable"},
    "description": "All hands dealt at the same time, or a team's line.",
}
_SIDE: Final[Schema] = {
    **schemas.SHEET["properties"]["sides"]["items"],
    "properties": {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in schemas.SHEET["properties"]["sides"]["items"]["properties"].items()
    },
    "required": ["name", "players"],
}

# A side of a new sheet; its one player, if none is named, is called as the side.
SIDE_SAID: Final[Schema] = {
    **_SIDE,
    "properties": {name: _SIDE["properties"][name] for name in ("name", "players")},
    "required": ["name"],
}


_STATUS: Final[Schema] = {**_TEXT, "enum": SheetStatus.values}


@extend_schema_serializer(extensions={"x-inline": True})
class InlineSerializer(serializers.Serializer[Any]):
    """A part of a sheet whose schema is inlined: see `deploy.openapi_parts`."""


# Requests


class Body(InlineSerializer):
    """The JSON object of a request; a null member counts as left out.

    Refuses anything but an object (`wrong_type`) and unknown members (`unknown_field`).
    """

    def run_validation(self, data: Any = empty) -> dict[str, Any]:
        document = json_object(data, "", str(_("The request is an object.")))
        only(document, frozenset(self.fields))
        said = {name: value for name, value in document.items() if value is not None}
        values: dict[str, Any] = self.to_internal_value(said)
        return values


class Member(serializers.Field[Any, Any, Any, Any]):
    """A member of a body; refused if it is not of its `kind` (`wrong_type`) or missing (`missing_field`).

    A value for `left_out` replaces a missing member, which the service may refuse once it has checked
    the rights.
    """

    kind: ClassVar[type]
    left_out: ClassVar[Any] = empty
    default_error_messages: ClassVar = {"required": _("%(field)s is missing.")}
    _CODES: Final = {"required": "missing_field"}

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        if data is empty and self.left_out is not empty:
            return True, self.left_out
        return super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, self.kind):
            self.fail("wrong_type")
        return data

    def fail(self, key: str, **options: Any) -> NoReturn:
        sentence = self.error_messages[key] % {"field": self.field_name}
        raise DocumentError(self._CODES.get(key, key), sentence, field=self.field_name)


@extend_schema_field(_TEXT)
class Text(Member):
    """A text."""

    kind = str
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is text.")}


@extend_schema_field(_TEXT)
class SideNamed(Member):
    """A side by its name; any JSON value, as the view refuses what is no side (`unknown_side`)."""

    kind = object


@extend_schema_field({**_TEXT, "minLength": 1, "maxLength": LONGEST_KEY})
class Key(Text):
    """A key of the client's own."""


@extend_schema_field({**_TEXT, "minLength": 1, "maxLength": LONGEST_REASON})
class ReasonText(Text):
    """A reason, or another sentence; blank if left out."""

    left_out = ""


@extend_schema_field({"type": "boolean"})
class Switch(Member):
    """True or false."""

    kind = bool
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is true or false.")}


@extend_schema_field({"type": "integer", "minimum": 0})
class Version(Member):
    """A version of a sheet."""

    def to_internal_value(self, data: Any) -> int:
        name = str(self.field_name)
        return integer({name: data}, name, None)


class Several(Member):
    """A list; its items are checked elsewhere."""

    kind = list
    left_out: ClassVar[Any] = ()
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is a list.")}


@extend_schema_field({"type": "array", "items": _NEW_DEAL, "maxItems": MOST_DEALS})
class NewDeals(Several):
    """Deals, read by `DealReader` once their sheet is known."""


@extend_schema_field({"type": "array", "items": _NEW_DEAL})
class BatchedDeals(Several):
    """The deals of an entry of a batch."""


@extend_schema_field(
    {
        "type": "array",
        "items": {**_TEXT, "description": "The name of a side."},
        "minItems": 1,
        "maxItems": MOST_SIDES,
    }
)
class SideNames(Several):
    """Sides by their names."""

    left_out = empty


@extend_schema_field({"type": "object", "additionalProperties": _DEAL})
class DealsByNumber(Member):
    """Deals by number, which is text in JSON; refuses what is no number of a deal (`unknown_deal`)."""

    kind = dict
    left_out: ClassVar[Mapping[int, Any]] = {}
    default_error_messages: ClassVar = {
        "wrong_type": _("deals is an object: deals by their numbers."),
    }

    def to_internal_value(self, data: Any) -> dict[int, Any]:
        return {self._number(text): deal for text, deal in super().to_internal_value(data).items()}

    def _number(self, text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= 4 and text == str(int(text))):
            sentence = _("“%(text)s” is not the number of a deal.") % {"text": shown(text)}
            raise RecordingError("unknown_deal", sentence, field=self.field_name)
        if not 1 <= int(text) <= MOST_DEALS:
            sentence = _("Deals are numbered from 1 to %(most)d.") % {"most": MOST_DEALS}
            raise RecordingError("unknown_deal", sentence, field=self.field_name)
        return int(text)


class Recording(Body):
    """New deals of a sheet."""

    deals = NewDeals(required=False)
    stopped = Switch(default=False, help_text="Calls time after these deals.")


class Correction(Body):
    """New versions of deals."""

    deals = DealsByNumber(
        required=False,
        help_text="Deals by number; null voids one. Those after the last are added.",
    )
    stopped = Switch(required=False, help_text="Calls time, or takes it back.")
    reason = ReasonText()


class Signing(Body):
    """The sides for which a sheet is signed."""

    sides = SideNames(required=False)


class Disputing(Body):
    """A new dispute."""

    sentence = ReasonText()
    side = SideNamed(required=False, help_text="The name of a side.")


class Settling(Body):
    """The settlement of a dispute."""

    reason = ReasonText()


class BatchEntry(Body):
    """An entry of a batch: deals for one sheet, as in a separate request."""

    sheet = Text(help_text="The sheet's code.")
    key = Key(help_text="Like the Idempotency-Key of a single request.")
    version = Version(required=False, allow_null=True, help_text="Like If-Match: the version you read.")
    deals = BatchedDeals()
    stopped = Switch(default=False)


class BatchEntries(serializers.ListField):
    """The entries of a batch, which are checked one by one later.

    The whole batch is refused if it is no list (`wrong_type`), is empty (`nothing_to_record`), or has more
    than `MOST_IN_A_BATCH` deals (`too_many_deals`), where each entry counts as one deal at least.
    """

    child = BatchEntry()

    def run_validation(self, data: Any = empty) -> list[Any]:
        entries: Any = [] if data is empty else data
        if not isinstance(entries, list):
            self._refuse(DocumentError, "wrong_type", _("%(field)s is a list."))
        if not entries:
            self._refuse(RecordingError, "nothing_to_record", _("There is nothing to record."))
        deals = [entry.get("deals") if isinstance(entry, dict) else None for entry in entries]
        count = sum(max(len(each), 1) if isinstance(each, list) else 1 for each in deals)
        if count > MOST_IN_A_BATCH:
            sentence = _("A batch has at most %(most)d deals, not %(count)d.")
            self._refuse(SheetError, "too_many_deals", sentence, most=MOST_IN_A_BATCH, count=count)
        return entries

    def _refuse(self, kind: type[ScoringError], code: str, sentence: object, **values: Any) -> NoReturn:
        raise kind(code, str(sentence) % {"field": self.field_name, **values}, field=self.field_name)


class Batch(Body):
    """Deals of several sheets."""

    entries = BatchEntries(min_length=1, max_length=MOST_IN_A_BATCH)


# Responses; the context has the sheet as `kept` and the `names`, both as the reader may see them


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


@extend_schema_field({**_TEXT, "enum": SignatureMethod.values})
class Method(serializers.CharField):
    """The method of a signature."""


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": MOST_DEALS})
class Number(serializers.IntegerField):
    """The number of a deal."""


@extend_schema_field(_TEXT)
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
    """The identity of a sheet: its code, version, club, event, match and rules."""

    code = serializers.CharField()
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What is printed on the paper sheet."
    )
    version = serializers.IntegerField(min_value=0)
    club = serializers.SerializerMethodField(help_text="The club's slug.")
    event = serializers.SerializerMethodField(help_text="The event's code.")
    match = serializers.SerializerMethodField(help_text="The match's code.")
    house_rules = SheetRules(source="rules")

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
        told: dict[str, Any] = super().to_representation(sheet)
        if len(sheet.nets) == 2:
            del told["nets"]
        return told

    @extend_schema_field({"type": "array", "items": _TEXT, "minItems": 2, "maxItems": MOST_SIDES})
    def get_sides(self, sheet: Scoresheet) -> list[str]:
        club = club_of(sheet)
        names: Names = AS_WRITTEN if club is None else self.context["spelling"].of(club.pk)
        return names.sides(sheet.sides.all())

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
        about = AboutSheet().to_representation(kept.sheet)
        told = {"sides": self.get_sides(kept), "stopped": kept.sheet.stopped, **kept.state.to_document()}
        if kept.sheet.status == SheetStatus.VOID:
            told["status"] = str(SheetStatus.VOID)
        return {**about, **told}

    @extend_schema_field({"type": "array", "items": _SIDE, "minItems": 2, "maxItems": MOST_SIDES})
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

    @extend_schema_field(_DEAL)
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

    @extend_schema_field(_DEAL)
    def get_before(self, row: DealVersion) -> Schema | None:
        earlier = self.context["deals"].get((row.number, row.version - 1))
        return None if earlier is None else self.get_after(earlier)

    @extend_schema_field(_DEAL)
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
