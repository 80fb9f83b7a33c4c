"""How long one sheet is, as programs say and are told it."""

from typing import Any, Final

from rest_framework import serializers

from league.api.resources import Input
from scoring.core.lengths import Length
from scoring.core.rules import RANGES

LENGTH_HELP: Final = (
    "Of a game that is not rated; what is left out or null is as the house rules say. `target` and `columns` "
    "are for rules by which a target ends a sheet, `deals` is for those by which a number of deals does."
)
_TARGET: Final = "At how many points a game ends."
_COLUMNS: Final = "How many games are on the sheet: 1, or 3 for Hollywood."
_DEALS: Final = "After how many deals the sheet ends."


def _bounds(knob: str) -> dict[str, Any]:
    low, high = RANGES[knob]
    return {"min_value": low, "max_value": high, "required": False, "allow_null": True}


class LengthSaid(Input):
    """A length to choose."""

    target = serializers.IntegerField(help_text=_TARGET, **_bounds("target"))
    columns = serializers.IntegerField(help_text=_COLUMNS, **_bounds("columns"))
    deals = serializers.IntegerField(help_text=_DEALS, **_bounds("deals"))

    def to_internal_value(self, data: Any) -> Any:
        return Length(**super().to_internal_value(data))


class LengthTold(serializers.Serializer[Any]):
    """How long a sheet is."""

    target = serializers.IntegerField(allow_null=True, help_text=_TARGET)
    columns = serializers.IntegerField(allow_null=True, help_text=_COLUMNS)
    deals = serializers.IntegerField(allow_null=True, help_text=_DEALS)
