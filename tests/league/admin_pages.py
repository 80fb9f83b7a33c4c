"""What the tests of the admin share: addresses, forms as a browser sends them, and text to look in."""

import re
from typing import Any

from django.urls import reverse

from league.models import (
    Event,
    Match,
    usual_criteria,
)
from scoring.core.rules import Rules
from scoring.documents.sheets import read_deals
from scoring.services import record_deals
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
)


def page(name: str, row: Any, act: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{name}_{act}", args=[row.pk])


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def event_data(event: Event, **changes: Any) -> dict[str, Any]:
    """The event's form as a browser would send it."""
    data: dict[str, Any] = {
        "name": event.name,
        "slug": event.slug,
        "season": "",
        "kind": event.kind,
        "team_size": event.team_size,
        "rules": event.rules_id,
        "points_scheme": event.points_scheme,
        "win_points": "2",
        "draw_points": "1",
        "loss_points": "0",
        "column_points": "1",
        "sheet_points": "1",
        "bye_points": "2",
        "absent_points": "1",
        "late_points": "0",
        "lot_seed": "1",
        "format": event.format,
        "best_of": "1",
        "tie_decider": event.tie_decider,
        "best_next": "0",
        "prizes": "0",
        "groups_compared": event.groups_compared,
        "challenge_reach": "3",
        "table_size": "4",
        "place_points": "3 1 0",
        "challenge_days": "14",
        "protected_days": "0",
        "absence_days": "28",
        "absent_member": event.absent_member,
        "bot_matches_count": "on",
        "counts_when": event.counts_when,
        "played": event.played,
        "online_clock": event.online_clock,
        "online_time_out": event.online_time_out,
        "packs_played": event.packs_played,
        "sits_in_counts": event.sits_in_counts,
        "odd_table": event.odd_table,
        "who_enters": event.who_enters,
    }
    data |= {f"{what}_{how}": "zero" for what in ("bye", "forfeit", "absent") for how in ("net", "strength")}
    for place, name in enumerate(usual_criteria(), start=1):
        data[f"criteria_{place}"] = name
    return data | changes


def formset(prefix: str, *rows: dict[str, Any], initial: int = 0) -> dict[str, Any]:
    data: dict[str, Any] = {f"{prefix}-TOTAL_FORMS": len(rows), f"{prefix}-INITIAL_FORMS": initial}
    for number, row in enumerate(rows):
        data |= {f"{prefix}-{number}-{name}": value for name, value in row.items()}
    return data


def knobs(**changes: Any) -> dict[str, Any]:
    """The fields of house rules of three columns, as a browser would send them."""
    document = Rules(columns=3).to_document()
    extra = document.pop("extra_boxes")
    data = {name: value for name, value in document.items() if value is not False and value is not None}
    return data | {f"extra_boxes_{kind}": count for kind, count in extra.items()} | changes


def record(match: Match) -> None:
    assert match.sheet is not None
    sides = kept_sheet(match.sheet).sides
    hands = [{"kind": "points", "winner": sides[0].name, "points": points} for points in (35, 20)]
    record_deals(
        actor=OPERATOR,
        sheet=match.sheet,
        deals=read_deals([{"hands": [hand]} for hand in hands], sides, Rules()),
    )
