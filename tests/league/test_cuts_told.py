"""What readers, programs and directors are told of who is level where a table is cut."""

from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.levels import undecided
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.events.entries import withdraw_entry
from league.models import Club, CutDecision, Match, Role, ShownAs
from league.people.register import change_shown
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from tests.clients import logged_in
from tests.factories import OPERATOR, UserFactory, play
from tests.league.admin_pages import page, text
from tests.league.api.world import ANYBODY, Asking
from tests.league.cut_cases import decide, decide_all, drawn_groups, level_groups

pytestmark = pytest.mark.django_db


def test_api_tells_the_decision_and_who_goes_on_as_the_reader_may_see(club: Club) -> None:
    event = drawn_groups(club, 6, groups=3, best_next=1)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, 30, stopped=True)
    recalculate(event.pk)
    (level,) = undecided(event)
    secret, *others = level.entries
    player = secret.players.get()
    change_shown(actor=OPERATOR, player=player, shown_as=ShownAs.NICKNAME, nickname="Fox")
    decide(event, level, order=level.entries, reason="because of Ann")
    told = ANYBODY.get(f"events/{event.code}/cuts/")
    assert (told["place"], told["left_out"]) == (2, [])
    assert [(row["entry"]["name"], row["goes_on"]) for row in told["next_places"]] == [
        ("Fox", True),
        *((entry.name, False) for entry in others),
    ]
    (decision,) = told["decisions"]
    assert (decision["how"], decision["kind"], decision["lot"]) == ("word", "next", None)
    assert decision["order"] == [entry.code for entry in level.entries]
    assert decision["reason"] == "(for members of the club)"
    public = Client().get(reverse("event", args=[club.slug, event.slug])).content.decode()
    assert "in this order: Fox" in public
    assert secret.name not in public
    assert "because of Ann" not in public
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    shown = director.get(reverse("event", args=[club.slug, event.slug])).content.decode()
    assert "Reason: because of Ann" in shown


def test_ties_are_decided_and_decisions_taken_back_through_the_api(club: Club) -> None:
    """All three ways; who is level is told to directors alone."""
    event = level_groups(club, 6, groups=3)
    browser = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    ask = Asking(browser)
    at = f"events/{event.code}/levels/"

    def sent(address: str, status: int = 200, **body: Any) -> Any:
        answer = ask.send("POST", address, body)
        assert answer.status_code == status, answer.content
        return answer.json()

    first, second, third = ask.get(at)["levels"]
    assert (first["kind"], first["group"], first["above"], first["is_open"]) == ("group", 1, 0, True)
    assert (first["missing"], first["decision"], ask.get(at)["void"]) == ([], None, [])
    codes = [entry["code"] for entry in first["entries"]]

    word = f"{at}{first['key']}/decision/"
    assert sent(word, 422, how="word", order=codes)["code"] == "reason_missing"
    assert sent(word, 422, how="word", order=codes[:1], reason="r")["code"] == "order"
    assert sent(word, 422, how="coin")["field"] == "how"
    told = sent(word, how="word", order=codes[::-1], reason="agreed")["levels"][0]
    assert (told["is_open"], told["decision"]["order"]) == (False, codes[::-1])
    assert sent(word, 422, how="lot")["code"] == "decided_already"

    lot = sent(f"{at}{second['key']}/decision/", how="lot")["levels"][1]["decision"]
    by_code = {entry["code"]: entry["code"] for entry in second["entries"]}
    assert lot["order"] == sorted(
        by_code, key=lambda code: sha256(f"{lot['lot']}:{code}".encode()).hexdigest(), reverse=True
    )

    made = sent(f"{at}{third['key']}/decision/", how="play_off", date="2027-01-05")["levels"][2]
    assert (made["is_open"], made["decision"]["order"]) == (False, [])
    (match,) = made["decision"]["matches"]
    assert Match.objects.get(code=match).play_off_id is not None
    back = f"{at}{third['key']}/cancellation/"
    assert sent(back, reason="nobody can come")["levels"][2]["is_open"]
    assert not Match.objects.filter(code=match).exists()
    assert sent(back, 404, reason="again")["code"] == "not_found"

    # Without one of them there is no tie; the decision on it is void, and goes.
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(code=codes[0]), reason="ill")
    recalculate(event.pk)
    void = ask.get(at)
    assert [row["key"] for row in void["void"]] == [first["key"]]
    assert sent(f"{at}{first['key']}/cancellation/", reason="void")["void"] == []
    # What is decided is public, who is level is not.
    assert [row["how"] for row in ANYBODY.get(f"events/{event.code}/cuts/")["decisions"]] == ["lot"]
    assert Client().get(f"/api/v1/{at}").status_code == 401


def test_nothing_is_told_of_results_that_are_held_back(club: Club) -> None:
    event = level_groups(club, holds_results=True)
    decide_all(event)
    told = ANYBODY.get(f"events/{event.code}/cuts/")
    assert told["decisions"] == []
    assert event_table(event, AS_WRITTEN).cuts.cuts == []
    for round_ in event.rounds.all():
        release_round(actor=OPERATOR, round_=round_)
    assert len(ANYBODY.get(f"events/{event.code}/cuts/")["decisions"]) == 2


def test_page_asks_one_tie_after_another_and_the_second_director_is_told(club: Club) -> None:
    event = level_groups(club)
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    address = page("event", event, "decide_level")
    first, second = undecided(event)
    assert first.state in text(director.get(address))
    sent = {"key": first.cut.key, "how": "word", "reason": "agreed"}
    places = {f"place_{number}": entry.pk for number, entry in enumerate(first.entries, start=1)}
    assert director.post(address, sent).status_code == 422
    assert "_confirm" in text(director.post(address, sent | places))
    assert not CutDecision.objects.exists()
    done = director.post(address, sent | places | {"_confirm": "1"}, follow=True)
    assert "in this order: " in text(done)
    assert second.state in text(director.get(address))
    late = director.post(address, sent | places | {"_confirm": "1"})
    assert late.status_code == 422
    assert "has decided this meanwhile. Decided by" in text(late)
    assert CutDecision.objects.count() == 1
    listed = director.get(reverse("admin:league_cutdecision_changelist"))
    assert first.entries[0].name in text(listed)
    row = page("cutdecision", CutDecision.objects.get())
    assert "in this order: " in text(director.get(row))
