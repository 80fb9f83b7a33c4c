"""What is written on sheets and what is read of them: each serializer describes a document and checks it.

What is sent is checked here for its shape; what a deal may be `scoring.documents` says, and what may be done
to a sheet its services. The refusals of all three have the same codes and name the same places.
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


_STATUS: Final[Schema] = {**_TEXT, "enum": SheetStatus.values}


@extend_schema_serializer(extensions={"x-inline": True})
class InlineSerializer(serializers.Serializer[Any]):
    """A part of a sheet, described where it stands: see `deploy.openapi_parts`."""


# What is sent


class Body(InlineSerializer):
    """An object that is sent; a member that is null is as one left out.

    Refuses (`wrong_type`, `unknown_field`) what is none, and members that it does not have.
    """

    def run_validation(self, data: Any = empty) -> dict[str, Any]:
        document = json_object(data, "", str(_("The request is an object.")))
        only(document, frozenset(self.fields))
        said = {name: value for name, value in document.items() if value is not None}
        values: dict[str, Any] = self.to_internal_value(said)
        return values


class Member(serializers.Field[Any, Any, Any, Any]):
    """A member of a body; refused if it is not of its kind (`wrong_type`), or left out (`missing_field`).

    Where something is `left_out` for, the service refuses that instead, once it knows who asks.
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
    """A side by its name: whatever is none of the sheet's is no side of it."""

    kind = object


@extend_schema_field({**_TEXT, "minLength": 1, "maxLength": LONGEST_KEY})
class Key(Text):
    """A key of the client's own."""


@extend_schema_field({**_TEXT, "minLength": 1, "maxLength": LONGEST_REASON})
class ReasonText(Text):
    """Why, in a sentence."""

    left_out = ""


@extend_schema_field({"type": "boolean"})
class Switch(Member):
    """Something that is so, or is not."""

    kind = bool
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is true or false.")}


@extend_schema_field({"type": "integer", "minimum": 0})
class Version(Member):
    """A version of a sheet."""

    def to_internal_value(self, data: Any) -> int:
        name = str(self.field_name)
        return integer({name: data}, name, None)


class Several(Member):
    """A list; what is in it is looked at by itself."""

    kind = list
    left_out: ClassVar[Any] = ()
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is a list.")}


@extend_schema_field({"type": "array", "items": _NEW_DEAL, "maxItems": MOST_DEALS})
class NewDeals(Several):
    """Deals, read by `DealReader` when their sheet is known."""


@extend_schema_field({"type": "array", "items": _NEW_DEAL})
class BatchedDeals(Several):
    """Deals of one of several sheets."""


@extend_schema_field(
    {
        "type": "array",
        "items": {**_TEXT, "description": "The name of a side."},
        "minItems": 1,
        "maxItems": 2,
    }
)
class SideNames(Several):
    """Sides by their names."""

    left_out = empty


@extend_schema_field({"type": "object", "additionalProperties": _DEAL})
class DealsByNumber(Member):
    """Deals by their numbers, which JSON has as text; refuses (`unknown_deal`) what is none of a deal."""

    kind = dict
    left_out: ClassVar[Mapping[int, Any]] = {}
    default_error_messages: ClassVar = {
        "wrong_type": _("deals is an object: deals by their numbers."),
    }

    def to_internal_value(self, data: Any) -> dict[int, Any]:
        return {self._number(text): deal for text, deal in super().to_internal_value(data).items()}

    def _number(self, text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= 4 and text == str(int(text))):
            sentence = _("“%(text)s” is no number of a deal.") % {"text": shown(text)}
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
    """For whom a sheet is signed."""

    sides = SideNames(required=False)


class Disputing(Body):
    """What a side says against a sheet."""

    sentence = ReasonText()
    side = SideNamed(required=False, help_text="The name of a side.")


class Settling(Body):
    """How a dispute ended."""

    reason = ReasonText()


class BatchEntry(Body):
    """What a request of its own would be for one sheet."""

    sheet = Text(help_text="The sheet's code.")
    key = Key(help_text="As the Idempotency-Key of a request of its own.")
    version = Version(required=False, allow_null=True, help_text="As If-Match: the version that was seen.")
    deals = BatchedDeals()
    stopped = Switch(default=False)


class BatchEntries(serializers.ListField):
    """Entries, each of which is checked by itself.

    Refused as a whole are none (`nothing_to_record`), and more deals than are taken at once
    (`too_many_deals`); an entry is one deal at least.
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


# What is answered; the context has the sheet as `kept`, with its names as who asks may see them, and `names`


class Author(serializers.CharField):
    """Who wrote a row, as shown for who asks."""

    def to_representation(self, value: Any) -> str:
        shown_name: str = self.context["names"].author(value)
        return shown_name


class Sentence(serializers.CharField):
    """A text that somebody has written, for who may read it."""

    def to_representation(self, value: str) -> str:
        told: str = self.context["names"].text(value)
        return told


@extend_schema_field(_STATUS)
class Status(serializers.CharField):
    """Where a sheet stands."""


@extend_schema_field({**_TEXT, "enum": SignatureMethod.values})
class Method(serializers.CharField):
    """How a side signed."""


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": MOST_DEALS})
class Number(serializers.IntegerField):
    """The number of a deal."""


@extend_schema_field(_TEXT)
class SideName(serializers.Field[Any, Any, Any, Any]):
    """The name of a side, which is stored by its position."""

    def to_representation(self, value: int) -> str:
        name: str = self.context["kept"].sides[value].name
        return name


@extend_schema_field({"type": "object"})
class Problem(serializers.DictField):
    """A refusal, as a request of its own would have been answered."""


class Net(serializers.IntegerField):
    """Of the whole sheet."""

    def __init__(self, **options: Any) -> None:
        super().__init__(help_text="In points, positive for the first side.", **options)


class SheetRules(InlineSerializer):
    """A version of house rules."""

    code = serializers.CharField()
    version = serializers.IntegerField(min_value=1)
    name = serializers.CharField()


class AboutSheet(InlineSerializer):
    """What a sheet is of."""

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
    """A sheet as it stands in a list; its club, match and sides were read along."""

    sides = serializers.SerializerMethodField()
    status = Status()
    stopped = serializers.BooleanField(help_text="Whether time was called.")
    deal_count = serializers.IntegerField(min_value=0)
    net = Net()
    winner = serializers.SerializerMethodField()
    opened_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()

    @extend_schema_field({"type": "array", "items": _TEXT, "minItems": 2, "maxItems": 2})
    def get_sides(self, sheet: Scoresheet) -> list[str]:
        club = club_of(sheet)
        names: Names = AS_WRITTEN if club is None else self.context["spelling"].of(club.pk)
        return names.sides(sheet.sides.all())

    def get_winner(self, sheet: Scoresheet) -> str | None:
        return None if sheet.winner_side is None else self.get_sides(sheet)[sheet.winner_side]


class WholeSheet(AboutSheet):
    """A sheet with all that the scorer says of it (INTERFACES §2); its status is "void" once it was voided.

    But for the names it changes with the sheet's version and with who sits where, and with nothing else.
    """

    sides = serializers.SerializerMethodField()
    stopped = serializers.BooleanField()

    def get_fields(self) -> dict[str, Any]:
        scored = {**schemas.ANSWER["properties"], "status": _STATUS}
        describe: Any = extend_schema_field
        as_is = {name: describe(each)(serializers.ReadOnlyField()) for name, each in scored.items()}
        return {**super().get_fields(), **as_is}

    def to_representation(self, kept: KeptSheet) -> dict[str, Any]:
        about = AboutSheet().to_representation(kept.sheet)
        told = {"sides": self.get_sides(kept), "stopped": kept.sheet.stopped, **kept.state.to_document()}
        if kept.sheet.status == SheetStatus.VOID:
            told["status"] = str(SheetStatus.VOID)
        return {**about, **told}

    @extend_schema_field({"type": "array", "items": _SIDE, "minItems": 2, "maxItems": 2})
    def get_sides(self, kept: KeptSheet) -> list[Schema]:
        return [_side(side) for side in kept.sides]


class ReceiptTold(InlineSerializer):
    """What became of deals that were sent."""

    sheet = serializers.CharField()
    version = serializers.IntegerField(min_value=1, help_text="The sheet's version after this, its ETag.")
    first = serializers.IntegerField(allow_null=True, help_text="The number of the first deal.")
    count = serializers.IntegerField(min_value=0, help_text="How many deals this brought.")
    status = Status()
    net = Net()


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
    """The same, of a deal whose number was asked for."""

    number = None  # type: ignore[assignment]


class AllVersions(InlineSerializer):
    """Every version of a deal."""

    number = Number()
    versions = DealVersionTold(many=True)


class DealChangeTold(InlineSerializer):
    """What a correction did to a deal; `deals` in the context has all versions by number and version."""

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
    """A correction: who, when, why, and each deal that it changed, before and after."""

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
    lapsed = serializers.SerializerMethodField(help_text="Whether the sheet was changed since.")
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
    """How a dispute ended."""

    reason = Sentence()
    at = serializers.DateTimeField()
    by = Author(source="*")


class DisputeTold(InlineSerializer):
    """A dispute, by its `number` counted from 1; `settled` is its settlement, None while it is open."""

    number = serializers.IntegerField(min_value=1)
    side = SideName()
    sheet_version = serializers.IntegerField(source="version", min_value=0)
    sentence = Sentence()
    at = serializers.DateTimeField()
    by = Author(source="*")
    settlement = SettlementTold(source="settled", allow_null=True)


class OutcomeTold(InlineSerializer):
    """What became of an entry of a batch."""

    sheet = serializers.CharField()
    key = serializers.CharField()
    status = serializers.IntegerField(help_text="What a request of its own would have been answered with.")
    receipt = ReceiptTold(required=False)
    problem = Problem(required=False)


class OutcomesTold(InlineSerializer):
    """What became of each entry, in order."""

    outcomes = OutcomeTold(many=True)


def _side(side: SheetSide) -> Schema:
    told: Schema = {"name": side.name, "players": list(side.players)}
    if side.substitutes:
        told["substitutes"] = [asdict(one) for one in side.substitutes]
    return told
