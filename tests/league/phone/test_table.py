"""The table's page and doors without a script: what a link opens, what it does not, what forms send."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.events.entries import withdraw_entry
from league.matches.matches import renew_sheet
from league.matches.table_links import make_links, revoke_links
from league.models import Entry, Event, EventState, Match, Player, Role, Round, RoundState, ShownAs, TableLink
from league.phone.access import TablePlace
from league.phone.page import next_matches
from league.policy import ClubPolicy, actor_at, actor_of
from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.core.hands import Knock
from scoring.models import Claim, Dispute, Scoresheet, SheetAct, Signature
from scoring.policy import SheetAction
from scoring.services import record_deals, settle_dispute, stop_sheet, void_sheet
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    drawn_match,
    house_rules,
    play,
    won,
)
from tests.kept import contents
from tests.league.phone.conftest import Seat, Sit
from tests.league.phone.forms import KNOCK, SCRIPT, enter
from tests.refusals import refuses


def test_link_is_exchanged_for_a_cookie_of_its_place_alone(match: Match, sheet: Scoresheet) -> None:
    (link, secret), _other = make_links(actor=OPERATOR, match=match)
    client = Client()
    answer = client.get(reverse("phone:table_open", args=[secret]))
    place = f"/table/{sheet.code}/0/"
    assert (answer.status_code, answer["Location"]) == (302, place)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    cookie = answer.cookies["table"]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (place, "Lax", True)
    assert not cookie["secure"]
    assert Client().get(reverse("phone:table_open", args=[secret]), secure=True).cookies["table"]["secure"]
    link.refresh_from_db()
    assert link.opened_at is not None
    assert secret not in repr(contents())
    page = client.get(place)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    assert "You enter for Eklund." in page.text
    assert secret not in page.text


def test_deal_is_entered_by_a_plain_form(sit: Sit, sheet: Scoresheet) -> None:
    client = sit(0)
    answer = enter(client)
    assert (answer.status_code, answer["Location"]) == (302, client.at())
    # Pressed twice: the form bears its key.
    assert enter(client).status_code == 302
    assert [deal.hands for deal in kept_sheet(sheet).deals] == [(Knock("Eklund", "Castell", 8, 20),)]
    act = SheetAct.objects.get(sheet=sheet)
    assert (act.actor_kind, act.actor_name, act.door, act.address) == (
        "table_link",
        "Eklund",
        "table",
        "127.0.0.1",
    )
    assert "Deal 1: Eklund knocks 8–20: 12" in " ".join(client.get(client.at()).text.split())


def test_what_is_refused_keeps_what_was_entered(sit: Sit, sheet: Scoresheet) -> None:
    client = sit(0)
    before = contents()
    wrong = {**KNOCK, "count0-0": "12", "number": "1", "key": "k1"}
    answer = client.post(client.at("deals/"), wrong)
    assert answer.status_code == 422
    assert "Eklund cannot knock with 12: the limit is 10." in answer.text
    assert 'value="12"' in answer.text
    assert contents() == before
    told = client.post(client.at("deals/"), wrong, **SCRIPT)
    assert told.status_code == 422
    assert told.json() == {
        "code": "illegal_knock",
        "message": "Eklund cannot knock with 12: the limit is 10.",
        "field": "knocker_deadwood",
        "hand": None,
    }


def test_script_is_told_what_became_of_a_deal(sit: Sit, sheet: Scoresheet) -> None:
    one, other = sit(0), sit(1)
    assert enter(one, **SCRIPT).json() == {"message": "Deal 1 is saved.", "next": 2}
    assert enter(other, **SCRIPT).json() == {"message": "Deal 1 is there already, just the same.", "next": 2}
    different = {**KNOCK, "count1-0": "21", "number": "1", "key": "k2"}
    told = other.post(other.at("deals/"), different, **SCRIPT).json()
    assert told == {"message": "Deal 1 is kept; the director decides whether it counts.", "next": 2}
    claim = Claim.objects.get(sheet=sheet)
    assert (claim.actor_name, claim.number) == ("Castell", 1)
    for client in (one, other):
        text = " ".join(client.get(client.at("state/")).text.split())
        assert "Deal 1 was entered twice, and not the same." in text
        assert "Castell entered: Eklund knocks 8–21: 13" in text


def test_worth_is_the_scorers_and_nothing_is_stored(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    client = sit(0)
    before = contents()
    told = client.get(client.at("preview/"), {**KNOCK, "number": "1"})
    assert told.json() == {"worth": "Eklund 12", "said": "Eklund knocks 8–20: 12"}
    dead = client.get(client.at("preview/"), {"how-0": "dead", "number": "1"})
    assert dead.json() == {"worth": "Nobody scores", "said": "dead hand"}
    missing = client.get(client.at("preview/"), {"number": "1", "how-0": "gin"})
    assert (missing.status_code, missing.json()["message"]) == (422, "Choose who won.")
    assert contents() == before


@pytest.mark.parametrize("end", ["", "state/", "preview/"])
def test_link_that_is_over_opens_nothing(sit: Sit, match: Match, end: str) -> None:
    client = sit(0)
    link = TableLink.objects.get(sheet=match.sheet, side=0)
    revoke_links(actor=OPERATOR, match=match, code=link.code)
    answer = client.get(client.at(end))
    assert answer.status_code == 404
    assert "Eklund" not in answer.text
    before = contents()
    refused = enter(client, **SCRIPT)
    assert (refused.status_code, refused.json()["code"]) == (404, "link_over")
    assert contents() == before


def test_links_end_with_their_time_and_with_a_letter_changed(match: Match, sheet: Scoresheet) -> None:
    place = f"/table/{sheet.code}/0/"
    (link, secret), _other = make_links(actor=OPERATOR, match=match)
    tampered = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    for wrong in (tampered, secret[::-1], "A" * 43):
        answer = Client().get(reverse("phone:table_open", args=[wrong]))
        assert (answer.status_code, "table" in answer.cookies) == (404, False)
    client = Client()
    for cookie in (tampered, "", "é" * 43, "x" * 5000, link.digest, link.code):
        client.cookies["table"] = cookie.encode("latin-1").decode("latin-1")
        assert client.get(place).status_code == 404
    client.get(reverse("phone:table_open", args=[secret]))
    assert client.get(place).status_code == 200
    TableLink.objects.filter(pk=link.pk).update(expires_at=timezone.now())
    assert client.get(place).status_code == 404
    assert Client().get(reverse("phone:table_open", args=[secret])).status_code == 404


@pytest.mark.parametrize("wrong", ["AAAA", "match", "worker.jsx", "A" * 500, "x).", "é", "%00", " "])
def test_link_that_is_not_whole_is_told_so(db: None, wrong: str) -> None:
    answer = Client().get(f"/table/{wrong}/")
    assert answer.status_code == 404
    assert "This link opens no table" in answer.text


def test_who_tries_secret_after_secret_is_told_to_wait(match: Match, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"guess": "3/hour"}
    client = Client()
    tried = [client.get(reverse("phone:table_open", args=[letter * 43])) for letter in "ABCDE"]
    assert [answer.status_code for answer in tried] == [404, 404, 404, 429, 429]
    # A right one opens all the same.
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    assert client.get(reverse("phone:table_open", args=[secret])).status_code == 302


def test_link_of_one_sheet_does_nothing_on_another(sit: Sit, match: Match) -> None:
    entries = [EntryFactory.create(event=match.event, name=name) for name in ("Abbott", "Quispe")]
    second: Match = MatchFactory.create(
        event=match.event, round=match.round, entry_a=entries[0], entry_b=entries[1]
    )
    client = sit(0)
    before = contents()
    own, elsewhere = match.sheet, second.sheet
    assert own is not None
    assert elsewhere is not None
    for sheet, side in ((elsewhere, 0), (elsewhere, 1), (own, 1), (own, 2), (own, 10**20)):
        for name in ("page", "state", "preview", "enter", "undo", "withdraw", "sign", "dispute", "settle"):
            address = reverse(f"phone:{name}", args=[sheet.code, side])
            assert client.get(address).status_code in (404, 405)
            answer = client.post(address, {**KNOCK, "number": "1", "key": "k"}, **SCRIPT)
            assert answer.status_code in (404, 405)
    assert client.get(reverse("phone:match_page", args=[second.code])).status_code == 404
    assert contents() == before


def test_link_shows_nothing_else_of_a_private_club(sit: Sit, match: Match) -> None:
    client = sit(0)
    for address in (
        reverse("club", args=["harbour"]),
        reverse("event", args=["harbour", "league"]),
        reverse("match", args=["harbour", "league", match.code]),
        reverse("match_links", args=["harbour", "league", match.code]),
        reverse("round_links", args=["harbour", "league", 1]),
    ):
        assert client.get(address).status_code == 404
        assert (
            client.get(address, headers={"Cookie": f"table={client.cookies['table'].value}"}).status_code
            == 404
        )


def test_forms_of_other_sites_are_refused(sit: Sit, sheet: Scoresheet) -> None:
    client = sit(0, checks=True)
    assert enter(client).status_code == 403
    client.get(client.at())
    token = client.cookies["csrftoken"].value
    assert enter(client, headers={"X-CSRFToken": token}).status_code == 302
    assert enter(client, key="k2", headers={"X-CSRFToken": "wrong"}).status_code == 403
    assert Scoresheet.objects.get(pk=sheet.pk).version == 1


def test_sheet_that_has_ended_is_signed_by_each_side_for_itself(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    play(match, 40, stopped=True)
    version = {"version": "1"}
    assert one.post(one.at("signature/"), version | {"side": "1", "sides": "1"}).status_code == 302
    assert [(row.side, row.method) for row in Signature.objects.all()] == [(0, "own")]
    assert other.post(other.at("signature/"), {"version": "0"}, **SCRIPT).status_code == 409
    assert other.post(other.at("signature/"), {"version": "nonsense"}, **SCRIPT).status_code == 409
    assert other.post(other.at("signature/"), version, **SCRIPT).json()["message"] == "Signed."
    assert Signature.objects.count() == 2


def test_open_sheet_is_neither_signed_nor_disputed(sit: Sit, sheet: Scoresheet) -> None:
    client = sit(0)
    before = contents()
    for name, fields in (("signature/", {}), ("dispute/", {"sentence": "No."})):
        told = client.post(client.at(name), {"version": "0", **fields}, **SCRIPT)
        assert (told.status_code, told.json()["code"]) == (422, "sheet_open")
    assert contents() == before


def test_side_disputes_with_a_sentence_and_ends_it(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    play(match, 40, stopped=True)
    nothing = other.post(other.at("dispute/"), {"version": "1", "sentence": "  "})
    assert nothing.status_code == 422
    said = {"version": "1", "sentence": "It was <b>50</b>", "side": "0"}
    assert other.post(other.at("dispute/"), said).status_code == 302
    assert Dispute.objects.get().side == 1
    text = one.get(one.at()).text
    assert "It was &lt;b&gt;50&lt;/b&gt;" in text
    # Nobody ends the other side's.
    one.post(one.at("dispute/end/"), {"reason": "No."})
    assert Dispute.objects.filter(settlement=None).exists()
    other.post(other.at("dispute/end/"), {"reason": "Looked again."})
    assert not Dispute.objects.filter(settlement=None).exists()


def test_stopped_and_voided_sheets_say_so(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    client = sit(0)
    enter(client)
    stop_sheet(actor=OPERATOR, sheet=sheet)
    assert "time was called" in client.get(client.at()).text
    told = enter(client, 2, "k2", **SCRIPT)
    assert told.status_code == 200
    assert "Deal 2 was sent after time was called." in client.get(client.at()).text
    void_sheet(actor=OPERATOR, sheet=sheet, reason="wrong table")
    assert "This sheet was voided" in client.get(client.at()).text


def test_finished_event_takes_nothing_more(sit: Sit, match: Match) -> None:
    client = sit(0)
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    before = contents()
    assert enter(client, **SCRIPT).status_code == 403
    assert contents() == before


def test_stored_answer_is_given_after_the_event_is_finished(sit: Sit, match: Match) -> None:
    client = sit(0)
    first = enter(client, **SCRIPT).json()
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    before = contents()
    assert enter(client, **SCRIPT).json() == first
    assert enter(client, 2, "k2", **SCRIPT).status_code == 403
    assert contents() == before


def test_side_does_not_end_the_others_dispute(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    other = sit(1)
    play(match, 40, stopped=True)
    other.post(other.at("dispute/"), {"version": "1", "sentence": "It was 50."})
    user = UserFactory.create(is_staff=False)
    Player.objects.filter(name="Eklund").update(user=user)
    link = TableLink.objects.filter(sheet=sheet, side=0)[0]
    before = contents()
    for actor in (actor_at(link, "Eklund"), actor_of(user)):
        with refuses(RecordingError, "not_allowed"):
            settle_dispute(actor=actor, dispute=Dispute.objects.get(), reason="No.")
    assert contents() == before


def test_player_with_an_account_sits_at_his_own_match(match: Match, sheet: Scoresheet) -> None:
    user = UserFactory.create(is_staff=False, club=match.event.club, role=Role.MEMBER)
    Player.objects.filter(name="Castell").update(user=user)
    client = Client()
    address = reverse("phone:match_page", args=[match.code])
    assert client.get(address).status_code == 404
    client.force_login(user)
    page = client.get(address, follow=True)
    place = f"/table/{sheet.code}/1/"
    assert page.redirect_chain == [(place, 302)]
    assert "You enter for Castell." in page.text
    assert address in client.get(reverse("match", args=["harbour", "league", match.code])).text
    # The other side's place is not his.
    assert client.get(f"/table/{sheet.code}/0/").status_code == 404
    answer = client.post(f"{place}deals/", {**KNOCK, "number": "1", "key": "k"})
    assert (answer.status_code, answer["Location"]) == (302, place)
    assert SheetAct.objects.get(sheet=sheet).actor_kind == "user"
    stop_sheet(actor=OPERATOR, sheet=sheet)
    client.post(f"{place}signature/", {"version": "2"})
    assert [row.side for row in Signature.objects.all()] == [1]
    # His account gone from use, so is his seat.
    user.is_active = False
    user.save()
    assert [client.get(each).status_code for each in (address, place)] == [404, 404]


def test_officer_does_not_sit_where_he_does_not_play(match: Match) -> None:
    client = logged_in(UserFactory.create(club=match.event.club, role=Role.OWNER))
    assert client.get(reverse("phone:match_page", args=[match.code])).status_code == 404


def test_round_taken_back_to_a_draft_is_nobodys_table(match: Match) -> None:
    user = UserFactory.create(club=match.event.club, role=Role.MEMBER)
    Player.objects.filter(name="Castell").update(user=user)
    Round.objects.filter(pk=match.round_id).update(state=RoundState.DRAFTED)
    client = logged_in(user)
    assert client.get(reverse("phone:match_page", args=[match.code])).status_code == 404


@pytest.mark.parametrize("end", ["", "state/"])
def test_link_of_a_sheet_that_was_replaced_opens_nothing(sit: Sit, match: Match, end: str) -> None:
    client = sit(0)
    play(match, 20)
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="Other people's")
    assert client.get(client.at(end)).status_code == 200
    renew_sheet(actor=OPERATOR, match=match)
    assert client.get(client.at(end)).status_code == 404


def test_names_are_printed_as_text(db: None) -> None:
    event = EventFactory.create()
    names = ("<script>alert(1)</script>", 'O\'Neil {{ x }} "q"')
    entries = [EntryFactory.create(event=event, name=name) for name in names]
    nasty: Match = MatchFactory.create(
        event=event, round=RoundFactory.create(event=event), entry_a=entries[0], entry_b=entries[1]
    )
    secret = make_links(actor=OPERATOR, match=nasty)[0][1]
    client = Client()
    page = client.get(reverse("phone:table_open", args=[secret]), follow=True).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; won" in page


def test_teams_and_rules_with_upcards_have_their_fields(db: None) -> None:
    rules = house_rules("oklahoma")
    event = EventFactory.create(team_size=2, rules=rules)
    teams = drawn_match(event, "We", "You")
    secret = make_links(actor=OPERATOR, match=teams)[1][1]
    client = Seat()
    client.place = client.get(reverse("phone:table_open", args=[secret]))["Location"]
    page = client.get(client.at()).text
    for field in ("meets-0", "meets-1", "upcard-0", "upcard-1", "count0-1"):
        assert f'name="{field}"' in page
    hands = {
        **{f"{name}-0": value for name, value in [("meets", "0"), ("how", "dead")]},
        **{f"{name}-1": value for name, value in [("meets", "1"), ("won", "0"), ("how", "knock")]},
        "by-1": "counts",
        "count0-1": "3",
        "count1-1": "15",
        "upcard-1": "4S",
    }
    told = client.get(client.at("preview/"), {**hands, "number": "1"})
    # RULES §4: a spade doubles the hand.
    assert told.json()["worth"] == "We 24"
    answer = client.post(client.at("deals/"), {**hands, "number": "1", "key": "k"}, **SCRIPT)
    assert answer.json()["next"] == 2


def test_worker_keeps_pages_and_files_alone(client: Client, db: None) -> None:
    answer = client.get(reverse("phone:worker"))
    assert answer["Content-Type"] == "text/javascript"
    assert "/static/league/table.js" in answer.text
    assert reverse("phone:worker") == "/table/worker.js"


def test_revoking_all_ends_both_sides(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    assert revoke_links(actor=OPERATOR, match=match) == 4
    assert {one.get(one.at()).status_code, other.get(other.at()).status_code} == {404}
    assert revoke_links(actor=OPERATOR, match=match) == 0


def test_link_is_an_actor_of_its_own_side_alone(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    sit(0)
    link = TableLink.objects.get(sheet=sheet, side=0)
    actor: Actor = actor_at(link, "Eklund")
    allowed = {action for action in SheetAction if ClubPolicy().allows(actor, action, sheet)}
    assert allowed == {SheetAction.RECORD, SheetAction.UNDO, SheetAction.SIGN, SheetAction.DISPUTE}
    assert ClubPolicy().own_sides(actor, sheet) == {0}


def test_table_says_that_a_match_is_annulled(match: Match, sit: Sit) -> None:
    """The other side has withdrawn; a page that is open learns it with its next question."""
    seat = sit(0)
    before = seat.get(seat.at("state/"))
    said = "Annulled, as a side has withdrawn"
    assert said not in before.content.decode()
    assert match.entry_b is not None
    withdraw_entry(actor=OPERATOR, entry=match.entry_b, reason="moved away", annul=True)
    after = seat.get(seat.at("state/"), headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert said in after.content.decode()
    assert said in seat.get(seat.at()).content.decode()


def test_after_signing_come_the_standings_and_the_next_match(
    sit: Sit, match: Match, sheet: Scoresheet, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play(match, 400)
    stop_sheet(actor=OPERATOR, sheet=sheet)
    event = match.event
    drafted = RoundFactory.create(event=event, number=match.round.number + 1, state=RoundState.DRAFTED)
    third = EntryFactory.create(event=event, name="Quispe")
    MatchFactory.create(event=event, round=drafted, entry_a=third, entry_b=match.entry_a, table=7)
    client = sit(0)
    before = client.get(client.at("state/"))
    assert "next match" not in before.text
    sheet.refresh_from_db()
    client.post(client.at("signature/"), {"version": sheet.version})
    signed = client.get(client.at("state/"))
    # A drafted round is the directors’ own.
    assert "Your next match is not known yet." in signed.text
    Round.objects.filter(pk=drafted.pk).update(state=RoundState.PUBLISHED)
    again = client.get(client.at("state/"), headers={"if-none-match": signed["ETag"]})
    told = " ".join(again.text.split())
    assert again.status_code == 200
    assert "Your next match: Quispe v Eklund" in told
    assert "table 7" in told
    # Who is not at this table is called as the reader of the link may know him.
    Player.objects.filter(memberships_in_entries__entry=third).update(
        shown_as=ShownAs.NICKNAME, nickname="Ace"
    )
    named = client.get(client.at("state/"), headers={"if-none-match": again["ETag"]})
    covered = " ".join(named.text.split())
    assert "Quispe" not in covered
    assert "Ace v" in covered
    # The club is not public: a link opens its table and nothing else.
    assert reverse("event", args=["harbour", "league"]) not in told
    type(event.club).objects.update(is_public=True)
    opened = client.get(client.at("state/"), headers={"if-none-match": named["ETag"]})
    assert reverse("event", args=["harbour", "league"]) in opened.text
    # So is what becomes of the next match, which is on another sheet.
    Match.objects.filter(round=drafted).update(table=9)
    moved = client.get(client.at("state/"), headers={"if-none-match": opened["ETag"]})
    assert "table 9" in " ".join(moved.text.split())
    with django_assert_num_queries(5):
        same = client.get(client.at("state/"), headers={"if-none-match": moved["ETag"]})
    assert same.status_code == 304


def test_partners_who_rotate_are_told_the_next_match_of_each(sit: Sit, match: Match) -> None:
    event = EventFactory.create(club=match.event.club, format="rotation", team_size=2)
    one, two, three, four, five, six = (EntryFactory.create(event=event, name=name) for name in "ABCDEF")

    def seated(number: int, *sides: Entry) -> Match:
        names = ("entry_a", "partner_a", "entry_b", "partner_b")
        round_ = RoundFactory.create(event=event, number=number)
        made: Match = MatchFactory.create(
            event=event, round=round_, label=f"Night {number}", **dict(zip(names, sides, strict=True))
        )
        return made

    now = seated(1, one, two, three, four)
    seated(2, three, one, five, six)
    seated(3, two, five, three, six)
    seated(4, one, two, five, six)
    assert now.sheet is not None
    stop_sheet(actor=OPERATOR, sheet=now.sheet)
    place = TablePlace(now, Scoresheet.objects.get(pk=now.sheet.pk), 0, OPERATOR)
    assert [match.label for match in next_matches(place)] == ["Night 2", "Night 3"]


def test_sheet_says_every_hand_and_its_foot_in_words(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    deals = [won("Eklund", "Castell", points) for points in (31, 400)]
    record_deals(actor=OPERATOR, sheet=sheet, deals=deals)
    stop_sheet(actor=OPERATOR, sheet=sheet)
    told = " ".join(sit(0).get(sit(0).at()).text.split())
    for words in ("Eklund 31", "Eklund 400"):
        assert f"> {words} </td>" in told
    heads = [f'<th scope="row">{word}</th>' for word in ("points", "boxes", "total")]
    assert [told.count(head) for head in heads] == [1, 1, 1]


@pytest.mark.parametrize(
    ("penalty", "label", "said"),
    [
        ("none", "Points of the hand, bonus included", "Costa undercuts 8–6: 27"),
        (
            "bonus",
            "Points of the hand; of an undercut without the bonus",
            "Costa undercuts 8–6: 2, 25 off Falk",
        ),
        (
            "all",
            "Points of the hand; of an undercut what the knocker loses",
            "Costa undercuts 8–6, 27 off Falk",
        ),
    ],
)
def test_undercut_is_told_with_what_it_takes_off(
    sit: Sit, match: Match, penalty: str, label: str, said: str
) -> None:
    event = EventFactory.create(
        club=match.event.club, rules=house_rules(columns=1, deals=4, undercut_penalty=penalty), slug="short"
    )
    entries = [EntryFactory.create(event=event, name=name) for name in ("Falk", "Costa")]
    short = MatchFactory.create(
        event=event, round=RoundFactory.create(event=event), entry_a=entries[0], entry_b=entries[1], table=6
    )
    client = sit(0, short)
    assert label in client.get(client.at()).text
    undercut = {"won-0": "1", "how-0": "undercut", "by-0": "counts", "count0-0": "8", "count1-0": "6"}
    worth = {"none": "Costa 27", "bonus": "Costa 2, Falk −25", "all": "Costa 0, Falk −27"}[penalty]
    asked = {"number": "1", **undercut}
    assert client.get(client.at("preview/"), asked).json() == {"worth": worth, "said": said}
    assert client.post(client.at("deals/"), {**undercut, "number": 1, "key": "k1"}).status_code == 302
    assert said in client.get(client.at()).text
