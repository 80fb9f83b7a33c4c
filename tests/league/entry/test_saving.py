"""Saving a draft, once; and what stands in its way."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Match
from scoring.models import PaperState, SecondTyping
from tests.entry_drafts import FINISHED, correction, draft_of, echo, save, sheet_net, sheet_of

pytestmark = pytest.mark.django_db


def test_save_records_the_rows_and_the_match_is_finished(signed_in: Client, match: Match) -> None:
    status, answer = save(
        signed_in, match, draft_of(*FINISHED, paper={"net": f"a {sheet_net(*FINISHED)}"}, signed=True)
    )
    assert (status, answer["outcome"]) == (200, "saved")
    sheet = sheet_of(match)
    assert (sheet.status, sheet.paper_state, sheet.version) == ("finished", PaperState.AGREES, 1)
    assert sheet.signatures.count() == 2
    assert match.state == "finished"
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert "Signed by both, seen on paper." in page
    assert "is saved." in page


def test_save_twice_doubles_nothing(signed_in: Client, match: Match) -> None:
    draft = draft_of(*FINISHED, signed=True)
    outcomes = [save(signed_in, match, draft)[1]["outcome"] for _ in range(3)]
    assert outcomes == ["saved", "saved_before", "saved_before"]
    sheet = sheet_of(match)
    assert (sheet.version, sheet.deal_count, sheet.signatures.count()) == (1, 5, 2)


def test_save_again_after_a_correction_still_answers_the_first(signed_in: Client, match: Match) -> None:
    first = draft_of(*FINISHED)
    save(signed_in, match, first)
    save(signed_in, match, correction("a61", *FINISHED[1:], version=1))
    status, answer = save(signed_in, match, first)
    assert (status, answer["outcome"]) == (200, "saved_before")
    assert sheet_of(match).version == 2
    assert not SecondTyping.objects.exists()


def test_save_when_swapped_keeps_which_side_stands_left(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a62", left=1))
    sheet = sheet_of(match)
    assert (sheet.left_side, sheet.derived["columns"][0]["points"]) == (1, [0, 62])
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert 'value="a62"' in page


def test_save_with_time_called_stops_the_sheet(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a62", "t"))
    assert sheet_of(match).status == "stopped"
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert 'value="t"' in page
    save(signed_in, match, correction("a62", version=1))
    assert sheet_of(match).status == "open"


def test_save_more_rows_of_an_open_sheet_is_no_correction(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a62"))
    status, _ = save(signed_in, match, draft_of("a62", "b3", "d", version=1, key="key-0002"))
    assert status == 200
    assert [act.kind for act in sheet_of(match).acts.all()] == ["record", "record"]


@pytest.mark.parametrize(
    ("rows", "refused"),
    [
        (["a62", "q"], [2]),
        (["a62", "", "b3"], [2]),
        (["a99"], [1]),
        ([*FINISHED, "a3"], [6]),
        (["a5", "v", "b3"], [2]),
        (["a5", "t", "b3"], [3]),
        (["1v2 a12"], [1]),
        (["a5" * 30], [1]),
    ],
)
def test_save_when_a_row_stands_in_the_way_changes_nothing(
    signed_in: Client, match: Match, rows: list[str], refused: list[int]
) -> None:
    status, answer = save(signed_in, match, draft_of(*rows))
    assert (status, answer["rows"]) == (422, refused)
    assert sheet_of(match).version == 0


def test_save_when_signed_before_the_end_is_refused(signed_in: Client, match: Match) -> None:
    status, answer = save(signed_in, match, draft_of("a62", signed=True))
    assert (status, answer["field"]) == (422, "signed")
    assert sheet_of(match).version == 0


def test_save_nothing_says_so(signed_in: Client, match: Match) -> None:
    assert save(signed_in, match, draft_of(""))[1]["outcome"] == "nothing"


def test_sheet_that_differs_stays_out_until_accepted(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED, paper={"net": "b 3"}))
    assert sheet_of(match).paper_state == PaperState.DIFFERS
    assert Match.objects.get().held
    accepted = draft_of(
        *FINISHED, paper={"net": "b 3"}, version=1, key="key-0002", accepted="They added 10 twice."
    )
    status, answer = save(signed_in, match, accepted)
    assert (status, answer["outcome"]) == (200, "saved")
    assert sheet_of(match).paper_state == PaperState.ACCEPTED
    assert not Match.objects.get().held
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert "They added 10 twice." in page
    assert 'value="b 3"' in page
    assert 'role="alert"' not in page
    assert 'data-show="differs" hidden' in page


def test_accepted_difference_is_asked_about_again_when_something_changes(
    signed_in: Client, match: Match
) -> None:
    save(signed_in, match, draft_of(*FINISHED, paper={"net": "b 3"}, accepted="Added wrongly."))
    text = echo(signed_in, match, draft_of(*FINISHED, paper={"net": "b 3"}, version=1))
    assert "The difference was accepted by bea: Added wrongly." in text
    assert 'data-differs=""' in text
    text = echo(signed_in, match, draft_of(*FINISHED, paper={"net": "b 4"}, version=1))
    assert "was accepted by" not in text
    assert 'data-differs="1"' in text


def test_difference_accepted_at_save_goes_with_it(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED, paper={"net": "b 3"}, accepted="Added wrongly."))
    assert sheet_of(match).paper_state == PaperState.ACCEPTED
    assert [act.kind for act in sheet_of(match).acts.order_by("id")] == ["record", "accept"]


def test_paper_figures_can_be_added_after_the_end(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED))
    status, _ = save(signed_in, match, draft_of(*FINISHED, paper={"lines": "5"}, version=1, key="key-0002"))
    assert status == 200
    assert sheet_of(match).paper_state == PaperState.AGREES


def test_sheet_is_typed_while_the_cache_is_away(signed_in: Client, match: Match, settings: Any) -> None:
    """Who types it, which the cache would tell others, is not known then."""
    settings.CACHES = {
        name: {"BACKEND": "deploy.caches.ServerCache", "LOCATION": "redis://127.0.0.1:1/0"}
        for name in ("default", "papers")
    }
    assert signed_in.get(reverse("entry:sheet", args=[match.code])).status_code == 200
    assert echo(signed_in, match, draft_of("a62"))
    assert save(signed_in, match, draft_of("a62"))[0] == 200
    assert sheet_of(match).deal_count == 1
    assert signed_in.get(reverse("entry:tray", args=[match.round.code])).status_code == 200
