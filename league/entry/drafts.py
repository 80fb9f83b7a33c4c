"""Drafts: the unsaved state of a sheet page, sent whole by the browser as JSON from `entry.js`.

Here a draft is only validated and bounded, not interpreted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from league.entry.figures import BLANK, PaperFields
from league.errors import LeagueError
from scoring.core.kinds import MOST_SIDES
from scoring.core.sheets import MOST_DEALS

LARGEST_DRAFT: Final = 400_000
_MOST_ROWS: Final = MOST_DEALS + 1  # the last one may call time
_MOST_FIELDS: Final = 12
_LONGEST_FIELD: Final = 200
_LONGEST_REASON: Final = 300


class DraftError(LeagueError):
    """The draft is malformed or too large; no page of ours sends such a one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Rows and figures as typed. `version` is the sheet's when typing began, `key` the draft's permanent id.

    `running` reads bare figures as running totals, `lines` a team's row as its line; `overridden` are the
    keys of dismissed warnings. `accepted` is the reason for accepting a difference from the paper, "" if it
    is not accepted; `signed` attests both signatures on the paper.
    """

    key: str
    version: int
    left: int
    running: bool = False
    lines: bool = False
    rows: tuple[tuple[str, ...], ...] = ()
    overridden: frozenset[str] = frozenset()
    paper: PaperFields = BLANK
    reason: str = ""
    accepted: str = ""
    signed: bool = False


def read_draft(text: str) -> Draft:
    """Parse a draft; refuses with `DraftError` malformed ones and those larger than any sheet."""
    if len(text) > LARGEST_DRAFT:
        raise DraftError("too_large", _("This is more than any sheet holds."))
    try:
        document = json.loads(text)
    except ValueError:
        raise wrong_draft("draft") from None
    except RecursionError:
        raise wrong_draft("draft") from None
    if not isinstance(document, dict):
        raise wrong_draft("draft")
    paper = document.get("paper", {})
    if not isinstance(paper, dict):
        raise wrong_draft("paper")
    return Draft(
        key=_key(document),
        version=_number(document, "version", most=10**9),
        left=_number(document, "left", most=MOST_SIDES - 1),
        running=_flag(document, "running"),
        lines=_flag(document, "lines"),
        rows=_rows(document.get("rows", [])),
        overridden=frozenset(_texts(document, "overridden", most=_MOST_ROWS * _MOST_FIELDS)),
        paper=PaperFields(
            net=_text(paper, "net"),
            none=_flag(paper, "none"),
            totals=_texts(paper, "totals", most=12),
            boxes=_text(paper, "boxes"),
            lines=_text(paper, "lines"),
        ),
        reason=_text(document, "reason", most=_LONGEST_REASON),
        accepted=_text(document, "accepted", most=_LONGEST_REASON),
        signed=_flag(document, "signed"),
    )


def _rows(value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise wrong_draft("rows")
    if len(value) > _MOST_ROWS:
        raise DraftError(
            "too_many_deals", _("A sheet holds at most %(most)s deals.") % {"most": MOST_DEALS}, field="rows"
        )
    rows = []
    for row in value:
        if not isinstance(row, list) or len(row) > _MOST_FIELDS:
            raise wrong_draft("rows")
        rows.append(tuple(_storable(cell, "rows", most=_LONGEST_FIELD) for cell in row))
    return tuple(rows)


def _key(document: Mapping[str, Any]) -> str:
    key = document.get("key")
    if not isinstance(key, str) or not 8 <= len(key) <= 100 or not key.isascii() or not key.isprintable():
        raise wrong_draft("key")
    return key


def _number(document: Mapping[str, Any], name: str, *, most: int) -> int:
    value = document.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise wrong_draft(name)
    return value


def _flag(document: Mapping[str, Any], name: str) -> bool:
    value = document.get(name, False)
    if not isinstance(value, bool):
        raise wrong_draft(name)
    return value


def _text(document: Mapping[str, Any], name: str, *, most: int = _LONGEST_FIELD) -> str:
    return _storable(document.get(name, ""), name, most=most).strip()


def _texts(document: Mapping[str, Any], name: str, *, most: int) -> tuple[str, ...]:
    value = document.get(name, [])
    if not isinstance(value, list) or len(value) > most:
        raise wrong_draft(name)
    return tuple(_storable(text, name, most=_LONGEST_FIELD) for text in value)


def _storable(value: object, name: str, *, most: int) -> str:
    """A text without the NULs and halves of surrogate pairs that broken browsers send."""
    if not isinstance(value, str) or len(value) > most:
        raise wrong_draft(name)
    # Pages and databases reject them.
    return value.replace("\x00", "").encode(errors="replace").decode()


def wrong_draft(field: str) -> DraftError:
    """The refusal of what no page of ours sends."""
    return DraftError(
        "wrong_draft",
        _("The page sent something that is not a draft of a sheet; load it again."),
        field=field,
    )
