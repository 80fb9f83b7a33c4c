"""The sheet page and its echo: what is said beside the rows and of the paper's figures."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Club, Match
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.typing.paper_figures import Paper
from scoring.typing.repairs import explain
from tests.entry_drafts import FINISHED, draft_of, echo, repairs, save, sheet_net, sheet_of
from tests.factories import EntryFactory, EventFactory, MatchFactory, UserFactory, house_rules
from tests.markup import together

pytestmark = pytest.mark.django_db


def test_page_when_nothing_is_saved_has_one_row_and_the_names(signed_in: Client, match: Match) -> None:
    text = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert together(text).count('class="cell" value=""') >= 1
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


def test_page_asks_for_signatures_once_the_sheet_has_ended(signed_in: Client, match: Match) -> None:
    assert 'data-ended=""' in echo(signed_in, match, draft_of("a62"))
    assert 'data-ended="1"' in echo(signed_in, match, draft_of(*FINISHED))
    address = reverse("entry:sheet", args=[match.code])
    assert '<p data-show="ended" hidden>' in together(signed_in.get(address).content.decode())
    save(signed_in, match, draft_of(*FINISHED))
    assert '<p data-show="ended">' in together(signed_in.get(address).content.decode())


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


def test_echo_when_the_paper_differs_says_so_and_searches_nothing(
    signed_in: Client, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("scoring.typing.repairs._Search.repairs")
    text = echo(signed_in, match, draft_of(*FINISHED, paper={"net": "a 612"}))
    assert "the paper" in text
    assert 'data-differs="1"' in text
    save(signed_in, match, draft_of(*FINISHED, paper={"net": "a 612"}))
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert 'data-differs="1"' in page


def test_repairs_when_the_paper_differs_offer_what_explains_it(signed_in: Client, match: Match) -> None:
    right = sheet_net("a35", *FINISHED[1:])
    text = repairs(signed_in, match, draft_of("a53", *FINISHED[1:], paper={"net": f"a {right}"}))
    assert 'data-new="a35"' in text
    assert 'data-row="1"' in text


def test_repairs_are_all_offered_those_beyond_the_fourth_folded(signed_in: Client, match: Match) -> None:
    rows = ["a18", "b12", "a25g", "b30", "d", "a15", "b53", "a44g", "b27u", "a8 20", "b6", "a9", "b14"]
    wrong = ["a18", "b12", "a25g", "b30", "d", "a15", "b53", "a44g", "b27u", "a8 20", "b6", "a9", "b24"]
    net = sheet_net(*rows)
    sides = [SheetSide(name, (name,)) for name in ("Eklund", "Castell")]
    rules = Rules.preset("standard", columns=3)
    found = explain([[row] for row in wrong], Paper(net=net), rules=rules, sides=sides).repairs
    assert len(found) > 4
    text = repairs(signed_in, match, draft_of(*wrong, paper={"net": f"{'a' if net > 0 else 'b'} {abs(net)}"}))
    assert text.count("data-repair ") == len(found)
    assert text.split("<details>")[0].count("data-repair ") == 4
    assert f"{len(found) - 4} more" in text


UNEXPLAINED = {
    "searched": (FINISHED, "a 99999", "No single change explains it."),
    "a row cannot be read": (["a62", "q9"], "a 5", "once every row can be read"),
    "too long": (
        ["b1"] * 110,
        "a 5",
        "Not searched: single changes are tried on sheets of up to 100 fields.",
    ),
    "it agrees": (FINISHED, f"a {sheet_net(*FINISHED)}", ""),
}


@pytest.mark.parametrize(("rows", "net", "said"), UNEXPLAINED.values(), ids=UNEXPLAINED)
def test_repairs_when_there_are_none_say_whether_any_were_looked_for(
    signed_in: Client, match: Match, rows: list[str], net: str, said: str
) -> None:
    text = repairs(signed_in, match, draft_of(*rows, paper={"net": net}))
    assert said in text
    assert "data-repair " not in text
    assert said or not text.strip()


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
    assert re.search(rf'data-part="{field}"><span class="problem">[^<]+<', answer)
    status, said = save(signed_in, match, draft_of("a5", paper={field: text}))
    assert (status, said["field"]) == (422, field)


def test_echo_when_one_figure_cannot_be_read_still_compares_the_others(
    signed_in: Client, match: Match
) -> None:
    text = echo(signed_in, match, draft_of(*FINISHED, paper={"net": "b 3", "lines": "x"}))
    assert "The sheet gives Eklund" in text


def test_echo_uses_running_totals_when_the_club_does(signed_in: Client, match: Match) -> None:
    Club.objects.update(running_totals=True, column_order="aabb")
    text = echo(signed_in, match, draft_of("a20", "a62", running=True))
    assert "Eklund 42: I 62, II 42" in text
    status, _ = save(signed_in, match, draft_of("a20", "a62", running=True))
    assert status == 200
    page = signed_in.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert 'value="a42!"' in page


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


@pytest.fixture
def of_deals(match: Match) -> Match:
    """A match of three deals, by rules under which the bonus of an undercut is a penalty."""
    rules = house_rules(columns=1, deals=3, undercut_penalty="bonus")
    event = EventFactory.create(club=match.event.club, rules=rules, name="Short", slug="short")
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Falk", "Costa"))
    return MatchFactory.create(event=event, entry_a=a, entry_b=b, label="S1-1")


def test_match_of_deals_says_how_many_are_to_go(signed_in: Client, of_deals: Match) -> None:
    page = signed_in.get(reverse("entry:sheet", args=[of_deals.code])).content.decode()
    assert re.search(r"Standard,\s+3 deals\s", page)
    assert "3 deals to go" in page
    text = echo(signed_in, of_deals, draft_of("a120", "v", "d", ""))
    assert "1 deal to go" in text
    assert "needs" not in text
    ended = echo(signed_in, of_deals, draft_of("a60", "d", "b5"))
    # 60 and a box and the game to 5 and a box.
    assert "Finished: Falk +155" in ended


def test_typed_undercut_says_what_it_takes_off(signed_in: Client, of_deals: Match) -> None:
    rows = ("b40", "a2u", "b10")
    text = echo(signed_in, of_deals, draft_of(*rows))
    assert "Falk undercut 2, 25 off Costa: I 2; Costa: I 15" in text
    # 50 − 25 to 2, and 2 boxes to 1; a total below 0 would be written with its sign.
    status, _answer = save(
        signed_in,
        of_deals,
        draft_of(*rows, paper={"net": "b 148", "totals": ["27 / 175"], "boxes": "1 / 2", "lines": "3"}),
    )
    assert status == 200
    assert sheet_of(of_deals).paper_state == "agrees"
    match_page = signed_in.get(reverse("match", args=[of_deals.event.club.slug, "short", of_deals.code]))
    shown = together(match_page.content.decode())
    assert "Falk, undercut 2, 25 off Costa" in shown
    assert '<tr class="foot-penalties">' in shown
    assert "−25" in shown


def test_paper_has_a_total_below_0(signed_in: Client, of_deals: Match) -> None:
    paper = {"totals": ["27 / -25"], "boxes": "1 / 0"}
    text = echo(signed_in, of_deals, draft_of("a2u", "t", paper=paper))
    assert "Time called: Falk +52" in text
    assert "the paper" not in text.partition('data-slot="paper"')[2].partition("</div>")[0]
    assert "Both figures" in echo(signed_in, of_deals, draft_of("a2u", paper={"boxes": "1 / -2"}))
