"""Assertions on stored sheets: a refusal changed nothing, and derived figures follow from the deals."""

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import JSONField

from league.errors import LeagueError
from league.matches.fields import match_fields
from league.models import AWARDED, Match, WriteCount
from scoring.core.errors import ScoringError
from scoring.models import DealVersion, Scoresheet, SheetAct, SheetStatus
from scoring.services.feats import feats_of, stored_feats
from scoring.services.records import derived_document, kept_sheet
from tests.refusals import refuses

# Acts that change neither the deals nor the end of a sheet.
_SAME_VERSION = ("sign", "accept", "seat", "unseat", "dispute", "settle", "claim")


def contents() -> dict[str, list[dict[str, Any]]]:
    """Every row of scoring, games and league, by column, as the database has it; JSON as what it means.

    Not how often rows were written, which says nothing of what they hold.
    """
    rows = {}
    with connection.cursor() as cursor:
        for app in ("scoring", "games", "league"):
            for model in apps.get_app_config(app).get_models():
                if model is WriteCount:
                    continue
                table, key = model._meta.db_table, model._meta.pk.column
                cursor.execute(f'SELECT * FROM "{table}" ORDER BY "{key}"')  # noqa: S608
                columns = [column[0] for column in cursor.description]
                rows[model.__name__] = [dict(zip(columns, row, strict=True)) for row in cursor]
                for field in model._meta.concrete_fields:
                    if isinstance(field, JSONField):
                        for row in rows[model.__name__]:
                            row[field.column] = json.loads(row[field.column] or "null")
    return rows


@contextlib.contextmanager
def refused(code: str, *, deal: int | None = None, field: str | None = None) -> Iterator[None]:
    """The code inside is refused with this code, at this place, and changes no row."""
    before = contents()
    with pytest.raises(ScoringError) as refusal:
        yield
    assert refusal.value.code == code
    assert (refusal.value.deal, refusal.value.field) == (deal, field)
    assert str(refusal.value.message)
    assert contents() == before


def refused_service(code: str, service: Callable[..., object], **asked: Any) -> LeagueError:
    """The refusal of this service, with this code; it has changed no row."""
    before = contents()
    with refuses(LeagueError, code) as refusal:
        service(**asked)
    assert contents() == before
    return refusal.value


def assert_derived(sheet: Scoresheet) -> Scoresheet:
    """Checks a stored sheet's history, derived figures and match; returns the sheet as stored."""
    sheet = Scoresheet.objects.select_related("rules").get(pk=sheet.pk)
    versions = list(DealVersion.objects.filter(sheet=sheet).order_by("number", "version"))
    numbers = sorted({version.number for version in versions})
    assert numbers == list(range(1, len(numbers) + 1)), "deals are numbered from 1 without a gap"
    for number in numbers:
        chain = [version.version for version in versions if version.number == number]
        assert chain == list(range(1, len(chain) + 1)), "so are the versions of a deal"
    acts = SheetAct.objects.filter(sheet=sheet).exclude(kind__in=_SAME_VERSION)
    assert list(acts.order_by("id").values_list("version", flat=True)) == list(range(1, sheet.version + 1))

    kept = kept_sheet(sheet)
    state = kept.state
    assert sheet.deal_count == len(numbers) == len(state.deals)
    assert sheet.status in (state.status, SheetStatus.VOID)
    assert sheet.nets == list(state.nets)
    winner = None if sheet.winner is None else kept.sides[sheet.winner].name
    assert winner == state.winner
    if sheet.version:
        assert sheet.derived == derived_document(kept, state)
    assert stored_feats([sheet])[sheet.pk] == feats_of(kept, state)
    for match in Match.objects.filter(sheet=sheet).exclude(state__in=AWARDED):
        fields = match_fields(sheet, match)
        assert {name: getattr(match, name) for name in fields} == fields
    return sheet
