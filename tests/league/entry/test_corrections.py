"""Changing what is saved: corrections with a reason, signatures that lapse."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Match
from scoring.services import void_sheet
from tests.entry_drafts import FINISHED, correction, draft_of, echo, save, sheet_of
from tests.factories import OPERATOR
from tests.markup import together

pytestmark = pytest.mark.django_db


def test_correction_wants_a_reason_and_shows_what_changes(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED))
    changed = correction("a61", *FINISHED[1:], version=1, reason="")
    text = echo(signed_in, match, changed)
    assert "<del>a60</del>" in together(text)
    assert "<ins>a61</ins>" in text
    status, answer = save(signed_in, match, changed)
    assert (status, answer["code"]) == (422, "reason_missing")
    status, answer = save(signed_in, match, correction("a61", *FINISHED[1:], version=1))
    assert (status, answer["outcome"]) == (200, "saved")
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert "Misread." in page
    assert "<del>a60</del>" in together(page)


def test_correction_can_void_a_row_and_reopen_the_sheet(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED))
    text = echo(signed_in, match, correction(*FINISHED[:4], "v", version=1))
    assert "still open" in text
    save(signed_in, match, correction(*FINISHED[:4], "v", version=1))
    sheet = sheet_of(match)
    assert (sheet.status, sheet.deal_count) == ("open", 5)


def test_correction_can_put_a_forgotten_row_in_between(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20", "b30"))
    save(signed_in, match, correction("a20", "a7", "b30", version=1))
    sheet = sheet_of(match)
    assert (sheet.deal_count, sheet.derived["columns"][0]["points"]) == (3, [27, 30])


def test_correction_that_ends_the_sheet_earlier_keeps_later_rows(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a60", "a60", "a20", "a20", "a60"))
    changed = correction("a60", "a60", "a98", "a20", "a60", version=1)
    assert sheet_of(match).status == "finished"
    text = echo(signed_in, match, changed)
    assert "1 row after the end" in text
    assert "kept, does not count" in text
    status, _ = save(signed_in, match, changed)
    assert status == 200
    assert sheet_of(match).deal_count == 5


def test_saved_row_that_was_emptied_is_refused(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20", "b30"))
    status, answer = save(signed_in, match, correction("a20", "", version=1))
    assert (status, answer["rows"]) == (422, [2])


def test_correction_can_swap_the_sides_of_the_whole_sheet(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20", "b30"))
    text = echo(signed_in, match, correction("a20", "b30", version=1, left=1))
    assert "row 1" in text
    save(signed_in, match, correction("a20", "b30", version=1, left=1))
    sheet = sheet_of(match)
    assert (sheet.left_side, sheet.derived["columns"][0]["points"]) == (1, [30, 20])


def test_correction_can_swap_the_sides_and_their_letters_alone(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20", "b30"))
    swapped = correction("b20", "a30", version=1, left=1)
    text = echo(signed_in, match, swapped)
    assert "<del>Eklund on the left</del>" in together(text)
    assert "<ins>Castell on the left</ins>" in text
    status, answer = save(signed_in, match, swapped)
    assert (status, answer["outcome"]) == (200, "saved")
    sheet = sheet_of(match)
    assert (sheet.left_side, sheet.version, sheet.derived["columns"][0]["points"]) == (1, 2, [20, 30])
    assert save(signed_in, match, swapped)[1]["outcome"] == "saved_before"
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert page.index('value="b20"') < page.index('value="a30"')
    assert page.count("; Castell on the left") == 1


def test_voided_sheet_can_only_be_read(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20"))
    void_sheet(actor=OPERATOR, sheet=sheet_of(match), reason="Another match.")
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert "This sheet was voided" in page
    assert "<input" not in page.split('id="content"')[1]
    status, answer = save(signed_in, match, draft_of("a20", "b3", version=2, key="key-0009"))
    assert (status, answer["code"]) == (422, "sheet_void")
    status, answer = save(signed_in, match, draft_of("a20", "b3", key="key-0010"))
    assert status == 422


def test_signature_lapses_with_a_correction(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED, signed=True))
    save(signed_in, match, correction("a61", *FINISHED[1:], version=1))
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert 'id="signed"' in page
