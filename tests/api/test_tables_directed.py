"""What a director's program does about the play of a match: as in the administration, for the same people."""

from typing import Any, Final

import pytest

from games.arena.choices import shipped_choices
from games.models import HandReport, TableMatch, TableWarning
from games.tables.reports import appraisal_document
from league.matches.member_tables import end_table_for
from league.models import AuditEntry, Match, Role, TokenScope
from tests.api.card_tables import At
from tests.api.programs import code_of
from tests.factories import OPERATOR, ClubFactory, UserFactory
from tests.games.test_reports_on_hands import BLUNDER
from tests.league.table_players import playing
from tests.league.test_directing_tables import play_a_hand

pytestmark = pytest.mark.django_db

ACTS: Final[dict[str, dict[str, Any]]] = {
    "adjourn": {"reason": "It is late."},
    "go-on": {},
    "deal-anew": {"reason": "It is late."},
    "warn": {"seat": 0, "reason": "It is late."},
}


@pytest.fixture
def match() -> Match:
    return playing(target=500)


def at(match: Match, role: Role, scope: TokenScope = TokenScope.MANAGE) -> At:
    club = match.event.club
    return At(UserFactory.create(club=club, role=role), {"club": club}, scope)


def table_of(match: Match) -> TableMatch:
    return TableMatch.objects.get(sheet=match.sheet)


def refused(answer: Any, status: int, code: str) -> None:
    assert code_of(answer) == (status, code), answer.content


def test_a_director_adjourns_lets_go_on_deals_anew_and_warns(match: Match) -> None:
    """Each is noted with its reason, and is seen at the table."""
    director, code = at(match, Role.DIRECTOR), table_of(match).code
    seal = table_of(match).hands.get().commitment
    refused(director.send(f"{code}/go-on", {}), 422, "not_adjourned")
    refused(director.send(f"{code}/deal-anew", {"reason": "It is late."}), 422, "hand_stands")
    refused(director.send(f"{code}/adjourn", {}), 422, "reason_missing")
    stopped = director.send(f"{code}/adjourn", {"reason": "The hall closes."})
    assert stopped.status_code == 200, stopped.content
    assert stopped.json()["adjourned_at"] is not None
    assert stopped.headers["ETag"] == director.look(code).headers["ETag"]
    refused(director.send(f"{code}/adjourn", {"reason": "Once more."}), 422, "adjourned")
    assert director.send(f"{code}/go-on", {}).json()["adjourned_at"] is None
    director.send(f"{code}/adjourn", {"reason": "The pack is torn."})
    dealt = director.send(f"{code}/deal-anew", {"reason": "The pack is torn."})
    assert (dealt.status_code, dealt.json()["adjourned_at"]) == (200, None)
    assert dealt.json()["commitment"] != seal
    refused(director.send(f"{code}/warn", {"seat": 7, "reason": "No."}), 422, "unknown_seat")
    refused(director.send(f"{code}/warn", {"reason": "No."}), 422, "missing_field")
    assert director.send(f"{code}/warn", {"seat": 1, "reason": "Please play on."}).status_code == 200
    assert TableWarning.objects.get().seat == 1
    noted = AuditEntry.objects.filter(action__startswith="table.").order_by("pk")
    assert [(each.action, each.reason) for each in noted.exclude(action="table.begin")] == [
        ("table.adjourn", "The hall closes."),
        ("table.go_on", ""),
        ("table.adjourn", "The pack is torn."),
        ("table.deal_anew", "The pack is torn."),
        ("table.warn", "Please play on."),
    ]
    end_table_for(actor=OPERATOR, match=table_of(match), reason="They went home.")
    for act, body in ACTS.items():
        refused(director.send(f"{code}/{act}", body), 422, "table_over")


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.MEMBER, Role.DIRECTOR])
def test_nobody_else_does_nor_a_token_that_records(match: Match, role: Role) -> None:
    program, code = at(match, role, TokenScope.RECORD), table_of(match).code
    for act, body in ACTS.items():
        refused(program.send(f"{code}/{act}", body), 403, "not_allowed")
    assert program.client.get(f"/api/v1/tables/{code}/conduct/").status_code == 404
    assert table_of(match).adjourned_at is None


def test_who_may_not_see_it_is_told_nothing(match: Match) -> None:
    match.event.club.is_public = False
    match.event.club.save()
    club = ClubFactory.create()
    stranger = At(UserFactory.create(club=club, role=Role.DIRECTOR), {"club": club}, TokenScope.MANAGE)
    code = table_of(match).code
    for act, body in ACTS.items():
        refused(stranger.send(f"{code}/{act}", body), 404, "not_found")
    assert stranger.client.get(f"/api/v1/tables/{code}/conduct/").status_code == 404


def test_a_director_reads_how_it_was_played_and_no_choice(match: Match) -> None:
    director, code = at(match, Role.DIRECTOR), table_of(match).code
    address = f"/api/v1/tables/{code}/conduct/"
    hand = play_a_hand(match)
    HandReport.objects.create(hand=hand, seat=1, choices=[appraisal_document(BLUNDER)])
    told = director.client.get(address).json()
    assert (told["match"], told["is_live"]) == (match.code, True)
    assert [seat["seat"] for seat in told["seats"]] == [0, 1]
    assert sum(sum(seat[part]["bands"]) for seat in told["seats"] for part in ("drawing", "putting_down")) > 0
    assert [seat["agreement"] for seat in told["seats"]] == [None, None]
    end_table_for(actor=OPERATOR, match=table_of(match), reason="They went home.")
    answer = director.client.get(address)
    first, second = answer.json()["seats"]
    assert (first["agreement"], first["unweighed"]) == (None, 1)
    agreement = second["agreement"]
    assert (agreement["choices"], agreement["agreed"], agreement["mean_cost"]) == (1, 0, 4.25)
    assert agreement["cost_error"] is None
    assert second["former"] is None
    assert [bot["strategy"] for bot in answer.json()["bots"]] == [
        bot.strategy for bot in shipped_choices().bots
    ]
    assert "7S" not in answer.content.decode()
    assert director.client.get(address, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
