"""The entry pages as a browser asks for them: the tray, the sheet, its echo, saving, who may."""

import datetime
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.entry.tray import TrayState, nights, tray_of
from league.models import Club, Match, Membership, Role
from scoring.models import PaperState, Scoresheet, SecondTyping
from scoring.notation import read_rows
from scoring.rules import Rules
from scoring.services import void_sheet
from scoring.sheets import SheetSide
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

Draft = dict[str, Any]
FINISHED = ["a60", "a60", "b30g", "a60", "a60"]


def draft_of(*rows: str, **more: Any) -> Draft:
    """A draft as `entry.js` sends it."""
    paper = {"net": "", "none": False, "totals": ["", "", ""], "boxes": "", "lines": ""} | more.pop(
        "paper", {}
    )
    return {
        "key": "key-0001",
        "version": 0,
        "left": 0,
        "running": False,
        "lines": False,
        "rows": [[row] for row in rows],
        "overridden": [],
        "reason": "",
        "accepted": "",
        "signed": False,
        "paper": paper,
    } | more


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(club=ClubFactory.create(name="Harbour"), name="League")
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Eklund", "Castell"))
    return MatchFactory.create(event=event, entry_a=a, entry_b=b, label="HL15-5")


@pytest.fixture
def keeper(match: Match) -> User:
    return UserFactory.create(club=match.event.club, username="bea")


@pytest.fixture
def signed_in(client: Client, keeper: User) -> Client:
    client.force_login(keeper)
    return client


def save(client: Client, match: Match, draft: Draft) -> tuple[int, dict[str, Any]]:
    response = client.post(
        reverse("entry:save", args=[match.code]),
        {"draft": json.dumps(draft)},
        headers={"accept": "application/json"},
    )
    return response.status_code, response.json()


def echo(client: Client, match: Match, draft: Draft) -> str:
    response = client.post(
        reverse("entry:preview", args=[match.code]),
        {"draft": json.dumps(draft), "number": "7"},
        headers={"hx-request": "true"},
    )
    assert response.status_code == 200
    assert response["X-Draft"] == "7"
    return response.content.decode()


def sheet_of(match: Match) -> Scoresheet:
    match.refresh_from_db()
    assert match.sheet is not None
    return Scoresheet.objects.get(pk=match.sheet.pk)


# The page and its echo


def test_page_when_nothing_is_saved_has_one_row_and_the_names(signed_in: Client, match: Match) -> None:
    text = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert text.count('class="cell" value=""') >= 1
    assert "Eklund" in text
    assert "HL15-5" in text
    assert "sheet 1 of 1" in text


def test_echo_says_each_row_in_words_and_stores_nothing(signed_in: Client, match: Match) -> None:
    text = echo(signed_in, match, draft_of("a62", "b44g", "d", ""))
    assert "Eklund 62: I 62" in text
    assert "Castell gin 44: I 44" in text
    assert "dead hand" in text
    assert "Eklund needs 38 to close I" in text
    assert sheet_of(match).version == 0


def test_echo_refuses_beside_the_row_when_it_cannot_be(signed_in: Client, match: Match) -> None:
    text = echo(signed_in, match, draft_of("a62", "q9", "b3"))
    assert 'class="problem" role="alert"' in text
    assert "Castell 3" in text


def test_echo_warns_when_unlikely_and_takes_the_override(signed_in: Client, match: Match) -> None:
    text = echo(signed_in, match, draft_of("a99"))
    found = re.search(r'data-override="([^"]+)"', text)
    assert found is not None
    text = echo(signed_in, match, draft_of("a99", overridden=[found[1]]))
    assert "data-override" not in text


def test_echo_when_a_row_comes_after_the_end_refuses_it(signed_in: Client, match: Match) -> None:
    assert "The sheet had ended with row 5" in echo(signed_in, match, draft_of(*FINISHED, "a3"))


def test_echo_when_sides_are_swapped_reads_a_as_the_other(signed_in: Client, match: Match) -> None:
    text = echo(signed_in, match, draft_of("a62", left=1, paper={"net": "a 5"}))
    assert "Castell 62" in text
    assert '<span data-part="left">Castell</span>' in text
    assert "Castell +5" in text


def test_echo_when_the_paper_differs_offers_the_repair(signed_in: Client, match: Match) -> None:
    text = echo(signed_in, match, draft_of("a53", *FINISHED[1:], paper={"net": "a 612"}))
    right = sheet_net("a35", *FINISHED[1:])
    text = echo(signed_in, match, draft_of("a53", *FINISHED[1:], paper={"net": f"a {right}"}))
    assert "the paper" in text
    assert 'data-new="a35"' in text
    assert 'data-row="1"' in text


def test_echo_when_the_paper_agrees_says_so(signed_in: Client, match: Match) -> None:
    text = echo(
        signed_in, match, draft_of(*FINISHED, paper={"net": f"e {sheet_net(*FINISHED)}", "lines": "5"})
    )
    assert "The paper says the same" in text


@pytest.mark.parametrize(
    ("field", "text"), [("net", "x 5"), ("net", "96"), ("boxes", "five"), ("lines", "many")]
)
def test_echo_when_a_figure_cannot_be_read_says_what_to_write(
    signed_in: Client, match: Match, field: str, text: str
) -> None:
    answer = echo(signed_in, match, draft_of("a5", paper={field: text}))
    assert re.search(rf'data-part="{field}">[^<]+<', answer)
    status, said = save(signed_in, match, draft_of("a5", paper={field: text}))
    assert (status, said["field"]) == (422, field)


def test_echo_uses_running_totals_when_the_club_does(signed_in: Client, match: Match) -> None:
    Club.objects.update(running_totals=True, column_order="aabb")
    text = echo(signed_in, match, draft_of("a20", "a62", running=True))
    assert "Eklund 42: I 62, II 42" in text
    status, _ = save(signed_in, match, draft_of("a20", "a62", running=True))
    assert status == 200
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert 'value="a42!"' in page


# Saving


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


def test_difference_accepted_at_save_goes_with_it(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED, paper={"net": "b 3"}, accepted="Added wrongly."))
    assert sheet_of(match).paper_state == PaperState.ACCEPTED
    assert [act.kind for act in sheet_of(match).acts.order_by("id")] == ["record", "accept"]


def test_paper_figures_can_be_added_after_the_end(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED))
    status, _ = save(signed_in, match, draft_of(*FINISHED, paper={"lines": "5"}, version=1, key="key-0002"))
    assert status == 200
    assert sheet_of(match).paper_state == PaperState.AGREES


# Corrections


def test_correction_wants_a_reason_and_shows_what_changes(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of(*FINISHED))
    changed = correction("a61", *FINISHED[1:], version=1, reason="")
    text = echo(signed_in, match, changed)
    assert "<del>a60</del>" in text
    assert "<ins>a61</ins>" in text
    status, answer = save(signed_in, match, changed)
    assert (status, answer["code"]) == (422, "reason_missing")
    status, answer = save(signed_in, match, correction("a61", *FINISHED[1:], version=1))
    assert (status, answer["outcome"]) == (200, "saved")
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert "Misread." in page
    assert "<del>a60</del>" in page


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
    assert "counts nothing" in text
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


# Typed twice


def test_second_typing_when_equal_is_dropped(client: Client, match: Match, keeper: User) -> None:
    other = UserFactory.create(club=match.event.club)
    for user, expected in ((keeper, "saved"), (other, "same")):
        client.force_login(user)
        assert save(client, match, draft_of(*FINISHED, key=f"key-of-{user.pk}"))[1]["outcome"] == expected
    assert not SecondTyping.objects.exists()


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
    assert second.settled_by == "cid"
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


# Teams


@pytest.fixture
def team_match() -> Match:
    event = EventFactory.create(team_size=2)
    a, b = (EntryFactory.create(event=event, name=name) for name in ("We", "They"))
    return MatchFactory.create(event=event, entry_a=a, entry_b=b)


def test_team_rows_have_a_field_per_table_with_the_pairing(client: Client, team_match: Match) -> None:
    client.force_login(UserFactory.create(club=team_match.event.club))
    page = client.get(reverse("entry:sheet", args=[team_match.code])).content.decode()
    assert "We 1–They 1" in page
    rows = [["a16", "b12"], ["a7", "a13"], ["", ""]]
    text = echo(client, team_match, draft_of() | {"rows": rows})
    assert "We 1–They 2" in text
    assert save(client, team_match, draft_of() | {"rows": rows})[0] == 200
    assert sheet_of(team_match).derived["columns"][0]["points"] == [24, 0]


def test_team_sheet_can_hold_only_its_lines(client: Client, team_match: Match) -> None:
    client.force_login(UserFactory.create(club=team_match.event.club))
    assert save(client, team_match, draft_of("a28", "b5 2", lines=True))[0] == 200
    page = client.get(reverse("entry:sheet", args=[team_match.code])).content.decode()
    assert 'value="la28"' in page
    assert sheet_of(team_match).derived["boxes"] == [1, 2]


# Who may, and what is no draft


ADDRESSES = ("sheet", "preview", "save", "compare")


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("who", ["member", "other club", "visitor", "not staff"])
def test_sheets_are_typed_by_scorekeepers_of_the_club_only(
    client: Client, match: Match, name: str, who: str
) -> None:
    expected = 404
    if who == "member":
        client.force_login(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    elif who == "other club":
        client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    elif who == "not staff":
        client.force_login(UserFactory.create(club=match.event.club, is_staff=False))
        expected = 302
    else:
        expected = 302
    url = reverse(f"entry:{name}", args=[match.code])
    answer = client.get(url) if name in ("sheet", "compare") else client.post(url, {"draft": "{}"})
    assert answer.status_code == expected
    assert sheet_of(match).version == 0


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.DIRECTOR, Role.OWNER])
def test_officers_may_type(client: Client, match: Match, role: Role) -> None:
    client.force_login(UserFactory.create(club=match.event.club, role=role))
    assert client.get(reverse("entry:sheet", args=[match.code])).status_code == 200
    assert client.get(reverse("entry:tray", args=[match.round.code])).status_code == 200


def test_tray_of_another_club_is_404(client: Client, match: Match) -> None:
    client.force_login(UserFactory.create(club=ClubFactory.create()))
    assert client.get(reverse("entry:tray", args=[match.round.code])).status_code == 404


def test_signed_out_while_typing_is_said_to_the_script(client: Client, match: Match) -> None:
    assert save(client, match, draft_of("a5"))[0] == 401
    url = reverse("entry:preview", args=[match.code])
    assert client.post(url, {}, headers={"hx-request": "true"}).status_code == 401


def test_save_without_a_token_is_refused(match: Match, keeper: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(keeper)
    url = reverse("entry:save", args=[match.code])
    assert client.post(url, {"draft": json.dumps(draft_of("a5"))}).status_code == 403
    assert sheet_of(match).version == 0


WRONG: dict[str, Any] = {
    "no json": "{",
    "a list": "[]",
    "deep": "[" * 100_000,
    "no key": json.dumps(draft_of("a5") | {"key": None}),
    "short key": json.dumps(draft_of("a5") | {"key": "x"}),
    "odd key": json.dumps(draft_of("a5") | {"key": "key-\x00-0001"}),
    "version as text": json.dumps(draft_of("a5") | {"version": "1"}),
    "version below 0": json.dumps(draft_of("a5") | {"version": -1}),
    "third side": json.dumps(draft_of("a5") | {"left": 2}),
    "rows as text": json.dumps(draft_of() | {"rows": "a5"}),
    "row as text": json.dumps(draft_of() | {"rows": ["a5"]}),
    "field as number": json.dumps(draft_of() | {"rows": [[5]]}),
    "endless field": json.dumps(draft_of("a" * 201)),
    "many fields": json.dumps(draft_of() | {"rows": [["a5"] * 13]}),
    "many rows": json.dumps(draft_of(*["d"] * 502)),
    "flag as text": json.dumps(draft_of("a5") | {"signed": "yes"}),
    "paper as list": json.dumps(draft_of("a5") | {"paper": []}),
    "totals as text": json.dumps(draft_of("a5", paper={"totals": "1"})),
    "endless reason": json.dumps(draft_of("a5") | {"reason": "x" * 301}),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
@pytest.mark.parametrize("name", ["preview", "save"])
def test_what_is_no_draft_is_refused(signed_in: Client, match: Match, name: str, text: str) -> None:
    answer = signed_in.post(reverse(f"entry:{name}", args=[match.code]), {"draft": text})
    assert answer.status_code == 422
    assert answer.json()["message"]
    assert sheet_of(match).version == 0


def test_draft_larger_than_any_sheet_is_refused(signed_in: Client, match: Match) -> None:
    text = json.dumps(draft_of("a5") | {"more": "x" * 400_000})
    assert signed_in.post(reverse("entry:save", args=[match.code]), {"draft": text}).status_code == 413
    text = json.dumps(draft_of("a5") | {"more": "x" * 3_000_000})
    assert signed_in.post(reverse("entry:save", args=[match.code]), {"draft": text}).status_code in (400, 413)


def test_half_a_character_in_a_reason_is_kept_harmlessly(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20"))
    text = json.dumps(correction("a21", version=1)).replace("Misread.", "\\ud800")
    answer = signed_in.post(reverse("entry:save", args=[match.code]), {"draft": text})
    assert answer.status_code == 200


# The tray


def test_tray_shows_where_each_sheet_stands(signed_in: Client, match: Match, keeper: User) -> None:
    event, round_ = match.event, match.round
    others = [MatchFactory.create(event=event, round=round_) for _ in range(5)]
    MatchFactory.create(event=event, round=round_, entry_b=None)
    save(signed_in, match, draft_of(*FINISHED))
    save(signed_in, others[0], draft_of(*FINISHED, signed=True))
    save(signed_in, others[1], draft_of(*FINISHED, paper={"net": "b 3"}))
    save(signed_in, others[2], draft_of("a5"))
    echo(signed_in, others[3], draft_of("a5", "b6"))
    found = tray_of(round_)
    states = [row.state for row in found.rows]
    assert states == [
        TrayState.COMPLETE,
        TrayState.SIGNED,
        TrayState.DIFFERS,
        TrayState.BEGUN,
        TrayState.TYPING,
        TrayState.MISSING,
        TrayState.STATED,
    ]
    assert (found.done, len(found.expected), found.position(others[0])) == (2, 6, 2)
    following = found.next_after(match)
    assert following is not None
    assert following.match == others[2]
    page = signed_in.get(reverse("entry:tray", args=[round_.code])).content.decode()
    for text in ("2 of 6", "bea", "2 rows", "bye", "signed on paper", "differs from the paper"):
        assert text in page


def test_tray_goes_on_at_the_top_after_the_last(signed_in: Client, match: Match) -> None:
    last = MatchFactory.create(event=match.event, round=match.round)
    following = tray_of(match.round).next_after(last)
    assert following is not None
    assert following.match == match
    save(signed_in, match, draft_of(*FINISHED))
    assert tray_of(match.round).next_after(last) is None


def test_tray_when_a_match_has_no_sheet_links_to_its_line_up(signed_in: Client, match: Match) -> None:
    Match.objects.update(sheet=None)
    page = signed_in.get(reverse("entry:tray", args=[match.round.code])).content.decode()
    assert "no line-up yet" in page
    assert signed_in.get(reverse("entry:sheet", args=[match.code])).status_code == 302


def test_tray_costs_the_same_for_more_matches(
    signed_in: Client, match: Match, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for _ in range(12):
        MatchFactory.create(event=match.event, round=match.round)
    with django_assert_max_num_queries(12):
        signed_in.get(reverse("entry:tray", args=[match.round.code]))


def test_note_of_who_types_goes_with_the_save(signed_in: Client, match: Match) -> None:
    echo(signed_in, match, draft_of("a5"))
    assert tray_of(match.round).rows[0].state is TrayState.TYPING
    save(signed_in, match, draft_of("a5"))
    assert tray_of(match.round).rows[0].state is TrayState.BEGUN


def test_night_is_the_latest_up_to_today(signed_in: Client, match: Match, keeper: User) -> None:
    today = datetime.date(2026, 1, 9)
    later = RoundFactory.create(event=match.event, date=today + datetime.timedelta(days=3))
    with time_machine.travel(datetime.datetime(2026, 1, 9, 22, tzinfo=datetime.UTC), tick=False):
        assert [round_ for _, round_ in nights(keeper)] == [match.round]
    with time_machine.travel(datetime.datetime(2026, 1, 12, 22, tzinfo=datetime.UTC), tick=False):
        assert [round_ for _, round_ in nights(keeper)] == [later]


def test_night_when_several_clubs_are_typed_for_offers_a_choice(
    signed_in: Client, keeper: User, match: Match
) -> None:
    other = RoundFactory.create()
    Membership.objects.create(user=keeper, club=other.event.club, role=Role.SCOREKEEPER)
    page = signed_in.get(reverse("entry:night")).content.decode()
    assert reverse("entry:tray", args=[other.code]) in page
    assert reverse("entry:tray", args=[match.round.code]) in page


def sheet_net(*rows: str) -> int:
    """The net of these rows between two players by the usual rules."""
    sides = (SheetSide("A", ("A",)), SheetSide("B", ("B",)))
    typed = read_rows([[row] for row in rows], rules=Rules.preset("standard", columns=3), sides=sides)
    assert typed.can_be_saved
    return typed.state.net


def correction(*rows: str, version: int, **more: Any) -> Draft:
    """A draft that changes what is saved, with a reason."""
    return draft_of(*rows, version=version, **({"key": "key-0003", "reason": "Misread."} | more))
