"""Pages of house rules: made from a preset, shared by a short link, copied, in versions; who may what."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from league.errors import LeagueError
from league.events.events import create_event
from league.events.house_rules import copy_club_rules, make_club_rules, next_version, share_club_rules
from league.models import AuditEntry, Club, ClubRules, Event, EventKind, EventState, Role
from scoring.core.rule_differences import single_knobs
from scoring.core.rules import PRESETS, Rules
from scoring.models import HouseRules
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, UserFactory, sheet_of
from tests.pdf_text import pages, texts
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def private(db: None) -> Club:
    return ClubFactory.create(name="Closed", slug="closed", is_public=False)


@pytest.fixture
def hidden(private: Club) -> ClubRules:
    return make_club_rules(actor=OPERATOR, club=private, name="Behind doors", rules=Rules())


def text(response: Any) -> str:
    return str(response.content.decode())


def typed(rules: Rules, name: str = "Harbour rules", **changes: Any) -> dict[str, Any]:
    """What a browser sends for the form of some rules: no key for what is not ticked."""
    values = single_knobs(rules) | changes
    sent = {knob: "" if value is None else value for knob, value in values.items() if value is not False}
    return {"name": name, "preset": "standard", **sent}


def test_rules_are_made_from_a_preset(owner: Client, club: Club) -> None:
    address = reverse("new_rules", args=["harbour"])
    assert 'value="20"' in text(owner.get(f"{address}?preset=continental"))
    answer = owner.post(address, typed(Rules.preset("continental"), columns=3))
    own = ClubRules.objects.get(club=club)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("rules", args=[own.rules.code])
    assert own.rules.rules == Rules.preset("continental", columns=3)
    assert (own.rules.name, own.rules.version) == ("Harbour rules", 1)


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"knock_limit": 99}, "knock_limit", "less than or equal to 98"),
        ({"gin_bonus": "many"}, "gin_bonus", "whole number"),
        ({"ace": "high"}, "ace", "valid choice"),
        ({"deal": "elder_eleven", "oklahoma": "ace_is_one"}, "oklahoma", "there is no upcard"),
        ({"extra_boxes_gin": 11}, "extra_boxes_gin", "less than or equal to 10"),
        ({"deals": 501}, "deals", "less than or equal to 500"),
        ({"deals": 8, "columns": 3}, "columns", "ends after a number of deals has one game"),
        ({"undercut_penalty": "half"}, "undercut_penalty", "valid choice"),
    ],
)
def test_a_knob_that_cannot_be_is_refused_beside_its_field(
    owner: Client, club: Club, changes: dict[str, Any], field: str, sentence: str
) -> None:
    answer = owner.post(reverse("new_rules", args=["harbour"]), typed(Rules(), **changes))
    assert answer.status_code == 422
    beside = text(answer).partition(f'id="said-{field}"')[2].partition("</div>")[0]
    assert sentence in beside
    assert not ClubRules.objects.exists()


def test_rules_are_made_with_a_number_of_deals_and_penalties(owner: Client, club: Club) -> None:
    rules = Rules(deals=8, undercut_penalty="bonus")
    answer = owner.post(reverse("new_rules", args=["harbour"]), typed(rules))
    own = ClubRules.objects.get(club=club)
    assert own.rules.rules == rules
    shown = text(owner.get(answer["Location"]))
    assert "8 deals" in shown
    assert "The defender scores the difference; the bonus is taken off the knocker." in shown
    assert "undercut: the defender scores 2, and the knocker loses 25" in shown
    # And without a number they end at the target again.
    address = reverse("change_rules", args=["harbour", own.rules.code])
    assert owner.post(address, typed(rules, deals="")).status_code == 302
    own.refresh_from_db()
    assert own.rules.rules == Rules(undercut_penalty="bonus")


@pytest.mark.parametrize("name", PRESETS)
def test_forms_begin_with_any_preset(owner: Client, club: Club, name: str) -> None:
    address = reverse("new_rules", args=["harbour"])
    assert owner.get(f"{address}?preset={name}").status_code == 200
    assert f"preset={name}" in text(owner.get(address))
    assert 'name="kind"' not in text(owner.get(address))


def test_an_event_is_not_played_by_rules_of_a_game_without_matches(club: Club) -> None:
    own = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules.preset("jersey"))
    with refuses(LeagueError, "no_matches", field="rules"):
        create_event(actor=OPERATOR, club=club, name="Cup", slug="cup", rules=own.rules)
    assert not Event.objects.exists()


def test_partners_with_one_pack_play_matches_of_two_against_two(club: Club) -> None:
    rules = Rules.preset("partners_one_pack")
    own = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=rules)
    teams: dict[str, Any] = {"kind": EventKind.TEAM, "team_size": 2}
    event = create_event(actor=OPERATOR, club=club, name="Cup", slug="cup", rules=own.rules, **teams)
    assert event.rules == own.rules
    with refuses(LeagueError, "wrong_sides"):
        create_event(actor=OPERATOR, club=club, name="Other", slug="other", rules=own.rules)


def test_rules_stored_before_a_knob_was_there_are_told_and_changed_as_if_they_had_it(
    owner: Client, own_rules: ClubRules
) -> None:
    """Only what the director turned is noted as changed."""
    new = ("kind", "deals", "undercut_penalty")
    before = {knob: value for knob, value in own_rules.rules.knobs.items() if knob not in new}
    HouseRules.objects.filter(pk=own_rules.rules.pk).update(knobs=before)
    own_rules.refresh_from_db()
    rules = own_rules.rules.rules
    assert (rules.kind, rules.deals, rules.undercut_penalty) == ("gin", None, "none")
    address = reverse("change_rules", args=["harbour", own_rules.rules.code])
    assert owner.post(address, typed(rules, name="Ours", gin_bonus=20)).status_code == 302
    noted = AuditEntry.objects.get(action="rules.version")
    assert (noted.before, noted.after) == (
        {"rules": "Ours", "gin_bonus": 25},
        {"rules": "Ours, version 2", "gin_bonus": 20},
    )


def test_a_name_is_asked_for(owner: Client, club: Club) -> None:
    answer = owner.post(reverse("new_rules", args=["harbour"]), typed(Rules(), name=" "))
    assert answer.status_code == 422
    assert not ClubRules.objects.exists()


def test_nobody_begins_with_a_preset_that_is_none(owner: Client, club: Club) -> None:
    assert owner.get(f"{reverse('new_rules', args=['harbour'])}?preset=vegas").status_code == 404


def test_a_look_saves_nothing_and_says_what_the_knobs_mean(owner: Client, club: Club) -> None:
    sent = typed(Rules(), name="", gin_bonus=20, look="1")
    address = reverse("new_rules", args=["harbour"])
    answer = owner.post(address, sent, headers={"HX-Request": "true"})
    shown = text(answer)
    assert answer.status_code == 200
    assert "<html" not in shown
    assert "Gin scores what the other has left over, and 20 more." in shown
    assert "Standard: 25" in shown
    # Every knob but the kind of game, which is not asked for.
    assert shown.count("hx-swap-oob") == len(single_knobs(Rules())) - 1
    whole = owner.post(address, sent)
    assert whole.status_code == 200
    assert "<html" in text(whole)
    assert "Gin scores what the other has left over, and 20 more." in text(whole)
    assert not ClubRules.objects.exists()


def test_a_look_at_what_cannot_be_read_says_where(owner: Client, club: Club) -> None:
    sent = typed(Rules(), target="", look="1")
    answer = owner.post(reverse("new_rules", args=["harbour"]), sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "This field is required." in text(answer).partition('id="said-target"')[2]


def test_a_change_is_a_new_version_and_events_keep_theirs(
    owner: Client, own_rules: ClubRules, event: Event, client: Client
) -> None:
    code = own_rules.rules.code
    address = reverse("change_rules", args=["harbour", code])
    looked = text(owner.post(address, typed(Rules(columns=3), name="Ours", undercut_bonus=10, look="1")))
    assert "Changed by this version" in looked
    assert owner.post(address, typed(Rules(columns=3), name="Ours", undercut_bonus=10)).status_code == 302
    own_rules.refresh_from_db()
    assert (own_rules.rules.version, own_rules.rules.rules.undercut_bonus) == (2, 10)

    newest = text(client.get(reverse("rules", args=[code])))
    assert "version 2 of" in newest
    assert "An undercut of 25: it is 10 here." in newest
    first = text(client.get(reverse("rules_version", args=[code, 1])))
    assert "There is a newer version" in first
    assert "An undercut of 10: it is 25 here." in first

    shown = text(client.get(reverse("event", args=["harbour", event.slug])))
    assert f'href="{reverse("rules_version", args=[code, 1])}"' in shown
    assert "Ours, version 1" in shown


def test_rules_as_they_are_make_no_version(owner: Client, own_rules: ClubRules) -> None:
    address = reverse("change_rules", args=["harbour", own_rules.rules.code])
    answer = owner.post(address, typed(Rules(columns=3), name="Ours"))
    assert answer.status_code == 422
    assert "nothing was changed" in text(answer)
    own_rules.refresh_from_db()
    assert own_rules.rules.version == 1


def test_versions_are_listed_with_what_each_changed(own_rules: ClubRules, client: Client) -> None:
    code = own_rules.rules.code
    next_version(
        actor=OPERATOR, club_rules=own_rules, name="Ours", rules=Rules(columns=3, big_gin_bonus=None)
    )
    renamed = Rules(columns=3, big_gin_bonus=None)
    own_rules.refresh_from_db()
    next_version(actor=OPERATOR, club_rules=own_rules, name="Theirs", rules=renamed)
    listed = text(client.get(reverse("rules", args=[code]))).partition('id="versions"')[2]
    third, _second, rest = listed.partition("Version 2")
    assert "called Theirs from here on" in third
    assert "Only the name was changed." in third
    assert "31</del>" in rest
    assert "not played</ins>" in rest


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rule_sheet_tells_every_preset(club: Club, client: Client, preset: str) -> None:
    own = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules.preset(preset))
    shown = text(client.get(reverse("rules", args=[own.rules.code])))
    for heading in ("These are not rules here", "Worked examples", "A whole sheet", "Versions"):
        assert heading in shown
    assert re.search("(Ada|Ben|Each) .*[0-9]", shown)


def test_a_rule_sheet_marks_what_differs_from_its_preset(club: Club, client: Client) -> None:
    own = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules(gin_bonus=20))
    shown = text(client.get(reverse("rules", args=[own.rules.code])))
    assert "1 thing changed" in shown
    assert shown.count('class="differs"') == 1
    assert "Standard: 25" in shown


def test_a_code_read_aloud_is_found_in_capitals(own_rules: ClubRules, client: Client) -> None:
    code = own_rules.rules.code
    answer = client.get(f"/r/{code.upper()}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/r/{code}/")


@pytest.mark.parametrize("address", ["/r/nothing/", "/r/nothing/qr.svg", "/r/nothing/1/rules.pdf"])
def test_rules_that_are_not_there_are_not_found(client: Client, db: None, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_version_that_is_not_there_is_not_found(own_rules: ClubRules, client: Client) -> None:
    for number in (0, 2, 10**30):
        assert client.get(f"/r/{own_rules.rules.code}/{number}/").status_code == 404


def test_the_qr_code_is_of_the_short_link(own_rules: ClubRules, client: Client) -> None:
    answer = client.get(reverse("rules_qr", args=[own_rules.rules.code]))
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg xmlns=")
    assert b"<script" not in answer.content


def test_the_rule_sheet_is_a_pdf(own_rules: ClubRules, client: Client) -> None:
    next_version(actor=OPERATOR, club_rules=own_rules, name="Ours", rules=Rules(columns=3, target=50))
    code = own_rules.rules.code
    answer = client.get(reverse("rules_pdf", args=[code, 1]))
    said = " ".join(texts(answer.content))
    assert answer["Content-Type"] == "application/pdf"
    assert pages(answer.content) <= 2
    for words in (
        "Harbour",
        "Ours",
        "Version 2 is newer",
        f"/r/{code}/",
        "Knocker 4, defender 27",
        "not rules here",
        "A whole sheet by these rules",
        "Ada knocks 4–27: 23",
    ):
        assert words in said
    assert answer.content == client.get(reverse("rules_pdf", args=[code, 1])).content


# Private clubs


def test_rules_of_a_private_club_are_its_own(hidden: ClubRules, private: Club, client: Client) -> None:
    code = hidden.rules.code
    member = logged_in(UserFactory.create(club=private, role=Role.MEMBER))
    stranger = logged_in(UserFactory.create())
    addresses = [
        reverse("rules", args=[code]),
        reverse("rules_version", args=[code, 1]),
        reverse("rules_pdf", args=[code, 1]),
        reverse("rules_qr", args=[code]),
        reverse("club_rules", args=["closed"]),
    ]
    for address in addresses:
        assert client.get(address).status_code == 404
        assert stranger.get(address).status_code == 404
        answer = member.get(address)
        assert answer.status_code == 200
        assert "private" in answer["Cache-Control"]
    assert "Only members of the club can open it." in text(member.get(addresses[0]))
    for reader in (client, stranger):
        assert reader.get(reverse("copy_rules", args=[code, 1])).status_code == 404


def test_a_private_club_shares_rules_without_saying_whose(
    hidden: ClubRules, private: Club, client: Client
) -> None:
    EventFactory.create(club=private, rules=hidden.rules, name="Secret cup")
    director = logged_in(UserFactory.create(club=private, role=Role.DIRECTOR))
    address = reverse("share_rules", args=["closed", hidden.rules.code])
    assert director.post(address, {"is_shared": "1"}).status_code == 302
    shown = client.get(reverse("rules", args=[hidden.rules.code]))
    assert shown.status_code == 200
    assert "Behind doors" in text(shown)
    assert "Anybody with the link can open it" in text(shown)
    for word in ("Closed", "closed", "Secret cup"):
        assert word not in text(shown)
    sheet = client.get(reverse("rules_pdf", args=[hidden.rules.code, 1]))
    assert "Closed" not in " ".join(texts(sheet.content))
    note = AuditEntry.objects.get(action="rules.share")
    assert (note.before, note.after) == ({"is_shared": False}, {"is_shared": True})

    director.post(address, {"is_shared": "0"})
    assert client.get(reverse("rules", args=[hidden.rules.code])).status_code == 404


def test_rules_off_the_list_stay_open_to_who_may_see_an_event_by_them(
    own_rules: ClubRules, event: Event, client: Client
) -> None:
    code = own_rules.rules.code
    own_rules.delete()
    assert client.get(reverse("rules", args=[code])).status_code == 200
    Event.objects.update(state=EventState.DRAFT)
    assert client.get(reverse("rules", args=[code])).status_code == 404


def test_rules_of_a_sheet_are_open_to_who_may_see_the_sheet(
    own_rules: ClubRules, event: Event, client: Client
) -> None:
    match = MatchFactory.create(event=event)
    other = make_club_rules(actor=OPERATOR, club=event.club, name="Others", rules=Rules())
    Event.objects.update(rules=other.rules)
    own_rules.delete()
    assert client.get(reverse("rules", args=[sheet_of(match).rules.code])).status_code == 200


def test_the_judge_goes_by_rules_that_the_reader_may_read(
    hidden: ClubRules, private: Club, own_rules: ClubRules, client: Client
) -> None:
    member = logged_in(UserFactory.create(club=private, role=Role.MEMBER))

    def judged(reader: Client, rules: ClubRules) -> tuple[int, bool]:
        answer = reader.get(reverse("judge_page"), {"rules": rules.rules.code})
        return answer.status_code, rules.rules.name in text(answer)

    assert judged(client, own_rules) == (200, True)
    assert judged(client, hidden) == (422, False)
    assert judged(member, hidden) == (200, True)
    share_club_rules(actor=OPERATOR, club_rules=hidden, is_shared=True)
    assert judged(client, hidden) == (200, True)
    share_club_rules(actor=OPERATOR, club_rules=hidden, is_shared=False)
    hidden.delete()
    MatchFactory.create(event=EventFactory.create(club=private, rules=hidden.rules))
    Event.objects.filter(club=private).update(rules=own_rules.rules)
    assert judged(client, hidden) == (422, False)
    assert judged(member, hidden) == (200, True)


# Copying


def test_rules_are_copied_into_a_club_of_one_s_own(
    own_rules: ClubRules, client: Client, private: Club
) -> None:
    director = logged_in(UserFactory.create(club=private, role=Role.DIRECTOR))
    address = reverse("copy_rules", args=[own_rules.rules.code, 1])
    assert escape("Closed") in text(director.get(address))
    answer = director.post(address, {"club": private.pk, "name": "From the harbour"})
    assert answer.status_code == 302
    copy = ClubRules.objects.get(club=private)
    assert copy.rules.rules == own_rules.rules.rules
    assert (copy.rules.version, copy.rules.copied_from) == (1, own_rules.rules)
    assert copy.rules.code != own_rules.rules.code
    shown = text(director.get(reverse("rules", args=[copy.rules.code])))
    assert f'Copied from <a href="{reverse("rules_version", args=[own_rules.rules.code, 1])}">' in shown
    # A later version still says where the rules came from.
    next_version(actor=OPERATOR, club_rules=copy, name="Ours now", rules=Rules(target=50))
    assert "Copied from" in text(director.get(reverse("rules", args=[copy.rules.code])))


def test_a_copy_does_not_name_a_source_that_is_closed(hidden: ClubRules, club: Club, client: Client) -> None:
    own = copy_club_rules(actor=OPERATOR, club=club, source=hidden.rules, name="Taken over")
    address = reverse("rules", args=[own.rules.code])
    assert "Behind doors" not in text(client.get(address))
    share_club_rules(actor=OPERATOR, club_rules=hidden, is_shared=True)
    assert "Behind doors" in text(client.get(address))


def test_nobody_copies_into_a_club_of_others(own_rules: ClubRules, private: Club) -> None:
    director = logged_in(UserFactory.create(club=own_rules.club, role=Role.DIRECTOR))
    address = reverse("copy_rules", args=[own_rules.rules.code, 1])
    answer = director.post(address, {"club": private.pk, "name": "Sneaked in"})
    assert answer.status_code == 422
    assert "Closed" not in text(answer)
    assert not ClubRules.objects.filter(club=private).exists()


# Who may


@pytest.mark.parametrize(
    ("role", "allowed"),
    [(Role.OWNER, True), (Role.DIRECTOR, True), (Role.SCOREKEEPER, False), (Role.MEMBER, False)],
)
def test_who_directs_makes_rules(club: Club, own_rules: ClubRules, role: Role, allowed: bool) -> None:
    reader = logged_in(UserFactory.create(club=club, role=role))
    code = own_rules.rules.code
    for address in (
        reverse("new_rules", args=["harbour"]),
        reverse("change_rules", args=["harbour", code]),
        reverse("copy_rules", args=[code, 1]),
    ):
        assert reader.get(address).status_code == (200 if allowed else 404)
    made = reader.post(reverse("new_rules", args=["harbour"]), typed(Rules()))
    assert made.status_code == (302 if allowed else 404)
    shared = reader.post(reverse("share_rules", args=["harbour", code]), {"is_shared": "1"})
    assert shared.status_code == (302 if allowed else 404)
    offered = "Make house rules" in text(reader.get(reverse("club_rules", args=["harbour"])))
    assert offered is allowed
    assert ClubRules.objects.count() == (2 if allowed else 1)


def test_who_is_not_signed_in_is_asked_to(client: Client, own_rules: ClubRules) -> None:
    code = own_rules.rules.code
    for address in (
        reverse("new_rules", args=["harbour"]),
        reverse("change_rules", args=["harbour", code]),
        reverse("copy_rules", args=[code, 1]),
    ):
        answer = client.get(address)
        assert (answer.status_code, answer["Location"]) == (302, f"/login/?next={address}")
        assert client.post(address, typed(Rules())).status_code == 302
    assert ClubRules.objects.count() == 1


def test_rules_of_another_club_cannot_be_changed_through_one_s_own(
    owner: Client, club: Club, hidden: ClubRules
) -> None:
    address = reverse("change_rules", args=["harbour", hidden.rules.code])
    assert owner.get(address).status_code == 404
    assert owner.post(address, typed(Rules(), gin_bonus=1)).status_code == 404
    share = reverse("share_rules", args=["harbour", hidden.rules.code])
    assert owner.post(share, {"is_shared": "1"}).status_code == 404


def test_writes_need_the_token_of_their_form(club: Club, own_rules: ClubRules) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(UserFactory.create(club=club, role=Role.OWNER))
    code = own_rules.rules.code
    for address in (
        reverse("new_rules", args=["harbour"]),
        reverse("change_rules", args=["harbour", code]),
        reverse("share_rules", args=["harbour", code]),
        reverse("copy_rules", args=[code, 1]),
    ):
        assert strict.post(address, typed(Rules(gin_bonus=7)) | {"club": club.pk}).status_code == 403
    assert ClubRules.objects.count() == 1


def test_names_are_text_wherever_they_stand(club: Club, client: Client, owner: Client) -> None:
    name = "<script>alert(1)</script>"
    own = make_club_rules(actor=OPERATOR, club=club, name=name, rules=Rules())
    copy = copy_club_rules(actor=OPERATOR, club=club, source=own.rules, name=name)
    for address in (
        reverse("rules", args=[copy.rules.code]),
        reverse("club_rules", args=["harbour"]),
        reverse("change_rules", args=["harbour", own.rules.code]),
        reverse("copy_rules", args=[own.rules.code, 1]),
    ):
        shown = text(owner.get(address))
        assert "alert(1)" in shown
        assert name not in shown


def test_the_rule_sheet_takes_few_queries(
    own_rules: ClubRules, event: Event, client: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(12):
        client.get(reverse("rules", args=[own_rules.rules.code]))


def test_the_admin_leads_to_the_rule_sheet(owner: Client, own_rules: ClubRules) -> None:
    shown = text(owner.get(reverse("admin:league_clubrules_change", args=[own_rules.pk])))
    assert f'href="{reverse("rules", args=[own_rules.rules.code])}"' in shown
    assert f'href="{reverse("club_rules", args=["harbour"])}"' in shown


def test_a_rule_sheet_unchanged_is_not_sent_again(own_rules: ClubRules, client: Client) -> None:
    address = reverse("rules", args=[own_rules.rules.code])
    first = client.get(address)
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
