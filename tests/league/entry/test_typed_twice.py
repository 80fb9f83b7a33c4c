"""A sheet typed by two people: dropped where it is the same, compared where it is not."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.entry.comparing import comparisons
from league.models import Match
from league.policy.naming import in_full
from scoring.models import PaperState, SecondTyping
from tests.clients import logged_in
from tests.entry_drafts import FINISHED, correction, draft_of, echo, save, sheet_net, sheet_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_second_typing_when_equal_is_dropped(client: Client, match: Match, keeper: User) -> None:
    other = UserFactory.create(club=match.event.club)
    for user, expected in ((keeper, "saved"), (other, "same")):
        client.force_login(user)
        assert save(client, match, draft_of(*FINISHED, key=f"key-of-{user.pk}"))[1]["outcome"] == expected
    assert not SecondTyping.objects.exists()


@pytest.fixture
def other(client: Client, match: Match) -> Client:
    """Signed in as another scorekeeper of the club."""
    client.force_login(UserFactory.create(club=match.event.club, username="cid"))
    return client


def test_second_typing_when_equal_signs_what_was_ticked(other: Client, match: Match, keeper: User) -> None:
    first = logged_in(keeper)
    save(first, match, draft_of(*FINISHED))
    status, answer = save(other, match, draft_of(*FINISHED, key="key-of-cid", signed=True))
    assert (status, answer["outcome"]) == (200, "same")
    sheet = sheet_of(match)
    assert sheet.signatures.filter(version=sheet.version, actor_name="cid").count() == 2


@pytest.mark.parametrize(
    ("paper", "state"), [("b 3", PaperState.ACCEPTED), ("", PaperState.DIFFERS)], ids=["seen", "not seen"]
)
def test_second_typing_when_equal_accepts_the_difference_it_saw(
    other: Client, match: Match, keeper: User, paper: str, state: PaperState
) -> None:
    first = logged_in(keeper)
    save(first, match, draft_of(*FINISHED, paper={"net": "b 3"}))
    again = draft_of(*FINISHED, key="key-of-cid", paper={"net": paper}, accepted="Added wrongly.")
    assert save(other, match, again)[1]["outcome"] == "same"
    assert sheet_of(match).paper_state == state


@pytest.mark.parametrize(
    "more",
    [{"rows": [["a62"], ["t"]]}, {"paper": {"lines": "9"}}, {"rows": [["a62"], ["d"]]}],
    ids=["time called", "paper", "rows"],
)
def test_second_typing_that_goes_on_is_kept_beside_what_it_said(
    other: Client, match: Match, keeper: User, more: dict[str, Any]
) -> None:
    first = logged_in(keeper)
    save(first, match, draft_of("a61"))
    draft = draft_of("a62", key="key-of-cid")
    later = draft_of("a62", key="key-of-cid", **more)
    for one in (draft, later, later, draft):
        assert save(other, match, one)[1]["outcome"] == "typed_twice"
    assert SecondTyping.objects.count() == 2


def test_draft_that_went_on_after_a_lost_answer_is_no_second_typing(signed_in: Client, match: Match) -> None:
    """The first was saved, its answer lost, a row edited, and it comes again under the same key."""
    save(signed_in, match, draft_of(*FINISHED))
    status, answer = save(signed_in, match, draft_of("a61", *FINISHED[1:]))
    assert (status, answer["code"], answer["version"]) == (422, "key_reused", 1)
    assert answer["url"] == reverse("entry:sheet", args=[match.code])
    assert not SecondTyping.objects.exists()
    assert save(signed_in, match, correction("a61", *FINISHED[1:], version=1))[1]["outcome"] == "saved"


def test_whether_time_was_called_is_compared_too(other: Client, match: Match, keeper: User) -> None:
    first = logged_in(keeper)
    save(first, match, draft_of("a62"))
    save(other, match, draft_of("a62", "t", key="key-of-cid"))
    (compared,) = comparisons(sheet_of(match), in_full(match.event.club), match)
    assert [(row.saved, row.again) for row in compared.rows] == [("a62", "a62"), ("", "t")]


@pytest.fixture
def typed_twice(client: Client, match: Match, keeper: User) -> Client:
    """The sheet saved by one, and typed differently by another who is signed in now."""
    other = UserFactory.create(club=match.event.club, username="cid")
    client.force_login(keeper)
    save(client, match, draft_of(*FINISHED))
    client.force_login(other)
    draft = draft_of("a61", *FINISHED[1:], key="key-of-cid")
    for _ in range(2):
        status, answer = save(client, match, draft)
        assert (status, answer["outcome"]) == (200, "typed_twice")
        assert answer["url"] == reverse("entry:compare", args=[match.code])
    assert SecondTyping.objects.count() == 1
    return client


def test_second_typing_when_different_is_kept_and_flagged(typed_twice: Client, match: Match) -> None:
    assert sheet_of(match).version == 1
    tray = typed_twice.get(reverse("entry:tray", args=[match.round.code])).content.decode()
    assert "typed twice: compare" in tray
    page = typed_twice.get(reverse("entry:compare", args=[match.code])).content.decode()
    assert "1 row differs" in page
    assert "<code>a61</code>" in page


def test_second_typing_can_be_taken_over_with_a_reason(typed_twice: Client, match: Match) -> None:
    url = reverse("entry:compare", args=[match.code])
    second = SecondTyping.objects.get()
    form = {"second": second.pk, "version": 1, "do": "take", "reason": ""}
    assert typed_twice.post(url, form).status_code == 422
    assert typed_twice.post(url, form | {"reason": "Looked at the paper."}).status_code == 302
    assert sheet_of(match).version == 2
    second.refresh_from_db()
    assert second.settled_by_name == "cid"
    assert "Looked at the paper." in second.settled_how
    assert typed_twice.post(url, form | {"reason": "Again."}).status_code == 422


def test_second_typing_can_be_dismissed(typed_twice: Client, match: Match) -> None:
    url = reverse("entry:compare", args=[match.code])
    second = SecondTyping.objects.get()
    assert (
        typed_twice.post(url, {"second": second.pk, "do": "dismiss", "reason": "A slip."}).status_code == 302
    )
    assert sheet_of(match).version == 1
    page = typed_twice.get(reverse("entry:tray", args=[match.round.code])).content.decode()
    assert "typed twice" not in page


@pytest.fixture
def corrected_twice(signed_in: Client, match: Match) -> Client:
    """Row 1 was corrected in one tab, row 2 in another that was opened before."""
    save(signed_in, match, draft_of(*FINISHED, paper={"lines": "5"}))
    first, second = ["a61", *FINISHED[1:]], [FINISHED[0], "a63", *FINISHED[2:]]
    save(signed_in, match, correction(*first, version=1, paper={"lines": "5"}))
    more = {"key": "key-0004", "reason": "A three.", "paper": {"lines": "5"}}
    status, answer = save(signed_in, match, correction(*second, version=1, **more))
    assert (status, answer["outcome"]) == (200, "typed_twice")
    return signed_in


def test_rows_a_stale_correction_left_alone_are_no_difference(corrected_twice: Client, match: Match) -> None:
    page = corrected_twice.get(reverse("entry:compare", args=[match.code])).content.decode()
    assert "1 row differs" in page
    assert page.count("unchanged by bea") == 1
    assert "<code>a60</code>" in page.split("<code>a63</code>")[0]
    assert "Reason given: “A three.”" in page
    net = sheet_net("a61", "a63", *FINISHED[2:])
    assert f"+{net:,}" in page


def test_only_what_a_stale_correction_changed_is_taken_over(corrected_twice: Client, match: Match) -> None:
    url = reverse("entry:compare", args=[match.code])
    second = SecondTyping.objects.get()
    form = {"second": second.pk, "version": 2, "do": "take", "reason": "Both are right."}
    assert corrected_twice.post(url, form).status_code == 302
    sheet = sheet_of(match)
    assert (sheet.version, sheet.nets[0]) == (3, sheet_net("a61", "a63", *FINISHED[2:]))
    assert (sheet.paper or {})["lines"] == 5


def test_stale_rows_that_go_on_do_not_undo_a_correction(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20", "b30"))
    save(signed_in, match, correction("a21", "b30", "a5", "a6", version=1))
    more = draft_of("a20", "b30", "a7", version=1, key="key-0004")
    assert save(signed_in, match, more)[1]["outcome"] == "typed_twice"
    form = {"second": SecondTyping.objects.get().pk, "version": 2, "do": "take", "reason": "Mine."}
    signed_in.post(reverse("entry:compare", args=[match.code]), form)
    sheet = sheet_of(match)
    assert sheet.derived["columns"][0]["points"] == [28, 30]


@pytest.mark.parametrize("second", ["", "x", "0", "99999999999999999999"])
def test_second_typing_that_is_not_there_is_404(typed_twice: Client, match: Match, second: str) -> None:
    url = reverse("entry:compare", args=[match.code])
    assert typed_twice.post(url, {"second": second, "do": "dismiss", "reason": "x"}).status_code == 404


def test_echo_says_who_else_types_the_sheet(client: Client, match: Match, keeper: User) -> None:
    client.force_login(keeper)
    echo(client, match, draft_of("a5"))
    client.force_login(UserFactory.create(club=match.event.club))
    assert "bea is typing this sheet too (1 row)" in echo(client, match, draft_of(""))


def test_first_page_of_the_admin_leads_to_the_night(signed_in: Client, match: Match) -> None:
    page = signed_in.get(reverse("admin:index")).content.decode()
    assert reverse("entry:tray", args=[match.round.code]) in page
    assert "0 of 1 complete" in page


def test_number_of_an_echo_cannot_break_the_answer(signed_in: Client, match: Match) -> None:
    url = reverse("entry:preview", args=[match.code])
    answer = signed_in.post(url, {"draft": json.dumps(draft_of("a5")), "number": "1\r\nX: y"})
    assert (answer.status_code, answer["X-Draft"]) == (200, "0")


def test_echo_of_a_draft_that_was_overtaken_says_by_whom(typed_twice: Client, match: Match) -> None:
    assert "bea has saved this sheet meanwhile" in echo(typed_twice, match, draft_of("a5"))


def test_stale_tick_signs_nothing(typed_twice: Client, match: Match) -> None:
    save(typed_twice, match, correction("a60", *FINISHED[1:], "v", version=1))
    save(typed_twice, match, correction("a62", *FINISHED[1:], version=1, key="key-0004"))
    status, answer = save(typed_twice, match, draft_of(*FINISHED, version=1, key="key-0005", signed=True))
    assert (status, answer["code"]) == (409, "stale_version")
