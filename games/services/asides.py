"""What is told at a table beside play, to one seat: set phrases, and a director's warnings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.models import TableMatch, TablePhrase, TableSeat, TableWarning

# The most phrases that are shown.
MOST_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class Asides:
    """What a seat is told beside play: the latest phrases and its own warnings, each in their order."""

    phrases: Sequence[TablePhrase] = ()
    warnings: Sequence[TableWarning] = ()
    is_deaf: bool = False


def asides_for(match: TableMatch, seat: int | None) -> Asides:
    """What this seat is told; nothing for None, a spectator. Of others' phrases none while it is deaf."""
    if seat is None or not match.asides:
        return Asides()
    warnings = list(TableWarning.objects.filter(match=match, seat=seat).order_by("pk"))
    if not match.has_phrases:
        return Asides(warnings=warnings)
    is_deaf = TableSeat.objects.filter(match=match, number=seat, is_deaf=True).exists()
    phrases = TablePhrase.objects.filter(match=match, **({"seat": seat} if is_deaf else {}))
    return Asides(list(phrases.order_by("-pk")[:MOST_SHOWN])[::-1], warnings, is_deaf)


def asides_document(match: TableMatch, seat: int | None) -> dict[str, Any]:
    """The same as JSON: `phrases` is None where nothing is said, and for spectators."""
    told = asides_for(match, seat)
    said = [
        {"seat": each.seat, "phrase": each.phrase, "said_at": each.said_at.isoformat()}
        for each in told.phrases
    ]
    open_ = match.has_phrases and seat is not None
    return {
        "phrases": {"is_muted": told.is_deaf, "latest": said} if open_ else None,
        "warnings": [
            {"reason": each.reason, "warned_at": each.warned_at.isoformat()} for each in told.warnings
        ],
    }
