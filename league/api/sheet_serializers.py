"""Serializers of requests about sheets; each describes and checks a document.

Only the shape of requests is checked here; `scoring.documents` checks deals, and the services check what may
be done to a sheet. The refusals of all three have the same codes and name the same places.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NoReturn

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.fields import empty

from scoring.core.errors import DocumentError, RecordingError, ScoringError, SheetError, shown
from scoring.core.kinds import MOST_SIDES
from scoring.core.sheets import MOST_DEALS
from scoring.documents import schemas
from scoring.documents.shapes import integer, json_object, only
from scoring.services import LONGEST_KEY, LONGEST_REASON

Schema = dict[str, Any]

MOST_IN_A_BATCH: Final = 200
TEXT: Final[Schema] = {"type": "string"}
DEAL: Final[Schema] = schemas.SHEET["properties"]["deals"]["items"]
_NEW_DEAL: Final[Schema] = {
    **{name: value for name, value in DEAL.items() if name != "nullable"},
    "description": "All hands dealt at the same time, or a team's line.",
}
SIDE: Final[Schema] = {
    **schemas.SHEET["properties"]["sides"]["items"],
    "properties": {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in schemas.SHEET["properties"]["sides"]["items"]["properties"].items()
    },
    "required": ["name", "players"],
}

# A side of a new sheet; its one player, if none is named, is called as the side.
SIDE_SAID: Final[Schema] = {
    **SIDE,
    "properties": {name: SIDE["properties"][name] for name in ("name", "players")},
    "required": ["name"],
}


@extend_schema_serializer(extensions={"x-inline": True})
class InlineSerializer(serializers.Serializer[Any]):
    """A part of a sheet whose schema is inlined: see `deploy.openapi_parts`."""


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


@extend_schema_field(TEXT)
class Text(Member):
    """A text."""

    kind = str
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is text.")}


@extend_schema_field(TEXT)
class SideNamed(Member):
    """A side by its name; any JSON value, as the view refuses what is no side (`unknown_side`)."""

    kind = object


@extend_schema_field({**TEXT, "minLength": 1, "maxLength": LONGEST_KEY})
class Key(Text):
    """A key of the client's own."""


@extend_schema_field({**TEXT, "minLength": 1, "maxLength": LONGEST_REASON})
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


class UncheckedList(Member):
    """A list; its items are checked elsewhere."""

    kind = list
    left_out: ClassVar[Any] = ()
    default_error_messages: ClassVar = {"wrong_type": _("%(field)s is a list.")}


@extend_schema_field({"type": "array", "items": _NEW_DEAL, "maxItems": MOST_DEALS})
class NewDeals(UncheckedList):
    """Deals, read by `DealReader` once their sheet is known."""


@extend_schema_field({"type": "array", "items": _NEW_DEAL})
class BatchedDeals(UncheckedList):
    """The deals of an entry of a batch."""


@extend_schema_field(
    {
        "type": "array",
        "items": {**TEXT, "description": "The name of a side."},
        "minItems": 1,
        "maxItems": MOST_SIDES,
    }
)
class SideNames(UncheckedList):
    """Sides by their names."""

    left_out = empty


@extend_schema_field({"type": "object", "additionalProperties": DEAL})
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
